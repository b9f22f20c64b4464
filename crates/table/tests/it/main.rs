//! Laws of live tables, for every game and preset.

mod cancelled;
mod clocks;
mod drafts;
mod laws;
mod leaks;
mod patches;
mod refusals;
mod symbols;
mod twins;

use meeple_core::{AnyEntry, AnyGame, EpisodeSeed};
use meeple_games::games;
use meeple_table::{Holder, Table, TableFault};

/// Calls `check` for every game with every preset, on the fewest seats from two on.
fn for_every_preset(mut check: impl FnMut(&'static dyn AnyEntry, &dyn AnyGame, &str)) {
    for entry in games() {
        let info = entry.info();
        for preset in info.presets {
            let named = (2..=*info.seats.end()).find_map(|named| {
                let named = named.max(*info.seats.start());
                entry.set_up(Some(preset.name), &[], named).ok()
            });
            let game = named.expect("some number of players fits");
            check(entry, &*game, &format!("{}/{}", info.id, preset.name));
        }
    }
}

/// A person at seat 0, an open seat 1, agents elsewhere.
fn mixed(game: &dyn AnyGame) -> Vec<Holder> {
    let holder = |seat| match seat {
        0 => Holder::Person { name: "Ann".into() },
        1 => Holder::Open,
        _ => Holder::Agent("random".to_owned()),
    };
    (0..game.seats()).map(holder).collect()
}

/// A table with [`mixed`] seats.
fn table(game: &dyn AnyGame, seed: u64) -> Table {
    Table::open(game, EpisodeSeed::new(seed, 0), mixed(game)).expect("every game has the agent")
}

/// The fault of a player who does not decide in time.
fn late() -> TableFault {
    TableFault { kind: "TIMEOUT", took_us: Some(10_000_000), at: "2026-01-31T12:00:00.000Z".to_owned() }
}
