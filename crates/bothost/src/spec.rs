//! Specifications of bots: programs as the user names them.

use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use meeple_core::{Adapters, BotAdapter};
use thiserror::Error;

use crate::adapter::Interface;
use crate::shown::shown;

/// The program of a bot, as the user named it.
///
/// * `PATH.py`, `PATH.js`, …: a file, run by the interpreter for its extension;
/// * `PATH`: a file that can be executed;
/// * `PATH/`: a folder with `main.py`, `main.js` or an executable `main`; all of it is the bot's;
/// * `cmd:WORDS`: a command line, split as a shell splits words (quotes, no expansion);
/// * `PREFIX:PATH`: a Python bot, run by the adapter with this prefix without detection.
#[derive(Clone, Debug)]
pub struct BotSpec {
    /// The name in tables: file name without extension, unless given.
    pub name: String,
    /// The program to run.
    pub source: Source,
    /// The adapter named by the user, or the adapters to detect among.
    pub(crate) interface: Interface,
}

/// The source of a bot's program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A file or folder.
    Path(PathBuf),
    /// Words of a command line.
    Command(Vec<String>),
}

/// The reason why a bot cannot be run.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Debug, Error)]
pub enum SpecError {
    /// There is no file of this name.
    #[error(
        "bot '{0}' does not exist\nhint: a bot is a file (./bot.py), a folder with a main file, or cmd:\"node bot.js\""
    )]
    Missing(String),
    /// The path exists, but no interpreter or permission makes it runnable.
    #[error("bot '{path}' cannot be run: {reason}\nhint: {hint}")]
    NotRunnable { path: String, reason: String, hint: String },
    /// The command line is malformed.
    #[error("bot '{text}': {reason}")]
    Command { text: String, reason: &'static str },
    /// The named interpreter cannot run the bot.
    #[error(
        "bot '{path}': expected a Python 3 interpreter that the user who runs bots may read, found none at '{python}'\n\
         hint: name a program, as in --python python3.12 or --python env/bin/python; at levels other than strict root's \
         bots run as a user of their own, so neither it nor what it is a link to may be below a folder that is closed \
         to others"
    )]
    Python { path: String, python: String },
    /// The interpreter is missing on this machine.
    #[error("bot '{path}' needs '{program}', which was not found\nhint: install it, or put it on PATH")]
    NoInterpreter { path: String, program: String },
}

/// Main files of a folder, in order of preference.
const MAIN_FILES: [&str; 7] = ["main.py", "bot.py", "main.js", "bot.js", "main.mjs", "main", "bot"];

/// Returns true if the text begins with a name and a `:`, like an agent with settings.
fn has_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    text.split_once(':').is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(is_part))
}

impl BotSpec {
    /// Returns true if this word of a line-up names a bot rather than a native agent. A bot starts with
    /// `cmd:` or the prefix of one of these adapters, contains a `/`, or ends with the extension of a script.
    /// A name and a `:` before the `/` belong to an agent with a path among its settings
    /// (`net:runs/net.safetensors`).
    pub fn looks_like_bot(text: &str, adapters: Adapters) -> bool {
        text.starts_with("cmd:")
            || adapters.iter().any(|adapter| after_prefix(text, adapter).is_some())
            || text.contains('/') && !has_name(text)
            || [".py", ".js", ".mjs", ".cjs"].iter().any(|ending| text.ends_with(ending))
    }

    /// Parses the text form and checks that the program exists and can be run, perhaps by one of these
    /// adapters.
    ///
    /// # Errors
    /// If the program is missing or cannot be run.
    pub fn parse(text: &str, adapters: Adapters) -> Result<Self, SpecError> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let wrong = |reason| SpecError::Command { text: shown(text), reason };
            let words =
                shlex::split(command).ok_or_else(|| wrong("a quote is not closed, or a '\\' ends it"))?;
            if has_comment(command, &words) {
                return Err(wrong(
                    "a '#' begins a comment, and hides what follows\nhint: quote the word: '#…'",
                ));
            }
            let program = words.first().ok_or_else(|| wrong("no command"))?;
            let name = words.iter().skip(1).rev().find(|word| !word.starts_with('-')).unwrap_or(program);
            let (source, interface) = (Source::Command(words.clone()), Interface::Found(&[]));
            return Ok(Self { name: stem(Path::new(name)), source, interface });
        }
        let named = adapters.iter().find_map(|adapter| Some((after_prefix(text, adapter)?, *adapter)));
        let (path, interface) = match named {
            Some((path, adapter)) => (PathBuf::from(path), Interface::Named(adapter)),
            None => (PathBuf::from(text), Interface::Found(adapters)),
        };
        let spec = Self { name: stem(&path), source: Source::Path(path.clone()), interface };
        spec.check_path(&path)?;
        if named.is_some() && path.is_file() && Language::of(&path) != Some(Language::Python) {
            return Err(SpecError::NotRunnable {
                path: shown(text),
                reason: "bots of this competition are Python files".into(),
                hint: "expected a name that ends with .py".into(),
            });
        }
        Ok(spec)
    }

    /// The same bot with another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    fn check_path(&self, path: &Path) -> Result<(), SpecError> {
        let metadata = path.metadata().map_err(|_| SpecError::Missing(shown(path)))?;
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

    /// The main file of a folder.
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
    /// The error for a path that is neither a file nor a folder.
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
            Source::Path(path) => {
                if let Interface::Named(BotAdapter { prefix: Some(prefix), .. }) = self.interface {
                    write!(f, "{prefix}:")?;
                }
                write!(f, "{}", path.display())
            }
            Source::Command(words) => write!(f, "cmd:{}", quoted(words)),
        }
    }
}

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

/// The rest of a text after the prefix of an adapter; `None` without the prefix.
fn after_prefix<'a>(text: &'a str, adapter: &BotAdapter) -> Option<&'a str> {
    text.strip_prefix(adapter.prefix?)?.strip_prefix(':')
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns true if a command line that splits into these words contains a shell comment. Without comments the
/// line would split in the same way with another letter instead of `#`.
fn has_comment(command: &str, words: &[String]) -> bool {
    const LETTER: &str = "\u{e000}";
    command.contains('#')
        && shlex::split(&command.replace('#', LETTER)).is_none_or(|all| {
            let all: Vec<String> = all.iter().map(|word| word.replace(LETTER, "#")).collect();
            all != words
        })
}

/// Joins words to a command line, quoted for a shell.
pub fn quoted<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    // Patterns and lists of shells (`*`, `?`, `[`, `{`) are quoted anywhere; a home folder or a program's
    // path (`~`, `=`) only at the start. Quoting more than bash needs does no harm: zsh refuses a pattern
    // that matches no file.
    let plain = |word: &str| {
        !word.is_empty()
            && !word.starts_with('=')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c))
    };
    let one = |word: S| match word.as_ref() {
        word if plain(word) => word.to_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.into_iter().map(one).collect::<Vec<_>>().join(" ")
}
