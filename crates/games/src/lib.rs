//! The registry: the only place that names all games.

use std::sync::OnceLock;

use meeple_core::{
    Adapters, AgentInfo, AnyEntry, AnyGame, BotAdapter, Entry, Playable, did_you_mean, known_agents,
};
use meeple_learn::{LearnError, School};
use thiserror::Error;

/// The games, and by game where its players learn.
type Registry = (Vec<Box<dyn AnyEntry>>, Vec<OpenSchool>);
type OpenSchool = fn(&dyn AnyGame) -> Result<Box<dyn School>, LearnError>;

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let games = [
            register::<meeple_incan_gold::IncanGold>(),
            register::<meeple_game17::Game17>(),
            register::<meeple_carcassonne::Carcassonne>(),
            register::<meeple_cartolan::Cartolan>(),
            register::<meeple_privateers::Privateers>(),
            #[cfg(feature = "examples")]
            register::<meeple_coin_game::CoinGame>(),
        ];
        games.into_iter().unzip()
    })
}

fn register<G: Playable>() -> (Box<dyn AnyEntry>, OpenSchool) {
    (Box::new(Entry::<G>::new(general())), |game| meeple_learn::school::<G>(game, known_agents(general())))
}

/// Agents that play every game.
fn general<G: Playable>() -> Vec<AgentInfo<G>> {
    let general = meeple_agents::general().into_iter().chain(meeple_search::agents());
    general.chain(meeple_learn::agents()).collect()
}

/// All games, in the order of `meeple games`. A new game adds its line above.
pub fn games() -> &'static [Box<dyn AnyEntry>] {
    &registry().0
}

/// Where players of a game learn that is set up.
///
/// # Errors
/// If its observations have no numbers.
///
/// # Panics
/// If the game is none of the registry.
pub fn school(game: &dyn AnyGame) -> Result<Box<dyn School>, LearnError> {
    let (games, schools) = registry();
    let mut known = games.iter().zip(schools);
    let known = known.find(|(entry, _)| entry.info().id == game.info().id);
    known.expect("games come from the registry").1(game)
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
