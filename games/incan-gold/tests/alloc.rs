//! Playouts do not allocate after warm-up. Alone in its binary, because the counting crate brings its own
//! allocator.

use meeple_core::{AgentSpec, Game, Playable, Playouts, Seating, build_agents};
use meeple_incan_gold::{IncanGold, Variant};

#[test]
fn playouts_do_not_allocate_after_warm_up() {
    let line_up =
        ["turn:7", "backpack:20", "random:0.2", "hazards:2", "collector", "lookahead"].map(AgentSpec::parse);
    let game = IncanGold::new(Variant::default(), line_up.len()).unwrap();
    let agents = build_agents(&game, &IncanGold::agents(), &line_up).unwrap();
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
