//! Threats and opportunities of an owner on a board.

use meeple_core::Seat;

use crate::observe::Observation;

/// An owner with more squares than this counts as a planner, any other as a zombie.
pub(crate) const PLANS: u32 = 4;

/// Number of kinds of owners: zombies, planners, and the strongest planner.
pub(crate) const KINDS: usize = 3;

/// Exposed and takeable squares. Pairs are `[squares, pieces on them]`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Dangers {
    /// The strongest planner among the other owners.
    pub(crate) rival: Option<Seat>,
    /// Number of own pieces on squares adjacent to squares of others.
    pub(crate) front: u32,
    /// Number of own squares without pieces.
    pub(crate) empty: u32,
    /// Own squares that a single owner of a kind can certainly take before the next own turn.
    pub(crate) exposed: [[u32; 2]; KINDS],
    /// Expected losses to zombies, if their pieces move at random: `[squares, pieces]`.
    pub(crate) at_risk: [f32; 2],
    /// Squares of owners of a kind that adjacent own pieces can certainly take.
    pub(crate) takeable: [[u32; 2]; KINDS],
    /// Squares of owners of a kind that are adjacent to own squares.
    pub(crate) beside: [[u32; 2]; KINDS],
}

impl Dangers {
    /// The dangers of an owner; all zero before and after the game.
    pub(crate) fn of(seen: &Observation<'_>, seat: Seat) -> Self {
        let mut dangers = Self::default();
        let Some(mover) = seen.mover() else { return dangers };
        let (owners, numbers) = (seen.owners(), seen.numbers());
        let count = owners.len();
        // The first in turn order wins ties, so the result does not depend on seat numbers.
        let until =
            |owner: Seat| (seen.turn_place(owner.index()) + count - seen.turn_place(mover.index())) % count;
        let plans = |owner: &Seat| *owner != seat && seen.squares_of(*owner) > PLANS;
        let strength = |owner: &Seat| {
            (seen.squares_of(*owner), seen.pieces_of(*owner), std::cmp::Reverse(until(*owner)))
        };
        dangers.rival = Seat::all(count).filter(plans).max_by_key(strength);
        let own = seat.index() as u16;
        // In the last round, owners that have had their turn get no other.
        let has_turn = |owner: u16| {
            seen.rounds_left() > 0 || seen.turn_place(owner.into()) >= seen.turn_place(mover.index())
        };
        let kinds = |owner: u16| {
            let owner = Seat::new(owner.into());
            let planner = seen.squares_of(owner) > PLANS;
            [!planner, planner, dangers.rival == Some(owner)]
        };
        let add = |sums: &mut [[u32; 2]; KINDS], kinds: [bool; KINDS], number: u32| {
            for (sum, is_of) in sums.iter_mut().zip(kinds) {
                if is_of {
                    sum[0] += 1;
                    sum[1] += number;
                }
            }
        };
        let mut sums = dangers;
        for (square, (owner, number)) in owners.iter().zip(numbers).enumerate() {
            let around = seen.neighbours(square);
            if *owner != own {
                let mut here = 0;
                let mut is_beside = false;
                for (place, near) in around.iter().enumerate() {
                    // On boards of side 1 and 2, a square can be a neighbour twice.
                    if owners[*near] == own && !around[..place].contains(near) {
                        here += numbers[*near];
                        is_beside = true;
                    }
                }
                if is_beside {
                    let kinds = kinds(*owner);
                    add(&mut sums.beside, kinds, *number);
                    if here > *number {
                        add(&mut sums.takeable, kinds, *number);
                    }
                }
                continue;
            }
            sums.empty += u32::from(*number == 0);
            let mut is_front = false;
            let mut exposed = [false; KINDS];
            let mut safe = 1.0;
            for (place, near) in around.iter().enumerate() {
                let other = owners[*near];
                if other == own {
                    continue;
                }
                is_front = true;
                // Every adjacent owner counts once, with all its adjacent pieces.
                let is_first = around[..place].iter().all(|before| owners[*before] != other);
                if !is_first || !has_turn(other) {
                    continue;
                }
                let all = around
                    .iter()
                    .enumerate()
                    .filter(|(at, square)| owners[**square] == other && !around[..*at].contains(square));
                let there: u32 = all.map(|(_, square)| numbers[*square]).sum();
                let kinds = kinds(other);
                if there > *number {
                    exposed.iter_mut().zip(kinds).for_each(|(exposed, is_of)| *exposed |= is_of);
                }
                if kinds[0] {
                    safe *= 1.0 - overrun(there, *number);
                }
            }
            sums.front += if is_front { *number } else { 0 };
            add(&mut sums.exposed, exposed, *number);
            sums.at_risk[0] += 1.0 - safe;
            sums.at_risk[1] += (1.0 - safe) * *number as f32;
        }
        sums
    }
}

/// Upper bound on a zombie's pieces around a square in the table of probabilities.
const AROUND: usize = 32;
/// Upper bound on pieces on the square in that table.
const WITHIN: usize = 16;

/// The probability that more pieces arrive than stand on a square, by pieces around it and on it. Each piece
/// moves in one of four directions with equal probability.
static OVERRUN: [[f32; WITHIN]; AROUND + 1] = overruns();

const fn overruns() -> [[f32; WITHIN]; AROUND + 1] {
    let mut table = [[0.0; WITHIN]; AROUND + 1];
    // The distribution of the number of arrivals among the pieces so far.
    let mut exactly = [0.0; AROUND + 1];
    exactly[0] = 1.0;
    let mut around = 0;
    while around <= AROUND {
        let (mut on, mut at_most) = (0, 0.0);
        while on < WITHIN {
            at_most += exactly[on];
            table[around][on] = if at_most < 1.0 { 1.0 - at_most } else { 0.0 };
            on += 1;
        }
        let mut come = AROUND;
        while come > 0 {
            exactly[come] = 0.75 * exactly[come] + 0.25 * exactly[come - 1];
            come -= 1;
        }
        exactly[0] *= 0.75;
        around += 1;
    }
    table
}

/// The probability that a zombie with `around` pieces around a square, on which `on` pieces stand, takes it.
fn overrun(around: u32, on: u32) -> f32 {
    let row = &OVERRUN[(around as usize).min(AROUND)];
    row.get(on as usize).copied().unwrap_or(0.0)
}
