//! Toy games: small enough to be read at once, for tests of the laws, of agents and of tools.
//!
//! * [`Hands`]: hidden cards, simultaneous choices, chance; it can be told to break a law.
//! * [`Nim`]: two seats, perfect information, no chance.
//! * [`Posts`]: structured actions, given at once.

mod hands;
mod nim;
mod posts;

pub use hands::values::MOST_CARDS;
pub use hands::{Card, Choice, Flaw, Hands, HandsVariant};
pub use nim::{Nim, NimVariant, Take};
pub use posts::{Allocation, Posts, PostsVariant};
