//! The launcher: restricts itself, then becomes the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Uid, setgroups, setresgid, setresuid, setsid};
use serde::{Deserialize, Serialize};

use super::{Job, calls};
use crate::limits::Limits;
use crate::targets::BotUser;

/// What the launcher denies itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confinement {
    /// Leads a session and process group of its own.
    pub new_session: bool,
    /// Dies when the host dies.
    pub die_with_parent: bool,
    /// Becomes this user.
    pub user: Option<BotUser>,
    /// Limits its resources.
    pub resources: Option<Resources>,
    /// Sees only these files.
    pub files: Option<Files>,
    /// System calls denied.
    pub calls: Calls,
}

/// Which system calls are denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Calls {
    /// None.
    #[default]
    Nothing,
    /// Those that lead out of namespaces or into the kernel's odd corners.
    Escapes,
    /// These, and sockets, signals and sessions too: for bots that share our process space.
    Everything,
}

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
    /// By these limits. Unless the bot has a user (or a user namespace) of its own, all our processes count
    /// against the limit of processes, so they are added.
    pub(crate) fn new(limits: &Limits, own_user: bool) -> Self {
        let others = if own_user { 0 } else { crate::reap::threads_of_user(nix::unistd::getuid().as_raw()) };
        Self {
            data_bytes: limits.memory_mib << 20,
            // Address space is cheap and some runtimes reserve a lot; this is against shared mappings, which
            // the limit of data does not count.
            address_bytes: (limits.memory_mib << 20) + (16 << 30),
            processes: limits.processes + others,
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
            ("core dumps", Resource::RLIMIT_CORE, 0),
        ] {
            setrlimit(resource, limit, limit).map_err(|error| format!("cannot limit {what}: {error}"))?;
        }
        Ok(())
    }
}

/// Files that may be seen; all others are denied by landlock.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
}

impl Files {
    /// What a bot needs: the system's programs and libraries, its interpreter, its own files, its scratch
    /// folder.
    pub(crate) fn for_bot(job: &Job<'_>) -> Self {
        let system = [
            "/usr",
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/etc/ld.so.cache",
            "/etc/alternatives",
            "/dev/zero",
            "/dev/random",
            "/dev/urandom",
        ];
        let mut read: Vec<PathBuf> = system.iter().map(PathBuf::from).collect();
        read.extend(job.visible.iter().cloned());
        read.push(job.folder.to_owned());
        Self { read, write: vec![job.scratch.to_owned(), "/dev/null".into()] }
    }

    fn apply(&self) -> Result<(), String> {
        let wrong = |error: landlock::RulesetError| format!("landlock: {error}");
        let abi = ABI::V6;
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
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
        for (paths, access) in
            [(&self.read, AccessFs::from_read(abi)), (&self.write, AccessFs::from_all(abi))]
        {
            for path in paths {
                // What does not exist needs no rule.
                let Ok(descriptor) = PathFd::new(path) else { continue };
                let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
                rules = rules.add_rule(PathBeneath::new(descriptor, access)).map_err(wrong)?;
            }
        }
        let status = rules.restrict_self().map_err(wrong)?;
        match status.ruleset {
            RulesetStatus::NotEnforced => Err("landlock: the kernel does not offer it".into()),
            // An older kernel cannot deny all kinds of access; the filter of system calls does for sockets.
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }
}

impl Confinement {
    /// As an argument for the launcher.
    pub(crate) fn to_argument(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    fn apply(&self) -> Result<(), String> {
        if self.new_session {
            setsid().map_err(|error| format!("cannot make a session: {error}"))?;
        }
        if let Some(user) = self.user {
            become_user(user.id()).or_else(|_| become_user(NOBODY))?;
        }
        if self.die_with_parent {
            // After the change of user, which would reset it.
            prctl::set_pdeathsig(Signal::SIGKILL)
                .map_err(|error| format!("cannot tie to the host: {error}"))?;
        }
        if let Some(resources) = &self.resources {
            resources.apply()?;
        }
        prctl::set_no_new_privs().map_err(|error| format!("cannot give up privileges: {error}"))?;
        if let Some(files) = &self.files {
            files.apply()?;
        }
        calls::deny(self.calls)
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

/// The launcher: `CONFINEMENT -- PROGRAM ARGUMENTS…`. Restricts itself and then becomes the program; returns
/// only if that fails.
///
/// A binary that hosts bots calls this from a hidden subcommand, and names itself as [`Launcher`](super::Launcher).
pub fn launcher_main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match launch(arguments.into_iter().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            // Nobody else is there to tell: this is the bot's stderr.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{complaint}\n").as_bytes());
            ExitCode::from(125)
        }
    }
}

fn launch(arguments: Vec<OsString>) -> Result<(), String> {
    let [confinement, dashes, program, rest @ ..] = arguments.as_slice() else {
        return Err("expected CONFINEMENT -- PROGRAM ARGUMENTS".into());
    };
    let confinement: Confinement = confinement
        .to_str()
        .and_then(|text| serde_json::from_str(text).ok())
        .filter(|_| dashes == "--")
        .ok_or("expected CONFINEMENT -- PROGRAM ARGUMENTS")?;
    confinement.apply()?;
    let error = Command::new(program).args(rest).exec();
    Err(format!("cannot run {}: {error}", program.display()))
}
