//! The registry: all games by name, with every agent that plays them.
//!
//! # A game by its name
//!
//! [`find_game`] gives the entry of a game, without its Rust type; settings and agents are words, as on the
//! command line.
//!
//! ```
//! use meeple_core::{AgentSpec, Seating};
//!
//! let entry = meeple_games::find_game("incan-gold")?;
//! let game = entry.set_up(Some("classic"), &[("rounds".into(), "3".into())], 2)?;
//! let mut runner = game.runner(&["turn:7", "random:0.2"].map(AgentSpec::parse))?;
//!
//! let mut scores = [0, 0];
//! runner.run(1, Seating::Rotate, 0..100, &mut |report| {
//!     for (player, score) in report.player_at.iter().zip(&report.outcome.scores) {
//!         scores[usize::from(*player)] += score;
//!     }
//!     true
//! });
//! assert!(scores[0] > scores[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A game of your own
//!
//! [`register`] adds a game while the program runs; everything that serves all games then serves it too.
//!
//! ```
//! use meeple_core::Defined;
//! use meeple_games::{Registered, find_game, register};
//! use meeple_testkit::toys::Nim;
//!
//! register(Registered::new(Nim::definition()))?;
//! assert_eq!(find_game("nim")?.info().name, "Nim");
//! assert!(register(Registered::new(Nim::definition())).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `games` is on by default and adds the five games of Meeple. `onnx` enables the agents `onnx:FILE`; without
//! it, they report how to build them. `examples` adds the coin game, the recipe for a game.
//! `docs/reference/library.md` has the costs of the features.
//!
//! This crate is the only one that names all games.

mod onnx;

use std::ops::ControlFlow;
use std::sync::{OnceLock, PoisonError, RwLock};

use meeple_core::{Adapters, AnyEntry, AnyGame, BotAdapter, Definition, GameEntry, Playable, did_you_mean};
pub use meeple_learn::read_agent_file;
use meeple_learn::{Environment, LearnError};
use meeple_solve::{Objective, SolveError, Unrolled};
use thiserror::Error;

type OpenEnvironment = fn(&dyn AnyGame) -> Result<Box<dyn Environment>, LearnError>;
type Unroll = fn(
    &dyn AnyGame,
    Objective,
    usize,
    &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError>;

/// The entry of a game, and the functions that need its type.
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
            entry: Box::new(GameEntry::new(definition, general)),
            environment: meeple_learn::environment::<G>,
            unroll: meeple_solve::unroll_any::<G>,
            estimate: meeple_solve::estimate_any::<G>,
        }
    }

    fn id(&self) -> &'static str {
        self.entry.info().id
    }
}

/// The games in order. Entries live as long as the program, so references to them stay valid.
fn registry() -> &'static RwLock<Vec<&'static Registered>> {
    static REGISTRY: OnceLock<RwLock<Vec<&'static Registered>>> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let games: Vec<Registered> = vec![
            #[cfg(feature = "games")]
            Registered::new(<meeple_incan_gold::IncanGold as meeple_core::Defined>::definition()),
            #[cfg(feature = "games")]
            Registered::new(<meeple_game17::Game17 as meeple_core::Defined>::definition()),
            #[cfg(feature = "games")]
            Registered::new(<meeple_carcassonne::Carcassonne as meeple_core::Defined>::definition()),
            #[cfg(feature = "games")]
            Registered::new(<meeple_cartolan::Cartolan as meeple_core::Defined>::definition()),
            #[cfg(feature = "games")]
            Registered::new(<meeple_privateers::Privateers as meeple_core::Defined>::definition()),
            #[cfg(feature = "examples")]
            Registered::new(<meeple_coin_game::CoinGame as meeple_core::Defined>::definition()),
        ];
        RwLock::new(games.into_iter().map(leak).collect())
    })
}

fn leak(game: Registered) -> &'static Registered {
    Box::leak(Box::new(game))
}

/// A snapshot of the registry. Code under the lock cannot panic, so the lock is never poisoned.
fn registered() -> Vec<&'static Registered> {
    registry().read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Error for a second game of the same name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "expected a game with a name of its own, found a second '{0}'\nhint: choose another id in its `GameInfo`"
)]
pub struct NameTaken(pub String);

/// Adds a game behind all others, unless another has its id.
pub fn register(game: Registered) -> Result<(), NameTaken> {
    let mut games = registry().write().unwrap_or_else(PoisonError::into_inner);
    if games.iter().any(|other| other.id() == game.id()) {
        return Err(NameTaken(game.id().to_owned()));
    }
    games.push(leak(game));
    Ok(())
}

/// Replaces the game with this id, or adds it behind all others. This serves changed rules, and agents added
/// to [`Definition::agents`]. Games already set up keep their rules and agents. The memory of the old entry
/// is not freed.
pub fn replace(game: Registered) {
    let mut games = registry().write().unwrap_or_else(PoisonError::into_inner);
    match games.iter().position(|other| other.id() == game.id()) {
        Some(place) => games[place] = leak(game),
        None => games.push(leak(game)),
    }
}

/// Removes all games, for programs with games of their own only. Games already set up keep their rules, but
/// [`environment`], [`unroll`] and [`estimate_histories`] no longer know them.
pub fn clear() {
    registry().write().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The default analysis agent: the strongest one that analyses every game.
pub const ANALYST: &str = "mcts";

/// All games, in the order of `meeple games`.
pub fn games() -> Vec<&'static dyn AnyEntry> {
    registered().into_iter().map(|game| &*game.entry).collect()
}

/// Training environment of a game that is set up. Fails if its observations have no encoding.
/// Panics if the game is not in the registry.
pub fn environment(game: &dyn AnyGame) -> Result<Box<dyn Environment>, LearnError> {
    (typed(game).environment)(game)
}

/// All histories of a game that is set up, up to a limit; errors as for [`meeple_solve::unroll`].
/// Panics if the game is not in the registry.
pub fn unroll(
    game: &dyn AnyGame,
    pay_off: Objective,
    histories: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError> {
    (typed(game).unroll)(game, pay_off, histories, watch)
}

/// Estimated number of histories; errors as for [`meeple_solve::estimate_histories`].
/// Panics if the game is not in the registry.
pub fn estimate_histories(game: &dyn AnyGame) -> Result<f64, SolveError> {
    (typed(game).estimate)(game)
}

fn typed(game: &dyn AnyGame) -> &'static Registered {
    let known = registered().into_iter().find(|known| known.id() == game.info().id);
    known.expect("games come from the registry")
}

/// Adapters of all games registered at the first call, in the order of the games.
pub fn adapters() -> Adapters {
    static ADAPTERS: OnceLock<Vec<&'static BotAdapter>> = OnceLock::new();
    ADAPTERS.get_or_init(|| games().iter().flat_map(|entry| entry.adapters()).collect())
}

/// A game and perhaps a preset, as in `cartolan/regular`.
#[derive(Clone, Copy)]
pub struct GameName<'a> {
    pub entry: &'static dyn AnyEntry,
    pub preset: Option<&'a str>,
}

/// Error for an unknown game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game '{name}'\nhint: {hint}")]
pub struct UnknownGame {
    pub name: String,
    pub hint: String,
}

pub fn find_game(id: &str) -> Result<&'static dyn AnyEntry, UnknownGame> {
    let games = games();
    games.iter().find(|entry| entry.info().id == id).copied().ok_or_else(|| {
        let hint = did_you_mean(id, games.iter().map(|entry| entry.info().id));
        UnknownGame { name: id.to_owned(), hint }
    })
}

/// Parses `game` or `game/preset`. The preset is checked when the game is set up.
pub fn parse_game(text: &str) -> Result<GameName<'_>, UnknownGame> {
    let (id, preset) = match text.split_once('/') {
        Some((id, preset)) => (id, Some(preset)),
        None => (text, None),
    };
    Ok(GameName { entry: find_game(id)?, preset })
}
