//! A study in Rust: compares two settings of a new agent by their win rates.
//!
//! `cargo run --release -p meeple-games --example study`

// An example prints; the crate beside it does not.
#![allow(clippy::disallowed_macros)]

use std::error::Error;
use std::sync::Arc;

use meeple_core::{Agent, Defined, Playouts, Seating, Turn};
use meeple_incan_gold::{Action, IncanGold};

/// Leaves with a full enough backpack.
struct Cautious {
    gems: u32,
}

impl Agent<IncanGold> for Cautious {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        if turn.observe().backpack() >= self.gems { Action::Leave } else { Action::Stay }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = Arc::new(IncanGold::definition().by_default(2)?);
    let agents: Vec<Box<dyn Agent<IncanGold>>> =
        vec![Box::new(Cautious { gems: 12 }), Box::new(Cautious { gems: 25 })];
    let mut playouts = Playouts::new(game, agents);
    let (mut first, mut gems) = ([0u32; 2], [0i64; 2]);
    let episodes = 10_000;
    for index in 0..episodes {
        let report = playouts.play(1, Seating::Rotate, index);
        for (seat, player) in report.player_at.iter().enumerate() {
            first[usize::from(*player)] += u32::from(report.outcome.places[seat] == 1);
            gems[usize::from(*player)] += report.outcome.scores[seat];
        }
    }
    for (player, leaves_at) in [12, 25].into_iter().enumerate() {
        let mean = gems[player] as f64 / episodes as f64;
        println!("leaves with {leaves_at} gems: first in {} games, {mean:.1} gems a game", first[player]);
    }
    Ok(())
}
