//! Pig: a die, and the choice to continue. Perfect information, chance, any number of seats.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Phase, Playable, Present,
    Preset, Purpose, Seat, SetupError, Stream, Viewer, choice, params, wording,
};
use serde::Serialize;

params! {
    /// The rules of Pig.
    pub struct PigVariant {
        /// Points that win.
        pub goal: u8 = 20 => "goal", int(2, 100);
    }
}

choice! {
    /// A seat's decision in Pig.
    #[derive(Default)]
    pub enum Throw {
        /// Keeps the points of the turn.
        #[default]
        Hold = "hold",
        /// Throws the die.
        Roll = "roll",
    }
}

/// Result of the die, from 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DieRoll(pub u8);

impl fmt::Display for DieRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for DieRoll {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let eyes = text.parse().ok().filter(|eyes| (1..=6).contains(eyes));
        let eyes = eyes.ok_or_else(|| format!("expected a number from 1 to 6, found '{text}'"))?;
        wording::only(Self(eyes), text)
    }
}

const MAX_SEATS: usize = 4;

/// A position of Pig, which is also every viewer's observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct PigState {
    /// Points kept, by seat.
    pub points: [u8; MAX_SEATS],
    /// Points of the turn so far.
    pub turn_points: u8,
    /// Index of the seat on turn.
    pub turn: u8,
    /// True while a roll is pending.
    pub rolling: bool,
}

/// A seat on turn rolls a die as often as it wants; a one ends the turn and loses its points. The first seat
/// to bank enough points wins.
#[derive(Debug)]
pub struct Pig {
    variant: PigVariant,
    seats: usize,
}

static INFO: GameInfo = GameInfo {
    summary: "a die, and the choice to go on",
    seats: 1..=MAX_SEATS,
    presets: &[Preset { name: "twenty", doc: "Who first has twenty.", set: &[] }],
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("pig", "Pig", "R1: everything is in the code.")
};

impl Pig {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: PigVariant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }
}

impl Game for Pig {
    type Variant = PigVariant;
    type State = PigState;
    type Action = Throw;
    type Chance = DieRoll;
    type Event = DieRoll;
    type Observation<'a> = PigState;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &PigVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> PigState {
        PigState::default()
    }

    fn phase(&self, state: &PigState) -> Phase {
        if state.points.iter().any(|points| *points >= self.variant.goal) {
            Phase::Over
        } else if state.rolling {
            Phase::Chance
        } else {
            Phase::turn(Seat::new(state.turn.into()))
        }
    }

    fn legal_actions(&self, state: &PigState, _seat: Seat, actions: &mut Vec<Throw>) {
        // The first roll of a turn is forced, so every episode ends.
        if state.turn_points > 0 {
            actions.push(Throw::Hold);
        }
        actions.push(Throw::Roll);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _state: &PigState, _seat: Seat, action: &Throw) -> u32 {
        *action as u32
    }

    fn fallback_action(&self, _state: &PigState, _seat: Seat) -> Throw {
        Throw::Roll
    }

    fn apply_unchecked(
        &self,
        state: &mut PigState,
        seat: Seat,
        action: &Throw,
        _events: &mut impl EventSink<DieRoll>,
    ) {
        match action {
            Throw::Hold => {
                state.points[seat.index()] += state.turn_points;
                state.turn_points = 0;
                state.turn = seat.next(self.seats).index() as u8;
            }
            Throw::Roll => state.rolling = true,
        }
    }

    fn sample_chance(&self, _state: &PigState, streams: &mut ChanceStreams) -> DieRoll {
        DieRoll(streams.stream(Purpose::Play, 0).below(6) as u8 + 1)
    }

    fn apply_chance(&self, state: &mut PigState, eyes: &DieRoll, events: &mut impl EventSink<DieRoll>) {
        events.emit(Audience::All, || *eyes);
        state.rolling = false;
        if eyes.0 == 1 {
            state.turn_points = 0;
            state.turn = Seat::new(state.turn.into()).next(self.seats).index() as u8;
        } else {
            state.turn_points = (state.turn_points + eyes.0).min(self.variant.goal);
        }
    }

    fn chance_outcomes(&self, _state: &PigState) -> Option<Vec<(DieRoll, f64)>> {
        Some((1..=6).map(|eyes| (DieRoll(eyes), 1.0 / 6.0)).collect())
    }

    fn observe<'a>(&'a self, state: &'a PigState, _viewer: Viewer) -> PigState {
        *state
    }

    fn determinize(&self, observation: &PigState, _rng: &mut Stream, state: &mut PigState) {
        *state = *observation;
    }

    fn score(&self, state: &PigState, seat: Seat) -> i64 {
        state.points[seat.index()].into()
    }
}

impl Present for Pig {}

impl Playable for Pig {}

impl Defined for Pig {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
