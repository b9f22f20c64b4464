//! The playout loop: whole episodes at full speed, without checks, records or allocations.

use std::ops::{Deref, Range};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use crate::agent::{Agent, CancelToken};
use crate::course::Course;
use crate::figure::FigureSheet;
use crate::outcome::Outcome;
use crate::playable::Playable;
use crate::seat::Seat;
use crate::stream::{ChanceStreams, EpisodeSeed};
use crate::table::{EpisodeCancelled, PlayoutTable, Seating};

/// A game with its players and all playout buffers, which are reused from episode to episode.
///
/// The game is owned (`Arc`, the default) or borrowed. An episode depends only on the game, the agents, the
/// root seed, the seating and the index. Episodes may therefore be played in any order and on any thread.
///
/// Nothing is checked: an agent's illegal action panics in debug builds and gives a meaningless episode in
/// release builds. [`Episode`](crate::Episode) checks every action.
///
/// ```
/// use meeple_core::{Agent, Defined, Game, Playouts, Seating, Turn};
/// use meeple_testkit::toys::Pig;
///
/// struct Random;
///
/// impl<G: Game> Agent<G> for Random {
///     fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
///         turn.sample_action()
///     }
/// }
///
/// let pig = Pig::definition().by_default(3)?;
/// let agents = (0..3).map(|_| Box::new(Random) as Box<dyn Agent<Pig>>).collect();
/// let mut playouts = Playouts::new(&pig, agents);
///
/// // In episode 1 the players have moved on by one seat.
/// let report = playouts.play(42, Seating::Rotate, 1);
/// assert_eq!(report.player_at, [2, 0, 1]);
/// assert_eq!(report.outcome.scores.len(), 3);
///
/// // The same episode, whatever was played in between.
/// let outcome = report.outcome.clone();
/// playouts.play(42, Seating::Rotate, 0);
/// assert_eq!(*playouts.play(42, Seating::Rotate, 1).outcome, outcome);
/// # Ok::<(), meeple_core::SetupError>(())
/// ```
pub struct Playouts<G: Playable, P: Deref<Target = G> = Arc<G>> {
    game: P,
    table: PlayoutTable<G>,
    player_at: Vec<u16>,
    state: G::State,
    chance: ChanceStreams,
    outcome: Outcome,
    figures: FigureSheet,
    turn_places: Vec<u16>,
    cancel: Option<CancelToken>,
}

/// One finished episode, as reported to the laboratory.
#[derive(Debug)]
pub struct EpisodeReport<'a> {
    /// The episode's index in its run.
    pub index: u64,
    /// Player (index into the line-up) by seat: `[seats]`.
    pub player_at: &'a [u16],
    /// The outcome: scores, places, end reason.
    pub outcome: &'a Outcome,
    /// Length, in the game's length unit.
    pub length: u64,
    /// Number of decisions.
    pub decisions: u64,
    /// The game's own figures.
    pub figures: &'a FigureSheet,
    /// Place in the turn order by seat, from 0: `[seats]`. Empty if the turn order is not drawn.
    pub turn_places: &'a [u16],
}

impl<G: Playable, P: Deref<Target = G>> Playouts<G, P> {
    /// Playouts of `game` by these agents, one per seat.
    ///
    /// # Panics
    /// If the number of agents differs from the number of seats.
    pub fn new(game: P, agents: Vec<Box<dyn Agent<G>>>) -> Self {
        assert_eq!(agents.len(), game.seats(), "one agent per seat");
        Self {
            player_at: (0..agents.len() as u16).collect(),
            table: PlayoutTable::new(agents),
            state: game.initial_state(),
            game,
            chance: ChanceStreams::new(EpisodeSeed::new(0, 0)),
            outcome: Outcome::default(),
            figures: FigureSheet::default(),
            turn_places: Vec::new(),
            cancel: None,
        }
    }

    /// Lets this token end runs within an episode. Playouts without a token do not pay for it.
    pub(crate) fn cancel_by(&mut self, token: &CancelToken) {
        self.table.cancel_by(token);
        self.cancel = Some(token.clone());
    }

    /// Plays the episodes of `range` by `play`, until it returns false or the token is cancelled. An episode
    /// that the token ends is not reported.
    pub(crate) fn play_range(&mut self, range: Range<u64>, mut play: impl FnMut(&mut Self, u64) -> bool) {
        let Some(token) = self.cancel.clone() else {
            for index in range {
                if !play(self, index) {
                    return;
                }
            }
            return;
        };
        for index in range {
            if token.is_cancelled() {
                return;
            }
            match catch_unwind(AssertUnwindSafe(|| play(self, index))) {
                Ok(true) => {}
                Ok(false) => return,
                Err(payload) if payload.is::<EpisodeCancelled>() => return,
                Err(payload) => resume_unwind(payload),
            }
        }
    }

    /// Lets a player (index into the line-up) see the full state in all further episodes, to measure the
    /// value of the hidden information; see [`Turn::open_cards`](crate::Turn::open_cards).
    ///
    /// # Panics
    /// If there is no such player.
    pub fn open_cards(&mut self, player: usize) {
        assert!(player < self.player_at.len(), "there are {} players", self.player_at.len());
        self.table.open_cards(player);
    }

    /// Plays episode `index` of the run with this root seed.
    #[inline]
    pub fn play(&mut self, root: u64, seating: Seating, index: u64) -> EpisodeReport<'_> {
        let seed = seating.arrange(root, index, &mut self.player_at);
        self.play_seated(seed, index)
    }

    /// Plays the episode with this seed, independent of any run, with player p at seat p. The report carries
    /// `index`.
    pub fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        for (slot, player) in self.player_at.iter_mut().zip(0..) {
            *slot = player;
        }
        self.play_seated(seed, index)
    }

    /// As [`play`](Self::play), but also records the course of the episode: slower, with the same result.
    pub fn play_noting(
        &mut self,
        root: u64,
        seating: Seating,
        index: u64,
        course: &mut Course,
    ) -> EpisodeReport<'_> {
        let seed = seating.arrange(root, index, &mut self.player_at);
        self.begin(seed);
        course.play_out(&*self.game, &mut self.state, &mut self.table, &mut self.chance);
        self.report(index)
    }

    #[inline]
    fn play_seated(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        self.begin(seed);
        self.game.play_out(&mut self.state, &mut self.table, &mut self.chance);
        self.report(index)
    }

    #[inline]
    fn begin(&mut self, seed: EpisodeSeed) {
        self.table.sit_down(&self.game, seed, &self.player_at);
        self.chance.restart(seed);
        self.game.reset(&mut self.state);
    }

    #[inline]
    fn report(&mut self, index: u64) -> EpisodeReport<'_> {
        let decisions = self.table.decisions();
        self.outcome.clear();
        self.game.outcome(&self.state, &mut self.outcome);
        self.figures.clear();
        self.game.figures(&self.state, &mut self.figures);
        if self.game.draws_turn_order() {
            let (game, state) = (&*self.game, &self.state);
            self.turn_places.clear();
            self.turn_places.extend(Seat::all(game.seats()).map(|seat| game.turn_place(state, seat) as u16));
        }
        EpisodeReport {
            index,
            player_at: &self.player_at,
            outcome: &self.outcome,
            length: self.game.length(&self.state, decisions),
            decisions,
            figures: &self.figures,
            turn_places: &self.turn_places,
        }
    }

    /// The current state; after [`play`](Self::play) the final state of the episode.
    pub fn state(&self) -> &G::State {
        &self.state
    }
}
