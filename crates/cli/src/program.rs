//! The games of a program.

use meeple_core::Defined;
use meeple_games::{NameTaken, Registered};

/// A game of a program. It is made when the program registers it.
#[derive(Clone, Copy)]
pub struct OwnGame(fn() -> Registered);

/// The games of a program. An array of [`game`]s is added to Meeple's own games; see also [`only`].
pub struct ProgramGames {
    entries: Vec<OwnGame>,
    replaces: bool,
}

impl<const N: usize> From<[OwnGame; N]> for ProgramGames {
    fn from(games: [OwnGame; N]) -> Self {
        Self { entries: games.into(), replaces: false }
    }
}

/// The game that type `G` defines.
pub fn game<G: Defined>() -> OwnGame {
    OwnGame(|| Registered::new(G::definition()))
}

/// These games without Meeple's own. The cargo feature `games`, on by default, decides whether Meeple's own
/// games are compiled at all.
pub fn only<const N: usize>(games: [OwnGame; N]) -> ProgramGames {
    ProgramGames { replaces: true, ..games.into() }
}

/// Registers games after those that are registered already, or instead of them with [`only`]. Call it before
/// anything that asks for games.
///
/// # Errors
/// If the name of a game is taken. Games before it in the list stay registered.
pub fn register(games: impl Into<ProgramGames>) -> Result<(), NameTaken> {
    let games = games.into();
    if games.replaces {
        meeple_games::clear();
    }
    games.entries.into_iter().try_for_each(|game| meeple_games::register((game.0)()))
}
