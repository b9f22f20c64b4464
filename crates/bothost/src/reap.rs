//! Processes that bots leave behind: finding and killing them.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::Pid;

use crate::clock::children;
use crate::pipes::breathe;
use crate::sandbox::TOKEN;
use crate::targets::{BotUser, GroupId, ProcessId};

/// All processes, as far as `/proc` shows them.
fn processes() -> impl Iterator<Item = Pid> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

/// The user a process runs as.
fn user_of(pid: Pid) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok())
}

/// The users that processes run as.
pub(crate) fn users_of_processes() -> BTreeSet<u32> {
    processes().filter_map(user_of).collect()
}

/// Threads of all processes of a user.
pub(crate) fn threads_of_user(user: u32) -> u64 {
    let threads = |pid: Pid| {
        let owner = std::fs::metadata(format!("/proc/{pid}")).ok()?.uid();
        let status =
            (owner == user).then(|| std::fs::read_to_string(format!("/proc/{pid}/status")).ok())??;
        status.lines().find_map(|line| line.strip_prefix("Threads:")?.trim().parse::<u64>().ok())
    };
    processes().filter_map(threads).sum()
}

/// Resident memory of some processes, in bytes.
pub(crate) fn resident_bytes(pids: &[Pid]) -> u64 {
    let pages = |pid: &Pid| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    // Pages of 4 KiB on every machine that we know the limits of; larger ones only make this lenient.
    pids.iter().filter_map(pages).sum::<u64>() * 4096
}

/// How the processes of a bot are known.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    /// The user that is the bot's alone.
    pub user: Option<BotUser>,
    /// The value of the environment variable that only its processes have.
    pub token: String,
}

impl Marks {
    fn fit(&self, pid: Pid) -> bool {
        // Once more: whoever is no user for bots by now is not killed for being that user.
        let user = self.user.map(BotUser::id).and_then(|id| BotUser::new(id).ok());
        if user.is_some_and(|user| user_of(pid) == Some(user.id())) {
            return true;
        }
        let wanted = format!("{TOKEN}={}", self.token);
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes()))
    }

    /// Kills every process with these marks, again and again until there is none, because they may multiply
    /// meanwhile.
    pub(crate) fn kill_all(&self) {
        let mut killed = Vec::new();
        for _ in 0..50 {
            let mut found = false;
            for pid in processes().filter(|pid| self.fit(*pid)) {
                // Zombies fit too, if by their user; they are gone for all that matters.
                let process = ProcessId::new(pid.as_raw());
                let killed_it = process.is_some_and(|process| process.signal(Signal::SIGKILL).is_ok());
                if killed_it && !is_zombie(pid) {
                    found = true;
                    killed.push(pid);
                }
            }
            if !found {
                break;
            }
            breathe();
        }
        wait_until_dead(&killed);
    }
}

/// The letter of a process's state, as in `ps`; `None` if it is gone.
fn state(pid: Pid) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name in parentheses, which may contain anything.
    stat.rsplit(')').next()?.trim_start().chars().next()
}

fn is_zombie(pid: Pid) -> bool {
    matches!(state(pid), None | Some('Z' | 'X'))
}

/// Waits until processes that were killed are gone: a busy machine takes its time, and meanwhile they have no marks
/// any more.
pub(crate) fn wait_until_dead(killed: &[Pid]) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline && killed.iter().any(|pid| !is_zombie(*pid)) {
        breathe();
    }
}

/// A process and those under it, at most some hundreds.
pub(crate) fn tree(root: Pid) -> Vec<Pid> {
    let mut pids = vec![root];
    let mut next = 0;
    while next < pids.len() && pids.len() < 256 {
        pids.extend(children(pids[next]));
        next += 1;
    }
    pids
}

/// Kills a child with everything under it, and reaps it.
pub(crate) fn kill_tree(child: &mut Child) {
    let pids = tree(Pid::from_raw(child.id() as i32));
    for process in pids.iter().filter_map(|pid| ProcessId::new(pid.as_raw())) {
        let _ = process.signal(Signal::SIGKILL);
    }
    let _ = child.wait();
    wait_until_dead(&pids);
}

/// Sends a signal to a process group and its leader, whichever exist.
pub(crate) fn signal_group(leader: Pid, signal: Signal) {
    if let Some(group) = GroupId::new(leader.as_raw()) {
        let _ = group.signal(signal);
    }
    if let Some(process) = ProcessId::new(leader.as_raw()) {
        let _ = process.signal(signal);
    }
}

/// Waits for a child to end, at most this long.
pub(crate) fn wait_for(child: &mut Child, at_most: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + at_most;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => breathe(),
            Ok(None) | Err(_) => return None,
        }
    }
}
