//! Playouts do not allocate once they are warm. The test has its own binary, because the counting crate
//! brings its own allocator.

use std::sync::Arc;

use meeple_cartolan::{Cartolan, Variant};
use meeple_core::{AgentSpec, Defined as _, Game, Params, Playouts, Seating, build_agents};
use meeple_testkit::keys_allocate_nothing;

fn game(preset: &str, profile: &str, seats: usize) -> Cartolan {
    let mut variant = Variant::default();
    let preset = Cartolan::definition().info.presets.iter().find(|known| known.name == preset).unwrap();
    let profile = Cartolan::definition().info.profiles.iter().find(|known| known.name == profile).unwrap();
    for (name, value) in preset.set.iter().chain(profile.set) {
        variant.set(name, value).unwrap();
    }
    Cartolan::new(variant, seats).unwrap()
}

fn check(preset: &str, profile: &str, agents: &[&str]) {
    let game = game(preset, profile, agents.len());
    let specs: Vec<AgentSpec> = agents.iter().map(|name| AgentSpec::parse(name)).collect();
    let built = build_agents(&game, &Cartolan::definition().agents, &specs).unwrap();
    let mut playouts = Playouts::new(&game, built);
    // Lists grow to their largest size; the same games are played twice.
    let mut play = || (0..12).map(|index| playouts.play(1, Seating::Rotate, index).decisions).sum::<u64>();
    let warm = play();
    let mut decisions = 0;
    let measured = allocation_counter::measure(|| decisions = play());
    assert_eq!(warm, decisions);
    assert_eq!(measured.count_total, 0, "{preset} {profile} {agents:?}");
}

#[test]
fn playouts_do_not_allocate() {
    let october = ["explorer-oct", "trader-oct", "router-oct", "pirate-oct"];
    let guide = ["explorer", "trader", "router", "pirate"];
    for preset in ["beginner", "regular", "advanced"] {
        check(preset, "oct-2020", &october);
        check(preset, "guide", &guide);
        check(preset, "guide", &["merchant", "trader", "merchant"]);
    }
}

#[test]
fn states_are_small() {
    let size = size_of::<<Cartolan as Game>::State>();
    assert!(size <= 24 * 1024, "a state takes {size} bytes");
}

#[test]
fn information_keys_do_not_allocate() {
    let allocations = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    for preset in ["regular", "beginner", "advanced"] {
        let game = Arc::new(game(preset, "guide", 3));
        assert!(keys_allocate_nothing(game, usize::MAX, allocations) > 100, "{preset}");
    }
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    for preset in ["regular", "beginner", "advanced"] {
        meeple_testkit::encodings::at_every_step(game(preset, "guide", 3), 1, |write| {
            assert_eq!(allocation_counter::measure(write).count_total, 0, "{preset}");
            moments += 1;
        });
    }
    assert!(moments > 100);
}
