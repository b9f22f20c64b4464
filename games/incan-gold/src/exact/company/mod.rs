//! Equilibria and best responses of several players.
//!
//! All information is public, and decisions are simultaneous. So a round is a finite stochastic game, solved
//! from its last cards to its first. While both of two players explore, their backpack and the spare gems
//! follow from the *set* of cards on the path. A lone explorer has its share from before the other left, and
//! all gems since. So the set and the backpack determine its position. The other's artifacts count as claimed
//! before the round.
//!
//! For two players and 15 gem cards this is a dense table. It has a row of backpacks for every multiset of
//! gems, set of hazards seen, and number of artifacts on the path.
//!
//! Several players who maximise gems need more positions, because an explorer left with fewer others has had
//! larger shares since. For each number of explorers there is a table by multiset, backpack and spare gems.
//! Only the values of starts are stored, and these are few.
//!
//! Each file uses only earlier ones in this order: `margin`; `mix`, `decisions`, `several`, `values`,
//! `share`; `last`; `strategy`, `response`.

mod decisions;
mod last;
mod margin;
mod mix;
mod response;
mod several;
mod share;
mod strategy;
mod values;

pub use last::LastRound;
pub use margin::{Nash, Size};
pub(crate) use mix::Choice;
pub(crate) use response::{Goal, Response, best_response, unknown_responses};
pub use share::{Share, ShareError, ShareSize};
pub(crate) use share::{result, solve_share, unknown_values};
pub(crate) use strategy::{AtRandom, Strategy};
pub(crate) use values::{Step, Values};
