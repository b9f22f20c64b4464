//! The interface between the host of an episode and a competitor outside its process.

use std::time::{Duration, Instant};

use meeple_core::{Consequence, Seat};
use nix::poll::PollFd;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fault::{Fault, FaultCode};
use crate::limits::Clock;
use crate::usage::Usage;

/// A competitor that plays seats from outside the process.
///
/// It plays episodes one after another: [`start`](Self::start), then any number of [`ask`](Self::ask) and
/// [`poll_answer`](Self::poll_answer) pairs, then [`end`](Self::end). At most one question is open at a time.
/// Every call returns in bounded time. State may persist from one episode to the next, unless the player is
/// [renewed](Self::renew).
///
/// After a fault whose [`alive`](Fault::alive) is false the player is gone until the next `start`. That may
/// bring the player back: a process is relaunched, as often as its limits allow. Calls in between return the
/// same fault.
pub trait Player: Send {
    /// Starts an episode. Returns the start-up time once the player is ready, within the clock's `start_ms`.
    /// The time includes the launch of a process, which has a limit of its own. If the process ended by
    /// itself between episodes, its relaunch counts as wall time without CPU time.
    ///
    /// # Errors
    /// The fault if the player is not ready in time, or gone.
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault>;

    /// Returns true if the player wants [`EpisodeStart::observation`]. Time spent on it belongs to no
    /// decision.
    fn wants_setup(&self) -> bool {
        false
    }

    /// Returns true if the player reads [`BotTurn::events`]; otherwise they are left empty. Events can be
    /// longer than the rest of the question.
    fn reads_news(&self) -> bool {
        true
    }

    /// Resets the player: the next `start` finds it in its initial state. A process ends with all its
    /// descendants and all files it may have written, and a new one replaces it. This is no fault and does
    /// not count as a restart. Called between episodes.
    fn renew(&mut self);

    /// Sends a question without waiting for the answer, so several seats think at the same time.
    ///
    /// # Errors
    /// The fault if the question cannot be sent.
    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault>;

    /// Receives pending input without judging it; `now` is the time by which all of it has arrived. The clock
    /// of the open question stops here, so no player pays for work on the answers of others. Never waits, and
    /// takes bounded time. Without this call [`poll_answer`](Self::poll_answer) receives itself.
    fn receive(&mut self, _now: Instant) {}

    /// Returns the answer to the last question if it has arrived. Never waits. The clock is checked, so a
    /// player out of time is distinguished from one that still thinks.
    ///
    /// # Errors
    /// The fault, if there will be no answer.
    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault>;

    /// The events to wait for before calling [`poll_answer`](Self::poll_answer) again. `None` for players
    /// whose answer is always available at once.
    fn waiting(&self) -> Option<Waiting<'_>> {
        None
    }

    /// Notifies the player that its answer was refused, and of the action taken instead.
    fn refuse(&mut self, bad: &Bad<'_>);

    /// Notifies the player that the episode is over.
    fn end(&mut self, end: &End<'_>);

    /// Builds the fault for an error found by the host (an illegal move). It includes the player's context:
    /// the line it sent, the tail of its stderr.
    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        Fault::new(code, detail)
    }

    /// CPU and wall time since the last `start`, start-up excluded.
    fn used(&self) -> Usage {
        Usage::default()
    }

    /// Bytes of the player's stderr output beyond the limit, dropped since the last `start`.
    fn dropped_bytes(&self) -> u64 {
        0
    }
}

/// The events to wait for.
pub struct Waiting<'a> {
    /// Descriptors that signal possible input, or room for output.
    pub polled: Vec<PollFd<'a>>,
    /// The longest wait: poll again after this time even without an event.
    pub at_most: Duration,
}

/// The start of an episode.
#[derive(Clone, Copy, Debug)]
pub struct EpisodeStart<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// Every variant parameter, as an object.
    pub variant: &'a Value,
    /// The player's seat.
    pub seat: Seat,
    /// Number of seats.
    pub seats: usize,
    /// Player names by seat, if the players may know them.
    pub names: Option<&'a [String]>,
    /// Seed for the player's own random numbers; independent of the deal.
    pub seed: u64,
    /// The player's thinking time.
    pub clock: &'a Clock,
    /// The seat's observation before the first decision: JSON text of one line, for players that [want
    /// it](Player::wants_setup).
    pub observation: Option<&'a str>,
}

/// A question: the seat owes a decision.
#[derive(Clone, Copy, Debug)]
pub struct BotTurn<'a> {
    /// Number of the question in the episode and seat, from 0.
    pub number: u64,
    /// True if other seats decide at the same time.
    pub simultaneous: bool,
    /// The seat's observation: JSON text of one line.
    pub observation: &'a str,
    /// The events visible to the seat since the last question: JSON text of a list, on one line. Empty for
    /// players that [read none](Player::reads_news).
    pub events: &'a str,
    /// The legal actions.
    pub legal: Legal<'a>,
}

/// The legal actions of a seat.
#[derive(Clone, Copy, Debug)]
pub enum Legal<'a> {
    /// All legal actions; the answer is an index into this list.
    List(&'a [String]),
    /// Too many to list: JSON text of `{"spec": NAME, "schema": JSON Schema of the answer}`, on one line.
    Spec(&'a str),
}

/// An answer, before the rules check it.
#[derive(Clone, Debug)]
pub struct BotAnswer {
    /// The content of the answer.
    pub reply: BotReply,
    /// The time used.
    pub used: Usage,
}

/// The content of an answer.
#[derive(Clone, Debug)]
pub enum BotReply {
    /// An index into the list of legal actions; it may be out of range.
    Index(u64),
    /// A structured action as JSON.
    Move(Box<RawValue>),
    /// An action in its text form, listed or structured: from players that replay a record.
    Text(String),
    /// The player reports that it has no move because its code failed, with the reason.
    Failed(String),
}

/// A refused answer.
#[derive(Clone, Copy, Debug)]
pub struct Bad<'a> {
    /// The kind of fault.
    pub code: FaultCode,
    /// The reason, for people.
    pub message: &'a str,
    /// The consequence for the seat.
    pub then: Then,
}

/// The consequence of a fault.
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

/// The end of an episode.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// Place by seat, from 1.
    pub places: &'a [u32],
    /// Score by seat.
    pub scores: &'a [i64],
    /// The game's word for the reason of the end.
    pub reason: &'a str,
}
