//! Flat Monte Carlo.

use meeple_core::{
    ActionValue, Agent, Analysis, Foreseen, Game, Seat, Stream, Turn, ValueUnit, choice, params,
    standard_error,
};

use crate::candidates::Candidates;
use crate::world::World;

choice! {
    pub enum PlayoutGoal {
        /// To win; see [`Outcome::utility`](meeple_core::Outcome::utility).
        Win = "win",
        /// The agent's own points.
        Score = "score",
    }
}

params! {
    pub struct FlatParams {
        /// Random playouts per decision, shared evenly among the actions (at least one for each).
        pub playouts: u32 = 200 => "playouts", int(1, 1_000_000);
        /// Objective of playouts: to win, or a high score of its own, which distinguishes actions better
        /// while a win is far off. Always the score at a table of one seat.
        pub goal: PlayoutGoal = PlayoutGoal::Score => "goal", choice(PlayoutGoal::WORDS);
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 20 => "samples", int(1, 10_000);
        /// Maximal number of steps in a playout; a longer one is cut off and counts with its scores so far.
        pub longest: u32 = 10_000 => "longest", int(1, 1_000_000);
    }
}

/// Flat Monte Carlo: tries every action in determinized states, finishes with random playouts, and plays the
/// action with the best mean result. Each determinization serves every action once, with the same chance
/// draws. All other decisions are random, including the agent's own later ones, so the agent neither plans
/// nor bluffs.
pub struct Flat<G: Game> {
    params: FlatParams,
    imagined: G::State,
    world: World<G>,
    candidates: Candidates<G>,
}

impl<G: Game> Flat<G> {
    pub fn new(game: &G, params: FlatParams) -> Self {
        let imagined = game.initial_state();
        Self { params, imagined, world: World::new(game), candidates: Candidates::new() }
    }

    /// Value of an action in the current determinization, with `luck` as the seed of chance.
    fn try_out(&mut self, game: &G, seat: Seat, action: &G::Action, luck: u64, rng: &mut Stream) -> f64 {
        self.world.state.clone_from(&self.imagined);
        self.world.reseed(luck);
        self.world.step(game, seat, action, rng);
        self.world.play_out(game, self.params.longest, rng);
        if self.wants_score(game) {
            game.score(&self.world.state, seat) as f64
        } else {
            self.world.utility(game, seat)
        }
    }

    fn wants_score(&self, game: &G) -> bool {
        self.params.goal == PlayoutGoal::Score || game.seats() == 1
    }

    /// Value of an action over `tries` new playouts. The agent's random stream stays unchanged.
    fn value_again(
        &mut self,
        turn: &mut Turn<'_, G>,
        action: G::Action,
        tries: u64,
    ) -> ActionValue<G::Action> {
        let (game, seat, mut rng) = (turn.game(), turn.seat(), turn.rng().clone());
        let (mut total, mut squares, mut done) = (0.0, 0.0, 0);
        while done < tries && (done == 0 || !turn.is_cancelled()) {
            game.determinize(&turn.observe(), &mut rng, &mut self.imagined);
            let luck = rng.bits();
            let worth = self.try_out(game, seat, &action, luck, &mut rng);
            total += worth;
            squares += worth * worth;
            done += 1;
        }
        let error = standard_error(done, total, squares);
        ActionValue { action, visits: done, value: total / done as f64, error }
    }

    /// Reports the analysis of a decision: the agent takes `decided`.
    fn tell(
        &mut self,
        turn: &mut Turn<'_, G>,
        done: u64,
        decided: &G::Action,
        mut actions: Vec<ActionValue<G::Action>>,
    ) {
        if let Some(about) = turn.asked_about().cloned() {
            // Both actions get new playouts, because the earlier value of the chosen action has a selection
            // bias.
            let tries = (done / actions.len() as u64).max(1);
            for action in [decided.clone(), about] {
                let fresh = self.value_again(turn, action, tries);
                match actions.iter_mut().find(|tried| tried.action == fresh.action) {
                    Some(tried) => *tried = fresh,
                    None => actions.push(ActionValue { visits: 0, ..fresh }),
                }
            }
        }
        let unit = if self.wants_score(turn.game()) { ValueUnit::Points } else { ValueUnit::Utility };
        let line = vec![Foreseen { seat: turn.seat(), action: decided.clone() }];
        turn.tell(Analysis { iterations: done, unit, actions, line });
    }
}

impl<G: Game> Agent<G> for Flat<G> {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat) = (turn.game(), turn.seat());
        self.world.cancel_by(turn.cancel_token().cloned());
        self.candidates.collect(&mut turn, self.params.samples);
        let count = self.candidates.actions().len() as u64;
        let own = (u64::from(self.params.playouts) / count).max(1) * count;
        let mut done = 0;
        // A forced decision needs no playouts.
        while count > 1 && (done == 0 || turn.has_time(done, own)) {
            game.determinize(&turn.observe(), turn.rng(), &mut self.imagined);
            let luck = turn.rng().bits();
            for index in 0..self.candidates.actions().len() {
                // The action is moved out for the call, which avoids a clone.
                let action = self.candidates.lend(index);
                let worth = self.try_out(game, seat, &action, luck, turn.rng());
                self.candidates.give_back(index, action);
                self.candidates.add(index, worth);
            }
            done += count;
        }
        let actions = turn.is_analysed().then(|| self.candidates.values(done / count));
        let decided = self.candidates.take_best(&mut turn);
        if let Some(actions) = actions {
            self.tell(&mut turn, done, &decided, actions);
        }
        decided
    }
}
