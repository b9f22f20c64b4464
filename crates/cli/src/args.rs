//! Every verb and flag, defined once: the parser and the help come from here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A laboratory for board games: simulate, sweep, plot, play, replay.
#[derive(Parser)]
#[command(name = "meeple", version, about, max_term_width = 100)]
#[command(
    after_help = "Start with `meeple games`, then `meeple sim incan-gold turn:7 backpack:20 random:0.2`.\n\
    Games bring tools of their own, run as `meeple TOOL GAME …`: see `meeple games --tools`."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List the games, their presets and their tools
    Games(GamesArgs),
    /// Print the rules of a game
    Rules(RulesArgs),
    /// List the agents of a game with their parameters
    Agents(AgentsArgs),
    /// Play many episodes and show who wins, by how much, and how sure that is
    Sim(SimArgs),
    /// Vary one or two parameters of agents or rules and plot what changes
    Sweep(SweepArgs),
    /// Play in the terminal, or watch agents play
    Play(PlayArgs),
    /// Watch a stored episode, after checking every step of it
    Replay(ReplayArgs),
    /// Draw a moment as SVG or PNG, or a whole episode as one HTML page
    Render(RenderArgs),
    /// Measure episodes and decisions per second of every game
    Bench(BenchArgs),
    /// Play every message of the bot protocol at a bot, and explain what it gets wrong
    CheckBot(CheckBotArgs),
    /// Tell what this machine offers and what is missing
    Doctor(DoctorArgs),
    /// A tool of a game: `meeple exact incan-gold solo turn:1..26`
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

/// The rules to play by.
#[derive(Args, Clone, Default)]
pub struct Variant {
    /// Set a variant parameter; may be repeated. `@FILE` as value stands for the content of that file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct GamesArgs {
    /// Show the variant parameters of this game
    pub game: Option<String>,
    /// List the games' own tools
    #[arg(long)]
    pub tools: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RulesArgs {
    /// The game
    pub game: String,
}

#[derive(Args)]
pub struct AgentsArgs {
    /// The game
    pub game: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How players take their seats from episode to episode.
#[derive(ValueEnum, Clone, Copy, Default)]
pub enum SeatingArg {
    /// Everybody moves on by one seat
    #[default]
    Rotate,
    /// The first named sits at the first seat, always
    Fixed,
    /// Drawn anew
    Shuffle,
    /// As rotate, but the same deal is played from every seat
    Deals,
}

#[derive(Args)]
pub struct SimArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up: one AGENT, AGENT:PARAMETER or AGENT*COUNT per seat
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    /// Episodes to play
    #[arg(short = 'n', long, default_value_t = 10_000, value_name = "N")]
    pub episodes: u64,
    #[command(flatten)]
    pub run: RunArgs,
    /// Print the summary as JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SweepArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up, with a range in one or two parameters or numbers of seats: `turn:1..20`,
    /// `backpack:1..100+3`, `t800*1..20`; a leading
    /// `solo` says that one seat is meant, and an `x` may stand between two ranges
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    /// Episodes per cell
    #[arg(short = 'n', long, default_value_t = 10_000, value_name = "N")]
    pub episodes: u64,
    #[command(flatten)]
    pub run: RunArgs,
    /// Print all cells as JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

/// Flags of everything that plays many episodes.
#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub variant: Variant,
    /// Root seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; 0 takes all cores. The results do not depend on it
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// How players take their seats
    #[arg(long, value_enum, default_value_t)]
    pub seating: SeatingArg,
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
}

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
    #[arg(long)]
    pub seed: Option<u64>,
    /// Games to play
    #[arg(short = 'n', long, default_value_t = 1, value_name = "N")]
    pub games: u64,
    /// How much is shown when watching
    #[arg(long, value_enum, default_value = "detail")]
    pub level: LevelArg,
    /// Wait for Enter at every step of the level when watching
    #[arg(long)]
    pub step: bool,
    /// Store the (last) game as a replay; `.gz` is compressed
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// The replay file, or a game record of another program that one of the games can read
    pub file: PathBuf,
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
    /// Show it as a film, every moment in the same place of the terminal
    #[arg(long, conflicts_with = "step")]
    pub film: bool,
    /// How fast the film runs: 2 is twice as fast
    #[arg(long, default_value_t = 1.0, value_parser = parse_speed)]
    pub speed: f64,
    /// How a record of another program is shown, in words of its game; may be repeated
    #[arg(long = "look", value_name = "WORD")]
    pub looks: Vec<String>,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.01 to 1000".to_owned())
}

#[derive(Args)]
pub struct RenderArgs {
    /// A replay file
    pub file: PathBuf,
    /// Where to write: `.svg`, `.png` or `.html`
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The moment: number of steps played, from 0; negative counts from the end
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    pub at: i64,
    /// From whose seat: a seat's number, `public` or `all`
    #[arg(long, default_value = "all")]
    pub viewer: String,
    /// Width of a PNG in pixels
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub width: u32,
}

#[derive(Args)]
pub struct BenchArgs {
    /// Only these games, or GAME/PRESET
    pub games: Vec<String>,
    /// Seconds of measuring per game
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct CheckBotArgs {
    /// The bot: a file (./bot.py), a folder with a main file, or cmd:"node bot.js"
    pub bot: String,
    /// Only this game; may be repeated. Without it, every game the bot says it plays
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// How the bot is shut in: strict, in-process, limits-only or none; the strongest that works here if not given
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// Memory of each process of the bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub memory: u64,
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
