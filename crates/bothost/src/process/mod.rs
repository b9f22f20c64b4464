//! A bot as a process: launched, asked, timed, frozen, killed, launched again.

mod begin;
pub(crate) mod end;
mod lines;
mod play;
mod running;
mod timing;

use std::time::{Duration, Instant};

use thiserror::Error;

use self::running::Running;
use crate::fault::Fault;
use crate::limits::{Clock, Limits};
use crate::patience::Activity;
use crate::protocol::BotHello;
use crate::sandbox::{Level, Sandbox};
use crate::spec::{BotSpec, SpecError};
use crate::stage::{FilesError, Staged};
use crate::usage::Usage;
use crate::wall::WallClock;

/// How often the clock and the memory of a thinking bot are looked at, at least.
const LOOK: Duration = Duration::from_millis(50);

/// Why a bot could not be launched.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// What it names is not there or cannot be run.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Its files cannot be put in place.
    #[error("bot '{bot}': its files cannot be copied: {error}")]
    Files {
        /// The bot.
        bot: String,
        /// Why.
        error: FilesError,
    },
    /// The process cannot be started.
    #[error("bot '{bot}' cannot be started: {error}")]
    Start {
        /// The bot.
        bot: String,
        /// Why.
        error: std::io::Error,
    },
    /// It started, but did not say hello.
    #[error("bot '{bot}' did not say hello: {fault}{}", tail(.fault))]
    Hello {
        /// The bot.
        bot: String,
        /// What it did instead.
        fault: Box<Fault>,
    },
}

fn tail(fault: &Fault) -> String {
    let hint = fault.advice().map(|advice| format!("\nhint: {advice}"));
    if fault.stderr_tail.is_empty() {
        return hint.unwrap_or_else(|| "\nhint: `meeple check-bot` explains what is wrong".to_owned());
    }
    format!("\nits last words on stderr:\n{}{}", fault.stderr_tail, hint.unwrap_or_default())
}

/// A bot that is a program, in one process for many episodes.
///
/// The process is killed, with everything it has started, when this is dropped.
pub struct BotProcess {
    spec: BotSpec,
    sandbox: Sandbox,
    limits: Limits,
    staged: Staged,
    hello: BotHello,
    running: Option<Running>,
    /// The last process, which is being ended: nobody waits for it while others think.
    remains: Option<Running>,
    time: WallClock,
    /// The fault that ended the last process.
    gone: Option<Fault>,
    restarts: u32,
    /// Whether the last process was ended so that a new one takes its place.
    renewed: bool,
    cold_files: Option<String>,
    /// Number of the episode on this process.
    episode: u64,
    clock: Clock,
    bank: Duration,
    /// Whether the clock is told and not counted, but for a limit far beyond it.
    untimed: bool,
    /// The bank that it is told then.
    told_bank: Option<Duration>,
    /// What getting ready for the episode took.
    start_used: Usage,
    used: Usage,
    last_used_us: u64,
    /// Bytes that the last process wrote to stderr beyond its limit in the episode in which it ended.
    dropped_before: u64,
    /// Number of the last question.
    last_number: u64,
    asked: Option<Asked>,
    /// Time of the last [`receive`](crate::Player::receive), until the question is judged by it.
    received: Option<Instant>,
    /// Set when the process has closed a pipe during a question.
    leaving: Option<Leaving>,
    /// Questions that got no answer in time: their answers may still come, and are ignored.
    late: Vec<(u64, u64)>,
    /// Of a check: until when the machine may be too busy for the bot.
    patient_until: Option<Instant>,
    /// What the bot does while it is waited for patiently.
    activity: Option<Activity>,
}

/// A question that is open.
struct Asked {
    number: u64,
    sent: Instant,
    /// When the answer came, or the end of its output; not when it was read.
    arrived: Option<Instant>,
    cpu_before: Option<Duration>,
    /// What the answer may take, on the basis of the clock.
    budget: Duration,
    /// Whether it is the bank that limits it.
    by_bank: bool,
    /// When to look at memory again.
    look: Instant,
}

impl Asked {
    /// How long it has been open by then.
    fn open(&self, now: Instant) -> Duration {
        self.arrived.unwrap_or(now).saturating_duration_since(self.sent)
    }
}

/// A process that has closed a pipe and may be about to end.
struct Leaving {
    /// What it did.
    what: String,
    /// Until when it may end by itself.
    until: Instant,
}

impl BotProcess {
    /// The same bot by another clock.
    pub fn with_clock(mut self, time: WallClock) -> Self {
        self.time = time;
        self
    }

    /// The same bot for a proof that takes its time: it is told the same clock at every question, and is ended only long
    /// after it.
    pub fn untimed(mut self) -> Self {
        self.untimed = true;
        self
    }

    /// What it said of itself.
    pub fn hello(&self) -> &BotHello {
        &self.hello
    }

    /// Fingerprint of its files, 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.staged.hash
    }

    /// Why files that it may read can be in memory or not, and so tell it something, although they are read before it
    /// starts ([`Sandbox::with_files_in_memory`], and whenever it begins anew); `None` if they tell nothing.
    pub fn cold_files(&self) -> Option<&str> {
        self.cold_files.as_deref()
    }

    /// How it is shut in.
    pub fn level(&self) -> Level {
        self.sandbox.level()
    }

    /// Whether its CPU time can be measured; if not, the clock counts time on the wall.
    pub fn measures_cpu(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.cpu.is_some())
    }

    /// CPU time of the running process so far, where it can be measured.
    pub fn cpu_time(&mut self) -> Option<Duration> {
        Some(self.running.as_mut()?.cpu.as_mut()?.look())
    }

    /// How often it was started again.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }
}
