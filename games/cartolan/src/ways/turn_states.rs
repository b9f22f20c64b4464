//! States of a turn: the moves so far, as far as they limit further moves.

use crate::allowed::Allowed;
use crate::map::Crossing;
use crate::state::SubTurn;
use crate::variant::{Limits, Movement, Variant};

pub(crate) const MAX_TURN_STATES: usize = 40;

const _: () = assert!(MAX_TURN_STATES <= 64, "sets of them have 64 bits");

const NONE: u8 = u8::MAX;

#[derive(Clone, Debug)]
pub(crate) struct TurnStates {
    pub limits: Limits,
    count: usize,
    counts: [[u8; 3]; MAX_TURN_STATES],
    /// The next state after a land, upwind or downwind move.
    next: [[u8; 3]; MAX_TURN_STATES],
    /// The moves lost by ending the turn in each state.
    wasted: [u16; MAX_TURN_STATES],
    /// By kind of crossing: bits of the states in which it is allowed.
    may: [u64; 3],
    /// By kind of crossing: predecessors of each state, as bits.
    before: [[u64; MAX_TURN_STATES]; 3],
    /// By kind of crossing: states that have a successor, as bits.
    leaves: [u64; 3],
    /// Numbers of lost moves in ascending order, each with its states as bits.
    by_waste: [(u16, u64); MAX_TURN_STATES],
    wastes: usize,
}

impl TurnStates {
    /// All states merged into one. A crossing that is allowed at the start of a turn is always allowed.
    pub fn merged(&self) -> Self {
        let mut merged =
            Self { count: 1, may: self.may.map(|states| u64::from(states != 0)), ..self.clone() };
        for next in merged.next[0].iter_mut().filter(|next| **next != NONE) {
            *next = 0;
        }
        merged.index();
        merged
    }

    /// Computes `before`, `leaves` and `by_waste` from `next` and `wasted`.
    fn index(&mut self) {
        (self.before, self.leaves, self.wastes) = ([[0; MAX_TURN_STATES]; 3], [0; 3], 0);
        for (state, next) in self.next[..self.count].iter().enumerate() {
            for (kind, next) in next.iter().enumerate().filter(|(_, next)| **next != NONE) {
                self.before[kind][usize::from(*next)] |= 1 << state;
                self.leaves[kind] |= 1 << state;
            }
        }
        for moves in 0..=u16::from(self.limits.moves) {
            let states = (0..self.count).filter(|state| self.wasted[*state] == moves);
            let states = states.fold(0, |all, state| all | 1 << state);
            if states != 0 {
                self.by_waste[self.wastes] = (moves, states);
                self.wastes += 1;
            }
        }
    }

    /// The states of a turn with these limits.
    pub fn new(variant: &Variant, limits: Limits) -> Self {
        let mut turn_states = Self {
            limits,
            count: 1,
            counts: [[0; 3]; MAX_TURN_STATES],
            next: [[NONE; 3]; MAX_TURN_STATES],
            wasted: [0; MAX_TURN_STATES],
            may: [0; 3],
            before: [[0; MAX_TURN_STATES]; 3],
            leaves: [0; 3],
            by_waste: [(0, 0); MAX_TURN_STATES],
            wastes: 0,
        };
        let mut at = 0;
        while at < turn_states.count {
            let counts = turn_states.counts[at];
            let allowed = Allowed::after(counts, limits, variant);
            let mut next = [NONE; 3];
            for crossing in Crossing::ALL.iter().copied().filter(|crossing| allowed.allows(*crossing)) {
                let kind = crossing as usize;
                turn_states.may[kind] |= 1 << at;
                // Without a budget only the total number of moves matters.
                let counted = if variant.movement == Movement::Initial { 2 } else { kind };
                let mut after = counts;
                after[counted] += 1;
                // The turn is over, so the state is that of the next turn.
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
        turn_states.index();
        turn_states
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn current(&self, turn: &SubTurn, movement: Movement) -> usize {
        let counts = match movement {
            Movement::Initial => [0, 0, turn.total()],
            Movement::Budgetted => [turn.land, turn.upwind, turn.downwind],
        };
        self.find(counts).unwrap_or(0)
    }

    fn find(&self, counts: [u8; 3]) -> Option<usize> {
        self.counts[..self.count].iter().position(|other| *other == counts)
    }

    #[inline]
    pub fn next(&self) -> &[[u8; 3]] {
        &self.next[..self.count]
    }

    /// The state after a crossing, given the successors of the present state; `None` if the crossing is not
    /// allowed.
    #[inline]
    pub fn after(next: &[u8; 3], crossing: Crossing) -> Option<usize> {
        let state = next[crossing as usize];
        (state != NONE).then_some(usize::from(state))
    }

    /// The moves lost by ending the turn in a state.
    #[inline]
    pub fn wasted(&self, state: usize) -> u16 {
        self.wasted[state]
    }

    /// Bits of the states after a crossing in one of `states`.
    #[inline]
    pub fn all_after(&self, crossing: Crossing, states: u64) -> u64 {
        let kind = crossing as usize;
        bits(states & self.leaves[kind]).fold(0, |all, state| all | 1 << self.next[state][kind])
    }

    /// Bits of the states from which a crossing leads to one of `states`.
    #[inline]
    pub fn all_before(&self, crossing: Crossing, states: u64) -> u64 {
        bits(states).fold(0, |all, state| all | self.before[crossing as usize][state])
    }

    /// Bits of the states that have a successor by a crossing.
    #[inline]
    pub fn leaves(&self, crossing: Crossing) -> u64 {
        self.leaves[crossing as usize]
    }

    /// Numbers of lost moves in ascending order, each with its states as bits.
    #[inline]
    pub fn by_waste(&self) -> &[(u16, u64)] {
        &self.by_waste[..self.wastes]
    }

    #[inline]
    pub fn may(&self, crossing: Crossing) -> u64 {
        self.may[crossing as usize]
    }
}

/// The states of a set, in ascending order.
#[inline]
pub(crate) fn bits(mut states: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let state = states.trailing_zeros() as usize;
        (states != 0).then(|| {
            states &= states - 1;
            state
        })
    })
}
