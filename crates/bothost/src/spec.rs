//! Which program a bot is.

use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::shown::shown;

/// Which program a bot is, as the user named it.
///
/// * `PATH.py`, `PATH.js`, …: a file, run by the interpreter its name asks for;
/// * `PATH`: a file that can be executed;
/// * `PATH/`: a folder with `main.py`, `main.js` or an executable `main`; all of it is the bot's;
/// * `cmd:WORDS`: a command line, split as a shell splits words (quotes, no expansion).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotSpec {
    /// The name in tables: file name without extension, unless given.
    pub name: String,
    /// What to run.
    pub source: Source,
}

/// What to run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A file or folder.
    Path(PathBuf),
    /// Words of a command line.
    Command(Vec<String>),
}

/// Why a bot cannot be run.
#[derive(Debug, Error)]
pub enum SpecError {
    /// There is no such file.
    #[error(
        "bot '{path}' does not exist\nhint: a bot is a file (./bot.py), a folder with a main file, or cmd:\"node bot.js\""
    )]
    Missing {
        /// As given.
        path: String,
    },
    /// It is there, but nothing says how to run it.
    #[error("bot '{path}' cannot be run: {reason}\nhint: {hint}")]
    NotRunnable {
        /// As given.
        path: String,
        /// What was found.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// Its command line cannot be read.
    #[error("bot '{text}': {reason}")]
    Command {
        /// As given.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// The interpreter that was named cannot run it.
    #[error(
        "bot '{path}': expected a Python interpreter that whoever runs bots may read, found none at '{python}'\n\
         hint: name a program, as in --python env/bin/python; at levels other than strict root's bots run as a user of \
         their own, so neither it nor what it \
         is a link to may be below a folder that is closed to others"
    )]
    Python {
        /// The bot.
        path: String,
        /// As given.
        python: String,
    },
    /// What would run it is not on this machine.
    #[error("bot '{path}' needs '{program}', which was not found\nhint: install it, or put it on PATH")]
    NoInterpreter {
        /// The bot.
        path: String,
        /// What is missing.
        program: String,
    },
}

/// Main files of a folder, in the order they are looked for.
const MAIN_FILES: [&str; 7] = ["main.py", "bot.py", "main.js", "bot.js", "main.mjs", "main", "bot"];

impl BotSpec {
    /// Whether this word of a line-up names a bot rather than a native agent: it starts with `cmd:`, contains
    /// a `/`, or ends with the extension of a script.
    pub fn looks_like_bot(text: &str) -> bool {
        text.starts_with("cmd:")
            || text.contains('/')
            || [".py", ".js", ".mjs", ".cjs"].iter().any(|ending| text.ends_with(ending))
    }

    /// Reads the text form, and checks that what it names is there and can be run.
    ///
    /// # Errors
    /// What is missing.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let words =
                split_words(command).map_err(|reason| SpecError::Command { text: shown(text), reason })?;
            let Some(program) = words.first() else {
                return Err(SpecError::Command { text: shown(text), reason: "no command".into() });
            };
            let name = words.iter().skip(1).rev().find(|word| !word.starts_with('-')).unwrap_or(program);
            return Ok(Self { name: stem(Path::new(name)), source: Source::Command(words) });
        }
        let path = PathBuf::from(text);
        let spec = Self { name: stem(&path), source: Source::Path(path.clone()) };
        spec.check_path(&path)?;
        Ok(spec)
    }

    /// The same bot under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Checks that there is a file that can be run.
    fn check_path(&self, path: &Path) -> Result<(), SpecError> {
        let metadata = path.metadata().map_err(|_| SpecError::Missing { path: shown(path) })?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            return self.main_file_in(path).map(drop);
        }
        if !kind.is_file() {
            let pipe_like = if kind.is_fifo() { "a FIFO" } else { "a socket" };
            let device = kind.is_block_device() || kind.is_char_device();
            return Err(SpecError::odd(path, if device { "a device" } else { pipe_like }));
        }
        self.check_runnable(path)
    }

    /// The file of a folder that is run.
    pub(crate) fn main_file_in(&self, folder: &Path) -> Result<PathBuf, SpecError> {
        let found = MAIN_FILES.iter().map(|name| folder.join(name)).find(|file| file.is_file());
        let main = found.ok_or_else(|| SpecError::NotRunnable {
            path: shown(self.to_string()),
            reason: "the folder has no main file".into(),
            hint: format!("expected one of {}", MAIN_FILES.join(", ")),
        })?;
        self.check_runnable(&main)?;
        Ok(main)
    }

    fn check_runnable(&self, file: &Path) -> Result<(), SpecError> {
        if Language::of(file).is_some() || is_executable(file) {
            return Ok(());
        }
        let file = shown(file);
        Err(SpecError::NotRunnable {
            path: shown(self.to_string()),
            reason: "it is not executable".into(),
            hint: format!("chmod +x {file}, or use cmd:\"PROGRAM {file}\""),
        })
    }
}

impl SpecError {
    /// It is neither a file nor a folder.
    pub(crate) fn odd(path: &Path, what: &str) -> Self {
        Self::NotRunnable {
            path: shown(path),
            reason: format!("it is {what}"),
            hint: "a bot is a file or a folder".into(),
        }
    }
}

impl std::fmt::Display for BotSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.source {
            Source::Path(path) => write!(f, "{}", path.display()),
            Source::Command(words) => write!(f, "cmd:{}", join_words(words)),
        }
    }
}

/// Languages that need an interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Python,
    JavaScript,
}

impl Language {
    pub(crate) fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "py" => Some(Self::Python),
            "js" | "mjs" | "cjs" => Some(Self::JavaScript),
            _ => None,
        }
    }
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// Splits words at blanks; `'…'` and `"…"` keep blanks, `\` keeps the next character outside `'…'`.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = letters.next().ok_or("a '\\' at the end")?;
                word.get_or_insert_default().push(next);
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(open) = quote {
        return Err(format!("the quote {open} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

fn join_words(words: &[String]) -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c))
    };
    let quoted = |word: &String| {
        if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
