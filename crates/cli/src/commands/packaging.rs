//! `meeple completions` and `meeple man`: shell completions and manual pages.

use anyhow::Context;
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use meeple_games::games;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::commands::tool;
use crate::prompt::game_names;
use crate::replay_file::write_atomically;
use crate::settings::HUMAN;
use crate::terminal;

pub fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut program = with_tools(Cli::command());
    let verbs: Vec<String> = program.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    for verb in verbs {
        program = program.mut_subcommand(verb, with_names);
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "meeple", &mut script);
    let mut script = String::from_utf8(script)?;
    if args.shell == clap_complete::Shell::Fish {
        script.push_str(&fish_words(&program));
    }
    terminal::print(&script)
}

/// Completions of positional arguments for fish, which the generated script lacks.
fn fish_words(program: &clap::Command) -> String {
    let mut lines = String::new();
    for verb in program.get_subcommands() {
        for argument in verb.get_positionals().filter(|argument| !argument.get_possible_values().is_empty()) {
            let values = argument.get_possible_values();
            let words: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            lines.push_str(&format!(
                "complete -c meeple -n \"__fish_meeple_using_subcommand {}\" -f -a \"{}\"\n",
                verb.get_name(),
                words.join(" ")
            ));
        }
    }
    lines
}

/// Adds values for completion to a subcommand: names of games, and names of agents in line-ups. Valid words
/// of other kinds, such as paths of bots, are not completed.
fn with_names(verb: clap::Command) -> clap::Command {
    let agents = || {
        let named = games().into_iter().flat_map(|entry| entry.agents()).map(|agent| agent.name.to_owned());
        let mut names: Vec<String> = named.chain([HUMAN.to_owned()]).collect();
        names.sort();
        names.dedup();
        names
    };
    // Two arguments get no names: the first word of `tournament` may be a file, and `--games` of `play` is a
    // number.
    let no_game = match verb.get_name() {
        "tournament" => "game",
        "play" => "games",
        _ => "",
    };
    let ids: Vec<String> = verb.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    ids.into_iter().fold(verb, |verb, id| match id.as_str() {
        "game" | "games" if id != no_game => {
            verb.mut_arg(id, |argument| argument.value_parser(PossibleValuesParser::new(game_names())))
        }
        "line_up" => verb.mut_arg(id, |argument| argument.value_parser(PossibleValuesParser::new(agents()))),
        // Every argument is touched, because clap orders arguments by their last change.
        _ => verb.mut_arg(id, |argument| argument),
    })
}

/// Adds the games' tools to the program, as subcommands.
fn with_tools(program: clap::Command) -> clap::Command {
    tool::names().into_iter().fold(program, |program, (name, doc)| {
        let game = clap::Arg::new("game").required(true).help("The game, or GAME/PRESET");
        let rest = clap::Arg::new("arguments").num_args(0..).help("See meeple TOOL --help");
        program.subcommand(clap::Command::new(name).about(doc).args([game, rest]))
    })
}

/// Prints the manual page of the program. With `--out`, writes it and the pages of all subcommands instead.
pub fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut program = with_tools(Cli::command());
    program.build();
    let Some(folder) = &args.out else {
        return terminal::print(&page(program)?);
    };
    let shown = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("{shown}: expected to make the directory"))?;
    let verbs: Vec<clap::Command> =
        program.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned().collect();
    for command in std::iter::once(program).chain(verbs) {
        let name = clap_mangen::Man::new(command.clone()).get_filename();
        write_atomically(&folder.join(name), page(command)?.as_bytes())?;
    }
    terminal::tell(format_args!("meeple: wrote the pages into {shown}"));
    Ok(())
}

fn page(command: clap::Command) -> anyhow::Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
