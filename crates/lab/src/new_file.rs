//! Atomic file replacement: readers see the old file or the new one, never a part.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// Maximum bytes of the target's name in the name of an unfinished file.
const MAX_NAME: usize = 200;
/// Unfinished files are `.NAME.meeple-RANDOM.tmp`.
const MARK: &str = ".meeple-";
const SUFFIX: &str = ".tmp";

/// A file that replaces its target once complete, and is removed otherwise.
///
/// Its writer holds a lock on it, so leftovers of killed writers are recognisable. The first new file of a
/// process in a folder removes all unlocked unfinished files there.
pub struct NewFile {
    file: NamedTempFile,
    target: PathBuf,
}

impl NewFile {
    /// Creates an empty file beside `target`. `mode` gives its Unix permissions, subject to the umask; other
    /// systems ignore `mode`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn beside(target: &Path, mode: u32) -> io::Result<Self> {
        let folder = folder_of(target);
        if is_first_in(folder) {
            remove_leftovers(folder);
        }
        let name = target.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let end = (0..=name.len().min(MAX_NAME)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
        let prefix = format!(".{}{MARK}", &name[..end]);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        loop {
            let file = builder.tempfile_in(folder)?;
            // A failure to lock is harmless: without lock support no file counts as a leftover.
            let _ = file.as_file().lock();
            // Another process may have removed the file as a leftover before it was locked.
            if is_at(file.as_file(), file.path()) {
                return Ok(Self { file, target: target.to_owned() });
            }
        }
    }

    /// Path of the unfinished file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The open file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Renames the file to its target.
    ///
    /// # Errors
    /// If the rename fails; the target is then unchanged.
    pub fn persist(self) -> io::Result<()> {
        self.file.persist(&self.target).map(drop).map_err(|error| error.error)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_first_in(folder: &Path) -> bool {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder)
}

/// Removes unfinished files of ended writers in a folder. Unreadable or undeletable files stay; they are
/// harmless.
pub fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !name.to_str().is_some_and(is_unfinished) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        match file.try_lock() {
            // Closing the file releases the lock.
            Ok(()) => drop(fs::remove_file(entry.path())),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

fn is_unfinished(name: &str) -> bool {
    let random = name.strip_suffix(SUFFIX).and_then(|name| name.rsplit_once(MARK));
    random.is_some_and(|(target, random)| {
        target.starts_with('.')
            && random.len() == 6
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(other)) => identity(own) == identity(other),
        _ => false,
    }
}

/// True if `path` exists: outside Unix, open files cannot be removed, so the file there is this one.
#[cfg(not(unix))]
pub(crate) fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}
