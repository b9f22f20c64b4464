//! Toy games, small enough to read at once, for tests of the laws, of agents and of tools.
//!
//! * [`Goofspiel`]: simultaneous bids, chance.
//! * [`Hands`]: hidden cards, simultaneous choices, chance; it can break a law on request.
//! * [`Lines`]: tic-tac-toe and relatives.
//! * [`Matrix`]: one simultaneous decision, with any pay-offs.
//! * [`Nim`]: two seats, perfect information, no chance.
//! * [`Pig`]: a die, any number of seats.
//! * [`Poker`]: hidden cards and bets; Kuhn poker and Leduc Hold'em.
//! * [`Posts`]: structured actions, simultaneous.

mod goofspiel;
mod hands;
mod lines;
mod matrix;
mod nim;
mod pig;
mod poker;
mod posts;

pub use goofspiel::{Bid, Goofspiel, GoofspielState, GoofspielVariant};
pub use hands::values::MAX_CARDS;
pub use hands::{Card, CardChoice, Flaw, Hands, HandsVariant};
pub use lines::{Fall, Lines, LinesVariant, Mark};
pub use matrix::{Chosen, Matrix, MatrixLine, MatrixVariant};
pub use nim::{Nim, NimVariant, Take};
pub use pig::{Pig, PigState, PigVariant, Throw};
pub use poker::{BettingMove, Happened, Poker, PokerState, PokerVariant};
pub use posts::{Allocation, Posts, PostsFlaw, PostsVariant};
