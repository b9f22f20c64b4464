//! Replay files, and atomic writes.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use meeple_arena::RecordStore;
use meeple_core::{AnyEntry, Replay, Viewer};
use meeple_games::find_game;
use meeple_lab::NewFile;
use meeple_replay::{compressed, parse_viewer};

use crate::failure::{unreadable, usage};

/// Maximal length of a replay's text, in bytes; no game here reaches it.
const LARGEST: usize = 256 << 20;

/// Reads a replay, compressed or not, and finds its game.
pub fn read(path: &Path) -> anyhow::Result<(Replay, &'static dyn AnyEntry)> {
    parse(path, &read_text(path)?)
}

/// Reads the text of a replay, compressed or not.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| unreadable(&shown.to_string(), error))?;
    meeple_replay::read_text(bytes, LARGEST).with_context(|| shown.to_string())
}

/// Reads a replay from its text and finds its game.
pub fn parse(path: &Path, text: &str) -> anyhow::Result<(Replay, &'static dyn AnyEntry)> {
    meeple_replay::parse(text).with_context(|| path.display().to_string())
}

/// Reads a replay file, or the replay of an episode from a tournament's directory.
pub fn read_episode(path: &Path, episode: Option<u64>) -> anyhow::Result<(Replay, &'static dyn AnyEntry)> {
    if !path.is_dir() {
        return match episode {
            None => read(path),
            Some(_) => Err(usage(format!(
                "--episode: expected the directory of a tournament, found {}",
                path.display()
            ))),
        };
    }
    let mut store = RecordStore::open_read_only(path)?;
    let index = episode.ok_or_else(|| {
        usage(format!("expected an episode of {}, found none\nhint: --episode 0", path.display()))
    })?;
    if index >= store.next() {
        return Err(usage(format!("--episode: expected a number below {}, found {index}", store.next())));
    }
    let replay = store.replay(index)?.with_context(|| {
        format!("the replay of episode {index} was not kept\nhint: play the tournament with --replays all")
    })?;
    let entry = find_game(&replay.game)?;
    Ok((replay, entry))
}

/// Writes a replay; compressed if the name ends in `.gz`.
pub fn write(path: &Path, replay: &Replay) -> anyhow::Result<()> {
    let text = replay.to_text();
    if path.extension().is_some_and(|extension| extension == "gz") {
        return write_atomically(path, &compressed(&text));
    }
    write_atomically(path, text.as_bytes())
}

/// Checks, before anything is played, that a replay can be written to this path. Leaves no file behind.
///
/// An existing replay may be replaced; any other file may not.
pub fn check_target(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => bail!(
            "cannot write {shown}: expected the name of a file, found a directory\n\
            hint: name a file in it, as in {}",
            path.join("game.json").display()
        ),
        Ok(there) if !there.is_file() || read(path).is_err() => bail!(
            "cannot write {shown}: something else than a replay is there\n\
            hint: choose another name, or remove it first"
        ),
        // A missing file is fine; the next line tests whether it can be written.
        _ => {}
    }
    temporary_beside(path).map(drop)
}

/// Checks, before any computation, that a new file can be written to this path; with `force`, an existing one
/// may be replaced. Leaves no file behind.
pub fn check_new_file(path: &Path, force: bool) -> anyhow::Result<()> {
    let shown = path.display();
    if path.is_dir() {
        bail!(usage(format!("cannot write {shown}: expected the name of a file, found a directory")));
    }
    if path.exists() && !force {
        bail!(usage(format!("cannot write {shown}: it is there already\nhint: --force replaces it")));
    }
    temporary_beside(path).map(drop)
}

/// An unfinished file beside its target, which is removed unless it is persisted.
fn temporary_beside(path: &Path) -> anyhow::Result<NewFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The library's error would name the temporary file, which the user does not know.
    NewFile::beside(path, 0o666).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => format!("there is no folder {}", folder.display()),
            other => other.to_string(),
        };
        anyhow::anyhow!("cannot write {}: {why}", path.display())
    })
}

pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = temporary_beside(path)?;
    let whole = file.write_all(bytes).and_then(|()| file.as_file().sync_all());
    let written = whole.and_then(|()| file.persist());
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The viewer of `--viewer`: a seat's number, `public` or `all`.
pub fn viewer(text: &str, seats: usize) -> anyhow::Result<Viewer> {
    parse_viewer(text, seats).map_err(|expected| usage(format!("--viewer: {expected}")))
}
