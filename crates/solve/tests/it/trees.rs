use meeple_core::{Game, NoEvents, Phase};
use meeple_solve::{Objective, Profile, estimate_histories, situation};
use meeple_testkit::toys::{Flaw, Goofspiel, GoofspielVariant, Hands, HandsVariant, Lines, Nim, NimVariant};

use crate::support::{close, kuhn, leduc, tree, tree_for};

/// Histories of a game, counted without a tree.
fn count<G: Game>(game: &G, state: &G::State) -> usize {
    let after = |next: &mut dyn FnMut(&mut G::State)| {
        let mut state = state.clone();
        next(&mut state);
        count(game, &state)
    };
    let following: usize = match game.phase(state) {
        Phase::Over => 0,
        Phase::Chance => {
            let outcomes = game.chance_outcomes(state).unwrap();
            outcomes
                .iter()
                .map(|(chance, _)| after(&mut |next| game.apply_chance(next, chance, &mut NoEvents)))
                .sum()
        }
        Phase::Decide(seats) => {
            let seat = seats.lowest().unwrap();
            let mut actions = Vec::new();
            game.legal_actions(state, seat, &mut actions);
            actions
                .iter()
                .map(|action| after(&mut |next| game.apply_unchecked(next, seat, action, &mut NoEvents)))
                .sum()
        }
    };
    1 + following
}

#[test]
fn sizes_are_those_of_the_books() {
    let size = tree(&kuhn()).size();
    // The root, 3 histories with one card dealt, and 9 histories for each of 6 deals. The 9 are the deal
    // itself and its bets, 5 of them ends.
    assert_eq!((size.histories, size.ends, size.actions, size.steps), (58, 30, 24, 5));
    assert_eq!(size.information_sets, [6, 6]);
    // Information sets are counted by rank; with irrelevant suits there would be 936.
    let size = tree(&leduc()).size();
    assert_eq!(size.information_sets, [144, 144]);
    assert_eq!(size.histories, count(&leduc(), &leduc().initial_state()));
}

#[test]
fn nobody_forgets_though_the_observation_does() {
    // The stakes after "raise, call" and "call, raise, call" in a first round are equal, but the sets differ.
    let (game, tree) = (leduc(), tree(&leduc()));
    let twins = |set: usize| {
        let one = situation(&game, &tree, set);
        (0..tree.sets()).filter(|other| situation(&game, &tree, *other).sees == one.sees).count()
    };
    let second = (0..tree.sets()).filter(|set| situation(&game, &tree, *set).sees["round"] == 1);
    assert!(second.map(twins).any(|twins| twins == 2));
    for set in 0..tree.sets() {
        if let Some((before, action)) = tree.before(set) {
            let after = situation(&game, &tree, set).after.unwrap();
            assert_eq!(tree.seat_of(before), tree.seat_of(set));
            assert_eq!(after, (before, situation(&game, &tree, before).actions[action].clone()));
        }
    }
}

#[test]
fn an_early_event_does_not_tell_who_decides_at_the_same_time() {
    let sizes = [Flaw::None, Flaw::EarlyEvent].map(|flaw| {
        let variant = HandsVariant { rounds: 1, cards: 3, flaw };
        tree(&Hands::new(variant, 2).unwrap()).size()
    });
    assert_eq!(sizes[0], sizes[1]);
    assert_eq!(sizes[0].information_sets, [3, 3]);
}

#[test]
fn games_without_secrets_are_solved_by_their_best_moves() {
    // A multiple of four sticks is lost.
    for (sticks, value) in [(4, 0.0), (5, 1.0), (7, 1.0), (8, 0.0)] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        let tree = tree_for(&nim, Objective::Win);
        let solution = crate::support::learned(&tree, 3000, 1);
        close(solution.values[0], value, 0.02);
        assert!(solution.nash_conv() < 0.02, "{}", solution.nash_conv());
    }
}

#[test]
fn estimates_are_right_in_the_mean() {
    for cards in [2, 3, 4] {
        let game = Goofspiel::new(GoofspielVariant { cards }, 2).unwrap();
        // All episodes of Goofspiel fork alike.
        let expected = tree(&game).size().histories as f64;
        close(estimate_histories(&game).unwrap(), expected, 1e-6 * expected);
    }
    let lines = Lines::new(Default::default(), 2).unwrap();
    let estimate = estimate_histories(&lines).unwrap();
    // Tic-tac-toe has 549,946 histories.
    close(estimate, 549_946.0, 20_000.0);
    assert_eq!(estimate, estimate_histories(&lines).unwrap());
}

#[test]
fn values_are_those_of_the_pay_off() {
    let game = kuhn();
    for pay_off in [Objective::Win, Objective::Score, Objective::Own] {
        let tree = tree_for(&game, pay_off);
        let values = Profile::uniform(&tree).values(&tree);
        let sum = if pay_off == Objective::Win { 1.0 } else { 0.0 };
        close(values.iter().sum(), sum, 1e-12);
        // Uniform strategies bring the first seat an eighth.
        if pay_off != Objective::Win {
            close(values[0], 0.125, 1e-12);
        }
    }
}
