//! Copies of a bot's files, with limits on kind and amount.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use sha2::{Digest, Sha256};

use super::entry::{Entry, Kind};
use crate::shown::shown;

/// Upper bound on bytes of a bot's files.
const MAX_BYTES: u64 = 1 << 30;
/// Upper bound on files and folders of a bot.
const MAX_ENTRIES: usize = 20_000;
/// Upper bound on nested folders.
const MAX_DEPTH: usize = 64;
const CHUNK: usize = 64 << 10;
/// Folders that are no part of a bot.
const SKIPPED: [&str; 2] = [".git", "__pycache__"];

/// The reason why a bot's files are not copied.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// An entry that a bot does not need, or may not have.
    #[error("'{name}' is {what}\nhint: {hint}")]
    Refused {
        /// Path in the bot's folder, safe to show.
        name: String,
        what: String,
        hint: String,
    },
    /// Too many bytes.
    #[error("expected at most {MAX_BYTES} bytes in all, found more with '{name}' ({bytes} bytes)")]
    TooLarge { name: String, bytes: u64 },
    /// Too many files and folders, with the folder that exceeds the limit.
    #[error("expected at most {MAX_ENTRIES} files and folders, found more in '{0}'")]
    TooMany(String),
    /// Too many nested folders, with the path that exceeds the limit.
    #[error("expected at most {MAX_DEPTH} folders in each other, found more at '{0}'")]
    TooDeep(String),
    /// Two files of a command line have this name.
    #[error("two files named {0}\nhint: the files of a command line go into one folder; rename one of them")]
    Twice(String),
    /// This file was written while it was copied.
    #[error("'{0}' changes while it is copied\nhint: start again when nobody writes it")]
    Changes(String),
    /// A path that no command line can hold.
    #[error("'{0}' is not UTF-8\nhint: rename it")]
    NotText(String),
    /// An error of the system.
    #[error("'{name}': {error}")]
    Failed { name: String, error: io::Error },
}

pub(super) struct Copy {
    to: PathBuf,
    bytes: u64,
    entries: usize,
    /// Paths in the bot's folder, with SHA-256 digests of the contents.
    files: Vec<(PathBuf, [u8; 32])>,
}

impl Copy {
    pub(super) fn new(to: PathBuf) -> Self {
        Self { to, bytes: 0, entries: 0, files: Vec::new() }
    }

    pub(super) fn folder(&mut self, root: &Entry) -> Result<(), FilesError> {
        self.inner_folder(root, root, Path::new(""), 0)
    }

    fn inner_folder(
        &mut self,
        root: &Entry,
        folder: &Entry,
        path: &Path,
        depth: usize,
    ) -> Result<(), FilesError> {
        if depth > MAX_DEPTH {
            return Err(FilesError::TooDeep(shown(path)));
        }
        let names = folder.names(MAX_ENTRIES - self.entries).map_err(|error| failed(path, error))?;
        let names = names.ok_or_else(|| FilesError::TooMany(shown(path)))?;
        self.entries += names.len();
        for name in names {
            let inner = path.join(&name);
            let entry = folder.inside(&name).map_err(|error| match error {
                Errno::EXDEV => refused(&inner, MOUNTED),
                other => failed(&inner, other),
            })?;
            match entry.kind() {
                Kind::Folder if SKIPPED.iter().any(|skipped| name == *skipped) => {}
                Kind::Folder => {
                    self.make_folder(&inner)?;
                    self.inner_folder(root, &entry, &inner, depth + 1)?;
                }
                Kind::File => self.file_of_folder(root, &entry, &inner)?,
                Kind::Link => self.file_of_folder(root, &followed(root, &inner)?, &inner)?,
                Kind::Odd(what) => return Err(refused(&inner, (what, ODD))),
            }
        }
        Ok(())
    }

    fn file_of_folder(&mut self, root: &Entry, file: &Entry, name: &Path) -> Result<(), FilesError> {
        // A hard link to a file of somebody else is refused: the host may be able to read files that the
        // bot's author may not.
        if file.has_other_names() && file.owner() != root.owner() {
            return Err(refused(name, HARD_LINK));
        }
        self.file(file, name)
    }

    /// Copies a file that the user named or that belongs to the bot.
    pub(super) fn file(&mut self, file: &Entry, name: &Path) -> Result<(), FilesError> {
        if file.size() > MAX_BYTES - self.bytes {
            return Err(FilesError::TooLarge { name: shown(name), bytes: file.size() });
        }
        self.bytes += file.size();
        let digest = self.write(file, name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FilesError::Twice(shown(name)),
            _ => failed(name, error),
        })?;
        self.files.push((name.to_owned(), digest.ok_or_else(|| FilesError::Changes(shown(name)))?));
        Ok(())
    }

    /// Copies the content of a file and returns its digest; `None` if the file has changed since it was
    /// opened.
    fn write(&self, file: &Entry, name: &Path) -> io::Result<Option<[u8; 32]>> {
        let path = self.to.join(name);
        let mode = if file.is_executable() { 0o755 } else { 0o644 };
        let mut to = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path)?;
        // Independent of our umask: the bot may be another user.
        to.set_permissions(Permissions::from_mode(mode))?;
        // Reads one byte beyond the size, which is enough to notice growth; a growing file is not followed.
        let mut from = file.read()?.take(file.size() + 1);
        let mut chunk = vec![0; CHUNK];
        let (mut digest, mut copied) = (Sha256::new(), 0);
        loop {
            let read = match from.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            digest.update(&chunk[..read]);
            // Zeros are skipped, so that the holes of a sparse file take no disk space in the copy either.
            if chunk[..read].iter().all(|byte| *byte == 0) {
                to.seek_relative(read as i64)?;
            } else {
                to.write_all(&chunk[..read])?;
            }
            copied += read as u64;
        }
        to.set_len(copied)?;
        Ok((copied == file.size()).then(|| digest.finalize().into()))
    }

    fn make_folder(&self, name: &Path) -> Result<(), FilesError> {
        let path = self.to.join(name);
        let made = DirBuilder::new().mode(0o755).create(&path);
        made.and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o755)))
            .map_err(|error| failed(name, error))
    }

    /// The fingerprint of all files with their names, and of these words.
    pub(super) fn hash(mut self, words: &[String]) -> String {
        self.files.sort();
        let mut hash = Sha256::new();
        for word in words {
            hash.update(word.as_bytes());
            hash.update([0]);
        }
        for (name, digest) in &self.files {
            hash.update(name.as_os_str().as_encoded_bytes());
            hash.update([0]);
            hash.update(digest);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The bot's file that a link of the bot leads to.
fn followed(root: &Entry, link: &Path) -> Result<Entry, FilesError> {
    let found = root.through_link(link).map_err(|error| match error {
        Errno::EXDEV => refused(link, LEADS_OUT),
        Errno::ENOENT | Errno::ENOTDIR | Errno::EACCES => refused(link, LEADS_NOWHERE),
        Errno::ELOOP => refused(link, LEADS_ROUND),
        Errno::ENOSYS | Errno::EPERM => refused(link, CANNOT_TELL),
        other => failed(link, other),
    })?;
    match found.kind() {
        Kind::File => Ok(found),
        Kind::Folder => Err(refused(link, TO_FOLDER)),
        Kind::Link | Kind::Odd(_) => Err(refused(link, TO_ODD)),
    }
}

/// Description of a refused entry, and a hint.
type Refusal = (&'static str, &'static str);

const ODD: &str = "a bot brings files and folders; remove it";
const COPY_IT: &str = "put the file itself into the bot's folder";
const MOUNTED: Refusal =
    ("another file system that is mounted there", "put the files themselves into the bot's folder");
const HARD_LINK: Refusal =
    ("another name (a hard link) of a file of somebody else", "put a copy of the file into the bot's folder");
const LEADS_OUT: Refusal = ("a link that leads out of the bot's folder", COPY_IT);
const LEADS_NOWHERE: Refusal = ("a link to nothing", COPY_IT);
const LEADS_ROUND: Refusal = ("a link that leads round in a circle", COPY_IT);
const CANNOT_TELL: Refusal = ("a link, and this system cannot follow it safely (it lacks openat2)", COPY_IT);
const TO_FOLDER: Refusal = ("a link to a folder", "put the folder itself into the bot's folder");
const TO_ODD: Refusal = ("a link to something that is no file", ODD);

fn refused(name: &Path, (what, hint): Refusal) -> FilesError {
    FilesError::Refused { name: shown(name), what: what.to_owned(), hint: hint.to_owned() }
}

fn failed(name: &Path, error: impl Into<io::Error>) -> FilesError {
    FilesError::Failed { name: shown(name), error: error.into() }
}
