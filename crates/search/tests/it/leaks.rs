//! What a seat cannot know never changes what it decides.

use meeple_core::{Budget, ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Stream, Viewer};
use meeple_testkit::toys::{Flaw, Hands, HandsVariant};

use crate::support::{agent, decide};

type Decision = (String, Vec<(String, u64, u64)>);

/// What a searching seat decides and thinks, down to the last bit.
fn decision(game: &Hands, state: &<Hands as Game>::State, seat: Seat) -> Decision {
    let (action, analysis) =
        decide(game, &mut *agent(game, "mcts:iterations=150"), state, seat, 9, Budget::Own);
    let tried = analysis.actions.iter();
    let bits = tried.map(|tried| (tried.action.to_string(), tried.visits, tried.value.to_bits()));
    (action.to_string(), bits.collect())
}

/// Decisions in pairs of states that differ in what the deciding seat cannot know. Returns how many pairs there were, and
/// how many of them were decided or judged differently.
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

/// The test above would notice: a game that hands the true cards to the search is caught.
#[test]
fn a_game_that_leaks_is_noticed() {
    let (swapped, differing) = pairs(Flaw::DeterminizeCopies);
    assert!(differing * 2 > swapped, "{differing} of {swapped}");
}
