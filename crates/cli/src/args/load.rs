//! Flags of the load generator.

use std::time::Duration;

use clap::Args;

use super::parse::{parse_time, parse_whole};

/// A time between answers, which may be none.
fn parse_every(text: &str) -> Result<Duration, String> {
    let nothing = matches!(text, "0" | "0s" | "0ms");
    if nothing { Ok(Duration::ZERO) } else { parse_time(text).map_err(|wrong| format!("{wrong}, or 0")) }
}

#[derive(Args)]
pub struct LoadArgs {
    /// The server, as 127.0.0.1:8017; without it one is started for this, on a file that is gone afterwards
    pub address: Option<String>,
    /// The game, or GAME/PRESET; the first there is if none is named
    #[arg(long)]
    pub game: Option<String>,
    /// Tables that are played side by side
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub tables: u32,
    /// Seats of each that are played through sockets; who sits there chooses any legal action
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub people: u32,
    /// An agent of the server at the next seat, with its parameters; may be given several times
    #[arg(long = "agent", value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Sockets that watch each table
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub watchers: u32,
    /// Have each person's page open, too: the sizes of what it is sent are told apart
    #[arg(long)]
    pub tabs: bool,
    /// Time between two answers at a table, as 3s or 100ms; 0 for as fast as they are taken
    #[arg(long, default_value = "3s", value_name = "TIME", value_parser = parse_every)]
    pub every: Duration,
    /// How long the tables are played
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub seconds: u32,
    /// End before that when so many answers were acknowledged
    #[arg(long, value_name = "N", conflicts_with = "kill", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub answers: Option<u64>,
    /// More sockets, which watch a table at which nothing happens: what one of them takes is measured
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub idle: u32,
    /// Kill the server so often at random moments, start it again, play all games to their end, and prove that every
    /// acknowledged answer is there once
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with_all = ["address", "seconds"],
        value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub kill: u64,
    /// Have the server play a run of the laboratory in every other eighth of the time, as "GAME AGENT...": what answers take
    /// then is told apart
    #[arg(long, value_name = "RUN", conflicts_with_all = ["kill", "answers"])]
    pub beside: Option<String>,
    /// Seed of the choices
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// The server may be on another machine. It is kept from everybody else meanwhile
    #[arg(long)]
    pub anywhere: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
