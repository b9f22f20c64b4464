//! Search in Kuhn's poker, where cards are hidden and bets reveal something of them.

use meeple_core::{Budget, ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Stream, Viewer};
use meeple_testkit::toys::{BettingMove, Poker, PokerState, PokerVariant};

use crate::support::{agent, decide, mean, shares};

const CARDS: [u8; 3] = [1, 2, 3];

fn kuhn() -> Poker {
    Poker::new(PokerVariant::default(), 2).unwrap()
}

fn dealt(game: &Poker, cards: [u8; 2], moves: &[BettingMove]) -> PokerState {
    let mut state = game.initial_state();
    for card in cards {
        let outcomes = game.chance_outcomes(&state).unwrap();
        let of = |rank: u8| outcomes.iter().find(|(card, _)| card.to_string() == rank.to_string());
        game.apply_chance(&mut state, &of(card).unwrap().0, &mut NoEvents);
    }
    for (number, action) in moves.iter().enumerate() {
        game.apply(&mut state, Seat::new(number % 2), action, &mut NoEvents).unwrap();
    }
    state
}

const SPEC: &str = "mcts:iterations=3000,margin=1,bend=off";

#[test]
fn a_sure_hand_is_never_folded_and_a_lost_one_never_called() {
    let game = kuhn();
    for (card, expected) in [(1, BettingMove::Fold), (3, BettingMove::Call)] {
        for other in CARDS.into_iter().filter(|other| *other != card) {
            let state = dealt(&game, [other, card], &[BettingMove::Raise]);
            let (found, _) = decide(&game, &mut *agent(&game, SPEC), &state, Seat::new(1), 1, Budget::Own);
            assert_eq!(found, expected, "with {card}");
            let state = dealt(&game, [card, other], &[BettingMove::Call, BettingMove::Raise]);
            let (found, _) = decide(&game, &mut *agent(&game, SPEC), &state, Seat::new(0), 1, Budget::Own);
            assert_eq!(found, expected, "with {card}");
        }
    }
}

#[test]
fn better_cards_are_worth_more() {
    let game = kuhn();
    for seat in 0..2 {
        let worth = CARDS.map(|card| {
            let other = card % 3 + 1;
            let cards = if seat == 0 { [card, other] } else { [other, card] };
            let state = dealt(&game, cards, if seat == 0 { &[] } else { &[BettingMove::Call] });
            let (_, analysis) =
                decide(&game, &mut *agent(&game, SPEC), &state, Seat::new(seat), 1, Budget::Own);
            mean(&analysis)
        });
        assert!(worth.is_sorted() && worth[0] < -0.01 && worth[2] > 0.01, "seat {seat}: {worth:?}");
    }
}

#[test]
fn it_wins_of_random_play() {
    for spec in
        [SPEC, "mcts:iterations=300", "mcts:iterations=300,select=rm", "mcts:iterations=300,tree=multi"]
    {
        let found = shares(kuhn(), &[spec, "random"], 400);
        let won = found.iter().sum::<f64>() / 400.0;
        assert!(won > 0.5, "{spec} won {won} of 400; the standard error is below 0.025");
    }
}

/// Decision and analysis are equal to the last bit, whatever card the other seat holds, at every decision of
/// all games.
#[test]
fn the_other_card_does_not_matter() {
    let (mut swapped, game) = (0, kuhn());
    for deal in 0..30 {
        let mut rng = Stream::from_seed(deal);
        let mut chance = ChanceStreams::new(EpisodeSeed::new(4, deal));
        let mut state = game.initial_state();
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
                Phase::Decide(seats) => {
                    let seat = seats.lowest().unwrap();
                    let mut other = game.initial_state();
                    game.determinize(&game.observe(&state, Viewer::Seat(seat)), &mut rng, &mut other);
                    let thinks = |state: &PokerState| {
                        let mut searcher = agent(&game, "mcts:iterations=100");
                        let (action, analysis) = decide(&game, &mut *searcher, state, seat, 9, Budget::Own);
                        let tried = analysis.actions.iter();
                        let bits = tried.map(|tried| (tried.action, tried.visits, tried.value.to_bits()));
                        (action, bits.collect::<Vec<_>>(), analysis.line)
                    };
                    if other != state {
                        swapped += 1;
                        assert_eq!(thinks(&state), thinks(&other), "{state:?} or {other:?}");
                    }
                    let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                    game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                }
            }
        }
    }
    assert!(swapped > 20, "{swapped}");
}
