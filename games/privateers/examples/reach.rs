//! Times the reach computation: `cargo run --release -p meeple-privateers --example reach`.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::Instant;

use meeple_privateers::{Cell, Class, Privateers, Reach, Variant, Wind};

fn main() {
    let variant = Variant { map: "archipelago".into(), ..Variant::default() };
    let game = Privateers::new(variant, 2).expect("a game");
    let cells: Vec<Cell> = game.map().cells().collect();
    let mut reach = Reach::default();
    for power in 1..=6u8 {
        let costs = game.costs(Class::Frigate, Wind::North);
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let start = Instant::now();
            for _ in 0..20 {
                for cell in &cells {
                    reach.find(game.map(), *cell, costs, 2 * power, 12);
                    black_box(&reach);
                }
            }
            best = best.min(start.elapsed().as_nanos() as f64 / (20 * cells.len()) as f64);
        }
        println!("power {power}: {best:.0} ns");
    }
}
