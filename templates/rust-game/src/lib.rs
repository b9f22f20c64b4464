//! Template game: dice under cups. The clauses R1 to R6 are in RULES.md.

mod agents;
mod look;

use std::fmt;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase,
    Playable, Purpose, Seat, SetupError, Stream, Viewer, choice, params,
};
use serde::Serialize;

/// Seats of the largest table: the size of the arrays below.
const MAX_SEATS: usize = 6;

params! {
    /// The numbers of the rules. Forms, `--set`, sweeps and the table in RULES.md are made from them.
    pub struct Variant {
        /// Rounds in an episode.
        pub rounds: u8 = 6 => "rounds", int(1, 20);
        /// Sides of each die.
        pub sides: u8 = 6 => "sides", int(2, 20);
    }
}

choice! {
    /// A decision. Its word is its text everywhere: for people, bots and replays.
    #[derive(Default)]
    pub enum Choice {
        /// Sits the round out.
        #[default]
        Fold = "fold",
        /// Compares dice.
        Stay = "stay",
    }
}

/// A position: a plain value without anything that is still to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct State {
    /// Finished rounds.
    round: u8,
    /// Dice rolled in this round, in the order of the seats.
    rolled: u8,
    /// Dice under the cups; 0 if not rolled, or hidden in an observation.
    dice: [u8; MAX_SEATS],
    choices: [Option<Choice>; MAX_SEATS],
    /// Dice shown at the last showdown; 0 for a seat that folded.
    shown: [u8; MAX_SEATS],
    scores: [i16; MAX_SEATS],
}

/// The knowledge of a viewer: the state without hidden dice.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Observation(State);

/// Events: lines of the log, and messages to bots. Each reaches only its audience.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Rolled { seat: Seat, die: u8 },
    Chose { seat: Seat, choice: Choice },
    Shown { dice: Vec<u8>, winner: Option<Seat> },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rolled { seat, die } => write!(f, "seat {seat} rolls a {die}"),
            Self::Chose { seat, choice: Choice::Fold } => write!(f, "seat {seat} folds"),
            Self::Chose { seat, choice: Choice::Stay } => write!(f, "seat {seat} stays"),
            Self::Shown { winner: None, .. } => write!(f, "everybody folded"),
            Self::Shown { dice, winner: Some(winner) } => {
                let all = dice.iter().enumerate().filter(|(_, die)| **die > 0);
                let all: Vec<String> = all.map(|(seat, die)| format!("seat {seat}: {die}")).collect();
                write!(f, "{}; seat {winner} wins the round", all.join(", "))
            }
        }
    }
}

static INFO: GameInfo = GameInfo {
    summary: "dice under cups: stay and compare, or fold",
    guide: include_str!("../GUIDE.md"),
    seats: 2..=MAX_SEATS,
    information: Information::Hidden,
    ends: &["last round"],
    demo: &["cautious", "random"],
    input_help: "fold or stay",
    advisor: "cautious",
    strengths: include_str!("../strength.txt"),
    ..GameInfo::new("template-game", "Template game", include_str!("../RULES.md"))
};

/// The game with its variant and number of seats.
#[derive(Debug)]
pub struct TemplateGame {
    variant: Variant,
    seats: usize,
}

impl TemplateGame {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// None: every variant fits every number of seats.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }

    /// R2: the seats in the order of this round's decisions. The first place moves on by one seat every
    /// round.
    fn order(&self, state: &State) -> impl Iterator<Item = Seat> + use<> {
        Seat::new(usize::from(state.round) % self.seats).around(self.seats)
    }

    fn next_to_decide(&self, state: &State) -> Option<Seat> {
        self.order(state).find(|seat| state.choices[seat.index()].is_none())
    }

    /// R4, R5: the dice of those who stayed are shown and scored, and the next round begins.
    fn show_down(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let stays = |seat: &Seat| state.choices[seat.index()] == Some(Choice::Stay);
        let staying: Vec<Seat> = self.order(state).filter(stays).collect();
        let mut winner: Option<Seat> = None;
        state.shown = [0; MAX_SEATS];
        for seat in &staying {
            state.shown[seat.index()] = state.dice[seat.index()];
            // R5: of equal dice the one that decided earlier wins.
            if winner.is_none_or(|best| state.dice[seat.index()] > state.dice[best.index()]) {
                winner = Some(*seat);
            }
        }
        for seat in &staying {
            let points = if Some(*seat) == winner { staying.len() as i16 } else { -1 };
            state.scores[seat.index()] += points;
        }
        let shown = state.shown;
        events.emit(Audience::All, || Event::Shown { dice: shown[..self.seats].to_vec(), winner });
        state.round += 1;
        state.rolled = 0;
        state.dice = [0; MAX_SEATS];
        state.choices = [None; MAX_SEATS];
    }
}

impl Game for TemplateGame {
    type Variant = Variant;
    type State = State;
    type Action = Choice;
    type Chance = u8;
    type Event = Event;
    type Observation<'a> = Observation;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    // Dice are secret, turns are not.
    fn decides_openly(&self) -> bool {
        true
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
        if state.round == self.variant.rounds {
            return Phase::Over; // R6
        }
        if usize::from(state.rolled) < self.seats {
            return Phase::Chance; // R1
        }
        Phase::turn(self.next_to_decide(state).expect("the last decision ends the round"))
    }

    fn legal_actions(&self, _: &State, _: Seat, actions: &mut Vec<Choice>) {
        actions.extend_from_slice(Choice::ALL);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _: &State, _: Seat, action: &Choice) -> u32 {
        *action as u32
    }

    // R3: everybody hears a decision at once.
    fn apply_unchecked(
        &self,
        state: &mut State,
        seat: Seat,
        choice: &Choice,
        events: &mut impl EventSink<Event>,
    ) {
        state.choices[seat.index()] = Some(*choice);
        events.emit(Audience::All, || Event::Chose { seat, choice: *choice });
        if self.next_to_decide(state).is_none() {
            self.show_down(state, events);
        }
    }

    fn chance_outcomes(&self, _: &State) -> Option<Vec<(u8, f64)>> {
        let sides = self.variant.sides;
        Some((1..=sides).map(|die| (die, 1.0 / f64::from(sides))).collect())
    }

    // The key identifies the die, so decisions never change its result.
    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> u8 {
        let key = u32::from(state.round) * MAX_SEATS as u32 + u32::from(state.rolled);
        streams.stream(Purpose::Deal, key).below(self.variant.sides.into()) as u8 + 1
    }

    // R1: only its owner sees a die.
    fn apply_chance(&self, state: &mut State, die: &u8, events: &mut impl EventSink<Event>) {
        let seat = Seat::new(state.rolled.into());
        events.emit(Audience::only(seat), || Event::Rolled { seat, die: *die });
        state.dice[seat.index()] = *die;
        state.rolled += 1;
    }

    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation {
        let mut seen = state.clone();
        for seat in Seat::all(self.seats).filter(|seat| !viewer.sees(*seat)) {
            seen.dice[seat.index()] = 0;
        }
        Observation(seen)
    }

    // Decisions say nothing certain about dice, so every die is equally likely.
    fn determinize(&self, observation: &Observation, rng: &mut Stream, state: &mut State) {
        state.clone_from(&observation.0);
        for die in &mut state.dice[..usize::from(observation.0.rolled)] {
            if *die == 0 {
                *die = rng.below(self.variant.sides.into()) as u8 + 1;
            }
        }
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        state.scores[seat.index()].into()
    }
}

impl Playable for TemplateGame {}

impl Defined for TemplateGame {
    fn definition() -> Definition<Self> {
        Definition { agents: agents::all(), ..Definition::new(&INFO, Variant::default(), Self::new) }
    }
}
