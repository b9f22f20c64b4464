//! Meeple with this game: every verb, and bots in the sandbox.

use std::process::ExitCode;

fn main() -> ExitCode {
    meeple::program([meeple::game::<template_game::TemplateGame>()])
}
