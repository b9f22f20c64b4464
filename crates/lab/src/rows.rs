use std::sync::Arc;

use meeple_core::{EpisodeReport, GameInfo};

/// Rows of the episodes file by column, one row for every seat and episode.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    groups: Arc<[u16]>,
    /// Episode, score and length.
    pub whole: [Vec<i64>; 3],
    /// Seat, player, place and end; also turn position in games that draw it.
    pub small: [Vec<i32>; 5],
    /// Win share, seat figures and episode figures.
    pub real: Vec<Vec<f64>>,
    seat_figures: usize,
}

impl Rows {
    /// `groups` holds the line-up entry of each player.
    pub fn new(info: &GameInfo, groups: Arc<[u16]>) -> Self {
        let seat_figures = info.seat_figures.len();
        let real = vec![Vec::new(); 1 + seat_figures + info.episode_figures.len()];
        Self { groups, real, seat_figures, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.whole[0].len()
    }

    pub fn add(&mut self, report: &EpisodeReport<'_>) {
        let outcome = report.outcome;
        let seats = report.player_at.len();
        let share = 1.0 / outcome.winners().max(1) as f64;
        let Self { groups, whole: [episode, score, length], small, real, seat_figures } = self;
        let [at_seat, player, place, end, turn] = small;
        let (win_share, figures) = real.split_first_mut().expect("there is a share of the win");
        for seat in 0..seats {
            episode.push(report.index as i64);
            at_seat.push(seat as i32);
            player.push(i32::from(groups[usize::from(report.player_at[seat])]));
            score.push(outcome.scores[seat]);
            place.push(outcome.places[seat] as i32);
            win_share.push(if outcome.places[seat] == 1 { share } else { 0.0 });
            end.push(outcome.end as i32);
            length.push(i64::try_from(report.length).unwrap_or(i64::MAX));
        }
        turn.extend(report.turn_places.iter().map(|place| i32::from(*place) + 1));
        let (by_seat, by_episode) = figures.split_at_mut(*seat_figures);
        for values in report.figures.seat_values().chunks_exact(by_seat.len().max(1)) {
            by_seat.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        }
        for (column, value) in by_episode.iter_mut().zip(report.figures.episode_values()) {
            column.resize(column.len() + seats, *value);
        }
    }

    /// Removes all rows and keeps the allocations.
    pub fn clear(&mut self) {
        self.whole.iter_mut().for_each(Vec::clear);
        self.small.iter_mut().for_each(Vec::clear);
        self.real.iter_mut().for_each(Vec::clear);
    }

    pub fn append(&mut self, other: &Self) {
        self.append_from(other, 0);
    }

    fn append_from(&mut self, other: &Self, first: usize) {
        fn extend<T: Copy>(own: &mut [Vec<T>], other: &[Vec<T>], first: usize) {
            // The turn position column may be empty.
            let columns = own.iter_mut().zip(other);
            columns.for_each(|(own, other)| own.extend_from_slice(&other[first.min(other.len())..]));
        }
        extend(&mut self.whole, &other.whole, first);
        extend(&mut self.small, &other.small, first);
        extend(&mut self.real, &other.real, first);
    }

    /// Keeps the first `count` rows and appends the others to `rest`.
    pub fn move_rest(&mut self, count: usize, rest: &mut Self) {
        rest.append_from(self, count);
        self.whole.iter_mut().for_each(|column| column.truncate(count));
        self.small.iter_mut().for_each(|column| column.truncate(count));
        self.real.iter_mut().for_each(|column| column.truncate(count));
    }
}
