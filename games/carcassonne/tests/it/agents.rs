//! Agents play legally, and their strengths are in order.

use crate::support::game;
use meeple_carcassonne::Carcassonne;
use meeple_core::{AgentSpec, Defined as _, Playouts, Seat, Seating, build_agents};

/// Plays episodes, and returns per episode the first player's share of the win and all scores by seat.
fn play(preset: &str, line_up: &[&str], episodes: u64) -> Vec<(f64, Vec<i64>)> {
    let game = game(preset, &[], line_up.len());
    let mut known = Carcassonne::definition().agents;
    known.extend(meeple_agents::general());
    let specs: Vec<AgentSpec> = line_up.iter().map(|spec| AgentSpec::parse(spec)).collect();
    let mut playouts = Playouts::new(&*game, build_agents(&*game, &known, &specs).unwrap());
    let mut results = Vec::new();
    for index in 0..episodes {
        let report = playouts.play(11, Seating::Rotate, index);
        let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
        results.push((report.outcome.win_share(Seat::new(seat)), report.outcome.scores.clone()));
    }
    results
}

/// Mean win share of the first player.
fn share(preset: &str, line_up: &[&str], episodes: u64) -> f64 {
    play(preset, line_up, episodes).iter().map(|(share, _)| share).sum::<f64>() / episodes as f64
}

#[test]
fn greedy_beats_random() {
    assert!(share("classic", &["greedy", "random"], 10) > 0.9);
}

#[test]
fn builder_beats_greedy_at_two_and_four_on_every_level() {
    // Measured over 2,000 games: 0.79 to 0.99 at tables of two, 0.43 to 0.71 at tables of four, where a
    // quarter is even.
    for (preset, two, four) in
        [("river", 0.6, 0.27), ("farms", 0.75, 0.4), ("towers", 0.8, 0.4), ("classic", 0.8, 0.35)]
    {
        let share_of_two = share(preset, &["builder", "greedy"], 24);
        assert!(share_of_two > two, "{preset}: {share_of_two}");
        let share_of_four = share(preset, &["builder", "greedy", "greedy", "greedy"], 48);
        assert!(share_of_four > four, "{preset}: {share_of_four}");
    }
}

#[test]
fn a_quick_builder_looks_at_what_matters() {
    // Measured over 400 games: a win share of 0.41 in `classic`. A builder that tries six random actions has
    // 0.01.
    for preset in ["classic", "towers"] {
        let quick = share(preset, &["quick-builder", "builder"], 120);
        assert!(quick > 0.25 && quick < 0.55, "{preset}: {quick}");
    }
}

#[test]
fn a_quick_builder_that_tries_everything_is_the_builder() {
    for preset in ["classic", "farms", "towers"] {
        let quick = play(preset, &["quick-builder:looks=1000", "greedy"], 12);
        assert_eq!(quick, play(preset, &["builder", "greedy"], 12), "{preset}");
    }
}
