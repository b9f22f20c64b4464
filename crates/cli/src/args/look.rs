//! Flags of verbs that show something: games, agents, texts, the documentation, measurements, this machine.

use std::path::PathBuf;

use clap::Args;

use super::parse::{parse_number, parse_seats};
use super::variant::Variant;

#[derive(Args)]
pub struct GamesArgs {
    /// Show the presets, variant parameters and tools of this game
    pub game: Option<String>,
    /// List only tools: of this game, or of all
    #[arg(long)]
    pub tools: bool,
    /// List only the features of an observation of this GAME, or GAME/PRESET, for learners
    #[arg(long, requires = "game", conflicts_with = "tools")]
    pub encoding: bool,
    /// Number of seats at the table, instead of the usual one
    #[arg(long, value_name = "N", requires = "encoding", value_parser = parse_seats, allow_negative_numbers = true)]
    pub seats: Option<usize>,
    #[command(flatten)]
    pub variant: Variant,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct TextArgs {
    /// The game
    pub game: String,
}

#[derive(Args)]
pub struct DocsArgs {
    /// The page, by its name: `sandbox`, `tutorials/python` [default: the first page]
    pub page: Option<String>,
    /// Write the site into this directory [default: in the user's cache]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the page's path without opening it
    #[arg(long)]
    pub no_open: bool,
}

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// Write the pages of all commands into this directory: meeple.1, meeple-sim.1, …
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct AgentsArgs {
    /// The game
    pub game: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct BenchArgs {
    /// Only these games, or GAME/PRESET
    pub games: Vec<String>,
    /// Measure the time of a decision of each agent, instead of whole games
    #[arg(long)]
    pub agents: bool,
    /// Seconds per game, or per agent
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub seconds: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
