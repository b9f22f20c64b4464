//! Replicator dynamics: populations in which who gains more has more children.

use crate::table_game::TableGame;

/// Where a population came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Rest {
    /// The shares of the strategies; if it does not rest, their mean over the second half of the time.
    pub shares: Vec<f64>,
    /// Whether it rests.
    pub rested: bool,
}

/// What many populations come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Basin {
    /// The shares of the strategies.
    pub shares: Vec<f64>,
    /// How many populations came here.
    pub starts: usize,
    /// Whether they rest here; those that go round are counted together, with their mean.
    pub rests: bool,
}

/// Steps of a population at most; one is half the time in which the greatest difference of pay-offs grows e-fold.
const STEPS: usize = 4000;
/// A population rests when it moves by less than this in a step.
const STILL: f64 = 1e-9;
/// Ends that are nearer than this are the same.
const SAME: f64 = 1e-3;

/// How fast shares change: each by its gain above the mean.
fn flow(game: &TableGame, shares: &[f64], flow: &mut [f64]) {
    game.against(shares, flow);
    let mean: f64 = flow.iter().zip(shares).map(|(gain, share)| gain * share).sum();
    flow.iter_mut().zip(shares).for_each(|(gain, share)| *gain = (*gain - mean) * share);
}

/// The greatest difference between two pay-offs of the game.
fn scale(game: &TableGame) -> f64 {
    let n = game.strategies();
    let mut pay_offs = vec![0.0; n];
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for other in 0..n {
        let pure: Vec<f64> = (0..n).map(|index| f64::from(u8::from(index == other))).collect();
        game.against(&pure, &mut pay_offs);
        for pay_off in &pay_offs {
            (low, high) = (low.min(*pay_off), high.max(*pay_off));
        }
    }
    high - low
}

/// Follows the replicator dynamics from `start` (Runge and Kutta, order 4) until they rest, for 4,000 steps at most.
pub fn replicate(game: &TableGame, start: &[f64]) -> Rest {
    let n = game.strategies();
    let mut shares = start.to_vec();
    let scale = scale(game);
    if scale <= 0.0 {
        return Rest { shares, rested: true };
    }
    let step = 0.5 / scale;
    let mut slopes = vec![vec![0.0; n]; 4];
    let mut at = vec![0.0; n];
    let mut mean = vec![0.0; n];
    for number in 0..STEPS {
        for stage in 0..4 {
            let ahead = [0.0, 0.5, 0.5, 1.0][stage] * step;
            for index in 0..n {
                let slope = if stage == 0 { 0.0 } else { slopes[stage - 1][index] };
                at[index] = shares[index] + ahead * slope;
            }
            flow(game, &at, &mut slopes[stage]);
        }
        let mut moved: f64 = 0.0;
        for index in 0..n {
            let [a, b, c, d] = [0, 1, 2, 3].map(|stage: usize| slopes[stage][index]);
            let next = (shares[index] + step * (a + 2.0 * b + 2.0 * c + d) / 6.0).max(0.0);
            moved = moved.max((next - shares[index]).abs());
            shares[index] = next;
        }
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        if moved < STILL {
            return Rest { shares, rested: true };
        }
        if number >= STEPS / 2 {
            mean.iter_mut().zip(&shares).for_each(|(mean, share)| *mean += share);
        }
    }
    let total: f64 = mean.iter().sum();
    mean.iter_mut().for_each(|mean| *mean /= total);
    Rest { shares: mean, rested: false }
}

/// Where `starts` populations with random shares (uniform among all) come to, the most frequent first. The same for the same
/// seed.
pub fn basins(game: &TableGame, starts: usize, seed: u64) -> Vec<Basin> {
    gather((0..starts).map(|number| replicate(game, &start(game.strategies(), seed, number))))
}

/// Random shares of so many strategies, uniform among all: the start of a population with this number.
pub fn start(strategies: usize, seed: u64, number: usize) -> Vec<f64> {
    let mut random = Random(seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
    // Spacings of the exponential distribution are uniform shares.
    let mut start: Vec<f64> = (0..strategies).map(|_| -random.unit().ln()).collect();
    let total: f64 = start.iter().sum();
    start.iter_mut().for_each(|share| *share /= total);
    start
}

/// What many populations came to, the most frequent first.
pub fn gather(rests: impl IntoIterator<Item = Rest>) -> Vec<Basin> {
    let mut found: Vec<Basin> = Vec::new();
    for Rest { shares, rested } in rests {
        let near = |other: &[f64]| shares.iter().zip(other).all(|(own, other)| (own - other).abs() < SAME);
        let known = found
            .iter_mut()
            .find(|basin| if rested { basin.rests && near(&basin.shares) } else { !basin.rests });
        match known {
            None => found.push(Basin { shares, starts: 1, rests: rested }),
            Some(basin) if rested => basin.starts += 1,
            Some(basin) => {
                let old = basin.starts as f64;
                basin.starts += 1;
                let means = basin.shares.iter_mut().zip(&shares);
                means.for_each(|(mean, share)| *mean = (*mean * old + share) / (old + 1.0));
            }
        }
    }
    found.sort_by(|a, b| b.starts.cmp(&a.starts).then(b.rests.cmp(&a.rests)));
    found
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// Above 0, at most 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + 1.0 / (1u64 << 54) as f64
    }
}
