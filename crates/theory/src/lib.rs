//! Empirical game theory: what a table of pay-offs says, whatever game it came from.
//!
//! * [`Square`]: a matrix of margins, row against column, antisymmetric: what one wins of the other.
//!   [`nash_average`], [`alpha_rank`], [`cyclic`].
//! * [`TableGame`]: a symmetric game of any number of players, given by the pay-offs of all tables they can make up.
//!   [`symmetric_equilibrium`], [`replicate`], [`basins`].
//!
//! Pure mathematics in doubles; it knows no game of ours. A file uses only what stands before it: `square`, `linear`, `cycles`,
//! `alpha_rank`, `nash`, `table_game`, `replicator`, `symmetric`.

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
pub use replicator::{Basin, Rest, basins, gather, replicate, start};
pub use square::Square;
pub use symmetric::{Symmetric, symmetric_equilibrium};
pub use table_game::{Compositions, Shape, TableGame};
