//! Times and results of the exact values for the classic rules.
//!
//! `cargo run --release -p meeple-incan-gold --example exact_times`
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // an edge: it times and prints

use std::time::Instant;

use meeple_core::NoHost;
use meeple_incan_gold::exact::{Horizon, Rules, Strategy, optimal, solo, solo_rounds, tool, versus};

fn main() {
    let rules = Rules::classic();
    let start = Instant::now();
    let means: Vec<f64> =
        (1..=26).map(|turn| solo(&rules, Strategy::Turn(turn)).expect("in range").mean()).collect();
    println!("solo turn:1..26      {:.3} s  turn:7 = {:.4}", start.elapsed().as_secs_f64(), means[6]);
    println!("turn:1 by round      {:.4?}", solo_rounds(&rules, Strategy::Turn(1)).expect("in range"));

    let start = Instant::now();
    let best = (1..=100)
        .step_by(3)
        .map(|gems| (gems, solo(&rules, Strategy::Backpack(gems)).expect("in range").mean()))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    println!("solo backpack:1..100+3  {:.3} s  best {:.4?}", start.elapsed().as_secs_f64(), best);

    let start = Instant::now();
    let best = (1..=20)
        .map(|step| f64::from(step) / 20.0)
        .map(|p| (p, solo(&rules, Strategy::Random(p)).expect("in range").mean()))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    println!("solo random:0.05..1+0.05  {:.3} s  best {:.4?}", start.elapsed().as_secs_f64(), best);

    for horizon in [Horizon::Game, Horizon::Round] {
        let start = Instant::now();
        let best = optimal(&rules, horizon).expect("in range");
        println!(
            "optimal {horizon:?}  {:.3} s  mean {:.4}",
            start.elapsed().as_secs_f64(),
            best.score.mean()
        );
    }

    let start = Instant::now();
    let mut grid = Vec::new();
    for a in 1..=15 {
        for b in a..=15 {
            grid.push(versus(&rules, [a, b]).expect("in range"));
        }
    }
    println!(
        "versus turn:1..15 turn:1..15 (half)  {:.3} s, {} cells",
        start.elapsed().as_secs_f64(),
        grid.len()
    );
    println!("turn:6 against turn:8  {:?}", versus(&rules, [6, 8]).expect("in range"));

    let start = Instant::now();
    let output =
        tool::run(&rules, &["equilibrium".to_owned()], &mut |_| {}, &NoHost).expect("it is not too large");
    println!("equilibrium  {:.1} s  {}", start.elapsed().as_secs_f64(), output.json["rows"][0]);
}
