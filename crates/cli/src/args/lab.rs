//! Flags of the laboratory: simulations, sweeps, balance, hidden information, equilibria, shards.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use meeple_balance::TablePayoff;
use meeple_core::Seating;
use meeple_solve::Objective;

use super::parse::{parse_count, parse_seats, parse_whole, words};
use super::variant::Variant;

/// Choices of `--seating`: the assignment of players to seats from episode to episode.
const SEATINGS: &[(&str, &str)] = &[
    ("rotate", "Every player moves by one seat after each episode"),
    ("fixed", "Players keep their seats, in the order of the line-up"),
    ("shuffle", "Random seats in every episode"),
    ("deals", "As rotate, but every deal is played from every seat"),
];

#[derive(Args, Clone)]
pub struct SimArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up: one AGENT, AGENT:VALUE, AGENT:NAME=VALUE,… or AGENT*COUNT per seat
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args, Clone)]
pub struct SweepArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up, with a range in one or two parameters or numbers of seats: `AGENT:1..20`,
    /// `AGENT:1..100+3` (every third), `AGENT:NAME=5|10|50`, `AGENT*1..20`. Put `solo` first for a table of
    /// one seat; an `x` may separate two ranges. Settings also take ranges and lists: `--set KEY=50|200`,
    /// `--set KEY=NAME,NAME,@FILE`
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
pub struct BalanceArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The strategies: agents with their parameters. A range gives one strategy per value: `AGENT:1..20`,
    /// `AGENT:NAME=5|10|50` [default: all agents of the game itself]
    #[arg(value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Seats at every table
    #[arg(long, default_value_t = 2, value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub seats: usize,
    /// Minimum number of episodes over all tables; with --sweep or --parameters, for each value
    #[arg(short = 'n', long, default_value_t = 20_000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    /// Pay-off: the share of the win, or the score above the table's mean
    #[arg(long, value_parser = words::<TablePayoff>(PAY_OFFS), default_value = "win")]
    pub pay_off: TablePayoff,
    /// Repeat for several values of a rule parameter: `KEY=1..9`, `KEY=50|200`
    #[arg(long, value_name = "KEY=RANGE", conflicts_with = "parameters")]
    pub sweep: Option<String>,
    /// Find the rule parameters that matter most, by varying one at a time
    #[arg(long)]
    pub parameters: bool,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// Write answers, pay-offs, plots and report into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace results that are in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print all tables, including invasions and the rest points of populations
    #[arg(long, conflicts_with = "json")]
    pub full: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the answers as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct HiddenArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// Line-up as in `meeple sim`; the first agent plays each deal once with hidden and once with open cards
    #[arg(value_name = "AGENT", required = true)]
    pub line_up: Vec<String>,
    /// Number of deals; each is played twice from every seat
    #[arg(short = 'n', long, default_value_t = 100, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub deals: u64,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

const PAY_OFFS: &[(&str, &str)] = &[
    ("win", "The share of the win: 1, or 1/k for each of k winners"),
    ("score", "The score above the mean of the table"),
];

#[derive(Args)]
pub struct SolveArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// Seats at the table
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_seats, allow_negative_numbers = true)]
    pub seats: usize,
    /// Objective of every seat
    #[arg(long, value_parser = words::<Objective>(GAINS), default_value = "win")]
    pub pay_off: Objective,
    #[command(flatten)]
    pub variant: Variant,
    /// CFR iterations; exploitability falls roughly with 1/√n
    #[arg(short = 'n', long, default_value_t = 1 << 17, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub iterations: u64,
    /// Refuse games with more histories than this; a million takes about 100 MB
    #[arg(long, default_value_t = 5_000_000, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub histories: usize,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Write the strategies into this file as JSON: one line per information set
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// No progress bar, and no game size
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the answers as JSON
    #[arg(long)]
    pub json: bool,
}

/// Choices of `meeple solve --pay-off`.
const GAINS: &[(&str, &str)] = &[
    ("win", "The share of the win: 1, or 1/k for each of k winners"),
    ("score", "The score above the mean of the table"),
    ("own", "The seat's own score, whatever others have"),
];

/// Flags of `sim` and `sweep`.
#[derive(Args, Clone)]
pub struct RunArgs {
    /// Number of episodes; in a sweep, of each cell
    #[arg(short = 'n', long, default_value_t = 10_000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// Assignment of players to seats
    #[arg(long, value_parser = words::<Seating>(SEATINGS), default_value = "rotate")]
    pub seating: Seating,
    /// Write summary, episodes, plots and report into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace results that are in the directory
    #[arg(long, requires = "out", conflicts_with = "resume")]
    pub force: bool,
    /// Continue results that are in the directory
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the whole command and every variant parameter; in a sweep, the name of each cell as it begins
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print the summary (of all cells) as JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Leave times out of the JSON, so that the same plan gives the same bytes
    #[arg(long, requires = "json")]
    pub no_times: bool,
}

#[derive(Args)]
pub struct ShardArgs {
    #[command(subcommand)]
    pub step: ShardStep,
}

#[derive(Subcommand)]
pub enum ShardStep {
    /// Play one shard, or all that are missing
    Run(ShardRunArgs),
    /// Merge all shards into the results of an undivided run, byte for byte
    Merge(ShardMergeArgs),
}

#[derive(Args)]
pub struct ShardRunArgs {
    /// The folder of the shards, shared by all machines
    pub folder: PathBuf,
    /// Number of shards
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub shards: u64,
    /// Play only this shard, counted from 0
    #[arg(long, value_name = "I", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub index: Option<u64>,
    /// Threads on this machine; 0 for one per core
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Do not store the episodes of a simulation (no episodes.parquet)
    #[arg(long)]
    pub no_rows: bool,
    /// No progress bar, and no summary of stored shards
    #[arg(short, long)]
    pub quiet: bool,
    /// The command to divide, with its flags: `sim GAME AGENT…`, `sweep …`, or `tournament …` without bots
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Args)]
pub struct ShardMergeArgs {
    /// The folder of the shards
    pub folder: PathBuf,
    /// Write the results into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace results of a simulation or sweep that are in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print the summary or standings as JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Leave times out of the JSON
    #[arg(long, requires = "json")]
    pub no_times: bool,
    /// No hints
    #[arg(short, long)]
    pub quiet: bool,
}
