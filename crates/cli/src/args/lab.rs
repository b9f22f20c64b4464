//! Flags of the laboratory: simulations, sweeps, balance, small games solved, shards.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use meeple_balance::PayOff;
use meeple_core::Seating;
use meeple_solve::PayOff as Gain;

use super::parse::{parse_count, parse_seats, parse_whole, words};
use super::variant::Variant;

/// How players take their seats from episode to episode.
const SEATINGS: &[(&str, &str)] = &[
    ("rotate", "Everybody moves on by one seat"),
    ("fixed", "The first named sits at the first seat, always"),
    ("shuffle", "Drawn anew"),
    ("deals", "As rotate, but the same deal is played from every seat"),
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
    /// The line-up, with a range in one or two parameters or numbers of seats: `AGENT:1..20`, `AGENT:1..100+3` (every
    /// third), `AGENT:NAME=5|10|50`, `AGENT*1..20`; a leading `solo` says that one seat is meant, and an `x` may stand
    /// between two ranges. Settings take ranges and lists, too: `--set KEY=50|200`, `--set KEY=NAME,NAME,@FILE`
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
pub struct BalanceArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The strategies: agents with their parameters. A range stands for a strategy of each value: `AGENT:1..20`,
    /// `AGENT:NAME=5|10|50` [default: all agents of the game itself]
    #[arg(value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Seats at every table
    #[arg(long, default_value_t = 2, value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub seats: usize,
    /// Episodes of all tables together, at least; with --sweep and --parameters for each value
    #[arg(short = 'n', long, default_value_t = 20_000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    /// What is gained: the share of the win, or the score above the mean of the table
    #[arg(long, value_parser = words::<PayOff>(PAY_OFFS), default_value = "win")]
    pub pay_off: PayOff,
    /// Ask at several values of a parameter of the rules: `KEY=1..9`, `KEY=50|200`
    #[arg(long, value_name = "KEY=RANGE", conflicts_with = "parameters")]
    pub sweep: Option<String>,
    /// Ask which parameters of the rules matter most: each is set lower and higher, or otherwise
    #[arg(long)]
    pub parameters: bool,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 takes all cores. The results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// Write answers, pay-offs, plots and report into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace results that are in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// All tables, also who invades whom and where populations come to
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
    /// The line-up as in `meeple sim`: who sees everything in every other game comes first
    #[arg(value_name = "AGENT", required = true)]
    pub line_up: Vec<String>,
    /// Deals, each played twice from every seat
    #[arg(short = 'n', long, default_value_t = 100, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub deals: u64,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 takes all cores. The results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// What may be gained.
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
    /// What a seat wants much of
    #[arg(long, value_parser = words::<Gain>(GAINS), default_value = "win")]
    pub pay_off: Gain,
    #[command(flatten)]
    pub variant: Variant,
    /// Iterations of learning; what strategies are short of an equilibrium falls about with the root of it
    #[arg(short = 'n', long, default_value_t = 1 << 17, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub iterations: u64,
    /// Refuse games with more histories than this; a million takes about 100 MB
    #[arg(long, default_value_t = 5_000_000, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub histories: usize,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Write the strategies into this file, as JSON: a line for everything that a seat may know when it decides
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// No progress, and no size of the game before
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the answers as JSON
    #[arg(long)]
    pub json: bool,
}

/// What a seat may want much of.
const GAINS: &[(&str, &str)] = &[
    ("win", "The share of the win: 1, or 1/k for each of k winners"),
    ("score", "The score above the mean of the table"),
    ("own", "The own score, whatever others have"),
];

/// Flags of everything that plays many episodes.
#[derive(Args, Clone)]
pub struct RunArgs {
    /// Episodes to play; of a sweep, in each cell
    #[arg(short = 'n', long, default_value_t = 10_000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub episodes: u64,
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 takes all cores. The results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// How players take their seats
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
    /// Say what is played: the whole command and every variant parameter, or each cell of a sweep as it begins
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print the summary (of all cells) as JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Leave out of the JSON how long it took: the same plan gives the same bytes
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
    /// Play one shard, or all that are missing; what is there is not played again
    Run(ShardRunArgs),
    /// Put all shards together: the results are those of the whole run, byte for byte
    Merge(ShardMergeArgs),
}

#[derive(Args)]
pub struct ShardRunArgs {
    /// The folder of the shards, which all machines see
    pub folder: PathBuf,
    /// How many there are
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub shards: u64,
    /// Only this one, from 0 on
    #[arg(long, value_name = "I", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub index: Option<u64>,
    /// Threads on this machine; 0 takes all cores
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Keep no rows of a simulation, of which episodes.parquet is made
    #[arg(long)]
    pub no_rows: bool,
    /// No progress bar, and nothing at the end
    #[arg(short, long)]
    pub quiet: bool,
    /// What is played: `sim GAME AGENT…`, `sweep …` or `tournament …` among agents, with their flags
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
    /// Leave out of the JSON how long it took
    #[arg(long, requires = "json")]
    pub no_times: bool,
    /// No hints
    #[arg(short, long)]
    pub quiet: bool,
}
