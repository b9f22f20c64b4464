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

/// How much of an episode is shown.
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
    /// Every event and every decision as well
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
    /// Seed of the first game; without it every game is another
    #[arg(long, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Games to play
    #[arg(short = 'n', long, default_value_t = 1, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub games: u64,
    /// How much is shown when watching
    #[arg(long, value_enum, default_value = "detail")]
    pub level: LevelArg,
    /// Wait for Enter at every step of the level when watching
    #[arg(long)]
    pub step: bool,
    /// Line after line, as for a screen reader, instead of painting on all of the terminal
    #[arg(long)]
    pub plain: bool,
    /// Let agents that count iterations think for so long at every decision, as 1s or 500ms. How many iterations that were
    /// is stored with the replay, so that they can be asked again
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub think: Option<Duration>,
    /// Store the (last) game as a replay; `.gz` is compressed
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[derive(Args)]
pub struct ServeArgs {
    /// The address to listen at; others than 127.0.0.1 let other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS", value_parser = parse_address)]
    pub host: IpAddr,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 8017, value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub port: u16,
    /// The file in which every table is kept, from the first move on
    #[arg(long, default_value = "meeple-tables.db", value_name = "FILE", conflicts_with = "forget")]
    pub data: PathBuf,
    /// Keep nothing: tables are gone when the server ends
    #[arg(long)]
    pub forget: bool,
    /// The most tables in memory at once
    #[arg(long, default_value = "1000", value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub tables: NonZeroUsize,
    /// The most MiB of replays that visitors upload, compressed; 0 for no uploads
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub uploads: u32,
    /// Show the tournament in this directory, and all in its folders, new ones too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub competitions: Vec<PathBuf>,
    /// Print a secret link to a page that shows and ends what goes on
    #[arg(long)]
    pub operator: bool,
    /// Forget tables that have been over for so many days [default: never]
    #[arg(long, value_name = "DAYS", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub keep: Option<u32>,
    /// Let people become members, with a name and a password; others play as guests as before
    #[arg(long)]
    pub accounts: bool,
    /// A name by which browsers reach this server, as behind a proxy, besides its addresses and localhost; may be repeated;
    /// `*` for any
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    pub host_name: Vec<String>,
    /// Believe the header X-Forwarded-For of proxies in this network (as 127.0.0.1 or 10.0.0.0/8); may be repeated
    #[arg(long, value_name = "NETWORK", value_parser = parse_network)]
    pub trust_proxy: Vec<Network>,
    /// Do not limit what visitors from this network use up; may be repeated
    #[arg(long, value_name = "NETWORK", value_parser = parse_network)]
    pub exempt: Vec<Network>,
    /// Write what happens to the error stream, a line an event: requests, tables, faults
    #[arg(long, value_enum, default_value = "off", value_name = "FORM")]
    pub log: LogArg,
}

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogArg {
    /// key=value
    Text,
    /// An object of JSON
    Json,
    /// Not at all
    Off,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// The replay file, a game record of another program that one of the games can read, or the directory of a
    /// tournament
    pub file: PathBuf,
    /// The episode of a tournament
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub episode: Option<u64>,
    /// How much is shown
    #[arg(long, value_enum, default_value = "detail")]
    pub level: LevelArg,
    /// Wait for Enter at every step of the level; b goes back, q quits
    #[arg(long)]
    pub step: bool,
    /// From whose seat: a seat's number, `public` or `all`
    #[arg(long, default_value = "all")]
    pub viewer: String,
    /// Only check the replay and say how it ended
    #[arg(long, conflicts_with_all = ["film", "step"])]
    pub check: bool,
    /// With --check: let chance draw again by the seed and ask agents again, with the iterations that are stored. People and
    /// bots are not asked
    #[arg(long, requires = "check")]
    pub again: bool,
    /// Show it as a film, every moment in the same place of the terminal
    #[arg(long, conflicts_with = "step")]
    pub film: bool,
    /// How fast the film runs: 2 is twice as fast
    #[arg(long, default_value_t = 1.0, value_parser = parse_speed, allow_negative_numbers = true)]
    pub speed: f64,
    /// How a record of another program is shown, in words of its game; may be repeated
    #[arg(long = "look", value_name = "WORD")]
    pub looks: Vec<String>,
}

/// Who judges if nobody is named: what it counts is winning alone, so that its numbers are shares of the win.
const JUDGE: &str = "mcts:iterations=1000,margin=0";

#[derive(Args)]
pub struct AnalyseArgs {
    /// A replay file, or the directory of a tournament
    pub file: PathBuf,
    /// The episode of a tournament
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub episode: Option<u64>,
    /// Who judges: an agent that says what it thinks, as `mcts` and `flat` do
    #[arg(long, value_name = "AGENT", default_value = JUDGE)]
    pub agent: String,
    /// Its iterations at every decision [default: as the agent says]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub iterations: Option<u64>,
    /// Judge only the decisions of this seat, and tell the course of the game through its eyes [default: all; the winner's]
    #[arg(long, value_name = "SEAT", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub seat: Option<u16>,
    /// Root seed of the agent: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; 0 takes all cores. The results do not depend on it
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
    /// Where to write: `.svg`, `.png` or `.html`
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The moment: number of steps played that the viewer may know of, from 0; negative counts from the end
    #[arg(long, default_value_t = -1, allow_negative_numbers = true, value_parser = parse_moment)]
    pub at: i64,
    /// From whose seat: a seat's number, `public` or `all`
    #[arg(long, default_value = "all")]
    pub viewer: String,
    /// Width of a PNG in pixels
    #[arg(long, default_value_t = 1200, value_parser = parse_width, allow_negative_numbers = true)]
    pub width: u32,
}
