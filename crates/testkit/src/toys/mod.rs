//! Toy games: small enough to be read at once, for tests of the laws, of agents and of tools.
//!
//! * [`Dice`]: perfect information and chance; its values, lists and drawings can be told to be faulty.
//! * [`Hands`]: hidden cards, simultaneous choices, chance; it can be told to break a law.
//! * [`Nim`]: two seats, perfect information, no chance.
//! * [`Pockets`]: decisions that nobody else hears of; it can be told to give a secret away.
//! * [`Posts`]: structured actions, given at once.

mod dice;
mod hands;
mod nim;
mod pockets;
mod posts;

pub use dice::{Dice, DiceFlaw, DiceVariant, Face, Pick};
pub use hands::{Choice, Flaw, Hands, HandsVariant};
pub use nim::{Nim, NimVariant, Take};
pub use pockets::{Coin, Leak, Pockets, PocketsVariant};
pub use posts::{Allocation, Posts, PostsVariant};
