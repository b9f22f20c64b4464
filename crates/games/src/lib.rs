//! The registry: the only place that names all games.

mod onnx;

use std::ops::ControlFlow;
use std::sync::OnceLock;

use meeple_core::{
    Adapters, AgentInfo, AnyEntry, AnyGame, BotAdapter, Entry, Playable, did_you_mean, known_agents,
};
use meeple_learn::{LearnError, School};
use meeple_solve::{PayOff, SolveError, Unrolled};
use thiserror::Error;

/// The games, and what needs the type of each.
type Registry = (Vec<Box<dyn AnyEntry>>, Vec<Typed>);

type OpenSchool = fn(&dyn AnyGame) -> Result<Box<dyn School>, LearnError>;
type Unroll = fn(
    &dyn AnyGame,
    PayOff,
    usize,
    &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError>;

/// What needs the type of a game.
struct Typed {
    school: OpenSchool,
    unroll: Unroll,
    estimate: fn(&dyn AnyGame) -> Result<f64, SolveError>,
}

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

fn register<G: Playable>() -> (Box<dyn AnyEntry>, Typed) {
    let typed = Typed {
        school: |game| meeple_learn::school::<G>(game, known_agents(general())),
        unroll: meeple_solve::unroll_any::<G>,
        estimate: meeple_solve::estimate_any::<G>,
    };
    (Box::new(Entry::<G>::new(general())), typed)
}

/// Agents that play every game.
fn general<G: Playable>() -> Vec<AgentInfo<G>> {
    let search = meeple_search::agents_that_load(onnx::value_hints, meeple_learn::policy_hints);
    let general = meeple_agents::general().into_iter().chain(search);
    general.chain(meeple_learn::agents()).chain([onnx::agent()]).collect()
}

/// The agent that says what it thinks of a decision if nobody is named: the strongest that does, in every game.
pub const ANALYST: &str = "mcts";

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
    (typed(game).school)(game)
}

/// All histories of a game that is set up, at most so many; see [`meeple_solve::unroll`].
///
/// # Errors
/// As there.
///
/// # Panics
/// If the game is none of the registry.
pub fn unroll(
    game: &dyn AnyGame,
    pay_off: PayOff,
    histories: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError> {
    (typed(game).unroll)(game, pay_off, histories, watch)
}

/// About how many histories a game that is set up has; see [`meeple_solve::estimate_histories`].
///
/// # Errors
/// As there.
///
/// # Panics
/// If the game is none of the registry.
pub fn estimate_histories(game: &dyn AnyGame) -> Result<f64, SolveError> {
    (typed(game).estimate)(game)
}

fn typed(game: &dyn AnyGame) -> &'static Typed {
    let (games, typed) = registry();
    let mut known = games.iter().zip(typed);
    let known = known.find(|(entry, _)| entry.info().id == game.info().id);
    known.expect("games come from the registry").1
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
