//! The files of a tournament: their names, and how they are written.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use meeple_lab::NewFile;
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::error::ArenaError;

/// The standings, which are proved by [`verify`](crate::verify).
pub const STANDINGS: &str = "standings.json";
pub(crate) const TABLE: &str = "standings.csv";
/// Who met whom, where there are too many competitors for a table.
pub(crate) const MATCHUPS: &str = "matchups.csv";
pub(crate) const TIMES: &str = "times.json";
pub(crate) const REPORT: &str = "report.html";
pub(crate) const PLAN: &str = "plan.json";
/// The folder of plots.
pub(crate) const PLOTS: &str = "plots";
/// The folder of what each bot did wrong.
pub(crate) const LOGS: &str = "logs";
/// The folder of the files that the match simulator of a game's original wrote.
pub const SIMULATOR_OUTPUT: &str = "output";

/// Removes the results beside a record, so that there are none of fewer episodes than it has.
pub(crate) fn remove_results(record: &Path) -> Result<(), ArenaError> {
    for name in [STANDINGS, TABLE, MATCHUPS, TIMES, REPORT] {
        let path = record.with_file_name(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ArenaError::file(&path, format!("expected to remove it: {error}")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// JSON for people to read.
pub(crate) fn pretty(data: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(data).expect("results are plain data with text keys");
    text.push('\n');
    text
}

/// A competitor's name as the name of a file.
pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// Writes a file as a whole: nobody ever sees a part of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    write_as(path, bytes, 0o666)
}

/// The same for nobody else's eyes.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    write_as(path, bytes, 0o600)
}

fn write_as(path: &Path, bytes: &[u8], mode: u32) -> Result<(), ArenaError> {
    let written =
        NewFile::beside(path, mode).and_then(|mut file| file.write_all(bytes).and_then(|()| file.persist()));
    written.map_err(|error| ArenaError::file(path, format!("expected to write it: {error}")))
}

/// Suffix of unfinished files.
const TEMPORARY: &str = ".tmp";

/// True for the name of an unfinished file that a killed run left.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.contains(TEMPORARY)
}

/// A new database that is to take its place; removed unless it does. It is locked by SQLite alone, so it is no
/// [`NewFile`]. What a kill leaves of it is known by its name.
/// As every new file it has no more rights than the user's mask leaves.
pub(crate) fn temporary(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(TEMPORARY)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
}
