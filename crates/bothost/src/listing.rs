//! The bots of a folder.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use meeple_core::Adapters;

use crate::shown::shown;
use crate::spec::{BotSpec, Language};

/// Upper bound on the bots of a folder.
const MAX_BOTS: usize = 10_000;

/// The content of a folder for a ranking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The bots, in the order of their names, as [`BotSpec::parse`] reads them.
    pub bots: Vec<String>,
    /// Entries that look like a bot but are none, safe to show.
    pub left_out: Vec<InvalidBot>,
}

/// An entry that looks like a bot but is none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct InvalidBot {
    /// Name in the listed folder.
    pub name: String,
    /// The reason why it does not play, with a hint on a line of its own.
    pub why: String,
}

/// Lists the bots of a folder: every runnable entry, except names that begin with `.` or `_`. Nothing is
/// opened.
///
/// The folder may contain files of other people. A link is therefore a bot only if it leads to something in
/// the folder; others are left out, and the user can name them.
///
/// # Errors
/// If the folder cannot be read, or holds more than 10,000 bots.
pub fn list_bots(folder: &Path, adapters: Adapters) -> io::Result<Listing> {
    let mut found = Listing::default();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        match bot_named(folder, &name, adapters) {
            Ok(bot) => found.bots.extend(bot),
            Err(why) => found.left_out.push(InvalidBot { name: shown(&name), why }),
        }
        if found.bots.len() + found.left_out.len() > MAX_BOTS {
            return Err(io::Error::other(format!("expected at most {MAX_BOTS} bots, found more")));
        }
    }
    found.bots.sort();
    found.left_out.sort();
    Ok(found)
}

fn bot_named(folder: &Path, name: &OsStr, adapters: Adapters) -> Result<Option<String>, String> {
    if [".", "_"].iter().any(|hidden| name.as_encoded_bytes().starts_with(hidden.as_bytes())) {
        return Ok(None);
    }
    let path = folder.join(name);
    let Some(text) = path.to_str() else {
        return Err("its name is not UTF-8\nhint: rename it".into());
    };
    // A path with a slash, so that it is parsed as a bot, not as an agent.
    let word = if text.contains('/') { text.to_owned() } else { format!("./{text}") };
    match BotSpec::parse(&word, adapters) {
        Ok(_) if path.is_symlink() && !leads_inside(folder, &path) => Err(format!(
            "it is a link that leads out of the folder\nhint: name it yourself, with --with '{}'",
            shown(&word)
        )),
        Ok(_) => Ok(Some(word)),
        // A script that cannot be run was meant to be a bot; other files and folders were not.
        Err(error) if Language::of(&path).is_some() => Err(error.to_string()),
        Err(_) => Ok(None),
    }
}

fn leads_inside(folder: &Path, link: &Path) -> bool {
    let (Ok(folder), Ok(target)) = (folder.canonicalize(), link.canonicalize()) else { return false };
    target.starts_with(folder)
}
