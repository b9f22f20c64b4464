//! Long checks: `cargo run --release -p meeple-privateers --example generated_maps -- [MAPS] [FIGHTS]`. It
//! checks the laws on the built-in maps and on MAPS generated ones (default 200; impossible wishes do not
//! count). Then it plays FIGHTS fights (default 10^6) for each exact probability.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use meeple_core::{Game, NoEvents, Params, Seat, Stream, Viewer};
use meeple_privateers::fight::Fighter;
use meeple_privateers::{
    Action, BUILT_IN, Cell, Chance, Class, Privateers, Setup, ShipSetup, Stage, Variant, Wind, Wish, generate,
};
use meeple_testkit::Laws;

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let maps = arguments.first().copied().unwrap_or(200);
    let fights = arguments.get(1).copied().unwrap_or(1_000_000);
    for (name, _) in BUILT_IN {
        for mode in ["infinite", "survival"] {
            hold_laws(name, mode, 4, 60);
        }
        println!("laws hold on {name}");
    }
    let mut rng = Stream::from_seed(1);
    let (mut held, mut seed) = (0, 0);
    // Some wishes are impossible, such as many ports on a small sea. Then another map is generated instead.
    while held < maps {
        assert!(seed < 4 * maps, "{held} maps in {seed} attempts");
        let wish = Wish {
            width: 8 + rng.index(57),
            height: 8 + rng.index(57),
            ports: 2 + rng.index(7),
            land: 10 + rng.index(30),
        };
        match generate(seed, &wish) {
            Ok(map) => {
                let mode = if held % 2 == 0 { "infinite" } else { "survival" };
                hold_laws(&map.to_string(), mode, 2 + rng.index(7), 6);
                held += 1;
            }
            Err(error) => println!("seed {seed}, {wish:?}: {error}"),
        }
        seed += 1;
    }
    println!("laws hold on {held} generated maps; {} wishes could not be granted", seed - held);
    check_fights(fights);
}

fn hold_laws(map: &str, mode: &str, seats: usize, rounds: u32) {
    let mut variant = Variant::default();
    variant.set("map", map).expect("a map");
    variant.set("mode", mode).expect("a mode");
    variant.max_rounds = rounds;
    let game = Privateers::new(variant, seats).expect("a game");
    Laws::new(game).episodes(1).positions(8).agent_episodes(0).check();
}

fn check_fights(fights: u64) {
    let game = Privateers::new(Variant::default(), 2).expect("the usual game");
    let mut rng = Stream::from_seed(2);
    for (a, x, b, y, distance, _) in EXACT {
        let share = share_won(&game, (a, x), (b, y), distance, fights, &mut rng);
        let exact = game.win_probability(Fighter::new(a, x), Fighter::new(b, y), distance);
        let error = (exact * (1.0 - exact) / fights as f64).sqrt();
        let off = (share - exact) / error;
        println!(
            "{a} {x} against {b} {y} at {distance}: exact {exact:.6}, played {share:.6}, {off:+.2} errors"
        );
        assert!(off.abs() < 4.0);
    }
}

include!("shared/fights.rs");
