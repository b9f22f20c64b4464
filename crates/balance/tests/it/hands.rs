//! Rock, paper, scissors at a table of any size: a game of which everything is known.

use std::fmt;

use meeple_core::{
    Agent, AgentInfo, Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameEntry, GameInfo,
    Information, Phase, Playable, Present, Purpose, Seat, SeatSet, SetupError, Stream, Turn, Viewer, choice,
    params,
};
use serde::Serialize;

params! {
    /// The rules.
    pub struct Variant {
        /// Rounds in an episode.
        pub rounds: u8 = 1 => "rounds", int(1, 100);
        /// Points for the first seat.
        pub first: i32 = 0 => "first", int(0, 1000);
        /// Points in each round for a seat that is drawn.
        pub luck: i32 = 0 => "luck", int(0, 1000);
        /// Points in each round for who throws the hand that is drawn.
        pub suit: i32 = 0 => "suit", int(0, 1000);
        /// Makes rock unbeatable.
        pub hard: bool = false => "hard", switch();
        /// Points for who throws paper, whatever the others do.
        pub paper: i32 = 0 => "paper", int(0, 1000);
    }
}

choice! {
    #[derive(Default)]
    pub enum Hand {
        #[default]
        Rock = "rock",
        Paper = "paper",
        Scissors = "scissors",
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct State {
    round: u8,
    scores: Vec<i64>,
    thrown: Vec<Option<Hand>>,
}

/// The state without the secret throws.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Observation(State);

#[derive(Clone, Debug, Serialize)]
pub struct Shown;

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("all show their hands")
    }
}

#[derive(Debug)]
pub struct Hands {
    variant: Variant,
    seats: usize,
}

/// The game with the general agents and its own, `throws`.
pub fn entry() -> GameEntry<Hands> {
    GameEntry::new(Hands::definition(), meeple_agents::general())
}

impl Hands {
    fn wins(&self, own: Hand, other: Hand) -> i64 {
        match (other as i64 - own as i64).rem_euclid(3) {
            _ if self.variant.hard && own == Hand::Rock && other != own => 1,
            _ if self.variant.hard && other == Hand::Rock && other != own => -1,
            1 => -1,
            2 => 1,
            _ => 0,
        }
    }
}

static INFO: GameInfo = GameInfo {
    summary: "rock, paper, scissors",
    seats: 2..=6,
    information: Information::Public,
    simultaneous: true,
    length_unit: "rounds",
    ends: &["last round", "never"],
    demo: &["throws:rock", "random"],
    ..GameInfo::new("hands", "Hands", "R1")
};

impl Hands {
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }
}

impl Game for Hands {
    type Variant = Variant;
    type State = State;
    type Action = Hand;
    type Chance = String;
    type Event = Shown;
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
        let mut scores = vec![0; self.seats];
        scores[0] = i64::from(self.variant.first);
        State { round: 0, scores, thrown: vec![None; self.seats] }
    }

    fn phase(&self, state: &State) -> Phase {
        let owing = Seat::all(self.seats).filter(|seat| state.thrown[seat.index()].is_none());
        let mask = owing.fold(0, |mask, seat| mask | 1 << seat.index());
        if state.round == self.variant.rounds {
            Phase::Over
        } else if mask == 0 {
            Phase::Chance
        } else {
            Phase::Decide(SeatSet::from_mask(mask))
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Hand>) {
        // In the second round the first seat has no choice.
        if state.round == 1 && seat.index() == 0 {
            actions.push(Hand::Rock);
        } else {
            actions.extend_from_slice(Hand::ALL);
        }
    }

    fn action_bound(&self) -> u32 {
        3
    }

    fn action_id(&self, _state: &State, _seat: Seat, action: &Hand) -> u32 {
        *action as u32
    }

    fn apply_unchecked(&self, state: &mut State, seat: Seat, action: &Hand, _: &mut impl EventSink<Shown>) {
        state.thrown[seat.index()] = Some(*action);
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> String {
        streams.stream(Purpose::Deal, u32::from(state.round)).below(self.seats as u32).to_string()
    }

    fn chance_outcomes(&self, _state: &State) -> Option<Vec<(String, f64)>> {
        Some((0..self.seats).map(|seat| (seat.to_string(), 1.0 / self.seats as f64)).collect())
    }

    fn apply_chance(&self, state: &mut State, chance: &String, events: &mut impl EventSink<Shown>) {
        events.emit(Audience::All, || Shown);
        let thrown: Vec<Hand> = state.thrown.iter_mut().filter_map(Option::take).collect();
        for (own, hand) in thrown.iter().enumerate() {
            let won: i64 = thrown.iter().map(|other| self.wins(*hand, *other)).sum();
            let paper = if *hand == Hand::Paper { i64::from(self.variant.paper) } else { 0 };
            let luck = if chance.parse() == Ok(own) { i64::from(self.variant.luck) } else { 0 };
            let suit = if chance.parse() == Ok(*hand as usize) { i64::from(self.variant.suit) } else { 0 };
            state.scores[own] += won + paper + luck + suit;
        }
        state.round += 1;
    }

    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation {
        let mut seen = state.clone();
        for seat in Seat::all(self.seats).filter(|seat| !viewer.sees(*seat)) {
            seen.thrown[seat.index()] = None;
        }
        Observation(seen)
    }

    fn determinize(&self, observation: &Observation, _: &mut Stream, state: &mut State) {
        state.clone_from(&observation.0);
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        state.scores[seat.index()]
    }

    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.round)
    }
}

impl Present for Hands {}

impl Playable for Hands {}

impl Defined for Hands {
    fn definition() -> Definition<Self> {
        Definition { agents: agents(), ..Definition::new(&INFO, Default::default(), Self::new) }
    }
}

fn agents() -> Vec<AgentInfo<Hands>> {
    let build = |_: &Hands, params: Throws| Ok(Throwing(params.hand));
    vec![AgentInfo::new("throws", "throws the same hand every time", build)]
}

params! {
    /// Settings of the agent `throws`.
    pub struct Throws {
        /// The hand that it throws.
        pub hand: Hand = Hand::Rock => "hand", choice(Hand::WORDS);
    }
}

struct Throwing(Hand);

impl Agent<Hands> for Throwing {
    fn act(&mut self, mut turn: Turn<'_, Hands>) -> Hand {
        if turn.legal_actions().contains(&self.0) { self.0 } else { Hand::Rock }
    }
}
