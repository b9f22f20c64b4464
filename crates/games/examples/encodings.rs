//!
//! Time of writing encodings: plays an episode of random players, keeps its decisions, and
//! repeatedly writes the deciding seats' observations.
//!
//! `cargo run --release -p meeple-games --example encodings GAME ROUNDS`; with `valgrind
//! --tool=callgrind`, the difference of two runs divided by the difference of writes counts
//! instructions.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a measurement reads the clock and prints"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use meeple_core::{Defined, Episode, EpisodeSeed, Phase, Seat, Viewer};

const MAX_DECISIONS: usize = 400;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.get(1).and_then(|text| text.parse().ok());
    let (Some(game), Some(rounds)) = (arguments.first(), rounds) else {
        eprintln!("usage: encodings GAME ROUNDS");
        std::process::exit(2);
    };
    match game.as_str() {
        "incan-gold" => measure::<meeple_incan_gold::IncanGold>(rounds),
        "game17" => measure::<meeple_game17::Game17>(rounds),
        "carcassonne" => measure::<meeple_carcassonne::Carcassonne>(rounds),
        "cartolan" => measure::<meeple_cartolan::Cartolan>(rounds),
        "privateers" => measure::<meeple_privateers::Privateers>(rounds),
        other => {
            eprintln!("expected a game, found '{other}'");
            std::process::exit(2);
        }
    }
}

fn measure<G: Defined>(rounds: u64) {
    let definition = G::definition();
    let seats = (definition.seats_for)(&definition.variant, definition.info.demo.len());
    let game = Arc::new(definition.by_default(seats).expect("the demo line-up fits the default variant"));
    let encoding = game.encoding().expect("every game has an encoding");
    let mut moments: Vec<(Seat, G::State)> = Vec::new();
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(1, 0));
    while moments.len() < MAX_DECISIONS {
        episode.settle_chance();
        let Phase::Decide(owing) = episode.phase() else { break };
        let seat = owing.lowest().expect("somebody decides");
        moments.push((seat, episode.state().clone()));
        let action = episode.sample_action(seat);
        episode.act(seat, &action).expect("random actions are legal");
    }
    let size = encoding.size(&game);
    let mut numbers = vec![0.0; size];
    let start = Instant::now();
    for _ in 0..rounds {
        for (seat, state) in &moments {
            let seen = game.observe(black_box(state), Viewer::Seat(*seat));
            (encoding.write)(&game, &seen, *seat, &mut numbers);
            black_box(&mut numbers);
        }
    }
    let writes = rounds * moments.len() as u64;
    let each = start.elapsed().as_nanos() as f64 / writes.max(1) as f64;
    println!("{}: {seats} seats, {size} numbers, {writes} writes, {each:.0} ns each", definition.info.id);
}
