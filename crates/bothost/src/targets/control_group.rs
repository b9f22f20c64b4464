//! The control groups that a host makes for bots, and their removal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::statfs::{CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, statfs};
use serde::{Deserialize, Serialize};

use crate::pipes::breathe;

/// Prefix of the names of our groups; the process id of the host follows.
const PREFIX: &str = "meeple-";
/// Age after which a group's bot has certainly started.
const OLD: Duration = Duration::from_secs(300);
/// Attempts to remove a group while the kernel still holds its processes, one per millisecond.
const TRIES: usize = 1_000;

/// A control group that a host has made for a bot: a folder with a matching name in a file system of control
/// groups. There the kernel removes only groups without processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "PathBuf", into = "PathBuf")]
pub struct ControlGroup(PathBuf);

/// A path that cannot be a control group of a bot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a control group of a bot, found {:?}", .0)]
pub struct NoControlGroup(pub PathBuf);

impl ControlGroup {
    /// Makes a group in another one; `mark` distinguishes it from others of this host.
    pub(crate) fn make(above: &Path, mark: &str) -> io::Result<Self> {
        let path = above.join(format!("{PREFIX}{}-{mark}", std::process::id()));
        fs::create_dir(&path)?;
        // A folder made elsewhere by mistake stays, because removing it might not be safe.
        Self::try_from(path).map_err(io::Error::other)
    }

    /// The groups that hosts have left behind in another group, because they were killed with their
    /// supervisors.
    pub(crate) fn abandoned(above: &Path) -> impl Iterator<Item = Self> {
        let entries = fs::read_dir(above).into_iter().flatten().flatten();
        let old = entries.filter(|entry| {
            let changed = entry.metadata().and_then(|metadata| metadata.modified()).ok();
            // The age counts because a living host in another container has another process id here.
            changed.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > OLD)
        });
        let groups = old.filter_map(|entry| Self::try_from(entry.path()).ok());
        groups.filter(|group| {
            group.host().is_some_and(|host| !Path::new("/proc").join(host.to_string()).exists())
        })
    }

    /// The group's folder in the file system of control groups.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Process id of the host that made the group.
    fn host(&self) -> Option<u32> {
        host_of(&self.0)
    }

    /// Removes the group, once the kernel has released its processes.
    #[expect(clippy::disallowed_methods, reason = "the place where control groups are removed")]
    pub(crate) fn remove(&self) {
        for _ in 0..TRIES {
            // Checked again: the mount may have changed since.
            if !is_control_group(&self.0) {
                break;
            }
            match fs::remove_dir(&self.0) {
                Err(error) if error.raw_os_error() == Some(Errno::EBUSY as i32) => breathe(),
                _ => break,
            }
        }
    }
}

impl TryFrom<PathBuf> for ControlGroup {
    type Error = NoControlGroup;

    fn try_from(path: PathBuf) -> Result<Self, NoControlGroup> {
        let ours = path.is_absolute() && host_of(&path).is_some() && is_control_group(&path);
        if ours { Ok(Self(path)) } else { Err(NoControlGroup(path)) }
    }
}

impl From<ControlGroup> for PathBuf {
    fn from(group: ControlGroup) -> Self {
        group.0
    }
}

/// The host's process id in the name of a group.
fn host_of(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

fn is_control_group(path: &Path) -> bool {
    let kind = statfs(path).map(|system| system.filesystem_type());
    matches!(kind, Ok(CGROUP_SUPER_MAGIC | CGROUP2_SUPER_MAGIC))
}
