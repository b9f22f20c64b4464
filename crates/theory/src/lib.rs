//! Empirical game theory on pay-off tables, independent of any game.
//!
//! * [`Square`] is a square matrix, such as an antisymmetric matrix of margins, row against column.
//!   [`nash_average`], [`alpha_rank`] and [`cyclic`] evaluate such margins.
//! * [`TableGame`] is a symmetric game of any number of players, given by the pay-offs of all possible
//!   tables. [`symmetric_equilibrium`], [`replicate`] and [`basins`] analyse it.
//!
//! Pure mathematics in doubles.

mod alpha_rank;
mod cycles;
mod linear;
mod nash;
mod replicator;
mod square;
mod symmetric;
mod table_game;

pub use alpha_rank::{AlphaRank, alpha_rank, alpha_rank_limit};
pub use cycles::{Cyclic, cyclic};
pub use nash::{NashAverage, nash_average};
pub use replicator::{Basin, RestPoint, basins, gather, replicate, start};
pub use square::Square;
pub use symmetric::{Symmetric, symmetric_equilibrium};
pub use table_game::{Compositions, TableGame, TableStructure};
