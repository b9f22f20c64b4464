//! Outcome of an episode.

use serde::Serialize;

use crate::seat::Seat;

/// Outcome of an episode: score and place of every seat, and the end reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outcome {
    /// The game's own points, by seat.
    pub scores: Vec<i64>,
    /// Place by seat, from 1; seats that tie share the better place (1, 1, 3).
    pub places: Vec<u32>,
    /// End reason: an index into [`GameInfo::ends`](crate::GameInfo::ends).
    pub end: usize,
}

impl Outcome {
    /// Empties the outcome, keeping its buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.scores.clear();
        self.places.clear();
        self.end = 0;
    }

    /// Fills `places` from `scores`: more points are better, equal points share the place.
    #[inline]
    pub fn rank_by_score(&mut self) {
        rank(&self.scores, &mut self.places);
    }

    /// Fills `places` from keys by seat, for games that do not rank by score. Greater keys are better; equal
    /// keys share the place.
    pub fn rank_by<K: Ord>(&mut self, keys: &[K]) {
        rank(keys, &mut self.places);
    }

    /// Number of seats that share the first place.
    #[inline]
    pub fn winners(&self) -> usize {
        self.places.iter().filter(|place| **place == 1).count()
    }

    /// Result of `seat`: alone on the first place, sharing it, or behind it.
    #[inline]
    pub fn standing(&self, seat: Seat) -> Standing {
        match (self.places[seat.index()], self.winners()) {
            (1, 1) => Standing::Win,
            (1, _) => Standing::Draw,
            _ => Standing::Loss,
        }
    }

    /// Share of the win: 1 for a sole winner, 1/k for each of k seats sharing the first place, else 0.
    pub fn win_share(&self, seat: Seat) -> f64 {
        if self.places[seat.index()] == 1 { 1.0 / self.winners() as f64 } else { 0.0 }
    }

    /// Utility in -1..=1, zero-sum over the seats: 1 for a sole winner, -1 / (seats - 1) for a loser. A table
    /// of one seat has utility 0.
    pub fn utility(&self, seat: Seat) -> f64 {
        let seats = self.places.len() as f64;
        if self.places.len() < 2 {
            return 0.0;
        }
        (self.win_share(seat) - 1.0 / seats) * seats / (seats - 1.0)
    }
}

/// Writes places by seat: 1 plus the number of greater keys.
#[inline(always)] // runs a million times a second, and the compiler does not inline it by itself
fn rank<K: Ord>(keys: &[K], places: &mut Vec<u32>) {
    places.clear();
    places.resize(keys.len(), 1);
    let places = &mut places[..keys.len()];
    for later in 1..keys.len() {
        let mut place = 1;
        for earlier in 0..later {
            // Free of branches, because the comparison is unpredictable.
            places[earlier] += u32::from(keys[earlier] < keys[later]);
            place += u32::from(keys[later] < keys[earlier]);
        }
        places[later] = place;
    }
}

/// Win, draw or loss of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Alone on the first place.
    Win,
    /// On the first place with others.
    Draw,
    /// Behind the first place.
    Loss,
}
