//! Playouts do not allocate once they are warm. The test has its own binary, because the counting crate
//! brings its own allocator.

use std::sync::Arc;

use meeple_carcassonne::{Carcassonne, Variant};
use meeple_core::{AgentSpec, Defined as _, Game, Params, Playouts, Preset, Seating, build_agents};
use meeple_testkit::keys_allocate_nothing;

fn game(preset: &Preset, seats: usize) -> Carcassonne {
    let mut variant = Variant::default();
    for (name, value) in preset.set {
        variant.set(name, value).unwrap();
    }
    Carcassonne::new(variant, seats).unwrap()
}

#[test]
fn playouts_do_not_allocate() {
    for preset in Carcassonne::definition().info.presets {
        for (seats, agent) in [(2, "random"), (4, "random"), (2, "greedy"), (2, "builder")] {
            let game = game(preset, seats);
            let mut known = Carcassonne::definition().agents;
            known.extend(meeple_agents::general());
            let agents = build_agents(&game, &known, &vec![AgentSpec::parse(agent); seats]).unwrap();
            let mut playouts = Playouts::new(&game, agents);
            // Lists grow to the largest number of legal actions; the same games are played twice.
            let mut play =
                || (0..4).map(|index| playouts.play(1, Seating::Rotate, index).decisions).sum::<u64>();
            let warm = play();
            let mut decisions = 0;
            let measured = allocation_counter::measure(|| decisions = play());
            assert_eq!(warm, decisions);
            assert_eq!(measured.count_total, 0, "{} {seats} {agent}", preset.name);
        }
    }
}

#[test]
fn information_keys_do_not_allocate() {
    let allocations = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    for preset in Carcassonne::definition().info.presets {
        let decisions = keys_allocate_nothing(Arc::new(game(preset, 3)), usize::MAX, allocations);
        assert!(decisions > 30, "{}", preset.name);
    }
}

#[test]
fn states_are_small() {
    let size = size_of::<<Carcassonne as Game>::State>();
    assert!(size <= 32 * 1024, "a state takes {size} bytes");
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    for preset in Carcassonne::definition().info.presets {
        let name = preset.name;
        meeple_testkit::encodings::at_every_step(game(preset, 3), 1, |write| {
            assert_eq!(allocation_counter::measure(write).count_total, 0, "{name}");
            moments += 1;
        });
    }
    assert!(moments > 100);
}
