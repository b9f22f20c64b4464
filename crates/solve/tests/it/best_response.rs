//! Best responses, compared with exhaustive enumeration without trees.

use std::collections::BTreeMap;

use meeple_core::{Game, NoEvents, Phase, Seat, Viewer};
use meeple_solve::{Objective, Profile, best_response, regrets, situation};
use meeple_testkit::toys::{CardChoice, Hands, HandsVariant, Poker};

use crate::support::{close, kuhn, tree, tree_for};

/// A seat's observation as text; in Kuhn's poker it also contains the whole history.
fn seen<G: Game>(game: &G, state: &G::State, seat: Seat) -> String {
    serde_json::to_string(&game.observe(state, Viewer::Seat(seat))).unwrap()
}

/// Expected gain of the first seat, by enumeration.
fn value(
    game: &Poker,
    state: &<Poker as Game>::State,
    strategy: &mut dyn FnMut(Seat, String, usize) -> Vec<f64>,
) -> f64 {
    match game.phase(state) {
        Phase::Over => game.score(state, Seat::new(0)) as f64,
        Phase::Chance => {
            let outcomes = game.chance_outcomes(state).unwrap();
            let worth = |(card, odds)| {
                let mut next = *state;
                game.apply_chance(&mut next, &card, &mut NoEvents);
                odds * value(game, &next, strategy)
            };
            outcomes.into_iter().map(worth).sum()
        }
        Phase::Decide(seats) => {
            let seat = seats.lowest().unwrap();
            let mut actions = Vec::new();
            game.legal_actions(state, seat, &mut actions);
            let shares = strategy(seat, seen(game, state, seat), actions.len());
            let worth = |(action, share): (_, f64)| {
                let mut next = *state;
                game.apply_unchecked(&mut next, seat, action, &mut NoEvents);
                share * value(game, &next, strategy)
            };
            actions.iter().zip(shares).map(worth).sum()
        }
    }
}

#[test]
fn nothing_that_can_be_tried_is_better() {
    let (game, tree) = (kuhn(), tree(&kuhn()));
    // Uniform strategies, and skewed ones that depend on the observation.
    let crooked = |text: &str, actions: usize| -> Vec<f64> {
        let sum: u32 = text.bytes().map(u32::from).sum();
        let first = f64::from(sum % 7) / 6.0;
        if actions == 2 { vec![first, 1.0 - first] } else { vec![1.0 / actions as f64; actions] }
    };
    let uniform = |_: &str, actions: usize| vec![1.0 / actions as f64; actions];
    for strategy in [&uniform as &dyn Fn(&str, usize) -> Vec<f64>, &crooked] {
        let profile = Profile::new(&tree, |set| {
            let situation = situation(&game, &tree, set);
            strategy(&situation.sees.to_string(), situation.actions.len())
        });
        let profile = profile.unwrap();
        for seat in Seat::all(2) {
            // All 64 strategies of the seat, each against the other seat's strategy.
            let (mut sets, mut best) = (BTreeMap::new(), f64::MIN);
            for plan in 0..64 {
                let mut play = |at: Seat, sees: String, actions: usize| {
                    if at != seat {
                        return strategy(&sees, actions);
                    }
                    let count = sets.len();
                    let set = *sets.entry(sees).or_insert(count);
                    let choice = plan >> set & 1;
                    (0..actions).map(|action| if action == choice { 1.0 } else { 0.0 }).collect()
                };
                let won = value(&game, &game.initial_state(), &mut play);
                best = f64::max(best, if seat.index() == 0 { won } else { -won });
            }
            assert_eq!(sets.len(), 6);
            close(best_response(&tree, &profile, seat).value, best, 1e-12);
        }
    }
}

/// Hands with three seats and one round, in which the highest card among the staying seats wins. The value of
/// a best response equals the value of playing its actions.
#[test]
fn best_responses_are_worth_what_they_bring() {
    let variant = HandsVariant { rounds: 1, cards: 4, ..HandsVariant::default() };
    let game = Hands::new(variant, 3).unwrap();
    for pay_off in [Objective::Win, Objective::Score, Objective::Own] {
        let tree = tree_for(&game, pay_off);
        let uniform = Profile::uniform(&tree);
        let all = regrets(&tree, &uniform);
        for (seat, regret) in Seat::all(3).zip(all) {
            let response = best_response(&tree, &uniform, seat);
            let played = Profile::new(&tree, |set| {
                if tree.seat_of(set) != seat {
                    return uniform.at(&tree, set).to_vec();
                }
                let mut shares = vec![0.0; tree.actions_of(set)];
                shares[response.actions[set] as usize] = 1.0;
                shares
            });
            close(played.unwrap().values(&tree)[seat.index()], response.value, 1e-12);
            close(response.value - uniform.values(&tree)[seat.index()], regret, 1e-12);
            assert!(regret > 0.01, "{pay_off:?}: {regret}");
        }
    }
    let tree = tree_for(&game, Objective::Own);
    assert_eq!(situation(&game, &tree, 0).actions[0], CardChoice::Fold.word());
}
