//! Answers about the strategies and the rules, with intervals over deals.

use meeple_core::{ActionKind, Stream};
use meeple_lab::pool::{self, Panicked, PoolWorker};
use meeple_lab::text::{percent_with_half, with_half};
use meeple_lab::{
    Histogram, LabError, StopFlag, mean_interval, resampled_interval, t_quantile, wilson_interval,
};
use meeple_theory::{Basin, TableGame, alpha_rank_limit, cyclic, gather, replicate, start};
use serde::Serialize;
use serde_json::Value;

use crate::plan::{Balance, TablePayoff};
use crate::play::PlayedTables;
use crate::point::{Games, POPULATION, Point, Sample, agents_noise};

const RESAMPLES: u64 = 200;
/// Number of random starts of the replicator dynamics: fewer for games whose steps take more work.
const STARTS: std::ops::RangeInclusive<u64> = 50..=1000;
/// Approximate work of a step times the number of starts.
const WORK: u64 = 500_000;
/// Minimum share of the equilibrium of a surviving strategy.
pub const SURVIVES: f64 = 0.01;

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    pub value: f64,
    /// `None` (null in JSON) if the deals were too alike for an interval, or the number is certain.
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    /// Ends of the interval; both are the number itself if there is no interval.
    pub fn ends(self) -> [f64; 2] {
        self.interval.unwrap_or([self.value; 2])
    }

    pub fn times(self, factor: f64) -> Self {
        let ends = |ends: [f64; 2]| {
            let [low, high] = ends.map(|end| factor * end);
            [low.min(high), low.max(high)]
        };
        Self { value: factor * self.value, interval: self.interval.map(ends) }
    }

    /// Text like `45.23 ± 0.10`.
    pub(crate) fn text(self) -> String {
        with_half(self.value, self.interval)
    }

    /// Text of a share, in percent.
    pub(crate) fn percent(self) -> String {
        percent_with_half(self.value, self.ends())
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct StrategyStanding {
    pub name: String,
    /// Gain among players of the uniform mixture, above their mean.
    pub field: Estimate,
    /// Share of the equilibrium.
    pub equilibrium: Estimate,
    /// Share of the resamples in which the strategy has at least [`SURVIVES`] of the equilibrium.
    pub survives: f64,
    /// Gain among players of the equilibrium, above their mean; negative for a strategy that does not
    /// survive.
    pub gain: Estimate,
    /// Share of the stationary distribution of alpha-rank.
    pub alpha_rank: Estimate,
}

#[derive(Clone, Debug, Serialize)]
pub struct ReplicatorLimit {
    pub shares: Vec<f64>,
    /// Share of the random starts that end here.
    pub starts: f64,
    /// True for a rest point, false for the mean of a cycle.
    pub rests: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct StrategyCycles {
    /// Share of the squared margins that no rating explains; noise alone makes it positive.
    pub share: Estimate,
    /// The clearest ring, as indices of strategies: each beats the next, and the last beats the first.
    pub clearest: Option<[usize; 3]>,
    /// Share of the resamples in which all three margins of that ring have the same sign.
    pub certainty: f64,
}

/// Statistics of games, per game unless said otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct CourseStatistics {
    /// Length in the game's unit.
    pub length: Estimate,
    pub decisions: Estimate,
    /// Number of consecutive decisions of a seat.
    pub decisions_a_turn: Estimate,
    /// Share of the decisions with one legal action; `None` where actions cannot be listed.
    pub forced: Option<Estimate>,
    pub lead_changes: Estimate,
    /// Share of games won by another seat than the leader at half of the decisions. Only games with a single
    /// winner and a leader at that time count.
    pub comebacks: Estimate,
    /// Share of the games by reason of their end.
    pub ends: Vec<Estimate>,
    /// Gains by seat, or by place in a drawn order of turns; empty if fillers have seats, too.
    pub spots: Vec<Estimate>,
}

/// Shares (`0..=1`) of the variance of a seat's gain, in games of different strategies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Luck {
    pub agents: Estimate,
    pub seats: Estimate,
    /// Part due to the seat that the deal favours, whoever sits there.
    pub deals_by_seat: Estimate,
    /// Part due to the strategy that the deal favours, wherever it sits.
    pub deals_by_strategy: Estimate,
    /// Differences between games of the same players and deal. They come from the seating, and from chance
    /// after different decisions.
    pub rest: Estimate,
}

#[derive(Clone, Debug, Serialize)]
pub struct Answers {
    pub format: u32,
    pub game: &'static str,
    pub variant: Value,
    pub seats: usize,
    pub seed: u64,
    pub pay_off: TablePayoff,
    /// Number of deals of every table.
    pub deals: u64,
    /// Number of multisets of strategies.
    pub tables: usize,
    /// Episodes of all tables.
    pub episodes: u64,
    pub length_unit: &'static str,
    pub ends: Vec<&'static str>,
    /// True if spots are places in a drawn order of turns instead of seats.
    pub spots_are_turns: bool,
    pub strategies: Vec<StrategyStanding>,
    /// Gain of the best strategy among players of the equilibrium: 0 in an exact equilibrium.
    pub equilibrium_gain: f64,
    /// `[row, column]`: gain of the row above the column, at tables of only these two strategies.
    pub margins: Vec<Vec<Estimate>>,
    /// `[row, column]`: gain of the row above the column, as a single player among players of the column.
    pub invasion: Vec<Vec<Estimate>>,
    pub cycles: StrategyCycles,
    /// Selection intensity from which on the order of alpha-rank stays the same.
    pub alpha: f64,
    /// Rest points and cycles of populations, by replicator dynamics from random starts.
    pub rests: Vec<ReplicatorLimit>,
    pub at_equilibrium: CourseStatistics,
    /// Statistics over all tables, equally weighted.
    pub at_all_tables: CourseStatistics,
    /// Minimum, 10 %, median, 90 % and maximum length of all games.
    pub lengths: [i64; 5],
    /// `None` if fillers have seats, too.
    pub luck: Option<Luck>,
}

/// Answers the questions, with intervals from resampled deals; independent of the number of threads.
///
/// # Errors
/// If a thread panics.
pub fn answer(balance: &Balance, played: &PlayedTables) -> Result<Answers, LabError> {
    answer_briefly(balance, played).map(|(answers, _)| answers)
}

/// Statistics compared between rules, of all deals or of one resample. Resamples draw the same deals for all
/// rules.
#[derive(Clone, Debug)]
pub(crate) struct Brief {
    /// Mean length over all tables, equally weighted.
    pub length: f64,
    spots: Vec<f64>,
    equilibrium: Vec<f64>,
}

impl Brief {
    /// Gain of the best spot above the worst.
    pub fn unfairness(&self) -> f64 {
        gap(self.spots.iter().copied())
    }

    /// Share of the equilibrium that moves to other strategies (total variation distance).
    pub fn distance(&self, other: &Self) -> f64 {
        let pairs = self.equilibrium.iter().zip(&other.equilibrium);
        0.5 * pairs.map(|(own, other)| (own - other).abs()).sum::<f64>()
    }
}

/// Maximum minus minimum; 0 without numbers.
pub(crate) fn gap(numbers: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = numbers
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    if low <= high { high - low } else { 0.0 }
}

/// An estimate from `numbers`: the number of all deals, followed by those of the resamples.
pub(crate) fn paired(deals: u64, numbers: Vec<f64>) -> Estimate {
    let (value, samples) = numbers.split_first().expect("all deals come first");
    mean_estimate(*value, samples, deals)
}

/// Like [`paired`], for shares, which may be near 0 or 1.
pub(crate) fn paired_shares(deals: u64, mut numbers: Vec<f64>) -> Estimate {
    let value = numbers.remove(0);
    share_estimate(value, numbers, deals)
}

/// Interval of a share from quantiles of its resamples. They are 2.5 % and 97.5 %, or farther out for few
/// deals, like Student's quantile relative to the normal one (Hesterberg 2015).
fn share_estimate(value: f64, mut samples: Vec<f64>, deals: u64) -> Estimate {
    samples.sort_by(f64::total_cmp);
    let tail = tail_of_resamples(deals);
    let at = |share: f64| samples[((samples.len() - 1) as f64 * share).round() as usize];
    Estimate { value, interval: resampled_interval([at(tail).min(value), at(1.0 - tail).max(value)]) }
}

/// Interval of an approximately normal number, from its resamples.
fn mean_estimate(value: f64, samples: &[f64], deals: u64) -> Estimate {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // The variance of resamples of n deals is too small by the factor (n - 1) / n. It is 1/n of the variance
    // between deals.
    let deals = deals as f64;
    let sd = (variance * deals / (deals - 1.0) * deals).sqrt();
    let interval = mean_interval(value, sd, deals);
    let least = 2e-6 * value.abs().max(1e-3);
    Estimate { value, interval: interval.filter(|[low, high]| high - low >= least) }
}

/// Like [`answer`]; also returns the statistics compared between rules, of all deals and then of the
/// resamples.
///
/// # Errors
/// If a thread panics.
pub(crate) fn answer_briefly(
    balance: &Balance,
    played: &PlayedTables,
) -> Result<(Answers, Vec<Brief>), LabError> {
    let noise = agents_noise(played);
    let ones = vec![1; played.deals];
    let first = Sample { played, weights: &ones, alpha: 0.0, noise }.point();
    let limit = alpha_rank_limit(&first.margins, POPULATION);
    let alpha = limit.alpha;
    let point = Point { alpha_rank: limit.shares, ..first };
    let samples = resample(balance, played, alpha, noise)?;
    let of = Samples { point: &point, samples: &samples, deals: played.deals as u64 };
    let count = balance.strategies.len();
    let strategies = (0..count).map(|index| of.standing(index, balance.strategies[index].name.clone()));
    let strategies: Vec<StrategyStanding> = strategies.collect();
    let matrix = |at: &dyn Fn(&Point, usize, usize) -> f64| -> Vec<Vec<Estimate>> {
        let row = |row| (0..count).map(|column| of.mean(&|point| at(point, row, column))).collect();
        (0..count).map(row).collect()
    };
    let clearest = cyclic(&point.margins).clearest;
    let certain = |point: &Point| {
        let ring = |[a, b, c]: [usize; 3]| [(a, b), (b, c), (c, a)];
        clearest
            .is_some_and(|three| ring(three).iter().all(|(own, other)| point.margins.at(*own, *other) > 0.0))
    };
    let info = balance.game.info();
    let listed = info.actions == ActionKind::Listed;
    let quantile = |share: f64| played.lengths.quantile(share).unwrap_or(0);
    let rests = rests(balance, &point.game)?;
    let brief = |point: &Point| Brief {
        length: point.all.length,
        spots: point.all.spots.clone(),
        equilibrium: point.equilibrium.clone(),
    };
    let briefs = std::iter::once(&point).chain(&samples).map(brief).collect();
    let answers = Answers {
        format: 1,
        game: info.id,
        variant: balance.game.variant(),
        seats: balance.seats,
        seed: balance.seed,
        pay_off: balance.pay_off,
        deals: balance.deals,
        tables: played.tables.len(),
        episodes: balance.episodes(),
        length_unit: info.length_unit,
        ends: info.ends.to_vec(),
        spots_are_turns: balance.game.draws_turn_order(),
        equilibrium_gain: point.gains.iter().copied().fold(0.0, f64::max),
        margins: matrix(&|point, row, column| point.margins.at(row, column)),
        invasion: matrix(&|point, row, column| point.invasion.at(row, column)),
        cycles: StrategyCycles {
            share: of.share(&|point| point.cyclic),
            clearest,
            certainty: samples.iter().filter(|point| certain(point)).count() as f64 / samples.len() as f64,
        },
        alpha,
        rests,
        at_equilibrium: of.course(|point| &point.best, listed),
        at_all_tables: of.course(|point| &point.all, listed),
        lengths: lengths(&played.lengths, quantile),
        luck: balance.filler.is_none().then(|| Luck {
            agents: of.share(&|point| point.luck.agents),
            seats: of.share(&|point| point.luck.seats),
            deals_by_seat: of.share(&|point| point.luck.deals_by_seat),
            deals_by_strategy: of.share(&|point| point.luck.deals_by_strategy),
            rest: of.share(&|point| point.luck.rest),
        }),
        strategies,
    };
    Ok((answers, briefs))
}

/// The fraction of resamples below a 95 % interval: 2.5 % for many deals, less for few.
fn tail_of_resamples(deals: u64) -> f64 {
    let z = t_quantile(deals - 1) * (deals as f64 / (deals - 1) as f64).sqrt();
    // Upper tail of the normal distribution (Abramowitz and Stegun, 26.2.17).
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let terms = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum
}

fn lengths(lengths: &Histogram, quantile: impl Fn(f64) -> i64) -> [i64; 5] {
    [lengths.min().unwrap_or(0), quantile(0.1), quantile(0.5), quantile(0.9), lengths.max().unwrap_or(0)]
}

/// The statistics of deals drawn with replacement.
fn resample(
    balance: &Balance,
    played: &PlayedTables,
    alpha: f64,
    noise: f64,
) -> Result<Vec<Point>, LabError> {
    let deals = played.deals;
    on_all_cores(balance, RESAMPLES, |number| {
        let mut stream = Stream::from_seed(balance.seed ^ (0x6261_6c61_6e63_6500 + number));
        let mut weights = vec![0; deals];
        for _ in 0..deals {
            weights[stream.below(deals as u32) as usize] += 1;
        }
        // Drawing with replacement adds as much noise again.
        Sample { played, weights: &weights, alpha, noise: 2.0 * noise }.point()
    })
}

fn rests(balance: &Balance, game: &TableGame) -> Result<Vec<ReplicatorLimit>, LabError> {
    let strategies = game.strategies();
    let starts = (WORK / game.work() as u64).clamp(*STARTS.start(), *STARTS.end());
    let rests = on_all_cores(balance, starts, |number| {
        replicate(game, &start(strategies, balance.seed, number as usize))
    })?;
    let rest = |basin: Basin| ReplicatorLimit {
        shares: basin.shares,
        starts: basin.starts as f64 / starts as f64,
        rests: basin.rests,
    };
    Ok(gather(rests).into_iter().map(rest).collect())
}

/// The results of `work` for the numbers below `count`, in order.
fn on_all_cores<T: Send>(
    balance: &Balance,
    count: u64,
    work: impl Fn(u64) -> T + Sync,
) -> Result<Vec<T>, LabError> {
    let work = |_: &mut PoolWorker<'_, usize, ()>, number: u64| work(number);
    let mut results = Vec::new();
    let numbers = (0..count).map(|number| ((), number));
    pool::in_order(balance.threads, numbers, &StopFlag::new(), work, |(), result| {
        let last = balance.episodes();
        results.push(result.map_err(|Panicked { message }| LabError::Panic { first: 0, last, message })?);
        Ok::<_, LabError>(())
    })?;
    Ok(results)
}

/// The statistics of all deals, and of each resample.
struct Samples<'a> {
    point: &'a Point,
    samples: &'a [Point],
    deals: u64,
}

impl Samples<'_> {
    fn mean(&self, number: &dyn Fn(&Point) -> f64) -> Estimate {
        let samples: Vec<f64> = self.samples.iter().map(number).collect();
        mean_estimate(number(self.point), &samples, self.deals)
    }

    fn share(&self, number: &dyn Fn(&Point) -> f64) -> Estimate {
        share_estimate(number(self.point), self.samples.iter().map(number).collect(), self.deals)
    }

    /// The estimate of a share of games. If all games were alike, the interval is Wilson's, because unplayed
    /// games may differ.
    fn part(&self, number: &dyn Fn(&Point) -> f64) -> Estimate {
        let Estimate { value, interval } = self.share(number);
        let whole = |share: f64| if share > 1.0 - 1e-9 { 1.0 } else { share };
        let (value, interval) = (whole(value), interval.and_then(|ends| resampled_interval(ends.map(whole))));
        let is_end = value <= 0.0 || value >= 1.0;
        let alike = || is_end.then(|| wilson_interval(value, self.deals as f64));
        Estimate { value, interval: interval.or_else(alike) }
    }

    fn standing(&self, index: usize, name: String) -> StrategyStanding {
        let survives = |point: &&Point| point.equilibrium[index] >= SURVIVES;
        StrategyStanding {
            name,
            field: self.mean(&|point| point.field[index]),
            equilibrium: self.share(&|point| point.equilibrium[index]),
            survives: self.samples.iter().filter(survives).count() as f64 / self.samples.len() as f64,
            gain: self.mean(&|point| point.gains[index]),
            alpha_rank: self.share(&|point| point.alpha_rank[index]),
        }
    }

    fn course(&self, games: fn(&Point) -> &Games, listed: bool) -> CourseStatistics {
        let ends = games(self.point).ends.len();
        let spots = games(self.point).spots.len();
        CourseStatistics {
            length: self.mean(&|point| games(point).length),
            decisions: self.mean(&|point| games(point).decisions),
            decisions_a_turn: self.mean(&|point| games(point).decisions_a_turn),
            forced: listed.then(|| self.mean(&|point| games(point).forced)),
            lead_changes: self.mean(&|point| games(point).lead_changes),
            comebacks: self.part(&|point| games(point).comebacks),
            ends: (0..ends).map(|end| self.part(&|point| games(point).ends[end])).collect(),
            spots: (0..spots).map(|spot| self.mean(&|point| games(point).spots[spot])).collect(),
        }
    }
}
