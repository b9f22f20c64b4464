//! Head-to-head matches of two players on common deals.

use meeple_core::{AgentSpec, AnyGame, AnyRunner, EpisodeReport, Seating};
use meeple_lab::pool::{self, PoolWorker};
use meeple_lab::{RunningMoments, StopFlag, win_share_of_units};
use serde::Serialize;

use crate::error::LearnError;

const CHUNK: u64 = 8;

#[derive(Clone, Copy)]
pub struct MatchSetup<'a> {
    pub game: &'a dyn AnyGame,
    /// Root seed of the deals, which no training uses.
    pub seed: u64,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct MatchResult {
    /// Number of deals. Each is played from every seat; in games with fillers, from two seats that the
    /// players swap.
    pub groups: u64,
    /// Mean share of the others that the player finished ahead of; a tie counts half.
    pub share: f64,
    /// 95 % interval of the share.
    pub interval: [f64; 2],
}

impl MatchResult {
    /// The result from the mean and the population standard deviation of the groups' shares.
    pub(crate) fn new(groups: u64, mean: f64, deviation: f64) -> Self {
        let n = groups as f64;
        // The sample standard deviation is larger than that of the population.
        let deviation = if groups > 1 { deviation * (n / (n - 1.0)).sqrt() } else { 0.0 };
        Self { groups, share: mean, interval: win_share_of_units(mean, deviation * deviation, groups) }
    }

    /// The other player's result.
    pub(crate) fn reversed(self) -> Self {
        let [low, high] = self.interval;
        Self { share: 1.0 - self.share, interval: [1.0 - high, 1.0 - low], ..self }
    }
}

impl MatchSetup<'_> {
    /// Plays `first` against `second` and passes the first's share of every deal group to `each`, in order,
    /// until that returns false.
    ///
    /// `second` has all other seats, and every deal is played from every seat. With one seat both play the
    /// same deals. In games with a filler the two swap two drawn seats of every deal, and fillers have the
    /// others.
    ///
    /// # Errors
    /// If one of them cannot play, or panics.
    pub fn play(
        &self,
        first: &AgentSpec,
        second: &AgentSpec,
        groups: u64,
        stop: &StopFlag,
        mut each: impl FnMut(f64) -> bool,
    ) -> Result<(), LearnError> {
        let (seats, over) = (self.game.seats(), StopFlag::new());
        let filler = self.game.info().filler.filter(|_| seats > 2).map(AgentSpec::parse);
        let tables = match (seats, filler) {
            (1, _) => vec![vec![first.clone()], vec![second.clone()]],
            (_, Some(filler)) => [[first, second], [second, first]]
                .map(|two| [two.map(AgentSpec::clone).to_vec(), vec![filler.clone(); seats - 2]].concat())
                .to_vec(),
            (_, None) => vec![[vec![first.clone()], vec![second.clone(); seats - 1]].concat()],
        };
        let are_two = tables.len() == 2;
        let (seating, episodes) =
            if are_two { (Seating::Shuffle, 1) } else { (Seating::DealGroups, seats as u64) };
        tables.iter().try_for_each(|table| self.game.check_line_up(table))?;
        let work = |worker: &mut PoolWorker<'_, usize, Vec<Box<dyn AnyRunner>>>, chunk: u64| {
            if worker.kept.is_empty() {
                let runners = tables.iter().map(|table| self.game.runner(table));
                worker.kept = runners.collect::<Result<_, _>>()?;
            }
            let end = ((chunk + 1) * CHUNK).min(groups);
            let range = chunk * CHUNK * episodes..end * episodes;
            let mut played: Vec<Vec<f64>> = Vec::new();
            for runner in &mut worker.kept {
                let mut shares = Vec::new();
                let mut add = |report: &EpisodeReport<'_>| {
                    shares.push(match (seats, are_two) {
                        (1, _) => report.outcome.scores[0] as f64,
                        (_, true) => ahead_of(report, 1),
                        (_, false) => ahead(report),
                    });
                    !worker.over.is_stopped()
                };
                runner.run(self.seed, seating, range.clone(), &mut add);
                played.push(shares);
            }
            Ok::<_, LearnError>(match &played[..] {
                [own, other] if seats == 1 => {
                    own.iter().zip(other).map(|(own, other)| score_against(own, other)).collect()
                }
                [own, turned] => {
                    own.iter().zip(turned).map(|(own, turned)| (own + 1.0 - turned) / 2.0).collect()
                }
                _ => played
                    .concat()
                    .chunks(seats)
                    .map(|group| group.iter().sum::<f64>() / seats as f64)
                    .collect(),
            })
        };
        let chunks =
            (0..groups.div_ceil(CHUNK)).map(|chunk| (chunk, chunk)).take_while(|_| !over.is_stopped());
        pool::in_order(self.threads, chunks, stop, work, |_, shares: Result<Result<Vec<f64>, _>, _>| {
            for share in shares?? {
                if !over.is_stopped() && !each(share) {
                    over.stop();
                }
            }
            Ok(())
        })
    }

    /// The result of `first` against `second` in `groups` deal groups.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn compare(
        &self,
        first: &AgentSpec,
        second: &AgentSpec,
        groups: u64,
        stop: &StopFlag,
    ) -> Result<MatchResult, LearnError> {
        let mut shares = RunningMoments::default();
        self.play(first, second, groups, stop, |share| {
            shares.add(share);
            true
        })?;
        Ok(MatchResult::new(shares.count(), shares.mean(), shares.deviation()))
    }
}

fn seat_of(report: &EpisodeReport<'_>, player: u16) -> usize {
    report.player_at.iter().position(|at| *at == player).expect("every player has a seat")
}

/// Result against player `other`: 1 ahead, 0 behind, ½ tied.
fn ahead_of(report: &EpisodeReport<'_>, other: u16) -> f64 {
    let [own, other] = [0, other].map(|player| report.outcome.places[seat_of(report, player)]);
    score_against(&other, &own)
}

/// Mean result of the first player of a line-up against all others.
fn ahead(report: &EpisodeReport<'_>) -> f64 {
    let places = &report.outcome.places;
    let own = seat_of(report, 0);
    let shares = places.iter().enumerate().filter(|(seat, _)| *seat != own);
    shares.map(|(_, other)| score_against(other, &places[own])).sum::<f64>() / (places.len() - 1) as f64
}

fn score_against<T: PartialOrd>(first: &T, second: &T) -> f64 {
    match first.partial_cmp(second) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => 0.0,
        _ => 0.5,
    }
}
