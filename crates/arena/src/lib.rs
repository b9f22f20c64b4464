//! The arena: schedules, tournaments, ratings, and records that survive a kill.
//!
//! * [`Request`] is the user's request, [`TournamentPlan`] its resolved form: everything the results
//!   depend on.
//! * [`schedule`]: pairings, as a function of an episode's number.
//! * [`RecordStore`] keeps the played episodes; [`run`] plays the missing ones.
//! * [`rating`] and [`sprt`]: strengths and their uncertainty.
// Files, threads and the clock are the purpose of this crate. It has no randomness of its own, and results
// never depend on hash order or time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod bots;
mod competition;
mod contest;
mod error;
mod files;
mod hosted;
mod ledger;
mod native;
mod networks;
mod options;
mod plan;
mod plan_check;
pub mod ranking;
pub mod rating;
mod replays;
pub mod report;
mod request;
mod results;
mod row;
mod runner;
pub mod schedule;
mod seed;
pub mod shard;
mod standings;
mod store;
mod table;
mod toml_file;
mod verify;

pub use bots::{Bot, Bots, launch};
pub use error::ArenaError;
pub use files::{SIMULATOR_OUTPUT, STANDINGS};
pub use meeple_lab::sprt;
pub use native::play_again;
pub use options::RunOptions;
pub use plan::{
    Ban, Competitor, CompetitorKind, Failed, OrderBy, PLAN_FORMAT, RatingPlan, ReplayRetention,
    TournamentPlan, kind_of,
};
pub use plan_check::check_name;
pub use request::{BanRequest, DEALS_PER_START, Request};
pub use results::write_results;
pub use row::{EpisodeEnding, EpisodeRow, Placement, PlayedEpisode, SeatTiming};
pub use runner::{RunEnd, run};
pub use seed::RootSeed;
pub use shard::TournamentShard;
pub use sprt::{Compare, SprtMatch};
pub use standings::{
    BotTimes, CompetitorTimes, FaultSample, NotPlayed, Pair, SprtResult, Standings, TournamentStanding,
};
pub use store::{DATABASE, REPLAYS, RecordStore};
pub use toml_file::read_file;
pub use verify::{StandingsCheck, Verification, verify, verify_replaying_bots};
