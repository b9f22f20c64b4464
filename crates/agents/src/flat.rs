//! Flat Monte Carlo.

use meeple_core::{Agent, Analysis, Game, Turn, choice, params};

use crate::candidates::Candidates;
use crate::world::World;

choice! {
    /// What [`Flat`] wants much of.
    pub enum Goal {
        /// To win; see [`Outcome::utility`](meeple_core::Outcome::utility).
        Win = "win",
        /// Points of its own.
        Score = "score",
    }
}

params! {
    /// Settings of [`Flat`].
    pub struct FlatParams {
        /// Random playouts per decision, shared evenly among the actions (at least one for each).
        pub playouts: u32 = 200 => "playouts", int(1, 1_000_000);
        /// What it wants: to win, or points of its own, which random play tells apart where a win is too far. At a table of one
        /// seat it is always points.
        pub goal: Goal = Goal::Score => "goal", choice(Goal::WORDS);
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 20 => "samples", int(1, 10_000);
        /// Most steps of a playout; the scores as they stand count then.
        pub longest: u32 = 10_000 => "longest", int(1, 1_000_000);
    }
}

/// Tries every action in imagined states, lets random players go on to the end, and plays the action that
/// did best on average. Each imagined state is used once for every action, with the same chance draws. What
/// others decide at the same moment is drawn too. It assumes that everybody plays at random from there on,
/// itself included, so it neither plans nor bluffs.
pub struct Flat<G: Game> {
    params: FlatParams,
    imagined: G::State,
    world: World<G>,
    candidates: Candidates<G>,
}

impl<G: Game> Flat<G> {
    /// With these settings.
    pub fn new(game: &G, params: FlatParams) -> Self {
        let imagined = game.initial_state();
        Self { params, imagined, world: World::new(game), candidates: Candidates::new() }
    }
}

impl<G: Game> Agent<G> for Flat<G> {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat) = (turn.game(), turn.seat());
        let by_score = self.params.goal == Goal::Score || game.seats() == 1;
        self.candidates.collect(&mut turn, self.params.samples);
        let count = self.candidates.actions().len() as u64;
        let own = (u64::from(self.params.playouts) / count).max(1) * count;
        let mut done = 0;
        // A forced decision needs no thought.
        while count > 1 && (done == 0 || turn.has_time(done, own)) {
            game.determinize(&turn.observe(), turn.rng(), &mut self.imagined);
            let luck = turn.rng().bits();
            for index in 0..self.candidates.actions().len() {
                self.world.state.clone_from(&self.imagined);
                self.world.reseed(luck);
                let action = &self.candidates.actions()[index];
                self.world.step(game, seat, action, turn.rng());
                self.world.play_out(game, self.params.longest, turn.rng());
                let worth = if by_score {
                    game.score(&self.world.state, seat) as f64
                } else {
                    self.world.utility(game, seat)
                };
                self.candidates.add(index, worth);
            }
            done += count;
        }
        if turn.is_analysed() {
            let actions = self.candidates.values(done / count);
            turn.tell(Analysis { iterations: done, actions });
        }
        self.candidates.take_best(&mut turn)
    }
}
