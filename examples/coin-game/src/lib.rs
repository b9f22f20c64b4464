//! The recipe for a game, in one file: guess which side a coin falls on.
//!
//! The steps have the numbers of "How to add a game" in ARCHITECTURE.md. Step 1: copy this crate to
//! `games/<id>/` and write RULES.md; steps 2 to 6 follow below. A larger game puts each step into a file of
//! its own: `variant.rs`, `state.rs`, `action.rs`, `rules.rs`, `scoring.rs`, `observe.rs`, `draw.rs`,
//! `agents/`. Step 7: write the tests in `tests/it/`. Step 8: add the game to the registry in `crates/games`.
//! Then simulation, sweeps, play, drawings and replays work for it.

use std::fmt;

use meeple_core::{
    Agent, AgentInfo, Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information,
    Phase, Playable, Present, Purpose, Seat, SeatSet, SetupError, Stream, Turn, Viewer, choice, params,
};
use serde::Serialize;

/// Seats of the largest table; the size of the arrays below.
const MAX_SEATS: usize = 8;

// Step 2: the variant. It declares every number of the rules once, with its range and its meaning. Help,
// sweeps, JSON and the table in RULES.md are generated from it.
params! {
    /// The rules of the coin game.
    pub struct Variant {
        /// Rounds in an episode.
        pub rounds: u8 = 3 => "rounds", int(1, 100);
    }
}

// Step 3: actions and chance outcomes. Each needs one text form for replays, bots and the terminal. `choice!`
// generates it for plain words. In this game one type serves as both. Both need a default value to fill
// buffers with; any value will do.
choice! {
    /// A side of the coin: what a seat guesses, and what chance tosses.
    #[derive(Default)]
    pub enum Side {
        #[default]
        Heads = "heads",
        Tails = "tails",
    }
}

// Step 4: the state, a plain value without `Box`, `Vec` or map, and without anything that is yet to be drawn.
/// A position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct State {
    round: u8,
    scores: [u8; MAX_SEATS],
    guesses: [Option<Side>; MAX_SEATS],
}

// Step 4, middle: the observation, a type of its own with private fields. Agents, drawings and bots get
// nothing else. `determinize` must be able to make a state from it.
/// The knowledge of a viewer: everything except guesses that are still secret.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Observation(State);

// Step 4, end: events, for logs and spectators.
/// The guesses are shown, and the coin has fallen. An event must report every change that a viewer sees of
/// other seats.
#[derive(Clone, Debug, Serialize)]
pub struct Tossed {
    /// The guesses, by seat.
    pub guesses: Vec<Side>,
    /// The side of the coin.
    pub side: Side,
}

impl fmt::Display for Tossed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guesses: Vec<String> = self.guesses.iter().map(Side::to_string).collect();
        write!(f, "guesses {}; the coin shows {}", guesses.join(", "), self.side)
    }
}

// Step 5: the rules. The docs of `Game` state the contract of every method. A branch that encodes a rule
// names its clause.
/// The game with its variant and number of seats.
#[derive(Debug)]
pub struct CoinGame {
    variant: Variant,
    seats: usize,
}

impl CoinGame {
    /// The seats that still have to guess.
    fn owing(&self, state: &State) -> SeatSet {
        let owing = Seat::all(self.seats).filter(|seat| state.guesses[seat.index()].is_none());
        SeatSet::from_mask(owing.fold(0, |mask, seat| mask | 1 << seat.index()))
    }
}

/// The metadata of the game.
static INFO: GameInfo = GameInfo {
    summary: "guess which side a coin falls on",
    seats: 1..=MAX_SEATS,
    information: Information::Public,
    simultaneous: true,
    length_unit: "guesses",
    ends: &["last round"],
    demo: &["always:heads", "random"],
    guide: include_str!("../GUIDE.md"),
    advisor: "random",
    input_help: "heads or tails",
    ..GameInfo::new("coin-game", "Coin game", include_str!("../RULES.md"))
};

impl CoinGame {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }
}

impl Game for CoinGame {
    type Variant = Variant;
    type State = State;
    type Action = Side;
    type Chance = Side;
    type Event = Tossed;
    type Observation<'a> = Observation;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        State::default()
    }

    fn phase(&self, state: &State) -> Phase {
        let owing = self.owing(state);
        if state.round == self.variant.rounds {
            Phase::Over
        } else if owing.is_empty() {
            Phase::Chance
        } else {
            Phase::Decide(owing)
        }
    }

    fn legal_actions(&self, _state: &State, _seat: Seat, actions: &mut Vec<Side>) {
        actions.extend_from_slice(Side::ALL);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _state: &State, _seat: Seat, action: &Side) -> u32 {
        *action as u32
    }

    // R1: a guess is only stored. After the last guess, chance tosses the coin.
    fn apply_unchecked(&self, state: &mut State, seat: Seat, action: &Side, _: &mut impl EventSink<Tossed>) {
        state.guesses[seat.index()] = Some(*action);
    }

    // The key is the round, so the coin of a round does not depend on earlier decisions.
    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Side {
        let heads = streams.stream(Purpose::Play, u32::from(state.round)).coin();
        if heads { Side::Heads } else { Side::Tails }
    }

    fn chance_outcomes(&self, _state: &State) -> Option<Vec<(Side, f64)>> {
        Some(Side::ALL.iter().map(|side| (*side, 0.5)).collect())
    }

    fn apply_chance(&self, state: &mut State, chance: &Side, events: &mut impl EventSink<Tossed>) {
        events.emit(Audience::All, || Tossed {
            guesses: state.guesses.iter().flatten().copied().collect(),
            side: *chance,
        });
        for (score, guess) in state.scores.iter_mut().zip(&mut state.guesses) {
            // R2: every right guess scores a point. Guesses are cleared for the next round.
            *score += u8::from(guess.take() == Some(*chance));
        }
        state.round += 1;
    }

    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation {
        let mut seen = state.clone();
        // R1: guesses are secret until the coin is tossed, and are cleared then.
        for seat in Seat::all(self.seats).filter(|seat| !viewer.sees(*seat)) {
            seen.guesses[seat.index()] = None;
        }
        Observation(seen)
    }

    // A viewer cannot know if the others have guessed yet. In this state they have not.
    fn determinize(&self, observation: &Observation, _rng: &mut Stream, state: &mut State) {
        state.clone_from(&observation.0);
    }

    // R3, with the default outcome: scores rank the seats.
    fn score(&self, state: &State, seat: Seat) -> i64 {
        i64::from(state.scores[seat.index()])
    }
}

impl Present for CoinGame {}

impl Playable for CoinGame {}

impl Defined for CoinGame {
    fn definition() -> Definition<Self> {
        Definition { agents: agents(), ..Definition::new(&INFO, Default::default(), Self::new) }
    }
}

fn agents() -> Vec<AgentInfo<CoinGame>> {
    vec![AgentInfo::new("always", "guesses the same side every time", |_, params: AlwaysParams| {
        Ok(Always(params.side))
    })]
}

// Step 6: agents that know the game. `random` and other agents for every game come from `crates/agents`.
params! {
    /// Settings of the agent `always`.
    pub struct AlwaysParams {
        /// The side to guess.
        pub side: Side = Side::Heads => "side", choice(Side::WORDS);
    }
}

struct Always(Side);

impl Agent<CoinGame> for Always {
    fn act(&mut self, _turn: Turn<'_, CoinGame>) -> Side {
        self.0
    }
}
