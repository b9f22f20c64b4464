//! Effects of a game's hints on a search.

use meeple_core::{Agent, AskedSeat, Budget, EpisodeSeed, Game, Hints, Position, Seat, Turn, Viewer};
use meeple_search::{Mcts, MctsParams, RootTally, Search, SearchStart};
use meeple_testkit::toys::{Nim, Take};

use crate::support::decide;

/// Gives a prior only to actions that take fewer sticks than `UNTIL`.
struct Few<const UNTIL: u8>;

impl<const UNTIL: u8> Hints<Nim> for Few<UNTIL> {
    fn prior(&mut self, _: &Position<'_, Nim>, _: Seat, actions: &[Take], weights: &mut Vec<f64>) {
        weights.extend(actions.iter().map(|action| f64::from(u8::from(action.0 < UNTIL))));
    }
}

/// Tried actions after 50 iterations with their visits; true if the hints leave a single action.
fn tried(hints: impl Hints<Nim> + 'static, prior: f64) -> (Vec<(Take, u64)>, bool) {
    let nim = Nim::new(Default::default(), 2).unwrap();
    let (seat, state) = (Seat::new(0), nim.initial_state());
    let params = MctsParams { prior, ..MctsParams::default() };
    let mut search = Search::new(&nim, params, &[], Box::new(hints)).unwrap();
    let observation = nim.observe(&state, Viewer::Seat(seat));
    search.begin(&nim, &observation, SearchStart { seat, seed: 3, tree: 0, iterations: 50 });
    for _ in 0..50 {
        search.iterate(&nim, &observation);
    }
    let mut tally = RootTally::default();
    search.count(&mut tally);
    (tally.values().map(|tried| (tried.action, tried.visits)).collect(), search.is_forced())
}

#[test]
fn what_has_no_promise_is_not_looked_at() {
    assert_eq!(tried(Few::<2>, 0.1), (vec![(Take(1), 50)], true));
    let (two, is_forced) = tried(Few::<3>, 0.1);
    assert!(two.len() == 2 && !is_forced, "{two:?}");
    // Without a prior the hints do not bind.
    assert_eq!(tried(Few::<2>, 0.0).0.len(), 3);
}

#[test]
fn a_decision_without_a_choice_takes_one_iteration() {
    let nim = Nim::new(Default::default(), 2).unwrap();
    let params = MctsParams { prior: 0.1, ..MctsParams::default() };
    let mut agent = Mcts::new(&nim, &params, &[], || Ok(Box::new(Few::<2>))).unwrap();
    let mut asked = AskedSeat::new(EpisodeSeed::new(1, 0), Seat::new(0));
    let state = nim.initial_state();
    let quick = agent.act(Turn::new(&Position::new(&nim, &state), &mut asked));
    let (slow, analysis) = decide(&nim, &mut agent, &state, Seat::new(0), 1, Budget::Own);
    assert_eq!((quick, slow), (Take(1), Take(1)));
    assert_eq!(analysis.iterations, 400, "who looks on sees all iterations");
}
