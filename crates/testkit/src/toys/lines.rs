//! Lines: tic-tac-toe and relatives. Perfect information, no chance, draws.

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Outcome, Phase, Playable,
    Present, Preset, Seat, SetupError, Stream, Viewer, choice, params, wording,
};
use serde::Serialize;

use super::nim::Never;

choice! {
    /// Placement rule of a mark in [`Lines`].
    pub enum Fall {
        /// On any free cell.
        Stays = "stays",
        /// To the lowest free cell of a column.
        Drops = "drops",
    }
}

params! {
    /// The rules of Lines.
    pub struct LinesVariant {
        /// Cells from left to right.
        pub width: u8 = 3 => "width", int(1, 5);
        /// Cells from top to bottom.
        pub height: u8 = 3 => "height", int(1, 5);
        /// Marks in a line that win.
        pub row: u8 = 3 => "row", int(2, 5);
        /// Cells in which a mark can be placed.
        pub fall: Fall = Fall::Stays => "fall", choice(Fall::WORDS);
        /// Marks of a turn.
        pub marks: u8 = 1 => "marks", int(1, 5);
    }
}

wording! {
    /// Marks a cell, counted from the left and from the top.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Mark {
        /// The cell in this column and row.
        At { column: u8 [..ROW], row: u8 [..ROW] } = "mark {column} {row}",
    }
}

impl Default for Mark {
    fn default() -> Self {
        Self::At { column: 0, row: 0 }
    }
}

/// A position of Lines, which is also every viewer's observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct LinesState {
    /// Cells marked by each seat, as bit sets; row by row, five to a row.
    marks: [u32; 2],
    turn: u8,
}

const ROW: u8 = 5;

fn bit(column: u8, row: u8) -> u32 {
    1 << (row * ROW + column)
}

/// Two seats mark cells in turn; the first with `row` marks in a line wins.
#[derive(Debug)]
pub struct Lines {
    variant: LinesVariant,
    /// All winning lines, as bit sets of cells, and all cells.
    lines: Vec<u32>,
    all: u32,
}

impl LinesVariant {
    fn cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..width).flat_map(move |column| (0..height).map(move |row| (column, row)))
    }

    /// All winning lines, as bit sets of cells.
    fn lines(&self) -> Vec<u32> {
        let line = |(column, row): (u8, u8), (right, down): (i8, i8)| {
            let cell = |step: u8| {
                let column = column.checked_add_signed(right * step as i8)?;
                let row = row.checked_add_signed(down * step as i8)?;
                (column < self.width && row < self.height).then(|| bit(column, row))
            };
            (0..self.row).map(cell).try_fold(0, |line, cell| cell.map(|cell| line | cell))
        };
        let from =
            |cell| [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().filter_map(move |way| line(cell, way));
        self.cells().flat_map(from).collect()
    }
}

impl Lines {
    fn has_line(&self, marks: u32) -> bool {
        self.lines.iter().any(|line| marks & line == *line)
    }

    fn is_open(&self, state: &LinesState, column: u8, row: u8) -> bool {
        let taken = state.marks[0] | state.marks[1];
        let is_free = |row: u8| taken & bit(column, row) == 0;
        let rests = self.variant.fall == Fall::Stays || row + 1 == self.variant.height || !is_free(row + 1);
        is_free(row) && rests
    }
}

static INFO: GameInfo = GameInfo {
    summary: "who first has a line wins",
    presets: &[
        Preset { name: "tic-tac-toe", doc: "Three in a line on three by three.", set: &[] },
        Preset {
            name: "connect",
            doc: "Three in a line on four by four, where marks drop.",
            set: &[("width", "4"), ("height", "4"), ("fall", "drops")],
        },
    ],
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("lines", "Lines", "R1: everything is in the code.")
};

impl Lines {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: LinesVariant, _seats: usize) -> Result<Self, SetupError> {
        let all = variant.cells().fold(0, |all, (column, row)| all | bit(column, row));
        Ok(Self { lines: variant.lines(), all, variant })
    }
}

impl Game for Lines {
    type Variant = LinesVariant;
    type State = LinesState;
    type Action = Mark;
    type Chance = Never;
    type Event = Never;
    type Observation<'a> = LinesState;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &LinesVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> LinesState {
        LinesState::default()
    }

    fn phase(&self, state: &LinesState) -> Phase {
        let is_full = state.marks[0] | state.marks[1] == self.all;
        if is_full || state.marks.iter().any(|marks| self.has_line(*marks)) {
            Phase::Over
        } else {
            Phase::turn(Seat::new(state.turn.into()))
        }
    }

    fn legal_actions(&self, state: &LinesState, _seat: Seat, actions: &mut Vec<Mark>) {
        let open = self.variant.cells().filter(|(column, row)| self.is_open(state, *column, *row));
        actions.extend(open.map(|(column, row)| Mark::At { column, row }));
    }

    fn action_bound(&self) -> u32 {
        u32::from(self.variant.width) * u32::from(self.variant.height)
    }

    fn action_id(&self, _state: &LinesState, _seat: Seat, action: &Mark) -> u32 {
        let Mark::At { column, row } = action;
        u32::from(*column) * u32::from(self.variant.height) + u32::from(*row)
    }

    fn apply_unchecked(
        &self,
        state: &mut LinesState,
        seat: Seat,
        action: &Mark,
        _events: &mut impl EventSink<Never>,
    ) {
        let Mark::At { column, row } = *action;
        state.marks[seat.index()] |= bit(column, row);
        let marked = (state.marks[0] | state.marks[1]).count_ones();
        state.turn = (marked / u32::from(self.variant.marks) % 2) as u8;
    }

    fn decision_audience(&self, _state: &LinesState, _seat: Seat, _action: &Mark) -> Audience {
        Audience::All
    }

    fn sample_chance(&self, _state: &LinesState, _streams: &mut ChanceStreams) -> Never {
        unreachable!("never in a chance phase")
    }

    fn apply_chance(&self, _state: &mut LinesState, chance: &Never, _events: &mut impl EventSink<Never>) {
        match *chance {}
    }

    fn chance_outcomes(&self, _state: &LinesState) -> Option<Vec<(Never, f64)>> {
        Some(Vec::new())
    }

    fn observe<'a>(&'a self, state: &'a LinesState, _viewer: Viewer) -> LinesState {
        *state
    }

    fn determinize(&self, observation: &LinesState, _rng: &mut Stream, state: &mut LinesState) {
        *state = *observation;
    }

    fn score(&self, state: &LinesState, seat: Seat) -> i64 {
        i64::from(self.has_line(state.marks[seat.index()]))
    }

    fn outcome(&self, state: &LinesState, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(2).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }
}

impl Present for Lines {}

impl Playable for Lines {}

impl Defined for Lines {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
