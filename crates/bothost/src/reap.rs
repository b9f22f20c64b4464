//! Counting the processes of a user.

use std::os::unix::fs::MetadataExt;

use nix::unistd::Pid;

use crate::tree::Stat;

/// All processes, as far as `/proc` shows them.
fn processes() -> impl Iterator<Item = Pid> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

/// Threads of all processes of a user.
pub(crate) fn threads_of_user(user: u32) -> u64 {
    let owner = |pid: &Pid| std::fs::metadata(format!("/proc/{pid}")).map(|process| process.uid());
    let own = processes().filter(|pid| owner(pid).is_ok_and(|owner| owner == user));
    own.filter_map(Stat::of).map(|stat| stat.threads).sum()
}
