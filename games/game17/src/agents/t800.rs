use meeple_core::{Agent, Stream, Turn, params};

use crate::action::{Action, Departure};
use crate::game::Game17;

params! {
    /// Settings of `t800`.
    pub(crate) struct T800Params {
        /// Pieces added to the number on each neighbour before shares are computed.
        pub prior: f64 = 0.01 => "prior", real(0.000_001, 1000.0);
    }
}

/// R6.2: an agent that spreads all pieces of a square in proportion to its neighbours' numbers. It drops
/// every direction whose expected arrivals are fewer than the pieces there.
pub(crate) struct T800 {
    prior: f64,
}

impl T800 {
    pub(crate) fn new(params: T800Params) -> Self {
        Self { prior: params.prior }
    }
}

/// The probability of each direction for a piece, if `number` pieces stand between neighbours with these
/// numbers. All are zero if the pieces stay.
pub(crate) fn shares(number: u32, neighbours: [u32; 4], prior: f64) -> [f64; 4] {
    let number = f64::from(number);
    let neighbours = neighbours.map(f64::from);
    let mut shares = neighbours.map(|neighbour| neighbour + prior);
    loop {
        let total: f64 = shares.iter().sum();
        if total <= 0.0 {
            return [0.0; 4];
        }
        shares = shares.map(|share| share / total);
        let mut dropped = false;
        for (share, neighbour) in shares.iter_mut().zip(neighbours) {
            if *share > 0.0 && *share * number < neighbour {
                *share = 0.0;
                dropped = true;
            }
        }
        if !dropped {
            return shares;
        }
    }
}

/// Draws from a multinomial distribution, piece by piece.
fn scatter(number: u32, shares: [f64; 4], rng: &mut Stream) -> [i32; 4] {
    let mut counts = [0; 4];
    // Rounding errors must not send a piece in a direction with probability zero.
    let last = shares.iter().rposition(|share| *share > 0.0).unwrap_or(0);
    for _ in 0..number {
        let mut left = rng.unit();
        let mut direction = 0;
        while direction < last && left >= shares[direction] {
            left -= shares[direction];
            direction += 1;
        }
        counts[direction] += 1;
    }
    counts
}

impl Agent<Game17> for T800 {
    fn act(&mut self, mut turn: Turn<'_, Game17>) -> Action {
        let mut action = turn.recycled_action();
        action.0.clear();
        let observation = turn.observe();
        let numbers = observation.numbers();
        for square in observation.squares(turn.seat()) {
            let number = numbers[square];
            if number == 0 {
                continue;
            }
            let around = observation.neighbours(square).map(|neighbour| numbers[neighbour]);
            let shares = shares(number, around, self.prior);
            if shares != [0.0; 4] {
                let place = observation.place(square);
                let counts = scatter(number, shares, turn.rng());
                action.0.push(Departure { row: place.row.into(), column: place.column.into(), counts });
            }
        }
        action
    }
}
