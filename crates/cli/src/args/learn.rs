//! Flags of training and tuning.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use meeple_learn::TuningMethod;

use super::parse::{parse_count, parse_seats, parse_whole, words};
use super::variant::Variant;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct LearnArgs {
    #[command(subcommand)]
    pub verb: Option<LearnVerb>,
    #[command(flatten)]
    pub train: Option<TrainArgs>,
}

/// Tools for a trained player.
#[derive(Subcommand)]
pub enum LearnVerb {
    /// Export a network as ONNX, for programs in other languages
    Export(ExportArgs),
    /// Test a candidate against the champion: it needs to pass a sequential test and lose to no former
    /// champion. Exit code 0 if it passes
    Gate(GateArgs),
    /// Play all players against each other, and look for rings (A beats B, B beats C, C beats A)
    Table(TableArgs),
    /// Train a player against a fixed one: its gain is a lower bound on the other's exploitability
    Respond(RespondArgs),
}

/// The table at which players meet.
#[derive(Args)]
pub struct GroundArgs {
    #[command(flatten)]
    pub variant: Variant,
    /// Seats at the table [default: those of the first player's network, or 2]
    #[arg(long, value_name = "N", value_parser = parse_seats, allow_negative_numbers = true)]
    pub seats: Option<usize>,
    /// Root seed of the deals; use one that no training used
    #[arg(long, default_value_t = 99, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct GateArgs {
    /// The game, perhaps with a preset: GAME/PRESET
    pub game: String,
    /// The candidate: a file that `meeple learn` has written, or an agent
    pub candidate: String,
    /// The champion, a file or an agent; it plays all other seats
    #[arg(long, value_name = "PLAYER")]
    pub champion: String,
    /// A former champion; may be repeated
    #[arg(long, value_name = "PLAYER")]
    pub former: Vec<String>,
    /// Episodes against each former champion, and at most against the champion; every deal is played from
    /// every seat
    #[arg(short = 'n', long, default_value_t = 8000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    #[command(flatten)]
    pub ground: GroundArgs,
}

#[derive(Args)]
pub struct TableArgs {
    /// The game, perhaps with a preset: GAME/PRESET
    pub game: String,
    /// The players: files that `meeple learn` has written, or agents
    #[arg(required = true, num_args = 2..)]
    pub players: Vec<String>,
    /// Episodes of each pair; every deal is played from every seat
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    #[command(flatten)]
    pub ground: GroundArgs,
}

#[derive(Args)]
pub struct RespondArgs {
    /// The fixed player: a file that `meeple learn` has written, or an agent
    #[arg(long, value_name = "PLAYER")]
    pub to: String,
    #[command(flatten)]
    pub train: TrainArgs,
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
    /// The plan, in TOML; docs/reference/learning.md lists its keys
    pub plan: PathBuf,
    /// The folder for the network, its learning curve and the state for --resume [default: a folder with
    /// the plan's name]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the training in the folder where it ended
    #[arg(long)]
    pub resume: bool,
    /// Also store the network of every evaluation: checkpoints/net-ROUND.safetensors
    #[arg(long)]
    pub keep_checkpoints: bool,
    /// Threads that play; 0 for one per core. The network does not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: usize,
    /// No progress output
    #[arg(short, long)]
    pub quiet: bool,
}

const METHODS: &[(&str, &str)] = &[
    ("cma", "CMA-ES, a cloud of candidates: for numbers"),
    (
        "ntbea",
        "The N-tuple bandit, one candidate after the other: for numbers at seven values each, switches and choices",
    ),
];

#[derive(Args)]
pub struct TuneArgs {
    /// The game, perhaps with a preset: GAME/PRESET
    pub game: String,
    /// The agent; parameters given here stay fixed
    pub agent: String,
    /// Opponent at all other seats; may be repeated [default: the agent itself]
    #[arg(long, value_name = "AGENT")]
    pub against: Vec<String>,
    /// Method of the search
    #[arg(long, default_value = "cma", value_parser = words::<TuningMethod>(METHODS))]
    pub method: TuningMethod,
    /// Tune only these parameters, separated by commas [default: all that the method can tune and that have
    /// no value]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    #[command(flatten)]
    pub variant: Variant,
    /// Seats at the table
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_seats, allow_negative_numbers = true)]
    pub seats: usize,
    /// Generations of candidates (one each with ntbea) [default: 30; 300 with ntbea]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub generations: Option<u32>,
    /// Episodes of every candidate, against all opponents together [default: 400; 40 with ntbea]
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: Option<u64>,
    /// Episodes of the final comparison, against each opponent
    #[arg(long, default_value_t = 4000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub final_episodes: u64,
    /// Root seed
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: usize,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}
