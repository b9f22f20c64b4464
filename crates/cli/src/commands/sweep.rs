//! `meeple sweep`: simulations over one or two parameters.

use std::path::Path;

use anyhow::bail;
use meeple_games::parse_game;
use meeple_lab::{Filed, Sweep, SweepOptions, SweepResult, sweep, sweep_into, table};

use crate::args::{SweepArgs, Variant};
use crate::commands::sim::{go_on, output, stop_on_interrupt, stopped_hint, tell_written};
use crate::settings::{command_line, read_file, refuse_all_but_agents, setting};
use crate::terminal;
use crate::watch::Bar;

/// The settings of `--set` and `--profile`. A list that begins with `@FILE` stays as it is, because the sweep
/// reads its files.
fn settings(variant: &Variant) -> anyhow::Result<Vec<(String, String)>> {
    let is_list = |value: &str| {
        value.strip_prefix('@').is_some_and(|path| path.contains([',', '|']) && !Path::new(path).exists())
    };
    let read = |text: String| match text.split_once('=') {
        Some((key, value)) if is_list(value) => Ok((key.to_owned(), value.to_owned())),
        _ => setting(&text),
    };
    variant.settings().map(read).collect()
}

pub fn run(args: &SweepArgs) -> anyhow::Result<()> {
    let args = &SweepArgs { run: go_on(&args.run, &args.game)?, ..args.clone() };
    let (plan, options) = plan(args)?;
    let command = command(args);
    let stop = stop_on_interrupt()?;
    if args.run.verbose {
        terminal::tell(format_args!(
            "meeple: plays {} cells of `{command} -n {}`",
            plan.cells(),
            args.run.episodes
        ));
    }
    let mut bar = Bar::new(args.run.quiet).telling(args.run.verbose);
    let filed = match &args.run.out {
        Some(directory) => {
            sweep_into(&plan, &options, directory, &output(&args.run, command), &mut bar, &stop)?
        }
        None => Filed { played: sweep(&plan, &options, &mut bar, &stop)?, written: Ok(()) },
    };
    bar.finish();
    show(args, &plan, filed)
}

pub fn plan(args: &SweepArgs) -> anyhow::Result<(Sweep, SweepOptions)> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("sweep", &args.game, &args.line_up)?;
    let set = settings(&args.run.variant)?;
    let mut read = |path: &str| read_file(path).map_err(|error| format!("{error:#}"));
    let plan = Sweep::with_files(name.entry, name.preset, &set, &args.line_up, &mut read)?;
    let options = SweepOptions {
        seed: args.run.seed,
        episodes: args.run.episodes,
        seating: args.run.seating,
        threads: args.run.threads,
    };
    Ok((plan, options))
}

pub fn command(args: &SweepArgs) -> String {
    command_line("sweep", &args.game, &args.line_up, &args.run)
}

pub fn show(
    args: &SweepArgs,
    plan: &Sweep,
    Filed { played: result, written }: Filed<SweepResult>,
) -> anyhow::Result<()> {
    tell_written(&args.run, &written);
    if args.run.json {
        match args.run.no_times {
            true => terminal::print_json(&result.untimed())?,
            false => terminal::print_json(&result.timed())?,
        }
    } else {
        terminal::print(&table::sweep_tables(&result, terminal::width()))?;
    }
    // The results are shown before a failed write is reported.
    written?;
    if result.stopped {
        let (shown, done, hint) = (result.cells.len(), result.finished(), stopped_hint(&args.run));
        bail!("stopped with {done} of {} cells finished; above are {shown}\n{hint}", plan.cells());
    }
    Ok(())
}
