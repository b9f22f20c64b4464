//! Search against exact values: agreement with the equilibrium, the gain of a best response, and
//! losses alone. The decks are small, so that the rules can enumerate everything.

use std::cell::RefCell;
use std::collections::BTreeMap;

use meeple_core::{AgentSpec, Game, NoEvents, Phase, Playable, Seat, Viewer};
use meeple_incan_gold::{Action, IncanGold, State, Variant};
use meeple_search::{MctsParams, RootTally, Search, SearchStart};

use super::company::{best_margin, solved, walk};

const OTHER: Seat = Seat::new(1);

/// A search that is sound where both decide at once. It mixes decisions, merges histories of one position,
/// and does not bend margins.
pub(super) const SOUND: &str = "mcts:select=rm,transpositions=on,margin=1,bend=off";

fn few_cards() -> Variant {
    Variant {
        rounds: 1,
        gems: vec![3, 8],
        hazard_kinds: 2,
        hazard_copies: 2,
        artifact_values: vec![4],
        ..Variant::default()
    }
}

/// Probability that the search leaves where this seat decides, after `iterations`.
pub(super) fn leaves(game: &IncanGold, state: &State, seat: Seat, spec: &str, iterations: u32) -> f64 {
    let params: MctsParams = AgentSpec::parse(spec).params().unwrap();
    let mut search = Search::new(game, params, &[], game.hints()).unwrap();
    let observation = game.observe(state, Viewer::Seat(seat));
    search.begin(game, &observation, SearchStart { seat, seed: 5, tree: 0, iterations });
    (0..iterations).for_each(|_| search.iterate(game, &observation));
    let mut tally = RootTally::default();
    search.count(&mut tally);
    let mixed: f64 = tally.strategy().map(|(_, share)| share).sum();
    if mixed > 0.0 {
        return tally
            .strategy()
            .find(|(action, _)| **action == Action::Leave)
            .map_or(0.0, |(_, share)| share);
    }
    if tally.best() == Some(&Action::Leave) { 1.0 } else { 0.0 }
}

/// The gain of a best response falls with the search's iterations. Against the equilibrium the gain would be
/// zero.
#[test]
fn what_a_search_loses_to_its_best_response_falls() {
    let game = IncanGold::new(few_cards(), 2).unwrap();
    let lost = [10, 100, 1000].map(|iterations| {
        let known = RefCell::new(BTreeMap::new());
        best_margin(&game, &|state| {
            let key = game.information_key(state, Viewer::Everything);
            let old = known.borrow().get(&key).copied();
            old.unwrap_or_else(|| {
                let odds = leaves(&game, state, OTHER, SOUND, iterations);
                known.borrow_mut().insert(key, odds);
                odds
            })
        })
    });
    assert!(lost[0] > lost[1] && lost[1] > lost[2], "{lost:?}");
    assert!(lost[2] < 0.4, "{lost:?} gems a round");
}

/// The equilibrium is pure where both explore and leaving alone differs from staying by more than
/// half a gem. The search makes the same decision in 97 % of these positions.
#[test]
fn a_search_decides_as_the_equilibrium_does() {
    let game = IncanGold::new(few_cards(), 2).unwrap();
    let clear = RefCell::new(BTreeMap::new());
    walk(&game, &game.initial_state(), &|state, owes, then| match owes {
        [true, true] => {
            let matrix = [true, false].map(|me| [true, false].map(|other| then([me, other])));
            // Lead of a lone leaver.
            if matrix[0][1].abs() > 0.5 {
                let key = game.information_key(state, Viewer::Everything);
                clear.borrow_mut().insert(key, (state.clone(), matrix[0][1] > 0.0));
            }
            solved(matrix)
        }
        [true, false] => then([true, false]).max(then([false, false])),
        _ => then([false, true]).min(then([false, false])),
    });
    let clear = clear.into_inner();
    let agree = clear.values().filter(|(state, expected)| {
        let leaves = leaves(&game, state, OTHER, SOUND, 10_000);
        (leaves > 0.5) == *expected
    });
    let (agree, all) = (agree.count(), clear.len());
    assert!(all >= 20, "{all} positions");
    assert!(agree * 100 >= all * 97, "{agree} of {all}");
}

/// The most gems that a lone explorer can expect.
fn best_alone(game: &IncanGold, state: &State, known: &mut BTreeMap<u128, f64>) -> f64 {
    let alone = Seat::new(0);
    match game.phase(state) {
        Phase::Over => game.score(state, alone) as f64,
        Phase::Chance => {
            let after = |(card, odds)| {
                let mut next = state.clone();
                game.apply_chance(&mut next, &card, &mut NoEvents);
                odds * best_alone(game, &next, known)
            };
            game.chance_outcomes(state).unwrap().into_iter().map(after).sum()
        }
        Phase::Decide(_) => {
            let key = game.information_key(state, Viewer::Everything);
            if let Some(value) = known.get(&key) {
                return *value;
            }
            let best = [Action::Leave, Action::Stay]
                .map(|action| best_alone(game, &then(game, state, action), known))
                .into_iter()
                .fold(f64::NEG_INFINITY, f64::max);
            known.insert(key, best);
            best
        }
    }
}

fn then(game: &IncanGold, state: &State, action: Action) -> State {
    let mut next = state.clone();
    game.apply(&mut next, Seat::new(0), &action, &mut NoEvents).unwrap();
    next
}

/// For a lone player, the losses of the search's decisions fall with its iterations. The losses are summed
/// over all positions that staying reaches.
#[test]
fn what_a_search_loses_alone_falls() {
    let variant = Variant { gems: vec![1, 4, 7, 9], ..few_cards() };
    let game = IncanGold::new(variant, 1).unwrap();
    let mut known = BTreeMap::new();
    best_alone(&game, &game.initial_state(), &mut known);
    let mut open = vec![game.initial_state()];
    let mut positions = BTreeMap::new();
    while let Some(state) = open.pop() {
        match game.phase(&state) {
            Phase::Over => {}
            Phase::Chance => {
                for (card, _) in game.chance_outcomes(&state).unwrap() {
                    let mut next = state.clone();
                    game.apply_chance(&mut next, &card, &mut NoEvents);
                    open.push(next);
                }
            }
            Phase::Decide(_) => {
                open.push(then(&game, &state, Action::Stay));
                positions.insert(game.information_key(&state, Viewer::Everything), state);
            }
        }
    }
    // A sample suffices, because the positions are alike.
    let every = positions.len().div_ceil(150);
    let lost = [100, 1000, 10_000].map(|iterations| {
        let mut sum = 0.0;
        for state in positions.values().step_by(every) {
            let leaves = leaves(&game, state, Seat::new(0), "mcts:transpositions=on", iterations) > 0.5;
            let action = if leaves { Action::Leave } else { Action::Stay };
            let worth = best_alone(&game, &then(&game, state, action), &mut known);
            sum += best_alone(&game, state, &mut known) - worth;
        }
        sum / positions.len().div_ceil(every) as f64
    });
    assert!(lost[0] >= lost[1] && lost[1] >= lost[2], "{lost:?}");
    assert!(lost[0] > 0.0 && lost[2] < 0.01, "{lost:?} gems a decision");
}
