//! Regeneration of goldens.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{self, Package};

/// Maximum number of test runs of a package; each run regenerates only one golden per test.
const RUNS: usize = 6;

/// Regenerates the goldens of these games, or of all.
pub(crate) fn bless(games: &[String]) -> Result<()> {
    let root = workspace::root()?;
    let packages = workspace::packages(&root)?;
    let mut chosen = Vec::new();
    if games.is_empty() {
        chosen.extend(packages.iter().filter(|package| has_goldens(&root, package)));
    }
    for game in games {
        let package = find(&root, &packages, game).with_context(|| {
            let known: Vec<&str> = packages
                .iter()
                .filter(|package| has_goldens(&root, package))
                .map(Package::short_name)
                .collect();
            format!("'{game}' has no goldens\nhint: expected one of {}", known.join(", "))
        })?;
        chosen.push(package);
    }
    for package in chosen {
        bless_package(&root, package)?;
    }
    Ok(())
}

fn has_goldens(root: &Path, package: &Package) -> bool {
    package.is_game() || root.join(&package.folder).join("goldens").is_dir()
}

/// The crate of a game: by its folder, or by a golden named after it (toys of the test kit).
fn find<'a>(root: &Path, packages: &'a [Package], game: &str) -> Option<&'a Package> {
    let mut candidates = packages.iter().filter(|package| has_goldens(root, package));
    candidates.clone().find(|package| package.short_name() == game).or_else(|| {
        candidates.find(|package| {
            let goldens = root.join(&package.folder).join("goldens");
            goldens.join(game).exists() || goldens.join(format!("{game}.signature.txt")).exists()
        })
    })
}

fn bless_package(root: &Path, package: &Package) -> Result<()> {
    let built = cargo_test(root, package).arg("--no-run").output().context("cannot run cargo test")?;
    if !built.status.success() {
        let told = String::from_utf8_lossy(&built.stderr);
        bail!("{} does not compile, nothing is blessed:\n{told}", package.name);
    }
    for _ in 0..RUNS {
        let (_, text) = test(root, package, meeple_testkit::Mode::Bless)?;
        let told = blessings(&text);
        for text in &told {
            println!("{text}\n");
        }
        if told.is_empty() {
            break;
        }
    }
    let (passed, text) = test(root, package, meeple_testkit::Mode::Compare)?;
    if !passed {
        bail!("the tests of {} fail with the new goldens:\n{text}", package.name);
    }
    println!("{}: goldens are up to date, and its tests pass", package.name);
    Ok(())
}

fn cargo_test(root: &Path, package: &Package) -> Command {
    let mut command = workspace::cargo();
    command.args(["test", "--quiet", "--package", &package.name, "--test", "it"]).current_dir(root);
    command
}

/// Runs the tests; returns success and their output.
fn test(root: &Path, package: &Package, mode: meeple_testkit::Mode) -> Result<(bool, String)> {
    let mut command = cargo_test(root, package);
    command.env("RUST_BACKTRACE", "0").env_remove(meeple_testkit::BLESS);
    if mode == meeple_testkit::Mode::Bless {
        command.env(meeple_testkit::BLESS, "1");
    }
    let output = command.output().context("cannot run cargo test")?;
    let text = [output.stdout, output.stderr].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// The messages of tests that wrote a golden: the difference and the write.
fn blessings(text: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut message: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("thread '") || line.starts_with("---- ") {
            message.clear();
        } else if line.starts_with("blessed: ") {
            message.push(line);
            told.push(message.join("\n").trim().to_owned());
            message.clear();
        } else {
            message.push(line);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blessings_are_found_in_the_output_of_tests() {
        let text = "\
running 3 tests
..F

---- signature stdout ----

thread 'signature' (17) panicked at src/signature.rs:32:9:
signature.txt differs (- as stored, + as played now)
- a
+ b
blessed: signature.txt is written; the next run compares with it
note: run with `RUST_BACKTRACE=1`

---- playthroughs stdout ----

thread 'playthroughs' (18) panicked at src/playthrough.rs:1:1:
one.txt is missing
blessed: one.txt is written; the next run compares with it

two.txt is missing
blessed: two.txt is written; the next run compares with it

---- other stdout ----
thread 'other' (19) panicked at x:
assertion failed
";
        assert_eq!(
            blessings(text),
            [
                "signature.txt differs (- as stored, + as played now)\n- a\n+ b\nblessed: signature.txt is \
                 written; the next run compares with it",
                "one.txt is missing\nblessed: one.txt is written; the next run compares with it",
                "two.txt is missing\nblessed: two.txt is written; the next run compares with it",
            ]
        );
        assert!(blessings("test result: ok").is_empty());
    }

    #[test]
    fn games_are_found_by_folder_and_toys_by_their_goldens() {
        let root = workspace::root().unwrap();
        let packages = workspace::packages(&root).unwrap();
        let folder = |game: &str| find(&root, &packages, game).map(|package| package.folder.as_str());
        assert_eq!(folder("coin-game"), Some("examples/coin-game"));
        assert_eq!(folder("hands"), Some("crates/testkit"));
        assert_eq!(folder("core"), None);
    }
}
