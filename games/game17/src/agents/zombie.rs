use meeple_core::{Agent, Stream, Turn};

use crate::action::{Action, Departure};
use crate::board::by_class;
use crate::game::Game17;
use crate::observe::Observation;

/// R6.1: an agent whose pieces each move in an independent, uniform direction.
pub(crate) struct Zombie;

/// The split of four pieces by eight random bits, two bits per piece: four counts of 16 bits.
static SPLITS: [u64; 256] = splits();

const fn splits() -> [u64; 256] {
    let mut splits = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut piece = 0;
        while piece < 4 {
            splits[bits] += 1 << (16 * (bits >> (2 * piece) & 3));
            piece += 1;
        }
        bits += 1;
    }
    splits
}

impl Zombie {
    #[inline]
    fn moves<const N: usize, const W: usize>(
        observation: &Observation<'_>,
        owned: &[u64],
        rng: &mut Stream,
        departures: &mut [Departure],
    ) -> usize {
        const FIXED: &str = "arrays by square are padded to the class of the board";
        let numbers: &[u32; N] = observation.padded_numbers().first_chunk().expect(FIXED);
        let places: &[_; N] = observation.padded_places().first_chunk().expect(FIXED);
        let owned: &[u64; W] = owned.first_chunk().expect(FIXED);
        // Slots are faster than `push`, which stores the length after every departure.
        let most = departures.len();
        let mut slots = departures.iter_mut();
        for (word, bits) in owned.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let square = (word * 64 + bits.trailing_zeros() as usize) % N;
                bits &= bits - 1;
                let number = numbers[square];
                if number > 0
                    && let Some(slot) = slots.next()
                {
                    let place = places[square];
                    let counts = split(number, rng);
                    *slot = Departure { row: place.row.into(), column: place.column.into(), counts };
                }
            }
        }
        most - slots.len()
    }
}

/// Draws from a multinomial distribution with four equal probabilities. It is exact, because every piece has
/// two random bits of its own.
#[inline]
pub(crate) fn split(number: u32, rng: &mut Stream) -> [i32; 4] {
    // The usual case has one well-predicted branch and no loop.
    if number <= 16 {
        // Unused bits are zero and count as north; the subtraction below removes them.
        let bits = rng.bits() & ((1 << (2 * number)) - 1);
        let lanes = SPLITS[bits as usize % 256]
            + SPLITS[(bits >> 8) as usize % 256]
            + SPLITS[(bits >> 16) as usize % 256]
            + SPLITS[(bits >> 24) as usize % 256];
        return counts(lanes - u64::from(16 - number));
    }
    let mut total = [0; 4];
    let mut left = number;
    while left > 0 {
        let now = left.min(32);
        let bits = rng.bits() & (u64::MAX >> (64 - 2 * now));
        let groups = now.div_ceil(4);
        let mut lanes = 0;
        for group in 0..groups {
            lanes += SPLITS[(bits >> (8 * group)) as usize % 256];
        }
        for (sum, count) in total.iter_mut().zip(counts(lanes - u64::from(4 * groups - now))) {
            *sum += count;
        }
        left -= now;
    }
    total
}

/// Reserves room for a whole board of the usual size, so that a seat allocates only once.
#[cold]
fn grow(action: &mut Action, needed: usize, most: usize) {
    action.0.reserve(needed.next_power_of_two().max(256).min(most) - action.0.len());
}

#[inline]
const fn counts(lanes: u64) -> [i32; 4] {
    [
        (lanes & 0xffff) as i32,
        (lanes >> 16 & 0xffff) as i32,
        (lanes >> 32 & 0xffff) as i32,
        (lanes >> 48) as i32,
    ]
}

impl Agent<Game17> for Zombie {
    fn act(&mut self, mut turn: Turn<'_, Game17>) -> Action {
        let mut action = turn.recycled_action();
        let observation = turn.observe();
        // A local copy of the stream stays in registers.
        let mut rng = turn.rng().clone();
        let owned = observation.owned(turn.seat());
        let needed = observation.squares_of(turn.seat()) as usize;
        if action.0.capacity() < needed {
            grow(&mut action, needed, observation.numbers().len());
        }
        action.0.resize(needed, Departure::default());
        let used = by_class!(observation.class(), Self::moves(&observation, owned, &mut rng, &mut action.0));
        action.0.truncate(used);
        *turn.rng() = rng;
        action
    }
}
