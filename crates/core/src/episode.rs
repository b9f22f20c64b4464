//! The episode: one checked and recorded play of a game, driven step by step from outside.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use crate::agent::{Agent, AskedSeat, Budget, CancelToken, Position, Turn};
use crate::analysis::Analysis;
use crate::event::EventLog;
use crate::game::Game;
use crate::outcome::Outcome;
use crate::phase::{Illegal, Phase, Viewer, owed_by};
use crate::seat::{Seat, SeatSet};
use crate::stream::{ChanceStreams, EpisodeSeed, Stream};

/// One step of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<C, A> {
    /// An outcome drawn by chance.
    Chance(C),
    /// An action of a seat.
    Action(Seat, A),
}

/// A step of an episode of `G`.
pub type StepOf<G> = Step<<G as Game>::Chance, <G as Game>::Action>;

impl<C: Display, A: Display> Display for Step<C, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Chance(chance) => {
                f.write_str("c ")?;
                chance.fmt(f)
            }
            Self::Action(seat, action) => {
                seat.fmt(f)?;
                f.write_str(" ")?;
                action.fmt(f)
            }
        }
    }
}

impl<C: FromStr<Err: Display>, A: FromStr<Err: Display>> FromStr for Step<C, A> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (who, what) = text.split_once(' ').unwrap_or((text, ""));
        if who == "c" {
            return what.parse().map(Self::Chance).map_err(|error| format!("chance '{what}': {error}"));
        }
        let seat = who
            .parse::<usize>()
            .ok()
            .filter(|seat| *seat < SeatSet::CAPACITY)
            .ok_or_else(|| format!("expected 'c' or a seat, found '{who}'"))?;
        what.parse()
            .map(|action| Self::Action(Seat::new(seat), action))
            .map_err(|error| format!("action '{what}': {error}"))
    }
}

/// One play of a game: every action is checked, every step and event recorded.
pub struct Episode<G: Game> {
    game: Arc<G>,
    state: G::State,
    chance: ChanceStreams,
    asked: Vec<AskedSeat<G>>,
    events: EventLog<G::Event>,
    steps: Vec<StepOf<G>>,
    decisions: u64,
    /// Simultaneous decisions that wait for the last one.
    held: Vec<(Seat, G::Action)>,
}

impl<G: Game> Clone for Episode<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            state: self.state.clone(),
            chance: self.chance.clone(),
            asked: self.asked.clone(),
            events: self.events.clone(),
            steps: self.steps.clone(),
            decisions: self.decisions,
            held: self.held.clone(),
        }
    }
}

impl<G: Game> Episode<G> {
    /// A new episode with this seed.
    pub fn new(game: Arc<G>, seed: EpisodeSeed) -> Self {
        Self {
            state: game.initial_state(),
            chance: ChanceStreams::new(seed),
            asked: Seat::all(game.seats()).map(|seat| AskedSeat::new(seed, seat)).collect(),
            events: EventLog::new(),
            steps: Vec::new(),
            decisions: 0,
            held: Vec::new(),
            game,
        }
    }

    /// Starts another episode of the same game.
    pub fn restart(&mut self, seed: EpisodeSeed) {
        self.game.reset(&mut self.state);
        self.chance.restart(seed);
        for (asked, seat) in self.asked.iter_mut().zip(Seat::all(self.game.seats())) {
            asked.restart(seed, seat);
        }
        self.events.clear();
        self.steps.clear();
        self.decisions = 0;
        self.held.clear();
    }

    /// A determinization: an episode that `viewer` cannot distinguish from this one. The seed determines
    /// hidden information and all future randomness; see [`Game::determinize`]. Of the held decisions, only
    /// the viewer's own are kept. Steps and events start empty: the history is unknown.
    pub fn determinize(&self, viewer: Viewer, seed: EpisodeSeed) -> Self {
        let mut drawn = Self::new(Arc::clone(&self.game), seed);
        let observation = self.game.observe(&self.state, viewer);
        self.game.determinize(&observation, &mut Stream::from_seed(seed.bits()), &mut drawn.state);
        drawn.decisions = self.decisions;
        drawn.held = self.held.iter().filter(|(seat, _)| viewer.sees(*seat)).cloned().collect();
        drawn
    }

    /// As [`determinize`](Self::determinize), but with the events that `viewer` has seen. Experiments in the
    /// copy reveal nothing hidden.
    pub fn imagine(&self, viewer: Viewer, seed: EpisodeSeed) -> Self {
        let mut drawn = self.determinize(viewer, seed);
        drawn.events = self.events.only(viewer);
        drawn
    }

    /// All outcomes of the pending chance draw, with their probabilities. `None` if no draw is due or there
    /// are too many outcomes to list.
    pub fn chance_outcomes(&self) -> Option<Vec<(G::Chance, f64)>> {
        if self.phase() == Phase::Chance { self.game.chance_outcomes(&self.state) } else { None }
    }

    /// Number of decisions so far.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// The game with its variant and seats.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The game, as a shared pointer.
    pub fn game_arc(&self) -> Arc<G> {
        Arc::clone(&self.game)
    }

    /// The state, only for the host of the episode; players get [`Game::observe`].
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The phase: chance, the seats that owe a decision, or the end.
    pub fn phase(&self) -> Phase {
        self.game.phase(&self.state)
    }

    /// The steps so far.
    pub fn steps(&self) -> &[StepOf<G>] {
        &self.steps
    }

    /// The events so far.
    pub fn events(&self) -> &EventLog<G::Event> {
        &self.events
    }

    /// Drops the events so far and stops recording, for hosts that read none.
    pub fn keep_no_events(&mut self) {
        self.events = EventLog::deaf();
    }

    /// Lets chance draw until a seat owes a decision or the episode is over.
    pub fn settle_chance(&mut self) {
        while self.phase() == Phase::Chance {
            self.step_chance();
        }
    }

    /// Lets chance draw once, if a draw is due.
    pub fn step_chance(&mut self) {
        if self.phase() == Phase::Chance {
            let chance = self.game.sample_chance(&self.state, &mut self.chance);
            self.game.apply_chance(&mut self.state, &chance, &mut self.events);
            self.steps.push(Step::Chance(chance));
        }
    }

    /// Applies this chance outcome instead of drawing one, for replays.
    ///
    /// # Errors
    /// If no draw is due or chance cannot draw this outcome.
    pub fn force_chance(&mut self, chance: G::Chance) -> Result<(), Illegal> {
        let why_not = match self.phase() {
            Phase::Chance => None,
            Phase::Decide(seats) => Some(owed_by(seats)),
            Phase::Over => Some("the episode is over".to_owned()),
        };
        if let Some(reason) = why_not {
            return Err(Illegal::new(format!("chance cannot draw {chance}: {reason}")));
        }
        self.game.check_chance(&self.state, &chance)?;
        self.game.apply_chance(&mut self.state, &chance, &mut self.events);
        self.steps.push(Step::Chance(chance));
        Ok(())
    }

    /// Takes an action at once; other seats with simultaneous decisions may follow in any order. If decisions
    /// are held, this one is held, too; see [`decide`](Self::decide).
    ///
    /// # Errors
    /// If the seat owes no decision or the action is illegal; the episode is unchanged then.
    pub fn act(&mut self, seat: Seat, action: &G::Action) -> Result<(), Illegal> {
        if !self.held.is_empty() {
            return self.decide(seat, action.clone());
        }
        self.game.apply(&mut self.state, seat, action, &mut self.events)?;
        self.steps.push(Step::Action(seat, action.clone()));
        self.decisions += 1;
        Ok(())
    }

    /// Returns true if the seat owes a decision and has not made it.
    pub fn is_open(&self, seat: Seat) -> bool {
        self.phase().owes(seat) && !self.holds(seat)
    }

    /// Returns true if a decision of the seat is held.
    pub fn holds(&self, seat: Seat) -> bool {
        self.held.iter().any(|(other, _)| *other == seat)
    }

    pub(crate) fn why_not_open(&self, seat: Seat) -> Illegal {
        match self.phase() {
            Phase::Decide(seats) if seats.contains(seat) => {
                Illegal::new(format!("seat {seat} has decided already; others still owe a decision"))
            }
            phase => phase.refusal(seat),
        }
    }

    /// Decides for a seat. Simultaneous decisions are held until the last one arrives, and then applied in
    /// seat order. The order of arrival thus has no effect, and no seat can see another's decision.
    ///
    /// # Errors
    /// If the seat is not open or the action is illegal; the episode is unchanged then.
    pub fn decide(&mut self, seat: Seat, action: G::Action) -> Result<(), Illegal> {
        if !self.is_open(seat) {
            return Err(self.why_not_open(seat));
        }
        self.game.check(&self.state, seat, &action)?;
        self.decide_unchecked(seat, action);
        Ok(())
    }

    /// Decides as [`decide`](Self::decide) does, without its checks. The seat must be open and the action
    /// legal, else the state is unspecified.
    pub(crate) fn decide_unchecked(&mut self, seat: Seat, action: G::Action) {
        debug_assert_eq!(self.game.check(&self.state, seat, &action), Ok(()), "the action is legal");
        let owing = match self.phase() {
            Phase::Decide(seats) => seats.len(),
            _ => 0,
        };
        if self.held.len() + 1 < owing {
            self.held.push((seat, action));
            return;
        }
        if self.held.is_empty() {
            self.take(seat, action);
            return;
        }
        self.held.push((seat, action));
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_key(|(seat, _)| *seat);
        for (seat, action) in held.drain(..) {
            self.take(seat, action);
        }
        self.held = held;
    }

    fn take(&mut self, seat: Seat, action: G::Action) {
        self.game.apply_unchecked(&mut self.state, seat, &action, &mut self.events);
        // The record takes the clone, which has no spare capacity. The original goes back to the agent for
        // reuse.
        self.steps.push(Step::Action(seat, action.clone()));
        self.asked[seat.index()].recycle(action);
        self.decisions += 1;
    }

    /// Withdraws a held decision; `None` if there is none.
    pub fn withdraw(&mut self, seat: Seat) -> Option<G::Action> {
        let index = self.held.iter().position(|(other, _)| *other == seat)?;
        Some(self.held.swap_remove(index).1)
    }

    /// The held decisions, in the order of arrival unless one was withdrawn.
    pub fn held(&self) -> &[(Seat, G::Action)] {
        &self.held
    }

    /// The random streams of the agents, by seat. Together with the seed, the steps and the held decisions,
    /// they suffice to resume an episode.
    pub fn agent_streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.asked.iter_mut().map(AskedSeat::stream)
    }

    /// Returns true if `viewer` may know that this step happens; see [`Game::decision_audience`]. The step
    /// must be the next one of this episode. Chance draws are noticed by everybody.
    pub fn is_noticed(&self, step: &StepOf<G>, viewer: Viewer) -> bool {
        match step {
            Step::Chance(_) => true,
            Step::Action(seat, action) => {
                viewer.sees(*seat) || self.game.decision_audience(&self.state, *seat, action).includes(viewer)
            }
        }
    }

    /// Lets this token end agents' decisions early. Copies of the episode do not inherit the token.
    pub fn cancel_by(&mut self, token: &CancelToken) {
        for asked in &mut self.asked {
            asked.cancel_by(token.clone());
        }
    }

    /// Lets an agent decide for `seat`, and returns the action without applying it.
    ///
    /// # Panics
    /// If the seat owes no decision.
    pub fn ask(&mut self, seat: Seat, agent: &mut dyn Agent<G>) -> G::Action {
        self.expect_of(seat, Budget::Own, false);
        self.ask_now(seat, agent)
    }

    /// Resets the request before every call, so a call that panicked has no effect on the next.
    fn expect_of(&mut self, seat: Seat, budget: Budget, analysed: bool) {
        assert!(self.phase().owes(seat), "seat {seat} is asked only when it owes a decision");
        self.asked[seat.index()].expect(budget, analysed);
    }

    fn ask_now(&mut self, seat: Seat, agent: &mut dyn Agent<G>) -> G::Action {
        let position = Position::new(&*self.game, &self.state);
        agent.act(Turn::new(&position, &mut self.asked[seat.index()]))
    }

    /// As [`ask`](Self::ask), with a budget. Also returns the agent's analysis.
    ///
    /// # Panics
    /// If the seat owes no decision.
    pub fn analyse(
        &mut self,
        seat: Seat,
        agent: &mut dyn Agent<G>,
        budget: Budget,
    ) -> (G::Action, Analysis<G::Action>) {
        self.expect_of(seat, budget, true);
        let action = self.ask_now(seat, agent);
        (action, self.asked[seat.index()].take_analysis().unwrap_or_default())
    }

    /// As [`analyse`](Self::analyse), with `about` among the analysed actions. The decision stays the same.
    ///
    /// # Errors
    /// If `about` is illegal; the agent is not called then.
    ///
    /// # Panics
    /// If the seat owes no decision.
    pub fn analyse_with(
        &mut self,
        seat: Seat,
        agent: &mut dyn Agent<G>,
        budget: Budget,
        about: G::Action,
    ) -> Result<(G::Action, Analysis<G::Action>), Illegal> {
        self.game.check(&self.state, seat, &about)?;
        self.expect_of(seat, budget, true);
        self.asked[seat.index()].ask_about(about);
        let action = self.ask_now(seat, agent);
        Ok((action, self.asked[seat.index()].take_analysis().unwrap_or_default()))
    }

    /// The legal actions of a seat that owes a decision; empty for others and for structured actions.
    pub fn legal_actions(&self, seat: Seat) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.list_legal_actions(seat, &mut actions);
        actions
    }

    /// As [`legal_actions`](Self::legal_actions), appended to `actions`, which must be empty.
    pub(crate) fn list_legal_actions(&self, seat: Seat, actions: &mut Vec<G::Action>) {
        if self.phase().owes(seat) {
            self.game.legal_actions(&self.state, seat, actions);
        }
    }

    /// Draws a random legal action for a seat that owes a decision, from the seat's own stream.
    pub fn sample_action(&mut self, seat: Seat) -> G::Action {
        let rng = self.asked[seat.index()].stream();
        self.game.sample_action(&self.state, seat, rng, &mut Vec::new())
    }

    /// The outcome, once the episode is over.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.phase() == Phase::Over).then(|| {
            let mut outcome = Outcome::default();
            self.game.outcome(&self.state, &mut outcome);
            outcome
        })
    }

    /// Length so far, in the game's length unit.
    pub fn length(&self) -> u64 {
        self.game.length(&self.state, self.decisions)
    }

    /// Plays to the end with one agent per seat.
    ///
    /// # Errors
    /// The seat and reason if an agent returns an illegal action.
    pub fn finish(&mut self, agents: &mut [Box<dyn Agent<G>>]) -> Result<Outcome, (Seat, Illegal)> {
        for (agent, seat) in agents.iter_mut().zip(Seat::all(self.game.seats())) {
            agent.begin_episode(&self.game, seat);
        }
        loop {
            match self.phase() {
                Phase::Chance => self.step_chance(),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = self.ask(seat, agents[seat.index()].as_mut());
                        self.act(seat, &action).map_err(|error| (seat, error))?;
                    }
                }
                Phase::Over => return Ok(self.outcome().expect("the episode is over")),
            }
        }
    }
}
