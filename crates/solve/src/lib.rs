//! Small games solved: what is best when others know what one does not, and exactly how far strategies are from it.
//!
//! * [`unroll`]: a game as a [`Tree`] of all its histories, with information sets of seats that forget nothing.
//! * [`Profile`]: a strategy for every seat, and what it brings. [`best_response`], [`nash_conv`]: what a seat could gain
//!   against it, exactly.
//! * [`Learning`], [`solve`]: equilibria by counterfactual regret with external sampling.
//! * [`Unrolled`]: the same for games without their types.
//!
//! It is for games of at most some million histories, for any number of seats, with hidden facts and decisions at once. Games
//! with more are for search and for learning; where nothing is hidden, backward induction needs less than this does.
//!
//! ```
//! use meeple_core::Game;
//! use meeple_solve::{PayOff, Settings, solve, unroll};
//! use meeple_testkit::toys::{Poker, PokerVariant};
//! use std::ops::ControlFlow;
//!
//! let kuhn = Poker::new(PokerVariant::default(), 2).unwrap();
//! let tree = unroll(&kuhn, PayOff::Score, 1000, &mut |_| ControlFlow::Continue(())).unwrap();
//! assert_eq!(tree.size().information_sets, [6, 6]);
//! let settings = Settings { iterations: 10_000, seed: 1 };
//! let solution = solve(&tree, &settings, |_, _| ControlFlow::Continue(())).unwrap();
//! assert!((solution.values[0] + 1.0 / 18.0).abs() < 0.01);
//! ```
//!
//! Files use those before them: `error`, `pay_off`, `tree`, `memory`, `unroll`, `profile`, `best_response`, `learning`,
//! `solution`, `unrolled`. The crate is pure, so it has no clock: who watches may break off at any time.

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
pub use pay_off::PayOff;
pub use profile::Profile;
pub use solution::{Milestone, Settings, Solution, solve};
pub use tree::{Size, Tree};
pub use unroll::{MOST_HISTORIES, MOST_STEPS, estimate_histories, unroll};
pub use unrolled::{Situation, Unrolled, estimate_any, situation, unroll_any};
