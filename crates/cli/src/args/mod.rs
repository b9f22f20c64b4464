//! Every verb and flag, defined once: the parser and the help come from here.

mod arena;
mod lab;
mod learn;
mod load;
mod look;
mod new_game;
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
pub use new_game::*;
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
    /// Play many episodes; show shares of wins and scores, with intervals
    Sim(SimArgs),
    /// Vary one or two parameters of agents or rules and plot what changes
    Sweep(SweepArgs),
    /// Balance of a game: dominant strategies, who beats whom, the value of each seat, the share of luck
    Balance(BalanceArgs),
    /// Value of hidden information: the gain of a searching agent that sees everything
    Hidden(HiddenArgs),
    /// Solve a small game: strategies near an equilibrium, and their exact exploitability
    Solve(SolveArgs),
    /// Play in the terminal, or watch agents play
    Play(PlayArgs),
    /// Train a player by a plan, in games against itself and others
    Learn(LearnArgs),
    /// Tune the parameters of an agent by what it wins
    Tune(TuneArgs),
    /// Serve web pages to play, watch and invite others in the browser
    Serve(ServeArgs),
    /// Load test of a server: play many tables at once, measure latency, prove that nothing is lost
    Load(LoadArgs),
    /// Play bots and agents against each other at one table, and show who is better
    Match(MatchArgs),
    /// Play a tournament of agents or bots and rate all players: does a strategy dominate?
    Tournament(TournamentArgs),
    /// Rank a folder of bots
    Rank(RankArgs),
    /// Verify a tournament: replay every episode and recompute the standings
    Verify(VerifyArgs),
    /// Divide a simulation, sweep or tournament into parts for many machines, and merge the results
    Shard(ShardArgs),
    /// Watch a stored episode; every step is checked first
    Replay(ReplayArgs),
    /// Analyse a stored episode with an agent: turning points and the most costly decisions
    Analyse(AnalyseArgs),
    /// Draw a moment as SVG or PNG, or a whole episode as one HTML page
    Render(RenderArgs),
    /// Measure episodes and decisions per second of every game
    Bench(BenchArgs),
    /// Begin a game of your own: write a crate that builds, plays and passes all laws
    NewGame(NewGameArgs),
    /// Test a bot with every message of the protocol, and explain its mistakes
    CheckBot(CheckBotArgs),
    /// Open the documentation in the browser, without a network
    Docs(DocsArgs),
    /// Show what this machine offers and what is missing
    Doctor(DoctorArgs),
    /// Print completions for a shell: `meeple completions bash > FILE`
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

fn tools_help() -> String {
    let mut games_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (tool, id) in tools() {
        games_of.entry(tool.name).or_default().push(id);
    }
    let width = games_of.keys().map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    if !games_of.is_empty() {
        text.push_str("Tools of games, run as `meeple TOOL GAME …` (`meeple TOOL --help` has details):\n");
        for (name, ids) in games_of {
            text.push_str(&format!("  {name:width$}  {}\n", ids.join(", ")));
        }
        text.push('\n');
    }
    text.push_str("Start with `meeple games`, then");
    if let Some(info) = games().first().map(|entry| entry.info()) {
        let (id, agents) = (info.id, info.demo.join(" "));
        text.push_str(&format!(" `meeple sim {id} {agents}`.\n"));
        text.push_str(&format!("Does a strategy dominate? `meeple tournament {id} {agents}`"));
    }
    text
}
