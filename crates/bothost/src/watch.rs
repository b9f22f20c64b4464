//! The watch over resources of bots: memory, processes, scratch. All processes of a bot count together, at
//! any time: during its questions, during those of others, and before its hello.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
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
use crate::tree::{Stat, below, mappings, open_files, own_memory, own_share_of_memory};

/// Interval between two looks at all bots, unless a look takes more than a twentieth of a processor.
const OFTEN: Duration = Duration::from_millis(50);
/// CPU time of a usual look at a bot. Beyond it the bot itself pays, so it cannot delay the looks at others.
const USUAL_LOOK: Duration = Duration::from_micros(500);
/// The longest rest between two looks at a bot, whatever a look costs.
const MAX_REST: Duration = Duration::from_millis(250);
/// Overhead of programs beside allocated memory: stacks, and the processes of the sandbox.
const BESIDE_MIB: u64 = 32;

/// Capacity of a socket, visible only to the kernel: socket(7), `wmem_default`.
const SOCKET: u64 = 208 << 10;
/// Capacity of a pipe: pipe(7).
const PIPE: u64 = 64 << 10;

/// Upper bound on memory mappings of all processes of a bot together: the kernel's limit for one process,
/// `vm.max_map_count`. Each costs the kernel some 200 bytes, which no limit counts.
const MAPPINGS: usize = 65_530;
/// Up to this many processes may have that many mappings each, uncounted. More are stopped during a look:
/// they could take all processors, and grow while the look goes on.
const FEW: usize = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excess {
    pub code: FaultCode,
    pub detail: String,
}

/// The writable space of a bot.
#[derive(Clone, Debug)]
pub(crate) enum Room {
    /// A file system of its own, whose size the kernel limits.
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
    /// True if the kernel's limit of processes counts those of others too.
    pub shares_user: bool,
}

/// A handle: the bot is watched as long as it is held.
#[derive(Debug)]
pub(crate) struct Watch(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    subject: Subject,
    state: Mutex<State>,
    found: OnceLock<Excess>,
}

/// The bot's run state, and the time of the next look.
#[derive(Debug)]
struct State {
    /// True if the host has stopped it.
    rests: bool,
    /// True if it has run since the last look.
    has_run: bool,
    /// True if the watch has stopped it for a look.
    is_held: bool,
    next_look: Instant,
}

/// All watched bots, served by one thread.
struct Watcher {
    watched: Mutex<Vec<Arc<Watched>>>,
    more: Condvar,
}

impl Watcher {
    fn watched(&self) -> MutexGuard<'_, Vec<Arc<Watched>>> {
        // Every holder of the lock leaves a consistent state, so poison is ignored.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        loop {
            let mut watched = self.watched();
            while watched.is_empty() {
                watched = self.more.wait(watched).unwrap_or_else(PoisonError::into_inner);
            }
            let now = watched.clone();
            drop(watched);
            let mut usual = Duration::ZERO;
            for watched in &now {
                usual += watched.look_if_due().min(USUAL_LOOK);
            }
            drop(now);
            std::thread::sleep(OFTEN.max(usual * 20));
        }
    }
}

fn watcher() -> &'static Watcher {
    static WATCHER: Watcher = Watcher { watched: Mutex::new(Vec::new()), more: Condvar::new() };
    static THREAD: OnceLock<()> = OnceLock::new();
    THREAD.get_or_init(|| {
        std::thread::spawn(|| WATCHER.watch());
    });
    &WATCHER
}

impl Watch {
    /// Watches a bot from now on.
    pub(crate) fn begin(subject: Subject) -> Self {
        let state = State { rests: false, has_run: true, is_held: false, next_look: Instant::now() };
        let watched = Arc::new(Watched { subject, state: Mutex::new(state), found: OnceLock::new() });
        let watcher = watcher();
        watcher.watched().push(Arc::clone(&watched));
        watcher.more.notify_one();
        Self(watched)
    }

    /// Stops the bot: its resources stay as they are.
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
        // The kernel may have ended it before the next look.
        self.0.found.get().cloned().or_else(|| self.0.out_of_memory())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        watcher().watched().retain(|watched| !Arc::ptr_eq(watched, &self.0));
    }
}

impl Watched {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every holder of the lock leaves a consistent state, so poison is ignored.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks if a look is due and the bot can have changed. Returns its cost in CPU time: interruptions by
    /// busy bots must not postpone the next look.
    fn look_if_due(&self) -> Duration {
        let began = cpu_time();
        {
            let mut state = self.state();
            let is_due = state.next_look <= Instant::now() && self.found.get().is_none();
            if !is_due || (state.rests && !std::mem::take(&mut state.has_run)) {
                return Duration::ZERO;
            }
        }
        self.look();
        let cost = cpu_time().saturating_sub(began);
        self.state().next_look = Instant::now() + (cost * 20).min(MAX_REST);
        cost
    }

    fn look(&self) {
        let processes = self.subject.supervised.processes();
        let held = if processes.len() > FEW { self.hold() } else { None };
        // Processes made before all were stopped are visible now.
        let processes = if held.is_some() { self.subject.supervised.processes() } else { processes };
        let excess = self.excess(&processes);
        if let Some(excess) = excess {
            // Only this thread sets it.
            let _ = self.found.set(excess);
            self.subject.supervised.ask_to_end();
        }
        if let Some(group) = held {
            let mut state = self.state();
            state.is_held = false;
            if !state.rests {
                let _ = group.signal(Signal::SIGCONT);
            }
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

    fn excess(&self, processes: &[Pid]) -> Option<Excess> {
        let limited = self.subject.groups.as_ref().is_some_and(|groups| groups.limit_memory());
        let memory = || if limited { self.out_of_memory() } else { self.too_much_memory(processes) };
        // Endless forking soon exceeds the memory as well; the report names the forking.
        self.too_many_processes(processes)
            .or_else(memory)
            .or_else(|| self.too_many_mappings(processes))
            .or_else(|| self.too_much_scratch(processes))
    }

    fn out_of_memory(&self) -> Option<Excess> {
        let ran_out = self.subject.groups.as_ref()?.ran_out();
        ran_out.then(|| {
            let most = self.subject.limits.memory_mib;
            let detail = format!("its processes needed more than {most} MiB together");
            Excess { code: FaultCode::MemoryLimit, detail }
        })
    }

    fn too_much_memory(&self, processes: &[Pid]) -> Option<Excess> {
        let most = self.subject.limits.memory_mib;
        let allowed = (most + BESIDE_MIB) << 20;
        let queues = queues(processes.iter().flat_map(|pid| open_files(*pid)).map(|(name, _)| name));
        let mut held: u64 = processes.iter().map(|pid| own_memory(*pid)).sum::<u64>() + queues;
        if held > allowed {
            // Shared pages were counted once per process; the exact count takes longer.
            let share = |pid: &Pid| own_share_of_memory(*pid).unwrap_or_else(|| own_memory(*pid));
            held = processes.iter().map(share).sum::<u64>() + queues;
        }
        let detail = format!("its processes hold {} MiB together, more than {most} MiB", held >> 20);
        (held > allowed).then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    /// Also where the kernel counts the memory for mappings: readers of mapped files read these lists.
    fn too_many_mappings(&self, processes: &[Pid]) -> Option<Excess> {
        let many = processes.len() > FEW && mappings(processes, MAPPINGS) > MAPPINGS;
        let detail = format!("its processes have memory mapped in more than {MAPPINGS} places together");
        many.then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    fn too_many_processes(&self, processes: &[Pid]) -> Option<Excess> {
        let most = self.subject.limits.processes;
        let threads = |pid: &Pid| Stat::of(*pid).map(|stat| stat.threads);
        let count = || processes.iter().filter_map(threads).sum::<u64>();
        let found = self.subject.shares_user.then(count).filter(|found| *found > most)?;
        let detail = format!("it has {found} processes and threads, more than {most}");
        Some(Excess { code: FaultCode::Crash, detail })
    }

    fn too_much_scratch(&self, processes: &[Pid]) -> Option<Excess> {
        let limits = &self.subject.limits;
        let holds = match &self.subject.room {
            Room::OwnFileSystem => {
                let bot = below(self.subject.supervised.pid(), strict::DEPTH)?;
                let system = statvfs(format!("/proc/{bot}/root{}", strict::SCRATCH).as_str()).ok()?;
                Holdings { bytes: 0, files: system.files().saturating_sub(system.files_free()) }
            }
            Room::Folder(folder) => Holdings::of(folder, processes, limits),
        };
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

/// CPU time of this thread.
fn cpu_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map(Duration::from).unwrap_or_default()
}

/// Upper bound on bytes in the sockets and pipes among open files, each counted once.
fn queues(names: impl Iterator<Item = PathBuf>) -> u64 {
    let names: BTreeSet<PathBuf> = names.collect();
    let count = |kind: &[u8]| {
        let named = |name: &&PathBuf| name.as_os_str().as_encoded_bytes().starts_with(kind);
        names.iter().filter(named).count() as u64
    };
    count(b"socket:") * SOCKET + count(b"pipe:") * PIPE
}

/// The content of a folder, including deleted files that are still held.
#[derive(Default)]
struct Holdings {
    bytes: u64,
    files: u64,
}

impl Holdings {
    /// Stops early above the limits. Folders closed to us count as empty: a bot can close them only where it
    /// runs as our user without a filter against it.
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
                // Of the entry itself, not of a link's target.
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

    /// Open files without a name.
    fn add_nameless(&mut self, pid: Pid, folder: &Path, seen: &mut BTreeSet<u64>) {
        let inside = open_files(pid).filter(|(name, _)| name.starts_with(folder));
        for metadata in inside.filter_map(|(_, file)| fs::metadata(file).ok()) {
            self.add(&metadata, seen);
        }
    }

    /// Files without a name that are only mapped: counted at the limit of a file's size, since their size is
    /// unknown.
    fn add_mapped(&mut self, pid: Pid, folder: &Path, seen: &mut BTreeSet<u64>, limits: &Limits) {
        let Some(folder) = folder.to_str() else { return };
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        for line in maps.lines().filter(|line| line.contains(folder) && line.ends_with("(deleted)")) {
            let inode = line.split_whitespace().nth(4).and_then(|inode| inode.parse().ok());
            if inode.is_some_and(|inode| seen.insert(inode)) {
                self.bytes += limits.disk_mib << 20;
            }
        }
    }
}
