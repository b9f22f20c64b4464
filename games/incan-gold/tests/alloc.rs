//! Playouts do not allocate after warm-up. The test has its own binary, because the counting crate brings its
//! own allocator.

use std::sync::Arc;

use meeple_core::{AgentSpec, Defined as _, Params, Playouts, Preset, Seating, build_agents};
use meeple_incan_gold::{IncanGold, Variant};
use meeple_testkit::keys_allocate_nothing;

fn game(preset: &Preset, seats: usize) -> IncanGold {
    let mut variant = Variant::default();
    for (name, value) in preset.set {
        variant.set(name, value).unwrap();
    }
    IncanGold::new(variant, seats).unwrap()
}

#[test]
fn playouts_do_not_allocate_after_warm_up() {
    let line_up =
        ["turn:7", "backpack:20", "random:0.2", "hazards:2", "collector", "lookahead"].map(AgentSpec::parse);
    let game = IncanGold::new(Variant::default(), line_up.len()).unwrap();
    let agents = build_agents(&game, &IncanGold::definition().agents, &line_up).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups] {
        for index in 0..20 {
            playouts.play(1, seating, index);
        }
        let mut decisions = 0;
        let measured = allocation_counter::measure(|| {
            for index in 20..520 {
                decisions += playouts.play(1, seating, index).decisions;
            }
        });
        assert!(decisions > 10_000);
        assert_eq!(measured.count_total, 0, "{seating:?}: in {decisions} decisions");
    }
}

#[test]
fn information_keys_do_not_allocate() {
    let allocations = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    for preset in IncanGold::definition().info.presets {
        let decisions = keys_allocate_nothing(Arc::new(game(preset, 3)), usize::MAX, allocations);
        assert!(decisions > 0, "{}", preset.name);
    }
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    for preset in IncanGold::definition().info.presets {
        let name = preset.name;
        meeple_testkit::encodings::at_every_step(game(preset, 3), 1, |write| {
            assert_eq!(allocation_counter::measure(write).count_total, 0, "{name}");
            moments += 1;
        });
    }
    assert!(moments > 100);
}
