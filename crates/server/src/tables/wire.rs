//! The messages of a page's socket.

use meeple_table::{Ask, Drafted, Ending, Frame, LogLine, Patch, SeatLine};
use serde::{Deserialize, Serialize};

use crate::tables::hosted::Hosted;

/// A message from the page to the server.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum FromPage {
    /// The first message: the state that the page already shows.
    Hello {
        /// Version of the frame that the page shows; 0 for none.
        since: u64,
        /// Revision of the draft that the page shows; 0 for none.
        #[serde(default)]
        revision: u64,
        /// Number of log lines that the page shows.
        #[serde(default)]
        log: usize,
        /// True if the page accepts long messages compressed: as binary messages of raw DEFLATE (RFC 1951).
        #[serde(default)]
        packed: bool,
        /// True if our own page accepts a question as changes of the last one (`ask_changes`). Pages of
        /// older releases do not.
        #[serde(default)]
        pieces: bool,
    },
    /// An answer. The page may repeat the message until it is acknowledged.
    Act {
        /// Number of the question.
        number: u64,
        /// Id of this message, chosen by the page.
        id: String,
        /// The action's text, or an input that the game accepts; alternative to `index`.
        #[serde(default)]
        action: Option<String>,
        /// Index into the listed actions, from 0; alternative to `action`.
        #[serde(default)]
        index: Option<usize>,
    },
    /// A change of the draft: steps that are tried out before anybody else sees them.
    Draft {
        /// Number of the question that the first step answers.
        number: u64,
        /// Number of steps in the draft, as known to the page.
        steps: usize,
        /// Id of this message, chosen by the page.
        id: String,
        /// The operation.
        r#do: Do,
        /// The step's action, as in `act`; alternative to `index`.
        #[serde(default)]
        action: Option<String>,
        /// Index of the step's action, as in `act`; alternative to `action`.
        #[serde(default)]
        index: Option<usize>,
    },
    /// A sign of life; the server answers with `pong`.
    Ping,
}

/// An operation on a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Do {
    /// Adds a step. A first step is played at once if no other can follow before its outcome is known.
    Step,
    /// Removes the last step.
    Undo,
    /// Removes all steps.
    Drop,
    /// Confirms the draft: plays all steps.
    Commit,
}

/// A message from the server to the page.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ToPage<'a> {
    /// The whole frame.
    Frame(FrameOnWire<'a>),
    /// The changes since the last frame.
    Patch(&'a Patch),
    /// The message was accepted; an answer is stored by now.
    Ack {
        /// Id of the page's message.
        id: &'a str,
        /// True if the message had been accepted before.
        repeated: bool,
        /// True if only the draft has changed.
        drafted: bool,
        /// Number of steps played, if the draft led elsewhere than it showed; the others were dropped.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<usize>,
    },
    /// A refusal. Nothing has changed.
    Bad {
        /// Id of the page's message.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        /// Kind of refusal, for programs.
        code: Code,
        /// The refusal in words, for people.
        message: String,
    },
    /// Time left, at tables with a time control. Follows every frame and patch.
    Clock {
        /// By seat; null for agents, and where the viewer may not know whether the seat decides.
        seats: &'a [Option<SeatTime>],
    },
    /// Another seat of this browser owes a decision.
    Elsewhere,
    /// A rematch was opened.
    Rematch {
        /// Address of the rematch. It gives players of this table their new seats.
        address: &'a str,
    },
    /// The server shuts down; the page reconnects later.
    Leaving,
    /// The answer to `ping`.
    Pong,
}

/// Time left to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatTime {
    /// Time left when this was sent, in ms.
    pub left_ms: u64,
    /// True if the clock is running.
    pub runs: bool,
}

impl SeatTime {
    /// The times of all seats of a frame, if the table has a time control.
    pub fn of(hosted: &Hosted, frame: &Frame) -> Option<Vec<Option<Self>>> {
        let shown = hosted.timing.as_ref()?.shown(frame).into_iter();
        Some(shown.map(|left| left.map(|left| Self { left_ms: left.ms, runs: left.runs })).collect())
    }
}

/// Kinds of refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The rules do not allow the action.
    InvalidMove,
    /// The answered question is not open.
    Stale,
    /// The text is not a message of this protocol.
    InvalidMessage,
    /// The sender may not do this.
    NotYours,
    /// Too many messages.
    TooMany,
    /// An internal error of the server.
    Internal,
}

/// A frame. Its log begins where the page's log ends.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrameOnWire<'a> {
    version: u64,
    you: Option<usize>,
    drawing: &'a str,
    text: &'a str,
    ask: Option<&'a Ask>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<&'a Drafted>,
    seats: &'a [SeatLine],
    log: &'a [LogLine],
    /// Number of log lines that the page keeps: all it has, or 0 after the end, when secrets are revealed.
    log_from: usize,
    ending: Option<&'a Ending>,
}

impl<'a> FrameOnWire<'a> {
    /// A frame for a page that has `log` lines of the log.
    pub fn new(frame: &'a Frame, log: usize) -> Self {
        let Frame { version, you, drawing, text, ask, draft, seats, log: lines, ending } = frame;
        let log_from = if ending.is_some() { 0 } else { log.min(lines.len()) };
        Self {
            version: *version,
            you: *you,
            drawing,
            text,
            ask: ask.as_ref(),
            draft: draft.as_ref(),
            seats,
            log: &lines[log_from..],
            log_from,
            ending: ending.as_ref(),
        }
    }
}
