//! The long comparison with the second scorer: `soak GAMES RIVERS [PRESET [SEATS]]`. It plays GAMES random
//! games at every level and number of players (or the given ones), each compared after every action, and
//! RIVERS random rivers.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::sync::Arc;

use meeple_carcassonne::{Action, Carcassonne, Kind, Stage, State, Variant};
use meeple_core::{ChanceStreams, Defined as _, EpisodeSeed, Game, NoEvents, Params, Phase, Seat, Viewer};

#[path = "../tests/it/reference.rs"]
mod reference;
use reference::{Board, Features};

include!("shared/soak.rs");

fn game(preset: &str, seats: usize) -> Arc<Carcassonne> {
    let mut variant = Variant::default();
    let known =
        Carcassonne::definition().info.presets.iter().find(|known| known.name == preset).expect("a preset");
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(default);
    let (games, rivers) = (number(0, 10), number(1, 1000));
    for preset in ["river", "farms", "towers", "classic"] {
        for seats in 2..=6 {
            let wanted = words.get(2).is_none_or(|word| word == preset)
                && words.get(3).is_none_or(|word| *word == seats.to_string());
            if games == 0 || !wanted {
                continue;
            }
            let game = game(preset, seats);
            let (mut laid, mut gone) = (0, 0);
            for index in 0..games {
                let (board, discarded) = compare(&game, 5, index);
                laid += board.len();
                gone += discarded;
            }
            println!("{preset} {seats}: {games} games agree, {laid} tiles laid, {gone} discarded");
        }
    }
    let game = game("river", 4);
    let stuck = (0..rivers).filter(|index| one_river(&game, 6, *index) != 12).count();
    println!("{rivers} rivers, {stuck} stuck, none touches itself");
}
