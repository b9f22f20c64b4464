//! The watch over what bots hold: memory, processes, scratch. All processes of a bot count together, at any time:
//! while it is asked, while others are, and before it has said anything.

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

/// How often everybody is looked at, unless that takes more than a twentieth of a processor.
const OFTEN: Duration = Duration::from_millis(50);
/// CPU time that a look at a bot may take before it is this bot's own doing: it cannot slow the looks at others further.
const USUAL_LOOK: Duration = Duration::from_micros(500);
/// The longest rest between two looks at a bot, whatever a look at it costs.
const MAX_REST: Duration = Duration::from_millis(250);
/// What programs need beside the memory that they ask for: stacks, and the processes of the sandbox.
const BESIDE_MIB: u64 = 32;

/// What may wait in a socket, which nobody but the kernel sees: socket(7), `wmem_default`.
const SOCKET: u64 = 208 << 10;
/// The same of a pipe: pipe(7).
const PIPE: u64 = 64 << 10;

/// Places where all processes of a bot together may have memory mapped: as many as the kernel allows to one process,
/// `vm.max_map_count`. It needs some 200 bytes for each, which count nowhere.
const MAPPINGS: usize = 65_530;
/// So few processes may have as many each, and nobody counts. More are stopped while they are looked at: they could
/// take all processors, and grow while the look goes on.
const FEW: usize = 4;

/// What a bot holds too much of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excess {
    pub code: FaultCode,
    pub detail: String,
}

/// Where a bot may write.
#[derive(Clone, Debug)]
pub(crate) enum Room {
    /// A file system of its own, whose size the kernel limits.
    OwnFileSystem,
    /// A folder among others.
    Folder(PathBuf),
}

/// What there is to watch.
#[derive(Debug)]
pub(crate) struct Subject {
    pub supervised: Arc<Supervised>,
    pub limits: Limits,
    /// Where the kernel may limit memory, and tells when it did.
    pub groups: Option<Arc<Groups>>,
    pub room: Room,
    /// Whether the kernel's limit of processes counts those of others too.
    pub shares_user: bool,
}

/// A bot is watched as long as this is held.
#[derive(Debug)]
pub(crate) struct Watch(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    subject: Subject,
    state: Mutex<State>,
    found: OnceLock<Excess>,
}

/// Whether a bot runs, and when to look at it again.
#[derive(Debug)]
struct State {
    /// Whether the host has stopped it.
    rests: bool,
    /// Whether it has run since it was last looked at.
    has_run: bool,
    /// Whether the watch has stopped it for the time of a look.
    is_held: bool,
    next_look: Instant,
}

/// All that are watched, by one thread.
struct Watcher {
    watched: Mutex<Vec<Arc<Watched>>>,
    more: Condvar,
}

impl Watcher {
    fn watched(&self) -> MutexGuard<'_, Vec<Arc<Watched>>> {
        // Nothing that holds the lock leaves it half changed.
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
    /// From now on.
    pub(crate) fn begin(subject: Subject) -> Self {
        let state = State { rests: false, has_run: true, is_held: false, next_look: Instant::now() };
        let watched = Arc::new(Watched { subject, state: Mutex::new(state), found: OnceLock::new() });
        let watcher = watcher();
        watcher.watched().push(Arc::clone(&watched));
        watcher.more.notify_one();
        Self(watched)
    }

    /// Stops the bot: what it holds stays as it is.
    pub(crate) fn rests(&self, stop: impl FnOnce()) {
        let mut state = self.0.state();
        state.rests = true;
        stop();
    }

    /// Lets the bot go on; after the look that it is held for, if it is.
    pub(crate) fn goes_on(&self, go_on: impl FnOnce()) {
        let mut state = self.0.state();
        (state.has_run, state.rests) = (true, false);
        if !state.is_held {
            go_on();
        }
    }

    /// What it had too much of, and is ended for.
    pub(crate) fn excess(&self) -> Option<Excess> {
        // The kernel may have ended it before anybody looked.
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
        // Nothing that holds the lock leaves it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks, if it is time to and the bot can have changed. What it cost, in CPU time: that a look is interrupted by
    /// what bots do must not keep anybody from looking again.
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
        // Those that have been made before all were stopped are seen now.
        let processes = if held.is_some() { self.subject.supervised.processes() } else { processes };
        let excess = self.excess(&processes);
        if let Some(excess) = excess {
            // Nobody else sets it.
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

    /// Stops a bot that runs, if it can be stopped as one.
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
        // Whoever forks without end soon holds too much memory as well: told is what it did.
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
            // Pages that several see were counted for each of them; to know better takes longer.
            let share = |pid: &Pid| own_share_of_memory(*pid).unwrap_or_else(|| own_memory(*pid));
            held = processes.iter().map(share).sum::<u64>() + queues;
        }
        let detail = format!("its processes hold {} MiB together, more than {most} MiB", held >> 20);
        (held > allowed).then_some(Excess { code: FaultCode::MemoryLimit, detail })
    }

    /// Also where the kernel counts the memory for them: whoever looks at files that are mapped reads the lists.
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

/// What may wait in the sockets and pipes among open files, each of them counted once.
fn queues(names: impl Iterator<Item = PathBuf>) -> u64 {
    let names: BTreeSet<PathBuf> = names.collect();
    let count = |kind: &[u8]| {
        let named = |name: &&PathBuf| name.as_os_str().as_encoded_bytes().starts_with(kind);
        names.iter().filter(named).count() as u64
    };
    count(b"socket:") * SOCKET + count(b"pipe:") * PIPE
}

/// What is in a folder, or was and is still held.
#[derive(Default)]
struct Holdings {
    bytes: u64,
    files: u64,
}

impl Holdings {
    /// Stops early when there is too much. Folders that a bot has forbidden to us count as empty: it can forbid them
    /// only where it is the same user as we are and no filter keeps it from doing so.
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
                // Of the entry, not of what a link names.
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

    /// Files without a name that are open.
    fn add_nameless(&mut self, pid: Pid, folder: &Path, seen: &mut BTreeSet<u64>) {
        let inside = open_files(pid).filter(|(name, _)| name.starts_with(folder));
        for metadata in inside.filter_map(|(_, file)| fs::metadata(file).ok()) {
            self.add(&metadata, seen);
        }
    }

    /// Files without a name that are only mapped: as large as a file may be, because nobody can say.
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
