//! The long comparison with the second scorer: `soak GAMES RIVERS [FIRST]` plays GAMES random games at every
//! level and number of players, each compared after every action, and RIVERS random rivers.
#![allow(missing_docs, clippy::disallowed_methods, clippy::disallowed_macros)]

use std::sync::Arc;

use meeple_carcassonne::{Action, Carcassonne, Kind, Stage, State, Variant};
use meeple_core::{ChanceStreams, EpisodeSeed, Game, NoEvents, Params, Phase, Seat, Viewer};

#[path = "../tests/it/reference.rs"]
mod reference;
use reference::Board;

include!("shared/soak.rs");

fn game(preset: &str, seats: usize) -> Arc<Carcassonne> {
    let mut variant = Variant::default();
    let known = Carcassonne::INFO.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in known.set {
        variant.set(name, value).expect("presets are valid");
    }
    Arc::new(Carcassonne::new(variant, seats).expect("a game"))
}

fn points(game: &Carcassonne, state: &State) -> Vec<i64> {
    Seat::all(game.seats()).map(|seat| game.score(state, seat)).collect()
}

fn seen(game: &Carcassonne, state: &State) -> serde_json::Value {
    serde_json::to_value(game.observe(state, Viewer::Everything)).expect("observations serialise")
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let (games, rivers) = (numbers.first().copied().unwrap_or(10), numbers.get(1).copied().unwrap_or(1000));
    let first = numbers.get(2).copied().unwrap_or(0);
    for preset in ["river", "farms", "towers", "classic"] {
        for seats in 2..=6 {
            let game = game(preset, seats);
            let mut tiles = 0;
            for index in first..first + games {
                tiles += compare(&game, 5, index).0.len();
            }
            println!("{preset} {seats}: {games} games agree, {tiles} tiles");
        }
    }
    let game = game("river", 4);
    let stuck = (0..rivers).filter(|index| one_river(&game, 6, *index) != 12).count();
    println!("{rivers} rivers, {stuck} stuck, none touches itself");
}
