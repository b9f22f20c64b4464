//! `meeple sim`: statistics over many episodes.

use anyhow::bail;
use meeple_games::parse_game;
use meeple_lab::{
    Directory, Existing, Filed, LabError, OutputOptions, Run, SetUp, Simulation, StopFlag, simulate,
    simulate_into, table,
};

use crate::args::{RunArgs, SimArgs};
use crate::settings::{command_line, quoted, refuse_all_but_agents, settings, shorten, value_text};
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &SimArgs) -> anyhow::Result<()> {
    let args = &SimArgs { run: go_on(&args.run, &args.game)?, ..args.clone() };
    let set_up = set_up(args)?;
    let simulation = simulation(args, &set_up);
    let command = command(args);
    let stop = stop_on_interrupt()?;
    if args.run.verbose {
        tell(&simulation, &command);
    }
    let mut bar = Bar::new(args.run.quiet);
    let filed = match &args.run.out {
        Some(directory) => {
            simulate_into(&simulation, directory, &output(&args.run, command), &mut bar, &stop)?
        }
        None => Filed { played: simulate(&simulation, &mut bar, &stop)?, written: Ok(()) },
    };
    bar.finish();
    show(args, filed)
}

/// The flags of a run. With `--resume` they get the settings that the run began with.
pub fn go_on(args: &RunArgs, game: &str) -> anyhow::Result<RunArgs> {
    let mut args = args.clone();
    if let (Some(directory), true) = (&args.out, args.resume) {
        let name = parse_game(game)?;
        args.variant.go_on(&name, |set| Directory::settings(directory, name.entry, set))?;
    }
    Ok(args)
}

pub fn set_up(args: &SimArgs) -> anyhow::Result<SetUp> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("sim", &args.game, &args.line_up)?;
    Ok(SetUp::new(name.entry, name.preset, &settings(&args.run.variant)?, &args.line_up)?)
}

pub fn simulation<'a>(args: &SimArgs, set_up: &'a SetUp) -> Simulation<'a> {
    Simulation {
        game: &*set_up.game,
        line_up: set_up.line_up.clone(),
        seed: args.run.seed,
        episodes: args.run.episodes,
        seating: args.run.seating,
        threads: args.run.threads,
    }
}

pub fn command(args: &SimArgs) -> String {
    command_line("sim", &args.game, &args.line_up, &args.run)
}

pub fn show(args: &SimArgs, Filed { played: run, written }: Filed<Run>) -> anyhow::Result<()> {
    tell_written(&args.run, &written);
    if args.run.json {
        terminal::print_summary(run.to_json(), args.run.no_times)?;
    } else {
        terminal::print(&table::simulation_tables(&run, terminal::width()))?;
        if let Some(command) = tournament(args).filter(|_| !args.run.quiet) {
            terminal::tell(format_args!(
                "hint: does one of them dominate? All pairs, rated with intervals: {command}"
            ));
        }
    }
    // The results are shown before a failed write is reported.
    written?;
    if run.stopped {
        let (done, hint) = (run.tally.episodes(), stopped_hint(&args.run));
        bail!("stopped after {done} of {} episodes, which are counted above\n{hint}", args.run.episodes);
    }
    Ok(())
}

pub fn tell_written(args: &RunArgs, written: &Result<(), LabError>) {
    if let (Some(directory), Ok(())) = (&args.out, written) {
        terminal::tell(format_args!("meeple: wrote {}", directory.join("report.html").display()));
    }
}

/// The command of a round-robin tournament among the agents of the line-up; `None` for fewer than three. Only
/// separate pairs show who beats whom.
fn tournament(args: &SimArgs) -> Option<String> {
    let mut agents: Vec<&str> = Vec::new();
    for word in &args.line_up {
        // The agent of `AGENT*3` is one opponent, not three.
        let agent = word.rsplit_once('*').map_or(word.as_str(), |(agent, _)| agent).trim();
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    let set = args.run.variant.settings().flat_map(|setting| ["--set".to_owned(), setting]);
    let words = ["tournament", args.game.as_str()].into_iter().chain(agents.iter().copied());
    (agents.len() > 2).then(|| quoted(words.map(str::to_owned).chain(set)))
}

fn tell(simulation: &Simulation<'_>, command: &str) {
    let variant = simulation.game.variant();
    let values = variant.as_object().into_iter().flatten();
    let values: Vec<String> =
        values.map(|(key, value)| format!("{key}={}", shorten(&value_text(value)))).collect();
    terminal::tell(format_args!("meeple: plays `{command} -n {}`", simulation.episodes));
    terminal::tell(format_args!("meeple: with {}", values.join(" ")));
}

pub fn stopped_hint(args: &RunArgs) -> &'static str {
    match args.out {
        Some(_) => "hint: the same command with --resume goes on",
        None => "hint: with --out DIR a run can be resumed",
    }
}

pub fn output(args: &RunArgs, command: String) -> OutputOptions {
    let existing = match (args.force, args.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    OutputOptions { existing, command }
}

/// A flag that the first Ctrl-C sets. The second one ends the program at once. While files are written, the
/// second one only warns and a third one ends it. Files written before are safe in any case.
pub fn stop_on_interrupt() -> anyhow::Result<StopFlag> {
    let flag = StopFlag::new();
    let shared = flag.clone();
    let mut warned = false;
    ctrlc::set_handler(move || {
        if !shared.is_stopped() {
            shared.stop();
        } else if shared.is_writing() && !warned {
            warned = true;
            terminal::tell("\nmeeple: writing what was played; Ctrl-C once more ends the program without it");
        } else {
            terminal::tell("\nmeeple: ended at once, without the episodes of this run");
            std::process::exit(1);
        }
    })?;
    Ok(flag)
}
