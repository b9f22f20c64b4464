//! `meeple`: one binary for simulation, sweeps, plots, play, replays and pictures.
//!
//! The binary is thin: it reads flags, calls a library and prints. Each verb is a file in `commands/`.
//! Data goes to stdout, everything else to stderr. Exit codes: 0 ok, 1 failure, 2 bad usage.

// The edge: files, the terminal, the clock and the exit code are its business.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

mod args;
mod commands;
mod console;
mod failure;
mod interrupt;
mod keyboard;
mod prompt;
mod replay_file;
mod sandbox;
mod settings;
mod spectate;
mod terminal;
mod watch;

use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> std::process::ExitCode {
    // The launcher of bots must not be kept from its words by anything that reads command lines.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|verb| verb == sandbox::LAUNCHER_VERB) {
        return meeple_bothost::launcher_main(words);
    }
    // `meeple help TOOL`: the parser knows its own verbs only.
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let [help, tool] = words.as_slice()
        && help == "help"
        && commands::tool::is_tool(tool)
    {
        return exit(commands::tool::run(&[tool.clone(), "--help".to_owned()]));
    }
    match Cli::try_parse() {
        Ok(cli) => exit(run(cli.command)),
        Err(error) => {
            let _ = error.print();
            std::process::ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}

/// Says what went wrong, if anything did.
fn exit(result: anyhow::Result<()>) -> std::process::ExitCode {
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        // A closed pipe (`meeple … | head`) ends the program quietly instead of with a panic.
        Err(error) if failure::is_closed_pipe(&error) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            terminal::error(&error);
            std::process::ExitCode::from(failure::exit_code(&error))
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Games(args) => commands::games::run(&args),
        Command::Rules(args) => commands::rules::run(&args),
        Command::Guide(args) => commands::rules::guide(&args),
        Command::Agents(args) => commands::agents::run(&args),
        Command::Sim(args) => commands::sim::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Match(args) => commands::matches::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Rank(args) => commands::rank::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::CheckBot(args) => commands::check_bot::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Completions(args) => commands::packaging::completions(&args),
        Command::Man(args) => commands::packaging::man(&args),
        Command::Tool(words) => commands::tool::run(&words),
    }
}
