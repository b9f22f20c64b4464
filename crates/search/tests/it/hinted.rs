//! Tests of priors, and of random numbers that are common to candidates.

use std::cell::{Cell, RefCell};

use meeple_core::{AgentSpec, Game, Hints, Position, Seat, Stream, Viewer};
use meeple_search::{MctsParams, RootTally, Search, SearchStart};
use meeple_testkit::toys::{Nim, NimVariant, Take};

thread_local! {
    static DRAWS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// Number of requests for an action.
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// Hints that take one stick, record the first draw of every episode, and give taking two the prior 0.
struct Spy {
    is_new: bool,
}

impl Hints<Nim> for Spy {
    fn imagine(&mut self, _: &Nim) {
        self.is_new = true;
    }

    fn prior(&mut self, _: &Position<'_, Nim>, _: Seat, actions: &[Take], weights: &mut Vec<f64>) {
        weights.extend(actions.iter().map(|action| if *action == Take(2) { 0.0 } else { 1.0 }));
    }

    fn act(&mut self, _: &Position<'_, Nim>, _: Seat, rng: &mut Stream) -> Option<Take> {
        ASKED.set(ASKED.get() + 1);
        if std::mem::take(&mut self.is_new) {
            DRAWS.with_borrow_mut(|draws| draws.push(rng.bits()));
        }
        Some(Take(1))
    }
}

/// Tried actions at the root with their visits, and the first draw of every iteration.
fn look(settings: &str, iterations: u32) -> (Vec<(Take, u64)>, Vec<u64>) {
    look_longer(settings, iterations, iterations)
}

/// Like [`look`], with more iterations than declared.
fn look_longer(settings: &str, declared: u32, iterations: u32) -> (Vec<(Take, u64)>, Vec<u64>) {
    let nim = Nim::new(NimVariant { sticks: 21, most: 4 }, 2).unwrap();
    let spec = AgentSpec::parse(&format!("mcts:iterations={declared},rollout=hints,epsilon=0,{settings}"));
    let params: MctsParams = spec.params().unwrap();
    let mut search = Search::new(&nim, params, &[], Box::new(Spy { is_new: false })).unwrap();
    let state = nim.initial_state();
    let observation = nim.observe(&state, Viewer::Seat(Seat::new(0)));
    DRAWS.take();
    search.begin(&nim, &observation, SearchStart { seat: Seat::new(0), seed: 5, tree: 0, iterations });
    (0..iterations).for_each(|_| search.iterate(&nim, &observation));
    let mut tally = RootTally::default();
    search.count(&mut tally);
    (tally.values().map(|tried| (tried.action, tried.visits)).collect(), DRAWS.take())
}

/// The 21 sticks are taken one at a time, so whole rollouts have some twenty decisions, and the tree at most
/// two.
#[test]
fn rollouts_have_no_more_decisions_than_they_may() {
    let asked = |settings: &str| {
        ASKED.set(0);
        look(settings, 100);
        ASKED.get()
    };
    let whole = asked("entries=1");
    assert!(whole > 1500, "{whole}");
    for depth in [0, 1, 2, 5] {
        let asked = asked(&format!("entries=1,depth={depth}"));
        assert!(asked <= 100 * (depth + 2), "depth={depth}: asked {asked} times");
    }
}

#[test]
fn what_is_not_worth_a_look_gets_none() {
    for settings in ["prior=1", "prior=1,halving=4", "select=puct"] {
        let (tried, _) = look(settings, 100);
        let actions: Vec<Take> = tried.iter().map(|(action, _)| *action).collect();
        assert_eq!(actions, [Take(1), Take(3), Take(4)], "{settings}");
    }
    assert_eq!(look("prior=0", 100).0.len(), 4, "nobody asks then");
}

/// Three candidates take turns. All candidates of a turn see the same chance; every turn sees another one.
#[test]
fn candidates_have_their_luck_in_common() {
    // Half of the 60 iterations belong to all three candidates.
    let (_, draws) = look("prior=1,halving=4,common=on,widening=0.1", 60);
    let turns: Vec<&[u64]> = draws[..27].chunks(3).collect();
    for turn in &turns {
        assert!(turn.iter().all(|draw| *draw == turn[0]), "{draws:?}");
    }
    assert!(turns.windows(2).all(|two| two[0][0] != two[1][0]), "{draws:?}");
    let (_, draws) = look("prior=1,halving=4,widening=0.1", 60);
    assert!(draws.windows(2).all(|two| two[0] != two[1]), "each has its own luck");
}

/// The last iteration goes to the best candidate, which thus has most visits.
#[test]
fn halving_ends_with_one_candidate() {
    let (tried, _) = look("prior=1,halving=4", 60);
    let most = tried.iter().map(|(_, visits)| *visits).max().unwrap();
    assert_eq!(tried.iter().filter(|(_, visits)| *visits == most).count(), 1, "{tried:?}");
}

/// With more iterations than declared, halving shares as many again, then twice as many: no candidate is
/// eliminated for good.
#[test]
fn halving_restarts_with_more_iterations() {
    let visits = |iterations| {
        let (tried, _) = look_longer("prior=1,halving=4", 60, iterations);
        let visits = tried.iter().map(|(_, visits)| *visits);
        (visits.clone().min().unwrap(), visits.max().unwrap())
    };
    // Two rounds of 59 iterations: nine for each of three, then 14 for each of two, and what is left for one.
    assert_eq!(visits(60).0, 9);
    // The candidate eliminated first waits until all 60 iterations are used. Then 119 are shared, counted
    // from the start.
    let (fewest, most) = visits(120);
    assert_eq!(fewest, 19);
    assert!(most > 40, "{most}");
    assert_eq!([visits(240).0, visits(480).0], [39, 79]);
}
