//! `meeple hidden`: value of hidden information.

use anyhow::bail;
use meeple_balance::{HiddenOptions, hidden};
use meeple_games::parse_game;
use meeple_lab::{SetUp, table};

use crate::args::HiddenArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::settings::{refuse_all_but_agents, settings};
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &HiddenArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("hidden", &args.game, &args.line_up)?;
    let set_up = SetUp::new(name.entry, name.preset, &settings(&args.variant)?, &args.line_up)?;
    let options = HiddenOptions { deals: args.deals, seed: args.seed, threads: args.threads };
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::of("deals", args.quiet);
    let found = hidden(&set_up, &options, &mut bar, &stop);
    bar.finish();
    let Some(found) = found? else {
        bail!(
            "stopped before both halves of the games were played, so there is no answer\nhint: fewer deals \
             with -n, or a search of fewer iterations"
        );
    };
    if args.json {
        return terminal::print_json(&found);
    }
    let grid = found.grid();
    let sentence = terminal::wrapped(&found.sentence(), terminal::text_width(), "");
    terminal::print(&format!("{sentence}\n\n{}", table::print(&grid, terminal::width())))
}
