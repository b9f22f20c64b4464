//! Long random search over parameters; the tests of every game run a short one.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::workspace::{self, Package};

/// How long to search, from where, and in which games.
#[derive(clap::Args)]
pub(crate) struct Search {
    /// Seconds for each game
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The root seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games by their folders; all if there are none
    games: Vec<String>,
}

/// Searches the games one after another, and fails if anything was found.
pub(crate) fn fuzz(search: &Search) -> Result<()> {
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
        if search.games.is_empty() || search.games.iter().any(|game| game == name) {
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

fn passes(root: &Path, package: &Package, search: &Search) -> Result<bool> {
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
