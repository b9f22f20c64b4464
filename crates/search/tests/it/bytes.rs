//! Decisions are equal to the last bit: on any number of threads, after any episode, with any kind of budget.

use std::env;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use meeple_core::{
    ActionValue, Budget, Episode, EpisodeSeed, Game, NoEvents, NoHints, Playouts, Seat, Seating, Viewer,
};
use meeple_search::{MctsParams, RootTally, Search, SearchStart};

use meeple_testkit::toys::{Hands, Lines, LinesVariant, Nim, NimVariant, Pig, Take};

use crate::support::{agent, decide};

const TREES: u32 = 5;
const EACH: u32 = 300;

fn start(seed: u64, tree: u32, iterations: u32) -> SearchStart {
    SearchStart { seat: Seat::new(0), seed, tree, iterations }
}

/// Trees for the same decision, grown on this number of threads and added up.
fn grown(threads: usize) -> Vec<ActionValue<meeple_testkit::toys::Throw>> {
    let pig = Pig::new(Default::default(), 3).unwrap();
    let mut state = pig.initial_state();
    state.turn_points = 7;
    let grow = |number: u32| {
        let mut search = Search::new(&pig, MctsParams::default(), &[], Box::new(NoHints)).unwrap();
        let observation = pig.observe(&state, Viewer::Seat(Seat::new(0)));
        search.begin(&pig, &observation, start(17, number, EACH));
        for _ in 0..EACH {
            search.iterate(&pig, &pig.observe(&state, Viewer::Seat(Seat::new(0))));
        }
        search
    };
    let numbers: Vec<u32> = (0..TREES).collect();
    let searches: Vec<Search<Pig>> = thread::scope(|scope| {
        let share = numbers.len().div_ceil(threads);
        let work = |part: Vec<u32>| scope.spawn(move || part.into_iter().map(grow).collect::<Vec<_>>());
        let running: Vec<_> = numbers.chunks(share).map(|part| work(part.to_vec())).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut tally = RootTally::default();
    searches.iter().for_each(|search| search.count(&mut tally));
    tally.values().collect()
}

#[test]
fn threads_do_not_matter() {
    let alone = grown(1);
    assert_eq!(alone.iter().map(|tried| tried.visits).sum::<u64>(), u64::from(TREES * EACH));
    assert_eq!(grown(2), alone);
    assert_eq!(grown(8), alone);
}

/// The agent equals its trees, added up.
#[test]
fn trees_are_independent() {
    let pig = Pig::new(Default::default(), 3).unwrap();
    let (seat, mut state) = (Seat::new(0), pig.initial_state());
    state.turn_points = 7;
    let seed = EpisodeSeed::new(23, 0).agent(seat).bits();
    let mut tally = RootTally::default();
    for (number, iterations) in [(0, 34), (1, 33), (2, 33)] {
        let mut search = Search::new(&pig, MctsParams::default(), &[], Box::new(NoHints)).unwrap();
        search.begin(&pig, &pig.observe(&state, Viewer::Seat(seat)), start(seed, number, iterations));
        (0..iterations).for_each(|_| search.iterate(&pig, &pig.observe(&state, Viewer::Seat(seat))));
        search.count(&mut tally);
    }
    let mut searcher = agent(&pig, "mcts:iterations=100,trees=3");
    let (action, analysis) = decide(&pig, &mut *searcher, &state, seat, 23, Budget::Own);
    let visits = |tried: &[ActionValue<_>]| -> Vec<_> {
        tried.iter().map(|tried| (tried.action, tried.visits)).collect()
    };
    assert_eq!(tally.best(), Some(&action));
    assert_eq!(visits(&analysis.actions), visits(&tally.values().collect::<Vec<_>>()));
}

/// Trees with equal draws would count the same visits twice.
#[test]
fn trees_draw_apart() {
    let pig = Pig::new(Default::default(), 3).unwrap();
    let state = pig.initial_state();
    let grown = |tree| {
        let mut search = Search::new(&pig, MctsParams::default(), &[], Box::new(NoHints)).unwrap();
        search.begin(&pig, &pig.observe(&state, Viewer::Seat(Seat::new(0))), start(23, tree, EACH));
        (0..EACH).for_each(|_| search.iterate(&pig, &pig.observe(&state, Viewer::Seat(Seat::new(0)))));
        let mut tally = RootTally::default();
        search.count(&mut tally);
        tally.values().collect::<Vec<_>>()
    };
    assert_eq!(grown(0), grown(0));
    assert_ne!(grown(0), grown(1));
}

fn episodes(spec: &str, indices: &[u64]) -> Vec<(u64, Vec<i64>, u64)> {
    let hands = Hands::new(Default::default(), 3).unwrap();
    let agents = (0..3).map(|_| agent(&hands, spec)).collect();
    let mut playouts = Playouts::new(&hands, agents);
    let mut play = |index: &u64| {
        let report = playouts.play(5, Seating::Rotate, *index);
        (*index, report.outcome.scores.clone(), report.decisions)
    };
    let mut played: Vec<_> = indices.iter().map(&mut play).collect();
    played.sort();
    played
}

#[test]
fn what_was_played_before_does_not_matter() {
    for spec in ["mcts:iterations=60", "mcts:iterations=61,trees=3", "mcts:iterations=60,entries=7"] {
        let in_order = episodes(spec, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(episodes(spec, &[5, 3, 1, 0, 2, 4]), in_order, "{spec}");
        let restarted: Vec<_> = (0..6).flat_map(|index| episodes(spec, &[index])).collect();
        assert_eq!(restarted, in_order, "{spec}");
    }
}

/// Decisions in a few episodes of several games, as text.
fn decisions_text() -> String {
    let hands = ["mcts:iterations=60", "mcts:iterations=61,trees=3,mast=0.3", "mcts:iterations=60,select=rm"];
    let hands = hands.map(|spec| episodes(spec, &[0, 1, 2, 3]));
    let pig = Pig::new(Default::default(), 3).unwrap();
    let mut searcher = agent(&pig, "mcts:iterations=500,transpositions=on");
    let (state, seat) = (pig.initial_state(), Seat::new(0));
    let (action, analysis) = decide(&pig, &mut *searcher, &state, seat, 23, Budget::Own);
    let visits = analysis.actions.iter().map(|tried| (tried.visits, tried.value.to_bits()));
    format!("decided {hands:?} {action} {:?} {:?}", visits.collect::<Vec<_>>(), grown(1))
}

/// Name of the test below, which the other process runs.
const ASKED: &str = "bytes::another_process_decides_alike";

/// Runs this program twice, with the same decisions: nothing depends on addresses in memory, or on the random
/// state of a process.
#[test]
#[allow(clippy::disallowed_macros, reason = "the other process is asked by what it prints")]
fn another_process_decides_alike() {
    let own = decisions_text();
    if env::var_os("MEEPLE_ASKED").is_some() {
        println!("{own}");
        return;
    }
    for _ in 0..2 {
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["--exact", ASKED, "--nocapture"]).env("MEEPLE_ASKED", "yes");
        let output = String::from_utf8(again.output().unwrap().stdout).unwrap();
        let decided = output.lines().find_map(|line| line.find("decided ").map(|at| &line[at..]));
        assert_eq!(decided, Some(own.as_str()));
    }
}

#[test]
fn a_budget_is_kept_and_tells_how_to_repeat_it() {
    let nim = Arc::new(Nim::new(NimVariant { sticks: 9, most: 3 }, 2).unwrap());
    for spec in ["mcts:iterations=60", "mcts:iterations=60,trees=4"] {
        let ask = |budget: Budget| {
            let mut episode = Episode::new(Arc::clone(&nim), EpisodeSeed::new(5, 0));
            episode.analyse(Seat::new(0), agent(&*nim, spec).as_mut(), budget)
        };
        let (action, own) = ask(Budget::Own);
        assert_eq!(own.iterations, 60);
        assert_eq!(own.actions.iter().map(|tried| tried.visits).sum::<u64>(), 60);
        assert!(own.actions.iter().all(|tried| tried.value.abs() <= 1.0), "{own:?}");
        assert_eq!(ask(Budget::Iterations(60)), (action, own));
        assert_eq!(ask(Budget::Iterations(7)).1.iterations, 7);
        // At least one iteration is made, also if none is allowed or the time is up at once.
        assert_eq!(ask(Budget::Iterations(0)).1.iterations, 1);
        let hurried = ask(Budget::Until(Arc::new(true.into())));
        assert_eq!(hurried.1.iterations, 1);
        assert_eq!(ask(Budget::Iterations(1)), hurried);
    }
}

/// An analysis does not change the episode. Without one the agent stops once its decision cannot change any
/// more, but this decision and all later ones are the same.
#[test]
fn being_asked_changes_nothing() {
    let play = |analysed: bool, spec: &str| {
        let lines = Arc::new(Lines::new(LinesVariant::default(), 2).unwrap());
        let mut agents = [agent(&*lines, spec), agent(&*lines, spec)];
        let mut episode = Episode::new(lines, EpisodeSeed::new(8, 0));
        let mut taken = Vec::new();
        while let meeple_core::Phase::Decide(seats) = episode.phase() {
            let seat = seats.lowest().unwrap();
            let agent = agents[seat.index()].as_mut();
            let action =
                if analysed { episode.analyse(seat, agent, Budget::Own).0 } else { episode.ask(seat, agent) };
            taken.push(action);
            episode.act(seat, &action).unwrap();
        }
        taken
    };
    for spec in ["mcts:iterations=200", "mcts:iterations=500,c=0.1", "mcts:iterations=90,trees=2"] {
        assert_eq!(play(true, spec), play(false, spec), "{spec}");
    }
}

#[test]
fn forced_decisions_cost_nothing() {
    let nim = Nim::new(NimVariant { sticks: 1, most: 3 }, 2).unwrap();
    let mut searcher = agent(&nim, "mcts");
    let (action, analysis) = decide(&nim, &mut *searcher, &nim.initial_state(), Seat::new(0), 1, Budget::Own);
    assert_eq!((action, analysis.iterations), (Take(1), 0));
}

#[test]
fn a_full_tree_does_not_grow() {
    let lines = Lines::new(LinesVariant::default(), 2).unwrap();
    let params = MctsParams { entries: 20, ..Default::default() };
    let mut search = Search::new(&lines, params, &[], Box::new(NoHints)).unwrap();
    search.begin(&lines, &lines.initial_state(), start(1, 0, 500));
    for _ in 0..500 {
        search.iterate(&lines, &lines.initial_state());
    }
    assert_eq!(search.size(), 20);
    let mut tally = RootTally::default();
    search.count(&mut tally);
    assert_eq!(tally.values().map(|tried| tried.visits).sum::<u64>(), 500);
}

/// An iteration adds at most one entry if one seat decides at a time.
#[test]
fn an_iteration_adds_one_entry_at_most() {
    let lines = Lines::new(LinesVariant::default(), 2).unwrap();
    let mut search = Search::new(&lines, MctsParams::default(), &[], Box::new(NoHints)).unwrap();
    search.begin(&lines, &lines.initial_state(), start(1, 0, 100));
    let mut state = lines.initial_state();
    lines.apply_unchecked(&mut state, Seat::new(0), &meeple_testkit::toys::Mark::default(), &mut NoEvents);
    for done in 1..=100 {
        search.iterate(&lines, &lines.initial_state());
        assert!(search.size() <= done);
    }
}
