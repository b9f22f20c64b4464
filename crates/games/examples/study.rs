//! A study in Rust: a line-up by names, and a new agent against a known one.
//!
//! `cargo run --release -p meeple-games --example study`

use std::error::Error;
use std::sync::Arc;

use meeple_core::{Agent, Defined, Playouts, Seating, Turn};
use meeple_games::parse_game;
use meeple_incan_gold::{Action, IncanGold};
use meeple_lab::{NoProgress, SetUp, Simulation, StopFlag, simulate, table};

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
    // The words of `meeple sim`, on all cores.
    let name = parse_game("incan-gold")?;
    let players = ["turn:7", "backpack:20"].map(String::from);
    let set_up = SetUp::new(name.entry, name.preset, &[], &players)?;
    let simulation = Simulation {
        game: &*set_up.game,
        line_up: set_up.line_up.clone(),
        seed: 1,
        episodes: 20_000,
        seating: Seating::Rotate,
        threads: 0,
    };
    let run = simulate(&simulation, &mut NoProgress, &StopFlag::new())?;
    println!("{}", table::simulation_tables(&run, 100));

    // With types there is nothing between the loop and the rules.
    let game = Arc::new(IncanGold::definition().by_default(2)?);
    let agents: Vec<Box<dyn Agent<IncanGold>>> =
        vec![Box::new(Cautious { gems: 12 }), Box::new(Cautious { gems: 25 })];
    let mut playouts = Playouts::new(game, agents);
    let mut wins = [0; 2];
    for index in 0..10_000 {
        let report = playouts.play(1, Seating::Rotate, index);
        for (seat, player) in report.player_at.iter().enumerate() {
            wins[usize::from(*player)] += usize::from(report.outcome.places[seat] == 1);
        }
    }
    println!("12 gems: first in {} games; 25 gems: first in {} games", wins[0], wins[1]);
    Ok(())
}
