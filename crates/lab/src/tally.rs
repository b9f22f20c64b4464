//! Exact integer counts of episodes: equal episodes give equal tallies, however they are divided among
//! workers.

use meeple_core::{AnyGame, EpisodeReport, Seating};
use serde::{Deserialize, Serialize};

use crate::deals::Deals;
use crate::firsts::Firsts;
use crate::histogram::{FigureSums, Histogram, Moments};
use crate::line_up::LineUp;
use crate::named_seats::NamedSeats;
use crate::place::PlaceCounts;
use crate::turns::Turns;

/// Sums over the seats of one entry, per episode. Seats of one episode are dependent, so intervals take the
/// episode as their unit and need the squares of these sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Together {
    /// Sum of the scores of the entry's seats.
    pub scores: Moments,
    /// Number of the entry's seats with a shared first place.
    pub draws: Moments,
    /// Number of the entry's losing seats.
    pub losses: Moments,
}

/// The exact counts of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Sums by deal group, if consecutive episodes share a deal.
    pub(crate) deals: Option<Deals>,
    pub(crate) seats: usize,
    /// Counter indices, by player.
    lanes: Vec<Lane>,
    /// Seats by entry.
    pub(crate) sizes: Vec<u32>,
    episodes: u64,
    pub(crate) decisions: u64,
    /// `[entry, seat]`
    places: Vec<PlaceCounts>,
    /// Scores by entry.
    scores: Vec<Histogram>,
    /// `[entry, k]`: number of the entry's seats among k winners, summed over episodes.
    firsts: Vec<u64>,
    /// Like `firsts`, but sums of the squared numbers of seats; empty if every entry has one seat.
    firsts_squared: Vec<u64>,
    /// Sums of dependent seats by entry; empty if every entry has one seat.
    together: Vec<Together>,
    seat_firsts: Firsts,
    pub(crate) lengths: Histogram,
    pub(crate) ends: Vec<u64>,
    /// Sums of the episode's figures, in the order of the game's info.
    pub(crate) episode_figures: Vec<FigureSums>,
    /// `[entry, figure]`
    seat_figures: Vec<FigureSums>,
    figures_per_seat: usize,
    #[serde(default)]
    pub(crate) named_seats: NamedSeats,
    /// Counts by turn position, in games that draw the order of turns.
    #[serde(default)]
    pub(crate) turns: Option<Turns>,
    /// Scratch memory: sums of one episode by entry.
    #[serde(skip)]
    episode: Vec<OneEpisode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Lane {
    entry: usize,
    /// Index of the entry's first element in `places`.
    place: usize,
    /// Index of the entry's first element in `seat_figures`.
    figure: usize,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct OneEpisode {
    score: i64,
    firsts: u32,
}

impl Tally {
    pub(crate) fn new(game: &dyn AnyGame, line_up: &LineUp, seating: Seating) -> Self {
        let info = game.info();
        let draws_turns = game.draws_turn_order() && line_up.seats() > 1;
        let (seats, entries) = (line_up.seats(), line_up.entries().len());
        let sizes: Vec<u32> = line_up.entries().iter().map(|entry| entry.seats as u32).collect();
        let figures_per_seat = info.seat_figures.len();
        let lanes = line_up.groups().into_iter().map(|group| {
            let entry = usize::from(group);
            Lane { entry, place: entry * seats, figure: entry * figures_per_seat }
        });
        let grouped = sizes.iter().any(|size| *size > 1);
        let deals = seating == Seating::DealGroups && seats > 1;
        Self {
            deals: deals.then(|| Deals::new(seats, entries, grouped, draws_turns)),
            seats,
            lanes: lanes.collect(),
            sizes,
            episodes: 0,
            decisions: 0,
            places: vec![PlaceCounts::default(); entries * seats],
            scores: vec![Histogram::new(); entries],
            firsts: vec![0; entries * (seats + 1)],
            firsts_squared: if grouped { vec![0; entries * (seats + 1)] } else { Vec::new() },
            together: if grouped { vec![Together::default(); entries] } else { Vec::new() },
            seat_firsts: Firsts::new(seats),
            lengths: Histogram::new(),
            ends: vec![0; info.ends.len()],
            episode_figures: vec![FigureSums::default(); info.episode_figures.len()],
            seat_figures: vec![FigureSums::default(); entries * figures_per_seat],
            figures_per_seat,
            named_seats: NamedSeats::new(info, entries),
            turns: draws_turns.then(|| Turns::new(seats, entries)),
            episode: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, report: &EpisodeReport<'_>) {
        // Hot path of a few hundred instructions per episode: everything is borrowed once.
        let Self { seats, lanes, places: cells, scores: histograms, seat_figures, .. } = self;
        let (seats, per_seat) = (*seats, self.figures_per_seat);
        let player_at = &report.player_at[..seats];
        let scores = &report.outcome.scores[..seats];
        let places = &report.outcome.places[..seats];
        let mut figures = report.figures.seat_values();
        let mut winners = 0;
        for place in places {
            winners += usize::from(*place == 1);
        }
        let alone = u64::from(winners == 1);
        let seat_firsts = self.seat_firsts.with(winners);
        for seat in 0..seats {
            let lane = lanes[usize::from(player_at[seat])];
            let cell = &mut cells[lane.place + seat];
            cell.scores.add(scores[seat]);
            if places[seat] == 1 {
                cell.wins += alone;
                cell.draws += 1 - alone;
                self.firsts[lane.entry * (seats + 1) + winners] += 1;
                seat_firsts[seat] += 1;
            }
            histograms[lane.entry].add(scores[seat]);
            let sums = &mut seat_figures[lane.figure..][..per_seat];
            let (values, later) = figures.split_at(per_seat);
            figures = later;
            for figure in 0..per_seat {
                sums[figure].add(values[figure]);
            }
        }
        let values = &report.figures.episode_values()[..self.episode_figures.len()];
        for (figure, sum) in self.episode_figures.iter_mut().enumerate() {
            sum.add(values[figure]);
        }
        self.episodes += 1;
        self.decisions += report.decisions;
        self.ends[report.outcome.end] += 1;
        self.lengths.add(report.length.cast_signed());
        if !self.together.is_empty() {
            self.add_together(report, winners);
        }
        if let Some(turns) = &mut self.turns {
            turns.add(report, winners, |player| self.lanes[usize::from(player)].entry);
        }
        if !self.named_seats.is_empty() {
            self.named_seats.add(report, |player| self.lanes[usize::from(player)].entry);
        }
        if let Some(deals) = &mut self.deals {
            deals.add(report, winners, |player| self.lanes[usize::from(player)].entry);
        }
    }

    #[inline(never)]
    fn add_together(&mut self, report: &EpisodeReport<'_>, winners: usize) {
        // A new or deserialised tally lacks the scratch memory.
        if self.episode.len() != self.sizes.len() {
            self.episode.resize(self.sizes.len(), OneEpisode::default());
        }
        self.episode.fill(OneEpisode::default());
        for (seat, player) in report.player_at.iter().enumerate() {
            let one = &mut self.episode[self.lanes[usize::from(*player)].entry];
            one.score = one.score.saturating_add(report.outcome.scores[seat]);
            one.firsts += u32::from(report.outcome.places[seat] == 1);
        }
        for (entry, one) in self.episode.iter().enumerate() {
            let together = &mut self.together[entry];
            together.scores.add(one.score);
            together.draws.add(if winners > 1 { i64::from(one.firsts) } else { 0 });
            together.losses.add(i64::from(self.sizes[entry] - one.firsts));
            self.firsts_squared[entry * (self.seats + 1) + winners] += u64::from(one.firsts).pow(2);
        }
    }

    /// Adds the counts of the following episodes, of the same setting.
    pub(crate) fn merge(&mut self, other: &Self) {
        fn sum(own: &mut [u64], other: &[u64]) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
        if let (Some(own), Some(other)) = (&mut self.deals, &other.deals) {
            own.merge(other);
        }
        self.episodes += other.episodes;
        self.decisions += other.decisions;
        self.places.iter_mut().zip(&other.places).for_each(|(own, other)| own.merge(other));
        self.scores.iter_mut().zip(&other.scores).for_each(|(own, other)| own.merge(other));
        sum(&mut self.firsts, &other.firsts);
        sum(&mut self.firsts_squared, &other.firsts_squared);
        for (own, other) in self.together.iter_mut().zip(&other.together) {
            own.scores.merge(&other.scores);
            own.draws.merge(&other.draws);
            own.losses.merge(&other.losses);
        }
        self.seat_firsts.merge(&other.seat_firsts);
        self.lengths.merge(&other.lengths);
        sum(&mut self.ends, &other.ends);
        let figures = self.episode_figures.iter_mut().zip(&other.episode_figures);
        figures.for_each(|(own, other)| own.merge(other));
        let figures = self.seat_figures.iter_mut().zip(&other.seat_figures);
        figures.for_each(|(own, other)| own.merge(other));
        self.named_seats.merge(&other.named_seats);
        if let (Some(own), Some(other)) = (&mut self.turns, &other.turns) {
            own.merge(other);
        }
    }

    /// Resets all counts and keeps the allocations.
    pub(crate) fn clear(&mut self) {
        if let Some(deals) = &mut self.deals {
            deals.clear();
        }
        self.episodes = 0;
        self.decisions = 0;
        self.places.fill(PlaceCounts::default());
        self.scores.iter_mut().for_each(Histogram::clear);
        self.firsts.fill(0);
        self.firsts_squared.fill(0);
        self.together.fill(Together::default());
        self.seat_firsts.clear();
        self.lengths.clear();
        self.ends.fill(0);
        self.episode_figures.iter_mut().for_each(FigureSums::clear);
        self.seat_figures.iter_mut().for_each(FigureSums::clear);
        self.named_seats.clear();
        if let Some(turns) = &mut self.turns {
            turns.clear();
        }
    }

    /// Compares dimensions: stored counts are merged only if they fit.
    pub(crate) fn fits(&self, other: &Self) -> bool {
        fn both<T>(own: &Option<T>, other: &Option<T>, fit: fn(&T, &T) -> bool) -> bool {
            own.is_some() == other.is_some() && own.iter().zip(other).all(|(own, other)| fit(own, other))
        }
        both(&self.deals, &other.deals, Deals::fits)
            && both(&self.turns, &other.turns, Turns::fits)
            && self.deals.as_ref().is_none_or(|deals| deals.episodes() == Some(self.episodes))
            && self.named_seats.fits(&other.named_seats)
            && self.seats == other.seats
            && self.lanes == other.lanes
            && self.figures_per_seat == other.figures_per_seat
            && self.sizes == other.sizes
            && self.places.len() == other.places.len()
            && self.scores.len() == other.scores.len()
            && self.firsts.len() == other.firsts.len()
            && self.firsts_squared.len() == other.firsts_squared.len()
            && self.together.len() == other.together.len()
            && self.seat_firsts.fits(&other.seat_firsts)
            && self.ends.len() == other.ends.len()
            && self.episode_figures.len() == other.episode_figures.len()
            && self.seat_figures.len() == other.seat_figures.len()
    }

    /// Moves the open deal group to `next`, which counts the following episodes.
    pub(crate) fn hand_over(&mut self, next: &mut Self) {
        if let (Some(own), Some(next)) = (&mut self.deals, &mut next.deals) {
            own.hand_over(next);
        }
    }

    /// Episodes counted.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Counts of an entry at a seat.
    pub fn place(&self, entry: usize, seat: usize) -> &PlaceCounts {
        &self.places[entry * self.seats + seat]
    }

    /// The scores of an entry, over all its seats.
    pub fn scores(&self, entry: usize) -> &Histogram {
        &self.scores[entry]
    }

    /// The seat figures of an entry, in the order of the game's info.
    pub fn seat_figures(&self, entry: usize) -> &[FigureSums] {
        &self.seat_figures[entry * self.figures_per_seat..][..self.figures_per_seat]
    }

    /// Seats of the entry among k winners, by k.
    pub(crate) fn firsts(&self, entry: usize) -> &[u64] {
        &self.firsts[entry * (self.seats + 1)..][..self.seats + 1]
    }

    /// Sums over episodes of the squared number of the entry's seats among k winners, by k.
    pub(crate) fn firsts_squared(&self, entry: usize) -> &[u64] {
        // With one seat the number is 0 or 1 in every episode, and equals its square.
        let from = if self.firsts_squared.is_empty() { &self.firsts } else { &self.firsts_squared };
        &from[entry * (self.seats + 1)..][..self.seats + 1]
    }

    pub(crate) fn seat_firsts(&self, seat: usize) -> Vec<u64> {
        self.seat_firsts.of(seat)
    }

    /// Sums over the seats of an entry; `None` if every entry of the line-up has one seat.
    pub(crate) fn together(&self, entry: usize) -> Option<&Together> {
        self.together.get(entry)
    }
}
