//! Pair by pair: who finished before whom.

use serde::Serialize;

/// What one competitor did against another.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Matchup {
    /// Episodes with both in them.
    pub episodes: u64,
    /// Times it finished before the other.
    pub before: u64,
    /// Times they shared a place.
    pub tied: u64,
    /// Mean of its score minus the other's.
    pub mean_difference: f64,
    /// Share of the duels it won, ties as halves.
    pub share: f64,
    /// Standard error of the share, over deal groups.
    pub share_error: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    episodes: u64,
    before: u64,
    tied: u64,
    difference: i128,
    /// Of the group that is being counted: points (won 2, tied 1) and twice the episodes.
    group: [i64; 2],
    groups: u64,
    /// Sums over groups of points², points · weight, weight².
    squares: [i128; 3],
}

/// Counts of all pairs.
#[derive(Clone, Debug, Default)]
pub struct Matchups {
    competitors: usize,
    pairs: Vec<Sums>,
    touched: Vec<usize>,
    last_group: Option<u64>,
}

impl Matchups {
    /// Nothing counted yet, among this many competitors.
    pub fn new(competitors: usize) -> Self {
        let pairs = vec![Sums::default(); competitors * competitors];
        Self { competitors, pairs, touched: Vec::new(), last_group: None }
    }

    /// Adds an episode: competitor, place and score of everybody in it. Episodes of the same deal group must
    /// follow each other. A competitor that sits at several seats counts with each.
    pub fn add(&mut self, group: u64, entrants: &[(u16, u32, i64)]) {
        if self.last_group != Some(group) {
            self.close_group();
            self.last_group = Some(group);
        }
        for (index, first) in entrants.iter().enumerate() {
            for second in &entrants[index + 1..] {
                if first.0 == second.0 {
                    continue;
                }
                // Kept once, from the lower index's side.
                let (own, other) = if first.0 < second.0 { (first, second) } else { (second, first) };
                let cell = usize::from(own.0) * self.competitors + usize::from(other.0);
                let sums = &mut self.pairs[cell];
                if sums.group[1] == 0 {
                    self.touched.push(cell);
                }
                sums.episodes += 1;
                sums.before += u64::from(own.1 < other.1);
                sums.tied += u64::from(own.1 == other.1);
                sums.difference += i128::from(own.2) - i128::from(other.2);
                sums.group[0] += match own.1.cmp(&other.1) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
                sums.group[1] += 2;
            }
        }
    }

    fn close_group(&mut self) {
        for cell in self.touched.drain(..) {
            let sums = &mut self.pairs[cell];
            let [points, weight] = sums.group.map(i128::from);
            sums.groups += 1;
            sums.squares[0] += points * points;
            sums.squares[1] += points * weight;
            sums.squares[2] += weight * weight;
            sums.group = [0, 0];
        }
    }

    /// Number of competitors.
    pub fn competitors(&self) -> usize {
        self.competitors
    }

    /// What `own` did against `other`; `None` if they never met.
    pub fn of(&mut self, own: usize, other: usize) -> Option<Matchup> {
        self.close_group();
        self.last_group = None;
        let (low, high) = (own.min(other), own.max(other));
        let sums = &self.pairs[low * self.competitors + high];
        if own == other || sums.episodes == 0 {
            return None;
        }
        let swapped = own > other;
        let after = sums.episodes - sums.before - sums.tied;
        let episodes = sums.episodes as f64;
        let share = (sums.before as f64 + 0.5 * sums.tied as f64) / episodes;
        Some(Matchup {
            episodes: sums.episodes,
            before: if swapped { after } else { sums.before },
            tied: sums.tied,
            mean_difference: if swapped { -1.0 } else { 1.0 } * (sums.difference as f64 / episodes),
            share: if swapped { 1.0 - share } else { share },
            share_error: share_error(sums, share),
        })
    }
}

/// Standard error of a ratio of sums over groups, by linearisation. Where all groups went alike, that of as many
/// independent duels at a share moved half a duel towards the middle: a clean sheet is not certain.
fn share_error(sums: &Sums, share: f64) -> f64 {
    let episodes = sums.episodes as f64;
    let moved = (share * episodes + 0.5) / (episodes + 1.0);
    let least = (moved * (1.0 - moved) / episodes).sqrt();
    let groups = sums.groups as f64;
    let [points, cross, weights] = sums.squares.map(|sum| sum as f64);
    let residual = (points - 2.0 * share * cross + share * share * weights).max(0.0);
    if sums.groups < 2 || residual <= 1e-9 * weights {
        return least;
    }
    (residual * groups / (groups - 1.0)).sqrt() / (2.0 * episodes)
}
