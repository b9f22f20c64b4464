//! The launcher: one instance supervises a bot, and one below it restricts itself and becomes the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Gid, Pid, Uid, setgroups, setpgid, setresgid, setresuid};
use serde::{Deserialize, Serialize};

use super::calls::{Calls, NamelessSharing, Own, restrict};
use super::job::Job;
use super::supervise::{Supervision, begin, supervise};
use crate::limits::Limits;
use crate::readable::settings;
use crate::targets::BotUser;

/// The launcher's task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LauncherTask {
    /// Supervise the program, and leave none of its processes at the end.
    Supervise(Supervision),
    /// Act as the first process of a namespace, out of reach of the program.
    Begin,
    /// Become the program with these restrictions.
    Confine(Box<Confinement>),
}

/// The launcher's restrictions on itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Confinement {
    /// Control groups to join, by their lists of processes.
    pub groups: Vec<PathBuf>,
    /// If true, leads a process group of its own. A session would be too much: its leader may have a
    /// terminal, and the loss of the terminal resumes a stopped leader.
    pub new_group: bool,
    /// If true, dies with its parent.
    pub die_with_parent: bool,
    /// File system in memory to mount, if this process may.
    pub scratch: Option<ScratchMount>,
    /// The user to become.
    pub user: Option<BotUser>,
    /// Resource limits.
    pub resources: Option<Resources>,
    /// Visible files.
    pub files: Option<VisibleFiles>,
    /// Allowed system calls.
    pub calls: Calls,
    /// Permission to share memory without a file. If denied, there are no huge pages either.
    pub sharing: NamelessSharing,
}

/// Limit of pending signals of one user's bots: enough for any program, a small part of the user's own limit.
const SIGNALS: u64 = 1024;

/// Number of bots of one user that can all reach their limit of processes at the same time.
const RIVALS: u64 = 64;

/// Resource limits of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    data_bytes: u64,
    address_bytes: u64,
    processes: u64,
    open_files: u64,
    file_bytes: u64,
    cpu_s: u64,
}

impl Resources {
    /// Converts these limits. Without a user (or user namespace) of its own, the limit of processes counts
    /// all processes of our user, rivals included. The kernel's limit is then far higher, so that rivals
    /// cannot exhaust it, and the watch enforces the bot's own.
    pub(crate) fn new(limits: &Limits, own_user: bool) -> Self {
        let processes = if own_user {
            limits.processes
        } else {
            limits.processes * RIVALS + crate::reap::threads_of_user(nix::unistd::getuid().as_raw())
        };
        Self {
            data_bytes: limits.memory_mib << 20,
            // Address space is cheap and some runtimes reserve a lot. The limit targets shared mappings,
            // which `RLIMIT_DATA` does not count.
            address_bytes: (limits.memory_mib << 20) + (16 << 30),
            processes,
            open_files: limits.open_files,
            file_bytes: limits.disk_mib << 20,
            cpu_s: limits.cpu_s,
        }
    }

    fn apply(&self) -> Result<(), String> {
        for (what, resource, limit) in [
            ("memory", Resource::RLIMIT_DATA, self.data_bytes),
            ("address space", Resource::RLIMIT_AS, self.address_bytes),
            ("processes", Resource::RLIMIT_NPROC, self.processes),
            ("open files", Resource::RLIMIT_NOFILE, self.open_files),
            ("file size", Resource::RLIMIT_FSIZE, self.file_bytes),
            ("CPU time", Resource::RLIMIT_CPU, self.cpu_s),
            ("signals that wait", Resource::RLIMIT_SIGPENDING, SIGNALS),
            ("locked memory", Resource::RLIMIT_MEMLOCK, 0),
            ("message queues", Resource::RLIMIT_MSGQUEUE, 0),
            // No core dumps at all; zero would still allow a pipe to a system program: see core(5).
            ("core dumps", Resource::RLIMIT_CORE, 1),
        ] {
            // Only root may raise a hard limit.
            let most = getrlimit(resource).map_or(limit, |(_, most)| limit.min(most));
            setrlimit(resource, most, most).map_err(|error| format!("cannot limit {what}: {error}"))?;
        }
        Ok(())
    }
}

/// The zero device, which is shared memory when mapped.
pub(super) const ZERO: &str = "/dev/zero";

/// Visible files; landlock denies all others.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisibleFiles {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    /// Writable and executable paths.
    #[serde(default)]
    run: Vec<PathBuf>,
    /// Folders that may be listed but not read.
    #[serde(default)]
    list: Vec<PathBuf>,
    /// The behaviour without landlock.
    #[serde(default)]
    otherwise: WithoutLandlock,
}

/// The behaviour on a kernel without landlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WithoutLandlock {
    /// Refuse to run the bot.
    #[default]
    Refused,
    /// Run the bot: its own file system hides files already.
    Run,
}

impl VisibleFiles {
    /// The files of a bot: programs and libraries of the system, its interpreter, its own files, its scratch
    /// folder.
    pub(crate) fn for_bot(job: &Job<'_>, sharing: NamelessSharing) -> Self {
        let devices = ["/dev/full", "/dev/random", "/dev/urandom"];
        let mut read: Vec<PathBuf> = devices.map(PathBuf::from).into();
        // A mapping of the zero device is shared memory.
        read.extend((sharing == NamelessSharing::Allowed).then(|| ZERO.into()));
        read.extend(settings());
        read.extend(job.readable.files());
        read.extend(job.visible.iter().cloned());
        read.push(job.folder.to_owned());
        let write = vec![job.scratch.to_owned(), "/dev/null".into()];
        Self { read, write, run: Vec::new(), list: Vec::new(), otherwise: WithoutLandlock::Refused }
    }

    /// The files of a bot with its own file system. Folders of `/proc` can be listed, but its files stay
    /// hidden: they describe the machine, mounts and earlier processes.
    pub(super) fn inside(folder: &Path, scratch: &Path, job: &Job<'_>) -> Self {
        let mut read: Vec<PathBuf> = ["/dev", "/etc"].map(PathBuf::from).into();
        read.extend(job.readable.files());
        read.extend(job.visible.iter().filter(|shown| !scratch.starts_with(shown)).cloned());
        read.push(folder.to_owned());
        let write = vec!["/dev/null".into()];
        Self {
            read,
            write,
            run: vec![scratch.to_owned()],
            list: vec!["/proc".into()],
            otherwise: WithoutLandlock::Run,
        }
    }

    /// Applies the rules. Returns true if signals are confined to the bot's own processes too.
    fn apply(&self) -> Result<bool, String> {
        let wrong = |error: landlock::RulesetError| format!("landlock: {error}");
        let abi = ABI::V6;
        let needed = match self.otherwise {
            WithoutLandlock::Refused => CompatLevel::HardRequirement,
            WithoutLandlock::Run => CompatLevel::BestEffort,
        };
        let mut rules = Ruleset::default()
            .set_compatibility(needed)
            .handle_access(AccessFs::from_all(ABI::V1))
            .map_err(wrong)?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))
            .map_err(wrong)?
            .handle_access(AccessNet::from_all(abi))
            .map_err(wrong)?
            .scope(Scope::from_all(abi))
            .map_err(wrong)?
            .create()
            .map_err(wrong)?;
        // Files written by a bot are not executable: such a program could hide its process from inspection.
        let write = AccessFs::from_all(abi) & !AccessFs::Execute;
        let all = AccessFs::from_all(abi);
        for (paths, access) in [
            (&self.read, AccessFs::from_read(abi)),
            (&self.write, write),
            (&self.run, all),
            (&self.list, AccessFs::ReadDir.into()),
        ] {
            for path in paths {
                // A missing path needs no rule.
                let Ok(descriptor) = PathFd::new(path) else { continue };
                let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
                rules = rules.add_rule(PathBeneath::new(descriptor, access)).map_err(wrong)?;
            }
        }
        let status = rules.restrict_self().map_err(wrong)?;
        match status.ruleset {
            RulesetStatus::NotEnforced if self.otherwise == WithoutLandlock::Run => Ok(false),
            RulesetStatus::NotEnforced => Err("landlock: the kernel does not offer it".into()),
            // An older kernel cannot deny all kinds of access; the filter of system calls denies sockets.
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => {
                let scoped = |abi: ABI| !Scope::from_all(abi).is_empty();
                Ok(
                    matches!(status.landlock, LandlockStatus::Available { effective_abi, .. } if scoped(effective_abi)),
                )
            }
        }
    }
}

impl Confinement {
    fn apply(&self) -> Result<(), String> {
        // The supervisor blocks the signals that it waits for, and masks are inherited.
        SigSet::empty().thread_set_mask().map_err(|error| format!("cannot unblock signals: {error}"))?;
        for list in &self.groups {
            let wrong = |error| format!("cannot join the control group {}: {error}", list.display());
            std::fs::write(list, "0").map_err(wrong)?;
        }
        if self.new_group {
            let own = Pid::from_raw(0);
            setpgid(own, own).map_err(|error| format!("cannot make a process group: {error}"))?;
        }
        if let Some(scratch) = &self.scratch {
            // Without the right to mount, the watch limits the folder.
            let _ = scratch.apply();
        }
        if let Some(user) = self.user {
            become_user(user.id()).or_else(|_| become_user(NOBODY))?;
        }
        if self.die_with_parent {
            // After the change of user, which resets this setting.
            prctl::set_pdeathsig(Signal::SIGKILL)
                .map_err(|error| format!("cannot tie to the host: {error}"))?;
        }
        if let Some(resources) = &self.resources {
            resources.apply()?;
        }
        if self.sharing == NamelessSharing::Denied {
            // If most of a huge page is unmapped, only the mapped rest is visible to the watch. A kernel
            // without huge pages may refuse.
            let _ = prctl::set_thp_disable(true);
        }
        if self.files.is_some() || self.calls != Calls::All {
            prctl::set_no_new_privs().map_err(|error| format!("cannot give up privileges: {error}"))?;
        }
        let signals_stay = self.files.as_ref().map(VisibleFiles::apply).transpose()?.unwrap_or(false);
        restrict(self.calls, Own { pid: std::process::id(), signals_stay, sharing: self.sharing })
    }
}

/// A file system in memory over the scratch folder, in a mount namespace. The kernel limits its bytes and
/// files, and removes it with the bot's last process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScratchMount {
    folder: PathBuf,
    bytes: u64,
    files: u64,
}

impl ScratchMount {
    pub(crate) fn new(folder: &Path, limits: &Limits) -> Self {
        // Zero would be no limit.
        Self { folder: folder.to_owned(), bytes: (limits.disk_mib << 20).max(1), files: limits.files() }
    }

    fn apply(&self) -> nix::Result<()> {
        let none = None::<&str>;
        unshare(CloneFlags::CLONE_NEWNS)?;
        // Later mounts of the machine still appear in this namespace, but our mount does not appear outside.
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_SLAVE, none)?;
        // The folder itself takes one inode.
        let options = format!("size={},nr_inodes={},mode=1777", self.bytes, self.files + 1);
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("tmpfs"), &self.folder, Some("tmpfs"), flags, Some(options.as_str()))
    }
}

const NOBODY: u32 = 65_534;

fn become_user(user: u32) -> Result<(), String> {
    let wrong = |error: nix::Error| format!("cannot become user {user}: {error}");
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    setgroups(&[]).map_err(wrong)?;
    setresgid(gid, gid, gid).map_err(wrong)?;
    setresuid(uid, uid, uid).map_err(wrong)
}

/// The launcher: `ORDER -- PROGRAM ARGUMENTS…`. Supervises the program, or restricts itself and becomes it.
///
/// A binary that hosts bots calls this from a hidden subcommand, and names itself as
/// [`Launcher`](super::Launcher).
pub fn launcher_main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    launch(&arguments.into_iter().collect::<Vec<_>>()).unwrap_or_else(|complaint| {
        // The host reads this through the bot's stderr.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{complaint}\n").as_bytes());
        ExitCode::from(125)
    })
}

/// Closes descriptors that the host has inherited and passed on: a bot has three pipes.
fn close_inherited() {
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // One descriptor was the list itself, which is closed by now.
    for number in numbers.filter(|number| *number > 2).collect::<Vec<_>>() {
        let _ = nix::unistd::close(number);
    }
}

fn launch(arguments: &[OsString]) -> Result<ExitCode, String> {
    let expected = "expected ORDER -- PROGRAM ARGUMENTS";
    let [order, dashes, program, rest @ ..] = arguments else { return Err(expected.into()) };
    close_inherited();
    let order = order.to_str().and_then(|text| serde_json::from_str(text).ok());
    match order.filter(|_| dashes == "--").ok_or(expected)? {
        LauncherTask::Supervise(supervision) => supervise(&supervision, program, rest),
        LauncherTask::Begin => begin(program, rest),
        LauncherTask::Confine(confinement) => {
            confinement.apply()?;
            let error = Command::new(program).args(rest).exec();
            Err(format!("cannot run {}: {error}", program.display()))
        }
    }
}
