//! Faults: what a bot did wrong, as data.

use std::fmt;

use meeple_core::{PlayerFault, Severity};
use serde::{Deserialize, Serialize};

use crate::shown::{shown, shown_within};
use crate::usage::Usage;

/// What a bot did wrong. The names are part of the protocol and of every record.
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
    /// The name as in records and messages.
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

    /// What a bot's author may look at first.
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
    /// What it is.
    pub code: FaultCode,
    /// What was expected and what was found, for people.
    pub detail: String,
    /// The line that was wrong, if one was; its beginning if it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The last of what the bot wrote to stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr_tail: String,
    /// What the question took until it was closed without an answer; `None` if no question was open. A question
    /// that was answered wrongly has its time in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Usage>,
    /// Of a question that ran out of time: what it was allowed, in the time that the clock counts. It counts as
    /// used up, also if the player slept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_us: Option<u64>,
    /// Whether the player is still there and can be asked again. If not, it must be
    /// [started](crate::Player::start) anew, which for a process means a new process.
    pub alive: bool,
    /// Whether the machine had no time for the player, so that there is no telling whose fault it is. Only where
    /// that is looked at: in [`check`](crate::check).
    #[serde(skip)]
    pub starved: bool,
}

impl Fault {
    /// A fault of a player that is still there, with nothing but a detail.
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

    /// The same fault, of a question that took this long and was allowed that much.
    pub fn after(mut self, used: Usage, allowed_us: Option<u64>) -> Self {
        self.used = Some(used);
        self.allowed_us = allowed_us;
        self
    }

    /// The Python module that the bot misses, by its last words or by what it answered.
    pub fn missing_module(&self) -> Option<String> {
        let missing = |text: &str| {
            let (_, rest) = text.rsplit_once("No module named '")?;
            let (module, _) = rest.split_once('\'')?;
            Some(shown(module))
        };
        missing(&self.stderr_tail).or_else(|| missing(&self.detail))
    }

    /// What to do about a module that is not there, or about a program that has nothing to say, if that is what is wrong.
    pub fn advice(&self) -> Option<String> {
        if self.detail == "it ended with status 0" && self.stderr_tail.is_empty() {
            return Some(
                "it ended as if it had nothing to do: a bot reads messages until there are none, or is a file with \
                 functions that it is known by, which the page for bots of its original tells"
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

    /// The last line that the bot wrote to stderr, shortened and safe to show. Hints are left out.
    pub fn last_words(&self) -> Option<String> {
        let mut lines = self.stderr_tail.lines().rev().map(str::trim).filter(|line| !line.is_empty());
        lines.find(|line| !line.starts_with("hint:")).map(shown)
    }

    /// What was wrong in a line, shortened and safe to show, with the last words of a bot that has ended.
    pub fn reason(&self) -> String {
        // Room for a move, what is wrong with it, and what would be right.
        let what = shown_within(&self.detail, 500);
        match self.last_words() {
            Some(words) if !self.alive => format!("{what}; its last words: {words}"),
            _ => what,
        }
    }

    /// The [reason](Self::reason) after the code.
    pub fn summary(&self) -> String {
        format!("{}: {}", self.code, self.reason())
    }

    /// In words: the line that was wrong, what the bot wrote to stderr, and a hint.
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

    /// Whether its player can go on.
    pub fn severity(&self) -> Severity {
        if self.alive { Severity::Passing } else { Severity::Fatal }
    }

    /// What an episode's driver is told of it.
    pub fn told(&self) -> PlayerFault<'static> {
        let took_us = self.used.filter(|_| self.allowed_us.is_some()).map(|used| used.wall_us);
        PlayerFault { kind: self.code.name(), severity: self.severity(), took_us }
    }

    /// The same fault of a player that is gone.
    pub fn fatal(mut self) -> Self {
        self.alive = false;
        self
    }
}
