//! A bot's files, copied into a folder of their own that the bot can read whoever it runs as.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::living;
use crate::runtime::Runtime;
use crate::spec::{BotSpec, Language, Source, SpecError};

/// Most bytes of a bot's files.
const MOST_BYTES: u64 = 1 << 30;
/// Most files of a bot.
const MOST_FILES: usize = 20_000;

/// What the names of our folders begin with.
const PREFIX: &str = "meeple-bot-";
/// The locked file in each.
const LOCK: &str = ".lock";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);
/// A folder without a lock that is older than this has no host: the lock comes right after the folder.
const ABANDONED: Duration = Duration::from_secs(300);

/// Removes what hosts that were killed have left behind.
fn sweep() {
    let own = nix::unistd::geteuid().as_raw();
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        if age <= YOUNG || !metadata.is_dir() || metadata.uid() != own {
            continue;
        }
        let left = match fs::File::open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // Its host was killed before it locked the folder, or while it removed it.
            Err(error) => error.kind() == io::ErrorKind::NotFound && age > ABANDONED,
        };
        if left {
            // Another host may be at it too; either may win.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A bot ready to run: its files in place, its command line known.
#[derive(Debug)]
pub(crate) struct Staged {
    /// Removed with everything in it when this is dropped.
    root: TempDir,
    /// Locked as long as we live, so that others can tell what a killed host has left behind.
    _lock: fs::File,
    /// Program and arguments.
    pub words: Vec<String>,
    /// Folders that the interpreter needs.
    pub visible: Vec<PathBuf>,
    /// Of all files with their names, 64 hexadecimal digits; of the words for a command without files.
    pub hash: String,
}

impl Staged {
    /// Folders without a bot.
    pub(crate) fn empty() -> io::Result<Self> {
        sweep();
        let root = living::make_folder(|| tempfile::Builder::new().prefix(PREFIX).tempdir())?;
        let lock = fs::File::create(root.path().join(LOCK))?;
        lock.lock()?;
        let staged = Self { root, _lock: lock, words: Vec::new(), visible: Vec::new(), hash: String::new() };
        fs::set_permissions(staged.root.path(), fs::Permissions::from_mode(0o755))?;
        fs::create_dir(staged.folder())?;
        fs::create_dir(staged.scratch())?;
        // Whoever the bot runs as may write here.
        fs::set_permissions(staged.scratch(), fs::Permissions::from_mode(0o777))?;
        fs::set_permissions(staged.folder(), fs::Permissions::from_mode(0o755))?;
        Ok(staged)
    }

    /// Copies a bot's files and finds out how to run it. `others` says whether it will run as another user,
    /// who must be able to read the interpreter.
    pub(crate) fn bot(spec: &BotSpec, others: bool) -> Result<Self, StageError> {
        let mut staged = Self::empty()?;
        let mut copy = Copy { bytes: 0, files: Vec::new() };
        match &spec.source {
            Source::Path(path) => {
                let main = spec.main_file()?.expect("a path has a main file, or the call fails");
                let inside = if path.is_dir() {
                    copy.folder(path, &staged.folder(), Path::new(""))?;
                    staged.folder().join(main.strip_prefix(path).unwrap_or(&main))
                } else {
                    let name = path
                        .file_name()
                        .ok_or_else(|| SpecError::Missing { path: path.display().to_string() })?;
                    copy.file(path, &staged.folder(), Path::new(name))?;
                    staged.folder().join(name)
                };
                let language = Language::of(&main);
                staged.run_with(spec, language, inside, others)?;
            }
            Source::Command(words) => {
                let program = Path::new(&words[0]);
                let own = program.is_relative() && words[0].contains('/');
                if let Some(name) = program.file_name().filter(|_| own) {
                    // A program of the bot's own: it comes along, its folder does not.
                    if !program.is_file() {
                        return Err(no_interpreter(spec, &words[0]));
                    }
                    copy.file(program, &staged.folder(), Path::new(name))?;
                    staged.words = vec![staged.folder().join(name).display().to_string()];
                } else {
                    let runtime = Runtime::of_program(&words[0], others)
                        .ok_or_else(|| no_interpreter(spec, &words[0]))?;
                    staged.visible = runtime.visible;
                    staged.words = vec![runtime.program.display().to_string()];
                }
                for word in &words[1..] {
                    let path = Path::new(word);
                    match path.file_name().filter(|_| path.is_file()) {
                        Some(name) => {
                            copy.file(path, &staged.folder(), Path::new(name))?;
                            staged.words.push(staged.folder().join(name).display().to_string());
                        }
                        None => staged.words.push(word.clone()),
                    }
                }
            }
        }
        staged.hash = copy.hash(match &spec.source {
            Source::Path(_) => &[],
            Source::Command(words) => words,
        });
        Ok(staged)
    }

    fn run_with(
        &mut self,
        spec: &BotSpec,
        language: Option<Language>,
        main: PathBuf,
        others: bool,
    ) -> Result<(), StageError> {
        let Some(language) = language else {
            self.words = vec![main.display().to_string()];
            return Ok(());
        };
        let runtime =
            Runtime::of_language(language, others).ok_or_else(|| no_interpreter(spec, language.program()))?;
        self.visible = runtime.visible;
        self.words = vec![runtime.program.display().to_string()];
        if language == Language::Python && crate::adapter::needed(&main)? {
            let adapter = self.folder().join(crate::adapter::FILE);
            fs::write(&adapter, crate::adapter::CODE)?;
            self.words.push(adapter.display().to_string());
        }
        self.words.push(main.display().to_string());
        Ok(())
    }

    /// Where the bot's files are.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join("bot")
    }

    /// Where the bot may write.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.root.path().join("scratch")
    }

    /// Empties the scratch folder, for a new process.
    pub(crate) fn clear_scratch(&self) {
        if let Ok(entries) = fs::read_dir(self.scratch()) {
            for entry in entries.flatten() {
                let path = entry.path();
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        living::forget_folder(self.root.path());
    }
}

fn no_interpreter(spec: &BotSpec, program: &str) -> StageError {
    SpecError::NoInterpreter { path: spec.to_string(), program: program.to_owned() }.into()
}

/// Why a bot's files cannot be put in place.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StageError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("the bot's files cannot be copied: {0}")]
    Files(#[from] io::Error),
}

/// Copies files and remembers what they were.
struct Copy {
    bytes: u64,
    /// Name and digest.
    files: Vec<(PathBuf, [u8; 32])>,
}

impl Copy {
    fn folder(&mut self, from: &Path, root: &Path, name: &Path) -> io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(from)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let inner = name.join(entry.file_name());
            // What the file is, links followed: a bot may link to a file it shares with others.
            let metadata = fs::metadata(entry.path())?;
            if metadata.is_dir() {
                if entry.file_type()?.is_symlink() {
                    return Err(io::Error::other(format!(
                        "{} is a link to a folder",
                        entry.path().display()
                    )));
                }
                if [".git", "__pycache__"].iter().any(|skipped| entry.file_name() == *skipped) {
                    continue;
                }
                fs::create_dir(root.join(&inner))?;
                fs::set_permissions(root.join(&inner), fs::Permissions::from_mode(0o755))?;
                self.folder(&entry.path(), root, &inner)?;
            } else if metadata.is_file() {
                self.file(&entry.path(), root, &inner)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, root: &Path, name: &Path) -> io::Result<()> {
        if self.files.iter().any(|(known, _)| known == name) {
            return Err(io::Error::other(format!("two files named {}", name.display())));
        }
        let executable = fs::metadata(from)?.permissions().mode() & 0o111 != 0;
        let bytes = fs::read(from)?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_BYTES || self.files.len() >= MOST_FILES {
            return Err(io::Error::other(format!("more than {MOST_FILES} files or {MOST_BYTES} bytes")));
        }
        let to = root.join(name);
        fs::write(&to, &bytes)?;
        fs::set_permissions(&to, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
        self.files.push((name.to_owned(), Sha256::digest(&bytes).into()));
        Ok(())
    }

    fn hash(mut self, words: &[String]) -> String {
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
