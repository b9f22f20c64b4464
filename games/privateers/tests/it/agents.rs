//! Agents play legally, and reproducibly with the same seed.

use meeple_core::{AgentSpec, Defined as _, Episode, EpisodeSeed, Playouts, Seating, build_agents};
use meeple_privateers::Privateers;
use std::sync::Arc;

use crate::bench::game;

fn specs(names: &[&str]) -> Vec<AgentSpec> {
    names.iter().map(|name| AgentSpec::parse(name)).collect()
}

const LINE_UP: [&str; 6] = ["random", "trader", "pirate", "mixed", "coward", "admiral"];

#[test]
fn agents_act_legally_in_checked_episodes() {
    for (map, mode) in [("pocket", "infinite"), ("archipelago", "survival"), ("peninsula", "infinite")] {
        for bulk in ["on", "off"] {
            let game =
                Arc::new(game(6, &[("map", map), ("mode", mode), ("bulk", bulk), ("max_rounds", "60")]));
            let mut agents =
                build_agents(&*game, &Privateers::definition().agents, &specs(&LINE_UP)).unwrap();
            for index in 0..3 {
                let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(2, index));
                episode.finish(&mut agents).unwrap_or_else(|(seat, error)| panic!("seat {seat}: {error}"));
            }
        }
    }
}

#[test]
fn the_tuned_admiral_has_numbers_for_both_modes_and_any_table() {
    for mode in ["infinite", "survival"] {
        for seats in [2, 3] {
            let game = Arc::new(game(seats, &[("mode", mode), ("max_rounds", "40")]));
            let names = vec!["admiral-tuned"; seats];
            let mut agents = build_agents(&*game, &Privateers::definition().agents, &specs(&names)).unwrap();
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(2, 0));
            episode.finish(&mut agents).unwrap_or_else(|(seat, error)| panic!("seat {seat}: {error}"));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_episode() {
    let game = game(6, &[("max_rounds", "60")]);
    let results = |order: &[u64]| {
        let agents = build_agents(&game, &Privateers::definition().agents, &specs(&LINE_UP)).unwrap();
        let mut playouts = Playouts::new(&game, agents);
        let mut scores: Vec<(u64, Vec<i64>)> = Vec::new();
        for index in order {
            let report = playouts.play(9, Seating::Rotate, *index);
            scores.push((*index, report.outcome.scores.clone()));
        }
        scores.sort();
        scores
    };
    assert_eq!(results(&[0, 1, 2, 3]), results(&[3, 1, 0, 2]), "nothing is carried from episode to episode");
}

#[test]
fn figures_fill_their_columns() {
    let game = game(6, &[("max_rounds", "40")]);
    let agents = build_agents(&game, &Privateers::definition().agents, &specs(&LINE_UP)).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let info = Privateers::definition().info;
    let report = playouts.play(9, Seating::Fixed, 0);
    assert_eq!(report.figures.episode_values().len(), info.episode_figures.len());
    assert_eq!(report.figures.seat_values().len(), 6 * info.seat_figures.len());
}

#[test]
fn traders_get_rich() {
    let game = game(2, &[]);
    let agents =
        build_agents(&game, &Privateers::definition().agents, &specs(&["trader", "random"])).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let mut total = 0;
    for index in 0..20 {
        total += playouts.play(1, Seating::Fixed, index).outcome.scores[0];
    }
    assert!(total / 20 > 5000, "{total}");
}

/// Goods count at their lowest price, so they replace most of the money that does not count.
#[test]
fn money_that_does_not_count_is_spent() {
    for agent in ["trader", "mixed", "coward", "admiral", "pirate"] {
        let mean = |money: &str| {
            let game = game(2, &[("value_money", money), ("max_rounds", "70")]);
            let agents =
                build_agents(&game, &Privateers::definition().agents, &specs(&[agent, "random"])).unwrap();
            let mut playouts = Playouts::new(&game, agents);
            let episodes = 20;
            let total: i64 =
                (0..episodes).map(|index| playouts.play(5, Seating::Fixed, index).outcome.scores[0]).sum();
            total / episodes as i64
        };
        let (with, without) = (mean("on"), mean("off"));
        assert!(2 * without > with, "{agent}: {without} $ of {with} $");
    }
}
