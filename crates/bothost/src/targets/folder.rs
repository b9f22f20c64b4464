//! The folders that a host makes for bots, and their removal.

use std::ffi::{CString, OsStr};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat, renameat};
use nix::sys::stat::{FileStat, Mode, fstat, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

/// Prefix of the names of our folders.
const PREFIX: &str = "meeple-bot-";
/// Name of the locked file in each.
const LOCK: &str = ".lock";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);
/// A folder without a lock that is older than this has no host: the lock comes right after the folder.
const ABANDONED: Duration = Duration::from_secs(300);
/// Names per read, so that a folder with millions of files costs no memory.
const BATCH: usize = 1_000;
/// Time limit for the removal of a folder. Only one that is still being filled takes longer.
const MAX_REMOVING: Duration = Duration::from_secs(120);

/// A folder below the folder for temporary files that a host of this user has made for a bot. Only this
/// folder can be removed: neither a replacement of it nor the target of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnFolder {
    path: PathBuf,
    identity: Identity,
}

/// The identity of a file: device and inode number.
type Identity = (u64, u64);

impl OwnFolder {
    /// Makes an empty folder that only our user may enter.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn make() -> io::Result<Self> {
        let private = Permissions::from_mode(0o700);
        let path = tempfile::Builder::new().prefix(PREFIX).permissions(private).tempdir_in(base()?)?.keep();
        let stat = fstat(enter(AT_FDCWD, path.as_os_str())?)?;
        Ok(Self { path, identity: identity(&stat) })
    }

    /// The folders that hosts of this user have left behind.
    pub fn abandoned() -> impl Iterator<Item = Self> {
        let entries = base().and_then(std::fs::read_dir).into_iter().flatten().flatten();
        let ours = entries.filter(|entry| entry.file_name().as_bytes().starts_with(PREFIX.as_bytes()));
        ours.filter_map(|entry| Self::if_abandoned(entry.path()))
    }

    fn if_abandoned(path: PathBuf) -> Option<Self> {
        let folder = enter(AT_FDCWD, path.as_os_str()).ok()?;
        let stat = fstat(&folder).ok()?;
        let changed = std::time::UNIX_EPOCH + Duration::from_secs(stat.st_mtime.try_into().ok()?);
        let age = changed.elapsed().unwrap_or_default();
        if age <= YOUNG || stat.st_uid != nix::unistd::geteuid().as_raw() {
            return None;
        }
        // Another kind of file with that name must not block us.
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let left = match openat(&folder, LOCK, flags, Mode::empty()) {
            Ok(lock) => File::from(lock).try_lock().is_ok(),
            // Its host was killed before it locked the folder, or during its removal.
            Err(error) => error == Errno::ENOENT && age > ABANDONED,
        };
        left.then(|| Self { path, identity: identity(&stat) })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Locks the folder as long as the file is held, which distinguishes it from folders of killed hosts.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let lock = File::create(self.path.join(LOCK))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Removes the folder with everything in it. Concurrent removal is allowed; a missing folder is no error.
    ///
    /// # Errors
    /// If something else is in its place, which stays; or if the folder cannot be emptied.
    pub fn remove(&self) -> io::Result<()> {
        let Some(folder) = self.open()? else { return Ok(()) };
        let mut removal = Removal::new();
        removal.empty(&folder)?;
        while !remove_folder(AT_FDCWD, self.path.as_os_str())? {
            removal.go_on()?;
            removal.empty(&folder)?;
        }
        Ok(())
    }

    /// Replaces the subfolder of this name by an empty one that every user may write to. The previous entry
    /// is removed; processes that still hold it write into nothing.
    ///
    /// # Errors
    /// If the previous entry cannot be removed, or the folder cannot be made.
    pub fn renew(&self, name: &str) -> io::Result<()> {
        let folder = self.open()?.ok_or(io::ErrorKind::NotFound)?;
        Removal::new().remove(&folder, OsStr::new(name))?;
        mkdirat(&folder, name, Mode::S_IRWXU)?;
        allow(&enter(&folder, OsStr::new(name))?, 0o777)
    }

    fn open(&self) -> io::Result<Option<OwnedFd>> {
        let folder = match enter(AT_FDCWD, self.path.as_os_str()) {
            Err(Errno::ENOENT) => return Ok(None),
            // A replacement is not the folder that was made.
            Err(Errno::ENOTDIR | Errno::ELOOP) => None,
            other => Some(other?),
        };
        let own = |folder: &OwnedFd| fstat(folder).is_ok_and(|stat| identity(&stat) == self.identity);
        let Some(folder) = folder.filter(own) else {
            return Err(io::Error::other(format!("{:?} is not the folder that was made", self.path)));
        };
        make_accessible(&folder)?;
        Ok(Some(folder))
    }
}

/// The parent of our folders: the folder for temporary files, with links resolved.
fn base() -> io::Result<PathBuf> {
    std::env::temp_dir().canonicalize()
}

fn identity(stat: &FileStat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

/// Opens a folder without following a link; it need not be readable.
fn enter(at: impl AsFd, name: &OsStr) -> nix::Result<OwnedFd> {
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(at, name, flags, Mode::empty())
}

/// Sets the permissions of an opened folder, whatever its name refers to by now.
fn allow(folder: &OwnedFd, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(format!("/proc/self/fd/{}", folder.as_raw_fd()), Permissions::from_mode(mode))
}

/// Restores access: a bot of our user may have closed its folders to us.
fn make_accessible(folder: &OwnedFd) -> io::Result<()> {
    let mode = fstat(folder)?.st_mode & 0o7777;
    if mode & 0o700 == 0o700 { Ok(()) } else { allow(folder, mode | 0o700) }
}

/// Some of the names in a folder, at most [`BATCH`].
fn some_names(folder: &OwnedFd) -> nix::Result<Vec<CString>> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let mut listing = Dir::openat(folder, ".", flags, Mode::empty())?;
    let names = listing.iter().map(|entry| entry.map(|entry| entry.file_name().to_owned()));
    names
        .filter(|name| !name.as_ref().is_ok_and(|name| [c".", c".."].contains(&&**name)))
        .take(BATCH)
        .collect()
}

/// Removes the content of folders. Depth costs neither stack nor descriptors, and paths may exceed the
/// longest permitted one: folders inside a folder are moved up.
struct Removal {
    deadline: Instant,
    moved: u64,
}

impl Removal {
    fn new() -> Self {
        Self { deadline: Instant::now() + MAX_REMOVING, moved: 0 }
    }

    /// Removes the entry of this name, if any.
    fn remove(&mut self, folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
        while !unlink(folder, name)? {
            let Some(inner) = entered(folder, name)? else { continue };
            self.empty(&inner)?;
            if remove_folder(folder, name)? {
                break;
            }
            self.go_on()?;
        }
        Ok(())
    }

    fn empty(&mut self, folder: &OwnedFd) -> io::Result<()> {
        loop {
            let names = some_names(folder)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in &names {
                let name = OsStr::from_bytes(name.to_bytes());
                if unlink(folder, name)? {
                    continue;
                }
                let Some(inner) = entered(folder, name)? else { continue };
                self.move_up(&inner, folder)?;
                // A folder that was filled meanwhile is examined again.
                remove_folder(folder, name)?;
            }
            self.go_on()?;
        }
    }

    /// Moves the folders inside a folder into the one above it, and removes its files.
    fn move_up(&mut self, inner: &OwnedFd, folder: &OwnedFd) -> io::Result<()> {
        loop {
            let names = some_names(inner)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in &names {
                let name = OsStr::from_bytes(name.to_bytes());
                // `entered` grants write permission, which moving a folder requires.
                if !unlink(inner, name)? && entered(inner, name)?.is_some() {
                    self.move_one_up(inner, name, folder)?;
                }
            }
            self.go_on()?;
        }
    }

    fn move_one_up(&mut self, inner: &OwnedFd, name: &OsStr, folder: &OwnedFd) -> io::Result<()> {
        loop {
            self.moved += 1;
            match renameat(inner, name, folder, format!("{}", self.moved).as_str()) {
                Ok(()) | Err(Errno::ENOENT) => return Ok(()),
                // The name is taken.
                Err(Errno::EEXIST | Errno::ENOTEMPTY | Errno::ENOTDIR) => self.go_on()?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn go_on(&self) -> io::Result<()> {
        if Instant::now() < self.deadline {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::TimedOut, "a folder fills as fast as it is emptied"))
    }
}

/// Opens a folder that must be emptied; `None` if it is gone, or no folder any more.
fn entered(folder: &OwnedFd, name: &OsStr) -> io::Result<Option<OwnedFd>> {
    match enter(folder, name) {
        Ok(inner) => make_accessible(&inner).map(|()| Some(inner)),
        Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes the entry of this name; returns false if it is a folder. A missing entry is success.
#[expect(clippy::disallowed_methods, reason = "the place where files are removed")]
fn unlink(folder: &OwnedFd, name: &OsStr) -> nix::Result<bool> {
    match unlinkat(folder, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(true),
        Err(Errno::EISDIR) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes an empty folder; returns false if it is not empty, or no folder. A missing entry is success.
#[expect(clippy::disallowed_methods, reason = "the place where folders are removed")]
fn remove_folder(at: impl AsFd, name: &OsStr) -> nix::Result<bool> {
    match unlinkat(at, name, UnlinkatFlags::RemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(true),
        Err(Errno::ENOTEMPTY | Errno::EEXIST | Errno::ENOTDIR) => Ok(false),
        Err(error) => Err(error),
    }
}
