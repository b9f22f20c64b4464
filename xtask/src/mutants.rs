//! Mutation testing by hand: a fixed random sample of the changes that cargo-mutants can make to critical
//! code. The tests of each package should detect all of them.
//!
//! Every mutant is a build and a test run: half a minute to a minute each for the small packages on two
//! cores. A sample of 40 takes about half an hour, too long for CI.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use meeple_core::Stream;
use serde::Deserialize;

use crate::workspace::{self, Package};

/// Files whose mutants must not run as root, with the reason.
const NOT_AS_ROOT: &[(&str, &str)] = &[
    ("crates/bothost/src/sandbox/**", "a wrong user id or path, and every process or file of root is gone"),
    ("crates/bothost/src/reap.rs", "it kills processes"),
    ("crates/bothost/src/living.rs", "it finds the processes that are killed"),
];

/// What to try.
#[derive(clap::Args)]
pub(crate) struct Sample {
    package: String,
    /// How many mutants
    #[arg(long = "sample", value_name = "N", default_value_t = 40)]
    size: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Changes the files where they lie, which saves a build from nothing
    #[arg(long)]
    in_place: bool,
}

impl Sample {
    /// The selected package among those that declare their files for mutation.
    fn target<'p>(&self, packages: &'p [Package]) -> Result<&'p Package> {
        let targets: Vec<&Package> = packages.iter().filter(|package| !package.mutants.is_empty()).collect();
        targets.iter().copied().find(|package| package.short_name() == self.package).with_context(|| {
            let names: Vec<&str> = targets.iter().map(|package| package.short_name()).collect();
            format!("expected a package, found '{}'\nhint: one of {}", self.package, names.join(", "))
        })
    }
}

/// A mutant, as cargo-mutants lists it.
#[derive(Deserialize)]
struct Mutant {
    name: String,
}

/// Tries the sample, and fails if a mutant is missed.
pub(crate) fn mutants(sample: &Sample) -> Result<()> {
    let root = workspace::root()?;
    let packages = workspace::packages(&root)?;
    let target = sample.target(&packages)?;
    let excluded: &[(&str, &str)] = if is_root()? { NOT_AS_ROOT } else { &[] };
    for (files, why) in excluded {
        println!("not as root: {files}: {why}");
    }
    let common = |command: &mut Command| {
        command.args(["--package", &target.name]).current_dir(&root);
        for files in &target.mutants {
            command.args(["--file", files]);
        }
        for (files, _) in excluded {
            command.args(["--exclude", files]);
        }
    };
    let mut listing = workspace::cargo();
    listing.args(["mutants", "--list", "--json"]);
    common(&mut listing);
    let output = listing.output().context("cannot run cargo mutants")?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        bail!("cargo mutants failed: {told}\nhint: cargo install cargo-mutants --locked");
    }
    let listed: Vec<Mutant> =
        serde_json::from_slice(&output.stdout).context("cargo mutants gave no list of mutants")?;
    let all = listed.len();
    let chosen = choose(listed, sample.size, sample.seed);
    println!("{}: {} of {all} mutants, seed {}", target.name, chosen.len(), sample.seed);
    let mut run = workspace::cargo();
    run.args(["mutants", "--no-shuffle", "--baseline", "run", "--output", "target"]);
    if sample.in_place {
        run.arg("--in-place");
    }
    common(&mut run);
    for mutant in &chosen {
        run.args(["--re", &format!("^{}$", escaped(&mutant.name))]);
    }
    run.args(["--", "--tests"]);
    let status = run.status().context("cannot run cargo mutants")?;
    if status.success() {
        return Ok(());
    }
    bail!("not every mutant was caught; target/mutants.out/missed.txt lists them")
}

fn is_root() -> Result<bool> {
    Ok(Path::new("/proc/self").metadata().context("cannot tell whose process this is")?.uid() == 0)
}

/// A random sample of `size` items with this seed, in their original order.
fn choose<T>(all: Vec<T>, size: usize, seed: u64) -> Vec<T> {
    let mut places: Vec<(usize, T)> = all.into_iter().enumerate().collect();
    Stream::from_seed(seed).shuffle(&mut places);
    places.truncate(size);
    places.sort_unstable_by_key(|(place, _)| *place);
    places.into_iter().map(|(_, one)| one).collect()
}

fn escaped(text: &str) -> String {
    let special = |c: char| r"\.+*?()|[]{}^$#&-~".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_names_no_files_is_no_target() {
        let packages = workspace::packages(&workspace::root().unwrap()).unwrap();
        let target = |name: &str| {
            let sample = Sample { package: name.to_owned(), size: 1, seed: 1, in_place: false };
            sample.target(&packages).map(|found| found.name.clone())
        };
        assert_eq!(target("core").unwrap(), "meeple-core");
        for name in ["", "chess", "xtask"] {
            assert!(target(name).unwrap_err().to_string().contains("hint: one of "), "{name}");
        }
    }

    #[test]
    fn samples_are_a_function_of_their_seed() {
        let names = || (0..100).map(|index| format!("mutant {index:02}")).collect::<Vec<_>>();
        let chosen = choose(names(), 10, 3);
        assert_eq!((chosen.len(), choose(names(), 10, 3) == chosen), (10, true));
        assert!(chosen.is_sorted() && choose(names(), 10, 4) != chosen);
        assert_eq!(choose(names(), 1000, 3), names());
    }

    #[test]
    fn a_name_is_taken_literally() {
        assert_eq!(escaped("a.rs:1:2: replace + with *"), r"a\.rs:1:2: replace \+ with \*");
        assert_eq!(escaped("-> Vec<u8>"), r"\-> Vec<u8>");
    }

    #[test]
    fn all_files_exist() {
        let root = workspace::root().unwrap();
        let packages = workspace::packages(&root).unwrap();
        let targets = packages.iter().flat_map(|package| package.mutants.iter().map(String::as_str));
        for files in targets.chain(NOT_AS_ROOT.iter().map(|(files, _)| *files)) {
            let (before, choices) = files.split_once('{').unwrap_or((files.trim_end_matches("/**"), "}"));
            let (choices, after) = choices.split_once('}').unwrap();
            for choice in choices.split(',') {
                assert!(root.join(format!("{before}{choice}{after}")).exists(), "{files}: {choice}");
            }
        }
    }
}
