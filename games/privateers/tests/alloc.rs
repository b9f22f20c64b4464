//! Playouts do not allocate after warm-up. The test has its own binary, because the counting crate brings its
//! own allocator.

use std::sync::Arc;

use meeple_core::{AgentSpec, Defined as _, Params, Playouts, Seating, build_agents};
use meeple_privateers::{Privateers, Reach, Variant, Wind};
use meeple_testkit::keys_allocate_nothing;

fn game(mode: &str, map: &str, seats: usize) -> Privateers {
    let mut variant = Variant::default();
    variant.set("mode", mode).unwrap();
    variant.set("map", map).unwrap();
    Privateers::new(variant, seats).unwrap()
}

#[test]
fn playouts_do_not_allocate_after_warm_up() {
    for mode in ["infinite", "survival"] {
        let line_up = ["random", "trader", "pirate", "mixed", "coward", "admiral"].map(AgentSpec::parse);
        let game = game(mode, "archipelago", line_up.len());
        let mut playouts =
            Playouts::new(&game, build_agents(&game, &Privateers::definition().agents, &line_up).unwrap());
        for index in 0..30 {
            playouts.play(1, Seating::Rotate, index);
        }
        let mut decisions = 0;
        let measured = allocation_counter::measure(|| {
            for index in 30..42 {
                decisions += playouts.play(1, Seating::Rotate, index).decisions;
            }
        });
        assert!(decisions > 10_000, "{mode}: {decisions}");
        assert_eq!(measured.count_total, 0, "{mode}: in {decisions} decisions");
    }
}

#[test]
fn reach_does_not_allocate() {
    let game = Privateers::new(Variant::default(), 2).unwrap();
    let mut reach = Reach::default();
    let costs = game.costs(meeple_privateers::Class::Frigate, Wind::North);
    let mut cells = 0;
    let measured = allocation_counter::measure(|| {
        reach.find(game.map(), game.map().port_cell(0), costs, 12, 12);
        cells = reach.cells().count();
    });
    assert!(cells > 20);
    assert_eq!(measured.count_total, 0);
}

#[test]
fn information_keys_do_not_allocate() {
    let allocations = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    for mode in ["infinite", "survival"] {
        let game = Arc::new(game(mode, "peninsula", 3));
        assert!(keys_allocate_nothing(game, usize::MAX, allocations) > 100, "{mode}");
    }
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    for mode in ["infinite", "survival"] {
        let game = game(mode, "pocket", 3);
        // The table of distances between ships is computed on first use, once per game.
        game.map().distance(game.map().port_cell(0), game.map().port_cell(1));
        meeple_testkit::encodings::at_every_step(game, 1, |write| {
            assert_eq!(allocation_counter::measure(write).count_total, 0, "{mode}");
            moments += 1;
        });
    }
    assert!(moments > 100);
}
