//! Flags of playing, watching and looking back.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use meeple_server::Network;

use super::parse::{
    parse_address, parse_count, parse_host_name, parse_moment, parse_network, parse_positive, parse_speed,
    parse_time, parse_whole, parse_width,
};
use super::variant::Variant;

/// The level of detail of an episode.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LevelArg {
    /// Only the sums over all games
    Totals,
    /// Winners and scores of every game
    Game,
    /// Scores at every landmark of a game
    Round,
    /// The table before every decision
    Turn,
    /// The table, every event and every decision
    Detail,
}

#[derive(Args)]
pub struct PlayArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up: `human` for you, agents for the others; without a human you watch
    #[arg(value_name = "PLAYER")]
    pub line_up: Vec<String>,
    #[command(flatten)]
    pub variant: Variant,
    /// Seed of the first game [default: random]
    #[arg(long, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Games to play
    #[arg(short = 'n', long, default_value_t = 1, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub games: u64,
    /// Level of detail when watching
    #[arg(long, value_enum, default_value = "detail")]
    pub level: LevelArg,
    /// Wait for Enter at every step of the level when watching
    #[arg(long)]
    pub step: bool,
    /// Print plain lines, as for a screen reader, instead of using the whole terminal
    #[arg(long)]
    pub plain: bool,
    /// Thinking time of searching agents at every decision, as 1s or 500ms. The replay stores the number of
    /// iterations, so the decision can be repeated
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub think: Option<Duration>,
    /// Store the (last) game as a replay; `.gz` is compressed
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[derive(Args)]
pub struct ServeArgs {
    /// The address to listen at; any but 127.0.0.1 lets other machines connect
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS", value_parser = parse_address)]
    pub host: IpAddr,
    /// The port; 0 for any free port
    #[arg(long, default_value_t = 8017, value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub port: u16,
    /// File that stores every table from its first move on
    #[arg(long, default_value = "meeple-tables.db", value_name = "FILE", conflicts_with = "forget")]
    pub data: PathBuf,
    /// Store nothing: tables are lost when the server ends
    #[arg(long)]
    pub forget: bool,
    /// Maximal number of tables in memory
    #[arg(long, default_value = "1000", value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub tables: NonZeroUsize,
    /// Maximal total size of uploaded replays in MiB, compressed; 0 for no uploads
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub uploads: u32,
    /// Show the tournament in this directory, and all tournaments in its subfolders, also later ones; may
    /// be repeated
    #[arg(long, value_name = "DIR")]
    pub competitions: Vec<PathBuf>,
    /// Print a secret link to the operator's page, which shows and ends tables and jobs
    #[arg(long)]
    pub operator: bool,
    /// Delete tables this many days after their end [default: never]
    #[arg(long, value_name = "DAYS", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub keep: Option<u32>,
    /// Let people create accounts with a name and a password; others play as guests
    #[arg(long)]
    pub accounts: bool,
    /// A further host name by which browsers reach this server, for example behind a proxy; may be
    /// repeated; `*` for any
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    pub host_name: Vec<String>,
    /// Trust the header X-Forwarded-For of proxies in this network (as 127.0.0.1 or 10.0.0.0/8); may be
    /// repeated
    #[arg(long, value_name = "NETWORK", value_parser = parse_network)]
    pub trust_proxy: Vec<Network>,
    /// Set no usage limits for visitors from this network; may be repeated
    #[arg(long, value_name = "NETWORK", value_parser = parse_network)]
    pub exempt: Vec<Network>,
    /// Log requests, tables and faults to the error stream, one line per event
    #[arg(long, value_enum, default_value = "off", value_name = "FORM")]
    pub log: LogArg,
}

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogArg {
    /// key=value
    Text,
    /// One JSON object per line
    Json,
    /// No log
    Off,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// The replay file, a game record of another program that one of the games can read, or the directory
    /// of a tournament
    pub file: PathBuf,
    /// The episode of a tournament
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub episode: Option<u64>,
    /// Level of detail
    #[arg(long, value_enum, default_value = "detail")]
    pub level: LevelArg,
    /// Wait for Enter at every step of the level; b goes back, q quits
    #[arg(long)]
    pub step: bool,
    /// Viewer: a seat's number, `public` or `all`
    #[arg(long, default_value = "all")]
    pub viewer: String,
    /// Only check the replay, and print its result
    #[arg(long, conflicts_with_all = ["film", "step"])]
    pub check: bool,
    /// With --check: repeat chance from the seed, and agents' decisions with the stored iterations.
    /// Decisions of people and bots are not repeated
    #[arg(long, requires = "check")]
    pub again: bool,
    /// Show a film: every moment in the same place of the terminal
    #[arg(long, conflicts_with = "step")]
    pub film: bool,
    /// Speed of the film: 2 is twice as fast
    #[arg(long, default_value_t = 1.0, value_parser = parse_speed, allow_negative_numbers = true)]
    pub speed: f64,
    /// Display option for another program's record, in words of its game; may be repeated
    #[arg(long = "look", value_name = "WORD")]
    pub looks: Vec<String>,
}

/// The default judge. With `margin=0` only the win counts, so its values are shares of the win.
const JUDGE: &str = "mcts:iterations=1000,margin=0";

#[derive(Args)]
pub struct AnalyseArgs {
    /// A replay file, or the directory of a tournament
    pub file: PathBuf,
    /// The episode of a tournament
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub episode: Option<u64>,
    /// The judging agent: one that explains its decisions, as `mcts` and `flat` do
    #[arg(long, value_name = "AGENT", default_value = JUDGE)]
    pub agent: String,
    /// Iterations at every decision [default: the agent's own]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub iterations: Option<u64>,
    /// Judge only the decisions of this seat, in its view [default: all seats, in the winner's view]
    #[arg(long, value_name = "SEAT", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub seat: Option<u16>,
    /// Root seed of the agent: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// Write the judgements, the curve and a report into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace results that are in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
    /// Print every judgement as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RenderArgs {
    /// A replay file, or the directory of a tournament
    pub file: PathBuf,
    /// The episode of a tournament
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub episode: Option<u64>,
    /// Output file: `.svg`, `.png` or `.html`
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The moment: number of steps played that the viewer may know of, from 0; negative counts from the end
    #[arg(long, default_value_t = -1, allow_negative_numbers = true, value_parser = parse_moment)]
    pub at: i64,
    /// Viewer: a seat's number, `public` or `all`
    #[arg(long, default_value = "all")]
    pub viewer: String,
    /// Width of a PNG in pixels
    #[arg(long, default_value_t = 1200, value_parser = parse_width, allow_negative_numbers = true)]
    pub width: u32,
}
