use std::cmp::Ordering;

use meeple_lab::ClusterMean;
use serde::Serialize;

/// Results of one competitor against another.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Matchup {
    pub episodes: u64,
    pub before: u64,
    pub tied: u64,
    /// Mean of the own score minus the other's.
    pub mean_difference: f64,
    /// Share of duels won, ties as halves.
    pub share: f64,
    /// Standard error of the share, over deal groups.
    pub share_error: f64,
}

impl Matchup {
    /// The same results from the other's perspective.
    pub fn turned(self) -> Self {
        let before = self.episodes - self.before - self.tied;
        Self { before, mean_difference: -self.mean_difference, share: 1.0 - self.share, ..self }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    episodes: u64,
    before: u64,
    tied: u64,
    difference: i128,
    share: ClusterMean,
}

#[derive(Clone, Debug, Default)]
pub struct Matchups {
    competitors: usize,
    /// Triangular index `[higher, lower]`: 1 + index into `pairs`, or 0 for pairs that never met.
    places: Vec<u32>,
    pairs: Vec<Sums>,
}

impl Matchups {
    pub fn new(competitors: usize) -> Self {
        let places = vec![0; competitors * competitors.saturating_sub(1) / 2];
        Self { competitors, places, pairs: Vec::new() }
    }

    /// Adds an episode: competitor, place and score of every entrant. Episodes of a deal group must be
    /// consecutive. A competitor at several seats counts with each.
    pub fn add(&mut self, group: u64, entrants: &[(u16, u32, i64)]) {
        for (index, first) in entrants.iter().enumerate() {
            for second in &entrants[index + 1..] {
                if first.0 == second.0 {
                    continue;
                }
                // Stored once, from the lower index's perspective.
                let (own, other) = if first.0 < second.0 { (first, second) } else { (second, first) };
                let place = &mut self.places[place_of(usize::from(own.0), usize::from(other.0))];
                if *place == 0 {
                    self.pairs.push(Sums::default());
                    *place = self.pairs.len() as u32;
                }
                let sums = &mut self.pairs[*place as usize - 1];
                sums.episodes += 1;
                sums.before += u64::from(own.1 < other.1);
                sums.tied += u64::from(own.1 == other.1);
                sums.difference += i128::from(own.2) - i128::from(other.2);
                let points = match own.1.cmp(&other.1) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
                sums.share.add(group, points);
            }
        }
    }

    pub fn competitors(&self) -> usize {
        self.competitors
    }

    /// Results of `own` against `other`; `None` if they never met.
    pub fn of(&self, own: usize, other: usize) -> Option<Matchup> {
        if own == other {
            return None;
        }
        let place = self.places[place_of(own.min(other), own.max(other))];
        let sums = &self.pairs[(place as usize).checked_sub(1)?];
        let episodes = sums.episodes as f64;
        let share = sums.share.mean();
        let matchup = Matchup {
            episodes: sums.episodes,
            before: sums.before,
            tied: sums.tied,
            mean_difference: sums.difference as f64 / episodes,
            share,
            share_error: share_error(&sums.share, episodes),
        };
        Some(if own < other { matchup } else { matchup.turned() })
    }
}

fn place_of(low: usize, high: usize) -> usize {
    high * (high - 1) / 2 + low
}

/// Standard error of a share over deal groups. If all groups were alike, it is the error of independent
/// duels. Their share is then shrunk towards 1/2 by one more, tied duel, so that the error is positive even
/// if one side won everything.
fn share_error(share: &ClusterMean, episodes: f64) -> f64 {
    let moved = (share.mean() * episodes + 0.5) / (episodes + 1.0);
    let least = (moved * (1.0 - moved) / episodes).sqrt();
    share.error().filter(|_| !share.is_alike()).unwrap_or(least)
}
