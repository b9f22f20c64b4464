//! Each option of the search finds what is known, and does what it says.

use meeple_core::{Budget, Game, NoHints, Seat, Viewer};
use meeple_search::{MctsParams, Search, Selection, Start, Tally};
use meeple_testkit::toys::{Goofspiel, Lines, Matrix, MatrixVariant, Nim, NimVariant, Pig, Take};

use crate::support::{agent, decide, shares};

/// Options, each alone and some together; all of them must find the only winning move of Nim.
const OPTIONS: [&str; 14] = [
    "tree=multi",
    "tree=self,rollout=hints,epsilon=0.2",
    "select=puct,c=1.5",
    "select=rm",
    "rescale=on",
    "mast=0.6",
    "value=hints,depth=2",
    "prior=0.5,widening=1",
    "halving=3",
    "halving=9,prior=0.5",
    "outcomes=6",
    "common=on",
    "reuse=on",
    "trees=3,halving=3,common=on,rescale=on,prior=0.2,value=hints,depth=3,rollout=hints",
];

#[test]
fn every_option_finds_the_winning_move() {
    for sticks in [5, 6, 7, 9, 10, 11] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        // Who knows only its own decisions cannot answer those of others.
        for options in OPTIONS.iter().filter(|options| **options != "tree=multi") {
            let spec = format!("mcts:iterations=3000,margin=0,{options}");
            let mut agent = agent(&nim, &spec);
            for seed in 0..3 {
                let state = nim.initial_state();
                let (action, _) = decide(&nim, &mut *agent, &state, Seat::new(0), seed, Budget::Own);
                assert_eq!(action, Take(sticks % 4), "{sticks} sticks, {spec}");
            }
        }
    }
}

/// Nobody who plays tic-tac-toe so loses it to random play.
#[test]
fn every_option_plays_tic_tac_toe() {
    for options in OPTIONS {
        let lines = Lines::new(Default::default(), 2).unwrap();
        let shares = shares(lines, &[&format!("mcts:iterations=400,{options}"), "random"], 20);
        assert!(shares.iter().sum::<f64>() >= 17.0, "{options}: {shares:?}");
    }
}

/// A tree that is full before anything was tried somewhere, wherever that is.
#[test]
fn every_option_plays_on_with_a_full_tree() {
    for entries in 1..=9 {
        for options in OPTIONS {
            let spec = format!("mcts:iterations=60,entries={entries},{options}");
            let bids = Goofspiel::new(Default::default(), 2).unwrap();
            shares(bids, &[&spec, "random"], 2);
            let lines = Lines::new(Default::default(), 2).unwrap();
            shares(lines, &[&spec, "random"], 2);
        }
    }
}

/// The same decision again, whatever was decided in between.
#[test]
fn every_option_is_a_function_of_the_decision() {
    let pig = Pig::new(Default::default(), 3).unwrap();
    let seat = Seat::new(0);
    let mut late = pig.initial_state();
    late.turn_points = 11;
    for options in OPTIONS.iter().filter(|options| !options.contains("reuse")) {
        let spec = format!("mcts:iterations=200,{options}");
        let (mut one, mut other) = (agent(&pig, &spec), agent(&pig, &spec));
        let first = decide(&pig, &mut *one, &pig.initial_state(), seat, 5, Budget::Own);
        decide(&pig, &mut *other, &late, seat, 6, Budget::Own);
        assert_eq!(decide(&pig, &mut *other, &pig.initial_state(), seat, 5, Budget::Own), first, "{options}");
    }
}

/// With a prior, the first look goes to what the hints say.
#[test]
fn the_most_promising_action_is_tried_first() {
    let nim = Nim::new(NimVariant { sticks: 35, most: 9 }, 2).unwrap();
    let mut agent = agent(&nim, "mcts:iterations=1,prior=1,rollout=any");
    for seed in 0..5 {
        let found = decide(&nim, &mut *agent, &nim.initial_state(), Seat::new(0), seed, Budget::Own);
        assert_eq!(found.0, Take(35 % 10));
    }
    // Where nothing is known of them, it is any.
    let mut agent = crate::support::agent(&nim, "mcts:iterations=1");
    let mut decisions = (0..20)
        .map(|seed| decide(&nim, &mut *agent, &nim.initial_state(), Seat::new(0), seed, Budget::Own).0);
    let first = decisions.next().unwrap();
    assert!(decisions.any(|action| action != first));
}

/// Widening lets through only so many actions, halving only so many candidates.
#[test]
fn few_actions_are_tried_where_few_are_allowed() {
    let nim = Nim::new(NimVariant { sticks: 30, most: 9 }, 2).unwrap();
    let tried = |options: &str| {
        let mut agent = agent(&nim, &format!("mcts:iterations=100,{options}"));
        decide(&nim, &mut *agent, &nim.initial_state(), Seat::new(0), 1, Budget::Own).1.actions
    };
    assert_eq!(tried("prior=1").len(), 9);
    assert_eq!(tried("prior=1,widening=0.5").len(), 5);
    let halved = tried("prior=1,halving=4");
    assert_eq!(halved.len(), 4);
    // Two rounds: 99 / (2 * 4) each, then 99 / (2 * 2) more for each of two, and what is left for the better one.
    let mut visits: Vec<u64> = halved.iter().map(|tried| tried.visits).collect();
    visits.sort_unstable();
    assert_eq!(visits, [12, 12, 36, 40]);
}

/// In Pig chance comes between any two decisions of a seat, so nothing is kept for the next.
#[test]
fn nothing_is_kept_where_chance_comes_between() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let seat = Seat::new(0);
    let mut searcher = agent(&pig, "mcts:iterations=500,reuse=on");
    let first = decide(&pig, &mut *searcher, &pig.initial_state(), seat, 1, Budget::Own);
    let second = decide(&pig, &mut *searcher, &pig.initial_state(), seat, 1, Budget::Own);
    assert_eq!(first, second);
}

/// The average strategy of the first seat, after so many iterations of regret matching.
fn mixed(rows: u8, columns: u8, gains: &[i64], iterations: u32) -> Vec<f64> {
    let variant = MatrixVariant { rows, columns, gains: gains.to_vec() };
    let game = Matrix::new(variant, 2).unwrap();
    let state = game.initial_state();
    let seat = Seat::new(0);
    let params = MctsParams { select: Selection::Regret, margin: 0.0, ..MctsParams::default() };
    let mut search = Search::new(&game, params, &[], Box::new(NoHints)).unwrap();
    let observation = game.observe(&state, Viewer::Seat(seat));
    search.begin(&game, &observation, Start { seat, seed: 3, tree: 0, iterations });
    (0..iterations).for_each(|_| search.iterate(&game, &observation));
    let mut tally = Tally::default();
    search.count(&mut tally);
    tally.strategy().map(|(_, share)| share).collect()
}

/// What an opponent of this mixture gains above the value, if it answers as well as can be; wins count 1, losses -1.
fn exploitability(mixture: &[f64], columns: usize, gains: &[i64], value: f64) -> f64 {
    let against = |column: usize| -> f64 {
        mixture
            .iter()
            .enumerate()
            .map(|(row, share)| share * gains[row * columns + column].signum() as f64)
            .sum()
    };
    value - (0..columns).map(against).fold(f64::INFINITY, f64::min)
}

/// Where the best strategy is a mixture, regret matching comes near it.
#[test]
fn regret_matching_comes_near_equilibria() {
    for (name, rows, columns, gains, value) in [
        ("matching pennies", 2, 2, &[1, -1, -1, 1][..], 0.0),
        ("rock, paper, scissors", 3, 3, &[0, -1, 1, 1, 0, -1, -1, 1, 0], 0.0),
        // The first row in a third of the games.
        ("a draw in the corner", 2, 2, &[1, -1, -1, 0], -1.0 / 3.0),
    ] {
        let mixture = mixed(rows, columns, gains, 10_000);
        let lost = exploitability(&mixture, columns.into(), gains, value);
        assert!((-1e-9..0.05).contains(&lost), "{name}: {mixture:?} loses {lost}");
    }
}
