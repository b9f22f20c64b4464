//! The watch over resources of bots: memory, processes, scratch. All processes of a bot count together, at
//! any time: during its questions, during those of others, and before its hello.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::statvfs::statvfs;
use nix::time::ClockId;
use nix::unistd::{Pid, getpgid};

use crate::fault::FaultCode;
use crate::limits::Limits;
use crate::sandbox::groups::Groups;
use crate::sandbox::strict;
use crate::supervised::Supervised;
use crate::targets::GroupId;
use crate::tree::{
    Stat, below, epoll_watches, mappings, maps, open_files, own_memory, own_share_of_memory, read_process,
    sockets_of_namespace,
};

/// Rest between two looks at a bot far from its limits, unless looks take more than a twentieth of a
/// processor.
const USUAL_REST: Duration = Duration::from_millis(50);
/// The longest rest, whatever a look costs.
const MAX_REST: Duration = Duration::from_millis(250);
/// The shortest rest, however near a limit is.
const MIN_REST: Duration = Duration::from_millis(2);
/// CPU time of a look above which the bot is stopped for the next one: it must not grow meanwhile.
const COSTLY_LOOK: Duration = Duration::from_millis(1);

/// Assumed growth per second, until a bot has grown faster: of memory, of scratch, and of processes.
const MEMORY_PER_S: u64 = 4 << 30;
const SCRATCH_PER_S: u64 = 1 << 30;
const PROCESSES_PER_S: u64 = 1000;
/// Overhead of programs beside allocated memory, in MiB: stacks, and the processes of the sandbox.
const BESIDE_MIB: u64 = 32;

/// Capacity of a socket in bytes, visible only to the kernel: socket(7), `wmem_default`.
const SOCKET: u64 = 208 << 10;
/// Capacity of a pipe in bytes: pipe(7).
const PIPE: u64 = 64 << 10;

/// Upper bound on memory mappings of all processes of a bot together: the kernel's limit for one process,
/// `vm.max_map_count`. Each costs the kernel some 200 bytes, which no limit counts.
const MAPPINGS: usize = 65_530;
/// Upper bound on `epoll` watches of all processes of a bot together. The kernel limits only those of a user
/// (`fs.epoll.max_user_watches`), which bots may share.
const EPOLL_WATCHES: usize = 16_384;
/// Up to this number of processes, mappings are not counted. The bot is then stopped only if a look is costly
/// or a process has lost its first thread. More processes could take all processors, and grow during the
/// look.
const FEW: usize = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excess {
    pub code: FaultCode,
    pub detail: String,
}

/// The writable space of a bot.
#[derive(Clone, Debug)]
pub(crate) enum Room {
    /// A file system of its own, whose size the kernel limits, in namespaces of its own.
    OwnFileSystem,
    /// A folder in a shared file system.
    Folder(PathBuf),
}

#[derive(Debug)]
pub(crate) struct Subject {
    pub supervised: Arc<Supervised>,
    pub limits: Limits,
    /// Control groups, in which the kernel may limit memory and report kills.
    pub groups: Option<Arc<Groups>>,
    pub room: Room,
    /// True if the kernel's limit of processes counts processes of others, too.
    pub shares_user: bool,
}

/// A handle: the bot is watched as long as the handle is held.
#[derive(Debug)]
pub(crate) struct Watch(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    subject: Subject,
    state: Mutex<State>,
    /// Notified when the watch ends.
    ended: Condvar,
    found: OnceLock<Excess>,
}

/// The bot's run state.
#[derive(Debug)]
struct State {
    /// True if the host has stopped the bot.
    rests: bool,
    /// True if the bot has run since the last look.
    has_run: bool,
    /// True if the watch has stopped the bot for a look, or because of an excess.
    is_held: bool,
    /// True once the watch is dropped.
    has_ended: bool,
}

impl Watch {
    /// Watches a bot from now on. The watch has a thread of its own, so a costly look at one bot does not
    /// delay looks at others.
    ///
    /// # Errors
    /// If the system has no thread for the watch.
    pub(crate) fn begin(subject: Subject) -> io::Result<Self> {
        const STACK_BYTES: usize = 256 << 10;
        let state = State { rests: false, has_run: true, is_held: false, has_ended: false };
        let watched = Arc::new(Watched {
            subject,
            state: Mutex::new(state),
            ended: Condvar::new(),
            found: OnceLock::new(),
        });
        let own = Arc::clone(&watched);
        std::thread::Builder::new()
            .name("watch".into())
            .stack_size(STACK_BYTES)
            .spawn(move || Looks::default().watch(&own))?;
        Ok(Self(watched))
    }

    /// Stops the bot; its resources cannot change until it goes on.
    pub(crate) fn rests(&self, stop: impl FnOnce()) {
        let mut state = self.0.state();
        state.rests = true;
        stop();
    }

    /// Resumes the bot, after the current look if one holds it.
    pub(crate) fn goes_on(&self, go_on: impl FnOnce()) {
        let mut state = self.0.state();
        (state.has_run, state.rests) = (true, false);
        if !state.is_held {
            go_on();
        }
    }

    /// The exceeded resource for which the bot is ended.
    pub(crate) fn excess(&self) -> Option<Excess> {
        // The kernel may have ended the bot before the next look.
        self.0.found.get().cloned().or_else(|| self.0.out_of_memory())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.state().has_ended = true;
        self.0.ended.notify_one();
    }
}

impl Watched {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every holder of the lock leaves a consistent state, so poison is ignored.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the next look is due; returns false if the watch has ended.
    fn rest(&self, rest: Duration) -> bool {
        let due = Instant::now() + rest;
        let mut state = self.state();
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if state.has_ended || left.is_zero() {
                return !state.has_ended;
            }
            state = self.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns true if the bot can have changed since the last call.
    fn can_have_changed(&self) -> bool {
        let mut state = self.state();
        !state.rests || std::mem::take(&mut state.has_run)
    }

    /// Keeps a bot that has exceeded a resource stopped, and requests its end.
    fn end(&self, excess: Excess, held: Option<GroupId>) {
        // The bot must not grow until the supervisor has killed it.
        let _ = held.or_else(|| self.hold());
        self.state().is_held = true;
        // Only the thread of the watch sets `found`.
        let _ = self.found.set(excess);
        self.subject.supervised.ask_to_end();
    }

    /// Resumes a bot after a look, unless the host has stopped it meanwhile.
    fn let_go(&self, group: GroupId) {
        let mut state = self.state();
        state.is_held = false;
        if !state.rests {
            let _ = group.signal(Signal::SIGCONT);
        }
    }

    /// Stops a running bot, if it forms one group.
    fn hold(&self) -> Option<GroupId> {
        let subject = &self.subject;
        let depth = match subject.room {
            Room::OwnFileSystem => strict::DEPTH,
            Room::Folder(_) => 1,
        };
        let leader = below(subject.supervised.pid(), depth).filter(|bot| getpgid(Some(*bot)) == Ok(*bot))?;
        let group = GroupId::new(leader.as_raw())?;
        let mut state = self.state();
        if state.rests || group.signal(Signal::SIGSTOP).is_err() {
            return None;
        }
        state.is_held = true;
        Some(group)
    }

    fn out_of_memory(&self) -> Option<Excess> {
        let ran_out = self.subject.groups.as_ref()?.ran_out();
        ran_out.then(|| {
            let most = self.subject.limits.memory_mib;
            let detail = format!("its processes needed more than {most} MiB together");
            Excess { code: FaultCode::MemoryLimit, detail }
        })
    }

    /// Returns true if the kernel limits memory.
    fn is_memory_limited(&self) -> bool {
        self.subject.groups.as_ref().is_some_and(|groups| groups.limit_memory())
    }

    /// The memory held by these processes together, and the largest allowed. Below the limit the sum may be
    /// too high, because shared pages count once per process.
    fn memory(&self, processes: &[Pid], files: &[(PathBuf, PathBuf)]) -> Use {
        let allowed = (self.subject.limits.memory_mib + BESIDE_MIB) << 20;
        let sockets = match self.subject.room {
            Room::OwnFileSystem => {
                below(self.subject.supervised.pid(), strict::DEPTH).map(sockets_of_namespace)
            }
            Room::Folder(_) => None,
        };
        let queues = queues(files, sockets.unwrap_or_default());
        let mut held: u64 = processes.iter().map(|pid| own_memory(*pid)).sum::<u64>() + queues;
        if held > allowed {
            // Shared pages were counted once per process; the exact count takes longer.
            let share = |pid: &Pid| own_share_of_memory(*pid).unwrap_or_else(|| own_memory(*pid));
            held = processes.iter().map(share).sum::<u64>() + queues;
        }
        Use { held, allowed }
    }

    fn too_much_memory(&self, used: Use) -> Option<Excess> {
        let most = self.subject.limits.memory_mib;
        let detail = format!("its processes hold {} MiB together, more than {most} MiB", used.held >> 20);
        used.is_over().then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    /// The excess of mappings, checked even where the kernel counts their memory, because looks at mapped
    /// files read these lists.
    fn too_many_mappings(&self, processes: &[Pid]) -> Option<Excess> {
        let many = processes.len() > FEW && mappings(processes, MAPPINGS) > MAPPINGS;
        let detail = format!("its processes have memory mapped in more than {MAPPINGS} places together");
        many.then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    fn too_many_watches(&self, files: &[(PathBuf, PathBuf)]) -> Option<Excess> {
        let many =
            self.subject.supervised.user().is_none() && epoll_watches(files, EPOLL_WATCHES) > EPOLL_WATCHES;
        let detail = format!("its processes watch files in more than {EPOLL_WATCHES} places together");
        many.then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    /// The processes and threads of a bot that shares its user with others; the kernel's limit is then too
    /// wide.
    fn processes(&self, processes: &[Pid]) -> Option<Use> {
        let threads = |pid: &Pid| Stat::of(*pid).map(|stat| stat.threads);
        let held = || processes.iter().filter_map(threads).sum::<u64>();
        self.subject.shares_user.then(|| Use { held: held(), allowed: self.subject.limits.processes })
    }

    fn too_many_processes(&self, used: Use) -> Option<Excess> {
        let detail = format!("it has {} processes and threads, more than {}", used.held, used.allowed);
        used.is_over().then_some(Excess { code: FaultCode::Crash, detail })
    }

    /// The content of the scratch folder; `None` if the bot is gone.
    fn scratch(&self, processes: &[Pid]) -> Option<Scratch> {
        let root = self.subject.supervised.pid();
        let inside = |entry: &Path, folder: &str| PathBuf::from(format!("{}/root{folder}", entry.display()));
        match &self.subject.room {
            Room::OwnFileSystem => read_process(below(root, strict::DEPTH)?, |entry| {
                Scratch::of_file_system(&inside(entry, strict::SCRATCH))
            }),
            Room::Folder(folder) => {
                let name = folder.to_str()?;
                let device = |path: &Path| fs::metadata(path).ok().map(|file| file.dev());
                let outside = device(folder);
                let own = read_process(below(root, 1)?, |entry| {
                    let path = inside(entry, name);
                    device(&path).map(|own| (own, path))
                });
                if let Some((_, path)) = own.filter(|(own, _)| Some(*own) != outside) {
                    return Scratch::of_file_system(&path);
                }
                let holds = Holdings::of(folder, processes, &self.subject.limits);
                Some(Scratch { holds, is_limited: false })
            }
        }
    }

    fn too_much_scratch(&self, holds: &Holdings) -> Option<Excess> {
        let limits = &self.subject.limits;
        let (most_bytes, most_files) = (limits.disk_mib << 20, limits.files());
        let detail = if holds.bytes > most_bytes {
            format!("its scratch folder holds {} MiB, more than {} MiB", holds.bytes >> 20, limits.disk_mib)
        } else if holds.files > most_files {
            format!("its scratch folder holds {} files, more than {most_files}", holds.files)
        } else {
            return None;
        };
        Some(Excess { code: FaultCode::OutputLimit, detail })
    }
}

/// The looks at one bot, and its growth between them.
struct Looks {
    memory: Growth,
    scratch: Growth,
    processes: Growth,
    /// True if the bot is stopped before the next look begins.
    holds: bool,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            memory: Growth::at_least(MEMORY_PER_S),
            scratch: Growth::at_least(SCRATCH_PER_S),
            processes: Growth::at_least(PROCESSES_PER_S),
            holds: false,
        }
    }
}

impl Looks {
    /// Looks at a bot until the bot or the watch is ended.
    fn watch(&mut self, watched: &Watched) {
        let mut rest = Duration::ZERO;
        while watched.rest(rest) {
            if !watched.can_have_changed() {
                continue;
            }
            let began = cpu_time();
            let Some(left) = self.look(watched, rest) else { return };
            let cost = cpu_time().saturating_sub(began);
            self.holds |= cost > COSTLY_LOOK;
            rest = rest_after(cost, left);
        }
    }

    /// Looks at a bot after this rest. Returns the time until the bot may reach a limit; `None` if the bot is
    /// ended.
    fn look(&mut self, watched: &Watched, rest: Duration) -> Option<Duration> {
        let list = || watched.subject.supervised.processes();
        let mut held = if self.holds { watched.hold() } else { None };
        let mut processes = list();
        // Threads that replace each other could end before they are read, unless they are stopped.
        let is_headless = |pid: &Pid| Stat::of(*pid).is_some_and(Stat::is_headless);
        self.holds = processes.len() > FEW || processes.iter().any(is_headless);
        if self.holds && held.is_none() {
            held = watched.hold();
            // Processes made before all were stopped are visible now.
            processes = list();
        }
        match self.limits(watched, &processes, rest) {
            Ok(left) => {
                if let Some(group) = held {
                    watched.let_go(group);
                }
                Some(left)
            }
            Err(excess) => {
                watched.end(excess, held);
                None
            }
        }
    }

    /// Compares what these processes use with the limits.
    fn limits(&mut self, watched: &Watched, processes: &[Pid], rest: Duration) -> Result<Duration, Excess> {
        let refuse = |excess: Option<Excess>| excess.map_or(Ok(()), Err);
        let mut left = Duration::MAX;
        // Endless forking soon exceeds the memory as well; the report names the forking.
        if let Some(used) = watched.processes(processes) {
            refuse(watched.too_many_processes(used))?;
            left = left.min(self.processes.time_left(used, rest));
        }
        let is_limited = watched.is_memory_limited();
        let files = if is_limited && watched.subject.supervised.user().is_some() {
            Vec::new()
        } else {
            processes.iter().flat_map(|pid| open_files(*pid)).collect()
        };
        refuse(watched.too_many_watches(&files))?;
        if is_limited {
            refuse(watched.out_of_memory())?;
        } else {
            let used = watched.memory(processes, &files);
            refuse(watched.too_much_memory(used))?;
            left = left.min(self.memory.time_left(used, rest));
        }
        refuse(watched.too_many_mappings(processes))?;
        if let Some(Scratch { holds, is_limited }) = watched.scratch(processes) {
            refuse(watched.too_much_scratch(&holds))?;
            if !is_limited {
                let used = Use { held: holds.bytes, allowed: watched.subject.limits.disk_mib << 20 };
                left = left.min(self.scratch.time_left(used, rest));
            }
        }
        Ok(left)
    }
}

/// The rest after a look. Looks take a twentieth of a processor, and more only where a limit may be reached.
/// Even there a bot that is stopped during looks runs a fifth of the time.
fn rest_after(cost: Duration, left: Duration) -> Duration {
    let affordable = USUAL_REST.max(cost * 20).min(MAX_REST);
    affordable.min(left.max(MIN_REST).max(cost / 4))
}

/// The used part of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Use {
    held: u64,
    allowed: u64,
}

impl Use {
    fn is_over(self) -> bool {
        self.held > self.allowed
    }
}

/// Expected growth of a resource per second: twice the latest growth, and at least an assumed one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Growth {
    assumed: u64,
    expected: u64,
    held: u64,
}

impl Growth {
    const fn at_least(assumed: u64) -> Self {
        Self { assumed, expected: assumed, held: 0 }
    }

    /// The time until the limit may be reached, with this use found after this rest.
    fn time_left(&mut self, used: Use, rest: Duration) -> Duration {
        let grown = used.held.saturating_sub(std::mem::replace(&mut self.held, used.held)) as f64;
        let latest = (2.0 * grown / rest.max(MIN_REST).as_secs_f64()) as u64;
        // The expectation halves at most at each look, so that pauses between bursts are not taken for calm.
        self.expected = self.assumed.max(latest).max(self.expected / 2);
        Duration::from_secs_f64(used.allowed.saturating_sub(used.held) as f64 / self.expected as f64)
    }
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map(Duration::from).unwrap_or_default()
}

/// Upper bound on bytes in queues: the sockets, pipes and named pipes among open files, each counted once.
/// Further sockets count if there are at least `sockets` of them.
fn queues(files: &[(PathBuf, PathBuf)], sockets: u64) -> u64 {
    let queue = |(name, file): &(PathBuf, PathBuf)| {
        let bytes = name.as_os_str().as_encoded_bytes();
        if bytes.starts_with(b"socket:") {
            return Some((name.clone(), SOCKET));
        }
        if bytes.starts_with(b"pipe:") {
            return Some((name.clone(), PIPE));
        }
        // Several named pipes may have had the same name, so their inodes tell them apart.
        let metadata = fs::metadata(file).ok().filter(|metadata| metadata.file_type().is_fifo())?;
        Some((format!("{}:{}", metadata.dev(), metadata.ino()).into(), PIPE))
    };
    let open: BTreeMap<_, _> = files.iter().filter_map(queue).collect();
    let known = open.values().filter(|bytes| **bytes == SOCKET).count() as u64;
    open.values().sum::<u64>() + sockets.saturating_sub(known) * SOCKET
}

/// The content of a scratch folder.
struct Scratch {
    holds: Holdings,
    /// True if the kernel limits its bytes.
    is_limited: bool,
}

impl Scratch {
    /// The content of a file system that belongs to the bot.
    fn of_file_system(path: &Path) -> Option<Self> {
        let system = statvfs(path).ok()?;
        let bytes = system.blocks().saturating_sub(system.blocks_free()) * system.fragment_size();
        let files = system.files().saturating_sub(system.files_free());
        Some(Self { holds: Holdings { bytes, files }, is_limited: true })
    }
}

/// The content of a folder, including deleted files that are still held.
#[derive(Default)]
struct Holdings {
    bytes: u64,
    files: u64,
}

impl Holdings {
    /// The content of a folder; counting stops above the limit of files. Folders closed to us count as empty:
    /// a bot can close them only where it runs as our user without a filter against it.
    fn of(folder: &Path, processes: &[Pid], limits: &Limits) -> Self {
        let mut holds = Self::default();
        let mut seen = BTreeSet::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).into_iter().flatten();
            for entry in entries.flatten() {
                holds.files += 1;
                if holds.files > limits.files() {
                    return holds;
                }
                // Metadata of the entry itself, not of a link's target.
                let Ok(metadata) = entry.metadata() else { continue };
                holds.add(&metadata, &mut seen);
                if metadata.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        for pid in processes {
            holds.add_nameless(*pid, folder, &mut seen);
            holds.add_mapped(*pid, folder, &mut seen, limits);
        }
        holds
    }

    fn add(&mut self, metadata: &Metadata, seen: &mut BTreeSet<u64>) {
        if seen.insert(metadata.ino()) {
            self.bytes += metadata.blocks() * 512;
        }
    }

    /// Adds open files that have no name any more.
    fn add_nameless(&mut self, pid: Pid, folder: &Path, seen: &mut BTreeSet<u64>) {
        let inside = open_files(pid).into_iter().filter(|(name, _)| name.starts_with(folder));
        for metadata in inside.filter_map(|(_, file)| fs::metadata(file).ok()) {
            self.add(&metadata, seen);
        }
    }

    /// Adds files without a name that are only mapped. They count at the limit of a file's size, since their
    /// size is unknown.
    fn add_mapped(&mut self, pid: Pid, folder: &Path, seen: &mut BTreeSet<u64>, limits: &Limits) {
        let Some(folder) = folder.to_str() else { return };
        let maps = maps(pid);
        for line in maps.lines().filter(|line| line.contains(folder) && line.ends_with("(deleted)")) {
            let inode = line.split_whitespace().nth(4).and_then(|inode| inode.parse().ok());
            if inode.is_some_and(|inode| seen.insert(inode)) {
                self.bytes += limits.disk_mib << 20;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const MIB: u64 = 1 << 20;

    #[test]
    fn looks_come_sooner_near_a_limit() {
        let mut growth = Growth::at_least(1000 * MIB);
        let mut left = |held| growth.time_left(Use { held, allowed: 500 * MIB }, 50 * MS);
        assert_eq!(left(0), 500 * MS);
        // 20 MiB in 50 ms are 400 MiB a second, and twice that is less than what is assumed.
        assert_eq!(left(20 * MIB), 480 * MS);
        assert_eq!(left(480 * MIB).as_millis(), 20 * 1000 / (2 * 20 * 460));
        assert_eq!(left(500 * MIB), Duration::ZERO);
        assert_eq!(left(600 * MIB), Duration::ZERO);
    }

    #[test]
    fn a_pause_is_not_taken_for_calm() {
        let mut growth = Growth::at_least(100 * MIB);
        let mut left = |held| growth.time_left(Use { held, allowed: 900 * MIB }, 100 * MS);
        // 400 MiB in 100 ms: 8,000 MiB a second are expected.
        assert_eq!(left(400 * MIB).as_micros(), 62_500);
        assert_eq!(left(400 * MIB).as_micros(), 125_000);
        assert_eq!(left(400 * MIB).as_micros(), 250_000);
        for _ in 0..10 {
            left(400 * MIB);
        }
        assert_eq!(left(400 * MIB), 5000 * MS, "it has been calm for long");
    }

    #[test]
    fn rests_depend_on_cost_only_far_from_limits() {
        for (cost, left, rest) in [
            (0, 10_000, 50),
            (10, 10_000, 200),
            (500, 10_000, 250),
            (10, 60, 60),
            (0, 1, 2),
            (10, 1, 2),
            (100, 0, 25),
            (2000, 0, 250),
        ] {
            let found = rest_after(cost * MS, left * MS);
            // Whole milliseconds: a quarter of 10 ms is 2.5.
            assert_eq!(found.as_millis(), rest, "cost {cost} ms, {left} ms left");
        }
    }
}
