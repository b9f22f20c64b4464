//! Episodes that share their deal: the deal group is the unit of intervals.

use meeple_core::Seating;
use meeple_lab::{Existing, Results, Simulation};

use crate::results::{assert_same, write};
use crate::{Scratch, play, set_up, simulation};

fn deals(simulation: Simulation<'_>, seed: u64) -> Simulation<'_> {
    Simulation { seating: Seating::DealGroups, seed, threads: 1, ..simulation }
}

fn holds(interval: [f64; 2], truth: f64) -> bool {
    interval[0] <= truth && truth <= interval[1]
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    // One round with one die, seen by all. The agent that takes from 4 on scores 4 on average, those that
    // take from 2 on score 23/6. At a die of 2 the first agent wins alone; else all share the first place.
    let alone = set_up("rounds=1", "at-least:4 at-least:2 at-least:2 at-least:2");
    let pair = set_up("rounds=1", "at-least:4 at-least:2*3");
    let mut covered = [0; 9];
    for seed in 0..200 {
        let run = play(&deals(simulation(&alone, 600), seed));
        let (agent, seat) = (&run.summary.agents[0].results, &run.summary.seats[1].results);
        let several = play(&deals(simulation(&pair, 600), seed));
        let three = &several.summary.agents[1];
        let seat_mean = (4.0 + 3.0 * 23.0 / 6.0) / 4.0;
        let at_seat = three.by_seat[2].visits.mean_score_ci.unwrap();
        let checks = [
            holds(agent.mean_score_ci.unwrap(), 4.0),
            holds(agent.win_share_ci, 1.0 / 6.0 + 5.0 / 24.0),
            holds(agent.win_ci, 1.0 / 6.0),
            holds(agent.draw_ci, 5.0 / 6.0),
            holds(seat.mean_score_ci.unwrap(), seat_mean),
            holds(seat.loss_ci, 1.0 / 8.0),
            holds(three.results.mean_score_ci.unwrap(), 23.0 / 6.0),
            holds(three.results.loss_ci, 1.0 / 6.0),
            holds(at_seat, 23.0 / 6.0),
        ];
        covered.iter_mut().zip(checks).for_each(|(count, holds)| *count += u32::from(holds));
    }
    assert!(covered.iter().all(|count| (180..=198).contains(count)), "of 200: {covered:?}");
}

#[test]
fn few_groups_have_wide_intervals() {
    // The units are five groups of four episodes. With so few, intervals by the normal quantile would cover
    // only 88 %.
    let table = set_up("rounds=4", "at-least:4 at-least:2 at-least:3 coin");
    let mut covered = [0; 3];
    for seed in 0..400 {
        let summary = play(&deals(simulation(&table, 20), seed)).summary;
        let mean = |agent: usize| summary.agents[agent].results.mean_score_ci.unwrap();
        let checks = [holds(mean(0), 16.0), holds(mean(1), 46.0 / 3.0), holds(mean(3), 13.0)];
        covered.iter_mut().zip(checks).for_each(|(count, holds)| *count += u32::from(holds));
    }
    assert!(covered.iter().all(|count| (368..=396).contains(count)), "of 400: {covered:?}");
    // Two groups that happen to be alike do not make an interval narrow.
    let table = set_up("rounds=1 sides=2", "at-least:2 at-least:3");
    let run = play(&deals(simulation(&table, 4), 1));
    let results = &run.summary.agents[0].results;
    for interval in [results.win_ci, results.draw_ci, results.loss_ci, results.win_share_ci] {
        assert!(interval[1] - interval[0] > 0.3, "{results:?}");
    }
}

#[test]
fn a_group_of_equal_episodes_is_worth_one_episode() {
    // All agents see the same die and none decides by chance, so all episodes of a group are the same.
    let table = set_up("rounds=1", "at-least:4 at-least:2");
    let grouped = play(&deals(simulation(&table, 2_000), 5));
    let single = play(&Simulation { seed: 5, ..simulation(&table, 1_000) });
    let (left, right) = (&grouped.summary.agents[0].results, &single.summary.agents[0].results);
    assert_eq!((left.episodes, left.wins, left.draws), (2_000, 2 * right.wins, 2 * right.draws));
    let close = |left: [f64; 2], right: [f64; 2]| {
        assert!(
            left.iter().zip(right).all(|(left, right)| (left - right).abs() < 1e-3),
            "{left:?} {right:?}"
        );
    };
    close(left.mean_score_ci.unwrap(), right.mean_score_ci.unwrap());
    close(left.win_share_ci, right.win_share_ci);
    close(left.win_ci, right.win_ci);
    close(left.draw_ci, right.draw_ci);
    // Fewer than two groups say nothing about the spread between groups.
    let short: Vec<Results> = [1, 2, 3]
        .map(|episodes| play(&deals(simulation(&table, episodes), 5)).summary.agents[0].results.clone())
        .into();
    assert!(short.iter().all(|results| results.mean_score_ci.is_none()), "{short:?}");
    assert!(short.iter().all(|results| results.win_ci[1] - results.win_ci[0] > 0.7), "{short:?}");
}

#[test]
fn groups_are_whole_across_threads_and_continuations() {
    let scratch = Scratch::new();
    let table = set_up("drawn=on", "at-least:4 mixed:5,0.3 coin*2");
    let mut whole = deals(simulation(&table, 1_003), 9);
    write(&whole, &scratch.path("whole"), Existing::Refuse).unwrap();
    let text = std::fs::read_to_string(scratch.path("whole/summary.json")).unwrap();
    assert!(text.contains("\"seating\": \"deals\""), "as the flag has it");
    whole.threads = 3;
    for episodes in [2, 333, 1_003] {
        let part = Simulation { episodes, ..whole.clone() };
        write(&part, &scratch.path("part"), Existing::Resume).unwrap();
    }
    assert_same(&scratch.path("whole"), &scratch.path("part"));
}
