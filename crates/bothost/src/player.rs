//! What a competitor outside our process is, to the host of an episode.

use std::time::{Duration, Instant};

use meeple_core::{Consequence, Seat};
use nix::poll::PollFd;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fault::{Fault, FaultCode};
use crate::limits::Clock;
use crate::usage::Usage;

/// One competitor that plays seats from outside.
///
/// It plays episodes one after another: [`start`](Self::start), then any number of [`ask`](Self::ask) and
/// [`poll_answer`](Self::poll_answer) pairs, then [`end`](Self::end). Between `ask` and the answer nothing else is
/// asked. Every call returns in bounded time. What it remembers of an episode it may remember in the next, unless
/// it is [renewed](Self::renew).
///
/// After a fault whose [`alive`](Fault::alive) is false the player is gone until the next `start`, which may
/// bring it back (a process is launched again, as often as its limits allow). Calls in between return the
/// same fault.
pub trait Player: Send {
    /// An episode begins. Returns what getting ready took once the player is ready, within the clock's `start_ms`, and
    /// the launch of a process for it, which has a limit of its own. If the last process went away by itself, nobody
    /// had to wait for that: it counts as time on the wall that no work explains.
    ///
    /// # Errors
    /// The fault if it is not ready in time, or gone.
    fn start(&mut self, start: &Start<'_>) -> Result<Usage, Fault>;

    /// Whether it wants [`Start::observation`]. What it makes of it then is no part of a decision.
    fn wants_setup(&self) -> bool {
        false
    }

    /// Whether it reads [`Turn::events`]; if not, they are left empty. They can be longer than all the rest.
    fn reads_news(&self) -> bool {
        true
    }

    /// Makes it forget: the next `start` finds it as it was before its first episode. A process ends with
    /// everything that it has started and everything that it has written where it may, and a new one takes its
    /// place; that is no fault, and does not count as one that had to be launched again. Called between episodes.
    fn renew(&mut self);

    /// Sends a question, without waiting for the answer: so several seats think at the same time.
    ///
    /// # Errors
    /// The fault if it cannot be sent.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), Fault>;

    /// Takes in what has come, without judging it; `now` is the time at which all of it is known to have come. The
    /// clock of a question stops here, so that nobody pays for the work that the answers of others make. Never waits, and
    /// takes a bounded time. [`poll_answer`](Self::poll_answer) does the same for players that were not told to.
    fn receive(&mut self, _now: Instant) {}

    /// The answer to the last question, if it has come. Never waits. The clock is checked, so that a player
    /// out of time is told from one that still thinks.
    ///
    /// # Errors
    /// The fault, if there will be no answer.
    fn poll_answer(&mut self) -> Result<Option<Answer>, Fault>;

    /// What to wait for until [`poll_answer`](Self::poll_answer) is worth calling again. `None` for players
    /// that always have their answer at once.
    fn waiting(&self) -> Option<Waiting<'_>> {
        None
    }

    /// Tells it that its answer was refused, and what happens instead. Told, not guessed.
    fn refuse(&mut self, bad: &Bad<'_>);

    /// The episode is over.
    fn end(&mut self, end: &End<'_>);

    /// A fault that the host found (an illegal move), with what the player knows of its circumstances: the
    /// line it sent, the tail of its stderr.
    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        Fault::new(code, detail)
    }

    /// CPU and wall time since the last `start`, the start-up not counted.
    fn used(&self) -> Usage {
        Usage::default()
    }

    /// Bytes of its log that were dropped since the last `start`, because there were more than it may write.
    fn dropped_bytes(&self) -> u64 {
        0
    }
}

/// What to wait for.
pub struct Waiting<'a> {
    /// What happens when something may have come, or may be sent.
    pub polled: Vec<PollFd<'a>>,
    /// Look again after this time even if nothing has come.
    pub at_most: Duration,
}

/// An episode begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Version of its rules.
    pub rules_version: u32,
    /// Every variant parameter, as an object.
    pub variant: &'a Value,
    /// The player's seat.
    pub seat: Seat,
    /// Number of seats.
    pub seats: usize,
    /// Who sits where, if the players may know.
    pub names: Option<&'a [String]>,
    /// For the player's own random numbers. It tells nothing about the deal.
    pub seed: u64,
    /// Its thinking time.
    pub clock: &'a Clock,
    /// What the seat may know before anybody has decided anything: JSON text of one line, for players that
    /// [want it](Player::wants_setup).
    pub observation: Option<&'a str>,
}

/// A question: the seat owes a decision.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Number of the question in the episode and seat, from 0.
    pub number: u64,
    /// Whether other seats decide at the same time.
    pub simultaneous: bool,
    /// What the seat may know: JSON text of one line.
    pub observation: &'a str,
    /// The events since the last question that the seat may know: JSON text of a list, on one line. Empty for players
    /// that [read none](Player::reads_news).
    pub events: &'a str,
    /// What it may do.
    pub legal: Legal<'a>,
}

/// What a seat may do.
#[derive(Clone, Copy, Debug)]
pub enum Legal<'a> {
    /// One of these; the answer is an index.
    List(&'a [String]),
    /// Too many to list: JSON text of `{"spec": NAME, "schema": JSON Schema of the answer}`, on one line.
    Spec(&'a str),
}

/// An answer, not yet checked against the rules.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was answered.
    pub reply: Reply,
    /// What it took.
    pub used: Usage,
}

/// What was answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// An index into the list of legal actions; it may be out of range.
    Index(u64),
    /// A structured action as JSON.
    Move(Box<RawValue>),
    /// An action in its text form, listed or structured: from players that know it from a record.
    Text(String),
    /// The player says that it has no move, and why: its code failed.
    Failed(String),
}

/// An answer was refused.
#[derive(Clone, Copy, Debug)]
pub struct Bad<'a> {
    /// Why.
    pub code: FaultCode,
    /// In words.
    pub message: &'a str,
    /// What happens instead.
    pub then: Then,
}

/// What happens after a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The game's fallback action is taken; the next question comes as usual.
    Fallback,
    /// The fallback plays the seat for the rest of the episode.
    Out,
}

impl From<Consequence> for Then {
    fn from(consequence: Consequence) -> Self {
        match consequence {
            Consequence::Fallback => Self::Fallback,
            Consequence::Out => Self::Out,
        }
    }
}

/// The episode is over.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// Place by seat, from 1.
    pub places: &'a [u32],
    /// Score by seat.
    pub scores: &'a [i64],
    /// The game's word for why it ended.
    pub reason: &'a str,
}
