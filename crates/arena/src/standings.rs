//! The standings of a tournament, computed from its record.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use meeple_bothost::{FaultCode, FaultRecord};
use serde::Serialize;
use serde_json::{Value, json};

use crate::contest::Contest;
use crate::error::ArenaError;
use crate::files::pretty;
use crate::plan::{Competitor, CompetitorKind, Failed, OrderBy, TournamentPlan};
use crate::rating::{
    Entrant, FitOptions, MAX_TABLED_COMPETITORS, Matchup, Matchups, Orders, RateOptions, Rated, RatingCycles,
    Ratings, SeatEffect, SeatEffects, cycles, rate, rounded,
};
use crate::row::{Placement, PlayedEpisode};
use crate::schedule::Kind;
use crate::seed::{Purpose, RootSeed};
use crate::store::{RatingRow, RecordStore};
use meeple_lab::ClusterMean;
use meeple_lab::sprt::{SprtMatch, SprtVerdict, bounds};

/// The standings of a tournament: a function of its plan and episodes, so interruptions do not change a byte.
/// Times are separate, in [`CompetitorTimes`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Version of this format: 4, or 3 for plans of format 2.
    pub format: u32,
    /// The game's id, followed by `/` and the preset if there is one.
    pub game: String,
    pub variant: Value,
    pub plan_hash: String,
    pub schedule: &'static str,
    pub table: u16,
    pub rotations: u16,
    pub seed: RootSeed,
    pub episodes: u64,
    pub planned: u64,
    /// Number of deal groups played, including incomplete ones.
    pub deal_groups: u64,
    pub partial_groups: u64,
    pub order: OrderBy,
    pub score_unit: &'static str,
    /// By rank, best first.
    pub standings: Vec<TournamentStanding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_played: Vec<NotPlayed>,
    /// Name of the competitor whose points are 0; absent without ratings.
    pub anchor: Option<String>,
    /// Points of each seat above the mean seat; empty without seat effects.
    pub seats: Vec<SeatEffect>,
    /// Probability that the row is better than the column, in the order of `standings`; empty without
    /// ratings, or for more than [`MAX_TABLED_COMPETITORS`] competitors.
    pub better: Vec<Vec<f64>>,
    /// Results of row against column, in the order of `standings`; absent for pairs that never met. Empty for
    /// more than [`MAX_TABLED_COMPETITORS`] competitors.
    pub matchups: Vec<Vec<Option<Matchup>>>,
    /// For more than [`MAX_TABLED_COMPETITORS`] competitors: all pairs that met, in the order of `standings`.
    /// The pairs have a file of their own.
    #[serde(skip)]
    pub pairs: Vec<Pair>,
    /// Intransitive part of the results; absent in solo play, or if no two competitors met.
    pub cycles: Option<RatingCycles>,
    /// Names of the clearest cycle, in the order of its shares.
    pub clearest_cycle: Option<[String; 3]>,
    pub sprt: Option<SprtResult>,
    /// Names of competitors that are the same player, in groups. Mirrored deals give them equal games, so
    /// their mutual results are no measurement. Empty without mirrored deals.
    pub same_players: Vec<Vec<String>>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TournamentStanding {
    /// From 1; competitors that are equal in the order of the standings share the better rank.
    pub rank: usize,
    /// Unique in the tournament.
    pub name: String,
    pub run: String,
    pub kind: CompetitorKind,
    /// Absent if no two competitors met.
    pub rating: Option<Rated>,
    /// Number of episodes; an episode counts once for each of the competitor's seats.
    pub episodes: u64,
    /// Sole first places.
    pub wins: u64,
    /// Shared first places.
    pub draws: u64,
    /// Episodes behind the first place.
    pub losses: u64,
    /// Number of forfeited episodes, included in the losses; absent in records of plan format 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeits: Option<u64>,
    /// Mean share of the win per episode: a first place shared by k seats counts 1/k.
    pub win_share: f64,
    /// 95 % interval over deal groups; `None` without episodes.
    pub win_share_ci: Option<[f64; 2]>,
    /// Mean score, in `score_unit`.
    pub mean_score: f64,
    /// 95 % interval over deal groups; `None` for fewer than two groups, or for identical scores.
    pub mean_score_ci: Option<[f64; 2]>,
    /// Standard deviation of single scores.
    pub sd_score: f64,
    /// Number of finishes at each place among the competitors of its table, from first; ties share the better
    /// place.
    pub placements: Vec<u64>,
    /// Faults by code.
    pub faults: BTreeMap<String, u64>,
    pub faulted_episodes: u64,
    /// Dropped bytes of stderr output beyond its limit; absent if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// Reason of the ban.
    pub banned: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotPlayed {
    pub name: String,
    pub run: String,
    pub reason: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Index of the higher-ranked one in the standings.
    pub own: usize,
    pub other: usize,
    pub matchup: Matchup,
    /// Probability that `own` is better than `other`; absent without ratings.
    pub better: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtResult {
    /// The tested competitor, and its opponent.
    pub of: [String; 2],
    #[serde(flatten)]
    pub plan: SprtMatch,
    pub verdict: SprtVerdict,
    /// Complete deal groups.
    pub groups: u64,
    /// Mean over the groups of a group's difference, which is the mean difference of its episodes.
    pub mean: f64,
    /// Standard deviation of a deal group's difference.
    pub deviation: f64,
    /// Effect size: mean over standard deviation, the subject of the hypotheses.
    pub effect: f64,
    /// The logarithm of the likelihood ratio; absent if it is infinite.
    pub log_ratio: Option<f64>,
    /// Thresholds of the log ratio for accepting H0 and H1.
    pub bounds: [f64; 2],
}

struct Tally {
    own: TournamentStanding,
    win_share: ClusterMean,
    score: ClusterMean,
}

impl Tally {
    fn new(plan: &TournamentPlan, competitor: &Competitor) -> Self {
        let Competitor { name, run, kind, .. } = competitor.clone();
        let forfeits = (plan.placement() == Placement::ForfeitsLast).then_some(0);
        let own = TournamentStanding { name, run, kind, forfeits, ..TournamentStanding::default() };
        Self { own, win_share: ClusterMean::default(), score: ClusterMean::default() }
    }
}

impl Standings {
    /// Computes the standings from the record on `threads` threads, 0 for all cores; results do not depend on
    /// the number.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn compute(plan: &TournamentPlan, store: &RecordStore, threads: usize) -> Result<Self, ArenaError> {
        let info = meeple_games::find_game(&plan.game)?.info();
        let count = plan.competitors.len();
        let mut tallies: Vec<Tally> = plan.competitors.iter().map(|own| Tally::new(plan, own)).collect();
        let mut orders = Orders::new(count);
        let mut matchups = Matchups::new(count);
        let mut contest = Contest::new(plan);
        let (mut groups, mut partial_groups) = (0, 0);
        let mut count_episode = |row: &PlayedEpisode| {
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
        // Last faulted episode, by competitor: faults of several bots in one episode are interleaved.
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
        let tabled: &[usize] = if count <= MAX_TABLED_COMPETITORS { &order } else { &[] };
        let better = ratings
            .as_ref()
            .map_or_else(Vec::new, |ratings| square(tabled, |row, column| ratings.better(row, column)));
        let pairs = if count <= MAX_TABLED_COMPETITORS {
            Vec::new()
        } else {
            pairs(&order, &matchups, ratings.as_ref())
        };
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

    pub fn to_json(&self) -> String {
        pretty(self)
    }

    pub(crate) fn rating_rows(&self, plan: &TournamentPlan) -> Vec<RatingRow> {
        let by_name = self.by_name();
        let row = |(index, competitor): (usize, &Competitor)| {
            let own = &self.standings[*by_name.get(competitor.name.as_str())?];
            let Rated { points, interval, band, .. } = *own.rating.as_ref()?;
            let [low, high] = interval.unwrap_or([points; 2]);
            Some((index as i64, points, low, high, own.rank as i64, band as i64))
        };
        plan.competitors.iter().enumerate().filter_map(row).collect()
    }

    pub(crate) fn by_name(&self) -> BTreeMap<&str, usize> {
        self.standings.iter().enumerate().map(|(index, own)| (own.name.as_str(), index)).collect()
    }

    pub fn is_complete(&self) -> bool {
        self.episodes == self.planned
    }
}

impl NotPlayed {
    /// `None` in plans of format 2, which lack the reason.
    fn of(failed: &Failed) -> Option<Self> {
        let Failed { name, run, .. } = failed.clone();
        // Control characters are escaped, as a bot's output must not control the reader's terminal.
        let mut reason = String::with_capacity(failed.reason.len());
        for c in failed.reason.chars() {
            if c.is_control() && c != '\n' { reason.extend(c.escape_default()) } else { reason.push(c) }
        }
        (!reason.is_empty()).then_some(Self { name, run, reason })
    }
}

fn rate_options(plan: &TournamentPlan, threads: usize) -> RateOptions {
    RateOptions {
        fit: FitOptions { prior: plan.rating.prior, seats: SeatEffects::WhereMixed },
        anchor: plan.rating.anchor,
        resamples: plan.rating.resamples,
        seed: plan.schedule.seed.word(Purpose::Ratings, 0),
        threads,
    }
}

fn better(
    plan: &TournamentPlan,
    tallies: &[Tally],
    ratings: Option<&Ratings>,
    a: usize,
    b: usize,
) -> Ordering {
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

/// Number of victories: shared first places count fully, and a ban erases them.
fn victories(own: &TournamentStanding) -> u64 {
    if own.banned.is_some() { 0 } else { own.wins + own.draws }
}

fn square<T>(order: &[usize], cell: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    order.iter().map(|row| order.iter().map(|column| cell(*row, *column)).collect()).collect()
}

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

/// Ranks from 1 for the competitors in this order; ties share the better rank.
fn ranks(order: &[usize], equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ranks: Vec<usize> = (1..=order.len()).collect();
    for at in 1..order.len() {
        if equal(order[at], order[at - 1]) {
            ranks[at] = ranks[at - 1];
        }
    }
    ranks
}

/// Intervals as in records of plan format 2: of zero width for a single group or identical ones.
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

/// Seat effects with the intervals of the plan's format.
fn seats(plan: &TournamentPlan, mut effects: Vec<SeatEffect>) -> Vec<SeatEffect> {
    for effect in effects.iter_mut().filter(|_| plan.has_zero_widths()) {
        effect.interval = format_2::known(effect.points, effect.interval);
    }
    effects
}

impl Tally {
    fn standing(&self, plan: &TournamentPlan, rank: usize, rated: Option<&Rated>) -> TournamentStanding {
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
        TournamentStanding {
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

fn sprt_result(plan: &TournamentPlan, contest: &Contest<'_>) -> Option<SprtResult> {
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

/// Times and faults of bots, by competitor in the order of the plan.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CompetitorTimes {
    /// By competitor; zeros for native agents.
    pub competitors: Vec<BotTimes>,
    pub sandbox: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BotTimes {
    pub name: String,
    pub episodes: u64,
    pub asked: u64,
    /// Number of the bot's decisions made by the fallback.
    pub fallbacks: u64,
    /// Mean CPU time per decision in µs, where measured.
    pub mean_cpu_us: Option<f64>,
    pub mean_wall_us: Option<f64>,
    pub longest_us: u64,
    /// Maximum over episodes of the mean CPU time per decision, in µs.
    pub slowest_episode_us: Option<f64>,
    /// The bot's first crash, or its first fault if it never crashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultSample>,
}

/// One of a bot's faults, for people. A bot's output may vary between runs, as times do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FaultSample {
    pub episode: u64,
    pub code: FaultCode,
    /// A one-line summary, with the bot's last output if it ended.
    pub summary: String,
    pub hint: Option<String>,
}

impl CompetitorTimes {
    /// # Errors
    /// If the record cannot be read.
    pub fn compute(plan: &TournamentPlan, store: &RecordStore) -> Result<Self, ArenaError> {
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

    pub fn to_json(&self) -> String {
        pretty(&json!({ "format": 1, "times": self }))
    }
}
