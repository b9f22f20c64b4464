//! The arena: schedules, tournaments, ratings, and records that survive a kill.
//!
//! * [`Request`] is what a user asks for, [`Plan`] what it becomes: everything the results depend on.
//! * [`schedule`]: who plays whom, as a function of an episode's number.
//! * [`Store`] keeps what was played; [`run`] plays what is missing.
//! * [`rating`] and [`sprt`]: who is better, and how sure that is.
// Files, threads and the clock are what this crate is for. It still has no randomness of its own and never
// depends on hash order or time for a result.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod bots;
mod contest;
mod error;
mod hosted;
mod ledger;
mod mean;
pub mod original;
mod plan;
pub mod rating;
mod replays;
pub mod report;
mod request;
mod results;
mod row;
mod runner;
pub mod schedule;
mod seed;
pub mod sprt;
mod standings;
mod store;
mod toml_file;
mod verify;

pub use bots::{Bot, Bots, launch};
pub use error::ArenaError;
pub use plan::{
    Ban, Compare, Competitor, CompetitorKind, Keep, OrderBy, PLAN_FORMAT, Plan, RatingPlan, SprtMatch,
};
pub use request::{BanRequest, DEALS_PER_START, Request, check_name, parse_compare, read_file};
pub use results::{STANDINGS, write_results};
pub use row::{EpisodeRow, SeatTime};
pub use runner::{RunEnd, RunOptions, run};
pub use seed::RootSeed;
pub use standings::{BotTimes, RatingCell, SprtResult, Standing, Standings, Times};
pub use store::{DATABASE, REPLAYS, Store};
pub use verify::{StandingsCheck, Verification, verify};
