//! Chores of this repository, as `cargo xtask <chore>`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an edge: it reads the repository and talks to people"
)]

mod bless;
mod circles;
mod deny;
mod fuzz;
mod kit;
mod layering;
mod mutants;
mod names;
mod rules;
mod unoptimised;
mod words;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;

/// Chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Fails if a crate depends on one it must not know or names a game, files of a crate know each other in a circle,
    /// or a game's tests leave out a part of the test kit
    Layering,
    /// Fails if a dependency has a licence or source, or is a crate, that `deny.toml` does not allow
    Deny,
    /// Regenerates playthroughs, signatures and tables of the rules, and prints what changed
    Bless {
        /// Only of these games
        games: Vec<String>,
    },
    /// Regenerates the tables of parameters in the games' RULES.md
    Rules {
        /// Only checks them
        #[arg(long)]
        check: bool,
    },
    /// Searches among all parameters, agents and tables for panics, endless episodes and broken laws; a short search is
    /// part of the tests
    Fuzz(fuzz::Search),
    /// Changes the code of a package in random places, one at a time, and runs its tests: each must be noticed (needs
    /// cargo-mutants; half an hour to an hour)
    Mutants(mutants::Sample),
    /// Fails if a crate of others works in a benchmark although the build does not optimise it (needs valgrind; a few
    /// minutes)
    Unoptimised {
        /// Only two of the settings, in less than a minute
        #[arg(long)]
        quick: bool,
    },
    /// Fails if comments or names break the rules of `xtask/words.toml` more often, or less often, than it allows
    Words(words::Request),
}

fn main() -> ExitCode {
    match run(Chore::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Layering => {
            let root = workspace::root()?;
            let packages = workspace::packages(&root)?;
            let mut wrong = layering::check(&packages);
            wrong.extend(names::check(&root, &packages)?);
            wrong.extend(circles::check(&root, &packages)?);
            wrong.extend(kit::check(&root, &packages)?);
            if !wrong.is_empty() {
                bail!("{} dependencies, names or tests are wrong\n{}", wrong.len(), wrong.join("\n"));
            }
            println!("{} crates depend only on what they may know", packages.len());
            Ok(())
        }
        Chore::Deny => {
            let wrong = deny::check(&workspace::root()?)?;
            if !wrong.is_empty() {
                bail!("{} dependencies are not allowed\n{}", wrong.len(), wrong.join("\n"));
            }
            println!("all dependencies are allowed by deny.toml");
            Ok(())
        }
        Chore::Bless { games } => bless::bless(&games),
        Chore::Fuzz(search) => fuzz::fuzz(&search),
        Chore::Mutants(sample) => mutants::mutants(&sample),
        Chore::Unoptimised { quick } => {
            use unoptimised::Effort;
            unoptimised::unoptimised(if quick { Effort::Quick } else { Effort::Whole })
        }
        Chore::Words(request) => words::words(&request),
        Chore::Rules { check } => rules::rules(if check { rules::Mode::Compare } else { rules::Mode::Bless }),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn chores_are_declared_without_contradictions() {
        super::Chore::command().debug_assert();
    }
}
