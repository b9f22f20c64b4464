//! Staging: a bot's files, copied into a folder of their own that the bot can read as any user.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use self::copy::Copy;
pub use self::copy::FilesError;
use self::entry::{Entry, Kind};
use crate::adapter::{AdapterError, Runner};
use crate::living;
use crate::readable::Readable;
use crate::runtime::Runtime;
use crate::shown::shown;
use crate::spec::{BotSpec, Language, Source, SpecError};
use crate::targets::OwnFolder;

mod copy;
mod entry;

/// Folder of the bot's files.
const FILES: &str = "bot";
/// Folder that the bot may write to.
const SCRATCH: &str = "scratch";

/// A bot ready to run: its files in place, its command line known.
#[derive(Debug)]
pub(crate) struct Staged {
    /// The root folder, removed with everything in it on drop.
    root: OwnFolder,
    /// Locked while this lives, so that other hosts can recognise folders of killed ones.
    _lock: File,
    pub words: Vec<String>,
    pub visible: Vec<PathBuf>,
    pub readable: Readable,
    /// Fingerprint of all files with their names, in hexadecimal; of the words for a command without files.
    pub hash: String,
}

impl Staged {
    /// Staged folders without a bot.
    pub(crate) fn empty() -> io::Result<Self> {
        for left in OwnFolder::abandoned() {
            // Another host may remove the same folder at the same time; either may succeed.
            let _ = left.remove();
        }
        let root = living::make_folder()?;
        let lock = root.lock()?;
        let (words, visible, hash) = (Vec::new(), Vec::new(), String::new());
        let staged = Self { root, _lock: lock, words, visible, readable: Readable::by_all(), hash };
        fs::create_dir(staged.folder())?;
        for folder in [staged.root.path(), &staged.folder()] {
            fs::set_permissions(folder, Permissions::from_mode(0o755))?;
        }
        staged.clear_scratch()?;
        Ok(staged)
    }

    /// Copies a bot's files and determines its command line. `others` is true if it will run as another user,
    /// who must be able to read the interpreter. `python` is the interpreter of bots in Python, if not the
    /// one on PATH.
    pub(crate) fn bot(spec: &BotSpec, others: bool, python: Option<&Path>) -> Result<Self, StageError> {
        let mut staged = Self::empty()?;
        let mut copy = Copy::new(staged.folder());
        match &spec.source {
            Source::Path(path) => {
                let given = Entry::named(path).map_err(|_| missing(path))?;
                let main = match given.kind() {
                    Kind::Folder => {
                        copy.folder(&given)?;
                        // Based on the copy, since the original folder may change.
                        spec.main_file_in(&staged.folder())?
                    }
                    _ => staged.take_along(&mut copy, &given, path)?,
                };
                staged.run_with(spec, main, others, python)?;
            }
            Source::Command(words) => {
                let program = Path::new(&words[0]);
                if program.is_relative() && words[0].contains('/') {
                    // A program of the bot's own: it is copied, its folder is not.
                    let given = Entry::named(program).map_err(|_| no_interpreter(spec, &words[0]))?;
                    staged.words = vec![text(&staged.take_along(&mut copy, &given, program)?)?];
                } else {
                    let runtime = Runtime::of_program(&words[0], others)
                        .ok_or_else(|| no_interpreter(spec, &words[0]))?;
                    staged.visible = runtime.visible;
                    staged.words = vec![text(&runtime.program)?];
                }
                for word in &words[1..] {
                    let path = Path::new(word);
                    match Entry::named(path).ok().filter(|given| given.kind() == Kind::File) {
                        Some(given) => {
                            let inside = staged.take_along(&mut copy, &given, path)?;
                            staged.words.push(text(&inside)?);
                        }
                        None => staged.words.push(word.clone()),
                    }
                }
            }
        }
        staged.readable =
            Readable::by(Path::new(&staged.words[0]), &staged.folder(), &staged.visible, others);
        staged.hash = copy.hash(match &spec.source {
            Source::Path(_) => &[],
            Source::Command(words) => words,
        });
        Ok(staged)
    }

    /// Copies a single file named by the user; returns its new path.
    fn take_along(&self, copy: &mut Copy, given: &Entry, path: &Path) -> Result<PathBuf, StageError> {
        if let Kind::Odd(what) = given.kind() {
            return Err(SpecError::odd(path, what).into());
        }
        let name = path.file_name().ok_or_else(|| missing(path))?;
        copy.file(given, Path::new(name))?;
        Ok(self.folder().join(name))
    }

    fn run_with(
        &mut self,
        spec: &BotSpec,
        main: PathBuf,
        others: bool,
        python: Option<&Path>,
    ) -> Result<(), StageError> {
        let Some(language) = Language::of(&main) else {
            self.words = vec![text(&main)?];
            return Ok(());
        };
        let runtime = match python.filter(|_| language == Language::Python) {
            Some(python) => Runtime::of_python(python, others)
                .ok_or_else(|| SpecError::Python { path: shown(spec.to_string()), python: shown(python) })?,
            None => Runtime::of_language(language, others)
                .ok_or_else(|| no_interpreter(spec, language.program()))?,
        };
        self.visible = runtime.visible;
        self.words = vec![text(&runtime.program)?];
        let runner = match language {
            Language::Python => {
                crate::adapter::needed(&main, spec.interface).map_err(|error| match error {
                    AdapterError::Unreadable(error) => StageError::from(error),
                    AdapterError::Two { name, what, hint } => FilesError::Refused { name, what, hint }.into(),
                })?
            }
            Language::JavaScript => None,
        };
        let Some(Runner { files, arguments }) = runner else {
            self.words.push(text(&main)?);
            return Ok(());
        };
        for (name, code) in &files {
            self.add(name, code).map_err(|error| FilesError::Failed { name: (*name).to_owned(), error })?;
        }
        self.words.extend([text(&self.folder().join(files[0].0))?, text(&main)?]);
        self.words.extend(arguments.into_iter().map(str::to_owned));
        Ok(())
    }

    /// Adds a file of ours beside the bot's; none of the bot's files may have its name.
    fn add(&self, name: &str, code: &str) -> io::Result<()> {
        let path = self.folder().join(name);
        let above: Vec<&Path> = Path::new(name).ancestors().skip(1).collect();
        for folder in above.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            let folder = self.folder().join(folder);
            fs::create_dir_all(&folder)?;
            fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
        }
        OpenOptions::new().write(true).create_new(true).open(&path)?.write_all(code.as_bytes())?;
        fs::set_permissions(&path, Permissions::from_mode(0o644))
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join(FILES)
    }

    /// The folder that the bot may write to.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.root.path().join(SCRATCH)
    }

    /// Replaces the scratch folder by an empty one, for a new process. The bot may write to it as any user.
    pub(crate) fn clear_scratch(&self) -> io::Result<()> {
        self.root.renew(SCRATCH)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        living::remove_folder(&self.root);
    }
}

fn text(path: &Path) -> Result<String, FilesError> {
    path.to_str().map(str::to_owned).ok_or_else(|| FilesError::NotText(shown(path)))
}

fn missing(path: &Path) -> StageError {
    SpecError::Missing(shown(path)).into()
}

fn no_interpreter(spec: &BotSpec, program: &str) -> StageError {
    SpecError::NoInterpreter { path: shown(spec.to_string()), program: shown(program) }.into()
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum StageError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error("no folder for the bot: {0}")]
    Folder(#[from] io::Error),
}
