//! Every verb and flag, defined once: the parser and the help come from here.

mod arena;
mod lab;
mod learn;
mod load;
mod look;
mod parse;
mod play;
mod variant;

use std::collections::BTreeMap;

use clap::{Parser, Subcommand};
use meeple_core::{AnyEntry, ToolDoc};
use meeple_games::games;

pub use arena::*;
pub use lab::*;
pub use learn::*;
pub use load::*;
pub use look::*;
pub use play::*;
pub use variant::Variant;

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
    /// Play many tables at a server at once, and measure how quick it is and that nothing is lost
    Load(LoadArgs),
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

/// All tools with their games' ids, in the order of the games.
pub fn tools() -> Vec<(ToolDoc, &'static str)> {
    let of = |entry: &'static dyn AnyEntry| entry.tools().into_iter().map(|tool| (tool, entry.info().id));
    games().into_iter().flat_map(of).collect()
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
