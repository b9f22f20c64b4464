//! The laboratory: simulations and sweeps of any game on all cores, with intervals, files, plots and reports.
//!
//! Games come from the registry (`meeple-games`) or from [`meeple_core::GameEntry`]; players are words, as on
//! the command line. Results depend on game, line-up, seed and number of episodes, never on the number of
//! threads.
//!
//! # Simulate
//!
//! [`SetUp`] sets a game up for a line-up, and [`simulate`] plays a [`Simulation`]. The [`Summary`] of the
//! [`Run`] has shares and means with intervals at 95 % ([`Results`] says how they are computed).
//!
//! ```
//! use meeple_core::Seating;
//! use meeple_lab::{NoProgress, SetUp, Simulation, StopFlag, simulate};
//!
//! let entry = meeple_games::find_game("incan-gold")?;
//! let players = ["turn:3", "turn:7"].map(String::from);
//! let SetUp { game, line_up, .. } = SetUp::new(entry, None, &[], &players)?;
//! let simulation =
//!     Simulation { game: &*game, line_up, seed: 1, episodes: 1_000, seating: Seating::Rotate, threads: 0 };
//! let run = simulate(&simulation, &mut NoProgress, &StopFlag::new())?;
//!
//! for agent in &run.summary.agents {
//!     let results = &agent.results;
//!     let [low, high] = results.win_share_ci;
//!     println!("{}: wins {:.3} of the games ({low:.3} to {high:.3})", agent.name, results.win_share);
//!     assert!(low <= results.win_share && results.win_share <= high);
//! }
//! # assert_eq!(run.summary.agents[0].results.episodes, 1_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sweep
//!
//! A range in place of a value makes an axis. All cells share the same deals, so luck cancels when cells are
//! compared.
//!
//! ```
//! use meeple_core::Seating;
//! use meeple_lab::{NoProgress, StopFlag, Sweep, SweepOptions, sweep};
//!
//! let entry = meeple_games::find_game("incan-gold")?;
//! let words = ["turn:1..9+4", "random"].map(String::from);
//! let plan = Sweep::new(entry, None, &[], &words)?;
//! let options = SweepOptions { seed: 1, episodes: 200, seating: Seating::DealGroups, threads: 0 };
//! let result = sweep(&plan, &options, &mut NoProgress, &StopFlag::new())?;
//!
//! let labels: Vec<String> = result.cells.iter().map(|cell| result.label(cell)).collect();
//! assert_eq!(labels, ["turn 1", "turn 5", "turn 9"]);
//! for cell in &result.cells {
//!     let results = &cell.run.summary.agents[0].results;
//!     println!("{}: {:.1} gems, {:?}", result.label(cell), results.mean_score, results.mean_score_ci);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contents
//!
//! * [`simulate_into`] and [`sweep_into`] also write result directories; [`Existing`] says what happens to
//!   earlier results.
//! * [`shard`] plays simulations and sweeps in pieces; [`merge_into`] and [`merge_sweep_into`] write the
//!   results of the whole run.
//! * [`replay`] replays one episode of a simulation, step by step.
//! * [`table`], [`plots`] and [`report`] present the results.
//! * [`review`] lets an agent judge the decisions of a stored episode.
//! * [`sprt`] tests two players until the result is significant.
//!
//! # Errors
//!
//! A [`LabError`] says what was expected and what was found, with a hint. A panic of a game or an agent
//! becomes [`LabError::Panic`], which names the episodes that were being played. In a review it becomes
//! [`LabError::Judging`], which names the decision.
//!
//! The crate never prints: a [`Progress`] receives the progress, a [`StopFlag`] stops a run. The crate has no
//! features.
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
pub use columns::{ColumnValues, EpisodeColumns};
pub use episode::replay;
pub use error::{LabError, Mismatch};
pub use figures::{FigureDefinition, Spread, meanings};
pub use grid::{Grid, texts};
pub use histogram::{FigureSums, Histogram, Moments};
pub use intervals::{mean_interval, resampled_interval, t_quantile, wilson_interval, win_share_of_units};
pub use line_up::{LineUp, LineUpEntry, SetUp};
pub use named::{JsonText, Name, Named};
pub use new_file::{NewFile, remove_leftovers};
pub use place::PlaceCounts;
pub use progress::{NoProgress, Progress, StopFlag};
pub use results::{Directory, Existing, Filed, OutputOptions};
pub use run::{Run, simulate, simulate_keeping};
pub use running_moments::RunningMoments;
pub use shard::Shard;
pub use simulate_into::{merge_into, simulate_into};
pub use simulation::Simulation;
pub use summary::{
    AgentSummary, AtSeat, AtTurn, LengthSummary, Quantiles, Results, RunTiming, SeatSummary, Summary,
    TurnSummary, Visits,
};
pub use sweep::{Axis, Cell, CellRun, ReadFile, Sweep, SweepOptions, SweepResult, sweep};
pub use sweep_into::{merge_sweep_into, sweep_into};
pub use tally::Tally;
