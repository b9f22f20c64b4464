//! Which of other people's crates work in the benchmarks although they are built without optimisation.
//!
//! The default build optimises only those that are named in the root manifest. Who belongs there is measured: every
//! setting of `benches/settings` is played under callgrind, with few and with many episodes, and a crate with a share of
//! the instructions between them is told.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{cargo, metadata, root};

/// Least share of a setting's instructions that is worth a line in the manifest.
const LEAST_SHARE: f64 = 0.005;

/// How many settings are played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// All: a few minutes.
    Whole,
    /// Two of them, in less than a minute.
    Quick,
}

impl Effort {
    /// Of these settings, those that are played.
    fn chosen(self, settings: &str) -> Vec<&str> {
        let lines = settings.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        match self {
            Self::Whole => lines.collect(),
            // Not the first two: they are often of the same game.
            Self::Quick => lines.step_by(2).take(2).collect(),
        }
    }
}

/// Fails if a crate that is not optimised takes part in the work of a benchmark.
pub(crate) fn unoptimised(effort: Effort) -> Result<()> {
    let root = root()?;
    if !cargo().args(["build", "--release", "--quiet"]).current_dir(&root).status()?.success() {
        bail!("the release build fails");
    }
    let crates = foreign_crates(&root)?;
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let optimised = optimised(&manifest);
    let settings =
        fs::read_to_string(root.join("benches/settings")).context("cannot read benches/settings")?;
    let mut wrong = BTreeSet::new();
    for line in effort.chosen(&settings) {
        let mut words = line.split_whitespace();
        let (few, many) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let setting: Vec<&str> = words.collect();
        let (few, many) = (profile(&root, few, &setting)?, profile(&root, many, &setting)?);
        for (name, share) in shares(&few, &many, &crates) {
            let listed = optimised.contains(&name);
            println!(
                "{:5.1} %  {name}{}  ({})",
                100.0 * share,
                if listed { "" } else { ": not optimised" },
                setting.join(" ")
            );
            if share >= LEAST_SHARE && !listed {
                wrong.insert(name);
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = wrong.into_iter().collect();
    bail!(
        "{} work in a benchmark without optimisation\nhint: name them in [profile.release.package]",
        names.join(", ")
    )
}

/// What callgrind says of a setting.
fn profile(root: &Path, episodes: &str, setting: &[&str]) -> Result<String> {
    let out = std::env::temp_dir().join(format!("meeple-callgrind-{}", std::process::id()));
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", &format!("--callgrind-out-file={}", out.display())])
        .arg(root.join("target/release/meeple"))
        .arg("sim")
        .args(setting)
        .args(["--threads", "1", "--json", "-n", episodes])
        .output()
        .context("cannot run valgrind\nhint: apt-get install valgrind")?;
    if !ran.status.success() {
        bail!("sim {}: {}", setting.join(" "), String::from_utf8_lossy(&ran.stderr));
    }
    let told = Command::new("callgrind_annotate").args(["--threshold=99.9"]).arg(&out).output()?;
    let _ = fs::remove_file(&out);
    Ok(String::from_utf8_lossy(&told.stdout).into_owned())
}

/// The library names of all crates that are not ours.
fn foreign_crates(root: &Path) -> Result<BTreeMap<String, String>> {
    let metadata = metadata(root, &[])?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let foreign = packages.iter().filter(|package| !package["source"].is_null());
    Ok(foreign
        .filter_map(|package| package["name"].as_str())
        .map(|name| (name.replace('-', "_"), name.to_owned()))
        .collect())
}

/// The crates that the manifest optimises.
fn optimised(manifest: &str) -> BTreeSet<String> {
    let table = manifest.split("[profile.release.package]").nth(1).unwrap_or_default();
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" = { opt-level = ")?.0.to_owned())).collect()
}

/// The share of each of these crates in what many episodes take more than few, greatest first, by what
/// `callgrind_annotate` prints of both: what the program does once, as reading its command line, is no work of a game.
fn shares(few: &str, many: &str, crates: &BTreeMap<String, String>) -> Vec<(String, f64)> {
    let (few, many) = (counts(few, crates), counts(many, crates));
    let more = |name: &str| {
        let of = |counts: &BTreeMap<String, f64>| counts.get(name).copied().unwrap_or_default();
        of(&many) - of(&few)
    };
    let total = more(TOTAL).max(1.0);
    let names = many.keys().filter(|name| *name != TOTAL);
    let mut shares: Vec<(String, f64)> = names.map(|name| (name.clone(), more(name) / total)).collect();
    shares.sort_by(|one, other| other.1.total_cmp(&one.1));
    shares
}

/// The row of all instructions.
const TOTAL: &str = "PROGRAM TOTALS";

/// The instructions of each of these crates, and of all.
fn counts(told: &str, crates: &BTreeMap<String, String>) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for line in told.lines() {
        // `1,234 ( 5.00%)  FILE:FUNCTION [OBJECT]`
        let Some((count, function)) = line.split_once("%)") else { continue };
        let count = count.split('(').next().unwrap_or_default().trim().replace(',', "");
        let Ok(count) = count.parse::<f64>() else { continue };
        if function.trim() == TOTAL {
            counts.insert(TOTAL.to_owned(), count);
            continue;
        }
        let function = function.split_once(':').map_or(function, |(_, function)| function);
        let first = function.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
        if let Some(name) = first.and_then(|first| crates.get(first)) {
            *counts.entry(name.clone()).or_default() += count;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_by_crate() {
        let crates = [("serde_json", "serde_json"), ("twox_hash", "twox-hash")];
        let crates = crates.map(|(library, name)| (library.to_owned(), name.to_owned())).into();
        let few = "1,000 (100.0%)  PROGRAM TOTALS\n\
                   900 (90.00%)  ???:serde_json::de::parse [/m]\n";
        let many = "11,000 (100.0%)  PROGRAM TOTALS\n\
                    5,000 (50.00%)  ???:meeple_core::playout::play [/m]\n\
                    2,000 (20.00%)  ???:<twox_hash::xxhash64::Hasher as core::hash::Hasher>::write [/m]\n\
                    100 ( 1.00%)  ???:serde_json::ser::format [/m]\n\
                    900 ( 9.00%)  ???:serde_json::de::parse [/m]\n";
        let expected = [("twox-hash".to_owned(), 0.2), ("serde_json".to_owned(), 0.01)];
        assert_eq!(shares(few, many, &crates), expected, "what is done once does not count");
    }

    #[test]
    fn a_quick_run_plays_two_settings() {
        let settings = "# few  many  setting\n1 2 a\n\n1 2 b\n1 2 c\n1 2 d\n1 2 e\n";
        assert_eq!(Effort::Quick.chosen(settings), ["1 2 a", "1 2 c"]);
        assert_eq!(Effort::Whole.chosen(settings).len(), 5);
    }

    #[test]
    fn the_manifest_tells_who_is_optimised() {
        let manifest = "[profile.release.package]\n# theirs\npng = { opt-level = 3 }\nours = { codegen-units = 1 }\n[profile.dev]\n";
        assert_eq!(optimised(manifest), ["png".to_owned()].into());
    }
}
