//! Adapters at work: which one a Python bot of an original needs, and what is put beside its file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use meeple_core::{AdapterKind, BotAdapter};

use crate::shown::shown;

/// For bots that are functions: the program that loads the modules it is told.
const FUNCTIONS: (&str, &str) = ("_meeple_adapter.py", include_str!("adapter/meeple_adapter.py"));

/// How a bot is to be run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    /// As its file looks to these.
    Found(&'static [&'static BotAdapter]),
    /// By this one, as the user said.
    Named(&'static BotAdapter),
}

/// What runs a bot's file.
#[derive(Debug)]
pub(crate) struct Runner {
    /// Paths below the bot's folder, and texts. The first is the program; its first argument is the bot's file.
    pub files: Vec<(&'static str, &'static str)>,
    /// Its other arguments.
    pub arguments: Vec<&'static str>,
}

impl Runner {
    fn launcher(adapter: &BotAdapter) -> Self {
        Self { files: adapter.files.to_vec(), arguments: Vec::new() }
    }

    fn functions<'a>(adapters: impl Iterator<Item = &'a &'static BotAdapter> + Clone) -> Self {
        let modules = adapters.clone().map(|adapter| adapter.files[0].0.trim_end_matches(".py"));
        let files = adapters.flat_map(|adapter| adapter.files).copied();
        Self { files: [FUNCTIONS].into_iter().chain(files).collect(), arguments: modules.collect() }
    }
}

/// How much of a file is looked at. Bots of the original games are a few kilobytes.
const LOOKED_AT: u64 = 4 << 20;

/// What a Python file must be run by: `None` if it reads messages itself.
///
/// # Errors
/// If it cannot be read, or is a bot of two originals that cannot be one.
pub(crate) fn needed(file: &Path, interface: Interface) -> Result<Option<Runner>, AdapterError> {
    let is_functions = |adapter: &&&BotAdapter| adapter.kind == AdapterKind::Functions;
    let adapters = match interface {
        Interface::Named(adapter) if is_functions(&&adapter) => {
            return Ok(Some(Runner::functions([adapter].iter())));
        }
        Interface::Named(adapter) => return Ok(Some(Runner::launcher(adapter))),
        Interface::Found(adapters) => adapters,
    };
    let mut bytes = Vec::new();
    File::open(file)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // Who reads lines and says hello speaks for itself, whatever functions it has.
    let speaks = (text.contains("stdin") || text.contains("input(")) && text.contains("hello");
    let claims = |adapter: &&&BotAdapter| (adapter.recognises)(&text) && !(speaks && is_functions(adapter));
    let mut found: Vec<&BotAdapter> = adapters.iter().filter(claims).copied().collect();
    found.sort_by_key(|adapter| adapter.kind == AdapterKind::Functions);
    match found.as_slice() {
        [] => Ok(None),
        // All that are functions: a bot of one may use what another brings along, and what is wrong names them all.
        [first, ..] if is_functions(&first) => {
            Ok(Some(Runner::functions(adapters.iter().filter(is_functions))))
        }
        [launcher] => Ok(Some(Runner::launcher(launcher))),
        [first, second, ..] => {
            let name = shown(file.file_name().map_or(file, Path::new));
            Err(AdapterError::Two { name, marks: [first.mark, second.mark], prefix: first.prefix })
        }
    }
}

/// Why no adapter is found.
#[derive(Debug)]
pub(crate) enum AdapterError {
    /// The bot's file cannot be read.
    Unreadable(io::Error),
    /// It is a bot of two originals.
    Two {
        /// Its name, safe to show.
        name: String,
        /// By what it is each of them.
        marks: [&'static str; 2],
        /// How the user may say that it is the first.
        prefix: Option<&'static str>,
    },
}

impl From<io::Error> for AdapterError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}
