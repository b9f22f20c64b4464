//! The standings of a tournament, computed from its record.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use meeple_bothost::{FaultCode, FaultRecord};
use serde::Serialize;
use serde_json::{Value, json};

use crate::contest::Contest;
use crate::error::ArenaError;
use crate::files::pretty;
use crate::plan::{Competitor, CompetitorKind, Failed, OrderBy, Plan};
use crate::rating::{
    Cycles, Entrant, FitOptions, Matchup, Matchups, Orders, RateOptions, Rated, Ratings, SeatEffect,
    SeatEffects, TABLED, cycles, rate, rounded,
};
use crate::row::{Placement, Played};
use crate::schedule::Kind;
use crate::seed::{Purpose, RootSeed};
use crate::store::{RatingRow, Store};
use meeple_lab::ClusterMean;
use meeple_lab::sprt::{SprtMatch, Verdict, bounds};

/// The standings of a tournament: a function of its plan and its episodes, so the same bytes however and how
/// often it was interrupted. Times are kept apart, in [`Times`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Version of this format: 4; 3 of plans of format 2.
    pub format: u32,
    /// The game's id, with the preset.
    pub game: String,
    /// Every variant parameter.
    pub variant: Value,
    /// Fingerprint of the plan.
    pub plan_hash: String,
    /// The schedule's kind.
    pub schedule: &'static str,
    /// Competitors at a table.
    pub table: u16,
    /// Seat rotations of a deal.
    pub rotations: u16,
    /// The root seed, as a text.
    pub seed: RootSeed,
    /// Episodes played.
    pub episodes: u64,
    /// Episodes planned.
    pub planned: u64,
    /// Deal groups played, some perhaps in part.
    pub deal_groups: u64,
    /// Deal groups that were not played from every seat yet.
    pub partial_groups: u64,
    /// What the order is by.
    pub order: OrderBy,
    /// What a score counts.
    pub score_unit: &'static str,
    /// By standing, best first.
    pub standings: Vec<Standing>,
    /// Entrants that do not play, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_played: Vec<NotPlayed>,
    /// Name of the competitor whose rating is 0; absent without ratings.
    pub anchor: Option<String>,
    /// Points by which a seat is better than the mean seat; empty if seats have no effects in the fit.
    pub seats: Vec<SeatEffect>,
    /// Chance that the row is better than the column, in the order of `standings`; empty for more than [`TABLED`].
    pub better: Vec<Vec<f64>>,
    /// Row against column, in the order of `standings`; absent where they never met. Empty for more than [`TABLED`].
    pub matchups: Vec<Vec<Option<Matchup>>>,
    /// For more than [`TABLED`] competitors, all who have met instead, in the order of `standings`: they have a file of
    /// their own.
    #[serde(skip)]
    pub pairs: Vec<Pair>,
    /// How much no rating can say; absent if no two competitors met.
    pub cycles: Option<Cycles>,
    /// Names of the clearest cycle, in the order of its shares.
    pub clearest_cycle: Option<[String; 3]>,
    /// The sequential test.
    pub sprt: Option<SprtResult>,
    /// Names of competitors that are the same player, in groups: mirrored deals give them equal games, so what is said
    /// of them against each other is no measurement. Empty where deals are not mirrored.
    pub same_players: Vec<Vec<String>>,
}

/// One competitor's standing.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Standing {
    /// Its place in the standings, from 1; equals share it when the order is by victories.
    pub rank: usize,
    /// Its name.
    pub name: String,
    /// What it runs.
    pub run: String,
    /// Whether it is a bot.
    pub kind: CompetitorKind,
    /// Rating; absent if nobody met anybody.
    pub rating: Option<Rated>,
    /// Episodes (seats, if it ever sat at several).
    pub episodes: u64,
    /// Times alone on the first place.
    pub wins: u64,
    /// Times on the first place with others.
    pub draws: u64,
    /// Times behind.
    pub losses: u64,
    /// Episodes that it forfeited, which are among the losses; absent in records of plan format 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeits: Option<u64>,
    /// Wins, a shared first place as 1/k, per episode.
    pub win_share: f64,
    /// 95 % interval over deal groups; `None` without episodes.
    pub win_share_ci: Option<[f64; 2]>,
    /// Mean score.
    pub mean_score: f64,
    /// 95 % interval over deal groups; `None` of fewer than two, or where all scores are the same.
    pub mean_score_ci: Option<[f64; 2]>,
    /// Standard deviation of single scores.
    pub sd_score: f64,
    /// How often it finished at each place among the competitors of its table, from first; ties share the
    /// better place.
    pub placements: Vec<u64>,
    /// Faults by code.
    pub faults: BTreeMap<String, u64>,
    /// Episodes with a fault.
    pub faulted_episodes: u64,
    /// Bytes that it wrote to stderr beyond its limit, which were dropped; absent if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// Why it was banned, if it was.
    pub banned: Option<String>,
}

/// An entrant that does not play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotPlayed {
    /// Its name.
    pub name: String,
    /// Spec of the agent or bot.
    pub run: String,
    /// Why it does not.
    pub reason: String,
}

/// Two that have met.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// The index in the standings of the one that stands before.
    pub own: usize,
    /// The index of the other.
    pub other: usize,
    /// What the first did against the other.
    pub matchup: Matchup,
    /// Chance that the first is better; absent without ratings.
    pub better: Option<f64>,
}

/// What the sequential test found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtResult {
    /// The competitor that may be ahead, and the other.
    pub of: [String; 2],
    /// The plan of the test.
    #[serde(flatten)]
    pub plan: SprtMatch,
    /// What it found.
    pub verdict: Verdict,
    /// Whole deal groups.
    pub groups: u64,
    /// Mean difference of a deal group.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Mean over standard deviation: what the hypotheses are about.
    pub effect: f64,
    /// The logarithm of the likelihood ratio; absent if it is infinite.
    pub log_ratio: Option<f64>,
    /// Where H0 and H1 are taken.
    pub bounds: [f64; 2],
}

/// A competitor's numbers while they are being collected.
struct Tally {
    /// What is counted one by one.
    own: Standing,
    win_share: ClusterMean,
    score: ClusterMean,
}

impl Tally {
    fn new(plan: &Plan, competitor: &Competitor) -> Self {
        let Competitor { name, run, kind, .. } = competitor.clone();
        let forfeits = (plan.placement() == Placement::ForfeitsLast).then_some(0);
        let own = Standing { name, run, kind, forfeits, ..Standing::default() };
        Self { own, win_share: ClusterMean::default(), score: ClusterMean::default() }
    }
}

impl Standings {
    /// Computes the standings from the record, with so many threads, 0 for all cores; their number does not change any
    /// result.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn compute(plan: &Plan, store: &Store, threads: usize) -> Result<Self, ArenaError> {
        let info = meeple_games::find_game(&plan.game)?.info();
        let count = plan.competitors.len();
        let mut tallies: Vec<Tally> = plan.competitors.iter().map(|own| Tally::new(plan, own)).collect();
        let mut orders = Orders::new(count);
        let mut matchups = Matchups::new(count);
        let mut contest = Contest::new(plan);
        let (mut groups, mut partial_groups) = (0, 0);
        let mut count_episode = |row: &Played| {
            let group = row.pairing.group;
            contest.add(row);
            let places = row.rated_places();
            let mut entrants = Vec::with_capacity(places.len());
            let mut duels = Vec::with_capacity(places.len());
            for (seat, competitor) in row.pairing.seats.iter().enumerate() {
                let tally = &mut tallies[usize::from(*competitor)];
                if let Some(forfeits) = &mut tally.own.forfeits {
                    *forfeits += u64::from(row.forfeits.contains(&(seat as u16)));
                }
                let first = row.is_first(seat);
                match (first, row.winners) {
                    (true, 1) => tally.own.wins += 1,
                    (true, _) => tally.own.draws += 1,
                    _ => tally.own.losses += 1,
                }
                tally.win_share.add(group, if first { 1.0 / f64::from(row.winners) } else { 0.0 });
                tally.score.add(group, row.scores[seat] as f64);
                let place = places.iter().filter(|other| **other < places[seat]).count();
                let placements = &mut tally.own.placements;
                placements.resize(placements.len().max(place + 1), 0);
                placements[place] += 1;
                entrants.push(Entrant { competitor: *competitor, seat: seat as u16, place: places[seat] });
                duels.push((*competitor, places[seat], row.scores[seat]));
            }
            orders.add(group, &entrants);
            matchups.add(group, &duels);
        };
        store.each_group(&mut |rows| {
            groups += 1;
            partial_groups += u64::from((rows.len() as u64) < plan.schedule.group_episodes());
            rows.iter().for_each(&mut count_episode);
        })?;
        // Faults of several bots in one episode come mixed.
        let mut last = vec![None; count];
        store.each_fault(&mut |episode, competitor, code, _| {
            let own = &mut tallies[usize::from(competitor)].own;
            *own.faults.entry(code.to_owned()).or_default() += 1;
            let last = &mut last[usize::from(competitor)];
            own.faulted_episodes += u64::from(last.replace(episode) != Some(episode));
        })?;
        store.each_time(|_, time| {
            if time.dropped_bytes > 0 {
                let own = &mut tallies[usize::from(time.competitor)].own;
                own.dropped_bytes = Some(own.dropped_bytes.unwrap_or(0) + time.dropped_bytes);
            }
        })?;
        for (competitor, _, reason) in store.bans()? {
            tallies[usize::from(competitor)].own.banned = Some(reason);
        }
        let ratings =
            (orders.episodes() > 0).then(|| rate(&orders, &rate_options(plan, threads))).transpose()?;
        let before = |a: usize, b: usize| better(plan, &tallies, ratings.as_ref(), a, b);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| before(*a, *b).then(a.cmp(b)));
        let ranks = ranks(&order, |a, b| before(a, b) == Ordering::Equal);
        let standing = |(own, rank): (&usize, usize)| {
            let rated = ratings.as_ref().map(|ratings| &ratings.competitors[*own]);
            tallies[*own].standing(plan, rank, rated)
        };
        let standings = order.iter().zip(ranks).map(standing).collect();
        let tabled: &[usize] = if count <= TABLED { &order } else { &[] };
        let better = ratings
            .as_ref()
            .map_or_else(Vec::new, |ratings| square(tabled, |row, column| ratings.better(row, column)));
        let pairs = if count <= TABLED { Vec::new() } else { pairs(&order, &matchups, ratings.as_ref()) };
        let cycles = if plan.schedule.kind == Kind::Alone { None } else { cycles(&matchups) };
        let names = plan.names();
        Ok(Self {
            format: if plan.format < 3 { 3 } else { 4 },
            game: match &plan.preset {
                Some(preset) => format!("{}/{preset}", plan.game),
                None => plan.game.clone(),
            },
            variant: plan.variant.clone(),
            plan_hash: plan.hash(),
            schedule: plan.schedule.kind.name(),
            table: plan.schedule.table,
            rotations: plan.schedule.rotations,
            seed: plan.schedule.seed,
            episodes: store.next(),
            planned: plan.schedule.episodes(),
            deal_groups: groups,
            partial_groups,
            order: plan.order,
            score_unit: info.score_unit,
            standings,
            not_played: plan.failed.iter().filter_map(NotPlayed::of).collect(),
            anchor: ratings.as_ref().map(|_| names[plan.rating.anchor].clone()),
            seats: ratings.map_or_else(Vec::new, |ratings| seats(plan, ratings.seats)),
            better,
            matchups: square(tabled, |row, column| matchups.of(row, column)),
            pairs,
            clearest_cycle: cycles
                .as_ref()
                .and_then(|cycles| cycles.clearest.as_ref())
                .map(|cycle| cycle.competitors.map(|index| names[index].clone())),
            cycles,
            sprt: sprt_result(plan, &contest),
            same_players: plan
                .same_players()
                .into_iter()
                .map(|group| group.into_iter().map(|index| names[index].clone()).collect())
                .collect(),
        })
    }

    /// The standings as JSON text.
    pub fn to_json(&self) -> String {
        pretty(self)
    }

    /// The table of ratings as it follows from the standings.
    pub(crate) fn rating_rows(&self, plan: &Plan) -> Vec<RatingRow> {
        let by_name = self.by_name();
        let row = |(index, competitor): (usize, &Competitor)| {
            let own = &self.standings[*by_name.get(competitor.name.as_str())?];
            let Rated { points, interval, band, .. } = *own.rating.as_ref()?;
            let [low, high] = interval.unwrap_or([points; 2]);
            Some((index as i64, points, low, high, own.rank as i64, band as i64))
        };
        plan.competitors.iter().enumerate().filter_map(row).collect()
    }

    /// The index of each standing by its competitor's name.
    pub(crate) fn by_name(&self) -> BTreeMap<&str, usize> {
        self.standings.iter().enumerate().map(|(index, own)| (own.name.as_str(), index)).collect()
    }

    /// Whether all planned episodes are played.
    pub fn is_complete(&self) -> bool {
        self.episodes == self.planned
    }
}

impl NotPlayed {
    /// `None` in plans of format 2, which do not say why.
    fn of(failed: &Failed) -> Option<Self> {
        let Failed { name, run, .. } = failed.clone();
        // The last words of a bot must not steer the terminal of who reads them.
        let mut reason = String::with_capacity(failed.reason.len());
        for c in failed.reason.chars() {
            if c.is_control() && c != '\n' { reason.extend(c.escape_default()) } else { reason.push(c) }
        }
        (!reason.is_empty()).then_some(Self { name, run, reason })
    }
}

fn rate_options(plan: &Plan, threads: usize) -> RateOptions {
    RateOptions {
        fit: FitOptions { prior: plan.rating.prior, seats: SeatEffects::WhereMixed },
        anchor: plan.rating.anchor,
        resamples: plan.rating.resamples,
        seed: plan.schedule.seed.word(Purpose::Ratings, 0),
        threads,
    }
}

/// Who of two competitors stands before the other, or that they are equal.
fn better(plan: &Plan, tallies: &[Tally], ratings: Option<&Ratings>, a: usize, b: usize) -> Ordering {
    let (own, other) = (&tallies[a], &tallies[b]);
    let by_score = || other.score.mean().total_cmp(&own.score.mean());
    let better = match (plan.order, ratings) {
        (OrderBy::Rating, Some(ratings)) => {
            let points = |index: usize| rounded(ratings.competitors[index].points);
            points(b).total_cmp(&points(a))
        }
        (OrderBy::Rating | OrderBy::Wins, _) => {
            other.win_share.mean().total_cmp(&own.win_share.mean()).then_with(by_score)
        }
        (OrderBy::Score, _) => by_score(),
        (OrderBy::Victories, _) => victories(&other.own).cmp(&victories(&own.own)),
    };
    let by_forfeits = own.own.forfeits.cmp(&other.own.forfeits);
    own.own.banned.is_some().cmp(&other.own.banned.is_some()).then(better).then(by_forfeits)
}

/// Whole victories: a shared first place is one too, a ban erases them.
fn victories(own: &Standing) -> u64 {
    if own.banned.is_some() { 0 } else { own.wins + own.draws }
}

/// A table of all in this order against all.
fn square<T>(order: &[usize], cell: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    order.iter().map(|row| order.iter().map(|column| cell(*row, *column)).collect()).collect()
}

/// All who have met, down this order.
fn pairs(order: &[usize], matchups: &Matchups, ratings: Option<&Ratings>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (own, row) in order.iter().enumerate() {
        for (other, column) in order.iter().enumerate().skip(own + 1) {
            if let Some(matchup) = matchups.of(*row, *column) {
                let better = ratings.map(|ratings| ratings.better(*row, *column));
                pairs.push(Pair { own, other, matchup, better });
            }
        }
    }
    pairs
}

/// Ranks down the order; equals share the better one.
fn ranks(order: &[usize], equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ranks: Vec<usize> = (1..=order.len()).collect();
    for at in 1..order.len() {
        if equal(order[at], order[at - 1]) {
            ranks[at] = ranks[at - 1];
        }
    }
    ranks
}

/// Intervals as records of plan format 2 have them: of width zero where all groups are alike, or there is only one.
mod format_2 {
    use meeple_lab::{ClusterMean, t_quantile};

    pub fn interval(own: &ClusterMean) -> [f64; 2] {
        let mean = own.mean();
        let half = own.error().map_or(0.0, |error| t_quantile(own.groups() - 1) * error);
        [mean - half, mean + half]
    }

    pub fn share_interval(own: &ClusterMean) -> [f64; 2] {
        let [low, high] = interval(own);
        [low.max(0.0), high.min(1.0)]
    }

    pub fn known(value: f64, interval: Option<[f64; 2]>) -> Option<[f64; 2]> {
        Some(interval.unwrap_or([value; 2]))
    }
}

/// Effects of seats with the intervals that the plan's format has.
fn seats(plan: &Plan, mut effects: Vec<SeatEffect>) -> Vec<SeatEffect> {
    for effect in effects.iter_mut().filter(|_| plan.has_zero_widths()) {
        effect.interval = format_2::known(effect.points, effect.interval);
    }
    effects
}

impl Tally {
    fn standing(&self, plan: &Plan, rank: usize, rated: Option<&Rated>) -> Standing {
        let episodes = self.own.wins + self.own.draws + self.own.losses;
        let zero_widths = plan.has_zero_widths();
        let rating = |rated: &Rated| {
            let (points, interval) = (rounded(rated.points), rated.interval.map(|ends| ends.map(rounded)));
            let interval = if zero_widths { format_2::known(points, interval) } else { interval };
            Rated { points, interval, ..rated.clone() }
        };
        let [win_share_ci, mean_score_ci] = if zero_widths {
            [format_2::share_interval(&self.win_share), format_2::interval(&self.score)].map(Some)
        } else {
            [self.win_share.share_interval(), self.score.interval()]
        };
        Standing {
            rank,
            rating: rated.map(rating),
            episodes,
            win_share: self.win_share.mean(),
            win_share_ci,
            mean_score: self.score.mean(),
            mean_score_ci,
            sd_score: self.score.sd(),
            ..self.own.clone()
        }
    }
}

fn sprt_result(plan: &Plan, contest: &Contest<'_>) -> Option<SprtResult> {
    let test = plan.sprt?;
    let sprt = &contest.sprt;
    let (mean, deviation) = sprt.mean_and_deviation();
    Some(SprtResult {
        of: [0, 1].map(|index: usize| plan.competitors[index].name.clone()),
        plan: test,
        verdict: sprt.verdict(),
        groups: sprt.groups(),
        mean,
        deviation,
        effect: sprt.effect(),
        log_ratio: Some(sprt.log_ratio(&test)).filter(|ratio| ratio.is_finite()),
        bounds: bounds(&test),
    })
}

/// What bots took and how they failed, by competitor in the order of the plan.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Times {
    /// By competitor; empty numbers for agents of ours.
    pub competitors: Vec<BotTimes>,
    /// The levels of the sandbox that bots ran in.
    pub sandbox: Vec<String>,
}

/// What one bot took.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BotTimes {
    /// Its name.
    pub name: String,
    /// Episodes in which it was timed.
    pub episodes: u64,
    /// Decisions that it was asked for.
    pub asked: u64,
    /// Decisions that the fallback made for it.
    pub fallbacks: u64,
    /// Mean CPU time per decision, in microseconds, where it was measured.
    pub mean_cpu_us: Option<f64>,
    /// Mean time on the wall per decision, in microseconds.
    pub mean_wall_us: Option<f64>,
    /// The longest decision, in microseconds.
    pub longest_us: u64,
    /// The largest of the episodes' mean CPU times per decision, in microseconds.
    pub slowest_episode_us: Option<f64>,
    /// Its first crash, or its first fault if it has never crashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultSample>,
}

/// One of a bot's faults, for people. What a bot wrote may differ from run to run, as times do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FaultSample {
    /// Number of the episode.
    pub episode: u64,
    /// What it was.
    pub code: FaultCode,
    /// What it was in a line, with the bot's last words if it ended.
    pub summary: String,
    /// What to do about it, where that can be told.
    pub hint: Option<String>,
}

impl Times {
    /// Computes the times from the record.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn compute(plan: &Plan, store: &Store) -> Result<Self, ArenaError> {
        let mut bots: Vec<BotTimes> =
            plan.names().into_iter().map(|name| BotTimes { name, ..BotTimes::default() }).collect();
        let mut sums = vec![(0u64, 0u64, 0u64); bots.len()];
        store.each_time(|_, time| {
            let (bot, sum) =
                (&mut bots[usize::from(time.competitor)], &mut sums[usize::from(time.competitor)]);
            bot.episodes += 1;
            bot.asked += time.asked;
            bot.fallbacks += time.fallbacks;
            bot.longest_us = bot.longest_us.max(time.longest_us);
            sum.0 += time.wall_us;
            if let Some(cpu) = time.cpu_us.filter(|_| time.asked > 0) {
                sum.1 += cpu;
                sum.2 += time.asked;
                let mean = cpu as f64 / time.asked as f64;
                bot.slowest_episode_us =
                    Some(bot.slowest_episode_us.map_or(mean, |slowest| slowest.max(mean)));
            }
        })?;
        for (bot, (wall, cpu, timed)) in bots.iter_mut().zip(sums) {
            bot.mean_wall_us = (bot.asked > 0).then(|| wall as f64 / bot.asked as f64);
            bot.mean_cpu_us = (timed > 0).then(|| cpu as f64 / timed as f64);
        }
        store.each_fault(&mut |episode, competitor, code, record| {
            let sample = &mut bots[usize::from(competitor)].fault;
            let first_crash = code == FaultCode::Crash.name()
                && sample.as_ref().is_some_and(|sample| sample.code != FaultCode::Crash);
            if sample.is_some() && !first_crash {
                return;
            }
            let Ok(FaultRecord { fault, .. }) = serde_json::from_str(record) else { return };
            let (summary, hint) = (fault.summary(), fault.advice());
            *sample = Some(FaultSample { episode, code: fault.code, summary, hint });
        })?;
        Ok(Self { competitors: bots, sandbox: store.sandboxes()? })
    }

    /// As JSON text.
    pub fn to_json(&self) -> String {
        pretty(&json!({ "format": 1, "times": self }))
    }
}
