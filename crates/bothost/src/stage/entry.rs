//! Files in folders of strangers, opened so that only content of the folder can be reached.
//!
//! An entry is opened, then examined, then read, all through the same descriptor. Opening has no side effects
//! (`O_PATH`: a FIFO does not block, a device does nothing). The examined file is the one that is read, even
//! if its name changes meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{OFlag, OpenHow, ResolveFlag, open, openat, openat2};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat};

/// A file, folder or something else, opened without side effects.
#[derive(Debug)]
pub(crate) struct Entry {
    descriptor: OwnedFd,
    stat: FileStat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// Something else, useless to a bot; its description for people.
    Odd(&'static str),
}

impl Entry {
    /// Opens a path given by the user: links are followed.
    pub(crate) fn named(path: &Path) -> nix::Result<Self> {
        Self::of(open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty())?)
    }

    /// Opens an entry of this folder by name. Links are not followed, and mount points are not entered
    /// (`EXDEV`).
    pub(crate) fn inside(&self, name: &OsStr) -> nix::Result<Self> {
        let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let opened = match openat2(&self.descriptor, name, beneath(flags)) {
            // The kernel lacks `openat2`, or a filter denies it. A single name cannot lead out of the folder.
            Err(Errno::ENOSYS | Errno::EPERM) => openat(&self.descriptor, name, flags, Mode::empty()),
            other => other,
        };
        Self::of(opened?)
    }

    /// Opens the target of a link at this path below this folder, if the target is below this folder too;
    /// otherwise `EXDEV`. The kernel enforces that; one without support returns `ENOSYS` or `EPERM`.
    pub(crate) fn through_link(&self, path: &Path) -> nix::Result<Self> {
        let open = || openat2(&self.descriptor, path, beneath(OFlag::O_PATH | OFlag::O_CLOEXEC));
        // A concurrent rename leaves the kernel uncertain: it requests a retry.
        let opened = (0..8).map(|_| open()).find(|opened| !matches!(opened, Err(Errno::EAGAIN)));
        Self::of(opened.unwrap_or(Err(Errno::EAGAIN))?)
    }

    fn of(descriptor: OwnedFd) -> nix::Result<Self> {
        let stat = fstat(&descriptor)?;
        Ok(Self { descriptor, stat })
    }

    pub(crate) fn kind(&self) -> Kind {
        match SFlag::from_bits_truncate(self.stat.st_mode & SFlag::S_IFMT.bits()) {
            SFlag::S_IFREG => Kind::File,
            SFlag::S_IFDIR => Kind::Folder,
            SFlag::S_IFLNK => Kind::Link,
            SFlag::S_IFIFO => Kind::Odd("a FIFO"),
            SFlag::S_IFSOCK => Kind::Odd("a socket"),
            SFlag::S_IFCHR | SFlag::S_IFBLK => Kind::Odd("a device"),
            _ => Kind::Odd("no file"),
        }
    }

    /// Size of a file in bytes, when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.stat.st_size.try_into().unwrap_or(0)
    }

    pub(crate) fn is_executable(&self) -> bool {
        self.stat.st_mode & 0o111 != 0
    }

    pub(crate) fn owner(&self) -> u32 {
        self.stat.st_uid
    }

    /// Returns true if the file has other names, here or elsewhere (hard links).
    pub(crate) fn has_other_names(&self) -> bool {
        self.stat.st_nlink > 1
    }

    /// Opens this very file for reading, whatever its name refers to by now. Does not wait for holders of a
    /// lease.
    pub(crate) fn read(&self) -> io::Result<File> {
        let path = format!("/proc/self/fd/{}", self.descriptor.as_raw_fd());
        File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)
    }

    /// The names in a folder, in order; `None` if there are more than this.
    pub(crate) fn names(&self, at_most: usize) -> nix::Result<Option<Vec<OsString>>> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let mut names = Vec::new();
        for entry in Dir::openat(&self.descriptor, ".", flags, Mode::empty())?.iter() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                if names.len() == at_most {
                    return Ok(None);
                }
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        names.sort();
        Ok(Some(names))
    }
}

/// Opens below a folder only: no parent of it, no absolute link, and no other file system. Links of `/proc`
/// to files that some process has open are excluded, too.
fn beneath(flags: OFlag) -> OpenHow {
    let resolve =
        ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_MAGICLINKS | ResolveFlag::RESOLVE_NO_XDEV;
    OpenHow::new().flags(flags).resolve(resolve)
}
