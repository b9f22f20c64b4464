//! A game for tests: every round a die is shown and everybody takes its points or passes for three.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    ActionValue, AgentInfo, Analysis, AnyEntry, ChanceStreams, Defined, Definition, EventSink, Figure,
    FigureSheet, Foreseen, Game, GameEntry, GameInfo, NoParams, Phase, Playable, Present, Purpose, Seat,
    SeatSet, SetupError, Stream, Turn, ValueUnit, Viewer, choice, params,
};
use serde::Serialize;

choice! {
    /// A decision of a seat.
    #[derive(Default)]
    pub enum Action { #[default] Pass = "pass", Take = "take" }
}

params! {
    /// The rules.
    pub struct Variant {
        /// Rounds in an episode.
        pub rounds: u8 = 4 => "rounds", int(1, 50);
        /// Sides of the die.
        pub sides: u8 = 6 => "sides", int(1, 20);
        /// Players added to the named ones.
        pub guests: u8 = 0 => "guests", int(0, 5);
        /// Added to every score.
        pub bonus: i64 = 0 => "bonus", int(-1_000_000_000, 1_000_000_000);
        /// Draws the order of turns: the first die decides who begins.
        pub drawn: bool = false => "drawn", switch();
        /// Free text.
        pub note: String = String::new() => "note", text();
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct State {
    round: u8,
    die: Option<u8>,
    sixes: u8,
    first: u8,
    last: u8,
    choices: Vec<Option<bool>>,
    scores: Vec<i64>,
    takes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll(u8);

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Roll {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Roll).map_err(|_| format!("expected a number, found '{text}'"))
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Event;

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something")
    }
}

#[derive(Serialize)]
pub struct Observation<'a> {
    state: &'a State,
}

pub struct Toy {
    variant: Variant,
    seats: usize,
}

static INFO: GameInfo = GameInfo {
    seats: 1..=6,
    simultaneous: true,
    length_unit: "rounds",
    ends: &["high die", "low die"],
    episode_figures: &[
        Figure::count("sixes", "dice", "Dice that showed six."),
        Figure::count("takes", "takes", "Takes of all seats."),
        Figure::category("last_die", "dice", "The last die.", &["low", "high"]),
        Figure::seat("leader", "The only seat with the highest score."),
    ],
    seat_figures: &[
        Figure::count("takes", "rounds", "Rounds in which the seat took."),
        Figure::amount("take_share", "share", "Share of rounds in which the seat took."),
        Figure::seat("next", "The next seat that took at all, round the table."),
        Figure::category("parity", "takes", "Whether it took an even number of times.", &["odd", "even"]),
    ],
    filler: Some("coin"),
    ..GameInfo::new("toy", "Toy", "# Toy")
};

impl Toy {
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }
}

impl Game for Toy {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Roll;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

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
        State {
            round: 0,
            die: None,
            sixes: 0,
            first: 0,
            last: 0,
            choices: vec![None; self.seats],
            scores: vec![self.variant.bonus; self.seats],
            takes: vec![0; self.seats],
        }
    }

    fn reset(&self, state: &mut State) {
        (state.round, state.die, state.sixes, state.first, state.last) = (0, None, 0, 0, 0);
        state.choices.fill(None);
        state.scores.fill(self.variant.bonus);
        state.takes.fill(0);
    }

    fn phase(&self, state: &State) -> Phase {
        match state.die {
            _ if state.round == self.variant.rounds => Phase::Over,
            None => Phase::Chance,
            Some(_) => {
                let open = state.choices.iter().enumerate().filter(|(_, choice)| choice.is_none());
                Phase::Decide(SeatSet::from_mask(open.map(|(seat, _)| 1 << seat).sum()))
            }
        }
    }

    fn legal_actions(&self, _state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        actions.extend(Action::ALL);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _state: &State, _seat: Seat, action: &Action) -> u32 {
        *action as u32
    }

    fn apply_unchecked(
        &self,
        state: &mut State,
        seat: Seat,
        action: &Action,
        _events: &mut impl EventSink<Event>,
    ) {
        state.choices[seat.index()] = Some(*action == Action::Take);
        if state.choices.iter().any(Option::is_none) {
            return;
        }
        let die = i64::from(state.die.take().unwrap_or(0));
        for seat in 0..self.seats {
            let takes = state.choices[seat].take().unwrap_or(false);
            state.scores[seat] += if takes { die } else { 3 };
            state.takes[seat] += u8::from(takes);
        }
        state.round += 1;
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Roll {
        let stream = streams.stream(Purpose::Play, u32::from(state.round));
        Roll(stream.below(u32::from(self.variant.sides)) as u8 + 1)
    }

    fn apply_chance(&self, state: &mut State, chance: &Roll, _events: &mut impl EventSink<Event>) {
        state.die = Some(chance.0);
        if state.round == 0 {
            state.first = chance.0;
        }
        state.last = chance.0;
        state.sixes += u8::from(chance.0 == 6);
    }

    fn chance_outcomes(&self, _state: &State) -> Option<Vec<(Roll, f64)>> {
        let sides = self.variant.sides;
        Some((1..=sides).map(|side| (Roll(side), 1.0 / f64::from(sides))).collect())
    }

    fn observe<'a>(&'a self, state: &'a State, _viewer: Viewer) -> Observation<'a> {
        Observation { state }
    }

    fn determinize(&self, observation: &Observation<'_>, _rng: &mut Stream, state: &mut State) {
        state.clone_from(observation.state);
    }

    fn score(&self, state: &State, seat: Seat) -> i64 {
        state.scores[seat.index()]
    }

    fn outcome(&self, state: &State, outcome: &mut meeple_core::Outcome) {
        outcome.scores.extend(&state.scores);
        outcome.rank_by_score();
        outcome.end = usize::from(state.sixes == 0);
    }

    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.round)
    }

    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        let takes: u32 = state.takes.iter().map(|takes| u32::from(*takes)).sum();
        let best = state.scores.iter().max();
        let mut leaders = Seat::all(self.seats).filter(|seat| Some(&state.scores[seat.index()]) == best);
        let leader = leaders.next().filter(|_| leaders.next().is_none());
        let seat = |seat: Option<Seat>| seat.map_or(Figure::NOBODY, |seat| seat.index() as f64);
        sheet.episode([
            f64::from(state.sixes),
            f64::from(takes),
            f64::from(u8::from(state.last >= 4)),
            seat(leader),
        ]);
        for (index, takes) in state.takes.iter().enumerate() {
            let next = (1..self.seats).map(|step| (index + step) % self.seats);
            let next = next.into_iter().find(|next| state.takes[*next] > 0).map(Seat::new);
            let share = f64::from(*takes) / f64::from(self.variant.rounds);
            sheet.seat([f64::from(*takes), share, seat(next), f64::from((takes + 1) % 2)]);
        }
    }

    fn draws_turn_order(&self) -> bool {
        self.variant.drawn
    }

    fn turn_place(&self, state: &State, seat: Seat) -> usize {
        if self.variant.drawn { (seat.index() + usize::from(state.first)) % self.seats } else { seat.index() }
    }
}

impl Present for Toy {}

impl Playable for Toy {}

impl Defined for Toy {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents(),
            seats_for: |variant, named| named + usize::from(variant.guests),
            ..Definition::new(&INFO, Default::default(), Self::new)
        }
    }
}

fn agents() -> Vec<AgentInfo<Toy>> {
    vec![
        AgentInfo::new("at-least", "Takes a die of at least so much.", |_, params: AtLeastParams| {
            Ok(AtLeast(params.least))
        }),
        AgentInfo::new("mixed", "Takes high dice, and others sometimes.", |_, params: Mixed| Ok(params)),
        AgentInfo::new("picky", "Takes some dice only.", |_, params: Picky| Ok(params)),
        AgentInfo::new("coin", "Takes every second die.", |_, _: NoParams| Ok(Coin)),
        AgentInfo::new("tells", "Takes what is better, and says by how much.", |_, _: NoParams| Ok(Tells)),
        AgentInfo::new("panics", "Panics.", |_, _: NoParams| Ok(Panics)),
    ]
}

params! {
    /// The threshold.
    pub struct AtLeastParams {
        /// The smallest die to take.
        pub least: u8 = 4 => "least", int(0, 21);
    }
}

struct AtLeast(u8);

impl meeple_core::Agent<Toy> for AtLeast {
    fn act(&mut self, turn: Turn<'_, Toy>) -> Action {
        let die = turn.observe().state.die.unwrap_or(0);
        if die >= self.0 { Action::Take } else { Action::Pass }
    }
}

params! {
    /// Two parameters.
    pub struct Mixed {
        /// The smallest die that is always taken.
        pub least: u8 = 4 => "least", int(0, 21);
        /// The chance to take a smaller one.
        pub chance: f64 = 0.5 => "chance", real(0.0, 1.0);
    }
}

impl meeple_core::Agent<Toy> for Mixed {
    fn act(&mut self, mut turn: Turn<'_, Toy>) -> Action {
        let die = turn.observe().state.die.unwrap_or(0);
        if die >= self.least || turn.rng().unit() < self.chance { Action::Take } else { Action::Pass }
    }
}

params! {
    /// A list, and something after it.
    pub struct Picky {
        /// The dice to take.
        pub dice: Vec<u8> = vec![5, 6] => "dice", int_list(1, 20, 0, 20);
        /// The chance to take one of the others.
        pub chance: f64 = 0.0 => "chance", real(0.0, 1.0);
    }
}

impl meeple_core::Agent<Toy> for Picky {
    fn act(&mut self, mut turn: Turn<'_, Toy>) -> Action {
        let die = turn.observe().state.die.unwrap_or(0);
        if self.dice.contains(&die) || turn.rng().unit() < self.chance { Action::Take } else { Action::Pass }
    }
}

/// Agent that knows the value of an action in points of this round; its values have the standard error 0.5.
struct Tells;

impl meeple_core::Agent<Toy> for Tells {
    fn act(&mut self, mut turn: Turn<'_, Toy>) -> Action {
        let die = f64::from(turn.observe().state.die.unwrap_or(0));
        let best = if die > 3.0 { Action::Take } else { Action::Pass };
        let value = |(action, value)| ActionValue { action, visits: 5, value, error: Some(0.5) };
        let actions = [(Action::Pass, 3.0), (Action::Take, die)].map(value).to_vec();
        let line = vec![Foreseen { seat: turn.seat(), action: best }];
        turn.tell(Analysis { iterations: 10, unit: ValueUnit::Points, actions, line });
        best
    }
}

struct Coin;

impl meeple_core::Agent<Toy> for Coin {
    fn act(&mut self, mut turn: Turn<'_, Toy>) -> Action {
        if turn.rng().coin() { Action::Take } else { Action::Pass }
    }
}

struct Panics;

impl meeple_core::Agent<Toy> for Panics {
    fn act(&mut self, _turn: Turn<'_, Toy>) -> Action {
        panic!("as its name says")
    }
}

pub fn entry() -> Box<dyn AnyEntry> {
    Box::new(GameEntry::new(Toy::definition(), Vec::new()))
}
