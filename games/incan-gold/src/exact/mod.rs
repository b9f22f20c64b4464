//! Exact values of Incan Gold: no simulation, only counting.
//!
//! Nothing here uses the engine. The rules come in as plain [`Rules`], and the two can be tested against each
//! other.
//!
//! * [`solo`]: the whole distribution of the score of one player who follows a simple strategy.
//! * [`versus`]: win, draw and loss of two players who leave after a fixed number of cards.
//! * [`optimal`] and [`Policy`]: the best a lone player can do, and how.
//! * `company`: two and more players: equilibria and best responses.
//! * `induction`: the backward induction over a round, which all of these but `solo` and `versus` use. Each
//!   of them adds its layout of positions (`party`), its pay-off and its decision rule.
//! * [`tool`]: the same as tables and JSON.
//!
//! # How
//! A round starts with a deck that is known up to its order. The first `t` of its `N` cards
//! are a uniform `t`-subset, so that they hold `g` gems, `a` artifacts and `h` hazards of different kinds
//! with probability `C(G,g)·C(A,a)·e_h(copies) / C(N,t)`, where `e_h` is the elementary symmetric polynomial
//! of the copies left of each kind. Which gems they are is a uniform `g`-subset, whatever the rest. A round
//! therefore has a *law*: for each start of the next round, the probability to get there together with each
//! gain. Laws compose over the rounds.
//!
//! All sums are of terms that are not negative, so that rounding stays near `1e-15` of each value.

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
