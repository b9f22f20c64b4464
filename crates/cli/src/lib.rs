//! The command line: one program for simulation, sweeps, plots, play, replays and pictures.
//!
//! It is thin: it parses flags, calls a library and prints. Each subcommand is a file in `commands/`. Data
//! goes to stdout, messages to stderr. Exit codes: 0 ok, 1 failure, 2 bad usage.
//!
//! A library, because it has several callers: the program `meeple`, `python -m meeple`, and programs with
//! games of their own ([`program`]).

mod args;
mod commands;
mod console;
mod failure;
mod host;
mod interrupt;
mod keyboard;
mod opinion;
mod program;
mod prompt;
mod replay_file;
mod sandbox;
mod settings;
mod site;
mod spectate;
mod terminal;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use meeple_bothost::Launcher;

pub use meeple_games::{NameTaken, Registered};

use crate::args::{Cli, Command};
pub use crate::program::{OwnGame, ProgramGames, game, only, register};

/// Hidden subcommand that applies restrictions to itself and becomes a bot.
const LAUNCHER_VERB: &str = "__sandbox-exec";

/// The program `meeple` with these games: reads the command line, runs it, and returns the exit code. `main`
/// calls it first, because the program also launches its own bots.
///
/// ```ignore
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     meeple::program([meeple::game::<my_game::MyGame>()])
/// }
/// ```
#[allow(clippy::disallowed_methods, reason = "a program reads its own arguments and the path of its file")]
pub fn program(games: impl Into<ProgramGames>) -> ExitCode {
    // The launcher of bots has words of its own, which no other parser must see.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|verb| verb == LAUNCHER_VERB) {
        return meeple_bothost::launcher_main(words);
    }
    if let Err(error) = register(games) {
        return ExitCode::from(exit(Err(error.into())));
    }
    if meeple_games::games().is_empty() {
        return ExitCode::from(exit(Err(failure::usage(
            "expected a program with at least one game, found none\n\
             hint: name one in `meeple::program([meeple::game::<MyGame>()])`, or build it with the feature `games`",
        ))));
    }
    let program = std::env::current_exe().ok();
    let launcher = program.map(|program| Launcher { program, arguments: vec![LAUNCHER_VERB.to_owned()] });
    ExitCode::from(main(std::env::args_os().skip(1).collect(), launcher))
}

/// Runs the command line with these words, which exclude the program's name, and returns the exit code.
/// `launcher` starts bots; without it, commands with bots fail. Call it once per process.
pub fn main(words: Vec<OsString>, launcher: Option<Launcher>) -> u8 {
    let texts: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    settings::called_with(texts.clone());
    sandbox::begin_with(launcher);
    // `meeple help TOOL` is handled here, because clap knows only its own subcommands.
    if let [help, tool] = texts.as_slice()
        && help == "help"
        && commands::tool::is_tool(tool)
    {
        return exit(commands::tool::run(&[tool.clone(), "--help".to_owned()]));
    }
    match Cli::try_parse_from(std::iter::once(OsString::from("meeple")).chain(words)) {
        // A panic is a bug, and its message is printed already: callers get an error's exit code.
        Ok(cli) => match std::panic::catch_unwind(|| run(cli.command)) {
            Ok(result) => exit(result),
            Err(_) => {
                exit(Err(anyhow::anyhow!("an internal error of meeple, shown above\nhint: please report it")))
            }
        },
        Err(error) => match error.print().and_then(|()| std::io::stdout().flush()) {
            // Invalid words are bad usage, even if the message cannot be printed.
            _ if error.use_stderr() => 2,
            printed => exit(printed.map_err(Into::into)),
        },
    }
}

/// Prints an error, if any, and returns the exit code.
fn exit(result: anyhow::Result<()>) -> u8 {
    match result {
        Ok(()) => 0,
        // A closed pipe (`meeple … | head`) ends the program without a message. The exit code is that of a
        // failure, because the output is incomplete.
        Err(error) if failure::is_closed_pipe(&error) => 1,
        Err(error) => {
            terminal::error(&error);
            failure::exit_code(&error)
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
        Command::Balance(args) => commands::balance::run(&args),
        Command::Hidden(args) => commands::hidden::run(&args),
        Command::Solve(args) => commands::solve::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "load")]
        Command::Load(args) => commands::load::run(&args),
        #[cfg(not(feature = "load"))]
        Command::Load(_) => Err(failure::usage(
            "expected a program built with the load generator, found one without it\n\
             hint: `cargo build --release --features load` builds one",
        )),
        Command::Match(args) => commands::matches::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Rank(args) => commands::rank::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Shard(args) => commands::shard::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::NewGame(args) => commands::new_game::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::CheckBot(args) => commands::check_bot::run(&args),
        Command::Docs(args) => commands::docs::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Completions(args) => commands::packaging::completions(&args),
        Command::Man(args) => commands::packaging::man(&args),
        Command::Tool(words) => commands::tool::run(&words),
    }
}
