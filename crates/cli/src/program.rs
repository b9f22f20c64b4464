//! Programs with games of their own: every verb of the command line, in five lines.
//!
//! ```ignore
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     meeple::program([meeple::game::<my_game::MyGame>()])
//! }
//! ```

use std::process::ExitCode;

use meeple_bothost::Launcher;
use meeple_core::Defined;
use meeple_games::{NameTaken, Registered};

use crate::failure::usage;

/// Hidden subcommand that applies restrictions to itself and becomes a bot.
const LAUNCHER_VERB: &str = "__sandbox-exec";

/// A game of a program, made when the program registers it.
#[derive(Clone, Copy)]
pub struct OwnGame(fn() -> Registered);

/// The games of a program; an array of [`game`]s stands for those beside Meeple's own.
pub struct ProgramGames {
    entries: Vec<OwnGame>,
    replaces: bool,
}

impl<const N: usize> From<[OwnGame; N]> for ProgramGames {
    fn from(games: [OwnGame; N]) -> Self {
        Self { entries: games.into(), replaces: false }
    }
}

/// The game that this type is.
pub fn game<G: Defined>() -> OwnGame {
    OwnGame(|| Registered::new(G::definition()))
}

/// These games without Meeple's own. The cargo feature `games`, which is on by default, decides whether
/// those are compiled at all.
pub fn only<const N: usize>(games: [OwnGame; N]) -> ProgramGames {
    ProgramGames { replaces: true, ..games.into() }
}

/// Registers games, behind those that are registered already. Call it before anything that asks for games.
///
/// # Errors
/// If the name of a game is taken. Those before it stay registered.
pub fn register(games: impl Into<ProgramGames>) -> Result<(), NameTaken> {
    let games = games.into();
    if games.replaces {
        meeple_games::clear();
    }
    games.entries.into_iter().try_for_each(|game| meeple_games::register((game.0)()))
}

/// The program `meeple` with these games: reads the command line, runs it, and returns the exit code. It also
/// starts the program's bots, so `main` calls it first.
#[allow(clippy::disallowed_methods, reason = "a program reads its own arguments and the path of its file")]
pub fn program(games: impl Into<ProgramGames>) -> ExitCode {
    // The bot launcher must see its words before any command-line parser.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|verb| verb == LAUNCHER_VERB) {
        return meeple_bothost::launcher_main(words);
    }
    if let Err(error) = register(games) {
        return ExitCode::from(crate::exit(Err(error.into())));
    }
    if meeple_games::games().is_empty() {
        return ExitCode::from(crate::exit(Err(usage(
            "expected a program with at least one game, found none\n\
             hint: name one in `meeple::program([meeple::game::<MyGame>()])`, or build it with the feature `games`",
        ))));
    }
    let program = std::env::current_exe().ok();
    let launcher = program.map(|program| Launcher { program, arguments: vec![LAUNCHER_VERB.to_owned()] });
    ExitCode::from(crate::main(std::env::args_os().skip(1).collect(), launcher))
}
