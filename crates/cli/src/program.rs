//! The games of a program.

use meeple_core::Defined;
use meeple_games::{NameTaken, Registered};

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
