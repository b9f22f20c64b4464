//! The messages of a page's socket.

use meeple_table::{Ask, Drafted, Ending, Frame, LogLine, Patch, SeatLine};
use serde::{Deserialize, Serialize};

use crate::hub::Hosted;

/// Upper bound on received messages, in bytes: a structured action of a large board.
pub const MOST_BYTES: usize = 64 * 1024;

/// What a page says.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum FromPage {
    /// The first message: what the page shows already.
    Hello {
        /// The version of the frame it shows; 0 for none.
        since: u64,
        /// The revision of the draft that it shows; 0 for none.
        #[serde(default)]
        revision: u64,
        /// How many lines of the log it shows.
        #[serde(default)]
        log: usize,
        /// Whether long messages may come packed: as binary ones, their text as a raw stream of DEFLATE (RFC 1951).
        #[serde(default)]
        packed: bool,
        /// Whether our own page can make a question of what changes of the last one: one that was opened at a server of before
        /// cannot.
        #[serde(default)]
        pieces: bool,
    },
    /// An answer. The same message may come again, if the page has not heard of it.
    Act {
        /// The question's number.
        number: u64,
        /// What the page calls this message.
        id: String,
        /// The action as text, or what the game lets people type;
        #[serde(default)]
        action: Option<String>,
        /// or the number of a listed action, from 0.
        #[serde(default)]
        index: Option<usize>,
    },
    /// Changes what is tried out before anybody else sees it.
    Draft {
        /// The number of the question that its first step answers.
        number: u64,
        /// How many steps the draft has, as far as the page knows.
        steps: usize,
        /// What the page calls this message.
        id: String,
        /// What is done.
        r#do: Do,
        /// The action of a step, as in an answer;
        #[serde(default)]
        action: Option<String>,
        /// or its number.
        #[serde(default)]
        index: Option<usize>,
    },
    /// Is anybody there?
    Ping,
}

/// What is done to a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Do {
    /// A step is added. It is taken at once if it is the first and nothing can come after it before it is known what it
    /// leads to.
    Step,
    /// The last step is dropped.
    Undo,
    /// All are.
    Drop,
    /// All steps happen.
    Commit,
}

/// What a page is told.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ToPage<'a> {
    /// Everything that is shown now.
    Frame(FrameOnWire<'a>),
    /// What has changed of what was shown before.
    Patch(&'a Patch),
    /// The answer was taken, and is stored.
    Ack {
        /// What the page called it.
        id: &'a str,
        /// Whether it had been taken before.
        repeated: bool,
        /// Whether it has changed the draft alone.
        drafted: bool,
        /// Of a draft that led elsewhere than it said: so many of its steps were taken, the others dropped.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<usize>,
    },
    /// Something was refused; nothing has changed.
    Bad {
        /// What the page called it.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        /// What kind of refusal, for programs.
        code: Code,
        /// For people.
        message: String,
    },
    /// What is left of people's time, where it is limited: of every seat, as far as it is a person's and the viewer may know
    /// whether it decides. Told behind every frame and patch.
    Clock {
        /// By seat.
        seats: &'a [Option<SeatTime>],
    },
    /// Another seat that this browser plays is waited for.
    Elsewhere,
    /// The same people play once more.
    Rematch {
        /// Where: whoever has a seat here is given its seat there.
        address: &'a str,
    },
    /// The server ends; the page tries again in a while.
    Leaving,
    /// Somebody is.
    Pong,
}

/// What is left of a person's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatTime {
    /// In milliseconds, when this was sent.
    pub left_ms: u64,
    /// Whether it runs.
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
    /// The rules do not allow it.
    InvalidMove,
    /// It answers a question that is not open.
    Stale,
    /// It is no message of this protocol.
    InvalidMessage,
    /// Whoever sent it may not.
    NotYours,
    /// Too many messages.
    TooMany,
    /// A fault of the server's own.
    Internal,
}

/// A frame, whose log begins where the page's ends.
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
    /// How many lines of the log the page keeps: those that it has, or none after the end, when everything is told.
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
