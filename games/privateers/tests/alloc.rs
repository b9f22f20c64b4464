//! Playouts do not allocate after warm-up. Alone in its binary, because the counting crate brings its own
//! allocator.

use std::sync::Arc;

use meeple_core::{
    AgentSpec, Episode, EpisodeSeed, Game, Params, Phase, Playable, Playouts, Seat, Seating, Viewer,
    build_agents,
};
use meeple_privateers::{Privateers, Reach, Variant, Wind};

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
            Playouts::new(&game, build_agents(&game, &Privateers::agents(), &line_up).unwrap());
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
    for mode in ["infinite", "survival"] {
        let mut episode = Episode::new(Arc::new(game(mode, "peninsula", 3)), EpisodeSeed::new(1, 0));
        let seats = [0, 1, 2].map(|seat| Viewer::Seat(Seat::new(seat)));
        let mut keys = 0.0;
        loop {
            episode.settle_chance();
            let measured = allocation_counter::measure(|| {
                for viewer in seats.into_iter().chain([Viewer::Public, Viewer::Everything]) {
                    keys += episode.game().information_key(episode.state(), viewer) as f64;
                }
            });
            assert_eq!(measured.count_total, 0, "{mode}, after {} steps", episode.steps().len());
            let Phase::Decide(seats) = episode.phase() else { break };
            let seat = seats.lowest().unwrap();
            let action = episode.sample_action(seat);
            episode.act(seat, &action).unwrap();
        }
        assert!(keys > 0.0 && episode.steps().len() > 100);
    }
}

#[test]
fn encodings_do_not_allocate() {
    let mut moments = 0;
    for mode in ["infinite", "survival"] {
        meeple_testkit::encodings::at_every_step(game(mode, "pocket", 3), 1, |write| {
            assert_eq!(allocation_counter::measure(write).count_total, 0, "{mode}");
            moments += 1;
        });
    }
    assert!(moments > 100);
}
