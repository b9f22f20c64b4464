//! Plays episodes without statistics, to count their instructions:
//! `valgrind --tool=callgrind target/release/examples/measure 20480 [AGENTS]`.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // a program, not a part of the game

use meeple_core::{AgentSpec, Game, Playouts, Seating, build_agents};
use meeple_incan_gold::{IncanGold, Variant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let episodes: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let mut line_up: Vec<AgentSpec> = arguments.map(|text| AgentSpec::parse(&text)).collect();
    if line_up.is_empty() {
        line_up = ["turn:7", "backpack:20", "random:0.15"].map(AgentSpec::parse).to_vec();
    }
    let game = IncanGold::new(Variant::default(), line_up.len()).expect("the default rules are sound");
    let agents =
        build_agents(&game, &IncanGold::agents(), &line_up).unwrap_or_else(|error| panic!("{error}"));
    let mut playouts = Playouts::new(&game, agents);
    let mut score = 0;
    for index in 0..episodes {
        score += playouts.play(1, Seating::Rotate, index).outcome.scores.iter().sum::<i64>();
    }
    println!("{episodes} episodes, mean score {}", score as f64 / (episodes * line_up.len() as u64) as f64);
}
