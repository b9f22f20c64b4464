//! Flags of competitions and of bots.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use meeple_arena::schedule::Kind;
use meeple_arena::{Compare, OrderBy, ReplayRetention, RootSeed};
use meeple_bothost::{Limits, OnFault};
use meeple_core::{BotAdapter, MatchSimulator};
use meeple_games::{adapters, games};

use super::parse::{parse_count, parse_number, parse_whole, words};
use super::variant::Variant;
use crate::failure::usage;

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

/// Help text for players on the command line. It lists the prefixes of all bot adapters.
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

#[derive(Args)]
pub struct LimitArgs {
    /// A limit of bots, as in stderr_bytes=4096; may be repeated. docs/reference/arena.md lists them under
    /// [limits]
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    pub limits: Vec<String>,
}

impl LimitArgs {
    pub fn apply(&self, limits: &mut Limits) -> anyhow::Result<()> {
        for text in &self.limits {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            limits.set(name, value).map_err(|reason| usage(format!("--limit: {reason}")))?;
        }
        Ok(())
    }
}

#[derive(Args)]
pub struct CheckBotArgs {
    /// The bot: a file (./bot.py), a folder with a main file, or cmd:"node bot.js"
    pub bot: String,
    /// Only this game; may be repeated [default: every game that the bot says it plays]
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// Sandbox level: strict, in-process, limits-only or none [default: the strongest that works here]
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// Interpreter of Python bots, by name or path (for example of a virtual environment) [default: python3
    /// on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// Memory of each process of the bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub memory: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const SCHEDULES: &[(&str, &str)] = &[
    ("single", "Everybody at one table"),
    ("round-robin", "Every set of competitors that fits at a table"),
    ("battle-royale", "Everybody is shuffled and dealt to tables, again and again"),
    ("gauntlet", "Every competitor against the anchors"),
    (Kind::Alone.name(), "Every competitor alone with the game's fillers"),
];

const REPLAY_RETENTIONS: &[(&str, &str)] = &[
    ("all", "Replays of every episode"),
    ("faulted", "Replays of episodes with faults"),
    ("none", "No replays"),
];

const STANDINGS_ORDERS: &[(&str, &str)] = &[
    ("rating", "The joint rating"),
    ("wins", "Share of wins"),
    ("score", "Mean score"),
    ("victories", "Whole victories; equals share their rank"),
];

const COMPARED_MEASURES: &[(&str, &str)] =
    &[("place", "Order of finishing"), ("score", "Difference of scores")];

const ON_FAULT: &[(&str, &str)] = &[
    (
        "fallback",
        "The game's fallback action is taken instead; after --strikes faults, for the rest of the episode",
    ),
    ("forfeit", "The bot forfeits the episode"),
];

/// Flags shared by `match`, `tournament` and `rank`.
#[derive(Args)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub variant: Variant,
    /// Deals for each table, each played from every seat
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub deals: Option<u64>,
    /// Seat rotations of each deal [default: 1 with bots, because they could pass on what they saw; else one
    /// per competitor at the table, at most 8; with --original as in the original]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub rotations: Option<u16>,
    /// Root seed: the same seed gives the same deals. A small number can be guessed, and reveals every deal
    /// [default: drawn at random, printed and kept]
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<RootSeed>,
    /// The competitor whose rating is 0 [default: the first]
    #[arg(long, value_name = "NAME")]
    pub anchor: Option<String>,
    /// Order of the standings [default: rating]
    #[arg(long, value_parser = words::<OrderBy>(STANDINGS_ORDERS))]
    pub order: Option<OrderBy>,
    /// Replays to keep [default: all if bots play, else none: they can be computed again]
    #[arg(long, value_parser = words::<ReplayRetention>(REPLAY_RETENTIONS))]
    pub replays: Option<ReplayRetention>,
    /// Resamples behind the intervals of the ratings [default: 1000]
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub resamples: Option<usize>,
    /// Sandbox level of bots: auto (the strongest that works here), strict, in-process, limits-only, none
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// Interpreter of Python bots, by name or path (for example of a virtual environment) [default: python3
    /// on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// Consequence of a bot's fault [default: fallback]
    #[arg(long, value_parser = words::<OnFault>(ON_FAULT))]
    pub on_fault: Option<OnFault>,
    /// Faults in an episode after which the fallback plays on; 0 for any number [default: 3; with --original
    /// as in the original]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>, allow_negative_numbers = true)]
    pub strikes: Option<u32>,
    /// Thinking time of a bot at the start of an episode, in milliseconds of CPU time
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub bank_ms: Option<u64>,
    /// Thinking time added after every move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub increment_ms: Option<u64>,
    /// Maximal thinking time for one move, in milliseconds; 0 for no limit but the total
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub move_ms: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Ban a bot whose mean CPU time per decision in an episode exceeds this; 0 for never [default: 0; with
    /// --original as in the original]
    #[arg(long, value_name = "MS", value_parser = parse_number, allow_negative_numbers = true)]
    pub ban_ms: Option<f64>,
    /// Ban a bot after this many episodes with faults; 0 for never [default: 50; with --original as in the
    /// original]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub ban_after: Option<u64>,
    /// Ban a bot once others have waited this long for it in total, beyond its CPU time; 0 for never
    /// [default: 120000]
    #[arg(long, value_name = "MS", value_parser = parse_whole::<u64>, allow_negative_numbers = true)]
    pub ban_wait: Option<u64>,
    /// Use the scoring, bans, tie-breaks and files of the game's original competition, for games that had one
    #[arg(long)]
    pub original: bool,
    /// Episodes with bots played in parallel, at most one per core. Results do not depend on it, but with
    /// more than one the bots share the machine's caches and clocks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<usize>, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Threads for episodes without bots; 0 for one per core. Results do not depend on it
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
    /// Sequential test (SPRT) of the first player's lead over the second, in standard deviations of a deal
    /// group. It stops as soon as the lead is found to be above LOW or below HIGH
    #[arg(long, value_name = "LOW,HIGH", num_args = 0..=1, default_missing_value = "0,0.1", require_equals = true, allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Maximal probability to find a lead above LOW although it is at most LOW (alpha)
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = parse_number, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Maximal probability to find a lead below HIGH although it is at least HIGH (beta)
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = parse_number, allow_negative_numbers = true)]
    pub beta: f64,
    /// Measure to compare
    #[arg(long, value_parser = words::<Compare>(COMPARED_MEASURES), default_value = "place", requires = "sprt")]
    pub by: Compare,
    /// Behave like the original match simulator: accept COUNT:PATH for copies, use its limits, and write its
    /// files with --out
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
    /// Players, if a game is named; see `meeple match --help`
    #[arg(value_name = "BOT")]
    pub bots: Vec<String>,
    /// Schedule of the tournament [default: round-robin]
    #[arg(long, value_parser = words::<Kind>(SCHEDULES))]
    pub schedule: Option<Kind>,
    /// Competitors at a table [default: the fewest that the game allows; in a battle royale, the most]
    #[arg(long, value_name = "N", value_parser = parse_whole::<u16>, allow_negative_numbers = true)]
    pub table: Option<u16>,
    /// The fixed opponents of a gauntlet, by name
    #[arg(long, value_name = "NAME,NAME…", value_delimiter = ',')]
    pub anchors: Vec<String>,
    /// Resume the tournament in this directory by its plan. Only --jobs, --threads, --python and the format
    /// of the standings can be changed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "bots", "schedule", "table", "anchors", "set",
        "profile", "deals", "rotations", "seed", "anchor", "order", "replays", "resamples", "sandbox", "on_fault", "strikes",
        "bank_ms", "increment_ms", "move_ms", "ban_ms", "ban_after", "ban_wait", "original", "out"])]
    pub resume: Option<PathBuf>,
    /// Write the ratings as strengths of a game's agents: the file `strength.txt` of its crate
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub strength: Option<PathBuf>,
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
    /// Built-in agents that play as well, for comparison
    #[arg(long, value_name = "AGENT;AGENT…", value_delimiter = ';')]
    pub with: Vec<String>,
    /// Schedule of the tournament [default: round-robin]
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
    /// The directory of a tournament, or the file of a stopped server
    #[arg(value_name = "DIRECTORY|FILE")]
    pub directory: PathBuf,
    /// Run repeatable bots again and compare their answers with the record. This runs the programs that the
    /// record names
    #[arg(long)]
    pub replay_bots: bool,
    /// Sandbox level of the bots [default: that of the tournament]
    #[arg(long, value_name = "LEVEL", requires = "replay_bots")]
    pub sandbox: Option<String>,
    /// Interpreter of Python bots, by name or path (for example of a virtual environment) [default: python3
    /// on PATH]
    #[arg(long, value_name = "PROGRAM", requires = "replay_bots")]
    pub python: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,
}
