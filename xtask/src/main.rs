//! Chores of this repository, as `cargo xtask <chore>`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an edge: it reads the repository and talks to people"
)]

mod bless;
mod circles;
mod fuzz;
mod kit;
mod layering;
mod mutants;
mod names;
mod rules;
mod unoptimised;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo xtask <chore>

  layering         fails if a crate depends on one it must not know or names a game, files of a crate know each
                   other in a circle, or a game's tests leave out a part of the test kit
  bless [GAME…]    regenerates playthroughs, signatures and tables of the rules, and prints what changed
  rules [--check]  regenerates (or only checks) the tables of parameters in the games' RULES.md
  fuzz [--seconds N] [--seed N] [GAME…]
                   searches among all parameters, agents and tables for panics, endless episodes and broken laws,
                   60 seconds for each game; a short search is part of the tests
  mutants [--sample N] [--seed N] [--in-place] PACKAGE
                   changes the code of a package in 40 random places, one at a time, and runs its tests: each must
                   be noticed (needs cargo-mutants; half an hour to an hour)
  unoptimised      fails if a crate of others works in a benchmark although the build does not optimise it (needs
                   valgrind; a few minutes)";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["layering"] => {
            let root = workspace::root()?;
            let packages = workspace::packages(&root)?;
            let mut wrong = layering::check(&packages);
            wrong.extend(names::check(&root, &packages)?);
            wrong.extend(circles::check(&root, &packages)?);
            wrong.extend(kit::check(&root, &packages)?);
            if !wrong.is_empty() {
                bail!("{} arrows, names or tests are wrong\n{}", wrong.len(), wrong.join("\n"));
            }
            println!("{} crates depend only on what they may know", packages.len());
            Ok(())
        }
        ["bless", games @ ..] => bless::bless(games),
        ["fuzz", words @ ..] => fuzz::fuzz(&fuzz::Search::parse(words)?),
        ["mutants", words @ ..] => mutants::mutants(&mutants::Sample::parse(words)?),
        ["unoptimised"] => unoptimised::unoptimised(),
        ["rules"] => rules::rules(rules::Mode::Bless),
        ["rules", "--check"] => rules::rules(rules::Mode::Compare),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [other, ..] => bail!("unknown chore or arguments: '{other}'\n{USAGE}"),
    }
}
