//! Replicator dynamics: strategies with pay-offs above the mean grow.

use crate::table_game::TableGame;

#[derive(Clone, PartialEq, Debug)]
pub struct RestPoint {
    /// The shares of the strategies at rest. Without convergence, their mean over the second half of the
    /// time.
    pub shares: Vec<f64>,
    pub rested: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Basin {
    pub shares: Vec<f64>,
    pub starts: usize,
    /// True if these populations converged. All populations that did not are pooled in one basin, with their
    /// mean shares.
    pub rests: bool,
}

/// Maximum number of steps. In one step the ratio of two shares grows by at most about e^½.
const STEPS: usize = 4000;
/// Largest change of a share in one step at which a population counts as resting.
const STILL: f64 = 1e-9;
const SAME: f64 = 1e-3;

/// Time derivatives of the shares: each share grows at the rate of its pay-off minus the mean.
fn flow(game: &TableGame, shares: &[f64], flow: &mut [f64]) {
    game.against(shares, flow);
    let mean: f64 = flow.iter().zip(shares).map(|(gain, share)| gain * share).sum();
    flow.iter_mut().zip(shares).for_each(|(gain, share)| *gain = (*gain - mean) * share);
}

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

/// Integrates the replicator dynamics (Runge-Kutta, order 4) to a rest point, in at most 4,000 steps.
pub fn replicate(game: &TableGame, start: &[f64]) -> RestPoint {
    let n = game.strategies();
    let mut shares = start.to_vec();
    let scale = scale(game);
    if scale <= 0.0 {
        return RestPoint { shares, rested: true };
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
            return RestPoint { shares, rested: true };
        }
        if number >= STEPS / 2 {
            mean.iter_mut().zip(&shares).for_each(|(mean, share)| *mean += share);
        }
    }
    let total: f64 = mean.iter().sum();
    mean.iter_mut().for_each(|mean| *mean /= total);
    RestPoint { shares: mean, rested: false }
}

/// End points of `starts` populations with random initial shares (uniform on the simplex), most frequent
/// first. The result is a function of game, `starts` and seed.
pub fn basins(game: &TableGame, starts: usize, seed: u64) -> Vec<Basin> {
    gather((0..starts).map(|number| replicate(game, &start(game.strategies(), seed, number))))
}

/// The initial shares of population `number`: uniform on the simplex.
pub fn start(strategies: usize, seed: u64, number: usize) -> Vec<f64> {
    let mut random = Random(seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
    // Normalised exponential variates are uniform on the simplex.
    let mut start: Vec<f64> = (0..strategies).map(|_| -random.unit().ln()).collect();
    let total: f64 = start.iter().sum();
    start.iter_mut().for_each(|share| *share /= total);
    start
}

/// Groups equal end points of populations, most frequent first.
pub fn gather(rests: impl IntoIterator<Item = RestPoint>) -> Vec<Basin> {
    let mut found: Vec<Basin> = Vec::new();
    for RestPoint { shares, rested } in rests {
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

/// The generator SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// A uniform number in (0, 1].
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + 1.0 / (1u64 << 54) as f64
    }
}
