//! Search against the equilibrium of two players on the whole deck, in random positions in which both decide.

use std::collections::BTreeSet;

use meeple_core::{ChanceStreams, Defined as _, EpisodeSeed, Game, NoEvents, Phase, Seat, Viewer};
use meeple_incan_gold::exact::{Hazard, Nash, Position, Rules};
use meeple_incan_gold::{Action, Card, IncanGold, State, Variant};

use super::search::{SOUND, leaves};

/// One round of the classic deck: with the margin as the goal, rounds do not depend on each other.
fn one_round() -> Variant {
    Variant { rounds: 1, ..Variant::default() }
}

/// Gain of leaving alone over staying alone, by the equilibrium's tables.
fn edge(game: &IncanGold, nash: &Nash, state: &State) -> f64 {
    let edge = with_position(game, state, |position, gems| nash.leaving_alone(position, gems));
    edge.expect("two players come to it")
}

/// Calls `ask` with a position of the game and the gem cards on the path.
pub(super) fn with_position<T>(
    game: &IncanGold,
    state: &State,
    ask: impl FnOnce(&Position<'_>, Vec<u32>) -> T,
) -> T {
    let seen = game.observe(state, Viewer::Seat(Seat::new(0)));
    let kinds = seen.variant().hazard_kinds;
    let copies = |kind: u32| {
        let in_deck =
            seen.deck().filter(|(card, _)| *card == Card::Hazard(kind as u8)).map(|(_, count)| count);
        in_deck.sum::<u32>() + u32::from(seen.hazard_seen(kind as u8))
    };
    let hazards: Vec<Hazard> = (0..kinds.into())
        .map(|kind| Hazard { copies: copies(kind), seen: seen.hazard_seen(kind as u8) })
        .collect();
    let in_deck =
        seen.deck().filter(|(card, _)| *card == Card::Artifact).map(|(_, count)| count).sum::<u32>();
    let position = Position {
        round: seen.round(),
        hazards: &hazards,
        artifacts: in_deck + seen.artifacts(),
        artifacts_on_path: seen.artifacts(),
        claimed: seen.artifacts_claimed(),
        backpack: seen.backpack(),
    };
    let gems = seen.path().iter().filter_map(|card| match card {
        Card::Gem(value) => Some(u32::from(*value)),
        _ => None,
    });
    ask(&position, gems.collect())
}

/// `count` different positions in which both decide, with the gain of leaving alone. Both stay until then.
fn positions(count: usize) -> Vec<(IncanGold, State, f64)> {
    let game = IncanGold::new(one_round(), 2).unwrap();
    let nash = Nash::new(&Rules::from(&one_round())).unwrap();
    let (mut known, mut found) = (BTreeSet::new(), Vec::new());
    for episode in 0.. {
        let mut state = game.initial_state();
        let mut chance = ChanceStreams::new(EpisodeSeed::new(606, episode));
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let card = game.sample_chance(&state, &mut chance);
                    game.apply_chance(&mut state, &card, &mut NoEvents);
                }
                Phase::Decide(_) => {
                    if known.insert(game.information_key(&state, Viewer::Everything)) {
                        found.push((game.clone(), state.clone(), edge(&game, &nash, &state)));
                    }
                    if found.len() == count {
                        return found;
                    }
                    for seat in Seat::all(2) {
                        game.apply(&mut state, seat, &Action::Stay, &mut NoEvents).unwrap();
                    }
                }
            }
        }
    }
    unreachable!("episodes do not end")
}

/// Mean loss of a search to a best response, then the numbers of agreeing and of clear positions. A position
/// is clear if leaving alone gains or costs more than half a gem. The search agrees if it decides as the
/// equilibrium does.
fn held_against(positions: &[(IncanGold, State, f64)], spec: &str, iterations: u32) -> (f64, usize, usize) {
    let (mut lost, mut agree, mut clear) = (0.0, 0, 0);
    for (game, state, edge) in positions {
        let odds = leaves(game, state, Seat::new(1), spec, iterations);
        // Leaving or staying together is worth nothing.
        lost += ((1.0 - odds) * edge).max(-odds * edge);
        if edge.abs() > 0.5 {
            clear += 1;
            agree += usize::from((odds > 0.5) == (*edge > 0.0));
        }
    }
    (lost / positions.len() as f64, agree, clear)
}

/// The search has the game's advice and does not bend margins.
#[test]
fn an_advised_search_comes_to_the_equilibrium() {
    let positions = positions(2000);
    let spec = format!("mcts:{},bend=off", IncanGold::definition().search_settings);
    let [few, some] = [100, 1000].map(|iterations| held_against(&positions, &spec, iterations));
    let every: Vec<_> = positions.iter().step_by(4).cloned().collect();
    let (lost, agree, clear) = held_against(&every, &spec, 10_000);
    assert!(few.0 > some.0 && some.0 > lost, "{few:?} {some:?} {lost} gems a decision");
    assert!(some.0 < 0.1 && lost < 0.01, "{some:?} {lost} gems a decision");
    assert!(clear > 400 && agree * 100 >= clear * 97, "{agree} of {clear}");
}

/// The search has no advice and mixes its decisions.
#[test]
fn what_a_sound_search_loses_falls() {
    let positions = positions(300);
    let [few, some] = [100, 1000].map(|iterations| held_against(&positions, SOUND, iterations));
    assert!(some.0 < 0.6 * few.0 && some.1 > few.1, "{few:?} {some:?}");
}

/// Two searches in the same position with equal randomness would always decide alike, and never see
/// the gain of leaving alone.
#[test]
fn seats_that_are_alike_do_not_move_in_step() {
    let positions = positions(300);
    let (lost, agree, clear) =
        held_against(&positions, "mcts:rollout=hints,epsilon=0,margin=1,bend=off,transpositions=on", 1000);
    assert!(agree * 100 > clear * 90 && lost < 0.1, "{agree} of {clear}, {lost} gems a decision");
}
