use meeple_core::{EpisodeReport, Figure, FigureKind, GameInfo};
use serde::{Deserialize, Serialize};

/// Counts of figures that name a seat: of nobody first, then of each entry of the line-up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct NamedSeats {
    /// Indices of the counted episode figures in the game's info.
    episode: Vec<usize>,
    /// Indices of the counted seat figures in the game's info.
    seat: Vec<usize>,
    /// Number of words: nobody and the entries; 0 if nothing is counted.
    words: usize,
    /// `[figure, word]`: the figure within `episode`, the word nobody or an entry.
    of_episodes: Vec<u64>,
    /// `[entry, figure, word]`: the figure within `seat`, the word nobody or an entry.
    of_seats: Vec<u64>,
}

impl NamedSeats {
    pub fn new(info: &GameInfo, entries: usize) -> Self {
        let named = |figures: &[Figure]| -> Vec<usize> {
            let all = figures.iter().enumerate();
            all.filter(|(_, figure)| figure.kind == FigureKind::Seat).map(|(index, _)| index).collect()
        };
        let (episode, seat) = (named(info.episode_figures), named(info.seat_figures));
        // With 0, games without such figures spend a single comparison per episode on them.
        let words = if episode.is_empty() && seat.is_empty() { 0 } else { entries + 1 };
        let (of_episodes, of_seats) = (vec![0; episode.len() * words], vec![0; entries * seat.len() * words]);
        Self { episode, seat, words, of_episodes, of_seats }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    #[inline(never)]
    pub fn add(&mut self, report: &EpisodeReport<'_>, entry_of: impl Fn(u16) -> usize) {
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

    pub fn fits(&self, other: &Self) -> bool {
        self.episode == other.episode
            && self.seat == other.seat
            && self.words == other.words
            && self.of_episodes.len() == other.of_episodes.len()
            && self.of_seats.len() == other.of_seats.len()
    }

    /// Counts of an episode's figure, by its index in the game's info: nobody, then the entries.
    pub fn of_episodes(&self, figure: usize) -> &[u64] {
        let row = self.episode.iter().position(|own| *own == figure);
        row.map_or(&[], |row| &self.of_episodes[row * self.words..][..self.words])
    }

    /// Counts of a seat's figure over the seats of this entry: nobody, then the entries.
    pub fn of_seats(&self, entry: usize, figure: usize) -> &[u64] {
        let row = self.seat.iter().position(|own| *own == figure);
        row.map_or(&[], |row| &self.of_seats[(entry * self.seat.len() + row) * self.words..][..self.words])
    }
}
