//! Names of a tournament's files, and atomic writes.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use meeple_lab::NewFile;
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::error::ArenaError;

/// The standings, which [`verify`](crate::verify) checks.
pub const STANDINGS: &str = "standings.json";
pub(crate) const TABLE: &str = "standings.csv";
/// Pairwise results, for more competitors than fit a table.
pub(crate) const MATCHUPS: &str = "matchups.csv";
pub(crate) const TIMES: &str = "times.json";
pub(crate) const REPORT: &str = "report.html";
pub(crate) const PLAN: &str = "plan.json";
pub(crate) const PLOTS: &str = "plots";
pub(crate) const LOGS: &str = "logs";
/// The folder of the files in the format of the original's match simulator.
pub const SIMULATOR_OUTPUT: &str = "output";

/// Removes the results beside a record, which cover fewer episodes than a continued run.
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

pub(crate) fn pretty(data: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(data).expect("results are plain data with text keys");
    text.push('\n');
    text
}

pub(crate) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    write_as(path, bytes, 0o666)
}

/// Writes a file that only its owner may read.
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

/// True for names of unfinished files, and of SQLite's journal of an unfinished database. A killed run may
/// leave them.
pub(crate) fn is_temporary(name: &str) -> bool {
    let name = name.strip_suffix("-journal").unwrap_or(name);
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

/// A temporary file for a new database, beside its target path and removed unless persisted. It is no
/// [`NewFile`], because only SQLite may lock it. Like all new files it is subject to the umask.
pub(crate) fn temporary(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(TEMPORARY)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
}
