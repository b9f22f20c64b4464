//! Playouts do not allocate after warm-up. The test has its own binary, because the counting crate brings its
//! own allocator.

use std::sync::Arc;

use meeple_core::{AgentSpec, Defined as _, Playouts, Seating, build_agents};
use meeple_game17::{Game17, Variant};
use meeple_testkit::keys_allocate_nothing;

#[test]
fn playouts_do_not_allocate_after_warm_up() {
    let variant = Variant::default();
    let seats = (Game17::definition().seats_for)(&variant, 0);
    let game = Game17::new(variant, seats).unwrap();
    let mut line_up: Vec<AgentSpec> = ["t800", "hunter", "still"].map(AgentSpec::parse).to_vec();
    line_up.resize(seats, AgentSpec::parse("zombie"));
    let mut playouts =
        Playouts::new(&game, build_agents(&game, &Game17::definition().agents, &line_up).unwrap());
    // Every seat has had a turn.
    for index in 0..20 {
        playouts.play(1, Seating::Fixed, index);
    }
    let mut decisions = 0;
    let measured = allocation_counter::measure(|| {
        for index in 20..60 {
            decisions += playouts.play(1, Seating::Fixed, index).decisions;
        }
    });
    assert!(decisions > 10_000);
    assert_eq!(measured.count_total, 0, "in {decisions} decisions");
}

#[test]
fn information_keys_do_not_allocate() {
    let allocations = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    let seats = (Game17::definition().seats_for)(&Variant::default(), 0);
    let game = Arc::new(Game17::new(Variant::default(), seats).unwrap());
    assert_eq!(keys_allocate_nothing(game, 200, allocations), 200);
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    let variant = Variant { size: 5, rounds: 4, ..Variant::default() };
    meeple_testkit::encodings::at_every_step(Game17::new(variant, 25).unwrap(), 1, |write| {
        assert_eq!(allocation_counter::measure(write).count_total, 0);
        moments += 1;
    });
    assert!(moments > 100);
}
