//! Every verb and flag, defined once: the parser and the help come from here.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use meeple_arena::schedule::Kind;
use meeple_arena::{Compare, Keep, OrderBy, RootSeed};
use meeple_balance::PayOff;
use meeple_bothost::OnFault;
use meeple_core::{AnyEntry, BotAdapter, MatchSimulator, Seating, ToolDoc};
use meeple_games::{adapters, games};
use meeple_solve::PayOff as Gain;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A laboratory and arena for board games: simulate, sweep, plot, play, replay, compete.
#[derive(Parser)]
#[command(name = "meeple", version, about, max_term_width = 100)]
#[command(after_help = tools_help())]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List the games, their presets and their tools
    Games(GamesArgs),
    /// Print the rules of a game
    Rules(TextArgs),
    /// Print the guide to a game: a quick reference, a first game, tips
    Guide(TextArgs),
    /// List the agents of a game with their parameters
    Agents(AgentsArgs),
    /// Play many episodes and show who wins, by how much, and how sure that is
    Sim(SimArgs),
    /// Vary one or two parameters of agents or rules and plot what changes
    Sweep(SweepArgs),
    /// Ask what many strategies say of a game: who survives, who wins of whom, what a seat is worth, how much is luck
    Balance(BalanceArgs),
    /// Ask what hidden information is worth: what an agent that searches would win if it saw everything
    Hidden(HiddenArgs),
    /// Solve a small game: strategies that nobody can gain much against, and exactly how much
    Solve(SolveArgs),
    /// Play in the terminal, or watch agents play
    Play(PlayArgs),
    /// Train a player by a plan: it plays against itself and others, and learns what comes of it
    Learn(LearnArgs),
    /// Tune the numbers of an agent by what it wins
    Tune(TuneArgs),
    /// Play, watch and invite others in the browser: a server with everything in it
    Serve(ServeArgs),
    /// Play bots and agents against each other at one table, and say who is better
    Match(MatchArgs),
    /// Play a whole tournament of agents or bots and rate everybody: does a strategy dominate?
    Tournament(TournamentArgs),
    /// Rank a folder of bots
    Rank(RankArgs),
    /// Prove a tournament: play every episode again and compute the standings anew
    Verify(VerifyArgs),
    /// Play a simulation, sweep or tournament in parts, on as many machines as there are, and put them together
    Shard(ShardArgs),
    /// Watch a stored episode, after checking every step of it
    Replay(ReplayArgs),
    /// Let an agent judge a stored episode: where it turned, and which decisions cost most
    Analyse(AnalyseArgs),
    /// Draw a moment as SVG or PNG, or a whole episode as one HTML page
    Render(RenderArgs),
    /// Measure episodes and decisions per second of every game
    Bench(BenchArgs),
    /// Play every message of the bot protocol at a bot, and explain what it gets wrong
    CheckBot(CheckBotArgs),
    /// Tell what this machine offers and what is missing
    Doctor(DoctorArgs),
    /// Print what completes words in a shell: `meeple completions bash > FILE`
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for every command
    Man(ManArgs),
    /// A tool of a game: `meeple TOOL GAME …`
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

/// The rules to play by.
#[derive(Args, Clone, Default)]
pub struct Variant {
    /// Set a variant parameter; may be repeated for others. `@FILE` as value stands for the content of that file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Set the parameters that a named profile of the game sets; `meeple games GAME` lists them
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
}

impl Variant {
    /// Every setting as `KEY=VALUE`; a profile counts as one.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        let profile = self.profile.iter().map(|name| format!("profile={name}"));
        profile.chain(self.set.iter().cloned())
    }
}

#[derive(Args)]
pub struct GamesArgs {
    /// Show the presets, variant parameters and tools of this game
    pub game: Option<String>,
    /// List only tools: of this game, or of all
    #[arg(long)]
    pub tools: bool,
    /// List only the numbers that what a seat of this GAME, or GAME/PRESET, knows becomes for learners
    #[arg(long, requires = "game", conflicts_with = "tools")]
    pub encoding: bool,
    /// For a table of this many seats, instead of the usual one
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

/// How players take their seats from episode to episode.
const SEATINGS: &[(&str, &str)] = &[
    ("rotate", "Everybody moves on by one seat"),
    ("fixed", "The first named sits at the first seat, always"),
    ("shuffle", "Drawn anew"),
    ("deals", "As rotate, but the same deal is played from every seat"),
];

#[derive(Args)]
pub struct SimArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    /// The line-up: one AGENT, AGENT:VALUE, AGENT:NAME=VALUE,… or AGENT*COUNT per seat
    #[arg(value_name = "AGENT")]
    pub line_up: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
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
#[derive(Args)]
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

/// One of these words, each with what it means, as the value of a type that serde reads from the word.
fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let values = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(values).try_map(|word| serde_json::from_value(Value::String(word)))
}

/// The adapters that have a match simulator, by their ids.
fn simulators() -> impl TypedValueParser<Value = Simulator> {
    let all = || {
        let simulator =
            |adapter: &&'static BotAdapter| Some(Simulator { adapter, data: adapter.simulator.as_ref()? });
        adapters().iter().filter_map(simulator)
    };
    let values = all().map(|one| PossibleValue::new(one.adapter.id).help(one.data.doc));
    PossibleValuesParser::new(values)
        .map(move |id| all().find(|one| one.adapter.id == id).expect("these are the possible values"))
}

/// What names a player, with the prefixes of the adapters.
fn bots_help() -> String {
    let prefixes = adapters().iter().filter_map(|adapter| adapter.prefix);
    let prefixed: String = prefixes.map(|prefix| format!(", `{prefix}:./bot.py`")).collect();
    let agent =
        games().iter().find_map(|entry| entry.info().demo.first()).map(|agent| format!(" (`{agent}`)"));
    let agents = agent.unwrap_or_default();
    format!(
        "Who plays: agents{agents}, bots (`./bot.py`, `cmd:node bot.js`{prefixed}), each with NAME= before it for \
         another name"
    )
}

/// How many; that none are too few is for whoever plays them to say.
fn parse_count(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 1 to {}, digits only, as in 1000000", u64::MAX))
}

fn parse_seats(text: &str) -> Result<usize, String> {
    let wrong = |_| {
        "expected a whole number, digits only, as in 4\nhint: meeple games lists how many seats games have"
            .to_owned()
    };
    text.parse().map_err(wrong)
}

/// Any number that its type has; whether it makes sense is for whoever uses it to say.
fn parse_whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let most = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let number = text.parse::<u64>().ok().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("expected a whole number from 0 to {most}, digits only"))
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "expected the number of an address, as 127.0.0.1, 0.0.0.0 or ::1".to_owned())
}

fn parse_number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number, as in 0.05".to_owned())
}

fn parse_moment(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "expected a whole number, below 0 to count from the end".to_owned())
}

fn parse_width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| (16..=10_000).contains(width));
    width.ok_or_else(|| "expected a whole number from 16 to 10000".to_owned())
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

/// A time with its unit, from a millisecond to an hour.
fn parse_time(text: &str) -> Result<Duration, String> {
    let number = |unit: &str| text.strip_suffix(unit)?.trim().parse::<f64>().ok();
    let seconds = number("ms").map(|number| number / 1000.0).or_else(|| number("s"));
    let seconds = seconds.filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time from 1ms to 3600s, as in 1.5s or 500ms".to_owned())
}

#[derive(Args)]
pub struct LearnArgs {
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
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub tables: u64,
    /// The most MiB of replays that visitors upload, compressed; 0 for no uploads
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub uploads: u32,
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

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.01 to 1000".to_owned())
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

#[derive(Args)]
pub struct BenchArgs {
    /// Only these games, or GAME/PRESET
    pub games: Vec<String>,
    /// Measure what a decision of each agent takes, instead of whole games
    #[arg(long)]
    pub agents: bool,
    /// Seconds of measuring per game, or per agent
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
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
    /// The interpreter of bots in Python, by name or path, as of a virtual environment [default: python3 on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// Memory of each process of the bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
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

/// Who meets whom.
const SCHEDULES: &[(&str, &str)] = &[
    ("single", "Everybody at one table"),
    ("round-robin", "Every set of competitors that fits at a table"),
    ("battle-royale", "Everybody is shuffled and dealt to tables, again and again"),
    ("gauntlet", "Every competitor against the anchors"),
    (Kind::Alone.name(), "Every competitor alone with the game's fillers"),
];

/// Which replays are kept.
const KEPT: &[(&str, &str)] =
    &[("all", "Of every episode"), ("faulted", "Of episodes with faults"), ("none", "None")];

/// What the standings are ordered by.
const ORDERS: &[(&str, &str)] = &[
    ("rating", "The joint rating"),
    ("wins", "Share of wins"),
    ("score", "Mean score"),
    ("victories", "Whole victories; equals share their rank"),
];

/// What two competitors are compared by.
const COMPARED: &[(&str, &str)] = &[("place", "Who finishes before whom"), ("score", "Difference of scores")];

/// What a fault of a bot leads to.
const ON_FAULT: &[(&str, &str)] = &[
    (
        "fallback",
        "The game's fallback action is taken instead; after --strikes faults, for the rest of the episode",
    ),
    ("forfeit", "The bot forfeits the episode"),
];

/// Flags of everything that is a competition.
#[derive(Args)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub variant: Variant,
    /// Deals that each table plays, each from every seat
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub deals: Option<u64>,
    /// Seat rotations of each deal [default: as many as competitors at the table, at most 8]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub rotations: Option<u16>,
    /// Root seed: the same seed gives the same deals. A small number can be guessed, and who knows it knows every deal
    /// [default: one is drawn, told and kept]
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<RootSeed>,
    /// The competitor whose rating is 0 [default: the first]
    #[arg(long, value_name = "NAME")]
    pub anchor: Option<String>,
    /// What the standings are ordered by [default: rating]
    #[arg(long, value_parser = words::<OrderBy>(ORDERS))]
    pub order: Option<OrderBy>,
    /// Which replays are kept [default: all if bots play, else none: they can be computed again]
    #[arg(long, value_parser = words::<Keep>(KEPT))]
    pub replays: Option<Keep>,
    /// Resamples behind the intervals of the ratings [default: 1000]
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub resamples: Option<usize>,
    /// How bots are shut in: auto (the best that works here), strict, in-process, limits-only, none
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// The interpreter of bots in Python, by name or path, as of a virtual environment [default: python3 on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// What a fault of a bot leads to [default: fallback]
    #[arg(long, value_parser = words::<OnFault>(ON_FAULT))]
    pub on_fault: Option<OnFault>,
    /// Faults in an episode after which the fallback plays on; 0 for any number [default: 3; with --original as there]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub strikes: Option<u32>,
    /// Thinking time of a bot at the start of an episode, in milliseconds of CPU time
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub bank_ms: Option<u64>,
    /// Thinking time added after every move
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub increment_ms: Option<u64>,
    /// Most thinking time for one move; 0 for the bank alone
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub move_ms: Option<u64>,
    /// Ban a bot whose mean CPU time per decision in an episode exceeds this; 0 for never [default: 0; with
    /// --original as there]
    #[arg(long, value_name = "MS", value_parser = parse_number, allow_negative_numbers = true)]
    pub ban_ms: Option<f64>,
    /// Ban a bot after this many episodes with faults; 0 for never [default: 50; with --original as there]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub ban_after: Option<u64>,
    /// Ban a bot that has kept everybody waiting for this long in all, asleep; 0 for never [default: 120000]
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub ban_wait: Option<u64>,
    /// By the rules and with the files of the game's original competition, for games that had one: how it counts, whom it
    /// bans, how ties are split
    #[arg(long)]
    pub original: bool,
    /// Episodes with bots that are played side by side, at most as many as there are cores. Results do not depend on
    /// it, but with more than one the bots share the machine's caches and clocks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Threads where only agents of ours play; 0 takes all cores. The results do not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = parse_whole::<usize>)]
    pub threads: usize,
    /// Keep record, replays, standings and report in this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the standings as JSON instead of tables
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print the standings as CSV instead of tables
    #[arg(long)]
    pub csv: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct MatchArgs {
    /// The game, or GAME/PRESET
    pub game: String,
    #[arg(required = true, value_name = "BOT", help = bots_help())]
    pub bots: Vec<String>,
    /// Stop as soon as it is sure whether the first is ahead of the second: by at most LOW or at least HIGH
    /// standard deviations of a deal
    #[arg(long, value_name = "LOW,HIGH", num_args = 0..=1, default_missing_value = "0,0.1", require_equals = true, allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Greatest chance of a wrong "ahead by HIGH"
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = parse_number, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Greatest chance of a wrong "ahead by at most LOW"
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = parse_number, allow_negative_numbers = true)]
    pub beta: f64,
    /// What is compared
    #[arg(long, value_parser = words::<Compare>(COMPARED), default_value = "place", requires = "sprt")]
    pub by: Compare,
    /// As the match simulator of an original: COUNT:PATH for copies, its limits, and with --out its files
    #[arg(long, value_parser = simulators())]
    pub adapter: Option<Simulator>,
    #[command(flatten)]
    pub arena: ArenaArgs,
}

/// The match simulator of an original, and the adapter of its bots.
#[derive(Clone, Copy, Debug)]
pub struct Simulator {
    pub adapter: &'static BotAdapter,
    pub data: &'static MatchSimulator,
}

#[derive(Args)]
pub struct TournamentArgs {
    /// A tournament file (TOML), or the game
    #[arg(required_unless_present = "resume", value_name = "FILE.toml|GAME")]
    pub game: Option<String>,
    /// Who plays, if a game is named; see `meeple match --help`
    #[arg(value_name = "BOT")]
    pub bots: Vec<String>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_parser = words::<Kind>(SCHEDULES))]
    pub schedule: Option<Kind>,
    /// Competitors at a table [default: as few as the game allows; in a battle royale, as many]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub table: Option<u16>,
    /// The fixed opponents of a gauntlet, by name
    #[arg(long, value_name = "NAME,NAME…", value_delimiter = ',')]
    pub anchors: Vec<String>,
    /// Go on with the tournament in this directory, as it was planned: only --jobs, --threads, --python and how standings
    /// are printed can be chosen anew
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "bots", "schedule", "table", "anchors", "set",
        "profile", "deals", "rotations", "seed", "anchor", "order", "replays", "resamples", "sandbox", "on_fault", "strikes",
        "bank_ms", "increment_ms", "move_ms", "ban_ms", "ban_after", "ban_wait", "original", "out"])]
    pub resume: Option<PathBuf>,
    #[command(flatten)]
    pub arena: ArenaArgs,
}

#[derive(Args)]
pub struct RankArgs {
    /// The folder of bots: scripts, programs, and folders with a main file
    pub folder: PathBuf,
    /// The game, or GAME/PRESET
    #[arg(long)]
    pub game: String,
    /// Agents of ours that play as well, as fixed points of comparison
    #[arg(long, value_name = "AGENT;AGENT…", value_delimiter = ';')]
    pub with: Vec<String>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_parser = words::<Kind>(SCHEDULES))]
    pub schedule: Option<Kind>,
    /// Competitors at a table
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub table: Option<u16>,
    #[command(flatten)]
    pub arena: ArenaArgs,
}

#[derive(Args)]
pub struct VerifyArgs {
    /// The directory of a tournament
    pub directory: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
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

/// All tools with their games' ids, in the order of the games.
pub fn tools() -> Vec<(ToolDoc, &'static str)> {
    let of = |entry: &'static dyn AnyEntry| entry.tools().into_iter().map(|tool| (tool, entry.info().id));
    games().iter().flat_map(|entry| of(&**entry)).collect()
}

/// What stands below the help of the whole program: the tools, from the games that bring them.
fn tools_help() -> String {
    let mut games_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (tool, id) in tools() {
        games_of.entry(tool.name).or_default().push(id);
    }
    let width = games_of.keys().map(|name| name.len()).max().unwrap_or(0);
    let mut text =
        "Tools of games, run as `meeple TOOL GAME …` (`meeple TOOL --help` tells more):\n".to_owned();
    for (name, ids) in games_of {
        text.push_str(&format!("  {name:width$}  {}\n", ids.join(", ")));
    }
    text.push_str("\nStart with `meeple games`, then");
    if let Some(info) = games().first().map(|entry| entry.info()) {
        let (id, agents) = (info.id, info.demo.join(" "));
        text.push_str(&format!(" `meeple sim {id} {agents}`.\n"));
        text.push_str(&format!("Does a strategy dominate? `meeple tournament {id} {agents}`"));
    }
    text
}
