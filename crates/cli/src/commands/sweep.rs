//! `meeple sweep`: one or two parameters at many values.

use anyhow::bail;
use meeple_games::parse_game;
use meeple_lab::{Sweep, SweepOptions, sweep, sweep_into, table};

use crate::args::SweepArgs;
use crate::commands::sim::{output, stop_on_interrupt, stopped_hint};
use crate::commands::{command_line, refuse_human, seating, settings};
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &SweepArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_human(&args.line_up)?;
    let plan = Sweep::new(name.entry, name.preset, &settings(&args.run.variant)?, &args.line_up)?;
    let options = SweepOptions {
        seed: args.run.seed,
        episodes: args.episodes,
        seating: seating(args.run.seating),
        threads: args.run.threads,
    };
    let command = command_line("sweep", &args.game, &args.line_up, &args.run);
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::new(args.run.quiet);
    let result = match &args.run.out {
        Some(directory) => {
            sweep_into(&plan, &options, directory, &output(&args.run, command), &mut bar, &stop)?
        }
        None => sweep(&plan, &options, &mut bar, &stop)?,
    };
    bar.finish();
    if let Some(directory) = &args.run.out {
        eprintln!("meeple: wrote {}", directory.join("report.html").display());
    }
    if args.json {
        terminal::print_json(&result.to_json())?;
    } else {
        terminal::print(&table::sweep_tables(&result, terminal::width()))?;
    }
    if result.stopped {
        let (done, hint) = (result.cells.len(), stopped_hint(&args.run));
        bail!("stopped after {done} of {} cells, which are shown above\n{hint}", plan.cells());
    }
    Ok(())
}
