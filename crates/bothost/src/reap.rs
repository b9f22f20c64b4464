//! Running processes: their users, and the end of a child with its descendants.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Output};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::Pid;

use crate::pipes::breathe;
use crate::targets::ProcessId;
use crate::tree::{Stat, descendants, text_of};

/// Longest wait for a killed process, which ends once the kernel schedules it.
pub(crate) const REAP_TIMEOUT: Duration = Duration::from_secs(5);

/// All processes visible in `/proc`.
fn processes() -> impl Iterator<Item = Pid> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

fn user_of(pid: Pid) -> Option<u32> {
    let status = text_of(format!("/proc/{pid}/status"))?;
    status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok())
}

pub(crate) fn users_of_processes() -> BTreeSet<u32> {
    processes().filter_map(user_of).collect()
}

/// Threads of all processes of a user.
pub(crate) fn threads_of_user(user: u32) -> u64 {
    let owner = |pid: &Pid| std::fs::metadata(format!("/proc/{pid}")).map(|process| process.uid());
    let own = processes().filter(|pid| owner(pid).is_ok_and(|owner| owner == user));
    own.filter_map(Stat::of).map(|stat| stat.threads).sum()
}

/// Kills a child with its descendants, and reaps it.
pub(crate) fn kill_tree(child: &mut Child) {
    let root = Pid::from_raw(child.id() as i32);
    let mut pids = descendants(root);
    pids.push(root);
    for process in pids.iter().filter_map(|pid| ProcessId::new(pid.as_raw())) {
        let _ = process.signal(Signal::SIGKILL);
    }
    let _ = child.wait();
    // On a busy machine killed processes need time to end.
    let deadline = Instant::now() + REAP_TIMEOUT;
    while Instant::now() < deadline && pids.iter().any(|pid| !is_over(*pid)) {
        breathe();
    }
}

/// Waits for a child with little output, and kills it after this time.
pub(crate) fn finish(mut child: Child, at_most: Duration) -> Result<Output, String> {
    let deadline = Instant::now() + at_most;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return child.wait_with_output().map_err(|error| error.to_string()),
            Ok(None) if Instant::now() < deadline => breathe(),
            Ok(None) => {
                kill_tree(&mut child);
                return Err(format!("the process did not end within {} s", at_most.as_secs_f64()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Returns true if a process is gone, or dead and not yet waited for.
fn is_over(pid: Pid) -> bool {
    Stat::of(pid).is_none_or(Stat::is_over)
}
