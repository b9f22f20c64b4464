//! The agents do what their names say.

use meeple_core::{AgentSpec, Defined as _, Playouts, Seat, Seating, build_agents};
use meeple_incan_gold::{IncanGold, Variant};

use crate::table::TestTable;

/// Decision of `spec` as the only explorer, or as one of several, after these cards.
fn decision(spec: &str, seats: usize, cards: &[&str]) -> String {
    let mut table = TestTable::new(seats, &[]);
    let (last, before) = cards.split_last().unwrap();
    for card in before {
        table.turn(card, &"s".repeat(seats));
    }
    table.episode.force_chance(last.parse().unwrap()).unwrap();
    let mut agents =
        build_agents(table.episode.game(), &IncanGold::definition().agents, &[AgentSpec::parse(spec)])
            .unwrap();
    table.episode.ask(Seat::new(0), agents[0].as_mut()).to_string()
}

#[test]
fn thresholds() {
    for (spec, seats, cards, expected) in [
        ("turn:2", 1, &["gem:1"][..], "stay"),
        ("turn:2", 1, &["gem:1", "fire"], "leave"),
        ("turn:1", 3, &["fire"], "leave"),
        ("backpack:8", 1, &["gem:7"], "stay"),
        ("backpack:8", 1, &["gem:7", "gem:1"], "leave"),
        ("backpack:8", 2, &["gem:15"], "stay"),
        ("backpack:0", 1, &["fire"], "leave"),
        ("random:0", 1, &["gem:1"], "stay"),
        ("random:1", 1, &["gem:1"], "leave"),
        ("hazards:2", 1, &["fire", "gem:1"], "stay"),
        ("hazards:2", 1, &["fire", "snake"], "leave"),
        ("collector", 1, &["fire", "artifact"], "leave"),
        ("collector", 2, &["fire", "artifact"], "stay"),
        ("collector:8", 1, &["gem:7"], "stay"),
        ("collector:8", 2, &["gem:17"], "leave"),
        ("never", 1, &["fire", "snake", "rocks", "mummy", "spiders"], "stay"),
    ] {
        assert_eq!(decision(spec, seats, cards), expected, "{spec} with {seats} seats after {cards:?}");
    }
}

#[test]
fn lookahead_compares_one_more_card() {
    // The player has 17 + 15 = 32 gems and has seen one hazard. The deck has 28 cards, two of them deadly.
    // Staying once brings (26 * 32 + (124 - 32) + 5) / 28 = 33.18 > 32, so the player stays.
    assert_eq!(decision("lookahead", 1, &["gem:17", "gem:15", "fire"]), "stay");
    // With 14 more, the player has 46 gems, and the deck has 27 cards, two of them deadly. Staying once
    // brings (25 * 46 + (124 - 46) + 5) / 27 = 45.67 < 46, so the player leaves.
    assert_eq!(decision("lookahead", 1, &["gem:17", "gem:15", "fire", "gem:14"]), "leave");
}

fn solo_mean(spec: &str, episodes: u64) -> f64 {
    let game = IncanGold::new(Variant::default(), 1).unwrap();
    let agents = build_agents(&game, &IncanGold::definition().agents, &[AgentSpec::parse(spec)]).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let sum: i64 =
        (0..episodes).map(|index| playouts.play(11, Seating::Fixed, index).outcome.scores[0]).sum();
    sum as f64 / episodes as f64
}

#[test]
fn one_card_brings_129_in_31_in_round_one() {
    // Five rounds of one card each: the sum of 129/31, 134/32, ... (see the exact values); sd below 10.
    let mean = solo_mean("turn:1", 200_000);
    let exact = 4.1613 + 4.1867 + 4.2098 + 4.2311 + 4.2508;
    assert!((mean - exact).abs() < 4.0 * 10.0 / 200_000f64.sqrt(), "{mean} against {exact}");
}

#[test]
fn never_leaving_brings_nothing() {
    assert_eq!(solo_mean("never", 200), 0.0);
}
