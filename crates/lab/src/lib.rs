//! The laboratory: simulate, sweep, statistics with intervals, results files, plots, reports.
//!
//! * [`SetUp`] and [`LineUp`]: a game and its players, from the words of a command line.
//! * [`simulate`] plays a [`Simulation`] and returns a [`Run`]; [`simulate_into`] also writes its files.
//! * [`replay`] replays one of its episodes, step by step.
//! * [`Sweep`], [`sweep`] and [`sweep_into`] do the same for one or two parameters at many values.
//! * [`shard`] plays both in pieces; [`merge_into`] and [`merge_sweep_into`] write the results of the whole
//!   run.
//! * [`table`], [`plots`] and [`report`] present the results.
//! * [`review`] lets an agent judge the decisions of a stored episode.
//! * [`sprt`] tests two players until the result is significant.
//!
//! The crate never prints: a [`Progress`] receives the progress, a [`StopFlag`] stops a run.
#![warn(missing_docs)]
// Files, threads and the clock are the purpose of this crate. It has no randomness of its own, and results
// never depend on hash order or time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod checksum;
mod cluster_mean;
mod column;
mod columns;
mod counts;
mod deals;
mod episode;
mod error;
mod figures;
mod firsts;
mod grid;
mod histogram;
mod intervals;
mod line_up;
mod measure;
mod named;
mod named_seats;
mod new_file;
mod place;
mod plan;
pub mod plots;
pub mod pool;
mod progress;
pub mod report;
mod results;
pub mod review;
mod row_group;
mod rows;
mod run;
mod running_moments;
pub mod shard;
mod simulate_into;
mod simulation;
pub mod sprt;
mod stretch;
mod summary;
mod sweep;
mod sweep_grid;
mod sweep_into;
pub mod table;
mod tally;
pub mod text;
mod turns;

pub use cluster_mean::ClusterMean;
pub use columns::{EpisodeColumns, Values};
pub use episode::replay;
pub use error::{LabError, Mismatch};
pub use figures::{Meaning, Spread, meanings};
pub use grid::{Grid, texts};
pub use histogram::{FigureSums, Histogram, Moments};
pub use intervals::{mean_interval, resampled_interval, t_quantile, wilson_interval, win_share_of_units};
pub use line_up::{Entry, LineUp, SetUp};
pub use named::{JsonText, Name, Named};
pub use new_file::{NewFile, remove_leftovers};
pub use place::Place;
pub use progress::{NoProgress, Progress, StopFlag};
pub use results::{Directory, Existing, Filed, Output};
pub use run::{Run, simulate, simulate_keeping};
pub use running_moments::RunningMoments;
pub use shard::Shard;
pub use simulate_into::{merge_into, simulate_into};
pub use simulation::Simulation;
pub use summary::{
    AgentSummary, AtSeat, AtTurn, LengthSummary, Quantiles, Results, SeatSummary, Summary, Timing,
    TurnSummary, Visits,
};
pub use sweep::{Axis, Cell, CellRun, ReadFile, Sweep, SweepOptions, SweepResult, sweep};
pub use sweep_into::{merge_sweep_into, sweep_into};
pub use tally::Tally;
