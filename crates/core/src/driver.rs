//! The driver: the one episode loop for every mix of people, bots and agents.

use thiserror::Error;

use crate::agent::Budget;
use crate::analysis::Analysis;
use crate::any::episode::{Answer, AnyEpisode};
use crate::any::view::{EpisodeView, EventRecord};
use crate::event::EventCursor;
use crate::label::PlayerLabel;
use crate::phase::{Illegal, Phase, Viewer};
use crate::replay::{Consequence, Replay, ReplayFault};
use crate::seat::Seat;
use crate::spec::{AgentError, AgentSpec};
use crate::stream::EpisodeSeed;
use crate::take_back::Final;

/// Next input that an episode needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// A chance draw: [`Driver::draw_chance`].
    Chance,
    /// Answers to these questions, in any order: [`Driver::answer`] or [`Driver::ask_agent`].
    Decide(Vec<Question>),
    /// Nothing: the episode is over.
    Over,
}

/// A decision that a seat owes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Seat that owes the decision.
    pub seat: Seat,
    /// Question number of this seat, from 0; constant while the question is open. After a take-back the seat
    /// is asked again under a new number, so hosts can recognise late answers.
    pub number: u64,
}

/// Reason why an answer was refused. The driver is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The question is not open.
    #[error(
        "question {number} of seat {seat} is not open; {}",
        .open.map_or("the seat owes no decision".to_owned(), |open| format!("expected an answer to {open}"))
    )]
    Stale {
        /// Seat of the answer.
        seat: Seat,
        /// Number given with the answer.
        number: u64,
        /// Number of the open question, if any.
        open: Option<u64>,
    },
    /// The answer is illegal, or cannot be parsed as an action.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The seat has no agent.
    #[error("no agent sits at seat {0}")]
    NoAgent(Seat),
}

/// Severity of a fault, decided by whether the player can continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The player can continue.
    Passing,
    /// The player is gone.
    Fatal,
}

/// Consequences of a player's faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultRule {
    /// If true, the first fault puts the seat out.
    pub forfeit: bool,
    /// Number of faults in an episode that puts the seat out; `None` for no limit.
    pub strikes: Option<u32>,
}

impl FaultRule {
    /// The consequence of a fault at a seat with `faults` faults, this one included.
    pub fn consequence(self, faults: u32, severity: Severity) -> Consequence {
        let struck_out = self.strikes.is_some_and(|strikes| faults >= strikes);
        if self.forfeit || struck_out || severity == Severity::Fatal {
            Consequence::Out
        } else {
            Consequence::Fallback
        }
    }
}

/// A fault of a seat's player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerFault<'a> {
    /// Kind, as in [`ReplayFault`].
    pub kind: &'a str,
    /// Severity: whether the player can continue.
    pub severity: Severity,
    /// Time taken, in µs, if the question timed out.
    pub took_us: Option<u64>,
}

/// Counts of a seat so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatTally {
    /// Number of questions to the seat's player.
    pub asked: u64,
    /// Decisions, fallbacks included.
    pub decisions: u64,
    /// Decisions taken by the fallback action.
    pub fallbacks: u64,
    /// Faults of the player.
    pub faults: u32,
}

/// An episode in progress, for hosts: the one loop for every mix of people, bots and agents.
///
/// The driver has no input or output and no clock. The host asks what is [`due`](Driver::due), passes in
/// answers, faults and expired clocks as data, and publishes the events. [`Playouts`](crate::Playouts) are
/// the fast path for agents alone; a law checks that both produce the same episodes.
///
/// # Errors
/// A wrong, late or illegal answer is a [`Refusal`] and leaves the driver unchanged.
///
/// # Panics
/// All methods but [`answer`](Self::answer), [`ask_agent`](Self::ask_agent) and
/// [`ask_agent_within`](Self::ask_agent_within) panic on a seat that is not at the table.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use meeple_core::{
///     Answer, Consequence, Defined, Driver, Due, Episode, EpisodeSeed, FaultRule, PlayerFault, Refusal,
///     Severity, any_episode,
/// };
/// use meeple_testkit::toys::Nim;
///
/// // Twelve sticks; a seat takes one to three.
/// let nim = Arc::new(Nim::definition().by_default(2)?);
/// let episode = any_episode(Episode::new(nim, EpisodeSeed::new(1, 0)), [].into());
/// let mut driver = Driver::new(episode);
///
/// let Due::Decide(questions) = driver.due() else { panic!("seat 0 begins") };
/// let question = questions[0];
/// let refused = driver.answer(question.seat, question.number, Answer::Text("take 9"));
/// assert!(matches!(refused, Err(Refusal::Illegal(_))));
///
/// // The host's rule for faults decides: here the fallback action takes one stick.
/// let fault = PlayerFault { kind: "INVALID_MOVE", severity: Severity::Passing, took_us: None };
/// let rule = FaultRule { forfeit: false, strikes: Some(3) };
/// let consequence = driver.fault(question.seat, Some(question.number), fault, rule)?;
/// assert_eq!(consequence, Consequence::Fallback);
///
/// loop {
///     match driver.due() {
///         Due::Chance => driver.draw_chance(),
///         Due::Decide(questions) => {
///             for question in questions {
///                 driver.answer(question.seat, question.number, Answer::Index(0))?;
///             }
///         }
///         Due::Over => break,
///     }
/// }
/// let replay = driver.replay(&["Ada", "Bob"].map(Into::into), None);
/// assert_eq!((replay.steps.len(), replay.faults.len()), (12, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Driver {
    episode: Box<dyn AnyEpisode>,
    seats: Vec<SeatState>,
    faults: Vec<ReplayFault>,
    /// The only seats that may ask for [`news`](Driver::news); `None` if every seat may.
    listeners: Option<Vec<Seat>>,
}

#[derive(Clone, Debug, Default)]
struct SeatState {
    asked: u64,
    faults: u32,
    /// Origins of the seat's decisions, without those taken back.
    decisions: Decisions,
    open: Option<u64>,
    /// True if the fallback action decides for the seat.
    out: bool,
    cursor: EventCursor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Player,
    /// Iterations of an agent under a budget of the host.
    Thought(u64),
    Fallback,
}

/// Origins of a seat's decisions, oldest first. Nearly all are [`Origin::Player`], so only the others are
/// stored.
#[derive(Clone, Debug, Default)]
struct Decisions {
    count: u64,
    /// Origins other than [`Origin::Player`], each with the number of its decision, from 0, ascending.
    others: Vec<(u64, Origin)>,
}

impl Decisions {
    fn push(&mut self, origin: Origin) {
        if origin != Origin::Player {
            self.others.push((self.count, origin));
        }
        self.count += 1;
    }

    fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.others.truncate(self.others.partition_point(|(number, _)| *number < self.count));
    }

    fn origin(&self, number: u64) -> Origin {
        let other = self.others.binary_search_by_key(&number, |(number, _)| *number);
        other.map_or(Origin::Player, |index| self.others[index].1)
    }

    fn is_last_a_fallback(&self) -> bool {
        self.count > 0 && self.origin(self.count - 1) == Origin::Fallback
    }

    fn fallbacks(&self) -> usize {
        self.others.iter().filter(|(_, origin)| *origin == Origin::Fallback).count()
    }
}

impl Driver {
    /// A driver of this episode. Every decision becomes a question.
    pub fn new(episode: Box<dyn AnyEpisode>) -> Self {
        let seats = vec![SeatState::default(); episode.seats()];
        Self { episode, seats, faults: Vec::new(), listeners: None }
    }

    /// Read access to the episode.
    pub fn view(&self) -> &dyn EpisodeView {
        self.episode.view()
    }

    /// A copy of the episode without its agents, for experiments.
    pub fn fork(&self) -> Box<dyn AnyEpisode> {
        self.episode.fork()
    }

    /// The episode in its current state; question numbers and tallies are dropped.
    pub fn into_episode(self) -> Box<dyn AnyEpisode> {
        self.episode
    }

    /// Gives a seat an agent, which decides in [`ask_agent`](Self::ask_agent).
    ///
    /// # Errors
    /// If the agent does not exist or cannot play.
    pub fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError> {
        self.episode.seat_agent(seat, spec)
    }

    /// Gives a seat to a person, who can [take back](Self::take_back) decisions.
    pub fn seat_person(&mut self, seat: Seat) {
        self.episode.keep_moments(seat);
    }

    /// Restricts [`news`](Self::news) to these seats, which ask for news only before a decision. Recording of
    /// events stops once none of them can decide again; this saves some games much time.
    pub fn keep_events_for(&mut self, seats: Vec<Seat>) {
        self.listeners = Some(seats);
        self.forget_listeners();
    }

    /// Drops listeners from the end of the list until one can still decide. Without listeners recording
    /// stops.
    fn forget_listeners(&mut self) {
        let Some(listeners) = &mut self.listeners else { return };
        while let Some(seat) = listeners.last() {
            if !self.seats[seat.index()].out && self.episode.can_still_decide(*seat) {
                return;
            }
            listeners.pop();
        }
        self.listeners = None;
        self.episode.keep_no_events();
    }

    /// Puts a seat out: from now on the fallback action decides for it, also on an open question.
    pub fn put_out(&mut self, seat: Seat) {
        self.seats[seat.index()].out = true;
        if self.seats[seat.index()].open.is_some() {
            self.stand_in(seat);
        }
    }

    /// The next input that the episode needs. While only seats that are out are left to decide, the fallback
    /// action decides for them first.
    pub fn due(&mut self) -> Due {
        loop {
            let owing = match self.episode.phase() {
                Phase::Decide(owing) => owing,
                Phase::Chance => return Due::Chance,
                Phase::Over => return Due::Over,
            };
            let (mut questions, mut out) = (Vec::new(), Vec::new());
            for seat in owing.filter(|seat| !self.episode.holds(*seat)) {
                let state = &mut self.seats[seat.index()];
                if state.out {
                    out.push(seat);
                    continue;
                }
                let number = *state.open.get_or_insert_with(|| {
                    state.asked += 1;
                    state.asked - 1
                });
                questions.push(Question { seat, number });
            }
            if !questions.is_empty() {
                return Due::Decide(questions);
            }
            // Only held decisions and seats that are out are left. The last fallback action applies them all.
            for seat in out {
                self.stand_in(seat);
            }
        }
    }

    /// Advances while no outside input is needed. Draws chance, and lets a single owing seat decide: by its
    /// agent as in [`ask_agent`](Self::ask_agent), or by the fallback action if the seat is out. Stops at
    /// simultaneous decisions and at seats without an agent; [`due`](Self::due) returns what comes next. At
    /// large tables agents take most decisions between two outside questions. Each of these decisions then
    /// costs one call, without a list of questions.
    ///
    /// # Errors
    /// If an agent's action is illegal; it is not applied.
    pub fn play_on(&mut self) -> Result<(), Refusal> {
        loop {
            let seat = match self.episode.phase() {
                Phase::Chance => {
                    self.episode.step_chance();
                    continue;
                }
                Phase::Decide(owing) if owing.len() == 1 => owing.lowest(),
                Phase::Decide(_) | Phase::Over => None,
            };
            let Some(seat) = seat else { return Ok(()) };
            if self.seats[seat.index()].out {
                self.stand_in(seat);
                continue;
            }
            let Some(decided) = self.episode.play_agent(seat) else { return Ok(()) };
            let state = &mut self.seats[seat.index()];
            state.asked += u64::from(state.open.is_none());
            decided?;
            self.close(seat, Origin::Player);
            self.forget_listeners();
        }
    }

    /// Lets chance draw once, if a draw is due.
    pub fn draw_chance(&mut self) {
        self.episode.step_chance();
    }

    /// Takes the answer to a question.
    ///
    /// # Errors
    /// If the question is not open or the answer is no legal action; the driver is unchanged then.
    pub fn answer(&mut self, seat: Seat, number: u64, answer: Answer<'_>) -> Result<(), Refusal> {
        self.expect_open(seat, number)?;
        self.episode.decide(seat, answer)?;
        self.close(seat, if answer == Answer::Fallback { Origin::Fallback } else { Origin::Player });
        Ok(())
    }

    /// Lets the seated agent answer a question, under its own parameters.
    ///
    /// # Errors
    /// If the question is not open, the seat has no agent, or the agent's action is illegal. In the first two
    /// cases the agent is not called.
    pub fn ask_agent(&mut self, question: Question) -> Result<(), Refusal> {
        self.let_agent_decide(question, None).map(drop)
    }

    /// As [`ask_agent`](Self::ask_agent), with a budget. Returns the agent's analysis. Its number of
    /// iterations, as a budget, reproduces the decision.
    ///
    /// # Errors
    /// As [`ask_agent`](Self::ask_agent).
    pub fn ask_agent_within(
        &mut self,
        question: Question,
        budget: Budget,
    ) -> Result<Analysis<String>, Refusal> {
        self.let_agent_decide(question, Some(budget))
    }

    fn let_agent_decide(
        &mut self,
        question: Question,
        budget: Option<Budget>,
    ) -> Result<Analysis<String>, Refusal> {
        let Question { seat, number } = question;
        self.expect_open(seat, number)?;
        let is_own = matches!(budget, None | Some(Budget::Own));
        let analysis = self.episode.let_agent_decide(seat, budget).ok_or(Refusal::NoAgent(seat))??;
        let origin = match analysis.iterations {
            iterations if iterations > 0 && !is_own => Origin::Thought(iterations),
            _ => Origin::Player,
        };
        self.close(seat, origin);
        Ok(analysis)
    }

    /// Records a fault of a seat's player, also for the [`replay`](Self::replay), and applies its
    /// consequence. `number` is that of the open question that was answered wrongly or timed out. A fault
    /// without a number leaves questions open, unless it puts the seat out.
    ///
    /// # Errors
    /// If the question is not open: the fault came too late. The driver is unchanged then.
    pub fn fault(
        &mut self,
        seat: Seat,
        number: Option<u64>,
        fault: PlayerFault<'_>,
        rule: FaultRule,
    ) -> Result<Consequence, Refusal> {
        if let Some(number) = number {
            self.expect_open(seat, number)?;
        }
        let state = &mut self.seats[seat.index()];
        state.faults += 1;
        let consequence = rule.consequence(state.faults, fault.severity);
        self.faults.push(ReplayFault {
            took_us: fault.took_us,
            ..ReplayFault::new(seat, self.episode.steps(), fault.kind, consequence)
        });
        match (consequence, number) {
            (Consequence::Out, _) => self.put_out(seat),
            (Consequence::Fallback, Some(_)) => self.stand_in(seat),
            (Consequence::Fallback, None) => {}
        }
        Ok(consequence)
    }

    /// Returns to the moment before a person's last decision, and returns that decision; see
    /// [`AnyEpisode::take_back`]. The seat is asked again under a new number. Questions to other seats stay
    /// open if the decision was only held, not yet applied. Each seat's first [`told`](Self::told) events
    /// remain valid.
    ///
    /// # Errors
    /// The reason why the decision is final; the driver is unchanged then.
    pub fn take_back(&mut self, seat: Seat) -> Result<String, Final> {
        let SeatState { out, decisions, .. } = &self.seats[seat.index()];
        if *out || decisions.is_last_a_fallback() {
            return Err(Final::StoodIn);
        }
        let before = self.episode.steps();
        let decision = self.episode.take_back(seat)?;
        let was_withdrawn = self.episode.steps() == before;
        for (other, state) in Seat::all(self.seats.len()).zip(&mut self.seats) {
            state.cursor = state.cursor.min(self.episode.end_of_events(Viewer::Seat(other)));
            if other == seat || !was_withdrawn {
                state.open = None;
            }
        }
        self.seats[seat.index()].decisions.pop();
        // Faults recorded at later steps move to the end of the remaining steps.
        let steps = self.episode.steps();
        self.faults.iter_mut().for_each(|fault| fault.step = fault.step.min(steps));
        Ok(decision)
    }

    /// The counts of a seat.
    pub fn tally(&self, seat: Seat) -> SeatTally {
        let SeatState { asked, faults, decisions, .. } = &self.seats[seat.index()];
        SeatTally {
            asked: *asked,
            decisions: decisions.count,
            fallbacks: decisions.fallbacks() as u64,
            faults: *faults,
        }
    }

    /// The replay so far, with all faults. It includes the iterations that agents under a budget used, which
    /// reproduce their decisions.
    pub fn replay(&self, players: &[PlayerLabel], seed: Option<EpisodeSeed>) -> Replay {
        let mut replay = self.episode.view().replay(players, seed);
        replay.faults.clone_from(&self.faults);
        let mut done = vec![0; self.seats.len()];
        for (step, text) in replay.steps.iter().enumerate() {
            // Origins are stored in the order of the seat's steps.
            let seat = text.split(' ').next().and_then(|seat| seat.parse::<usize>().ok());
            let Some((seat, done)) = seat.and_then(|seat| Some((self.seats.get(seat)?, done.get_mut(seat)?)))
            else {
                continue;
            };
            if let Origin::Thought(iterations) = seat.decisions.origin(*done) {
                replay.iterations.insert(step, iterations);
            }
            *done += 1;
        }
        replay
    }

    /// The events that a seat may see and has not received yet. The seat's cursor moves behind them.
    pub fn news(&mut self, seat: Seat) -> Vec<EventRecord> {
        self.episode.view().news(Viewer::Seat(seat), &mut self.seats[seat.index()].cursor)
    }

    /// Number of events delivered to a seat that are still valid. After a take-back, hosts make the seat's
    /// client discard all later ones.
    pub fn told(&self, seat: Seat) -> usize {
        self.seats[seat.index()].cursor.seen()
    }

    /// Appends the events of [`news`](Self::news) to `out`, as the text of a JSON list.
    pub fn write_news(&mut self, seat: Seat, out: &mut Vec<u8>) {
        self.episode.view().write_news(Viewer::Seat(seat), &mut self.seats[seat.index()].cursor, out);
    }

    fn expect_open(&self, seat: Seat, number: u64) -> Result<(), Refusal> {
        let open = self.seats.get(seat.index()).and_then(|state| state.open);
        if open == Some(number) { Ok(()) } else { Err(Refusal::Stale { seat, number, open }) }
    }

    fn stand_in(&mut self, seat: Seat) {
        self.episode.decide(seat, Answer::Fallback).expect("the fallback action is legal: a law checks it");
        self.close(seat, Origin::Fallback);
    }

    fn close(&mut self, seat: Seat, origin: Origin) {
        let state = &mut self.seats[seat.index()];
        state.open = None;
        state.decisions.push(origin);
    }
}
