//! Intervals by the bootstrap over deal groups (Efron 1979; cluster form, Davison and Hinkley 1997, §3.8).
//!
//! The rotations of one deal share their cards, so together they are one unit.

use meeple_lab::t_quantile;
use serde::Serialize;

use super::fit::{Cholesky, FitOptions, POINTS, PRECISE, RatingError, SeatEffects, centred, newton};
use super::likelihood::Model;
use super::orders::Orders;
use super::resamples::{Drawing, resample};

/// Largest number of competitors for which pairwise results and rank probabilities are given as a square
/// table.
pub const MAX_TABLED_COMPETITORS: usize = 100;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateOptions {
    pub fit: FitOptions,
    /// The competitor whose rating is 0 by definition.
    pub anchor: usize,
    pub resamples: usize,
    pub seed: u64,
    /// Number of threads, 0 for all cores; results do not depend on it.
    pub threads: usize,
}

impl Default for RateOptions {
    fn default() -> Self {
        Self { fit: FitOptions::default(), anchor: 0, resamples: 1000, seed: 1, threads: 0 }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rated {
    /// Elo-like points above the anchor; 400 points are odds of 10 to 1.
    pub points: f64,
    /// 95 % interval of `points`; `None` for the anchor, whose points are fixed, and without information.
    pub interval: Option<[f64; 2]>,
    /// Rank by points, from 1; points equal to a hundredth share the better rank. If the standings have
    /// another order, their ranks differ from this one.
    #[serde(skip)]
    pub rank: usize,
    /// Range of plausible ranks: from 1 + the number of significantly better competitors, to the number of
    /// all but the significantly worse ones. A difference is significant if its 95 % interval lies above 0.
    pub rank_range: [usize; 2],
    /// Band of similar strength, from 1: no member is significantly worse than the band's first.
    pub band: usize,
    /// Probability of rank k or better, at index k − 1; empty for more than [`MAX_TABLED_COMPETITORS`]
    /// competitors.
    pub rank_at_most: Vec<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatEffect {
    /// The seat, from 0.
    pub seat: usize,
    /// Points above the mean seat.
    pub points: f64,
    pub interval: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By competitor.
    pub competitors: Vec<Rated>,
    /// By seat; empty if seats have no effects in the fit.
    pub seats: Vec<SeatEffect>,
    pub groups: usize,
    pub episodes: usize,
    pub resamples: usize,
    pub anchor: usize,
    /// A measure of computing time that is equal on every machine. It counts the entrants visited in all
    /// passes over the orders, and the operations on matrices.
    pub work: u64,
    /// `[competitor, resample]`
    strengths: Vec<Vec<f64>>,
}

impl Ratings {
    pub fn better(&self, own: usize, other: usize) -> f64 {
        let (own, other) = (&self.strengths[own], &self.strengths[other]);
        let drawn = own.iter().zip(other);
        let points = drawn.map(|(own, other)| 0.5 * (f64::from(own > other) + f64::from(own >= other)));
        if own.is_empty() { 0.5 } else { points.sum::<f64>() / own.len() as f64 }
    }
}

/// Rounds to a hundredth, far below the width of any interval.
pub(crate) fn rounded(points: f64) -> f64 {
    let rounded = (points * 100.0).round() / 100.0;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Fits ratings and their uncertainty. Equal groups in the same sequence and equal options give equal
/// numbers.
///
/// Intervals are percentile intervals. They are widened, because few groups underestimate the spread: by
/// Student's t quantile over the normal one, and by √(n / (n − 1)) for n groups.
///
/// # Errors
/// If there are no episodes, or the fit fails.
pub fn rate(orders: &Orders, options: &RateOptions) -> Result<Ratings, RatingError> {
    if orders.episodes() == 0 {
        return Err(RatingError::Empty);
    }
    let seats = options.fit.seats == SeatEffects::WhereMixed && orders.seats_are_mixed();
    let model = Model::new(orders, seats, options.fit.prior);
    let all = model.sample();
    let best = newton(&model, &all, vec![0.0; model.size()], PRECISE)?.at;
    let factor = || Cholesky::new(model.curvature(&all, &best)).ok_or(RatingError::NoMaximum);
    let factor = if model.is_sparse() { None } else { Some(factor()?) };
    model.count_work(factor.as_ref().map_or(0, Cholesky::work));
    let RateOptions { resamples, seed, threads, anchor, .. } = *options;
    let mut strengths = resample(&model, &best, factor.as_ref(), Drawing { resamples, seed, threads })?;
    let (competitors, groups) = (orders.competitors(), orders.groups());
    let effects = centred_over(strengths.split_off(competitors));

    let stretch = stretch(groups);
    let points: Vec<f64> = (0..competitors).map(|index| POINTS * (best[index] - best[anchor])).collect();
    let interval_of = |point: f64, values: &mut dyn Iterator<Item = f64>| {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let side = |part: f64| point + stretch * (quantile(&values, part) - point);
        let ends = (!values.is_empty()).then(|| [side(LOWER).min(point), side(UPPER).max(point)]);
        ends.filter(|[low, high]| low < high)
    };
    let shown: Vec<f64> = points.iter().map(|points| rounded(*points)).collect();
    let mut order: Vec<usize> = (0..competitors).collect();
    order.sort_by(|a, b| shown[*b].total_cmp(&shown[*a]).then(a.cmp(b)));
    let test = SignificanceTest { best: &best, strengths: &strengths, ends: ends(&strengths), stretch };
    let mut better_count = vec![0; competitors];
    let mut worse_count = vec![0; competitors];
    for (place, own) in order.iter().enumerate() {
        for other in &order[place + 1..] {
            if test.finds_better(*own, *other) {
                worse_count[*own] += 1;
                better_count[*other] += 1;
            }
        }
    }
    let ranks = ranks(&order, &shown);
    let bands = bands(&order, &test);
    let mut rank_at_most = if competitors <= MAX_TABLED_COMPETITORS {
        rank_chances(&strengths)
    } else {
        vec![Vec::new(); competitors]
    };
    let rated = (0..competitors).map(|index| {
        let differences = strengths[index].iter().zip(&strengths[anchor]);
        Rated {
            points: points[index],
            interval: interval_of(points[index], &mut differences.map(|(own, zero)| POINTS * (own - zero))),
            rank: ranks[index],
            rank_range: [1 + better_count[index], competitors - worse_count[index]],
            band: bands[index],
            rank_at_most: std::mem::take(&mut rank_at_most[index]),
        }
    });
    let competitors = rated.collect();
    let centre = centred(&best[orders.competitors()..]);
    let seat_effects = centre.iter().enumerate().map(|(seat, effect)| SeatEffect {
        seat,
        points: POINTS * effect,
        interval: interval_of(POINTS * effect, &mut effects[seat].iter().map(|value| POINTS * value)),
    });
    Ok(Ratings {
        competitors,
        seats: seat_effects.collect(),
        groups,
        episodes: orders.episodes(),
        resamples,
        anchor,
        work: model.work(),
        strengths,
    })
}

/// Centres seat effects in each resample.
fn centred_over(mut effects: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let seats = effects.len();
    for resample in 0..effects.first().map_or(0, Vec::len) {
        let mean = effects.iter().map(|own| own[resample]).sum::<f64>() / seats as f64;
        effects.iter_mut().for_each(|own| own[resample] -= mean);
    }
    effects
}

/// The test whether one competitor is significantly better than another. It uses the same stretched interval
/// as the points, so bands and rank ranges agree with the displayed intervals.
struct SignificanceTest<'a> {
    best: &'a [f64],
    strengths: &'a [Vec<f64>],
    /// Minimum and maximum strength of each competitor in the resamples.
    ends: Vec<[f64; 2]>,
    stretch: f64,
}

fn ends(strengths: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let fold = |own: &Vec<f64>| {
        own.iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], own| [low.min(*own), high.max(*own)])
    };
    strengths.iter().map(fold).collect()
}

impl SignificanceTest<'_> {
    /// True if the displayed difference is above 0, and so is the lower end of its 95 % interval. The end
    /// lies between two adjacent order statistics, so nothing is sorted. The loop over resamples stops early
    /// for insignificant pairs.
    fn finds_better(&self, own: usize, other: usize) -> bool {
        let difference = self.best[own] - self.best[other];
        if rounded(POINTS * difference) <= 0.0 {
            return false;
        }
        let least = difference - difference / self.stretch;
        let (drawn, against) = (&self.strengths[own], &self.strengths[other]);
        let Some(last) = drawn.len().checked_sub(1) else { return false };
        if self.ends[own][0] - self.ends[other][1] > least {
            return true;
        }
        let at = LOWER * last as f64;
        let (low, high) = (at.floor() as usize, at.ceil() as usize);
        let (mut below, mut highest_below, mut lowest_above) = (0, f64::NEG_INFINITY, f64::INFINITY);
        for (own, other) in drawn.iter().zip(against) {
            let drawn = own - other;
            if drawn > least {
                lowest_above = lowest_above.min(drawn);
                continue;
            }
            below += 1;
            highest_below = highest_below.max(drawn);
            if below > high {
                return false;
            }
        }
        // Both neighbours of the quantile are above `least`, or the interpolation between them decides.
        below <= low || highest_below + (at - low as f64) * (lowest_above - highest_below) > least
    }
}

/// Probabilities at the ends of a 95 % interval.
const LOWER: f64 = 0.025;
const UPPER: f64 = 0.975;

/// The quantile at probability `part`, interpolated linearly between order statistics.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let at = part * last as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

/// Factor that widens intervals of `groups` units: Student's quantile over the normal one, times a correction
/// of the bootstrap's shrinkage. One group has no spread and counts as two.
fn stretch(groups: usize) -> f64 {
    let groups = groups.max(2);
    let degrees = groups - 1;
    t_quantile(degrees as u64) / Z * (groups as f64 / degrees as f64).sqrt()
}

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Ranks by competitor; equal displayed points share the better rank.
fn ranks(order: &[usize], shown: &[f64]) -> Vec<usize> {
    let mut ranks = vec![1; order.len()];
    for (place, pair) in (2..).zip(order.windows(2)) {
        let alike = shown[pair[0]].total_cmp(&shown[pair[1]]).is_eq();
        ranks[pair[1]] = if alike { ranks[pair[0]] } else { place };
    }
    ranks
}

/// `[competitor, k]`: probability of rank k or better.
fn rank_chances(strengths: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let competitors = strengths.len();
    let resamples = strengths.first().map_or(0, Vec::len);
    let mut counts = vec![vec![0.0; competitors]; competitors];
    let mut order: Vec<usize> = (0..competitors).collect();
    for resample in 0..resamples {
        let drawn: Vec<f64> = strengths.iter().map(|own| own[resample]).collect();
        order.sort_by(|a, b| drawn[*b].total_cmp(&drawn[*a]).then(a.cmp(b)));
        for (rank, competitor) in order.iter().enumerate() {
            counts[*competitor][rank] += 1.0;
        }
    }
    for row in &mut counts {
        let mut sum = 0.0;
        for count in row {
            sum += *count;
            *count = if resamples == 0 { 0.0 } else { sum / resamples as f64 };
        }
    }
    counts
}

/// Bands by competitor. In the order of `order`, a new band begins at each competitor that is significantly
/// worse than the first of the current band.
fn bands(order: &[usize], test: &SignificanceTest<'_>) -> Vec<usize> {
    let mut bands = vec![1; order.len()];
    let mut leader = order[0];
    let mut band = 1;
    for competitor in order {
        if test.finds_better(leader, *competitor) {
            band += 1;
            leader = *competitor;
        }
        bands[*competitor] = band;
    }
    bands
}
