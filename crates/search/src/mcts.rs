use meeple_core::{
    ActionKind, ActionValue, Agent, AgentInfo, Analysis, Budget, EpisodeSeed, Foreseen, Game, Hints, Seat,
    Turn, ValueUnit,
};

use crate::params::{MctsParams, Selection};
use crate::search::{Search, SearchStart};
use crate::tally::RootTally;

/// Agent that searches before every decision and plays the most visited action. With regret matching it draws
/// from the average strategy.
///
/// Every unforced decision takes one draw of the random stream, independent of thinking time and analysis.
/// Neither therefore affects later play.
pub struct Mcts<G: Game> {
    iterations: u32,
    select: Selection,
    reuse: bool,
    searches: Vec<Search<G>>,
    tally: RootTally<G::Action>,
    /// Information key of the own next decision if it follows at once, and the action that leads there.
    expected: Option<(u128, G::Action)>,
    weights: Vec<f64>,
}

impl<G: Game> Mcts<G> {
    /// Makes an agent. `known` are the agents that may decide in rollouts; `make` makes the hints of one
    /// tree.
    ///
    /// # Errors
    /// If no known agent has the name in the settings, that agent cannot play this game, or `make` fails.
    pub fn new(
        game: &G,
        params: &MctsParams,
        known: &[AgentInfo<G>],
        make: impl Fn() -> Result<Box<dyn Hints<G>>, String>,
    ) -> Result<Self, String> {
        let searches: Result<_, _> =
            (0..params.trees).map(|_| Search::new(game, params.clone(), known, make()?)).collect();
        let (iterations, select, reuse) = (params.iterations, params.select, params.reuse);
        let (tally, expected, weights) = (RootTally::default(), None, Vec::new());
        Ok(Self { iterations, select, reuse, searches: searches?, tally, expected, weights })
    }

    /// Iterates as long as the turn allows. Returns the number of iterations, to which the visits of kept
    /// subtrees count. `seed` determines all draws.
    fn search(&mut self, turn: &Turn<'_, G>, seed: u64) -> u64 {
        let (game, seat, observation) = (turn.game(), turn.seat(), turn.observe());
        let open = turn.open_cards();
        let known_of_states = open.as_ref().unwrap_or(&observation);
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
            search.cancel_by(turn.cancel_token().cloned());
            let start = SearchStart { seat, seed, tree, iterations: room };
            let kept = expected.as_ref();
            match kept.and_then(|(_, action)| search.follow(game, &observation, action, start)) {
                Some(visits) => done += visits,
                None => search.begin(game, &observation, start),
            }
        }
        // Stopping early never changes the decision, but an analysis needs all visits.
        let may_stop = trees == 1 && !turn.is_analysed();
        while done == 0 || turn.has_time(done, own) {
            self.searches[(done % trees) as usize].iterate(game, known_of_states);
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

    /// Adds up the root statistics of all trees.
    fn count(&mut self) {
        self.tally.clear();
        for search in &self.searches {
            search.count(&mut self.tally);
        }
    }

    /// Estimates the value of an action by `tries` more iterations that start with it.
    fn look_at(&mut self, turn: &Turn<'_, G>, action: &G::Action, tries: u64) -> ActionValue<G::Action> {
        let (game, observation) = (turn.game(), turn.observe());
        let before = self.tally.sums(action);
        let trees = self.searches.len() as u64;
        for number in 0..tries {
            if number > 0 && turn.is_cancelled() {
                break;
            }
            self.searches[(number % trees) as usize].iterate_with(game, &observation, action);
        }
        self.count();
        let after = self.tally.sums(action);
        let mut fresh = RootTally::default();
        fresh.add(action, (after.0 - before.0) as u32, after.1 - before.1, after.2 - before.2);
        fresh.utilities(game.seats()).next().expect("it was added")
    }

    /// Compares the action in question with the decision. Both get the same number of new iterations, and
    /// only these count. The earlier values are biased: the decision was selected for its value, partly by
    /// luck, and the search neglected less promising actions.
    fn compare(
        &mut self,
        turn: &Turn<'_, G>,
        [decided, about]: [&G::Action; 2],
        actions: &mut Vec<ActionValue<G::Action>>,
    ) {
        let tries = self.tally.sums(decided).0.max(1);
        let behind = tries.saturating_sub(self.tally.sums(about).0);
        if behind > 0 {
            self.look_at(turn, about, behind);
        }
        let both = if decided == about { &[decided][..] } else { &[decided, about] };
        for action in both {
            let fresh = self.look_at(turn, action, tries);
            match actions.iter_mut().find(|tried| tried.action == **action) {
                Some(tried) => (tried.value, tried.error) = (fresh.value, fresh.error),
                None => actions.push(ActionValue { visits: 0, ..fresh }),
            }
        }
    }

    /// Reports the analysis of a decision.
    fn tell(&mut self, turn: &mut Turn<'_, G>, iterations: u64, decided: &G::Action) {
        // The principal variation comes from the tree with the most visits of the decision.
        let visits = |search: &Search<G>| {
            let mut own = RootTally::default();
            search.count(&mut own);
            own.sums(decided).0
        };
        let mut line = Vec::new();
        let mut most: Option<(u64, &Search<G>)> = None;
        for search in &self.searches {
            let visits = visits(search);
            if most.is_none_or(|(known, _)| visits > known) {
                most = Some((visits, search));
            }
        }
        if let Some((_, search)) = most {
            search.expect(decided, &mut line);
        }
        let unit = unit(turn.game());
        let mut actions = self.tally.utilities(turn.game().seats()).collect();
        if let Some(about) = turn.asked_about().cloned() {
            self.compare(turn, [decided, &about], &mut actions);
        }
        turn.tell(Analysis { iterations, unit, actions, line });
    }
}

/// Iterations between two checks of `is_decided`.
const CHECK_EVERY: u64 = 16;

impl<G: Game> Agent<G> for Mcts<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.expected = None;
        for search in &mut self.searches {
            search.begin_episode(game, seat);
        }
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        if turn.game().info().actions == ActionKind::Listed
            && let [only] = turn.legal_actions()
        {
            let only = only.clone();
            if turn.is_analysed() {
                let seat = turn.seat();
                let alone = ActionValue { action: only.clone(), visits: 0, value: 0.0, error: None };
                let line = vec![Foreseen { seat, action: only.clone() }];
                let unit = unit(turn.game());
                turn.tell(Analysis { iterations: 0, unit, actions: vec![alone], line });
            }
            return only;
        }
        let seed = turn.rng().bits();
        let iterations = self.search(&turn, seed);
        self.count();
        let drawn = match self.select {
            Selection::Regret => {
                let mut stream = EpisodeSeed::new(seed, u64::MAX).agent(turn.seat());
                self.tally.draw(&mut stream, &mut self.weights)
            }
            Selection::Ucb | Selection::Puct => None,
        };
        let decided = match drawn.or_else(|| self.tally.best()) {
            Some(action) => action.clone(),
            None => turn.sample_action(),
        };
        if self.reuse {
            let foreseen = self.searches[0].foresee(turn.game(), &turn.observe(), &decided);
            self.expected = foreseen.map(|key| (key, decided.clone()));
        }
        if turn.is_analysed() {
            self.tell(&mut turn, iterations, &decided);
        }
        decided
    }
}

/// Unit of the search's values: points at a table of one seat, else utilities.
fn unit<G: Game>(game: &G) -> ValueUnit {
    if game.seats() < 2 { ValueUnit::Points } else { ValueUnit::Utility }
}
