//! Control groups. Where the kernel permits them, it counts the CPU time of all processes of a bot, including
//! ended ones. It also limits their memory together, in any form: mapped and unmapped pages, shared memory,
//! files in memory, pipes, sockets.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::targets::ControlGroup;

/// The two versions of control groups. A machine may have both, each with other controllers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    One = 1,
    Two = 2,
}

/// The resource for which a group is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Memory,
    Cpu,
}

impl Use {
    /// The name of the controller in version 1, where each controller may have a hierarchy of its own.
    fn controller(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Cpu => "cpuacct",
        }
    }
}

/// A group, or the folder in which groups for a use are made.
#[derive(Clone, Debug)]
struct Place {
    version: Version,
    folder: PathBuf,
}

/// The groups of one bot. Removed at the latest on drop; their processes must have ended by then.
#[derive(Debug)]
pub(crate) struct Groups {
    all: Vec<ControlGroup>,
    memory: Option<Place>,
    cpu: Option<Place>,
}

impl Groups {
    /// Makes groups, with a memory limit in bytes if given; none for uses that the machine does not permit.
    pub(crate) fn new(memory_bytes: Option<u64>) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed).to_string();
        let mut groups = Self { all: Vec::new(), memory: None, cpu: None };
        if let Some((bytes, place)) = memory_bytes.zip(Place::of(Use::Memory)) {
            groups.memory = groups.make(place, &number).filter(|group| group.limit(bytes));
        }
        if let Some(place) = Place::of(Use::Cpu) {
            groups.cpu = groups.make(place, &number);
        }
        groups
    }

    /// Makes a group at this place, or reuses the existing one if it serves several uses.
    fn make(&mut self, place: &Place, number: &str) -> Option<Place> {
        let made = self.all.iter().position(|own| own.path().parent() == Some(&place.folder));
        if made.is_none() {
            self.all.push(ControlGroup::make(&place.folder, number).ok()?);
        }
        let group = made.map_or(self.all.last(), |made| self.all.get(made))?;
        Some(Place { version: place.version, folder: group.path().to_owned() })
    }

    pub(crate) fn all(&self) -> &[ControlGroup] {
        &self.all
    }

    /// The lists of processes; a process joins a group by writing to its list.
    pub(crate) fn lists(&self) -> Vec<PathBuf> {
        self.all.iter().map(|group| group.path().join("cgroup.procs")).collect()
    }

    /// Removes the groups, whose processes must have ended. Their counters are lost.
    pub(crate) fn remove(&self) {
        self.all.iter().for_each(ControlGroup::remove);
    }

    pub(crate) fn limit_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns true if the kernel has killed a process for lack of memory.
    pub(crate) fn ran_out(&self) -> bool {
        let Some(group) = &self.memory else { return false };
        let text = fs::read_to_string(group.kills()).unwrap_or_default();
        text.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
    }

    /// The CPU clock of all processes, where available.
    pub(crate) fn clock(&self) -> Option<GroupClock> {
        let group = self.cpu.as_ref()?;
        let clock = GroupClock { version: group.version, file: File::open(group.usage()).ok()? };
        clock.read().is_some().then_some(clock)
    }

    pub(crate) fn offered() -> Offered {
        let version = |goal| Place::of(goal).map(|place| place.version as u8);
        let [memory, cpu_time] = [Use::Memory, Use::Cpu].map(version);
        Offered { memory, cpu_time }
    }
}

/// The usable versions of control groups, by use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offered {
    pub memory: Option<u8>,
    pub cpu_time: Option<u8>,
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.remove();
    }
}

/// The CPU clock of a group.
#[derive(Debug)]
pub(crate) struct GroupClock {
    version: Version,
    file: File,
}

impl GroupClock {
    /// CPU time of all present and past members so far.
    pub(crate) fn read(&self) -> Option<Duration> {
        let mut text = [0; 64];
        let length = self.file.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        // Only the first number is needed.
        match self.version {
            Version::One => text.trim().parse().ok().map(Duration::from_nanos),
            Version::Two => {
                let line = text.lines().next()?.strip_prefix("usage_usec ")?;
                line.parse().ok().map(Duration::from_micros)
            }
        }
    }
}

impl Place {
    /// The file with the number of processes killed for lack of memory.
    fn kills(&self) -> PathBuf {
        self.folder.join(match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        })
    }

    fn usage(&self) -> PathBuf {
        self.folder.join(match self.version {
            Version::One => "cpuacct.usage",
            Version::Two => "cpu.stat",
        })
    }

    fn limit(&self, bytes: u64) -> bool {
        let set = |file: &str, value: u64| fs::write(self.folder.join(file), value.to_string());
        // The files about swap are missing on machines without swap; version 1 counts main memory and swap
        // together.
        let set = match self.version {
            Version::One => {
                set("memory.limit_in_bytes", bytes).map(|()| set("memory.memsw.limit_in_bytes", bytes))
            }
            Version::Two => set("memory.max", bytes).map(|()| set("memory.swap.max", 0)),
        };
        set.is_ok() && self.kills().exists()
    }

    /// The folder for groups of this use, if any; probed once.
    fn of(goal: Use) -> Option<&'static Self> {
        static MEMORY: OnceLock<Option<Place>> = OnceLock::new();
        static CPU: OnceLock<Option<Place>> = OnceLock::new();
        let find = || {
            let read = |file| fs::read_to_string(file).unwrap_or_default();
            let (mounts, own) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
            let mut versions = [Version::Two, Version::One].into_iter();
            versions.find_map(|version| Self::of_version(version, goal, &mounts, &own))
        };
        match goal {
            Use::Memory => MEMORY.get_or_init(find).as_ref(),
            // In version 2 a process is in one group only, so both uses share it.
            Use::Cpu => match Self::of(Use::Memory) {
                Some(place) if place.version == Version::Two => Some(place),
                _ => CPU.get_or_init(find).as_ref(),
            },
        }
    }

    /// A usable folder: our own group's, or that of the nearest ancestor that permits groups for this use.
    fn of_version(version: Version, goal: Use, mounts: &str, own: &str) -> Option<Self> {
        let (mount, root) = mount_of(version, goal, mounts)?;
        // Inside a container our path may be outside the mounted part.
        let path = own_path(version, goal, own)?;
        let inside = mount.join(path.strip_prefix(&root).unwrap_or(Path::new("")));
        let folders = inside.ancestors().take_while(|folder| folder.starts_with(&mount));
        let works = |folder: &&Path| {
            let probe = ControlGroup::make(folder, &format!("{}-probe", goal.controller()));
            probe.is_ok_and(|probe| {
                let group = Self { version, folder: probe.path().to_owned() };
                let works = match goal {
                    Use::Memory => group.limit(1 << 30),
                    Use::Cpu => group.usage().exists(),
                };
                probe.remove();
                works
            })
        };
        let folder = folders.into_iter().find(works)?;
        // The kernel keeps groups with live processes.
        ControlGroup::abandoned(folder).for_each(|group| group.remove());
        Some(Self { version, folder: folder.to_owned() })
    }
}

/// The mount point of the hierarchy, and its mounted part: proc_pid_mountinfo(5).
fn mount_of(version: Version, goal: Use, mounts: &str) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (system, options) = (kind.next()?, kind.nth(1)?);
        let fits = match version {
            Version::Two => system == "cgroup2",
            Version::One => {
                system == "cgroup" && options.split(',').any(|option| option == goal.controller())
            }
        };
        let mut place = place.split(' ').skip(3);
        let (root, mount) = (place.next()?, place.next()?);
        fits.then(|| (mount.into(), root.into()))
    })
}

/// The path of our own group in the hierarchy: lines of number, controllers, path; cgroups(7).
fn own_path(version: Version, goal: Use, own: &str) -> Option<PathBuf> {
    own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let fits = match version {
            Version::Two => controllers.is_empty(),
            Version::One => controllers.split(',').any(|name| name == goal.controller()),
        };
        fits.then(|| path.into())
    })
}
