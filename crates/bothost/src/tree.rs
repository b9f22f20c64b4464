//! The descendants of a process, from `/proc`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::Pid;

/// The unit of CPU time in `/proc`: a hundredth of a second on every Linux machine.
const TICK: Duration = Duration::from_millis(10);

/// Reads a process through its entry in `/proc`, or through that of another of its threads. The entry of a
/// first thread that has ended shows no memory, files, mappings or root of the process. `read` returns `None`
/// for such an entry.
pub(crate) fn read_process<T>(pid: Pid, read: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let own = PathBuf::from(format!("/proc/{pid}"));
    read(&own).or_else(|| {
        let threads = fs::read_dir(own.join("task")).into_iter().flatten().flatten();
        threads.map(|thread| thread.path()).find_map(|thread| read(&thread))
    })
}

/// The text of a file in `/proc`; `None` if it is empty or cannot be read. Processes and files may have names
/// that are not UTF-8.
pub(crate) fn text_of(path: impl AsRef<Path>) -> Option<String> {
    let bytes = fs::read(path).ok().filter(|bytes| !bytes.is_empty())?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

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
        let line = text_of(format!("/proc/{pid}/stat"))?;
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

    /// True if its first thread has ended.
    fn has_lost_first_thread(self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// True if all its threads have ended.
    pub(crate) fn is_over(self) -> bool {
        self.has_lost_first_thread() && self.threads <= 1
    }

    /// True if it lives on without its first thread.
    pub(crate) fn is_headless(self) -> bool {
        self.has_lost_first_thread() && self.threads > 1
    }
}

/// Anonymous memory of a process in bytes: its own pages, touched shared pages, swapped pages, and the page
/// tables. Zero if the process is gone.
pub(crate) fn own_memory(pid: Pid) -> u64 {
    let names = ["RssAnon:", "RssShmem:", "VmSwap:", PAGE_TABLES];
    read_process(pid, |entry| sum_of(&text_of(entry.join("status"))?, &names)).unwrap_or_default()
}

const PAGE_TABLES: &str = "VmPTE:";

/// The memory mappings of a process, as in proc_pid_maps(5); empty if the process is gone.
pub(crate) fn maps(pid: Pid) -> String {
    read_process(pid, |entry| text_of(entry.join("maps"))).unwrap_or_default()
}

/// Number of memory mappings of these processes; counting stops one above `most`.
pub(crate) fn mappings(processes: &[Pid], most: usize) -> usize {
    let count = |entry: &Path, left: usize| {
        let lines = BufReader::new(fs::File::open(entry.join("maps")).ok()?).split(b'\n');
        Some(lines.map_while(Result::ok).take(left).count()).filter(|count| *count > 0)
    };
    processes.iter().fold(0, |found, pid| match most + 1 - found {
        0 => found,
        left => found + read_process(*pid, |entry| count(entry, left)).unwrap_or_default(),
    })
}

/// Open files of a process as pairs of target and path in `/proc`; none without permission.
pub(crate) fn open_files(pid: Pid) -> Vec<(PathBuf, PathBuf)> {
    let list = |entry: &Path| {
        let files = fs::read_dir(entry.join("fd")).ok()?.flatten().map(|entry| entry.path());
        let files: Vec<_> = files.filter_map(|file| Some((fs::read_link(&file).ok()?, file))).collect();
        Some(files).filter(|files| !files.is_empty())
    };
    read_process(pid, list).unwrap_or_default()
}

/// Number of local sockets in the network namespace of a process. It includes connections that wait in a
/// backlog, which belong to no process.
pub(crate) fn sockets_of_namespace(pid: Pid) -> u64 {
    let list = read_process(pid, |entry| text_of(entry.join("net/unix"))).unwrap_or_default();
    // The first line is a heading.
    list.lines().skip(1).count() as u64
}

/// Number of watches of the `epoll` instances among these open files; counting stops one above `most`.
pub(crate) fn epoll_watches(files: &[(PathBuf, PathBuf)], most: usize) -> usize {
    let is_epoll = |(name, _): &&(PathBuf, PathBuf)| name == Path::new("anon_inode:[eventpoll]");
    // The account of /proc/PID/fd/N is /proc/PID/fdinfo/N.
    let account = |(_, file): &(PathBuf, PathBuf)| {
        let path = file.parent()?.with_file_name("fdinfo").join(file.file_name()?);
        Some(BufReader::new(fs::File::open(path).ok()?).split(b'\n').map_while(Result::ok))
    };
    let lines = files.iter().filter(is_epoll).filter_map(account).flatten();
    lines.filter(|line| line.starts_with(b"tfd:")).take(most + 1).count()
}

/// As [`own_memory`], with shared pages divided among their users; `None` if the process is gone or the
/// system does not report it.
pub(crate) fn own_share_of_memory(pid: Pid) -> Option<u64> {
    read_process(pid, |entry| {
        let pages = sum_of(&text_of(entry.join("smaps_rollup"))?, &["Pss_Anon:", "Pss_Shmem:", "SwapPss:"])?;
        Some(pages + sum_of(&text_of(entry.join("status"))?, &[PAGE_TABLES])?)
    })
}

/// The sum of the lines with these names, in bytes; `None` if one is missing.
fn sum_of(text: &str, names: &[&str]) -> Option<u64> {
    let line = |name: &&str| {
        let line = text.lines().find_map(|line| line.strip_prefix(*name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    names.iter().map(line).sum::<Option<u64>>().map(|kib| kib << 10)
}
