//! The balance laboratory: analysis of a game by playing many strategies against each other.
//!
//! * [`Balance`]: a game, and the strategies that meet in it. [`play`] plays all of their tables on common
//!   deals, each from every seat.
//! * [`answer`] computes [`Answers`] from [`PlayedTables`]: equilibrium, margins, cycles, seats, length,
//!   decisions, luck, all with intervals over resampled deals.
//! * [`TrialPlan`]: the same analysis under several values of a rule ([`try_values`]), or with every
//!   parameter changed ([`try_parameters`]).
//! * [`hidden`]: the value of hidden information to a player that searches.
//! * [`sentences`], [`grids`] and [`plots`] present the answers, [`BalanceFiles`] stores them.
//!
//! The crate never prints: it reports to a [`Progress`](meeple_lab::Progress).
// Threads and files are the purpose of this crate. All randomness comes from seeded streams, and results
// never depend on hash order or time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod answers;
mod deal_cells;
mod files;
mod hidden;
mod plan;
mod play;
mod plots;
mod point;
mod row;
mod sentences;
mod show;
mod show_trials;
mod trials;

pub use answers::{
    Answers, CourseStatistics, Estimate, Luck, ReplicatorLimit, SURVIVES, StrategyCycles, StrategyStanding,
    answer,
};
pub use files::{BalanceFiles, BalanceReport, BalanceSummary, PayoffFile};
pub use hidden::{Compared, Hidden, HiddenOptions, hidden};
pub use plan::{Balance, BalanceOptions, MAX_EPISODES, MAX_TABLES, MIN_DEALS, Strategy, TablePayoff};
pub use play::{PlayedTable, PlayedTables, play};
pub use plots::plots;
pub use sentences::{Sentence, sentences};
pub use show::{Detail, grids};
pub use show_trials::{
    grids_of_effects, grids_of_values, plots_of_effects, plots_of_values, sentences_of_effects,
    sentences_of_values,
};
pub use trials::{
    Effect, Effects, Rules, SettingCallback, SkippedSetting, Trial, TrialPlan, Trials, try_once,
    try_parameters, try_values,
};
