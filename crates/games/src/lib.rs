//! The registry: the only place that names all games. A program adds its own with [`register`].

mod onnx;

use std::ops::ControlFlow;
use std::sync::{OnceLock, PoisonError, RwLock};

use meeple_core::{
    Adapters, AnyEntry, AnyGame, BotAdapter, Defined, Definition, Entry, Playable, did_you_mean,
};
use meeple_learn::{Environment, LearnError};
use meeple_solve::{PayOff, SolveError, Unrolled};
use thiserror::Error;

type OpenEnvironment = fn(&dyn AnyGame) -> Result<Box<dyn Environment>, LearnError>;
type Unroll = fn(
    &dyn AnyGame,
    PayOff,
    usize,
    &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError>;

/// A game as the registry holds it: its entry, and the functions that need its type.
pub struct Registered {
    entry: Box<dyn AnyEntry>,
    environment: OpenEnvironment,
    unroll: Unroll,
    estimate: fn(&dyn AnyGame) -> Result<f64, SolveError>,
}

impl Registered {
    /// A game with its own agents and those that play every game.
    pub fn new<G: Playable>(definition: Definition<G>) -> Self {
        let search =
            meeple_search::agents_that_load(&definition, onnx::value_hints, meeple_learn::policy_hints);
        let general = meeple_agents::general().into_iter().chain(search);
        let general = general.chain(meeple_learn::agents(&definition)).chain([onnx::agent()]).collect();
        Self {
            entry: Box::new(Entry::new(definition, general)),
            environment: meeple_learn::environment::<G>,
            unroll: meeple_solve::unroll_any::<G>,
            estimate: meeple_solve::estimate_any::<G>,
        }
    }

    fn id(&self) -> &'static str {
        self.entry.info().id
    }
}

/// The games in order. Entries live as long as the program, so that whoever holds one never loses it.
fn registry() -> &'static RwLock<Vec<&'static Registered>> {
    static REGISTRY: OnceLock<RwLock<Vec<&'static Registered>>> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let games = [
            Registered::new(meeple_incan_gold::IncanGold::definition()),
            Registered::new(meeple_game17::Game17::definition()),
            Registered::new(meeple_carcassonne::Carcassonne::definition()),
            Registered::new(meeple_cartolan::Cartolan::definition()),
            Registered::new(meeple_privateers::Privateers::definition()),
            #[cfg(feature = "examples")]
            Registered::new(meeple_coin_game::CoinGame::definition()),
        ];
        RwLock::new(games.into_iter().map(leak).collect())
    })
}

fn leak(game: Registered) -> &'static Registered {
    Box::leak(Box::new(game))
}

/// The games at this moment. Nothing can fail while the lock is held, so it is never poisoned.
fn registered() -> Vec<&'static Registered> {
    registry().read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Another game of this name is registered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "expected a game with a name of its own, found a second '{0}'\nhint: choose another id in its `GameInfo`"
)]
pub struct NameTaken(pub String);

/// Adds a game behind all others.
///
/// # Errors
/// If another has its id.
pub fn register(game: Registered) -> Result<(), NameTaken> {
    let mut games = registry().write().unwrap_or_else(PoisonError::into_inner);
    if games.iter().any(|other| other.id() == game.id()) {
        return Err(NameTaken(game.id().to_owned()));
    }
    games.push(leak(game));
    Ok(())
}

/// Puts a game in the place of that with its id, or behind all others: for rules that changed, and for agents that join a
/// game (push them to [`Definition::agents`]). Games that are set up keep the rules and agents they have. The memory of the
/// old entry is not given back.
pub fn replace(game: Registered) {
    let mut games = registry().write().unwrap_or_else(PoisonError::into_inner);
    match games.iter().position(|other| other.id() == game.id()) {
        Some(place) => games[place] = leak(game),
        None => games.push(leak(game)),
    }
}

/// The agent that says what it thinks of a decision if nobody is named: the strongest that does, in every game.
pub const ANALYST: &str = "mcts";

/// All games, in the order of `meeple games`.
pub fn games() -> Vec<&'static dyn AnyEntry> {
    registered().into_iter().map(|game| &*game.entry).collect()
}

/// Where players of a game learn that is set up.
///
/// # Errors
/// If its observations have no numbers.
///
/// # Panics
/// If the game is none of the registry.
pub fn environment(game: &dyn AnyGame) -> Result<Box<dyn Environment>, LearnError> {
    (typed(game).environment)(game)
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

fn typed(game: &dyn AnyGame) -> &'static Registered {
    let known = registered().into_iter().find(|known| known.id() == game.info().id);
    known.expect("games come from the registry")
}

/// The adapters of all games that are registered when they are first asked for, in the order of the games.
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
    let games = games();
    games.iter().find(|entry| entry.info().id == id).copied().ok_or_else(|| {
        let hint = did_you_mean(id, games.iter().map(|entry| entry.info().id));
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
