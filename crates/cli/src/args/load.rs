//! Flags of the load generator.

use std::time::Duration;

use clap::Args;

use super::parse::{parse_time, parse_whole};

/// Parses the time between two answers; `0` for none.
fn parse_every(text: &str) -> Result<Duration, String> {
    let nothing = matches!(text, "0" | "0s" | "0ms");
    if nothing { Ok(Duration::ZERO) } else { parse_time(text).map_err(|wrong| format!("{wrong}, or 0")) }
}

#[derive(Args)]
pub struct LoadArgs {
    /// The server, as 127.0.0.1:8017 [default: a new one on a temporary file]
    pub address: Option<String>,
    /// The game, or GAME/PRESET [default: the first of the list]
    #[arg(long)]
    pub game: Option<String>,
    /// Tables played in parallel
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub tables: u32,
    /// Seats of each table played through sockets, by random legal actions
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub people: u32,
    /// An agent of the server at the next seat, with its parameters; may be repeated
    #[arg(long = "agent", value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Spectators' sockets at each table
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub watchers: u32,
    /// Open each player's page as well, and report the sizes of its messages separately
    #[arg(long)]
    pub tabs: bool,
    /// Time between two answers at a table, as 3s or 100ms; 0 for as fast as possible
    #[arg(long, default_value = "3s", value_name = "TIME", value_parser = parse_every)]
    pub every: Duration,
    /// Duration of the test
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub seconds: u32,
    /// Stop after this number of acknowledged answers
    #[arg(long, value_name = "N", conflicts_with = "kill", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub answers: Option<u64>,
    /// Idle sockets that watch a quiet table, to measure the memory that one socket takes
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub idle: u32,
    /// Kill the server this many times at random moments, restart it, finish all games, and prove that every
    /// acknowledged answer is stored once
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with_all = ["address", "seconds"],
        value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub kill: u64,
    /// Play a run of the laboratory, as "GAME AGENT...", in every other eighth of the time, and report the
    /// answer times of those parts separately
    #[arg(long, value_name = "RUN", conflicts_with_all = ["kill", "answers"])]
    pub beside: Option<String>,
    /// Seed of the choices
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Allow a server on another machine. Nobody else can use it meanwhile
    #[arg(long)]
    pub anywhere: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
