//! Third-party crates that take part in benchmarks but are built without optimisation.
//!
//! The default build optimises only the third-party crates named in the root manifest. The list is measured:
//! every setting of `benches/settings` runs under callgrind, with few and with many episodes. Crates with a
//! share of the difference in instructions are reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{cargo, metadata, root};

/// Smallest reported share of a setting's instructions.
const MIN_SHARE: f64 = 0.005;

/// Number of settings to play.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// All settings: a few minutes.
    Whole,
    /// The first, the third and the last, which is a game on a map: about a minute.
    Quick,
}

impl Effort {
    fn chosen(self, settings: &str) -> Vec<&str> {
        let lines = settings.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        match self {
            Self::Whole => lines.collect(),
            // The second setting is skipped, because it is often of the same game as the first. The last is
            // of a game on a map.
            Self::Quick => {
                let all: Vec<&str> = lines.collect();
                let last = all.len().saturating_sub(1);
                all.into_iter()
                    .enumerate()
                    .filter(|(at, _)| [0, 2, last].contains(at))
                    .map(|(_, line)| line)
                    .collect()
            }
        }
    }
}

/// Fails if an unoptimised crate takes part in a benchmark.
pub(crate) fn unoptimised(effort: Effort) -> Result<()> {
    let root = root()?;
    if !cargo().args(["build", "--release", "--quiet"]).current_dir(&root).status()?.success() {
        bail!("the release build fails");
    }
    let crates = all_crates(&root)?;
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
            if share >= MIN_SHARE && !listed {
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    /// Our own, always optimised.
    Us,
    /// A third party, with its name in the manifest.
    Foreign(String),
}

/// All crates by library name.
type Crates = BTreeMap<String, Owner>;

fn all_crates(root: &Path) -> Result<Crates> {
    let metadata = metadata(root, &[])?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let crates = packages.iter().filter_map(|package| {
        let name = package["name"].as_str()?;
        let owner = if package["source"].is_null() { Owner::Us } else { Owner::Foreign(name.to_owned()) };
        Some((name.replace('-', "_"), owner))
    });
    Ok(crates.collect())
}

fn optimised(manifest: &str) -> BTreeSet<String> {
    let table = manifest.split("[profile.release.package]").nth(1).unwrap_or_default();
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" = { opt-level = ")?.0.to_owned())).collect()
}

/// The share of each crate in the instructions of many episodes minus those of few, largest first, from the
/// output of `callgrind_annotate`. The difference excludes start-up work such as parsing the command line.
fn shares(few: &str, many: &str, crates: &Crates) -> Vec<(String, f64)> {
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

const TOTAL: &str = "PROGRAM TOTALS";

/// Instruction counts of the third-party crates among these, and the total.
fn counts(told: &str, crates: &Crates) -> BTreeMap<String, f64> {
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
        let function = function.rsplit_once(" [").map_or(function, |(function, _)| function);
        if let Some(Owner::Foreign(name)) = roots(function).find_map(|root| crates.get(root)) {
            *counts.entry(name.clone()).or_default() += count;
        }
    }
    counts
}

/// Roots of the paths in the name of a function: `core` and `serde_json` in
/// `core::ptr::drop_in_place<serde_json::Value>`.
///
/// The standard library, primitive types and type parameters belong to no crate, so the first root that is a
/// crate owns the function. Code instantiated for a type, a reference to it, a list of it or an object
/// belongs to that type's crate. Generic code of the standard library is compiled with the crate that
/// instantiates it.
fn roots(function: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = function;
    std::iter::from_fn(move || {
        loop {
            let begin = rest.find(is_word)?;
            // A word after `::` continues a path, and `{closure#0}` is one part of it.
            let is_inner =
                rest[..begin].ends_with("::") || rest[..begin].ends_with('{') || rest[..begin].ends_with('#');
            let word = &rest[begin..];
            let end = word.find(|c: char| !is_word(c)).unwrap_or(word.len());
            rest = &word[end..];
            if !is_inner {
                return Some(&word[..end]);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Third-party crates with these names, and two of ours.
    fn crates(foreign: &[&str]) -> Crates {
        let foreign = foreign.iter().map(|name| (name.replace('-', "_"), Owner::Foreign((*name).to_owned())));
        let ours = ["meeple_core", "meeple_lab"].map(|name| (name.to_owned(), Owner::Us));
        foreign.chain(ours).collect()
    }

    #[test]
    fn functions_are_of_the_first_crate_in_their_names() {
        let crates = crates(&["serde_json", "serde_core", "indexmap", "clap_builder", "time", "bytes"]);
        // As spelled by callgrind_annotate.
        for (function, owner) in [
            (
                "<&mut serde_json::ser::Serializer<W,F> as serde_core::ser::Serializer>::serialize_str",
                "serde_json",
            ),
            ("core::ptr::drop_in_place<clap_builder::builder::arg::Arg>", "clap_builder"),
            ("core::ptr::drop_in_place<serde_json::value::Value>'2", "serde_json"),
            (
                "core::ptr::drop_in_place<alloc::vec::Vec<clap_builder::util::any_value::AnyValue>>",
                "clap_builder",
            ),
            (
                "core::ptr::drop_in_place<[indexmap::Bucket<alloc::string::String,serde_json::value::Value>]>'2",
                "indexmap",
            ),
            (
                "serde_json::value::from::<impl core::convert::From<&str> for serde_json::value::Value>::from",
                "serde_json",
            ),
            (
                "<core::option::Option<&str> as clap_builder::builder::resettable::IntoResettable<T>>::into",
                "clap_builder",
            ),
            ("<dyn serde_core::ser::Serializer>::is_human_readable", "serde_core"),
            ("<u64 as serde_core::ser::Serialize>::serialize", "serde_core"),
            ("serde_json::de::from_str::{{closure}}", "serde_json"),
            ("<alloc::vec::Vec<u16> as meeple_core::params::ParamType>::to_value", ""),
            (
                "core::ptr::drop_in_place<alloc::boxed::Box<meeple_core::table::Seated<serde_json::value::Value>>>",
                "",
            ),
            ("<meeple_core::Replay as serde_core::ser::Serialize>::serialize", ""),
            ("<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", ""),
            ("core::time::bytes::Duration", ""),
            ("std::sys::{closure#0}::time", ""),
            ("0x0000000000003f2a", ""),
        ] {
            // The object's folder is irrelevant.
            let told = format!("10 (50.00%)  ???:{function} [/home/time/bytes/meeple]\n");
            let counts = counts(&told, &crates);
            let found: Vec<&str> = counts.keys().map(String::as_str).collect();
            let expected: &[&str] = if owner.is_empty() { &[] } else { &[owner] };
            assert_eq!(found, expected, "{function}");
        }
    }

    #[test]
    fn shares_are_read_by_crate() {
        let crates = crates(&["serde_json", "twox-hash"]);
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
    fn a_quick_run_plays_three_settings() {
        let settings = "# few  many  setting\n1 2 a\n\n1 2 b\n1 2 c\n1 2 d\n1 2 e\n";
        assert_eq!(Effort::Quick.chosen(settings), ["1 2 a", "1 2 c", "1 2 e"]);
        assert_eq!(Effort::Quick.chosen("1 2 a"), ["1 2 a"]);
        assert_eq!(Effort::Whole.chosen(settings).len(), 5);
    }

    #[test]
    fn the_manifest_tells_who_is_optimised() {
        let manifest = "[profile.release.package]\n# theirs\npng = { opt-level = 3 }\nours = { codegen-units = 1 }\n[profile.dev]\n";
        assert_eq!(optimised(manifest), ["png".to_owned()].into());
    }
}
