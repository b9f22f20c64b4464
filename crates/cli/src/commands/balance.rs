//! `meeple balance`: what many strategies say of a game.

use anyhow::bail;
use meeple_balance::{Balance, Detail, Options, answer, grids, play, sentences};
use meeple_games::parse_game;
use meeple_lab::table;

use crate::args::BalanceArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::settings::{refuse_all_but_agents, settings};
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &BalanceArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("balance", &args.game, &args.strategies)?;
    let set = settings(&args.variant)?;
    let options = Options {
        seats: args.seats,
        episodes: args.episodes,
        seed: args.seed,
        pay_off: args.pay_off,
        threads: args.threads,
    };
    let balance = Balance::new(name.entry, name.preset, &set, &args.strategies, &options)?;
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::new(args.quiet);
    let played = play(&balance, &mut bar, &stop)?;
    bar.finish();
    let Some(played) = played else { bail!("stopped: nothing can be said of tables that are missing") };
    let answers = answer(&balance, &played)?;
    if args.json {
        return terminal::print_json(&answers);
    }
    let sentences = sentences(&answers);
    let detail = if args.full { Detail::Full } else { Detail::Short };
    for grid in grids(&answers, &sentences, detail) {
        terminal::print(&format!("{}\n{}\n", grid.title, table::print(&grid, terminal::width())))?;
    }
    Ok(())
}
