//! Hidden information never changes a seat's decision.

use std::sync::Arc;

use meeple_core::{
    AgentSpec, Budget, ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Playouts, Seat, Seating, Stream,
    Viewer, build_agents,
};
use meeple_testkit::toys::{Flaw, Hands, HandsVariant, Poker, PokerVariant};

use crate::support::{agent, decide, known};

type Decision = (String, Vec<(String, u64, u64)>);

/// Decision and analysis of a searching seat, to the last bit.
fn decision(game: &Hands, state: &<Hands as Game>::State, seat: Seat) -> Decision {
    let (action, analysis) =
        decide(game, &mut *agent(game, "mcts:iterations=150"), state, seat, 9, Budget::Own);
    let tried = analysis.actions.iter();
    let bits = tried.map(|tried| (tried.action.to_string(), tried.visits, tried.value.to_bits()));
    (action.to_string(), bits.collect())
}

/// Decisions in pairs of states that differ in information hidden from the deciding seat. Returns the number
/// of pairs, and of those with different decisions or analyses.
fn pairs(flaw: Flaw) -> (usize, usize) {
    let fair = Hands::new(HandsVariant { rounds: 3, ..Default::default() }, 3).unwrap();
    let tested = Hands::new(HandsVariant { rounds: 3, flaw, ..Default::default() }, 3).unwrap();
    let (mut swapped, mut differing) = (0, 0);
    for deal in 0..12 {
        let mut rng = Stream::from_seed(deal);
        let mut chance = ChanceStreams::new(EpisodeSeed::new(4, deal));
        let mut state = fair.initial_state();
        loop {
            match fair.phase(&state) {
                Phase::Over => break,
                Phase::Chance => fair.resolve_chance(&mut state, &mut chance, &mut NoEvents),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let mut other = fair.initial_state();
                        fair.determinize(&fair.observe(&state, Viewer::Seat(seat)), &mut rng, &mut other);
                        if other != state {
                            swapped += 1;
                            let same = decision(&tested, &state, seat) == decision(&tested, &other, seat);
                            differing += usize::from(!same);
                        }
                        let action = fair.sample_action(&state, seat, &mut rng, &mut Vec::new());
                        fair.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                    }
                }
            }
        }
    }
    (swapped, differing)
}

#[test]
fn hidden_cards_do_not_matter() {
    let (swapped, differing) = pairs(Flaw::None);
    assert!(swapped > 50, "{swapped}");
    assert_eq!(differing, 0);
}

/// A game that hands the true cards to the search is caught by the test above.
#[test]
fn a_game_that_leaks_is_noticed() {
    let (swapped, differing) = pairs(Flaw::DeterminizeCopies);
    assert!(differing * 2 > swapped, "{differing} of {swapped}");
}

/// In Kuhn's poker a player that sees the other's card folds the worse one and calls with the better one. The
/// host opens the cards to one player, wherever it sits.
#[test]
fn open_cards_are_worth_something_to_whom_they_are_opened() {
    let gains = |open: Option<usize>| {
        let game = Poker::new(PokerVariant::default(), 2).unwrap();
        let line_up = ["mcts:iterations=100", "mcts:iterations=100"].map(AgentSpec::parse);
        let agents = build_agents(&game, &known(), &line_up).unwrap();
        let mut playouts = Playouts::new(Arc::new(game), agents);
        if let Some(player) = open {
            playouts.open_cards(player);
        }
        let mut gains = 0;
        for index in 0..200 {
            let report = playouts.play(3, Seating::DealGroups, index);
            let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
            gains += report.outcome.scores[seat];
        }
        gains
    };
    let [closed, own, others] = [None, Some(0), Some(1)].map(gains);
    assert!(own > closed + 30, "{own} chips with open cards, {closed} with closed ones");
    assert!(others < closed - 30, "{others} chips if the other has open cards, {closed} with closed ones");
}
