//! Live tables: players, accepted events, versions and frames.

mod drafts;

use std::collections::BTreeMap;

use meeple_core::{
    AgentError, AgentSpec, Answer, AnyEpisode, AnyGame, Composition, Consequence, Driver, Due, EpisodeSeed,
    EpisodeView, Phase, Question, Refusal, Replay, ReplayFault, Seat, Viewer,
};
use thiserror::Error;

use crate::draft::Draft;
use crate::entry::{Entry, Holder, TableFault};
use crate::frame::{Frame, FrameContext};
use crate::order::Reply;
use crate::thought::Thought;

/// The result of an accepted answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// The answer was applied.
    Taken,
    /// A repetition of the last message. Nothing has changed.
    Repeated,
    /// The draft of the seat has changed; the game has not.
    Drafted,
    /// The first steps of a draft were applied. Their real result differed from the draft, and the remaining
    /// steps were dropped.
    Stopped {
        /// Number of applied steps.
        taken: usize,
    },
}

/// The reason why a request was refused. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refused {
    /// The seat does not exist.
    #[error("expected a seat from 0 to {last}, found {found}")]
    NoSeat {
        /// The last seat.
        last: usize,
        /// The seat as given.
        found: usize,
    },
    /// The question is not open.
    #[error("{0}\nhint: the page shows what is asked now")]
    Stale(Refusal),
    /// The rules do not allow the action, or the text is no action.
    #[error("{0}")]
    Illegal(String),
    /// The seat is not open.
    #[error("seat {0} is taken\nhint: an open seat can be joined, a taken one watched")]
    Taken(usize),
    /// No person sits there.
    #[error("nobody sits at seat {0}")]
    Empty(usize),
    /// The agent does not exist or cannot play.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The draft has changed since the request was made.
    #[error(
        "expected a draft of {expected} steps, found one of {found}\nhint: the page shows it as it is now"
    )]
    Moved {
        /// The number of steps as given.
        expected: usize,
        /// The current number of steps.
        found: usize,
    },
    /// The result of the last step is hidden, so no step can follow.
    #[error("the next step is known after the draft is confirmed\nhint: confirm it, or undo a step")]
    Unconfirmed,
    /// The draft is too long.
    #[error("expected at most {most} steps in a draft\nhint: confirm them, and go on")]
    LongDraft {
        /// The upper bound on steps.
        most: usize,
    },
    /// There is nothing to confirm.
    #[error("there is no draft to confirm\nhint: choose a step first")]
    NoDraft,
}

/// The reason why a table cannot be opened.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OpenError {
    /// An agent does not exist or cannot play.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// One of the table's first steps is illegal.
    #[error("step {step} ('{text}'): {reason}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// The text of the step.
        text: String,
        /// Reason why the step is illegal.
        reason: String,
    },
}

/// Error of a record that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("entry {index} of the record does not fit: {reason}")]
pub struct BrokenRecord {
    /// Index of the failing entry, from 0.
    pub index: usize,
    /// The mismatch, in words.
    pub reason: String,
}

/// A live game with its players.
pub struct Table {
    driver: Driver,
    seed: EpisodeSeed,
    /// True if all chance outcomes follow from the seed.
    follows_seed: bool,
    holders: Vec<Holder>,
    record: Vec<Entry>,
    open: Vec<Question>,
    /// By seat: the id of the last accepted message.
    last_ids: Vec<Option<String>>,
    drafts: BTreeMap<usize, Draft>,
    draft_changes: u64,
    /// By seat: the id of the last message that changed the draft.
    last_draft_ids: Vec<Option<String>>,
    /// Number of changes of players.
    seatings: u64,
    /// The moments of every seat with a person, and of the public under `None`.
    moments: BTreeMap<Option<Seat>, Moment>,
    /// Faults of players, in order of occurrence.
    faults: Vec<FaultLine>,
}

/// A fault, and its position in the log of every viewer.
struct FaultLine {
    fault: ReplayFault,
    /// Number of event lines before the fault: by seat, then for the public, then for [`Viewer::Everything`].
    lines_before: Vec<usize>,
}

/// A viewer's version, with a summary of the viewer's knowledge.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Moment {
    version: u64,
    known: Known,
}

/// Summary of the knowledge that a viewer's frame shows. If the summary changes, the version grows.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    key: u128,
    events: usize,
    asked: Option<u64>,
    /// Seats that owe a decision, if that is public.
    owing: Vec<Seat>,
    seatings: u64,
    faults: usize,
    over: bool,
}

fn check_holders(game: &dyn AnyGame, holders: &[Holder]) -> Result<(), AgentError> {
    assert_eq!(holders.len(), game.seats(), "every seat has a holder");
    game.check_line_up(&holders.iter().filter_map(Holder::agent).collect::<Vec<_>>())
}

impl Table {
    /// Opens a table, and draws chance outcomes up to the first decision.
    ///
    /// # Errors
    /// If an agent does not exist or cannot play.
    ///
    /// # Panics
    /// If the number of holders differs from the number of seats.
    pub fn open(game: &dyn AnyGame, seed: EpisodeSeed, holders: Vec<Holder>) -> Result<Self, AgentError> {
        check_holders(game, &holders)?;
        Ok(Self::begin(game.episode(seed), seed, holders))
    }

    /// As [`open`](Self::open), but continues after these first steps of a [`Replay`], which include chance
    /// outcomes. Later outcomes follow from the seed.
    ///
    /// # Errors
    /// If an agent does not exist or cannot play, or a step is impossible.
    ///
    /// # Panics
    /// If the number of holders differs from the number of seats.
    pub fn open_after(
        game: &dyn AnyGame,
        seed: EpisodeSeed,
        holders: Vec<Holder>,
        steps: &[String],
    ) -> Result<Self, OpenError> {
        check_holders(game, &holders)?;
        let mut episode = game.episode(seed);
        for (index, text) in steps.iter().enumerate() {
            let wrong = |reason: String| OpenError::Step { step: index + 1, text: text.clone(), reason };
            let (who, what) = text.split_once(' ').unwrap_or((text, ""));
            let made = match who.parse::<usize>() {
                _ if who == "c" => episode.force_chance(what),
                Ok(seat) if seat < holders.len() => episode.act(Seat::new(seat), what),
                _ => return Err(wrong("expected chance or a seat".to_owned())),
            };
            made.map_err(|illegal| wrong(illegal.reason))?;
        }
        Ok(Self::begin(episode, seed, holders))
    }

    /// A table that owns a given episode and continues it. Its replay contains no seed.
    ///
    /// # Panics
    /// If the number of holders differs from the number of seats.
    pub fn of(episode: Box<dyn AnyEpisode>, seed: EpisodeSeed, holders: Vec<Holder>) -> Self {
        assert_eq!(holders.len(), episode.seats(), "every seat has a holder");
        Self { follows_seed: false, ..Self::begin(episode, seed, holders) }
    }

    fn begin(episode: Box<dyn AnyEpisode>, seed: EpisodeSeed, holders: Vec<Holder>) -> Self {
        let mut table = Self {
            follows_seed: episode.steps() == 0,
            driver: Driver::new(episode),
            seed,
            last_ids: vec![None; holders.len()],
            last_draft_ids: vec![None; holders.len()],
            drafts: BTreeMap::new(),
            draft_changes: 0,
            holders,
            record: Vec::new(),
            open: Vec::new(),
            seatings: 0,
            moments: BTreeMap::new(),
            faults: Vec::new(),
        };
        table.go_on();
        table
    }

    /// Rebuilds a table from its first steps and its record.
    ///
    /// # Errors
    /// The first entry that does not fit, because rules, record or seed differ from the original ones.
    pub fn rebuild(
        game: &dyn AnyGame,
        seed: EpisodeSeed,
        holders: Vec<Holder>,
        steps: &[String],
        record: &[Entry],
    ) -> Result<Self, BrokenRecord> {
        let mut table = Self::open_after(game, seed, holders, steps)
            .map_err(|error| BrokenRecord { index: 0, reason: error.to_string() })?;
        for (index, entry) in record.iter().enumerate() {
            let taken =
                match entry {
                    Entry::Decision { seat, action, id } => table.take(*seat, action, id.as_deref()),
                    Entry::Seated { seat, holder } => table.seat(*seat, holder.clone()),
                    Entry::Fault { fault } => table.holder(fault.seat.index()).map(drop).and_then(|()| {
                        match fault.step == table.driver.view().steps() {
                            true => {
                                table.push_fault(fault.clone());
                                Ok(())
                            }
                            false => Err(Refused::Illegal(format!("a fault after {} steps", fault.step))),
                        }
                    }),
                };
            taken.map_err(|reason| BrokenRecord { index, reason: reason.to_string() })?;
        }
        Ok(table)
    }

    /// The accepted entries, oldest first.
    pub fn record(&self) -> &[Entry] {
        &self.record
    }

    /// The players, by seat.
    pub fn holders(&self) -> &[Holder] {
        &self.holders
    }

    /// Returns true if the game is over.
    pub fn is_over(&self) -> bool {
        self.driver.view().phase() == Phase::Over
    }

    /// Read access to the episode, for the host alone: nothing is hidden.
    pub fn view(&self) -> &dyn EpisodeView {
        self.driver.view()
    }

    /// The replay so far. It contains the seed once the game is over, if all chance outcomes follow from the
    /// seed.
    pub fn replay(&self) -> Replay {
        let labels: Vec<_> = self.holders.iter().map(Holder::label).collect();
        let tells_seed = self.follows_seed && self.is_over();
        let faults = self.faults.iter().map(|noted| noted.fault.clone()).collect();
        Replay { faults, ..self.driver.view().replay(&labels, tells_seed.then_some(self.seed)) }
    }

    /// The open question to a seat; `None` if there is none.
    pub fn question(&self, seat: usize) -> Option<Question> {
        self.open.iter().find(|question| question.seat.index() == seat).copied()
    }

    /// Applies a person's answer to question `number`. `id` is the client's id of the message. A message with
    /// the last accepted id of the seat is a repetition.
    ///
    /// # Errors
    /// If no person sits there, the question is not open, or the answer is no legal action.
    pub fn act(&mut self, seat: usize, number: u64, id: &str, reply: Reply<'_>) -> Result<Act, Refused> {
        self.expect_person(seat)?;
        if self.last_ids[seat].as_deref() == Some(id) {
            return Ok(Act::Repeated);
        }
        let open = self.question(seat).map(|question| question.number);
        if open != Some(number) {
            return Err(Refused::Stale(Refusal::Stale { seat: Seat::new(seat), number, open }));
        }
        let action = read(self.driver.view(), Seat::new(seat), reply)?;
        self.take(seat, &action, Some(id))?;
        Ok(Act::Taken)
    }

    /// A structured action in progress, for a person who owes a decision: the number of the question, and the
    /// action after the steps in `text`. `None` if the game does not compose actions. The call takes the
    /// seat's draft into account and changes nothing.
    ///
    /// # Errors
    /// If no person sits there, no question is open, or the text is wrong. A text may be wrong because the
    /// game has gone on.
    pub fn compose(&self, seat: usize, text: &str) -> Result<Option<(u64, Composition)>, Refused> {
        self.expect_person(seat)?;
        let Some(question) = self.question(seat) else {
            return Err(Refused::Stale(Refusal::Stale { seat: Seat::new(seat), number: 0, open: None }));
        };
        let labels: Vec<_> = self.holders.iter().map(Holder::label).collect();
        let episode = self.as_drafted(Some(seat)).unwrap_or(self.driver.view());
        let made = episode.compose(question.seat, &labels, text).map_err(Refused::Illegal)?;
        Ok(made.map(|composition| (question.number, composition)))
    }

    /// Gives an open seat to a person.
    ///
    /// # Errors
    /// If the seat does not exist, or is not open.
    pub fn join(&mut self, seat: usize, name: &str) -> Result<(), Refused> {
        match self.holder(seat)? {
            Holder::Open => self.seat(seat, Holder::Person { name: name.into() }),
            _ => Err(Refused::Taken(seat)),
        }
    }

    /// Gives an open seat to an agent.
    ///
    /// # Errors
    /// If the seat does not exist or is not open, or the agent does not exist or cannot play.
    pub fn fill(&mut self, seat: usize, agent: &AgentSpec) -> Result<(), Refused> {
        if *self.holder(seat)? != Holder::Open {
            return Err(Refused::Taken(seat));
        }
        self.driver.fork().seat_agent(Seat::new(seat), agent)?;
        self.seat(seat, Holder::Agent(agent.to_string()))
    }

    /// Replaces a leaving person by an agent.
    ///
    /// # Errors
    /// If no person sits there, the game is over, or the agent does not exist or cannot play.
    pub fn leave(&mut self, seat: usize, agent: &AgentSpec) -> Result<(), Refused> {
        self.expect_person(seat)?;
        if self.is_over() {
            return Err(Refused::Over);
        }
        self.driver.fork().seat_agent(Seat::new(seat), agent)?;
        self.seat(seat, Holder::Agent(agent.to_string()))
    }

    /// As [`leave`](Self::leave), for a person who has lost the seat by a fault.
    ///
    /// # Errors
    /// As [`leave`](Self::leave).
    pub fn lose_seat(&mut self, seat: usize, agent: &AgentSpec, fault: TableFault) -> Result<(), Refused> {
        self.expect_person(seat)?;
        if self.is_over() {
            return Err(Refused::Over);
        }
        self.driver.fork().seat_agent(Seat::new(seat), agent)?;
        self.note_fault(seat, agent, fault, Consequence::Out);
        self.seat(seat, Holder::Agent(agent.to_string()))
    }

    /// A pending decision of an agent; `None` if no agent owes one.
    pub fn thought(&self) -> Option<Thought> {
        self.open.iter().find_map(|question| {
            let spec = self.holders[question.seat.index()].agent()?;
            Some(Thought::new(*question, spec, self.seed, self.driver.fork()))
        })
    }

    /// An agent's advice for a seat that owes a decision, from the seat's own knowledge. The advice starts
    /// from the state after the seat's draft. `None` if that draft cannot be extended.
    pub fn advice(&self, seat: usize, agent: &AgentSpec) -> Option<Thought> {
        let question = self.question(seat).filter(|_| self.drafts.get(&seat).is_none_or(Draft::is_open))?;
        Some(Thought::new(question, agent.clone(), self.seed, self.fork_as_drafted(seat)))
    }

    /// An agent's decision as a substitute for a player who owes one; `None` if the seat owes none. It
    /// ignores the seat's draft.
    pub fn stand_in(&self, seat: usize, agent: &AgentSpec) -> Option<Thought> {
        Some(Thought::new(self.question(seat)?, agent.clone(), self.seed, self.driver.fork()))
    }

    /// Applies an agent's decision as a substitute for the player of a seat, and records the player's fault.
    ///
    /// # Errors
    /// If nobody sits there, the question is no longer open because the player has answered or left, or the
    /// action is illegal.
    pub fn take_stand_in(
        &mut self,
        question: Question,
        action: &str,
        agent: &AgentSpec,
        fault: TableFault,
    ) -> Result<(), Refused> {
        let seat = question.seat.index();
        if *self.holder(seat)? == Holder::Open {
            return Err(Refused::Empty(seat));
        }
        self.expect_open(question)?;
        // The fault stands before the decision, in the record and in logs.
        self.note_fault(seat, agent, fault, Consequence::Fallback);
        self.take(seat, action, None).inspect_err(|_| {
            self.record.pop();
            self.faults.pop();
        })
    }

    fn expect_open(&self, question: Question) -> Result<(), Refused> {
        let open = self.question(question.seat.index());
        if open == Some(question) {
            return Ok(());
        }
        let (seat, number) = (question.seat, question.number);
        Err(Refused::Stale(Refusal::Stale { seat, number, open: open.map(|open| open.number) }))
    }

    /// Records a fault of the current player of a seat.
    fn note_fault(&mut self, seat: usize, agent: &AgentSpec, fault: TableFault, then: Consequence) {
        let TableFault { kind, took_us, at } = fault;
        let fault = ReplayFault {
            took_us,
            by: Some(agent.to_string().into()),
            player: Some(self.holders[seat].label().name),
            at: Some(at),
            ..ReplayFault::new(Seat::new(seat), self.driver.view().steps(), kind, then)
        };
        self.push_fault(fault);
    }

    /// Records a fault. Every log shows it after the events so far.
    fn push_fault(&mut self, fault: ReplayFault) {
        self.record.push(Entry::Fault { fault: fault.clone() });
        let episode = self.driver.view();
        let viewers = Seat::all(self.holders.len()).map(Viewer::Seat);
        let viewers = viewers.chain([Viewer::Public, Viewer::Everything]);
        let lines_before = viewers.map(|viewer| episode.end_of_events(viewer).seen()).collect();
        self.faults.push(FaultLine { fault, lines_before });
    }

    /// Faults visible to a viewer, each with the number of event lines before it. If decisions are secret,
    /// faults of other seats become visible only when the game is over.
    fn visible_faults(&self, viewer: Viewer) -> Vec<(usize, String)> {
        let (over, openly) = (self.is_over(), self.driver.view().decides_openly());
        let place = match viewer {
            _ if over => self.holders.len() + 1,
            Viewer::Seat(seat) => seat.index(),
            _ => self.holders.len(),
        };
        let visible = self.faults.iter().filter(|noted| over || openly || viewer.sees(noted.fault.seat));
        let line = |noted: &FaultLine| (noted.lines_before[place], noted.fault.sentence(""));
        visible.map(line).collect()
    }

    /// By seat, the number of the question for which a person's time runs: `[seats]`. `None` for all seats as
    /// long as one is open, because the game has not begun for everybody.
    pub fn times(&self) -> Vec<Option<u64>> {
        let all_there = !self.holders.contains(&Holder::Open);
        let times = self.holders.iter().enumerate().map(|(seat, holder)| match holder {
            Holder::Person { .. } if all_there => self.question(seat).map(|question| question.number),
            _ => None,
        });
        times.collect()
    }

    /// Applies the decision of an agent.
    ///
    /// # Errors
    /// If the question is no longer open, or the seat's player is no longer an agent: the decision came too
    /// late. Also if the action is illegal.
    pub fn take_thought(&mut self, question: Question, action: &str) -> Result<(), Refused> {
        let seat = question.seat.index();
        if self.holder(seat)?.agent().is_none() {
            let (seat, number) = (question.seat, question.number);
            let open = self.question(seat.index()).map(|open| open.number);
            return Err(Refused::Stale(Refusal::Stale { seat, number, open }));
        }
        self.expect_open(question)?;
        self.take(seat, action, None)
    }

    /// The version of a viewer's frame, from 1. A seat without a person has the public's version.
    pub fn version(&self, seat: Option<usize>) -> u64 {
        self.moments.get(&seat.map(Seat::new)).or_else(|| self.moments.get(&None)).map_or(0, |m| m.version)
    }

    /// The frame of a seat, or of the public for `None`. A seat without a person gets the public frame. A
    /// player who has left therefore sees no new private information, even with a key to the seat.
    pub fn frame(&self, seat: Option<usize>) -> Frame {
        let seat = seat.filter(|seat| self.moments.contains_key(&Some(Seat::new(*seat))));
        let viewer = seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat::new(seat)));
        let draft = seat.and_then(|seat| self.drafts.get(&seat));
        let around = FrameContext {
            version: self.version(seat),
            viewer,
            question: seat.and_then(|seat| self.question(seat)).filter(|_| draft.is_none_or(Draft::is_open)),
            open: &self.open,
            holders: &self.holders,
            faults: &self.visible_faults(viewer),
            draft: self.as_drafted(seat).zip(draft.map(Draft::drafted)),
        };
        Frame::new(self.driver.view(), &around)
    }

    fn holder(&self, seat: usize) -> Result<&Holder, Refused> {
        self.holders.get(seat).ok_or(Refused::NoSeat { last: self.holders.len() - 1, found: seat })
    }

    fn expect_person(&self, seat: usize) -> Result<(), Refused> {
        match self.holder(seat)? {
            Holder::Person { .. } => Ok(()),
            _ => Err(Refused::Empty(seat)),
        }
    }

    fn take(&mut self, seat: usize, action: &str, id: Option<&str>) -> Result<(), Refused> {
        self.holder(seat)?;
        let Some(question) = self.question(seat) else {
            return Err(Refused::Stale(Refusal::Stale { seat: Seat::new(seat), number: 0, open: None }));
        };
        self.driver.answer(question.seat, question.number, Answer::Text(action)).map_err(|refusal| {
            match refusal {
                Refusal::Illegal(illegal) => Refused::Illegal(illegal.to_string()),
                stale => Refused::Stale(stale),
            }
        })?;
        if let Some(id) = id {
            self.last_ids[seat] = Some(id.to_owned());
        }
        let (action, id) = (action.to_owned(), id.map(str::to_owned));
        self.record.push(Entry::Decision { seat, action, id });
        self.go_on();
        Ok(())
    }

    fn seat(&mut self, seat: usize, holder: Holder) -> Result<(), Refused> {
        self.holder(seat)?;
        if !matches!(holder, Holder::Person { .. }) {
            self.moments.remove(&Some(Seat::new(seat)));
        }
        self.holders[seat] = holder.clone();
        self.last_ids[seat] = None;
        self.last_draft_ids[seat] = None;
        self.seatings += 1;
        self.record.push(Entry::Seated { seat, holder });
        self.go_on();
        Ok(())
    }

    /// Draws chance outcomes up to the next decision. Raises the versions of viewers with new knowledge, and
    /// drops their drafts.
    fn go_on(&mut self) {
        self.open = loop {
            match self.driver.due() {
                Due::Chance => self.driver.draw_chance(),
                Due::Decide(questions) => break questions,
                Due::Over => break Vec::new(),
            }
        };
        for (seat, holder) in Seat::all(self.holders.len()).zip(&self.holders) {
            if let Holder::Person { .. } = holder
                && !self.moments.contains_key(&Some(seat))
            {
                // A person who sits down may have watched before, so the seat's version must exceed the
                // public's.
                let version = self.version(None) + 1;
                self.moments.insert(Some(seat), Moment { version, known: self.known(Some(seat)) });
            }
        }
        let viewers: Vec<Option<Seat>> = self.moments.keys().copied().chain([None]).collect();
        for viewer in viewers {
            let known = self.known(viewer);
            let last = self.moments.get(&viewer);
            if last.is_none_or(|last| last.known != known) {
                let version = last.map_or(0, |last| last.version) + 1;
                self.moments.insert(viewer, Moment { version, known });
            }
        }
        self.drop_old_drafts();
    }

    fn known(&self, seat: Option<Seat>) -> Known {
        let episode = self.driver.view();
        let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
        let all_may_know = episode.decides_openly();
        Known {
            key: episode.information_key(viewer),
            events: episode.end_of_events(viewer).seen(),
            asked: seat.and_then(|seat| self.question(seat.index())).map(|question| question.number),
            owing: self.open.iter().filter(|_| all_may_know).map(|question| question.seat).collect(),
            seatings: self.seatings,
            faults: self.visible_faults(viewer).len(),
            over: episode.phase() == Phase::Over,
        }
    }
}

/// Converts a reply to the text of an action.
fn read(episode: &dyn EpisodeView, seat: Seat, reply: Reply<'_>) -> Result<String, Refused> {
    let legal = episode.legal_actions(seat);
    match reply {
        Reply::Index(index) => legal.get(index).cloned().ok_or_else(|| {
            let count = legal.len();
            Refused::Illegal(format!("expected the number of one of {count} actions, from 0, found {index}"))
        }),
        Reply::Text(text) if legal.iter().any(|action| action == text) => Ok(text.to_owned()),
        Reply::Text(text) => episode.read_input(seat, text).map_err(Refused::Illegal),
    }
}
