//! Isolation of bots, by levels that are probed on the machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use meeple_core::choice;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub mod calls;
pub mod confine;
pub(crate) mod groups;
pub(crate) mod job;
pub(crate) mod launcher;
mod needed;
pub(crate) mod strict;
pub mod supervise;

use self::calls::{Calls, NamelessSharing};
use self::confine::{Confinement, Files, Order, Resources, ScratchMount};
use self::groups::Groups;
use self::job::Job;
use self::launcher::Launcher;
use self::supervise::Supervision;
use crate::limits::Limits;
use crate::living;
use crate::reap::finish;
use crate::stage::Staged;
use crate::targets::BotUser;

choice! {
    /// Isolation levels, strongest first. Their names are used on the command line and in records.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Level {
        /// Own namespaces for files, network and processes (bubblewrap), resource limits, a filter for system
        /// calls, and an unprivileged user.
        Strict = "strict",
        /// The same process space, but files (landlock), system calls (seccomp) and resources are limited.
        InProcess = "in-process",
        /// Resource limits only: **network and files are open to the bot**.
        LimitsOnly = "limits-only",
        /// Nothing, on request only. What it starts ends with it all the same.
        None = "none",
    }
}

impl Level {
    /// A warning for the user before foreign code runs; `None` for levels that isolate files and network.
    pub const fn warning(self) -> Option<&'static str> {
        match self {
            Self::Strict | Self::InProcess => None,
            Self::LimitsOnly => Some(
                "NETWORK AND FILES ARE NOT ISOLATED: bots can read your files and use the network; \
                 run only bots you trust (hint: meeple doctor tells which stricter levels work here, and what they need)",
            ),
            Self::None => Some("NO SANDBOX: bots run with all your rights; run only bots you trust"),
        }
    }
}

/// The method of counting what all processes of a bot use together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// The kernel counts, in a control group: at any moment, in any form.
    ByKernel,
    /// The host looks at all processes many times a second.
    ByLooking,
    /// Not counted.
    Not,
}

/// The availability of a level on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelProbe {
    /// The probed level.
    pub level: Level,
    /// True if the probe succeeded.
    pub available: bool,
    /// True if the bot and all its descendants can be stopped while others think.
    pub frozen: bool,
    /// The method of counting and limiting the memory of all processes of a bot together.
    pub memory: Counted,
    /// The method of counting their CPU time.
    pub cpu_time: Counted,
    /// The features available here, or the reason of the failure.
    pub why: String,
}

/// The requested sandbox level is not available.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the sandbox level '{level}' is not available here: {why}\nhint: `meeple doctor` shows the levels")]
pub struct SandboxError {
    /// The requested level.
    pub level: Level,
    /// The missing feature, for people.
    pub why: String,
}

/// Time limit for a level to start. A busy machine must not make a weaker one look like the best.
const PROBE: Duration = Duration::from_secs(60);

/// The isolation of bots at one level.
#[derive(Clone, Debug)]
pub struct Sandbox {
    level: Level,
    launcher: Option<Launcher>,
    /// True if the processes of a bot can be kept in one group, to be stopped and counted together.
    grouped: bool,
    why: String,
    /// The interpreter of bots in Python, if not the one on PATH.
    python: Option<PathBuf>,
    /// True if all readable files of a bot are read into memory before its start.
    reads_files: bool,
}

impl Sandbox {
    /// No sandbox and no supervisor: the bot is killed with its process group, and processes outside the
    /// group survive. For trusted programs, as in tests.
    pub fn none() -> Self {
        Self {
            level: Level::None,
            launcher: None,
            grouped: false,
            why: "asked for".into(),
            python: None,
            reads_files: false,
        }
    }

    /// The strongest available level, by probing. Takes some tens of milliseconds.
    pub fn best(launcher: &Launcher) -> Self {
        Level::ALL.iter().find_map(|level| Self::of_level(*level, launcher).ok()).unwrap_or_else(Self::none)
    }

    /// This level, probed.
    ///
    /// # Errors
    /// If the level does not work here.
    pub fn of_level(level: Level, launcher: &Launcher) -> Result<Self, SandboxError> {
        Self::of_level_within(level, launcher, PROBE)
    }

    /// This level, probed with a time limit.
    ///
    /// # Errors
    /// If the level does not work here in time.
    pub fn of_level_within(
        level: Level,
        launcher: &Launcher,
        at_most: Duration,
    ) -> Result<Self, SandboxError> {
        let sandbox = |grouped| {
            let (launcher, why) = (Some(launcher.clone()), String::new());
            Self { level, launcher, grouped, why, python: None, reads_files: false }
        };
        // Without filters for system calls, limits are still useful.
        let ways: &[bool] = match level {
            Level::Strict | Level::InProcess => &[true],
            Level::LimitsOnly => &[true, false],
            Level::None => &[false],
        };
        let mut complaint = String::new();
        for sandbox in ways.iter().map(|grouped| sandbox(*grouped)) {
            match sandbox.try_out(at_most) {
                Ok(why) => return Ok(Self { why, ..sandbox }),
                Err(why) => complaint = why,
            }
        }
        Err(SandboxError { level, why: complaint })
    }

    /// Probes all levels, for `doctor`.
    pub fn probe(launcher: &Launcher) -> Vec<LevelProbe> {
        let probe = |level: &Level| {
            let tried = Self::of_level(*level, launcher);
            let sandbox = tried.as_ref().ok();
            LevelProbe {
                level: *level,
                available: sandbox.is_some(),
                frozen: sandbox.is_some_and(Self::freezes),
                memory: sandbox.map_or(Counted::Not, Self::counts_memory),
                cpu_time: sandbox.map_or(Counted::Not, Self::counts_cpu_time),
                why: tried.map_or_else(|error| error.why, |sandbox| sandbox.why),
            }
        };
        Level::ALL.iter().map(probe).collect()
    }

    /// The same sandbox with this interpreter for bots in Python, such as one of a virtual environment. Its
    /// folders are visible to bots.
    pub fn with_python(self, python: Option<PathBuf>) -> Self {
        Self { python, ..self }
    }

    /// The same sandbox, with all readable files in memory before a bot starts, where possible
    /// ([`BotProcess::cold_files`](crate::BotProcess::cold_files)). For bots whose predecessors knew the
    /// deals that they play.
    pub fn with_files_in_memory(self) -> Self {
        Self { reads_files: true, ..self }
    }

    pub(crate) fn reads_files(&self) -> bool {
        self.reads_files
    }

    pub(crate) fn python(&self) -> Option<&Path> {
        self.python.as_deref()
    }

    /// The isolation level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The features available here.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// The description in a record: the level, and limits that are requested but not guaranteed.
    pub fn recorded(&self, limits: &Limits) -> String {
        if limits.freeze && !self.freezes() {
            format!("{}, bots may think off-turn", self.level)
        } else {
            self.level.to_string()
        }
    }

    /// Returns true if the bot and all its descendants can be stopped while others think.
    pub fn freezes(&self) -> bool {
        self.grouped
    }

    /// The method of counting and limiting the memory of all processes of a bot together.
    pub fn counts_memory(&self) -> Counted {
        match self.level {
            Level::None => Counted::Not,
            _ if Groups::offered().memory.is_some() => Counted::ByKernel,
            _ => Counted::ByLooking,
        }
    }

    /// The method of counting the CPU time of all processes of a bot together.
    pub fn counts_cpu_time(&self) -> Counted {
        if self.supervises() && Groups::offered().cpu_time.is_some() {
            Counted::ByKernel
        } else {
            Counted::ByLooking
        }
    }

    pub(crate) fn supervises(&self) -> bool {
        self.launcher.is_some()
    }

    /// Returns true if bots run as another user than the host.
    pub(crate) fn drops_user(&self) -> bool {
        self.level != Level::None && nix::unistd::geteuid().is_root()
    }

    /// An unused user for a bot, if the host may choose one.
    pub(crate) fn unused_user(&self) -> std::io::Result<Option<BotUser>> {
        self.drops_user().then(living::unused_user).transpose()
    }

    /// Control groups for a bot with these limits, where available.
    pub(crate) fn groups(&self, limits: &Limits) -> Option<Groups> {
        let memory = (self.level != Level::None).then(|| limits.total_bytes());
        self.supervises().then(|| Groups::new(memory)).filter(|groups| !groups.all().is_empty())
    }

    /// The command that runs the job's words in isolation.
    pub(crate) fn command(&self, job: &Job<'_>) -> Command {
        let Some(launcher) = self.launcher.as_ref() else {
            let mut command = Command::new(&job.words[0]);
            command.args(&job.words[1..]).current_dir(job.folder);
            return self.with_environment(command, job);
        };
        let sharing = match self.counts_memory() {
            Counted::ByKernel => NamelessSharing::Allowed,
            Counted::ByLooking | Counted::Not => NamelessSharing::Denied,
        };
        let confinement = match self.level {
            Level::None => Confinement { new_group: true, die_with_parent: true, ..Confinement::default() },
            level => Confinement {
                new_group: true,
                // In a namespace the parent is its first process, whose death ends the whole namespace.
                die_with_parent: level != Level::Strict,
                scratch: (job.user.is_some() && level != Level::Strict)
                    .then(|| ScratchMount::new(job.scratch, job.limits)),
                user: job.user,
                resources: Some(Resources::new(job.limits, job.user.is_some() || level == Level::Strict)),
                files: match level {
                    Level::Strict => {
                        Some(Files::inside(Path::new(strict::FOLDER), Path::new(strict::SCRATCH), job))
                    }
                    Level::InProcess => Some(Files::for_bot(job, sharing)),
                    Level::LimitsOnly | Level::None => None,
                },
                calls: match level {
                    Level::Strict => Calls::Inside,
                    Level::InProcess => Calls::Alone,
                    _ if self.grouped => Calls::Grouped,
                    _ => Calls::All,
                },
                sharing,
                groups: Vec::new(),
            },
        };
        let supervision = Supervision {
            host: nix::unistd::getpid().as_raw(),
            groups: job.groups.map(|groups| groups.all().to_vec()).unwrap_or_default(),
        };
        let groups = job.groups.map(Groups::lists).unwrap_or_default();
        let mut words: Vec<OsString> = launcher.words(&Order::Supervise(supervision));
        if self.level == Level::Strict {
            if !groups.is_empty() {
                // Before bubblewrap: control groups are invisible from inside.
                let joining = Confinement { groups, die_with_parent: true, ..Confinement::default() };
                words.extend(launcher.words(&Order::Confine(Box::new(joining))));
            }
            words.extend(strict::words(launcher, confinement, job));
        } else {
            words.extend(launcher.words(&Order::Confine(Box::new(Confinement { groups, ..confinement }))));
            words.extend(job.words.iter().map(OsString::from));
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(job.folder);
        self.with_environment(command, job)
    }

    /// Sets a clean environment: equal for all bots, with nothing of the host's.
    fn with_environment(&self, mut command: Command, job: &Job<'_>) -> Command {
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".into());
        command.env_clear();
        command.env("PATH", path).env("LANG", "C.UTF-8").env("TZ", "UTC");
        let scratch = if self.level == Level::Strict { Path::new(strict::SCRATCH) } else { job.scratch };
        command.env("HOME", scratch).env("TMPDIR", scratch);
        // Output is unbuffered, no bytecode is written beside the bot, and sets have a fixed order.
        command.env("PYTHONUNBUFFERED", "1").env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONHASHSEED", "0");
        // Node reads this file at start, and an unreadable one is an error.
        command.env("OPENSSL_CONF", "/dev/null");
        command
    }

    /// Runs a program that does nothing in this sandbox.
    fn try_out(&self, at_most: Duration) -> Result<String, String> {
        let staged = Staged::empty().map_err(|error| format!("no folder for the bot's files: {error}"))?;
        let limits = Limits::default();
        let groups = self.groups(&limits);
        let job = Job {
            words: &["true".to_owned()],
            folder: &staged.folder(),
            scratch: &staged.scratch(),
            visible: &[],
            readable: &staged.readable,
            limits: &limits,
            user: self.unused_user().map_err(|error| error.to_string())?,
            groups: groups.as_ref(),
        };
        let mut command = self.command(&job);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("the launcher cannot be run: {error}"))?;
        let output = finish(child, at_most)?;
        if output.status.success() {
            return Ok(self.offer());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let first = complaint.lines().next().unwrap_or("it said nothing").to_owned();
        Err(format!("{first} ({})", output.status))
    }

    /// The features of the level, for people.
    fn offer(&self) -> String {
        let offers = match self.level {
            Level::Strict => "bubblewrap: own files, network and processes; listed system calls only",
            Level::InProcess => "landlock and seccomp: listed files and system calls only, no sockets",
            Level::LimitsOnly => "memory, processes and file sizes limited",
            Level::None => "no limits",
        };
        let user = if self.drops_user() { "as an unprivileged user" } else { "as yourself" };
        let offered = Groups::offered();
        let told = |counted, version: Option<u8>| match counted {
            Counted::ByKernel => format!("by control groups, version {}", version.unwrap_or_default()),
            Counted::ByLooking => "by looking at all processes".to_owned(),
            Counted::Not => "not limited".to_owned(),
        };
        let memory = told(self.counts_memory(), offered.memory);
        let cpu = told(self.counts_cpu_time(), offered.cpu_time);
        let frozen = if self.freezes() { "stopped off-turn" } else { "may think off-turn" };
        format!("{offers}; {user}; {frozen}; memory in all: {memory}; CPU time in all: {cpu}")
    }
}
