//! Nim: perfect information, no chance.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, Encode, Encoding, EventSink, FieldSink, Game, GameInfo,
    Hints, Meaning, Outcome, Phase, Playable, Position, Present, Preset, Seat, SetupError, Stream, Viewer,
    params,
};
use serde::Serialize;

params! {
    /// The rules of Nim.
    pub struct NimVariant {
        /// Sticks on the table.
        pub sticks: u8 = 12 => "sticks", int(1, 100);
        /// Maximal number of sticks taken at once.
        pub most: u8 = 3 => "most", int(1, 9);
    }
}

/// Takes this many sticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take(pub u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "take {}", self.0)
    }
}

impl FromStr for Take {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = text.strip_prefix("take ").and_then(|count| count.parse().ok());
        count.map(Self).ok_or_else(|| format!("expected 'take N', found '{text}'"))
    }
}

/// Event: sticks were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "taken")]
pub struct SticksTaken {
    seat: Seat,
    sticks: u8,
}

impl fmt::Display for SticksTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {} takes {}", self.seat, self.sticks)
    }
}

/// Empty type of chance outcomes: Nim has no chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl FromStr for Never {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Err(format!("there is no chance in this game, found '{text}'"))
    }
}

/// A position of Nim, which is also every viewer's observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct NimState {
    /// Sticks left.
    pub sticks: u8,
    /// Seat on turn.
    pub turn: Seat,
}

/// Nim with one heap: the seat that takes the last stick wins.
#[derive(Debug)]
pub struct Nim {
    variant: NimVariant,
}

impl Nim {
    /// Static facts of the game.
    pub const INFO: GameInfo = GameInfo {
        summary: "who takes the last stick wins",
        presets: &[
            Preset { name: "dozen", doc: "Twelve sticks.", set: &[] },
            Preset { name: "score", doc: "Twenty sticks.", set: &[("sticks", "20")] },
        ],
        demo: &["random", "random"],
        guide: include_str!("GUIDE.md"),
        advisor: "random",
        ..GameInfo::new("nim", "Nim", "R1: everything is in the code.")
    };

    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: NimVariant, _seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant })
    }
}

impl Game for Nim {
    type Variant = NimVariant;
    type State = NimState;
    type Action = Take;
    type Chance = Never;
    type Event = SticksTaken;
    type Observation<'a> = NimState;

    fn info(&self) -> &'static GameInfo {
        &Self::INFO
    }

    fn variant(&self) -> &NimVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> NimState {
        NimState { sticks: self.variant.sticks, turn: Seat::new(0) }
    }

    fn phase(&self, state: &NimState) -> Phase {
        if state.sticks == 0 { Phase::Over } else { Phase::turn(state.turn) }
    }

    fn legal_actions(&self, state: &NimState, _seat: Seat, actions: &mut Vec<Take>) {
        actions.extend((1..=self.variant.most.min(state.sticks)).map(Take));
    }

    fn action_bound(&self) -> u32 {
        u32::from(self.variant.most)
    }

    fn action_id(&self, _state: &NimState, _seat: Seat, action: &Take) -> u32 {
        u32::from(action.0).saturating_sub(1)
    }

    fn apply_unchecked(
        &self,
        state: &mut NimState,
        seat: Seat,
        action: &Take,
        events: &mut impl EventSink<SticksTaken>,
    ) {
        events.emit(Audience::All, || SticksTaken { seat, sticks: action.0 });
        state.sticks = state.sticks.saturating_sub(action.0);
        state.turn = seat.next(2);
    }

    fn sample_chance(&self, _state: &NimState, _streams: &mut ChanceStreams) -> Never {
        unreachable!("never in a chance phase")
    }

    fn apply_chance(&self, _state: &mut NimState, chance: &Never, _events: &mut impl EventSink<SticksTaken>) {
        match *chance {}
    }

    fn chance_outcomes(&self, _state: &NimState) -> Option<Vec<(Never, f64)>> {
        Some(Vec::new())
    }

    fn observe<'a>(&'a self, state: &'a NimState, _viewer: Viewer) -> NimState {
        *state
    }

    fn determinize(&self, observation: &NimState, _rng: &mut Stream, state: &mut NimState) {
        *state = *observation;
    }

    fn score(&self, state: &NimState, seat: Seat) -> i64 {
        i64::from(state.sticks == 0 && state.turn != seat)
    }

    fn outcome(&self, state: &NimState, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(2).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }
}

impl Present for Nim {}

impl Encode for Nim {
    const VERSION: u32 = 1;

    fn encode(&self, seen: &NimState, seat: Seat, sink: &mut impl FieldSink) {
        sink.one(
            Meaning::share("sticks", "100 sticks", "Sticks on the table."),
            f32::from(seen.sticks) / 100.0,
        );
        sink.flags(Meaning::flag("own_turn", "Whether it is the own turn."), [seen.turn == seat]);
    }
}

/// Perfect-play hints.
struct NimHints;

/// Number of sticks to take, to leave a multiple of `most + 1`; 0 if the position is lost.
fn winning(game: &Nim, sticks: u8) -> u8 {
    sticks % (game.variant.most + 1)
}

impl Hints<Nim> for NimHints {
    fn prior(&mut self, position: &Position<'_, Nim>, _seat: Seat, actions: &[Take], weights: &mut Vec<f64>) {
        let best = winning(position.game(), position.observe(Viewer::Public).sticks);
        weights.extend(actions.iter().map(|action| if action.0 == best { 1.0 } else { 0.1 }));
    }

    fn scores(&mut self, position: &Position<'_, Nim>, scores: &mut Vec<f64>) -> Option<f64> {
        let seen = position.observe(Viewer::Public);
        let wins = winning(position.game(), seen.sticks) > 0;
        scores.extend(Seat::all(2).map(|seat| if (seat == seen.turn) == wins { 1.0 } else { 0.0 }));
        Some(0.01)
    }

    fn act(&mut self, position: &Position<'_, Nim>, _seat: Seat, _rng: &mut Stream) -> Option<Take> {
        Some(Take(winning(position.game(), position.observe(Viewer::Public).sticks).max(1)))
    }
}

impl Playable for Nim {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        Box::new(NimHints)
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }
}

impl Defined for Nim {
    fn definition() -> Definition<Self> {
        Definition::new(&Self::INFO, Default::default(), Self::new)
    }
}
