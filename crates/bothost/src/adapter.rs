//! Selection of the adapter that a Python bot needs, and the files that it adds to the bot's folder.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use meeple_core::{AdapterKind, Adapters, BotAdapter};

use crate::shown::shown;

/// Adapter program for bots that are functions. It loads the modules named in its arguments.
const FUNCTIONS: (&str, &str) = ("_meeple_adapter.py", include_str!("adapter/meeple_adapter.py"));

#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    /// The adapter is detected from the bot's file, among these.
    Found(Adapters),
    /// The adapter named by the user.
    Named(&'static BotAdapter),
}

/// Program that runs a bot's file.
#[derive(Debug)]
pub(crate) struct Runner {
    /// Pairs of a path below the bot's folder and a content. The first file is the program; its first
    /// argument is the bot's file.
    pub files: Vec<(&'static str, &'static str)>,
    /// Arguments of the program after the bot's file.
    pub arguments: Vec<&'static str>,
}

/// Largest part of a file that is examined, in bytes. Bots of the original games have a few kilobytes.
const LOOKED_AT: u64 = 4 << 20;

/// The runner that a Python file needs; `None` if the bot reads messages itself. Fails if the file combines
/// two originals that exclude each other.
pub(crate) fn needed(file: &Path, interface: Interface) -> Result<Option<Runner>, AdapterError> {
    let adapters = match interface {
        Interface::Named(adapter) => return Ok(Some(runner(adapter.kind, &[adapter]))),
        Interface::Found(adapters) => adapters,
    };
    let mut bytes = Vec::new();
    File::open(file)?.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // A program that reads lines and says hello speaks the protocol itself, whatever functions it has.
    let speaks = (text.contains("stdin") || text.contains("input(")) && text.contains("hello");
    let (functions, launchers): (Vec<&BotAdapter>, Vec<&BotAdapter>) =
        adapters.iter().partition(|adapter| adapter.kind == AdapterKind::Functions);
    let is_one = |adapter: &&&BotAdapter| (adapter.recognises)(&text);
    let mut found =
        launchers.iter().filter(is_one).chain(functions.iter().filter(is_one).filter(|_| !speaks));
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        // All function adapters: a bot of one original may use modules of another, and an error then names
        // all originals.
        (Some(BotAdapter { kind: AdapterKind::Functions, .. }), _) => {
            Ok(Some(runner(AdapterKind::Functions, &functions)))
        }
        (Some(launcher), None) => Ok(Some(runner(AdapterKind::Launcher, &[launcher]))),
        (Some(launcher), Some(other)) => {
            let or = |prefix| format!(", or say {prefix}:PATH for the bot that {}", launcher.mark);
            Err(AdapterError::Two {
                name: shown(file.file_name().map_or(file, Path::new)),
                what: format!("two bots in one file: it {} and {}", launcher.mark, other.mark),
                hint: format!("put each into a file of its own{}", launcher.prefix.map_or(String::new(), or)),
            })
        }
    }
}

fn runner(kind: AdapterKind, adapters: &[&BotAdapter]) -> Runner {
    let files = adapters.iter().flat_map(|adapter| adapter.files).copied();
    let modules = adapters.iter().map(|adapter| adapter.files[0].0.trim_end_matches(".py"));
    match kind {
        AdapterKind::Launcher => Runner { files: files.collect(), arguments: Vec::new() },
        AdapterKind::Functions => {
            Runner { files: [FUNCTIONS].into_iter().chain(files).collect(), arguments: modules.collect() }
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum AdapterError {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A bot of two originals: its name (safe to show), a description, and a hint.
    #[error("'{name}' is {what}\nhint: {hint}")]
    Two { name: String, what: String, hint: String },
}
