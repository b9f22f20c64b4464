//! The long search among parameters; the tests of every game make a short one.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::workspace::{self, Package};

/// How long to search, from where, and in which games.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Search<'a> {
    /// Seconds for each game.
    seconds: u64,
    /// The root seed.
    seed: u64,
    /// Games by their folders; all if there are none.
    games: Vec<&'a str>,
}

impl<'a> Search<'a> {
    /// Reads the words after `fuzz`.
    pub(crate) fn parse(words: &[&'a str]) -> Result<Self> {
        let mut search = Self { seconds: 60, seed: 1, games: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64> {
                let value = words.next().with_context(|| format!("{word}: expected a number, found none"))?;
                value.parse().with_context(|| format!("{word}: expected a number, found '{value}'"))
            };
            match *word {
                "--seconds" => search.seconds = number()?,
                "--seed" => search.seed = number()?,
                flag if flag.starts_with('-') => bail!("fuzz: unknown option '{flag}'"),
                game => search.games.push(game),
            }
        }
        Ok(search)
    }
}

/// Searches in one game after another, and fails if something was found.
pub(crate) fn fuzz(search: &Search<'_>) -> Result<()> {
    let root = workspace::root()?;
    let packages = workspace::packages(&root)?;
    let known: Vec<&Package> = packages.iter().filter(|package| package.is_game()).collect();
    for game in &search.games {
        if known.iter().all(|package| package.short_name() != *game) {
            let names: Vec<&str> = known.iter().map(|package| package.short_name()).collect();
            bail!("unknown game '{game}'\nhint: expected one of {}", names.join(", "));
        }
    }
    let mut failed = Vec::new();
    for package in known {
        let name = package.short_name();
        if search.games.is_empty() || search.games.contains(&name) {
            println!("{name}: {} seconds from seed {}", search.seconds, search.seed);
            if !passes(&root, package, search)? {
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    bail!("found something in {}", failed.join(", "))
}

fn passes(root: &Path, package: &Package, search: &Search<'_>) -> Result<bool> {
    let status = workspace::cargo()
        .args(["test", "--quiet", "--package", &package.name, "--test", "it", "fuzz", "--", "--nocapture"])
        .current_dir(root)
        .env(meeple_testkit::FUZZ, format!("{}:{}", search.seconds, search.seed))
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .status()
        .context("cannot run cargo test")?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let search = |seconds, seed, games: &[&'static str]| Search { seconds, seed, games: games.to_vec() };
        assert_eq!(Search::parse(&[]).unwrap(), search(60, 1, &[]));
        assert_eq!(Search::parse(&["--seconds", "5", "x", "--seed", "9"]).unwrap(), search(5, 9, &["x"]));
        for (words, expected) in [
            (&["--seconds"][..], "--seconds: expected a number, found none"),
            (&["--seed", "x"], "--seed: expected a number, found 'x'"),
            (&["--time", "5"], "fuzz: unknown option '--time'"),
        ] {
            assert_eq!(Search::parse(words).unwrap_err().to_string(), expected);
        }
    }
}
