//! Intervals by the bootstrap over deal groups (Efron 1979; cluster form, Davison and Hinkley 1997, §3.8).
//!
//! All rotations of one deal are one unit: they share their cards, so they are no independent evidence.

use meeple_core::{EpisodeSeed, Stream};
use meeple_lab::t_quantile;
use serde::Serialize;

use super::fit::{Cholesky, FitOptions, POINTS, RatingError, SeatEffects, centred, chord, newton};
use super::likelihood::Model;
use super::orders::Orders;

/// How ratings are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateOptions {
    /// The fit.
    pub fit: FitOptions,
    /// The competitor whose rating is 0 by definition.
    pub anchor: usize,
    /// Resamples.
    pub resamples: usize,
    /// Seed of the resampling.
    pub seed: u64,
}

impl Default for RateOptions {
    fn default() -> Self {
        Self { fit: FitOptions::default(), anchor: 0, resamples: 1000, seed: 1 }
    }
}

/// The rating of one competitor.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rated {
    /// Elo-like points above the anchor: 400 are odds of ten to one.
    pub points: f64,
    /// 95 % interval of `points`; [0, 0] for the anchor.
    pub interval: [f64; 2],
    /// Place by points, from 1; standings have one of their own. Those whose points are the same to a hundredth share the better place.
    #[serde(skip)]
    pub rank: usize,
    /// Best and worst rank it may have: 1 + those surely better, and all but those surely worse. One is surely
    /// better than another if the 95 % interval of the difference of their points lies above 0.
    pub rank_range: [usize; 2],
    /// Band, from 1: those of one band are not surely worse than the band's first.
    pub band: usize,
    /// Chance that its rank is k or better, at index k − 1.
    pub rank_at_most: Vec<f64>,
}

/// The effect of one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatEffect {
    /// The seat.
    pub seat: usize,
    /// Points above the mean seat.
    pub points: f64,
    /// 95 % interval.
    pub interval: [f64; 2],
}

/// The ratings of all competitors.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// By competitor.
    pub competitors: Vec<Rated>,
    /// Chance that the row's competitor is better than the column's, by row.
    pub better: Vec<Vec<f64>>,
    /// By seat; empty if seats have no effects in the fit.
    pub seats: Vec<SeatEffect>,
    /// Deal groups they rest on.
    pub groups: usize,
    /// Episodes they rest on.
    pub episodes: usize,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// The anchor's index.
    pub anchor: usize,
}

/// A hundredth of a point is far below every interval.
pub(crate) fn rounded(points: f64) -> f64 {
    let rounded = (points * 100.0).round() / 100.0;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Fits ratings and their uncertainty. A function of its arguments: the same orders in the same sequence of
/// groups, the same options, the same numbers.
///
/// The interval is the percentile interval, stretched by the quantile of Student's t over the normal one,
/// because few groups scatter less than they should. In every resample the prior game of each competitor is
/// won to a random part, so that a competitor that won everything does not look certain.
///
/// # Errors
/// If there is nothing to fit.
pub fn rate(orders: &Orders, options: &RateOptions) -> Result<Ratings, RatingError> {
    if orders.episodes() == 0 {
        return Err(RatingError::Empty);
    }
    let seats = options.fit.seats == SeatEffects::WhereMixed && orders.seats_are_mixed();
    let mut model = Model::new(orders, seats, options.fit.prior);
    let counts = orders.counts();
    let best = newton(&model, &counts, vec![0.0; model.size()])?.at;
    let factor = Cholesky::new(model.curvature(&counts, &best)).ok_or(RatingError::NoMaximum)?;
    let (competitors, groups) = (orders.competitors(), orders.groups());

    // By competitor, over resamples.
    let mut strengths = vec![Vec::with_capacity(options.resamples); competitors];
    let mut effects = vec![Vec::with_capacity(options.resamples); model.size() - competitors];
    let mut resampled = vec![0.0; counts.len()];
    for resample in 0..options.resamples {
        let mut stream = Stream::from_seed(EpisodeSeed::new(options.seed ^ 0xb007, resample as u64).bits());
        resampled.fill(0.0);
        for _ in 0..groups {
            orders.count_group(stream.index(groups), &mut resampled);
        }
        for won in &mut model.won {
            *won = stream.unit();
        }
        let at = chord(&model, &resampled, &best, &factor)?;
        for (all, value) in strengths.iter_mut().zip(&at) {
            all.push(*value);
        }
        for (all, value) in effects.iter_mut().zip(centred(&at[competitors..])) {
            all.push(value);
        }
    }

    let stretch = stretch(groups);
    let anchor = options.anchor;
    let points: Vec<f64> = (0..competitors).map(|index| POINTS * (best[index] - best[anchor])).collect();
    let interval_of = |point: f64, values: &mut dyn Iterator<Item = f64>| {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let side = |part: f64| point + stretch * (quantile(&values, part) - point);
        if values.is_empty() { [point, point] } else { [side(0.025).min(point), side(0.975).max(point)] }
    };
    let better = table(competitors, |row, column| chance_better(&strengths[row], &strengths[column]));
    let rank_at_most = rank_chances(&strengths);
    let mut order: Vec<usize> = (0..competitors).collect();
    order.sort_by(|a, b| rounded(points[*b]).total_cmp(&rounded(points[*a])).then(a.cmp(b)));
    // The same interval as that of the points, so that bands and ranks say what the intervals say.
    let surely = table(competitors, |row, column| {
        let difference = POINTS * (best[row] - best[column]);
        rounded(difference) > 0.0 && better[row][column] > 0.5 && {
            let drawn = strengths[row].iter().zip(&strengths[column]);
            let drawn = &mut drawn.map(|(own, other)| POINTS * (own - other));
            interval_of(difference, drawn)[0] > 0.0
        }
    });
    let bands = bands(&order, &surely);
    let rated = (0..competitors).map(|index| {
        let differences = strengths[index].iter().zip(&strengths[anchor]);
        let surely_better = (0..competitors).filter(|other| surely[*other][index]).count();
        let surely_worse = (0..competitors).filter(|other| surely[index][*other]).count();
        Rated {
            points: points[index],
            interval: interval_of(points[index], &mut differences.map(|(own, zero)| POINTS * (own - zero))),
            rank: 1 + points.iter().filter(|other| rounded(**other) > rounded(points[index])).count(),
            rank_range: [1 + surely_better, competitors - surely_worse],
            band: bands[index],
            rank_at_most: rank_at_most[index].clone(),
        }
    });
    let centre = centred(&best[competitors..]);
    let seat_effects = centre.iter().enumerate().map(|(seat, effect)| SeatEffect {
        seat,
        points: POINTS * effect,
        interval: interval_of(POINTS * effect, &mut effects[seat].iter().map(|value| POINTS * value)),
    });
    Ok(Ratings {
        competitors: rated.collect(),
        seats: seat_effects.collect(),
        better,
        groups,
        episodes: orders.episodes(),
        resamples: options.resamples,
        anchor,
    })
}

/// A table of all against all.
fn table<T>(size: usize, cell: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    (0..size).map(|row| (0..size).map(|column| cell(row, column)).collect()).collect()
}

/// Linear between the order statistics.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let at = part * last as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

/// How much wider an interval must be for `groups` units: Student's quantile over the normal one, and the
/// bootstrap's own shrinkage. One group does not say how far groups scatter: it is taken as two.
fn stretch(groups: usize) -> f64 {
    let groups = groups.max(2);
    let degrees = groups - 1;
    t_quantile(degrees as u64) / Z * (groups as f64 / degrees as f64).sqrt()
}

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

fn chance_better(row: &[f64], column: &[f64]) -> f64 {
    let count: f64 = row
        .iter()
        .zip(column)
        .map(|(own, other)| 0.5 * (f64::from(own > other) + f64::from(own >= other)))
        .sum();
    if row.is_empty() { 0.5 } else { count / row.len() as f64 }
}

/// Chance of a rank of k or better, by competitor and k.
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

/// Bands by competitor: down the order, a new one begins with the first who is surely worse than the first of
/// the last band.
fn bands(order: &[usize], surely: &[Vec<bool>]) -> Vec<usize> {
    let mut bands = vec![1; order.len()];
    let mut leader = order[0];
    let mut band = 1;
    for competitor in order {
        if surely[leader][*competitor] {
            band += 1;
            leader = *competitor;
        }
        bands[*competitor] = band;
    }
    bands
}
