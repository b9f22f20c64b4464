//! Two players over common deals: who finishes ahead of whom.

use meeple_core::{AgentSpec, AnyGame, AnyRunner, EpisodeReport, Seating};
use meeple_lab::pool::{self, Worker};
use meeple_lab::{StopFlag, win_share_of_units};
use serde::Serialize;

use crate::error::LearnError;

/// Deal groups that one thread plays at a time.
const CHUNK: u64 = 8;

/// Where players meet.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The game, set up.
    pub game: &'a dyn AnyGame,
    /// The root seed of the deals: one that no training has.
    pub seed: u64,
    /// Threads that play; 0 for one per core. The results do not depend on it.
    pub threads: usize,
}

/// How one player has done against another.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Met {
    /// Deals, each played from every seat; where fillers have seats, from two places that they swap.
    pub groups: u64,
    /// Mean share of the others that the first has finished ahead of; whoever ties counts half.
    pub share: f64,
    /// The interval of the share, of 95 %.
    pub interval: [f64; 2],
}

impl Met {
    /// Of the shares of so many deal groups, their mean and standard deviation.
    pub(crate) fn of(groups: u64, mean: f64, deviation: f64) -> Self {
        let n = groups as f64;
        // The deviation of a sample.
        let deviation = if groups > 1 { deviation * (n / (n - 1.0)).sqrt() } else { 0.0 };
        Self { groups, share: mean, interval: win_share_of_units(mean, deviation * deviation, groups) }
    }

    /// The same as the second has seen it.
    pub(crate) fn turned(self) -> Self {
        let [low, high] = self.interval;
        Self { share: 1.0 - self.share, interval: [1.0 - high, 1.0 - low], ..self }
    }
}

impl Ground<'_> {
    /// Lets `first` meet `second`, which has all other seats, from every seat of every deal; alone, both play the same deals. In games
    /// with a filler they meet as two, from two drawn seats of every deal that they swap, and fillers have the others. `each` is told the first's share of every deal group, in their order, until it wants no more.
    ///
    /// # Errors
    /// If one of them cannot play, or panics.
    pub fn meet(
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
        let work = |worker: &mut Worker<'_, usize, Vec<Box<dyn AnyRunner>>>, chunk: u64| {
            if worker.kept.is_empty() {
                let runners = tables.iter().map(|table| self.game.runner(table));
                worker.kept = runners.collect::<Result<_, _>>()?;
            }
            let end = ((chunk + 1) * CHUNK).min(groups);
            let range = chunk * CHUNK * episodes..end * episodes;
            let mut played: Vec<Vec<f64>> = Vec::new();
            for runner in &mut worker.kept {
                let mut told = Vec::new();
                let mut add = |report: &EpisodeReport<'_>| {
                    told.push(match (seats, are_two) {
                        (1, _) => report.outcome.scores[0] as f64,
                        (_, true) => ahead_of(report, 1),
                        (_, false) => ahead(report),
                    });
                    !worker.over.is_stopped()
                };
                runner.run(self.seed, seating, range.clone(), &mut add);
                played.push(told);
            }
            Ok::<_, LearnError>(match &played[..] {
                [own, other] if seats == 1 => {
                    own.iter().zip(other).map(|(own, other)| half_if_equal(own, other)).collect()
                }
                // The second table is told as the other has seen it.
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
                // What others have played ahead of a decision changes nothing.
                if !over.is_stopped() && !each(share) {
                    over.stop();
                }
            }
            Ok(())
        })
    }

    /// How the first does against the second in so many deal groups.
    ///
    /// # Errors
    /// As [`meet`](Self::meet).
    pub fn compare(
        &self,
        first: &AgentSpec,
        second: &AgentSpec,
        groups: u64,
        stop: &StopFlag,
    ) -> Result<Met, LearnError> {
        let (mut count, mut mean, mut squares) = (0, 0.0, 0.0);
        self.meet(first, second, groups, stop, |share| {
            count += 1;
            let step = share - mean;
            mean += step / count as f64;
            squares += step * (share - mean);
            true
        })?;
        Ok(Met::of(count, mean, (squares / (count.max(1) as f64)).sqrt()))
    }
}

/// The seat of a player of a line-up.
fn seat_of(report: &EpisodeReport<'_>, player: u16) -> usize {
    report.player_at.iter().position(|at| *at == player).expect("everybody has a seat")
}

/// 1 if the first player of a line-up has finished ahead of this one, 0 if it is the other way round.
fn ahead_of(report: &EpisodeReport<'_>, other: u16) -> f64 {
    let [own, other] = [0, other].map(|player| report.outcome.places[seat_of(report, player)]);
    half_if_equal(&other, &own)
}

/// The share of the others that the first player of a line-up has finished ahead of.
fn ahead(report: &EpisodeReport<'_>) -> f64 {
    let places = &report.outcome.places;
    let own = seat_of(report, 0);
    let shares = places.iter().enumerate().filter(|(seat, _)| *seat != own);
    shares.map(|(_, other)| half_if_equal(other, &places[own])).sum::<f64>() / (places.len() - 1) as f64
}

/// 1 if the first is greater, 0 if it is less.
fn half_if_equal<T: PartialOrd>(first: &T, second: &T) -> f64 {
    match first.partial_cmp(second) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => 0.0,
        _ => 0.5,
    }
}
