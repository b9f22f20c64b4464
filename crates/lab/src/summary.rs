//! Summary of a run: shares, means and intervals from its exact counts.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::deals::{GroupSums, SHARE};
use crate::figures::{FigureDefinition, Spread, meanings, split};
use crate::histogram::{FigureSums, Histogram, Moments};
use crate::intervals::{mean_of_units, share_of_units, wilson_interval, win_share_of_units};
use crate::named::{JsonText, Name, Named, insert_behind, shared};
use crate::place::PlaceCounts;
use crate::simulation::{Simulation, seating_word};
use crate::tally::Tally;

const FORMAT: u32 = 1;

/// Statistics of a run. The JSON form has the same keys for every game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Version of the JSON form: 1.
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// Version of the rules as implemented.
    pub rules_version: u32,
    /// Every variant parameter.
    pub variant: JsonText,
    /// The line-up, in words that parse back to it.
    pub line_up: Vec<String>,
    /// Assignment of players to seats.
    pub seating: &'static str,
    /// The root seed.
    pub seed: u64,
    /// Episodes played.
    pub episodes: u64,
    /// Results by entry of the line-up.
    pub agents: Vec<AgentSummary>,
    /// Results by seat, over all players.
    pub seats: Vec<SeatSummary>,
    /// Results by turn position, in games that draw it; results by seat carry no information there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnSummary>,
    /// Episodes by end reason, in the game's order.
    pub ends: Named<u64>,
    /// Lengths of the episodes, in `length_unit`.
    pub length: LengthSummary,
    /// The game's numeric figures: of the episode, then of a seat over all seats. The key of an episode
    /// figure is `figure_NAME` if a seat figure has the same name, as in the columns.
    pub stats: Named<Spread>,
    /// The categorical figures: counts by word, or by player at the named seat.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub categories: Named<Named<u64>>,
    /// Units of the figures; shared by the cells of a sweep.
    #[serde(serialize_with = "shared")]
    pub units: Arc<Named<&'static str>>,
    /// Meanings of the figures; shared by the cells of a sweep.
    #[serde(serialize_with = "shared")]
    pub figures: Arc<Named<FigureDefinition>>,
    /// Unit of scores.
    pub score_unit: &'static str,
    /// Unit of lengths.
    pub length_unit: &'static str,
    /// Mean number of decisions in an episode.
    pub decisions_per_episode: f64,
}

/// One entry of the line-up.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentSummary {
    /// Name, unique in the line-up.
    pub name: String,
    /// Spec of the agent.
    pub spec: String,
    /// Seats that the agent fills in every episode.
    pub seats_per_episode: u32,
    /// Results over all seats of the entry.
    #[serde(flatten)]
    pub results: Results,
    /// Distribution of the entry's scores.
    pub score: Quantiles,
    /// The game's numeric seat figures.
    pub stats: Named<Spread>,
    /// The game's categorical seat figures.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub categories: Named<Named<u64>>,
    /// Results by seat, for the seats that the agent had.
    pub by_seat: Vec<AtSeat>,
    /// Results by turn position, in games that draw it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_turn: Vec<AtTurn>,
}

/// Results of one seat over all players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatSummary {
    /// The seat, from 0.
    pub seat: usize,
    /// Results there, over all players.
    #[serde(flatten)]
    pub results: Results,
}

/// Results of one turn position over all players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TurnSummary {
    /// The position, from 1.
    pub turn: usize,
    /// Results there, over all players.
    #[serde(flatten)]
    pub results: Results,
}

/// Results of one entry at one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AtSeat {
    /// The seat, from 0.
    pub seat: usize,
    /// Results of the entry there.
    #[serde(flatten)]
    pub visits: Visits,
}

/// Results of one entry at one turn position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AtTurn {
    /// The position, from 1.
    pub turn: usize,
    /// Results of the entry there.
    #[serde(flatten)]
    pub visits: Visits,
}

/// Results of one entry at one spot of the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Visits {
    /// Number of episodes there.
    pub episodes: u64,
    /// Number of sole first places.
    pub wins: u64,
    /// Number of shared first places.
    pub draws: u64,
    /// Mean score, in the game's unit.
    pub mean_score: f64,
    /// Standard deviation of the score, with n - 1.
    pub sd_score: Option<f64>,
    /// 95 % interval of the mean score.
    pub mean_score_ci: Option<[f64; 2]>,
}

/// Wins, draws, losses and scores. All intervals are at 95 %.
///
/// `episodes` counts each seat of an entry. The seats of an entry are dependent (only one can win), so its
/// intervals take the *episode* as their unit. Scores and shares use means per episode; wins, draws and
/// losses use Wilson's interval at the number of independent trials of equal variance. With n units,
/// variances between them are estimates, so Student's t with n - 1 degrees of freedom applies. If all units
/// were alike, the interval bounds the share of differing units.
///
/// With the seating `deals`, n consecutive episodes share their deal. That whole group is then the unit, for
/// entries and for seats; an incomplete last group counts in the means alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Results {
    /// Seats played: episodes times seats per episode.
    pub episodes: u64,
    /// Sole first places.
    pub wins: u64,
    /// Shared first places.
    pub draws: u64,
    /// Number of times without a first place.
    pub losses: u64,
    /// Interval of the share of wins (Wilson).
    pub win_ci: [f64; 2],
    /// Interval of the share of draws (Wilson).
    pub draw_ci: [f64; 2],
    /// Interval of the share of losses (Wilson).
    pub loss_ci: [f64; 2],
    /// Mean share of the win: 1 for a sole winner, 1/k for one of k winners.
    pub win_share: f64,
    /// Interval of the win share (Student's, clipped to `0..=1`). The interval is Wilson's if every episode
    /// gave the same 0 or 1, and `0..=1` for a single unit. Its width is zero for an entry with all seats of
    /// the table.
    pub win_share_ci: [f64; 2],
    /// Mean score, in the game's unit.
    pub mean_score: f64,
    /// Sample standard deviation of the score, with n - 1; `None` for a single score.
    pub sd_score: Option<f64>,
    /// Interval of the mean score (Student's); `None` for a single unit or equal scores.
    pub mean_score_ci: Option<[f64; 2]>,
}

/// Distribution of integers. A quantile is the smallest value that the given share of values does not exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Quantiles {
    /// The smallest value.
    pub min: i64,
    /// The quantile of 10 %.
    pub p10: i64,
    /// The median.
    pub p50: i64,
    /// The quantile of 90 %.
    pub p90: i64,
    /// The largest value.
    pub max: i64,
}

impl Quantiles {
    pub(crate) fn all(&self) -> [i64; 5] {
        [self.min, self.p10, self.p50, self.p90, self.max]
    }
}

/// The lengths of the episodes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LengthSummary {
    /// Mean length.
    pub mean: f64,
    /// Sample standard deviation, with n - 1; `None` for a single episode.
    pub sd: Option<f64>,
    /// Distribution of the lengths.
    #[serde(flatten)]
    pub quantiles: Quantiles,
}

/// Elapsed time and speed. Separate from the [`Summary`], which is the same on every machine.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct RunTiming {
    /// Seconds spent playing and counting.
    pub seconds: f64,
    /// Episodes played in that time.
    pub episodes: u64,
    /// Episodes per second, all threads together.
    pub episodes_per_second: f64,
    /// Decisions per second, all threads together.
    pub decisions_per_second: f64,
    /// Number of threads.
    pub threads: usize,
}

impl Summary {
    /// Summarises a tally, which has at least one episode.
    pub(crate) fn new(simulation: &Simulation<'_>, tally: &Tally) -> Self {
        let info = simulation.game.info();
        let entries = simulation.line_up.entries();
        let names = entries.iter().map(|entry| Name::from(entry.name.clone()));
        let whose: Vec<Name> = std::iter::once(Name::from("nobody")).chain(names).collect();
        let figures = meanings(info);
        let (of_episode, of_seat) = figures.0.split_at(info.episode_figures.len());
        let of_seats =
            |sums: &[FigureSums], named: &dyn Fn(usize) -> Vec<u64>| split(of_seat, sums, &whose, named);
        let agents = entries.iter().enumerate().map(|(index, entry)| {
            let named = |figure: usize| tally.named_seats.of_seats(index, figure).to_vec();
            let (stats, categories) = of_seats(tally.seat_figures(index), &named);
            AgentSummary {
                name: entry.name.clone(),
                spec: entry.spec.to_string(),
                seats_per_episode: tally.sizes[index],
                results: entry_results(tally, index),
                score: quantiles(tally.scores(index)),
                stats,
                categories,
                by_seat: (0..tally.seats).filter_map(|seat| at_seat(tally, index, seat)).collect(),
                by_turn: (0..tally.seats).filter_map(|place| at_turn(tally, index, place)).collect(),
            }
        });
        let seats = (0..tally.seats).map(|seat| SeatSummary { seat, results: seat_results(tally, seat) });
        let places = 0..tally.turns.as_ref().map_or(0, |_| tally.seats);
        let mut over_seats = vec![FigureSums::default(); info.seat_figures.len()];
        for entry in 0..tally.sizes.len() {
            let sums = over_seats.iter_mut().zip(tally.seat_figures(entry));
            sums.for_each(|(sum, own)| sum.merge(own));
        }
        let (mut stats, mut categories) = split(of_episode, &tally.episode_figures, &whose, &|figure| {
            tally.named_seats.of_episodes(figure).to_vec()
        });
        let by_all = of_seats(&over_seats, &|figure| {
            let mut all = vec![0; whose.len()];
            for entry in 0..tally.sizes.len() {
                let own = tally.named_seats.of_seats(entry, figure);
                all.iter_mut().zip(own).for_each(|(sum, count)| *sum += count);
            }
            all
        });
        stats.0.extend(by_all.0.0);
        categories.0.extend(by_all.1.0);
        stats.0.shrink_to_fit();
        categories.0.shrink_to_fit();
        let lengths = tally.lengths.moments();
        Self {
            format: FORMAT,
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            variant: JsonText::new(&simulation.game.variant()),
            line_up: simulation.line_up.words(),
            seating: seating_word(simulation.seating),
            seed: simulation.seed,
            episodes: tally.episodes(),
            agents: agents.collect(),
            seats: seats.collect(),
            turns: places
                .map(|place| TurnSummary { turn: place + 1, results: turn_results(tally, place) })
                .collect(),
            ends: Named(
                info.ends.iter().zip(&tally.ends).map(|(end, count)| (Name::from(*end), *count)).collect(),
            ),
            length: LengthSummary {
                mean: lengths.mean(),
                sd: lengths.sd(),
                quantiles: quantiles(&tally.lengths),
            },
            stats,
            categories,
            units: Named(figures.0.iter().map(|(key, meaning)| (key.clone(), meaning.figure.unit)).collect())
                .into(),
            figures: figures.into(),
            score_unit: info.score_unit,
            length_unit: info.length_unit,
            decisions_per_episode: tally.decisions as f64 / tally.episodes().max(1) as f64,
        }
    }

    /// Shares equal data with another summary of the same game.
    pub(crate) fn share_with(&mut self, other: &Self) {
        if self.figures == other.figures && self.units == other.units {
            self.figures = Arc::clone(&other.figures);
            self.units = Arc::clone(&other.units);
        }
    }

    /// The summary as a JSON object; a timing adds `seconds`, `episodes_per_second` and
    /// `decisions_per_second` after `episodes`.
    pub fn to_json(&self, timing: Option<&RunTiming>) -> Value {
        let mut value = serde_json::to_value(self).expect("a summary is plain data with text keys");
        if let Some(timing) = timing {
            let RunTiming { seconds, episodes_per_second, decisions_per_second, .. } = *timing;
            let episodes = ("episodes_per_second", episodes_per_second);
            let decisions = ("decisions_per_second", decisions_per_second);
            insert_behind(&mut value, "episodes", [("seconds", seconds), episodes, decisions]);
        }
        value
    }
}

fn quantiles(histogram: &Histogram) -> Quantiles {
    let quantile = |share| histogram.quantile(share).unwrap_or(0);
    Quantiles {
        min: histogram.min().unwrap_or(0),
        p10: quantile(0.1),
        p50: quantile(0.5),
        p90: quantile(0.9),
        max: histogram.max().unwrap_or(0),
    }
}

fn at_seat(tally: &Tally, entry: usize, seat: usize) -> Option<AtSeat> {
    let deals = tally.deals.as_ref();
    let groups = deals.and_then(|deals| Some((deals.groups(), deals.place(entry, seat)?)));
    Some(AtSeat { seat, visits: visits(tally.place(entry, seat), tally.sizes[entry], groups)? })
}

fn at_turn(tally: &Tally, entry: usize, place: usize) -> Option<AtTurn> {
    let deals = tally.deals.as_ref();
    let groups = deals.and_then(|deals| Some((deals.groups(), deals.turn_place(entry, place)?)));
    let visits = visits(tally.turns.as_ref()?.place(entry, place), tally.sizes[entry], groups)?;
    Some(AtTurn { turn: place + 1, visits })
}

/// Results of an entry with `size` seats at one spot. `groups` are the number of deal groups and the moments
/// of its summed scores there per group, which has `size` visits.
fn visits(place: &PlaceCounts, size: u32, groups: Option<(u64, &Moments)>) -> Option<Visits> {
    let n = place.scores.count;
    let (mean, sd) = (place.scores.mean(), place.scores.sd());
    let mut interval = sd.and_then(|sd| mean_of_units(mean, sd, n, sd));
    if let Some((groups, scores)) = groups {
        let scale = 1.0 / f64::from(size);
        let between = scores.sd().map(|between| between * scale);
        interval = between.zip(sd).and_then(|(between, sd)| mean_of_units(mean, between, groups, sd));
    }
    (n > 0).then_some(Visits {
        episodes: n,
        wins: place.wins,
        draws: place.draws,
        mean_score: mean,
        sd_score: sd,
        mean_score_ci: interval,
    })
}

/// Mean and sample variance (n - 1; 0 for one unit) of a value times `scale`. `sum` and `squares` are the
/// sums of the value and of its square over all units.
fn mean_and_variance(units: u64, sum: f64, squares: f64, scale: f64) -> (f64, f64) {
    let n = units as f64;
    let mean = sum / n;
    let spread = squares - sum * mean;
    // Rounding errors of equal units count as zero spread.
    let variance = if units > 1 && spread > 1e-12 * squares { spread / (n - 1.0) } else { 0.0 };
    (mean * scale, variance * scale * scale)
}

/// Sum of win shares over units, and sum of their squares. `firsts` and `squared` have the number of first
/// places and its square, summed by number of winners.
fn win_shares(firsts: &[u64], squared: &[u64]) -> (f64, f64) {
    let by_winners = firsts.iter().zip(squared).enumerate().skip(1);
    by_winners.fold((0.0, 0.0), |(sum, squares), (winners, (first, square))| {
        let winners = winners as f64;
        (sum + *first as f64 / winners, squares + *square as f64 / (winners * winners))
    })
}

fn entry_results(tally: &Tally, entry: usize) -> Results {
    with_certain_share(uncertain_results(tally, entry), tally.sizes[entry] as usize == tally.seats)
}

/// Replaces the interval of an entry with all seats by one of zero width: its win share is certain.
fn with_certain_share(results: Results, has_all: bool) -> Results {
    let win_share_ci = if has_all { [results.win_share; 2] } else { results.win_share_ci };
    Results { win_share_ci, ..results }
}

struct Counted {
    scores: Moments,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Counted {
    fn at<'a>(places: impl Iterator<Item = &'a PlaceCounts>) -> Self {
        let mut all = PlaceCounts::default();
        places.for_each(|place| all.merge(place));
        let PlaceCounts { scores, wins, draws } = all;
        Self { scores, wins, draws, losses: scores.count - wins - draws }
    }

    /// `share_variance` is the variance of the win share over units, `score_sd` the standard deviation of
    /// scores between units.
    fn results(
        &self,
        [win_ci, draw_ci, loss_ci]: [[f64; 2]; 3],
        (win_share, share_variance): (f64, f64),
        score_sd: Option<f64>,
        units: u64,
    ) -> Results {
        let Self { scores, wins, draws, losses } = *self;
        Results {
            episodes: scores.count,
            wins,
            draws,
            losses,
            win_ci,
            draw_ci,
            loss_ci,
            win_share,
            win_share_ci: win_share_of_units(win_share, share_variance, units),
            mean_score: scores.mean(),
            sd_score: scores.sd(),
            mean_score_ci: mean_ci(&scores, score_sd, units),
        }
    }
}

fn uncertain_results(tally: &Tally, entry: usize) -> Results {
    let counted = Counted::at((0..tally.seats).map(|seat| tally.place(entry, seat)));
    let (units, scale) = (tally.episodes(), 1.0 / f64::from(tally.sizes[entry]));
    let shares = win_shares(tally.firsts(entry), tally.firsts_squared(entry));
    if let Some(deals) = &tally.deals {
        let group = f64::from(tally.sizes[entry]) * tally.seats as f64;
        return grouped_results(&counted, shares.0, deals.entry(entry), deals.groups(), group);
    }
    let Some(together) = tally.together(entry) else { return single_results(&counted, shares) };
    let interval = |sum: f64, squares: f64| {
        let (share, variance) = mean_and_variance(units, sum, squares, scale);
        share_of_units(share, variance, units)
    };
    // At most one seat wins, so an episode's number of wins equals its square.
    let wins = counted.wins as f64;
    let [draws, losses] =
        [together.draws, together.losses].map(|sums| interval(sums.sum as f64, sums.squares as f64));
    let share = mean_and_variance(units, shares.0, shares.1, scale);
    let score_sd = together.scores.sd().map(|sd| sd * scale);
    counted.results([interval(wins, wins), draws, losses], share, score_sd, units)
}

/// Interval of the mean score; `between` is the standard deviation between units.
fn mean_ci(scores: &Moments, between: Option<f64>, units: u64) -> Option<[f64; 2]> {
    between
        .zip(scores.sd())
        .and_then(|(between, single)| mean_of_units(scores.mean(), between, units, single))
}

fn seat_results(tally: &Tally, seat: usize) -> Results {
    let places = (0..tally.sizes.len()).map(|entry| tally.place(entry, seat));
    let groups = tally.deals.as_ref().map(|deals| (deals.seat(seat), deals.groups()));
    spot_results(tally.seats, places, &tally.seat_firsts(seat), groups)
}

fn turn_results(tally: &Tally, place: usize) -> Results {
    let turns = tally.turns.as_ref();
    let places = (0..tally.sizes.len()).filter_map(|entry| turns.map(|turns| turns.place(entry, place)));
    let firsts = turns.map_or(Vec::new(), |turns| turns.firsts(place));
    let groups = tally.deals.as_ref().map(|deals| (deals.turn(place), deals.groups()));
    spot_results(tally.seats, places, &firsts, groups)
}

/// Results of a spot, which is occupied in every episode. They follow from its counts by entry, its first
/// places by number of winners, and its sums over deal groups.
fn spot_results<'a>(
    seats: usize,
    places: impl Iterator<Item = &'a PlaceCounts>,
    firsts: &[u64],
    groups: Option<(&GroupSums, u64)>,
) -> Results {
    let counted = Counted::at(places);
    let shares = win_shares(firsts, firsts);
    match groups {
        Some((sums, groups)) => grouped_results(&counted, shares.0, sums, groups, seats as f64),
        None => with_certain_share(single_results(&counted, shares), seats == 1),
    }
}

/// Results for one seat in every episode, from the sum of its win shares and of their squares.
fn single_results(counted: &Counted, (share_sum, share_squares): (f64, f64)) -> Results {
    let units = counted.scores.count;
    let interval = |count: u64| wilson_interval(count as f64 / units as f64, units as f64);
    let share = mean_and_variance(units, share_sum, share_squares, 1.0);
    let intervals = [counted.wins, counted.draws, counted.losses].map(interval);
    counted.results(intervals, share, counted.scores.sd(), units)
}

/// Complete deal groups are the units of the intervals, each with `size` counted seats. An incomplete group
/// counts in the means only.
fn grouped_results(counted: &Counted, share_sum: f64, sums: &GroupSums, groups: u64, size: f64) -> Results {
    let count = counted.scores.count as f64;
    let variance = |sums: &Moments, unit: f64| {
        mean_and_variance(groups, sums.sum as f64, sums.squares as f64, 1.0 / (size * unit)).1
    };
    let interval =
        |times: u64, sums: &Moments| share_of_units(times as f64 / count, variance(sums, 1.0), groups);
    let intervals = [
        interval(counted.wins, &sums.wins),
        interval(counted.draws, &sums.draws),
        interval(counted.losses, &sums.losses),
    ];
    let share = (share_sum / count, variance(&sums.shares, SHARE as f64));
    counted.results(intervals, share, sums.scores.sd().map(|sd| sd / size), groups)
}
