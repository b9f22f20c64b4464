//! How bots are shut in: levels, chosen by trying them out.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;

mod calls;
pub mod confine;
pub(crate) mod strict;

use self::confine::{Calls, Confinement, Files, Resources};

use crate::limits::Limits;
use crate::stage::Staged;
use crate::targets::BotUser;

/// How well bots are shut in, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Own namespaces for files, network and processes (bubblewrap), resource limits, a filter for system
    /// calls, and an unprivileged user.
    Strict,
    /// The same process space, but files (landlock), system calls (seccomp) and resources are limited.
    InProcess,
    /// Resource limits only: **network and files are open to the bot**.
    LimitsOnly,
    /// Nothing, on request only.
    None,
}

impl Level {
    /// All levels, strongest first.
    pub const ALL: [Self; 4] = [Self::Strict, Self::InProcess, Self::LimitsOnly, Self::None];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::InProcess => "in-process",
            Self::LimitsOnly => "limits-only",
            Self::None => "none",
        }
    }

    /// What a user must know about it before foreign code runs; `None` if there is nothing to warn of.
    pub const fn warning(self) -> Option<&'static str> {
        match self {
            Self::Strict | Self::InProcess => None,
            Self::LimitsOnly => Some(
                "NETWORK AND FILES ARE NOT ISOLATED: bots can read your files and use the network; \
                 run only bots you trust (hint: install bubblewrap)",
            ),
            Self::None => Some("NO SANDBOX: bots run with all your rights; run only bots you trust"),
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("expected one of {names}, found '{text}'")
        })
    }
}

/// The program that restricts itself and then becomes the bot: ours, called with arguments that make it run
/// [`launcher_main`](crate::launcher_main).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before ours.
    pub arguments: Vec<String>,
}

/// Whether a level works here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelProbe {
    /// Which.
    pub level: Level,
    /// Whether it was tried and worked.
    pub available: bool,
    /// What it offers here, or why it does not work.
    pub why: String,
}

/// Why there is no sandbox of the level asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the sandbox level '{level}' is not available here: {why}\nhint: `meeple doctor` shows the levels")]
pub struct SandboxError {
    /// Which.
    pub level: Level,
    /// Why.
    pub why: String,
}

/// How long a level may take to come up. A busy machine must not make a weaker one look like the best.
const PROBE: Duration = Duration::from_secs(60);

/// How bots are shut in.
#[derive(Clone, Debug)]
pub struct Sandbox {
    level: Level,
    launcher: Option<Launcher>,
    why: String,
}

impl Sandbox {
    /// No sandbox at all. Bots are still killed with their process group, and no wait is without end.
    pub fn none() -> Self {
        Self { level: Level::None, launcher: None, why: "asked for".into() }
    }

    /// The strongest level that works here, by trying. Takes some tens of milliseconds.
    pub fn best(launcher: &Launcher) -> Self {
        for level in [Level::Strict, Level::InProcess, Level::LimitsOnly] {
            if let Ok(sandbox) = Self::of_level(level, launcher) {
                return sandbox;
            }
        }
        Self::none()
    }

    /// This level, tried out.
    ///
    /// # Errors
    /// Why it does not work here.
    pub fn of_level(level: Level, launcher: &Launcher) -> Result<Self, SandboxError> {
        Self::of_level_within(level, launcher, PROBE)
    }

    /// The same, given up after this time.
    ///
    /// # Errors
    /// Why it does not work here.
    pub fn of_level_within(
        level: Level,
        launcher: &Launcher,
        at_most: Duration,
    ) -> Result<Self, SandboxError> {
        if level == Level::None {
            return Ok(Self::none());
        }
        let sandbox = Self { level, launcher: Some(launcher.clone()), why: String::new() };
        match sandbox.try_out(at_most) {
            Ok(why) => Ok(Self { why, ..sandbox }),
            Err(why) => Err(SandboxError { level, why }),
        }
    }

    /// Tries all levels, for `doctor`.
    pub fn probe(launcher: &Launcher) -> Vec<LevelProbe> {
        let probe = |level| match Self::of_level(level, launcher) {
            Ok(sandbox) => LevelProbe { level, available: true, why: sandbox.why },
            Err(error) => LevelProbe { level, available: false, why: error.why },
        };
        Level::ALL.into_iter().map(probe).collect()
    }

    /// Its level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// What it offers here.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Whether bots run as another user than we do.
    pub(crate) fn drops_user(&self) -> bool {
        self.level != Level::None && nix::unistd::geteuid().is_root()
    }

    /// The command that runs `words` shut in. `token` marks the bot's processes, `user` is who they run as if
    /// we may choose.
    pub(crate) fn command(&self, job: &Job<'_>) -> Command {
        let Some(launcher) = self.launcher.as_ref() else {
            let mut command = Command::new(&job.words[0]);
            command.args(&job.words[1..]).current_dir(job.folder);
            return job.with_environment(command);
        };
        let user = job.user.filter(|_| self.drops_user());
        let resources = Resources::new(job.limits, user.is_some() || self.level == Level::Strict);
        let confinement = match self.level {
            Level::Strict => Confinement {
                new_session: true,
                user,
                resources: Some(resources),
                calls: Calls::Escapes,
                ..Confinement::default()
            },
            Level::InProcess => Confinement {
                new_session: true,
                die_with_parent: true,
                user,
                resources: Some(resources),
                files: Some(Files::for_bot(job)),
                calls: Calls::Everything,
            },
            Level::LimitsOnly | Level::None => Confinement {
                new_session: true,
                die_with_parent: true,
                user,
                resources: Some(resources),
                ..Confinement::default()
            },
        };
        let command = if self.level == Level::Strict {
            strict::command(launcher, &confinement, job)
        } else {
            let mut command = Command::new(&launcher.program);
            command.args(&launcher.arguments).arg(confinement.to_argument()).arg("--").args(job.words);
            command.current_dir(job.folder);
            command
        };
        job.with_environment(command)
    }

    /// Runs a program that does nothing in this sandbox.
    fn try_out(&self, at_most: Duration) -> Result<String, String> {
        let staged = Staged::empty().map_err(|error| format!("no folder for the bot's files: {error}"))?;
        let job = Job {
            words: &["true".to_owned()],
            folder: &staged.folder(),
            scratch: &staged.scratch(),
            visible: &[],
            limits: &Limits::default(),
            user: Some(BotUser::unused().map_err(|error| error.to_string())?),
            token: "probe",
        };
        let mut command = self.command(&job);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| match self.level {
            Level::Strict => format!("bubblewrap (bwrap) cannot be run: {error}"),
            _ => format!("the launcher cannot be run: {error}"),
        })?;
        let output = finish(child, at_most)?;
        if output.status.success() {
            let user = if self.drops_user() { "as an unprivileged user" } else { "as yourself" };
            let offers = match self.level {
                Level::Strict => "bubblewrap: own files, network and processes, filtered system calls",
                Level::InProcess => "landlock and seccomp: files, sockets and signals denied",
                Level::LimitsOnly | Level::None => "memory, processes and file sizes limited",
            };
            return Ok(format!("{offers}; {user}"));
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let first = complaint.lines().next().unwrap_or("it said nothing").to_owned();
        Err(format!("{first} ({})", output.status))
    }
}

/// Waits for a child that says little, and kills it if it does not end in time.
pub(crate) fn finish(
    mut child: std::process::Child,
    at_most: Duration,
) -> Result<std::process::Output, String> {
    let deadline = Instant::now() + at_most;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return child.wait_with_output().map_err(|error| error.to_string()),
            Ok(None) if Instant::now() < deadline => crate::pipes::breathe(),
            Ok(None) => {
                crate::reap::kill_tree(&mut child);
                return Err(format!("the self-test did not end within {} s", at_most.as_secs_f64()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// One bot to be run in a sandbox.
pub(crate) struct Job<'a> {
    /// Program and arguments.
    pub words: &'a [String],
    /// Where the bot's files are, and where it starts.
    pub folder: &'a Path,
    /// Where it may write.
    pub scratch: &'a Path,
    /// Folders that its interpreter needs, beside those of the system.
    pub visible: &'a [PathBuf],
    pub limits: &'a Limits,
    /// Who it runs as, if we may choose.
    pub user: Option<BotUser>,
    /// Marks its processes.
    pub token: &'a str,
}

/// The environment variable that marks the processes of a bot.
pub(crate) const TOKEN: &str = "MEEPLE_BOT";

impl Job<'_> {
    /// A clean environment: the same for everybody, nothing of ours.
    fn with_environment(&self, mut command: Command) -> Command {
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".into());
        command.env_clear();
        command.env("PATH", path).env("LANG", "C.UTF-8").env("TZ", "UTC").env(TOKEN, self.token);
        let scratch = if self.is_strict(&command) { Path::new("/tmp") } else { self.scratch };
        command.env("HOME", scratch).env("TMPDIR", scratch);
        // Lines go out when they are printed, nothing is written beside the bot, and sets have one order.
        command.env("PYTHONUNBUFFERED", "1").env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONHASHSEED", "0");
        // node reads it at start, and what may not be read is an error to it.
        command.env("OPENSSL_CONF", "/dev/null");
        command
    }

    fn is_strict(&self, command: &Command) -> bool {
        command.get_program() == strict::BWRAP
    }
}
