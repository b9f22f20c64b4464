//! Tests of every option of the search, in positions of known values.

use meeple_core::{AgentSpec, Budget, Game, NoEvents, Seat, build_agents};
use meeple_testkit::toys::{Goofspiel, Hands, Lines, LinesVariant, Nim, NimVariant, Pig, Take};

use crate::support::{agent, decide, known, shares};

/// Settings under test; all but `tree=multi` find the only winning move of Nim.
const OPTIONS: [&str; 17] = [
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
    "transpositions=on",
    "transpositions=on,select=rm,reuse=on",
    "solver=off",
    "trees=3,halving=3,common=on,rescale=on,prior=0.2,value=hints,depth=3,rollout=hints",
];

#[test]
fn every_option_finds_the_winning_move() {
    for sticks in [5, 6, 7, 9, 10, 11] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        // A tree of own decisions cannot answer those of others.
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

#[test]
fn every_option_plays_tic_tac_toe() {
    for options in OPTIONS {
        let lines = Lines::new(Default::default(), 2).unwrap();
        let shares = shares(lines, &[&format!("mcts:iterations=400,{options}"), "random"], 20);
        assert!(shares.iter().sum::<f64>() >= 17.0, "{options}: {shares:?}");
    }
}

/// The tree may be full anywhere: every action is legal (playouts assert it), and the agent beats random
/// play. With room for all actions of the root it takes the win.
#[test]
fn every_option_plays_on_with_a_full_tree() {
    let (mut won, mut played) = (0.0, 0.0);
    for entries in 1..=9 {
        for options in OPTIONS {
            let spec = format!("mcts:iterations=60,entries={entries},{options}");
            let bids = Goofspiel::new(Default::default(), 2).unwrap();
            let lines = Lines::new(Default::default(), 2).unwrap();
            let shares = [shares(bids, &[&spec, "random"], 2), shares(lines, &[&spec, "random"], 2)].concat();
            won += shares.iter().sum::<f64>();
            played += shares.len() as f64;
            // Regret matching draws from a mixture; here a single seat decides.
            if entries >= 3 {
                let nim = Nim::new(NimVariant { sticks: 3, most: 3 }, 2).unwrap();
                let (state, seat) = (nim.initial_state(), Seat::new(0));
                let (action, _) = decide(&nim, &mut *agent(&nim, &spec), &state, seat, 1, Budget::Own);
                assert_eq!(action, Take(3), "{spec}");
            }
        }
    }
    assert!(won / played > 0.6, "{won} of {played}");
}

/// Four in a row on five by five, two marks a turn. Reusing the tree for the second mark is not worse than a
/// new search, by 200 games and two standard errors.
#[test]
fn what_is_kept_is_as_good_as_a_new_look() {
    let lines = || {
        let variant = LinesVariant { width: 5, height: 5, row: 4, marks: 2, ..Default::default() };
        Lines::new(variant, 2).unwrap()
    };
    let found = shares(lines(), &["mcts:iterations=200,reuse=on", "mcts:iterations=200"], 200);
    let mean = found.iter().sum::<f64>() / 200.0;
    let least = 0.5 - 1.96 * 0.5 / 200f64.sqrt();
    assert!(mean >= least, "{mean}, expected at least {least}");
    // The reused tree gives other visits than a new one.
    let game = lines();
    let seat = Seat::new(0);
    let second = |reuse: &str| {
        let mut searcher = agent(&game, &format!("mcts:iterations=200,reuse={reuse}"));
        let mut state = game.initial_state();
        let (first, _) = decide(&game, &mut *searcher, &state, seat, 1, Budget::Own);
        game.apply(&mut state, seat, &first, &mut NoEvents).unwrap();
        let (_, analysis) = decide(&game, &mut *searcher, &state, seat, 1, Budget::Own);
        (first, analysis.iterations, analysis.actions)
    };
    let [kept, fresh] = ["on", "off"].map(second);
    assert_eq!((kept.0, kept.1), (fresh.0, fresh.1));
    assert_ne!(kept.2, fresh.2);
}

/// With hidden information, merged positions would leak it.
#[test]
fn hidden_positions_are_not_merged() {
    let spec = AgentSpec::parse("mcts:transpositions=on");
    let game = Hands::new(Default::default(), 3).unwrap();
    let refused = build_agents(&game, &known(), &[spec]).err().unwrap().to_string();
    assert!(refused.contains("expected a game in which everybody knows the same, found hands"), "{refused}");
}

/// An agent decides the same, whatever it decided before.
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

/// With a prior, the first iteration follows the hints.
#[test]
fn the_most_promising_action_is_tried_first() {
    let nim = Nim::new(NimVariant { sticks: 35, most: 9 }, 2).unwrap();
    let mut agent = agent(&nim, "mcts:iterations=1,prior=1,rollout=any");
    for seed in 0..5 {
        let found = decide(&nim, &mut *agent, &nim.initial_state(), Seat::new(0), seed, Budget::Own);
        assert_eq!(found.0, Take(35 % 10));
    }
    // Without a prior the first action is random.
    let mut agent = crate::support::agent(&nim, "mcts:iterations=1");
    let mut decisions = (0..20)
        .map(|seed| decide(&nim, &mut *agent, &nim.initial_state(), Seat::new(0), seed, Budget::Own).0);
    let first = decisions.next().unwrap();
    assert!(decisions.any(|action| action != first));
}

/// Widening and halving limit the number of tried actions and of candidates.
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
    // There are two rounds: 99 / (2 * 4) visits for each of four, then 99 / (2 * 2) more for each of two. The
    // better one gets the rest.
    let mut visits: Vec<u64> = halved.iter().map(|tried| tried.visits).collect();
    visits.sort_unstable();
    assert_eq!(visits, [12, 12, 36, 40]);
}

/// In Pig chance comes between any two decisions of a seat, so no tree is reused.
#[test]
fn nothing_is_kept_where_chance_comes_between() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let seat = Seat::new(0);
    let mut searcher = agent(&pig, "mcts:iterations=500,reuse=on");
    let first = decide(&pig, &mut *searcher, &pig.initial_state(), seat, 1, Budget::Own);
    let second = decide(&pig, &mut *searcher, &pig.initial_state(), seat, 1, Budget::Own);
    assert_eq!(first, second);
}
