//! Networks as the value of a search.

use meeple_core::Seating;
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};

use crate::{game, plan};

/// A shipped network, so the plan of the table suffices.
const SHIPPED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");

#[test]
fn any_number_of_threads_and_trees_plays_the_same_episodes() {
    let game = game("incan-gold", &plan(""));
    let played = |value: &str, threads| {
        let words = ["turn:7".to_owned(), format!("mcts:value={value},iterations=30,margin=0,trees=2")];
        let simulation = Simulation {
            game: &*game,
            line_up: LineUp::parse(&words).unwrap(),
            seed: 5,
            episodes: 60,
            seating: Seating::DealGroups,
            threads,
        };
        let run = simulate(&simulation, &mut NoProgress, &StopFlag::new()).unwrap();
        serde_json::to_string(&run.summary.agents[1].results).unwrap()
    };
    let one = played(SHIPPED, 1);
    assert_eq!(one, played(SHIPPED, 2));
    assert_ne!(one, played("hints", 1));
}
