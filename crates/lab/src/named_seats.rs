//! Counts of figures that name a seat: whose it was, by who sat there.

use meeple_core::{EpisodeReport, Figure, FigureKind, GameInfo};
use serde::{Deserialize, Serialize};

/// How often figures of seats named nobody, and each entry of the line-up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct NamedSeats {
    /// Those that are counted, as indices among the figures of an episode.
    episode: Vec<usize>,
    /// The same among the figures of a seat.
    seat: Vec<usize>,
    /// Nobody, and the entries; 0 where nothing is counted.
    words: usize,
    /// By figure of `episode`, then nobody and the entries.
    of_episodes: Vec<u64>,
    /// By entry, then figure of `seat`, then nobody and the entries.
    of_seats: Vec<u64>,
}

impl NamedSeats {
    pub fn new(info: &GameInfo, entries: usize) -> Self {
        let named = |figures: &[Figure]| -> Vec<usize> {
            let all = figures.iter().enumerate();
            all.filter(|(_, figure)| figure.kind == FigureKind::Seat).map(|(index, _)| index).collect()
        };
        let (episode, seat) = (named(info.episode_figures), named(info.seat_figures));
        // Games without such figures are told by one look an episode.
        let words = if episode.is_empty() && seat.is_empty() { 0 } else { entries + 1 };
        let (of_episodes, of_seats) = (vec![0; episode.len() * words], vec![0; entries * seat.len() * words]);
        Self { episode, seat, words, of_episodes, of_seats }
    }

    /// Whether there is nothing to count.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// Counts an episode.
    #[inline(never)]
    pub fn add(&mut self, report: &EpisodeReport<'_>, entry_of: impl Fn(u16) -> usize) {
        // A negative value is nobody.
        let word = |value: f64| match report.player_at.get(value as usize) {
            Some(player) if value >= 0.0 => 1 + entry_of(*player),
            _ => 0,
        };
        for (row, figure) in self.episode.iter().enumerate() {
            self.of_episodes[row * self.words + word(report.figures.episode_values()[*figure])] += 1;
        }
        let per_seat = report.figures.seat_values().len() / report.player_at.len().max(1);
        for (seat, player) in report.player_at.iter().enumerate() {
            let values = &report.figures.seat_values()[seat * per_seat..][..per_seat];
            let first = entry_of(*player) * self.seat.len();
            for (row, figure) in self.seat.iter().enumerate() {
                self.of_seats[(first + row) * self.words + word(values[*figure])] += 1;
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.of_episodes.iter_mut().zip(&other.of_episodes).for_each(|(own, other)| *own += other);
        self.of_seats.iter_mut().zip(&other.of_seats).for_each(|(own, other)| *own += other);
    }

    pub fn clear(&mut self) {
        self.of_episodes.fill(0);
        self.of_seats.fill(0);
    }

    /// Whether it counts the same things.
    pub fn fits(&self, other: &Self) -> bool {
        self.episode == other.episode
            && self.seat == other.seat
            && self.words == other.words
            && self.of_episodes.len() == other.of_episodes.len()
            && self.of_seats.len() == other.of_seats.len()
    }

    /// Of an episode's figure, by its index in the game's info: nobody, then the entries.
    pub fn of_episodes(&self, figure: usize) -> &[u64] {
        let row = self.episode.iter().position(|own| *own == figure);
        row.map_or(&[], |row| &self.of_episodes[row * self.words..][..self.words])
    }

    /// The same of a seat's figure, where this entry sat.
    pub fn of_seats(&self, entry: usize, figure: usize) -> &[u64] {
        let row = self.seat.iter().position(|own| *own == figure);
        row.map_or(&[], |row| &self.of_seats[(entry * self.seat.len() + row) * self.words..][..self.words])
    }
}
