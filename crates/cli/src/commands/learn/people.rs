//! Replays of people's games, named in a plan.

use std::path::{Path, PathBuf};

use anyhow::Context;
use meeple_learn::NamedReplay;

use crate::failure::usage;
use crate::replay_file::read;

/// Reads the replays with these names, relative to `folder`. A file name with `*` stands for all files that
/// match it, in the order of their names.
pub fn read_all(folder: &Path, names: &[String]) -> anyhow::Result<Vec<NamedReplay>> {
    let mut games = Vec::new();
    for name in names {
        for path in named(folder, name)? {
            let (replay, _) = read(&path)?;
            games.push(NamedReplay { name: path.display().to_string(), replay });
        }
    }
    Ok(games)
}

pub fn counted(games: usize) -> String {
    match games {
        1 => "1 game of people".to_owned(),
        games => format!("{games} games of people"),
    }
}

fn named(folder: &Path, name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let path = folder.join(name);
    let pattern = match path.file_name().and_then(|last| last.to_str()) {
        Some(last) if last.contains('*') => last.to_owned(),
        _ => return Ok(vec![path]),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let listed = || -> std::io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.path().is_file() && fits(&pattern, &entry.file_name().to_string_lossy()) {
                files.push(entry.path());
            }
        }
        Ok(files)
    };
    let mut files = listed().with_context(|| format!("replays: {}", folder.display()))?;
    if files.is_empty() {
        return Err(usage(format!(
            "replays: expected files named {}, found none\nhint: names begin at the plan's folder",
            path.display()
        )));
    }
    files.sort();
    Ok(files)
}

/// Matches a name against a pattern, in which every `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut behind) = name.strip_prefix(begin) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        // The leftmost match of each part suffices: it leaves the most text for the parts that follow.
        let Some(at) = behind.find(part) else { return false };
        behind = &behind[at + part.len()..];
    }
    behind.ends_with(end)
}
