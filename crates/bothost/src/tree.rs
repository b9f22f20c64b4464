//! The descendants of a process, from `/proc`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::Duration;

use nix::unistd::Pid;

/// The unit of CPU time in `/proc`: a hundredth of a second on every Linux machine.
const TICK: Duration = Duration::from_millis(10);

/// The children of a process, oldest first; none if it is gone or the system does not report them.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let list = lists.collect::<Vec<_>>().join(" ");
    list.split_whitespace().filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
}

/// All descendants of a process. The list may be incomplete while they run; it is complete once they are
/// stopped.
pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = children(root);
    let mut next = 0;
    while next < found.len() {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

/// The first child, repeatedly, `depth` generations below a process.
pub(crate) fn below(root: Pid, depth: usize) -> Option<Pid> {
    (0..depth).try_fold(root, |above, _| children(above).first().copied())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stat {
    /// The letter of its state, as in `ps`.
    pub state: char,
    /// CPU time of its reaped children, and of theirs.
    pub waited_for: Duration,
    pub threads: u64,
}

impl Stat {
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // After the name in parentheses, which may contain anything.
        let mut fields = line.rsplit(')').next()?.split_whitespace();
        let state = fields.next()?.chars().next()?;
        // proc_pid_stat(5): the state is field 3, so `nth` passes over 4 to 15 and takes 16, then 17, then
        // 20.
        let ticks = |field: Option<&str>| field?.parse::<u32>().ok();
        let waited_for = TICK * (ticks(fields.nth(12))? + ticks(fields.next())?);
        let threads = fields.nth(2)?.parse().ok()?;
        Some(Self { state, waited_for, threads })
    }
}

/// Anonymous memory of a process in bytes: its own pages, touched shared pages, swapped pages, and the page
/// tables. Zero if it is gone.
pub(crate) fn own_memory(pid: Pid) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    sum_of(&text, &["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"]).unwrap_or_default()
}

/// Number of memory mappings of these processes; counting stops one above `most`.
pub(crate) fn mappings(processes: &[Pid], most: usize) -> usize {
    let files = processes.iter().filter_map(|pid| fs::File::open(format!("/proc/{pid}/maps")).ok());
    files.flat_map(|file| BufReader::new(file).split(b'\n').map_while(Result::ok)).take(most + 1).count()
}

/// The open files of a process, by their names in `/proc`; none without permission.
pub(crate) fn open_files(pid: Pid) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter_map(|file| Some((fs::read_link(&file).ok()?, file)))
}

/// As [`own_memory`], with shared pages divided among their users; `None` if it is gone or the system does
/// not report it.
pub(crate) fn own_share_of_memory(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    sum_of(&text, &["Pss_Anon:", "Pss_Shmem:", "SwapPss:"])
}

/// The sum of the lines with these names, in bytes; `None` if one is missing.
fn sum_of(text: &str, names: &[&str]) -> Option<u64> {
    let line = |name: &&str| {
        let line = text.lines().find_map(|line| line.strip_prefix(*name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    names.iter().map(line).sum::<Option<u64>>().map(|kib| kib << 10)
}
