//! Faults: errors of bots, as data.

use std::fmt;

use meeple_core::{PlayerFault, Severity};
use serde::{Deserialize, Serialize};

use crate::shown::{shown, shown_within};
use crate::usage::Usage;

/// A fault of a bot. The names are part of the protocol and of every record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FaultCode {
    /// One message took longer than it may: start-up, a move, or the wall-clock ceiling of a move.
    Timeout,
    /// The bank of thinking time is used up.
    CumulativeTimeout,
    /// The bot closed its input or output but did not end.
    BrokenPipe,
    /// The bot ended although it was not asked to; the detail names exit status or signal.
    Crash,
    /// A line that is no message of the protocol, or not the one that was due.
    InvalidMessage,
    /// A move that the rules do not allow, or a message that says the bot has none.
    InvalidMove,
    /// More output than allowed: a line too long, or too much in the scratch folder.
    OutputLimit,
    /// The bot ended because it ran out of the memory it may use.
    MemoryLimit,
    /// No version of the protocol is spoken by both sides.
    ProtocolVersion,
}

impl FaultCode {
    /// The name in records and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timeout => "TIMEOUT",
            Self::CumulativeTimeout => "CUMULATIVE_TIMEOUT",
            Self::BrokenPipe => "BROKEN_PIPE",
            Self::Crash => "CRASH",
            Self::InvalidMessage => "INVALID_MESSAGE",
            Self::InvalidMove => "INVALID_MOVE",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::MemoryLimit => "MEMORY_LIMIT",
            Self::ProtocolVersion => "PROTOCOL_VERSION",
        }
    }

    /// A first hint for the bot's author.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Timeout => {
                "is the answer written as one line and flushed at once? does the bot wait for something \
                 else than its next line?"
            }
            Self::CumulativeTimeout => "use less of bank_us per move; the increment comes after each move",
            Self::BrokenPipe => "keep stdin and stdout open until the line with \"bye\"",
            Self::Crash => "the tail of stderr usually says where",
            Self::InvalidMessage => {
                "print nothing but messages on stdout (logs go to stderr), one JSON object per line; repeat \
                 g and n of the question"
            }
            Self::InvalidMove => {
                "answer with an index into legal, counted from 0, or with moves in the form asked for"
            }
            Self::OutputLimit => "write less: lines have a limit (see hello), and so has the scratch folder",
            Self::MemoryLimit => {
                "use less memory; every process of the bot may have as much as the limit says"
            }
            Self::ProtocolVersion => "answer hello with a version within v, and list the games that you play",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One fault of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {detail}")]
pub struct Fault {
    /// The kind of fault.
    pub code: FaultCode,
    /// Text for people: the expectation, and what was found instead.
    pub detail: String,
    /// The wrong line, if any; its beginning if it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The tail of the bot's stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr_tail: String,
    /// Time used by a question that was closed without an answer; `None` without an open question. The time
    /// of a wrong answer is in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Usage>,
    /// For a question that ran out of time: its allowance in µs, in the clock's basis. The allowance is
    /// charged in full, even if the player slept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_us: Option<u64>,
    /// True if the player is still there and can be asked again. Otherwise it must be
    /// [started](crate::Player::start) again, which for a process means a new process.
    pub alive: bool,
    /// True if the machine was too busy to run the player, so the fault cannot be attributed. Set only by
    /// [`check`](crate::check).
    #[serde(skip)]
    pub starved: bool,
}

impl Fault {
    /// A fault of a player that is still there, with a detail only.
    pub fn new(code: FaultCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            line: None,
            stderr_tail: String::new(),
            used: None,
            allowed_us: None,
            alive: true,
            starved: false,
        }
    }

    /// The same fault with the time and the allowance of its question.
    pub fn after(mut self, used: Usage, allowed_us: Option<u64>) -> Self {
        self.used = Some(used);
        self.allowed_us = allowed_us;
        self
    }

    /// The beginning of the detail in faults of a player that is not started again. The code of such a fault
    /// is that of the player's last one.
    pub(crate) const GIVEN_UP: &str = "given up after";

    /// True if the fault follows from the player's messages alone: a wrong message or move. A repeatable bot
    /// repeats such faults.
    pub fn is_of_answer(&self) -> bool {
        matches!(self.code, FaultCode::InvalidMessage | FaultCode::InvalidMove)
            && !self.detail.starts_with(Self::GIVEN_UP)
    }

    /// The Python module that the bot misses, according to its stderr or its answer.
    pub fn missing_module(&self) -> Option<String> {
        let missing = |text: &str| {
            let (_, rest) = text.rsplit_once("No module named '")?;
            let (module, _) = rest.split_once('\'')?;
            Some(shown(module))
        };
        missing(&self.stderr_tail).or_else(|| missing(&self.detail))
    }

    /// Advice about a missing module, or about a program that ended at once without an error, if that is the
    /// cause.
    pub fn advice(&self) -> Option<String> {
        if self.detail == "it ended with status 0" && self.stderr_tail.is_empty() {
            return Some(
                "it ended with exit code 0 while a question was open: a bot reads messages until its input ends. A bot \
                 of the original game instead defines the functions that the page for bots of that game lists"
                    .to_owned(),
            );
        }
        let module = self.missing_module()?;
        Some(format!(
            "the Python that runs bots has no module '{module}'; install it for everybody (bots do not see your home \
             folder), name a Python that has it (--python env/bin/python), bring it along in a folder with the bot, or \
             do without it"
        ))
    }

    /// The last line of the bot's stderr, shortened and safe to show, without hints.
    pub fn last_words(&self) -> Option<String> {
        let mut lines = self.stderr_tail.lines().rev().map(str::trim).filter(|line| !line.is_empty());
        lines.find(|line| !line.starts_with("hint:")).map(shown)
    }

    /// The detail, shortened and safe to show. For a bot that is gone, its last words on stderr follow.
    pub fn reason(&self) -> String {
        // Room for a move, its defect, and the correct form.
        let what = shown_within(&self.detail, 500);
        match self.last_words() {
            Some(words) if !self.alive => format!("{what}; its last words: {words}"),
            _ => what,
        }
    }

    /// The code, followed by the [reason](Self::reason).
    pub fn summary(&self) -> String {
        format!("{}: {}", self.code, self.reason())
    }

    /// An explanation in words: the wrong line, the bot's stderr, and a hint.
    pub fn explain(&self) -> String {
        let mut text = self.to_string();
        if let Some(line) = &self.line {
            text += &format!("\nits line: {line}");
        }
        if !self.stderr_tail.is_empty() {
            text += &format!("\nits stderr:\n  {}", self.stderr_tail.replace('\n', "\n  "));
        }
        let hint = self.advice().unwrap_or_else(|| self.code.hint().to_owned());
        text + "\nhint: " + &hint
    }

    /// The severity: fatal if the player is gone.
    pub fn severity(&self) -> Severity {
        if self.alive { Severity::Passing } else { Severity::Fatal }
    }

    /// The fault as passed to the episode's driver.
    pub fn player_fault(&self) -> PlayerFault<'static> {
        let took_us = self.used.filter(|_| self.allowed_us.is_some()).map(|used| used.wall_us);
        PlayerFault { kind: self.code.name(), severity: self.severity(), took_us }
    }

    /// The same fault of a player that is gone.
    pub fn fatal(mut self) -> Self {
        self.alive = false;
        self
    }
}
