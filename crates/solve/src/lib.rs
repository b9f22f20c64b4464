//! Solver for small games with hidden information: computes equilibria, and exact distances from equilibria.
//!
//! * [`unroll`] makes a [`Tree`] of all histories of a game, with information sets under perfect recall.
//! * [`Profile`] is a strategy for every seat, with its values. [`best_response`] and [`nash_conv`] compute
//!   the exact gain of deviations from it.
//! * [`Learning`] and [`solve`] find equilibria by counterfactual regret minimisation with external sampling.
//! * [`Unrolled`] is such a tree with its type-erased game.
//!
//! The solver suits games of at most a few million histories, for any number of seats, with hidden
//! information and simultaneous decisions. Larger games need search or learning. With perfect information,
//! backward induction is cheaper.
//!
//! ```
//! use meeple_core::Game;
//! use meeple_solve::{Objective, Settings, solve, unroll};
//! use meeple_testkit::toys::{Poker, PokerVariant};
//! use std::ops::ControlFlow;
//!
//! let kuhn = Poker::new(PokerVariant::default(), 2).unwrap();
//! let tree = unroll(&kuhn, Objective::Score, 1000, &mut |_| ControlFlow::Continue(())).unwrap();
//! assert_eq!(tree.size().information_sets, [6, 6]);
//! let settings = Settings { iterations: 10_000, seed: 1 };
//! let solution = solve(&tree, &settings, |_, _| ControlFlow::Continue(())).unwrap();
//! assert!((solution.values[0] + 1.0 / 18.0).abs() < 0.01);
//! ```
//!
//! The crate is pure and has no clock: observers may stop a run at any time.

mod best_response;
mod error;
mod learning;
mod memory;
mod pay_off;
mod profile;
mod solution;
mod tree;
mod unroll;
mod unrolled;

#[cfg(doc)]
use meeple_core::Game;

pub use best_response::{BestResponse, best_response, nash_conv, regrets};
pub use error::SolveError;
pub use learning::Learning;
pub use pay_off::Objective;
pub use profile::Profile;
pub use solution::{Milestone, Settings, Solution, solve};
pub use tree::{Size, Tree};
pub use unroll::{MAX_HISTORIES, MAX_STEPS, estimate_histories, unroll};
pub use unrolled::{Situation, Unrolled, estimate_any, situation, unroll_any};
