//! A bot as a process: launched, asked, timed, frozen, killed, relaunched.

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
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::spec::{BotSpec, SpecError};
use crate::stage::{FilesError, Staged};
use crate::usage::Usage;
use crate::wall::WallClock;

/// Longest pause between two looks at the clock and the memory of a thinking bot.
const LOOK: Duration = Duration::from_millis(50);

/// The reason why a bot could not be launched.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The bot's program is missing or cannot be run.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The bot's files cannot be put in place.
    #[error("bot '{bot}': its files cannot be copied: {error}")]
    Files { bot: String, error: FilesError },
    /// The process cannot be started.
    #[error("bot '{bot}' cannot be started: {error}")]
    Start { bot: String, error: std::io::Error },
    /// The process started, but did not say hello.
    #[error("bot '{bot}' did not say hello: {fault}{}", tail(.fault))]
    Hello { bot: String, fault: Box<Fault> },
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
/// The process is killed on drop, with everything it has started.
pub struct BotProcess {
    spec: BotSpec,
    sandbox: Sandbox,
    limits: Limits,
    staged: Staged,
    hello: BotHello,
    running: Option<Running>,
    /// The last process, which is being ended; it is reaped later, while nobody thinks.
    remains: Option<Running>,
    time: WallClock,
    /// The fault that ended the last process.
    gone: Option<Fault>,
    restarts: u32,
    /// True if the last process was ended by a renewal.
    renewed: bool,
    cold_files: Option<String>,
    episode: u64,
    clock: Clock,
    bank: Duration,
    /// If true, the clock is sent to the bot but enforced only by a limit far beyond it.
    untimed: bool,
    /// The bank sent to an untimed bot.
    announced_bank: Option<Duration>,
    /// Start-up time of the episode.
    start_used: Usage,
    used: Usage,
    last_used_us: u64,
    /// Bytes that the last process wrote to stderr beyond its limit in the episode in which it ended.
    dropped_before: u64,
    /// Number of the last question.
    last_number: u64,
    asked: Option<Asked>,
    /// Time of the last [`receive`](crate::Player::receive); cleared once the input has been judged.
    received: Option<Instant>,
    /// Set when the process has closed a pipe during a question.
    leaving: Option<Leaving>,
    /// Questions that timed out, by episode and number: their late answers are ignored.
    late: Vec<(u64, u64)>,
    /// During a check, the time until which the machine may be too busy for the bot.
    patient_until: Option<Instant>,
    /// The bot's activity during a patient wait.
    activity: Option<Activity>,
}

struct Asked {
    number: u64,
    sent: Instant,
    /// Arrival time of the answer, or of the end of output; not the time of reading.
    arrived: Option<Instant>,
    cpu_before: Option<Duration>,
    /// Time allowed for the answer, in the clock's basis.
    budget: Duration,
    /// True if the bank limits the budget, false if the limit of a single move does.
    by_bank: bool,
    /// The time of the next look at memory.
    look: Instant,
}

impl Asked {
    /// Time since the question was sent.
    fn open(&self, now: Instant) -> Duration {
        self.arrived.unwrap_or(now).saturating_duration_since(self.sent)
    }
}

/// The departure of a process that has closed a pipe.
struct Leaving {
    /// The observed action of the process, as text for the fault.
    what: String,
    /// Deadline for a voluntary end.
    until: Instant,
}

impl BotProcess {
    /// The same bot with another wall clock.
    pub fn with_clock(mut self, time: WallClock) -> Self {
        self.time = time;
        self
    }

    /// The same bot without time pressure, for verification. Every question shows it the full bank, and its
    /// time limits are multiplied.
    pub fn untimed(mut self) -> Self {
        self.untimed = true;
        self
    }

    /// The bot's description of itself.
    pub fn hello(&self) -> &BotHello {
        &self.hello
    }

    /// Fingerprint of the bot's files, 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.staged.hash
    }

    /// The reason why the page cache may still carry information between bots; `None` if it carries none. The
    /// bot's readable files are read before each start ([`Sandbox::with_files_in_memory`]) and each renewal,
    /// where possible.
    pub fn cold_files(&self) -> Option<&str> {
        self.cold_files.as_deref()
    }

    /// The level of the bot's sandbox.
    pub fn level(&self) -> SandboxLevel {
        self.sandbox.level()
    }

    /// Returns true if the bot's CPU time can be measured; otherwise the clock counts wall time.
    pub fn measures_cpu(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.cpu.is_some())
    }

    /// CPU time of the running process so far, where measurable.
    pub fn cpu_time(&mut self) -> Option<Duration> {
        Some(self.running.as_mut()?.cpu.as_mut()?.look())
    }

    /// Number of restarts so far, without renewals.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }
}
