//! The registry: the only place that names all games.

use std::sync::OnceLock;

use meeple_core::{Adapters, AnyEntry, BotAdapter, Entry, Playable, did_you_mean};
use thiserror::Error;

/// All games, in the order of `meeple games`. A new game adds its line here.
pub fn games() -> &'static [Box<dyn AnyEntry>] {
    static GAMES: OnceLock<Vec<Box<dyn AnyEntry>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        vec![
            entry::<meeple_incan_gold::IncanGold>(),
            entry::<meeple_game17::Game17>(),
            entry::<meeple_carcassonne::Carcassonne>(),
            entry::<meeple_cartolan::Cartolan>(),
            entry::<meeple_privateers::Privateers>(),
            #[cfg(feature = "examples")]
            entry::<meeple_coin_game::CoinGame>(),
        ]
    })
}

fn entry<G: Playable>() -> Box<dyn AnyEntry> {
    let general = meeple_agents::general().into_iter().chain(meeple_search::agents()).collect();
    Box::new(Entry::<G>::new(general))
}

/// The adapters of all games, in their order: what bots of their originals need.
pub fn adapters() -> Adapters {
    static ADAPTERS: OnceLock<Vec<&'static BotAdapter>> = OnceLock::new();
    ADAPTERS.get_or_init(|| games().iter().flat_map(|entry| entry.adapters()).collect())
}

/// A game and perhaps a preset, as in `cartolan/regular`.
#[derive(Clone, Copy)]
pub struct GameName<'a> {
    /// The game.
    pub entry: &'static dyn AnyEntry,
    /// The preset, if one was named.
    pub preset: Option<&'a str>,
}

/// There is no game of this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game '{name}'\nhint: {hint}")]
pub struct UnknownGame {
    /// As given.
    pub name: String,
    /// The nearest name, or all.
    pub hint: String,
}

/// The game of this id.
///
/// # Errors
/// If there is none.
pub fn find_game(id: &str) -> Result<&'static dyn AnyEntry, UnknownGame> {
    games().iter().find(|entry| entry.info().id == id).map(|entry| &**entry).ok_or_else(|| {
        let hint = did_you_mean(id, games().iter().map(|entry| entry.info().id));
        UnknownGame { name: id.to_owned(), hint }
    })
}

/// Reads `game` or `game/preset`. Whether the preset exists is found out when the game is set up.
///
/// # Errors
/// If there is no such game.
pub fn parse_game(text: &str) -> Result<GameName<'_>, UnknownGame> {
    let (id, preset) = match text.split_once('/') {
        Some((id, preset)) => (id, Some(preset)),
        None => (text, None),
    };
    Ok(GameName { entry: find_game(id)?, preset })
}
