//! `meeple learn table`: round robin of players.

use anyhow::bail;
use meeple_core::AgentSpec;
use meeple_lab::text::percent_with_half;
use meeple_lab::{Grid, Progress, table};
use meeple_learn::{Crosstable, crosstable};
use serde_json::json;

use super::players::{game, ground, groups, player};
use crate::args::TableArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &TableArgs) -> anyhow::Result<()> {
    let game = game(&args.game, &args.players[0], &args.ground)?;
    let players: Vec<AgentSpec> = args.players.iter().map(|text| player(text)).collect();
    for player in &players {
        game.check_line_up(&vec![player.clone(); game.seats()])?;
    }
    let stop = stop_on_interrupt()?;
    let pairs = (players.len() * (players.len() - 1) / 2) as u64;
    let mut bar = Bar::of("pairs", args.ground.quiet);
    bar.update(0, pairs, "");
    let ground = ground(&*game, &args.ground);
    let groups = groups(args.episodes, &*game);
    let met = crosstable(&ground, &players, groups, &stop, |done| bar.update(done as u64, pairs, ""));
    bar.finish();
    let Some(met) = met? else {
        bail!(
            "stopped before all pairs were played, so there is no table\nhint: fewer episodes with -n, or \
             fewer players"
        )
    };
    if args.ground.json {
        return terminal::print_json(&json!({
            "format": 1, "game": args.game, "seats": game.seats(), "seed": args.ground.seed, "players": args.players,
            "table": met,
        }));
    }
    let text = table::print(&grid(&met, args), terminal::width());
    terminal::print(&format!("{text}{}\n", terminal::wrapped(&rings(&met, args), terminal::text_width(), "")))
}

/// Shares in percent, row against column; players are numbered, because file names are long.
fn grid(met: &Crosstable, args: &TableArgs) -> Grid {
    let mut header = vec!["".to_owned(), "player".to_owned()];
    header.extend((1..=args.players.len()).map(|number| number.to_string()));
    let row = |(index, name): (usize, &String)| {
        let mut row = vec![(index + 1).to_string(), name.clone()];
        row.extend(met.met[index].iter().map(|met| match met {
            None => String::new(),
            Some(met) => percent_with_half(met.share, met.interval),
        }));
        row
    };
    let title = format!("{}: opponents placed lower, in %, row against column", args.game);
    let rows = args.players.iter().enumerate().map(row).collect();
    Grid { title, header, rows, numbers: 2, note: String::new() }
}

fn rings(met: &Crosstable, args: &TableArgs) -> String {
    let share = format!(
        "{:.1} % of the differences are not explained by strength, but by rings and chance.",
        100.0 * met.cyclic
    );
    match met.ring {
        Some([first, second, third]) => {
            let [first, second, third] = [first, second, third].map(|index| &args.players[index]);
            format!("{share} A ring: {first} beats {second}, which beats {third}, which beats {first}.")
        }
        None => format!("{share} No three beat each other in a ring for sure."),
    }
}
