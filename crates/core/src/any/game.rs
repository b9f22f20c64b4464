//! Games that are set up, and playouts of them, without their types.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;

use crate::agent::{AgentInfo, CancelToken, build_agents, find_agent};
use crate::any::episode::{AnyEpisode, any_episode};
use crate::batch::{AnyBatch, Batch, BatchError};
use crate::course::Course;
use crate::definition::Definition;
use crate::encoding::{Encoding, Field};
use crate::episode::Episode;
use crate::game::Game;
use crate::info::GameInfo;
use crate::params::Params;
use crate::playable::Playable;
use crate::playout::{EpisodeReport, Playouts};
use crate::spec::{AgentError, AgentSpec};
use crate::stream::EpisodeSeed;
use crate::table::Seating;

/// An encoding as shown in help.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EncodingDoc {
    /// Version, stored with every model trained on the numbers.
    pub version: u32,
    /// Count of numbers per observation.
    pub size: usize,
    /// The fields, in order.
    pub fields: Vec<Field>,
}

/// A game set up with a variant and a number of seats.
pub trait AnyGame: Send + Sync {
    /// Static facts: id, name, seats, presets.
    fn info(&self) -> &'static GameInfo;
    /// Every variant parameter with its value, as a JSON object.
    fn variant(&self) -> Value;
    /// A stored variant, completed with every parameter of this release; see [`Params::with_stored`]. `None`
    /// if the variant belongs to another game.
    fn variant_of_stored(&self, stored: &Value) -> Option<Value>;
    /// Number of seats.
    fn seats(&self) -> usize;
    /// True if the turn order is drawn; see [`Game::draws_turn_order`].
    fn draws_turn_order(&self) -> bool;
    /// The encoding of observations as numbers; `None` if the game defines none.
    fn encoding(&self) -> Option<EncodingDoc>;
    /// Exclusive upper bound of the ids of listed actions; see [`Game::action_bound`].
    fn action_bound(&self) -> usize;
    /// The JSON Schema of structured actions; see [`Game::action_schema`].
    fn action_schema(&self) -> Value;
    /// Checks that every agent of a line-up exists and can play.
    ///
    /// # Errors
    /// The first agent that does not exist or cannot play.
    fn check_line_up(&self, line_up: &[AgentSpec]) -> Result<(), AgentError>;
    /// A runner of playouts with these agents, one per seat.
    ///
    /// # Errors
    /// The first agent that does not exist or cannot play.
    ///
    /// # Panics
    /// If the number of agents differs from the number of seats.
    fn runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyRunner>, AgentError>;
    /// As [`runner`](Self::runner), but also records the course of every episode.
    ///
    /// # Errors
    /// The first agent that does not exist or cannot play.
    ///
    /// # Panics
    /// If the number of agents differs from the number of seats.
    fn course_runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyCourseRunner>, AgentError>;
    /// A batch of episodes of the run with root seed `root`, stepped together, one per lane; see [`Batch`].
    /// Each lane names an agent for every seat, or `None` for seats that the caller plays.
    ///
    /// # Errors
    /// If the game's actions have no ids, or an agent does not exist or cannot play. Also if a lane has the
    /// wrong number of seats, or an agent on every seat.
    fn batch(&self, root: u64, lanes: &[Vec<Option<AgentSpec>>]) -> Result<Box<dyn AnyBatch>, BatchError>;
    /// A new episode with this seed.
    fn episode(&self, seed: EpisodeSeed) -> Box<dyn AnyEpisode>;
    /// Frees the game's precomputed tables until the next use. Hosts of thousands of games call it, because
    /// they play one at a time. Running playouts and episodes keep their tables.
    fn release(&self) {}
    /// The concrete game, for [`typed`](#method.typed). Wrappers return that of the inner game.
    fn as_any(&self) -> &dyn Any;
}

/// A game that is set up, with its Rust type.
pub struct TypedGame<G: Game> {
    /// The definition from which the game was set up.
    pub definition: Arc<Definition<G>>,
    /// The game with its variant and seats.
    pub game: Arc<G>,
    /// All agents that a line-up may name.
    pub agents: Arc<[AgentInfo<G>]>,
}

impl dyn AnyGame + '_ {
    /// The game with its Rust type; `None` if `G` is another game.
    pub fn typed<G: Playable>(&self) -> Option<TypedGame<G>> {
        let found: &AnyGameOf<G> = self.as_any().downcast_ref()?;
        let (definition, agents) = (Arc::clone(&found.definition), Arc::clone(&found.agents));
        Some(TypedGame { definition, game: found.game(), agents })
    }
}

/// Playouts without the game's type: one call plays many episodes.
pub trait AnyRunner: Send {
    /// Plays the episodes `range` of the run with root seed `root`, in order, and reports each to `each`.
    /// Stops once `each` returns false.
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    );
    /// Plays the episode with this seed, player p at seat p, and reports it as episode `index`.
    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_>;
    /// Lets this token end [`run`](Self::run) within an episode, which is not reported. Decisions get a
    /// little slower.
    fn cancel_by(&mut self, token: &CancelToken);
    /// Lets a player see the full state; see [`Playouts::open_cards`].
    ///
    /// # Panics
    /// If there is no such player.
    fn open_cards(&mut self, player: usize);
}

/// Playouts that also record each episode's course: slower, with the same episodes.
pub trait AnyCourseRunner: Send {
    /// Plays the episodes `range` of the run with root seed `root`, in order, and reports each with its
    /// course to `each`. Stops once `each` returns false.
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>, &Course) -> bool,
    );
}

pub(crate) struct AnyGameOf<G: Playable> {
    definition: Arc<Definition<G>>,
    variant: G::Variant,
    seats: usize,
    /// The game; `None` after a release, until the next use rebuilds it.
    game: Mutex<Option<Arc<G>>>,
    agents: Arc<[AgentInfo<G>]>,
}

impl<G: Playable> AnyGameOf<G> {
    pub(crate) fn new(game: G, definition: Arc<Definition<G>>, agents: Arc<[AgentInfo<G>]>) -> Self {
        let (variant, seats) = (game.variant().clone(), game.seats());
        Self { definition, variant, seats, game: Mutex::new(Some(Arc::new(game))), agents }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Arc<G>>> {
        // The value is complete or missing even if a panic has poisoned the lock.
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn game(&self) -> Arc<G> {
        let make = || self.definition.set_up(self.variant.clone(), self.seats);
        let make = || make().expect("it was set up like this once");
        Arc::clone(self.kept().get_or_insert_with(|| Arc::new(make())))
    }
}

impl<G: Playable> AnyGame for AnyGameOf<G> {
    fn info(&self) -> &'static GameInfo {
        self.definition.info
    }

    fn variant(&self) -> Value {
        self.variant.to_json()
    }

    fn variant_of_stored(&self, stored: &Value) -> Option<Value> {
        self.definition.variant.with_stored(stored).ok().map(|variant| variant.to_json())
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn draws_turn_order(&self) -> bool {
        self.game().draws_turn_order()
    }

    fn encoding(&self) -> Option<EncodingDoc> {
        let game = self.game();
        let doc = |encoding: Encoding<G>| EncodingDoc {
            version: encoding.version,
            size: encoding.size(&game),
            fields: (encoding.fields)(&game),
        };
        game.encoding().map(doc)
    }

    fn action_bound(&self) -> usize {
        self.game().action_bound() as usize
    }

    fn action_schema(&self) -> Value {
        self.game().action_schema()
    }

    fn check_line_up(&self, line_up: &[AgentSpec]) -> Result<(), AgentError> {
        let mut distinct = line_up.to_vec();
        distinct.sort();
        distinct.dedup();
        build_agents(&*self.game(), &self.agents, &distinct).map(drop)
    }

    fn runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyRunner>, AgentError> {
        let game = self.game();
        let agents = build_agents(&*game, &self.agents, line_up)?;
        Ok(Box::new(Playouts::new(game, agents)))
    }

    fn course_runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyCourseRunner>, AgentError> {
        let game = self.game();
        let agents = build_agents(&*game, &self.agents, line_up)?;
        Ok(Box::new(Playouts::new(game, agents)))
    }

    fn batch(&self, root: u64, lanes: &[Vec<Option<AgentSpec>>]) -> Result<Box<dyn AnyBatch>, BatchError> {
        let game = self.game();
        let build = |spec: &AgentSpec| find_agent(game.info(), &self.agents, spec)?.build(&game, spec);
        let lane = |specs: &Vec<Option<AgentSpec>>| -> Result<_, AgentError> {
            specs.iter().map(|spec| spec.as_ref().map(build).transpose()).collect()
        };
        let agents = lanes.iter().map(lane).collect::<Result<_, _>>()?;
        Ok(Box::new(Batch::new(game, root, agents)?))
    }

    fn episode(&self, seed: EpisodeSeed) -> Box<dyn AnyEpisode> {
        let episode = Episode::new(self.game(), seed);
        any_episode(episode, Arc::clone(&self.agents))
    }

    fn release(&self) {
        *self.kept() = None;
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: Playable> AnyRunner for Playouts<G> {
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    ) {
        self.play_range(range, |playouts, index| each(&playouts.play(root, seating, index)));
    }

    fn cancel_by(&mut self, token: &CancelToken) {
        Self::cancel_by(self, token);
    }

    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        Self::play_seeded(self, seed, index)
    }

    fn open_cards(&mut self, player: usize) {
        Self::open_cards(self, player);
    }
}

impl<G: Playable> AnyCourseRunner for Playouts<G> {
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>, &Course) -> bool,
    ) {
        let mut course = Course::default();
        for index in range {
            let report = self.play_noting(root, seating, index, &mut course);
            if !each(&report, &course) {
                return;
            }
        }
    }
}
