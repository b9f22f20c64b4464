//! Toy games: small enough to be read at once, for tests of the laws, of agents and of tools.
//!
//! * [`Goofspiel`]: bids at the same time, chance.
//! * [`Hands`]: hidden cards, simultaneous choices, chance; it can be told to break a law.
//! * [`Lines`]: tic-tac-toe and its kin.
//! * [`Nim`]: two seats, perfect information, no chance.
//! * [`Pig`]: a die, any number of seats.
//! * [`Posts`]: structured actions, given at once.

mod goofspiel;
mod hands;
mod lines;
mod nim;
mod pig;
mod posts;

pub use goofspiel::{Bid, Goofspiel, GoofspielVariant};
pub use hands::values::MOST_CARDS;
pub use hands::{Card, Choice, Flaw, Hands, HandsVariant};
pub use lines::{Fall, Lines, LinesVariant, Mark};
pub use nim::{Nim, NimVariant, Take};
pub use pig::{Pig, PigState, PigVariant, Throw};
pub use posts::{Allocation, Posts, PostsVariant};
