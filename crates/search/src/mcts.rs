//! The agent that searches.

use meeple_core::{
    ActionKind, ActionValue, Agent, AgentInfo, Analysis, Budget, EpisodeSeed, Game, SearchHints, Seat, Turn,
};

use crate::params::{MctsParams, Selection};
use crate::search::{Search, Start};
use crate::tally::Tally;

/// Searches before every decision, and plays what it visited most.
///
/// Of its random stream it takes one draw at every decision that is no forced one, however long it thinks and whoever
/// looks on: what it plays later does not depend on that.
pub struct Mcts<G: Game> {
    iterations: u32,
    select: Selection,
    /// Whether what was found out is kept for a decision that follows at once.
    reuse: bool,
    searches: Vec<Search<G>>,
    tally: Tally<G::Action>,
    /// What it will know if such a decision follows, and the action that leads there.
    expected: Option<(u128, G::Action)>,
    weights: Vec<f64>,
}

impl<G: Game> Mcts<G> {
    /// With these settings. `known` are the agents that may decide in rollouts.
    ///
    /// # Errors
    /// If none of them has the name that the settings say, or it cannot play this game.
    pub fn new(
        game: &G,
        params: MctsParams,
        known: &[AgentInfo<G>],
        hints: &SearchHints<G>,
    ) -> Result<Self, String> {
        let searches: Result<_, _> =
            (0..params.trees).map(|_| Search::new(game, params.clone(), known, hints)).collect();
        let (iterations, select, reuse) = (params.iterations, params.select, params.reuse);
        let (tally, expected, weights) = (Tally::default(), None, Vec::new());
        Ok(Self { iterations, select, reuse, searches: searches?, tally, expected, weights })
    }

    /// Iterates as long as the turn allows, and returns how often. `seed` decides all draws.
    fn search(&mut self, turn: &Turn<'_, G>, seed: u64) -> u64 {
        let (game, seat, observation) = (turn.game(), turn.seat(), turn.observe());
        let own = u64::from(self.iterations);
        let known = match turn.budget() {
            Budget::Own => Some(own),
            Budget::Iterations(allowed) => Some((*allowed).max(1)),
            Budget::Until(_) => None,
        };
        let trees = self.searches.len() as u64;
        let room = u32::try_from(known.unwrap_or(own).div_ceil(trees)).unwrap_or(u32::MAX);
        let expected = self.expected.take().filter(|(key, _)| *key == turn.information_key());
        let mut done = 0;
        for (tree, search) in (0..).zip(&mut self.searches) {
            let start = Start { seat, seed, tree, iterations: room };
            let kept = expected.as_ref();
            match kept.and_then(|(_, action)| search.follow(game, &observation, action, start)) {
                Some(visits) => done += visits,
                None => search.begin(game, &observation, start),
            }
        }
        // Who asks for an analysis wants all visits; the decision is the same.
        let may_stop = trees == 1 && !turn.is_analysed();
        while done == 0 || turn.has_time(done, own) {
            self.searches[(done % trees) as usize].iterate(game, &observation);
            done += 1;
            if may_stop && done == 1 && self.searches[0].is_forced() {
                break;
            }
            if let Some(known) = known
                && may_stop
                && done % CHECK_EVERY == 0
                && self.searches[0].is_decided(known - done)
            {
                break;
            }
        }
        done
    }
}

/// Iterations from one look whether the decision can still change to the next.
const CHECK_EVERY: u64 = 16;

impl<G: Game> Agent<G> for Mcts<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.expected = None;
        for search in &mut self.searches {
            search.begin_episode(game, seat);
        }
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        // A forced decision needs no thought.
        if G::INFO.actions == ActionKind::Listed
            && let [only] = turn.legal_actions()
        {
            let only = only.clone();
            if turn.is_analysed() {
                let actions = vec![ActionValue { action: only.clone(), visits: 0, value: 0.0 }];
                turn.tell(Analysis { iterations: 0, actions });
            }
            return only;
        }
        let seed = turn.rng().bits();
        let iterations = self.search(&turn, seed);
        self.tally.clear();
        for search in &self.searches {
            search.count(&mut self.tally);
        }
        if turn.is_analysed() {
            let seats = turn.game().seats() as f64;
            // As utilities: 0 is an equal share. A lone seat's values are points already.
            let utility = |worth: f64| {
                if seats < 2.0 { worth } else { (worth - 1.0 / seats) * seats / (seats - 1.0) }
            };
            let value = |tried: ActionValue<G::Action>| ActionValue { value: utility(tried.value), ..tried };
            let actions = self.tally.values().map(value).collect();
            turn.tell(Analysis { iterations, actions });
        }
        let action = match self.select {
            Selection::Regret => {
                let mut stream = EpisodeSeed::new(seed, u64::MAX).agent(turn.seat());
                self.tally.draw(&mut stream, &mut self.weights)
            }
            Selection::Ucb | Selection::Puct => None,
        };
        let Some(action) = action.or_else(|| self.tally.best()).cloned() else {
            return turn.sample_action();
        };
        if self.reuse {
            let foreseen = self.searches[0].foresee(turn.game(), &turn.observe(), &action);
            self.expected = foreseen.map(|key| (key, action.clone()));
        }
        action
    }
}
