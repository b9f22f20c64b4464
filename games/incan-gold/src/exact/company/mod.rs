//! Two players in the temple: equilibria, and best responses.
//!
//! Everything is public and decided at once, so that a round is a finite stochastic game and is solved from its
//! last cards to its first. While both explore, their backpack and the spare gems follow from the *set* of cards
//! on the path. Who is alone has what was shared before the other left and everything since, so that set and
//! backpack say all; what the other took counts as claimed before the round. With two players on 15 gem cards
//! that is a dense table: a row of backpacks for every multiset of gems, hazards seen and artifacts on the path.
//!
//! Files use those before them: `rows`, `alone`, `margin`, `strategy`, `response`.

mod alone;
mod margin;
mod response;
mod rows;
mod strategy;

pub use margin::{Nash, Size};
pub(crate) use response::{Goal, Response, best_response};
pub(crate) use strategy::{AtRandom, Strategy};
