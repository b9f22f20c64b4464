//! Perft: counts of step sequences, which reveal wrong move lists.

use meeple_core::{ActionKind, NoEvents, Phase, Playable};
use thiserror::Error;

/// Reason why sequences cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PerftError {
    /// The actions are structured and cannot be listed.
    #[error("structured actions cannot be listed")]
    Structured,
    /// The chance outcomes are too many to list.
    #[error("there are too many chance outcomes to list")]
    ManyOutcomes,
}

/// Number of sequences of exactly `depth` steps from the initial state. A step is one chance outcome
/// (whatever its probability) or one action; simultaneous decisions are taken in seat order. Shorter episodes
/// are not counted.
///
/// # Errors
/// If the steps of a position cannot be listed.
pub fn perft<G: Playable>(game: &G, depth: u32) -> Result<u64, PerftError> {
    perft_from(game, &game.initial_state(), depth)
}

/// As [`perft`], from any state.
///
/// # Errors
/// As [`perft`].
pub fn perft_from<G: Playable>(game: &G, state: &G::State, depth: u32) -> Result<u64, PerftError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut next = state.clone();
    let mut total = 0;
    match game.phase(state) {
        Phase::Over => {}
        Phase::Chance => {
            for (outcome, _) in game.chance_outcomes(state).ok_or(PerftError::ManyOutcomes)? {
                next.clone_from(state);
                game.apply_chance(&mut next, &outcome, &mut NoEvents);
                total += perft_from(game, &next, depth - 1)?;
            }
        }
        Phase::Decide(seats) => {
            if game.info().actions == ActionKind::Structured {
                return Err(PerftError::Structured);
            }
            let mut actions = Vec::new();
            if let Some(seat) = seats.lowest() {
                game.legal_actions(state, seat, &mut actions);
                for action in actions {
                    next.clone_from(state);
                    game.apply_unchecked(&mut next, seat, &action, &mut NoEvents);
                    total += perft_from(game, &next, depth - 1)?;
                }
            }
        }
    }
    Ok(total)
}

/// Compares the counts for depths `1..=expected.len()` with a table.
///
/// # Panics
/// If a count differs or is impossible.
pub fn check_perft<G: Playable>(game: &G, expected: &[u64]) {
    for (depth, expected) in (1..).zip(expected) {
        let found = perft(game, depth).unwrap_or_else(|error| panic!("{}: {error}", game.info().id));
        assert_eq!(found, *expected, "{}: sequences of {depth} steps", game.info().id);
    }
}
