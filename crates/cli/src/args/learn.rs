//! Flags of training and tuning.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::parse::{parse_count, parse_seats, parse_whole};
use super::variant::Variant;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct LearnArgs {
    #[command(subcommand)]
    pub verb: Option<LearnVerb>,
    #[command(flatten)]
    pub train: Option<TrainArgs>,
}

/// What is done with a player that was trained.
#[derive(Subcommand)]
pub enum LearnVerb {
    /// Write a network as a file of ONNX, for programs in other languages
    Export(ExportArgs),
}

#[derive(Args)]
pub struct ExportArgs {
    /// The network, a file that `meeple learn` has written
    pub network: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Args)]
pub struct TrainArgs {
    /// The game, perhaps with a preset: GAME/PRESET
    pub game: String,
    /// The plan, in TOML; docs/learning.md tells its keys
    pub plan: PathBuf,
    /// The folder for the network, its curve, and what is needed to go on
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Go on where the folder's training has ended
    #[arg(long)]
    pub resume: bool,
    /// Threads that play; 0 for one per core. The network does not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: usize,
    /// Tell nothing while it learns
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct TuneArgs {
    /// The game, perhaps with a preset: GAME/PRESET
    pub game: String,
    /// The agent; what its text gives stays as it is
    pub agent: String,
    /// Meet this agent, alone at all other seats; may be repeated. The agent itself, if nobody is named
    #[arg(long, value_name = "AGENT")]
    pub against: Vec<String>,
    /// Tune only these parameters, separated by commas; otherwise all numbers that are not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    #[command(flatten)]
    pub variant: Variant,
    /// Seats at the table
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_seats, allow_negative_numbers = true)]
    pub seats: usize,
    /// Generations of candidates
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub generations: u32,
    /// Episodes of every candidate, against all opponents together
    #[arg(short = 'n', long, default_value_t = 400, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    /// Episodes of the comparison at the end, against each opponent
    #[arg(long, default_value_t = 4000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub final_episodes: u64,
    /// The root seed
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads that play; 0 for one per core. What is found does not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: usize,
    /// Tell nothing while it tunes
    #[arg(short, long)]
    pub quiet: bool,
}
