//! The one loop of an episode that is played by whoever it may be: people, bots, agents, now or later.
//!
//! [`Driver`] has no input or output and no clock. Its host asks what is [`due`](Driver::due), brings answers, faults
//! and expired clocks as data when they come, and passes on what everybody may know. Terminal, bot host, server and
//! bindings are such hosts; [`Playouts`](crate::Playouts) are the fast path for agents alone, and a law checks that
//! both give the same episodes.

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

/// What an episode waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// A draw: [`Driver::draw_chance`].
    Chance,
    /// Answers to these questions, in any order: [`Driver::answer`] or [`Driver::ask_agent`].
    Decide(Vec<Question>),
    /// Nothing: it has ended.
    Over,
}

/// A decision that a seat owes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Whose decision it is.
    pub seat: Seat,
    /// Which question of this seat it is, from 0. A question has one number as long as it is open, and a question that
    /// is asked again after a decision was taken back has a new one, so that late answers are never mistaken.
    pub number: u64,
}

/// Why an answer was not taken. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The question is not open.
    #[error(
        "question {number} of seat {seat} is not open; {}",
        .open.map_or("the seat owes no decision".to_owned(), |open| format!("expected an answer to {open}"))
    )]
    Stale {
        /// Whose answer it was.
        seat: Seat,
        /// The number it came with.
        number: u64,
        /// The question that is open.
        open: Option<u64>,
    },
    /// The rules do not allow it, or it is no action at all.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// No agent was seated there.
    #[error("no agent sits at seat {0}")]
    NoAgent(Seat),
}

/// Whether who plays a seat can go on after a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// It can.
    Passing,
    /// It is gone.
    Fatal,
}

/// What faults of a player lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultRule {
    /// Whether the first fault ends the play of its seat.
    pub forfeit: bool,
    /// At this many faults in an episode the play of the seat ends; `None` for never.
    pub strikes: Option<u32>,
}

impl FaultRule {
    /// What a fault leads to at a seat that has so many now, this one included.
    pub fn consequence(self, faults: u32, severity: Severity) -> Consequence {
        let struck_out = self.strikes.is_some_and(|strikes| faults >= strikes);
        if self.forfeit || struck_out || severity == Severity::Fatal {
            Consequence::Out
        } else {
            Consequence::Fallback
        }
    }
}

/// Something that the player of a seat did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerFault<'a> {
    /// Its kind, as in [`ReplayFault`].
    pub kind: &'a str,
    /// Whether the player can go on.
    pub severity: Severity,
    /// Of a question that ran out of time: what it took, in microseconds.
    pub took_us: Option<u64>,
}

/// What has happened at a seat so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatTally {
    /// Questions that were asked of who plays it.
    pub asked: u64,
    /// Decisions, fallbacks included.
    pub decisions: u64,
    /// Decisions in which the fallback action stood in.
    pub fallbacks: u64,
    /// Faults.
    pub faults: u32,
}

/// An episode that is being played.
///
/// Answers and agents' turns come from outside, for whatever seat: what does not fit is refused. All other methods are
/// for the host itself, and a seat that is not at the table is its mistake: they panic.
pub struct Driver {
    episode: Box<dyn AnyEpisode>,
    seats: Vec<SeatState>,
    /// In the order in which they happened.
    faults: Vec<ReplayFault>,
    /// Who alone may ask for news, as long as somebody does; `None` if anybody may.
    listeners: Option<Vec<Seat>>,
}

#[derive(Clone, Debug, Default)]
struct SeatState {
    /// Questions that were asked.
    asked: u64,
    faults: u32,
    /// How its decisions came about, those apart that were taken back.
    decisions: Decisions,
    /// The number of the question that is open.
    open: Option<u64>,
    /// Whether the fallback action answers for it.
    out: bool,
    /// Of which events it has been told.
    told: EventCursor,
}

/// Where a decision came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Player,
    /// An agent that its host gave so many iterations, or the time for them.
    Thought(u64),
    Fallback,
}

/// The decisions of a seat. Nearly all are its player's: only the others are kept one by one.
#[derive(Clone, Debug, Default)]
struct Decisions {
    count: u64,
    /// By their numbers from 0, in order.
    others: Vec<(u64, Origin)>,
}

impl Decisions {
    fn push(&mut self, origin: Origin) {
        if origin != Origin::Player {
            self.others.push((self.count, origin));
        }
        self.count += 1;
    }

    /// Forgets the last one.
    fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.others.truncate(self.others.partition_point(|(number, _)| *number < self.count));
    }

    /// Where the decision with this number came from.
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
    /// A driver of an episode. Nobody sits at it yet: every decision is asked for.
    pub fn new(episode: Box<dyn AnyEpisode>) -> Self {
        let seats = vec![SeatState::default(); episode.seats()];
        Self { episode, seats, faults: Vec::new(), listeners: None }
    }

    /// The episode to be read.
    pub fn view(&self) -> &dyn EpisodeView {
        self.episode.view()
    }

    /// A copy of the episode without its agents, to try things out in.
    pub fn fork(&self) -> Box<dyn AnyEpisode> {
        self.episode.fork()
    }

    /// The episode as it is, with all its numbers given up.
    pub fn into_episode(self) -> Box<dyn AnyEpisode> {
        self.episode
    }

    /// Seats an agent, for [`ask_agent`](Self::ask_agent).
    ///
    /// # Errors
    /// If it does not exist or cannot play.
    pub fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError> {
        self.episode.seat_agent(seat, spec)
    }

    /// Seats a person, who can [`take back`](Self::take_back) decisions.
    pub fn seat_person(&mut self, seat: Seat) {
        self.episode.keep_moments(seat);
    }

    /// Nobody but these seats will ask for [`news`](Self::news), and only before a decision. As soon as none of them can have
    /// another, no events are made any more, which some games save much time by.
    pub fn keep_events_for(&mut self, seats: Vec<Seat>) {
        self.listeners = Some(seats);
        self.forget_listeners();
    }

    /// Forgets who cannot decide any more, up to one who can.
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

    /// Ends the play of a seat: the fallback action answers for it from now on, an open question too.
    pub fn put_out(&mut self, seat: Seat) {
        self.seats[seat.index()].out = true;
        if self.seats[seat.index()].open.is_some() {
            self.stand_in(seat);
        }
    }

    /// What the episode waits for. Seats that are out are answered for on the way.
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
            // The last of them ends the moment: who was held then owes nothing any more.
            for seat in out {
                self.stand_in(seat);
            }
        }
    }

    /// Goes on as long as nobody outside is needed: chance draws, and wherever one seat alone owes a decision, its agent
    /// takes it as by [`ask_agent`](Self::ask_agent), or the fallback action if the seat is out. What comes then is
    /// [`due`](Self::due). Each decision is one call, without a list of questions: most seats of a large table are
    /// agents' between two questions to somebody else.
    ///
    /// # Errors
    /// If the action of an agent is illegal; it has not been taken.
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

    /// Lets chance draw once. Does nothing if it is not chance's turn.
    pub fn draw_chance(&mut self) {
        self.episode.step_chance();
    }

    /// Takes the answer to a question.
    ///
    /// # Errors
    /// If the question is not open, or the answer no legal action; nothing has changed then.
    pub fn answer(&mut self, seat: Seat, number: u64, answer: Answer<'_>) -> Result<(), Refusal> {
        self.expect_open(seat, number)?;
        self.episode.decide(seat, answer)?;
        self.close(seat, if answer == Answer::Fallback { Origin::Fallback } else { Origin::Player });
        Ok(())
    }

    /// Lets the agent that was seated there answer a question, as long as its own parameters say.
    ///
    /// # Errors
    /// If the question is not open, no agent sits there, or its action is illegal. The agent is not asked in the
    /// first two cases.
    pub fn ask_agent(&mut self, question: Question) -> Result<(), Refusal> {
        self.let_agent_decide(question, None).map(drop)
    }

    /// As [`ask_agent`](Self::ask_agent), with a budget. Returns what the agent thought, with the iterations by which it
    /// decides the same again.
    ///
    /// # Errors
    /// As there.
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

    /// Notes a fault of the player of a seat, for the [`replay`](Self::replay) too, and does at once what it leads to. `number` is the question at which it
    /// happened, by an answer that was refused or a clock that expired; `None` for a fault at no question, which
    /// answers none unless the seat is out by it.
    ///
    /// # Errors
    /// If the question is not open: the fault came too late, and nothing has changed.
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

    /// Goes back to before the last decision of a person; see [`AnyEpisode::take_back`]. Returns the decision. The seat
    /// is asked again under a new number; questions to others stay open if nothing had come of the decision yet. Of what
    /// they have been told, their first [`told`](Self::told) events still hold.
    ///
    /// # Errors
    /// Why it stands; nothing has changed then.
    pub fn take_back(&mut self, seat: Seat) -> Result<String, Final> {
        let SeatState { out, decisions, .. } = &self.seats[seat.index()];
        if *out || decisions.is_last_a_fallback() {
            return Err(Final::StoodIn);
        }
        let before = self.episode.steps();
        let decision = self.episode.take_back(seat)?;
        let was_withdrawn = self.episode.steps() == before;
        for (other, state) in Seat::all(self.seats.len()).zip(&mut self.seats) {
            state.told = state.told.min(self.episode.end_of_events(Viewer::Seat(other)));
            if other == seat || !was_withdrawn {
                state.open = None;
            }
        }
        self.seats[seat.index()].decisions.pop();
        // What happened after the step that is gone stays known, and stands at the end of what is left.
        let steps = self.episode.steps();
        self.faults.iter_mut().for_each(|fault| fault.step = fault.step.min(steps));
        Ok(decision)
    }

    /// What has happened at a seat.
    pub fn tally(&self, seat: Seat) -> SeatTally {
        let SeatState { asked, faults, decisions, .. } = &self.seats[seat.index()];
        SeatTally {
            asked: *asked,
            decisions: decisions.count,
            fallbacks: decisions.fallbacks() as u64,
            faults: *faults,
        }
    }

    /// The replay so far, with all faults, and with the iterations of agents that were given a budget: who is asked again
    /// with them decides the same.
    pub fn replay(&self, players: &[PlayerLabel], seed: Option<EpisodeSeed>) -> Replay {
        let mut replay = self.episode.view().replay(players, seed);
        replay.faults.clone_from(&self.faults);
        let mut done = vec![0; self.seats.len()];
        for (step, text) in replay.steps.iter().enumerate() {
            // The decisions of a seat come in the order of its steps.
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

    /// The events that a seat may see and has not been told; they count as told then.
    pub fn news(&mut self, seat: Seat) -> Vec<EventRecord> {
        self.episode.view().news(Viewer::Seat(seat), &mut self.seats[seat.index()].told)
    }

    /// How many events a seat has been told that hold. Fewer than before after a decision was taken back: a host lets who
    /// sits there forget the others.
    pub fn told(&self, seat: Seat) -> usize {
        self.seats[seat.index()].told.seen()
    }

    /// As [`news`](Self::news), as the text of a JSON list, appended to `out`.
    pub fn write_news(&mut self, seat: Seat, out: &mut Vec<u8>) {
        self.episode.view().write_news(Viewer::Seat(seat), &mut self.seats[seat.index()].told, out);
    }

    /// Whether this is the question that is open.
    fn expect_open(&self, seat: Seat, number: u64) -> Result<(), Refusal> {
        let open = self.seats.get(seat.index()).and_then(|state| state.open);
        if open == Some(number) { Ok(()) } else { Err(Refusal::Stale { seat, number, open }) }
    }

    /// The fallback action, for a seat that owes a decision.
    fn stand_in(&mut self, seat: Seat) {
        self.episode.decide(seat, Answer::Fallback).expect("the fallback action is legal: a law checks it");
        self.close(seat, Origin::Fallback);
    }

    /// A seat has decided: its question is open no more.
    fn close(&mut self, seat: Seat, origin: Origin) {
        let state = &mut self.seats[seat.index()];
        state.open = None;
        state.decisions.push(origin);
    }
}
