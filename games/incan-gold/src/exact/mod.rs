//! Exact values of Incan Gold, computed by counting instead of simulation.
//!
//! This module does not use the engine. The rules come in as plain [`Rules`], so engine and module can be
//! tested against each other.
//!
//! * [`solo`]: the distribution of the score of one player with a simple strategy.
//! * [`versus`]: win, draw and loss of two players who leave after a fixed number of cards.
//! * [`optimal`] and [`Policy`]: the best score of a lone player, and the decisions that reach it.
//! * `company`: equilibria and best responses of two and more players.
//! * `induction`: the backward induction over a round. All except `solo` and `versus` use it, each with its
//!   own layout of positions (`party`), pay-off and decision rule.
//! * [`tool`]: the results as tables and JSON.
//!
//! # How
//! A round starts with a deck that is known up to its order. The first `t` of its `N` cards are a uniform
//! `t`-subset. They hold `g` gems, `a` artifacts and `h` hazards of different kinds with probability
//! `C(G,g)·C(A,a)·e_h(copies) / C(N,t)`. Here `e_h` is the elementary symmetric polynomial of the remaining
//! copies of each kind. Independently of the rest, the gems are a uniform `g`-subset.
//!
//! A round therefore has a *law*: for each start of the next round, the joint probability of that start and
//! each gain. Laws compose over the rounds.
//!
//! All sums have non-negative terms, so rounding errors stay near `1e-15` of each value.

mod alone;
mod company;
mod counts;
mod equilibrium;
mod induction;
mod kept;
mod mass;
mod optimal;
mod output;
mod party;
mod policy;
mod range;
mod rules;
mod solo;
mod start;
pub mod tool;
mod versus;

pub(crate) use company::{
    AtRandom, Choice, Goal, Response, Strategy as Decides, best_response, result, solve_share,
    unknown_responses, unknown_values,
};
pub use company::{LastRound, Nash, Share, ShareError, ShareSize, Size};
pub(crate) use kept::{Listener, with_kept};
pub use mass::Mass;
pub use optimal::{Horizon, Optimal, optimal};
pub use policy::{Hazard, Policy, Position};
pub use rules::{ExactError, Rules};
pub use solo::{Strategy, solo, solo_rounds};
pub use versus::{Versus, versus};
