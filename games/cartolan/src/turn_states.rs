//! The states of a turn: the moves so far, as far as they affect further moves.

use crate::map::Crossing;
use crate::movement::Allowed;
use crate::observe::Observation;
use crate::variant::{Limits, Movement, Variant};

/// Upper bound on states of a turn.
pub(crate) const MAX_TURN_STATES: usize = 40;

const _: () = assert!(MAX_TURN_STATES <= 64, "sets of them have 64 bits");

/// The absence of a legal move.
const NONE: u8 = u8::MAX;

/// The states of a turn, by the numbers of moves of each kind that matter.
#[derive(Clone, Debug)]
pub(crate) struct TurnStates {
    /// The limits of the turn.
    pub limits: Limits,
    count: usize,
    counts: [[u8; 3]; MAX_TURN_STATES],
    /// The state after a land, upwind or downwind move.
    next: [[u8; 3]; MAX_TURN_STATES],
    /// The moves given up by ending the turn in each state.
    wasted: [u16; MAX_TURN_STATES],
    /// For every kind of crossing, bits of the states in which it is allowed.
    may: [u64; 3],
}

impl TurnStates {
    /// The states of a turn under these limits.
    pub fn new(variant: &Variant, limits: Limits) -> Self {
        let mut turn_states = Self {
            limits,
            count: 1,
            counts: [[0; 3]; MAX_TURN_STATES],
            next: [[NONE; 3]; MAX_TURN_STATES],
            wasted: [0; MAX_TURN_STATES],
            may: [0; 3],
        };
        let mut at = 0;
        while at < turn_states.count {
            let counts = turn_states.counts[at];
            let allowed = Allowed::after(counts, limits, variant);
            let mut next = [NONE; 3];
            for crossing in Crossing::ALL.iter().copied().filter(|crossing| allowed.allows(*crossing)) {
                let kind = crossing as usize;
                turn_states.may[kind] |= 1 << at;
                // Without a budget only the sum matters.
                let counted = if variant.movement == Movement::Initial { 2 } else { kind };
                let mut after = counts;
                after[counted] += 1;
                // The turn is over, so the next one begins.
                let after = if after.iter().sum::<u8>() >= limits.moves { [0; 3] } else { after };
                let known = turn_states.find(after);
                next[kind] = match known {
                    Some(index) => index as u8,
                    None if turn_states.count < MAX_TURN_STATES => {
                        turn_states.counts[turn_states.count] = after;
                        turn_states.count += 1;
                        turn_states.count as u8 - 1
                    }
                    None => 0,
                };
            }
            turn_states.next[at] = next;
            turn_states.wasted[at] = match counts.iter().sum() {
                0 => 0,
                made => u16::from(limits.moves - made),
            };
            at += 1;
        }
        turn_states
    }

    /// The number of states.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The state of the acting Adventurer's turn.
    #[inline]
    pub fn current(&self, observation: &Observation<'_>) -> usize {
        let turn = observation.turn();
        let counts = match observation.variant().movement {
            Movement::Initial => [0, 0, turn.total()],
            Movement::Budgetted => [turn.land, turn.upwind, turn.downwind],
        };
        self.find(counts).unwrap_or(0)
    }

    fn find(&self, counts: [u8; 3]) -> Option<usize> {
        self.counts[..self.count].iter().position(|other| *other == counts)
    }

    /// The successors of each state; see [`after`](Self::after).
    #[inline]
    pub fn next(&self) -> &[[u8; 3]] {
        &self.next[..self.count]
    }

    /// The state after a crossing, given a state's successors; `None` if the crossing is not allowed.
    #[inline]
    pub fn after(next: &[u8; 3], crossing: Crossing) -> Option<usize> {
        let state = next[crossing as usize];
        (state != NONE).then_some(usize::from(state))
    }

    /// The moves given up by ending the turn in a state.
    #[inline]
    pub fn wasted(&self, state: usize) -> u16 {
        self.wasted[state]
    }

    /// Bits of the states in which a crossing of this kind is allowed.
    #[inline]
    pub fn may(&self, crossing: Crossing) -> u64 {
        self.may[crossing as usize]
    }
}
