//! Whisper: two seats know which of them decides, and the third does not.

use std::fmt;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase, Playable,
    Present, Preset, Purpose, Seat, SetupError, Stream, Viewer, choice, params,
};
use serde::Serialize;

use meeple_testkit::toys::Card;

/// Number of seats that know which seat decides: all but the last.
const INFORMED_SEATS: usize = 2;
const SEATS: usize = 3;

params! {
    /// The rules of Whisper.
    pub struct WhisperVariant {
        /// Turns in an episode.
        pub turns: u8 = 3 => "turns", int(1, 10);
    }
}

choice! {
    /// A seat's decision on its turn.
    #[derive(Default)]
    pub enum Nod {
        /// Has no effect.
        #[default]
        Nod = "nod",
        /// Has no effect either.
        Wink = "wink",
    }
}

/// Event: a seat has decided.
#[derive(Clone, Debug, Serialize)]
pub struct Decided(u8);

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {} is over", self.0)
    }
}

/// A position of Whisper.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct WhisperState {
    turn: u8,
    /// Seat that decides, counted from 1; 0 before it is drawn.
    card: u8,
}

/// A viewer's observation.
#[derive(Serialize)]
pub struct WhisperObservation {
    turn: u8,
    drawn: bool,
    card: Option<u8>,
}

/// The game Whisper, which returns `OPENLY` as [`Game::decides_openly`].
#[derive(Debug)]
pub struct Whisper<const OPENLY: bool> {
    variant: WhisperVariant,
}

static INFO: GameInfo = GameInfo {
    summary: "who decides is whispered",
    seats: SEATS..=SEATS,
    information: Information::Hidden,
    presets: &[Preset { name: "usual", doc: "Three turns.", set: &[] }],
    demo: &["random", "random", "random"],
    guide: include_str!("../../../src/toys/GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("whisper", "Whisper", "R1: everything is in the code.")
};

impl<const OPENLY: bool> Whisper<OPENLY> {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: WhisperVariant, _seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant })
    }
}

impl<const OPENLY: bool> Game for Whisper<OPENLY> {
    type Variant = WhisperVariant;
    type State = WhisperState;
    type Action = Nod;
    type Chance = Card;
    type Event = Decided;
    type Observation<'a> = WhisperObservation;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn decides_openly(&self) -> bool {
        OPENLY
    }

    fn variant(&self) -> &WhisperVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        SEATS
    }

    fn initial_state(&self) -> WhisperState {
        WhisperState { turn: 0, card: 0 }
    }

    fn phase(&self, state: &WhisperState) -> Phase {
        match state.card {
            _ if state.turn == self.variant.turns => Phase::Over,
            0 => Phase::Chance,
            card => Phase::turn(Seat::new(usize::from(card) - 1)),
        }
    }

    fn legal_actions(&self, _state: &WhisperState, _seat: Seat, actions: &mut Vec<Nod>) {
        actions.extend([Nod::Nod, Nod::Wink]);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _state: &WhisperState, _seat: Seat, action: &Nod) -> u32 {
        *action as u32
    }

    fn apply_unchecked(
        &self,
        state: &mut WhisperState,
        _seat: Seat,
        _action: &Nod,
        events: &mut impl EventSink<Decided>,
    ) {
        let turn = state.turn;
        *state = WhisperState { turn: turn + 1, card: 0 };
        events.emit(Audience::All, || Decided(turn));
    }

    fn sample_chance(&self, state: &WhisperState, streams: &mut ChanceStreams) -> Card {
        let stream = streams.stream(Purpose::Deal, u32::from(state.turn));
        Card(1 + stream.below(INFORMED_SEATS as u32) as u8)
    }

    fn apply_chance(&self, state: &mut WhisperState, chance: &Card, _events: &mut impl EventSink<Decided>) {
        state.card = chance.0;
    }

    fn chance_outcomes(&self, _state: &WhisperState) -> Option<Vec<(Card, f64)>> {
        Some((1..=INFORMED_SEATS as u8).map(|card| (Card(card), 1.0 / INFORMED_SEATS as f64)).collect())
    }

    fn observe<'a>(&'a self, state: &'a WhisperState, viewer: Viewer) -> WhisperObservation {
        let is_informed = match viewer {
            Viewer::Seat(seat) => seat.index() < INFORMED_SEATS,
            Viewer::Public => false,
            Viewer::Everything => true,
        };
        let drawn = state.card > 0;
        WhisperObservation { turn: state.turn, drawn, card: (drawn && is_informed).then_some(state.card) }
    }

    fn determinize(&self, observation: &WhisperObservation, rng: &mut Stream, state: &mut WhisperState) {
        let card = match observation.card {
            Some(card) => card,
            None if observation.drawn => 1 + rng.below(INFORMED_SEATS as u32) as u8,
            None => 0,
        };
        *state = WhisperState { turn: observation.turn, card };
    }

    fn score(&self, _state: &WhisperState, _seat: Seat) -> i64 {
        0
    }
}

impl<const OPENLY: bool> Present for Whisper<OPENLY> {}

impl<const OPENLY: bool> Playable for Whisper<OPENLY> {}

impl<const OPENLY: bool> Defined for Whisper<OPENLY> {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
