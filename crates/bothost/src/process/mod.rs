//! A bot as a process: launched, asked, timed, frozen, killed, launched again.

mod begin;
mod lines;
mod play;
mod running;
mod timing;

use std::time::{Duration, Instant};

use thiserror::Error;

pub(crate) use self::begin::Ending;
use self::running::Running;
use crate::fault::{Fault, FaultCode};
use crate::limits::{Clock, Limits};
use crate::patience::Activity;
use crate::pipes::Found;
use crate::player::Usage;
use crate::protocol::{BotHello, HostMessage};
use crate::sandbox::{Level, Sandbox, SandboxError};
use crate::shown::shown;
use crate::spec::{BotSpec, SpecError};
use crate::stage::{FilesError, StageError, Staged};

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
    /// There is no such sandbox here.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
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
    if fault.stderr_tail.is_empty() {
        return "\nhint: `meeple check-bot` explains what is wrong".to_owned();
    }
    let hint = fault.missing_module().map_or(String::new(), |module| format!("\nhint: {}", advice(&module)));
    format!("\nits last words on stderr:\n{}{hint}", fault.stderr_tail)
}

/// What to do about a Python module that is not there.
pub(crate) fn advice(module: &str) -> String {
    format!(
        "the Python that runs bots has no module '{module}'; install it for everybody (bots do not see your home \
         folder), bring it along in a folder with the bot, or do without it"
    )
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
    /// The fault that ended the last process.
    gone: Option<Fault>,
    restarts: u32,
    /// Whether the last process was ended so that a new one takes its place.
    renewed: bool,
    /// Number of the episode on this process.
    episode: u64,
    clock: Clock,
    bank: Duration,
    /// What getting ready for the episode took.
    start_used: Usage,
    used: Usage,
    last_used_us: u64,
    /// Number of the last question.
    last_number: u64,
    asked: Option<Asked>,
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
    cpu_before: Option<Duration>,
    /// What the answer may take, on the basis of the clock.
    budget: Duration,
    /// Whether it is the bank that limits it.
    by_bank: bool,
    /// When to look at memory again.
    look: Instant,
}

impl BotProcess {
    /// Starts a bot and waits for its hello.
    ///
    /// # Errors
    /// If it cannot be started, or does not say hello in time.
    pub fn launch(spec: &BotSpec, sandbox: &Sandbox, limits: &Limits) -> Result<Self, LaunchError> {
        Self::launch_with_patience(spec, sandbox, limits, None)
    }

    /// The same. Until this point in time it costs the bot nothing if the machine has no time for it: where a wait
    /// is too long on the wall, it is looked at whether the bot could have done something.
    pub(crate) fn launch_with_patience(
        spec: &BotSpec,
        sandbox: &Sandbox,
        limits: &Limits,
        patient_until: Option<Instant>,
    ) -> Result<Self, LaunchError> {
        let others = sandbox.drops_user() && sandbox.level() != Level::Strict;
        let staged = Staged::bot(spec, others).map_err(|error| match error {
            StageError::Spec(error) => LaunchError::Spec(error),
            StageError::Files(error) => LaunchError::Files { bot: shown(&spec.name), error },
            StageError::Folder(error) => LaunchError::Start { bot: shown(&spec.name), error },
        })?;
        let mut process = Self {
            spec: spec.clone(),
            sandbox: sandbox.clone(),
            limits: *limits,
            staged,
            hello: BotHello::default(),
            running: None,
            gone: None,
            restarts: 0,
            renewed: false,
            episode: 0,
            clock: Clock::default(),
            bank: Duration::ZERO,
            start_used: Usage::default(),
            used: Usage::default(),
            last_used_us: 0,
            last_number: 0,
            asked: None,
            late: Vec::new(),
            patient_until,
            activity: None,
        };
        process.run()?;
        Ok(process)
    }

    /// The bot.
    pub fn spec(&self) -> &BotSpec {
        &self.spec
    }

    /// What it said of itself.
    pub fn hello(&self) -> &BotHello {
        &self.hello
    }

    /// Fingerprint of its files, 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.staged.hash
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

    /// Says good-bye, lets the bot end, and kills what is left. What [`Drop`] does too.
    pub fn shut_down(&mut self) {
        let _ = self.send(&HostMessage::Bye { why: None });
        let Some(mut running) = self.running.take() else { return };
        running.go_on();
        running.pipes.close_input();
        let deadline = Instant::now() + Duration::from_millis(self.limits.shutdown_ms);
        while Instant::now() < deadline {
            // Its last words must not keep it from ending.
            running.pipes.drain_errors(&self.limits);
            while let Found::Line(_) = running.pipes.next_line(&self.limits) {}
            match running.supervised.try_wait() {
                None => crate::pipes::breathe(),
                Some(_) => break,
            }
        }
        running.kill();
        self.gone = Some(Fault::new(FaultCode::Crash, "the bot has been shut down").fatal());
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.shut_down();
    }
}
