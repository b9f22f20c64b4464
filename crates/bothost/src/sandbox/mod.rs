//! Sandbox for bots. Each isolation level is probed on the machine before use.

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
use self::confine::{Confinement, LauncherTask, Resources, ScratchMount, VisibleFiles};
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
    pub enum SandboxLevel {
        /// Own namespaces for files, network and processes (bubblewrap), resource limits, a filter for system
        /// calls, and an unprivileged user.
        Strict = "strict",
        /// The host's process space, with limits on files (landlock), system calls (seccomp) and resources.
        InProcess = "in-process",
        /// Resource limits only: **network and files are open to the bot**.
        LimitsOnly = "limits-only",
        /// No isolation; only on request. The processes that a bot starts still end with it.
        None = "none",
    }
}

impl SandboxLevel {
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

/// Method of measuring a resource over all processes of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// By the kernel, in a control group. Exact: it includes ended processes and every form of memory.
    ByKernel,
    /// By the host, which samples all processes many times a second.
    ByLooking,
    /// No measurement, as for memory at [`SandboxLevel::None`].
    Not,
}

/// The availability of a level on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelProbe {
    /// The probed level.
    pub level: SandboxLevel,
    /// True if the probe succeeded.
    pub available: bool,
    /// True if the bot and all its descendants can be stopped off-turn.
    pub frozen: bool,
    /// Method of measuring and limiting the total memory of a bot's processes.
    pub memory: Counted,
    /// Method of measuring their total CPU time.
    pub cpu_time: Counted,
    /// If available, the features of the level on this machine; otherwise the reason of the failure.
    pub why: String,
}

/// The requested sandbox level is not available.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the sandbox level '{level}' is not available here: {why}\nhint: `meeple doctor` shows the levels")]
pub struct SandboxError {
    /// The requested level.
    pub level: SandboxLevel,
    /// The missing feature, for people.
    pub why: String,
}

/// Timeout of a probe. It is long, so that a busy machine does not fall back to a weaker level.
const PROBE: Duration = Duration::from_secs(60);

/// The isolation of bots at one level.
#[derive(Clone, Debug)]
pub struct Sandbox {
    level: SandboxLevel,
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
            level: SandboxLevel::None,
            launcher: None,
            grouped: false,
            why: "asked for".into(),
            python: None,
            reads_files: false,
        }
    }

    /// The strongest available level, by probing. Takes some tens of milliseconds.
    pub fn best(launcher: &Launcher) -> Self {
        SandboxLevel::ALL
            .iter()
            .find_map(|level| Self::of_level(*level, launcher).ok())
            .unwrap_or_else(Self::none)
    }

    /// Probes a level, and returns its sandbox.
    ///
    /// # Errors
    /// If the level does not work on this machine.
    pub fn of_level(level: SandboxLevel, launcher: &Launcher) -> Result<Self, SandboxError> {
        Self::of_level_within(level, launcher, PROBE)
    }

    /// Probes a level with a time limit, and returns its sandbox.
    ///
    /// # Errors
    /// If the level does not work on this machine, or not in time.
    pub fn of_level_within(
        level: SandboxLevel,
        launcher: &Launcher,
        at_most: Duration,
    ) -> Result<Self, SandboxError> {
        let sandbox = |grouped| {
            let (launcher, why) = (Some(launcher.clone()), String::new());
            Self { level, launcher, grouped, why, python: None, reads_files: false }
        };
        // `LimitsOnly` also works without filters for system calls, which keep the processes in one group.
        let ways: &[bool] = match level {
            SandboxLevel::Strict | SandboxLevel::InProcess => &[true],
            SandboxLevel::LimitsOnly => &[true, false],
            SandboxLevel::None => &[false],
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
        let probe = |level: &SandboxLevel| {
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
        SandboxLevel::ALL.iter().map(probe).collect()
    }

    /// The same sandbox with this interpreter for bots in Python, such as one of a virtual environment. Its
    /// folders are visible to bots.
    pub fn with_python(self, python: Option<PathBuf>) -> Self {
        Self { python, ..self }
    }

    /// The same sandbox, with all readable files read into memory before a bot starts, where possible
    /// ([`BotProcess::cold_files`](crate::BotProcess::cold_files)). Otherwise a bot could learn about a deal
    /// from which files are cached, if its predecessors have played the same deal.
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
    pub fn level(&self) -> SandboxLevel {
        self.level
    }

    /// The features of the level on this machine.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// The description for records: the level, and a note if freezing is requested but not possible.
    pub fn recorded(&self, limits: &Limits) -> String {
        if limits.freeze && !self.freezes() {
            format!("{}, bots may think off-turn", self.level)
        } else {
            self.level.to_string()
        }
    }

    /// Returns true if the bot and all its descendants can be stopped off-turn.
    pub fn freezes(&self) -> bool {
        self.grouped
    }

    /// Method of measuring and limiting the total memory of a bot's processes.
    pub fn counts_memory(&self) -> Counted {
        match self.level {
            SandboxLevel::None => Counted::Not,
            _ if Groups::offered().memory.is_some() => Counted::ByKernel,
            _ => Counted::ByLooking,
        }
    }

    /// Method of measuring the total CPU time of a bot's processes.
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
        self.level != SandboxLevel::None && nix::unistd::geteuid().is_root()
    }

    /// An unused user for a bot, if the host may choose one.
    pub(crate) fn unused_user(&self) -> std::io::Result<Option<BotUser>> {
        self.drops_user().then(living::unused_user).transpose()
    }

    /// Control groups for a bot with these limits, where available.
    pub(crate) fn groups(&self, limits: &Limits) -> Option<Groups> {
        let memory = (self.level != SandboxLevel::None).then(|| limits.total_bytes());
        self.supervises().then(|| Groups::new(memory)).filter(|groups| !groups.all().is_empty())
    }

    /// The command that runs the job's command line in isolation.
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
            SandboxLevel::None => {
                Confinement { new_group: true, die_with_parent: true, ..Confinement::default() }
            }
            level => Confinement {
                new_group: true,
                // In a namespace of `Strict` the parent is process 1, and the kernel ends all others with it.
                die_with_parent: level != SandboxLevel::Strict,
                scratch: (job.user.is_some() && level != SandboxLevel::Strict)
                    .then(|| ScratchMount::new(job.scratch, job.limits)),
                user: job.user,
                resources: Some(Resources::new(
                    job.limits,
                    job.user.is_some() || level == SandboxLevel::Strict,
                )),
                files: match level {
                    SandboxLevel::Strict => {
                        Some(VisibleFiles::inside(Path::new(strict::FOLDER), Path::new(strict::SCRATCH), job))
                    }
                    SandboxLevel::InProcess => Some(VisibleFiles::for_bot(job, sharing)),
                    SandboxLevel::LimitsOnly | SandboxLevel::None => None,
                },
                calls: match level {
                    SandboxLevel::Strict => Calls::Inside,
                    SandboxLevel::InProcess => Calls::Alone,
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
        let mut words: Vec<OsString> = launcher.words(&LauncherTask::Supervise(supervision));
        if self.level == SandboxLevel::Strict {
            if !groups.is_empty() {
                // Join control groups before bubblewrap, which hides them.
                let joining = Confinement { groups, die_with_parent: true, ..Confinement::default() };
                words.extend(launcher.words(&LauncherTask::Confine(Box::new(joining))));
            }
            words.extend(strict::words(launcher, confinement, job));
        } else {
            words.extend(
                launcher.words(&LauncherTask::Confine(Box::new(Confinement { groups, ..confinement }))),
            );
            words.extend(job.words.iter().map(OsString::from));
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(job.folder);
        self.with_environment(command, job)
    }

    /// Sets a clean environment: equal for all bots, without the host's variables except PATH.
    fn with_environment(&self, mut command: Command, job: &Job<'_>) -> Command {
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".into());
        command.env_clear();
        command.env("PATH", path).env("LANG", "C.UTF-8").env("TZ", "UTC");
        let scratch =
            if self.level == SandboxLevel::Strict { Path::new(strict::SCRATCH) } else { job.scratch };
        command.env("HOME", scratch).env("TMPDIR", scratch);
        // Output is unbuffered, no bytecode is written beside the bot, and sets have a fixed order.
        command.env("PYTHONUNBUFFERED", "1").env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONHASHSEED", "0");
        // Node reads this file at start, and an unreadable one is an error.
        command.env("OPENSSL_CONF", "/dev/null");
        command
    }

    /// Runs `true` in this sandbox, and returns the features of the level.
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
        let first = complaint.lines().next().unwrap_or("it printed no reason").to_owned();
        Err(format!("{first} ({})", output.status))
    }

    /// The features of the level on this machine, for people.
    fn offer(&self) -> String {
        let offers = match self.level {
            SandboxLevel::Strict => "bubblewrap: own files, network and processes; listed system calls only",
            SandboxLevel::InProcess => "landlock and seccomp: listed files and system calls only, no sockets",
            SandboxLevel::LimitsOnly => "memory, processes and file sizes limited",
            SandboxLevel::None => "no limits",
        };
        let user = if self.drops_user() { "as an unprivileged user" } else { "as yourself" };
        let offered = Groups::offered();
        let method = |counted, version: Option<u8>| match counted {
            Counted::ByKernel => format!("by control groups, version {}", version.unwrap_or_default()),
            Counted::ByLooking => "by looking at all processes".to_owned(),
            Counted::Not => "not limited".to_owned(),
        };
        let memory = method(self.counts_memory(), offered.memory);
        let cpu = method(self.counts_cpu_time(), offered.cpu_time);
        let frozen = if self.freezes() { "stopped off-turn" } else { "may think off-turn" };
        format!("{offers}; {user}; {frozen}; memory in all: {memory}; CPU time in all: {cpu}")
    }
}
