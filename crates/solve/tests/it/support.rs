//! Helpers of several tests.

use std::ops::ControlFlow;

use meeple_core::Game;
use meeple_solve::{
    Objective, Profile, Settings, Situation, Solution, SolveError, Tree, situation, solve, unroll,
};
use meeple_testkit::toys::{Poker, PokerVariant};

pub fn kuhn() -> Poker {
    Poker::new(PokerVariant::default(), 2).unwrap()
}

pub fn leduc() -> Poker {
    Poker::new(PokerVariant { suits: 2, rounds: 2, raises: 2, bet: 2, ..PokerVariant::default() }, 2).unwrap()
}

/// The tree of a game played for points.
pub fn tree(game: &impl Game) -> Tree {
    tree_for(game, Objective::Score)
}

pub fn tree_for(game: &impl Game, pay_off: Objective) -> Tree {
    unrolled(game, pay_off, 1_000_000).unwrap()
}

pub fn unrolled(game: &impl Game, pay_off: Objective, histories: usize) -> Result<Tree, SolveError> {
    unroll(game, pay_off, histories, &mut |_| ControlFlow::Continue(()))
}

pub fn learned(tree: &Tree, iterations: u64, seed: u64) -> Solution {
    let settings = Settings { iterations, seed };
    solve(tree, &settings, |_, _| ControlFlow::Continue(())).unwrap()
}

/// The profile with the probabilities that `strategy` returns for each situation.
pub fn profile<G: Game>(game: &G, tree: &Tree, strategy: impl Fn(&Situation) -> Vec<f64>) -> Profile {
    Profile::new(tree, |set| strategy(&situation(game, tree, set))).unwrap()
}

#[track_caller]
pub fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "expected {expected} ± {within}, found {found}");
}
