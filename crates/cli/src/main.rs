//! The program `meeple`, which is the [command line](meeple) and the launcher of its bots.
// Program entry: it may access its own arguments and file.
#![allow(clippy::disallowed_methods)]

use std::process::ExitCode;

use meeple_bothost::Launcher;

/// Hidden subcommand that applies restrictions to itself and becomes a bot.
const LAUNCHER_VERB: &str = "__sandbox-exec";

fn main() -> ExitCode {
    // The bot launcher must see its words before any command-line parser.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|verb| verb == LAUNCHER_VERB) {
        return meeple_bothost::launcher_main(words);
    }
    let program = std::env::current_exe().ok();
    let launcher = program.map(|program| Launcher { program, arguments: vec![LAUNCHER_VERB.to_owned()] });
    ExitCode::from(meeple::main(std::env::args_os().skip(1).collect(), launcher))
}
