//! Matrix: two seats choose simultaneously, and a pay-off table decides. Zero-sum.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase, Playable,
    Present, Preset, Seat, SeatSet, SetupError, Stream, Viewer, params, wording,
};
use serde::Serialize;

use super::nim::Never;

params! {
    /// The rules of Matrix.
    pub struct MatrixVariant {
        /// Choices of the first seat.
        pub rows: u8 = 2 => "rows", int(1, 9);
        /// Choices of the second seat.
        pub columns: u8 = 2 => "columns", int(1, 9);
        /// Pay-offs of the first seat, won from the second, row by row.
        pub gains: Vec<i64> = vec![1, -1, -1, 1] => "gains", int_list(-99, 99, 1, 81);
    }
}

/// A row or a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MatrixLine(pub u8);

impl fmt::Display for MatrixLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for MatrixLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let line = text.parse().map_err(|_| format!("expected a number, found '{text}'"))?;
        wording::only(Self(line), text)
    }
}

/// Both choices, 0 for none yet; observations hide the other's until both have chosen.
pub type Chosen = [MatrixLine; 2];

/// A one-shot matrix game; matching pennies by default.
#[derive(Debug)]
pub struct Matrix {
    variant: MatrixVariant,
}

static INFO: GameInfo = GameInfo {
    summary: "a choice at the same time",
    information: Information::Public,
    simultaneous: true,
    presets: &[
        Preset { name: "pennies", doc: "Matching pennies.", set: &[] },
        Preset {
            name: "rock",
            doc: "Rock, paper, scissors, where rock wins two of scissors.",
            set: &[("rows", "3"), ("columns", "3"), ("gains", "0,-1,2,1,0,-1,-2,1,0")],
        },
    ],
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("matrix", "Matrix", "R1: everything is in the code.")
};

impl Matrix {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: MatrixVariant, _seats: usize) -> Result<Self, SetupError> {
        let lines = usize::from(variant.rows) * usize::from(variant.columns);
        if variant.gains.len() != lines {
            let found = variant.gains.len();
            return Err(SetupError::new(format!("gains: expected rows x columns = {lines}, found {found}")));
        }
        Ok(Self { variant })
    }
}

impl Game for Matrix {
    type Variant = MatrixVariant;
    type State = Chosen;
    type Action = MatrixLine;
    type Chance = Never;
    type Event = MatrixLine;
    type Observation<'a> = Chosen;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &MatrixVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> Chosen {
        Chosen::default()
    }

    fn phase(&self, state: &Chosen) -> Phase {
        let owing = state.iter().enumerate().filter(|(_, chosen)| chosen.0 == 0);
        match owing.fold(0, |mask, (seat, _)| mask | 1 << seat) {
            0 => Phase::Over,
            mask => Phase::Decide(SeatSet::from_mask(mask)),
        }
    }

    fn legal_actions(&self, _state: &Chosen, seat: Seat, actions: &mut Vec<MatrixLine>) {
        let lines = if seat.index() == 0 { self.variant.rows } else { self.variant.columns };
        actions.extend((1..=lines).map(MatrixLine));
    }

    fn action_bound(&self) -> u32 {
        self.variant.rows.max(self.variant.columns).into()
    }

    fn action_id(&self, _state: &Chosen, _seat: Seat, action: &MatrixLine) -> u32 {
        u32::from(action.0).saturating_sub(1)
    }

    fn apply_unchecked(
        &self,
        state: &mut Chosen,
        seat: Seat,
        action: &MatrixLine,
        events: &mut impl EventSink<MatrixLine>,
    ) {
        state[seat.index()] = *action;
        if self.phase(state) == Phase::Over {
            state.iter().for_each(|line| events.emit(Audience::All, || *line));
        }
    }

    fn sample_chance(&self, _state: &Chosen, _streams: &mut ChanceStreams) -> Never {
        unreachable!("there is no chance")
    }

    fn apply_chance(&self, _state: &mut Chosen, chance: &Never, _events: &mut impl EventSink<MatrixLine>) {
        match *chance {}
    }

    fn chance_outcomes(&self, _state: &Chosen) -> Option<Vec<(Never, f64)>> {
        None
    }

    fn observe<'a>(&'a self, state: &'a Chosen, viewer: Viewer) -> Chosen {
        let hides = |seat: Seat| self.phase(state) != Phase::Over && !viewer.sees(seat);
        std::array::from_fn(|seat| if hides(Seat::new(seat)) { MatrixLine(0) } else { state[seat] })
    }

    fn determinize(&self, observation: &Chosen, _rng: &mut Stream, state: &mut Chosen) {
        // The other's choice is unobservable, so the determinization has none.
        *state = *observation;
    }

    fn score(&self, state: &Chosen, seat: Seat) -> i64 {
        if self.phase(state) != Phase::Over {
            return 0;
        }
        let [row, column] = state.map(|line| usize::from(line.0) - 1);
        let gain = self.variant.gains[row * usize::from(self.variant.columns) + column];
        if seat.index() == 0 { gain } else { -gain }
    }
}

impl Present for Matrix {}

impl Playable for Matrix {}

impl Defined for Matrix {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
