//! Sums by deal group. Episodes of one deal are dependent, so intervals take the group as their unit.

use meeple_core::EpisodeReport;
use serde::{Deserialize, Serialize};

use crate::histogram::Moments;

/// One win, in units of win shares. All numbers from 1 to 16 divide 720,720, so shares among up to 16 winners
/// are exact; others are rounded.
pub(crate) const SHARE: i64 = 720_720 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct GroupSums {
    pub scores: Moments,
    pub wins: Moments,
    pub draws: Moments,
    pub losses: Moments,
    /// Sums of win shares, in which one win is [`SHARE`].
    pub shares: Moments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Begun {
    score: i64,
    wins: i64,
    draws: i64,
    losses: i64,
    share: i64,
}

impl Begun {
    fn add(&mut self, score: i64, first: bool, winners: usize) {
        self.score = self.score.saturating_add(score);
        match (first, winners) {
            (false, _) => self.losses += 1,
            (true, 1) => self.wins += 1,
            (true, _) => self.draws += 1,
        }
        if first {
            self.share += SHARE / winners.max(1) as i64;
        }
    }
}

impl GroupSums {
    fn add(&mut self, group: &Begun) {
        self.scores.add(group.score);
        self.wins.add(group.wins);
        self.draws.add(group.draws);
        self.losses.add(group.losses);
        self.shares.add(group.share);
    }

    fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        self.wins.merge(&other.wins);
        self.draws.merge(&other.draws);
        self.losses.merge(&other.losses);
        self.shares.merge(&other.shares);
    }
}

/// Sums over complete deal groups. A group is as many episodes as the table has seats, starting at a multiple
/// of that number. A group counts once its last episode is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Deals {
    groups: u64,
    entries: Vec<GroupSums>,
    seats: Vec<GroupSums>,
    /// `[entry, seat]`: scores per group. Empty if every entry has one seat: each entry then has each seat
    /// once in a group, so the moments of single scores suffice.
    places: Vec<Moments>,
    /// Sums by turn position; empty in games with a fixed turn order.
    #[serde(default)]
    turns: Vec<GroupSums>,
    /// Like `places`, by turn position; empty in games with a fixed turn order.
    #[serde(default)]
    turn_places: Vec<Moments>,
    /// Episodes of the open group.
    begun: u64,
    begun_entries: Vec<Begun>,
    begun_seats: Vec<Begun>,
    begun_places: Vec<i64>,
    #[serde(default)]
    begun_turns: Vec<Begun>,
    #[serde(default)]
    begun_turn_places: Vec<i64>,
}

impl Deals {
    /// `several`: some entry has several seats. `draws_turns`: the game draws the order of turns, so sums by
    /// turn position are kept.
    pub fn new(seats: usize, entries: usize, several: bool, draws_turns: bool) -> Self {
        let places = if several { entries * seats } else { 0 };
        let (turns, turn_places) = if draws_turns { (seats, places) } else { (0, 0) };
        Self {
            groups: 0,
            entries: vec![GroupSums::default(); entries],
            seats: vec![GroupSums::default(); seats],
            places: vec![Moments::default(); places],
            turns: vec![GroupSums::default(); turns],
            turn_places: vec![Moments::default(); turn_places],
            begun: 0,
            begun_entries: vec![Begun::default(); entries],
            begun_seats: vec![Begun::default(); seats],
            begun_places: vec![0; places],
            begun_turns: vec![Begun::default(); turns],
            begun_turn_places: vec![0; turn_places],
        }
    }

    /// Counts the next episode in order.
    #[inline(never)]
    pub fn add(&mut self, report: &EpisodeReport<'_>, winners: usize, entry_of: impl Fn(u16) -> usize) {
        let seats = self.seats.len();
        for (seat, player) in report.player_at.iter().enumerate() {
            let (score, first) = (report.outcome.scores[seat], report.outcome.places[seat] == 1);
            let entry = entry_of(*player);
            self.begun_entries[entry].add(score, first, winners);
            self.begun_seats[seat].add(score, first, winners);
            if let Some(sum) = self.begun_places.get_mut(entry * seats + seat) {
                *sum = sum.saturating_add(score);
            }
            let Some(place) = report.turn_places.get(seat).map(|place| usize::from(*place)) else { continue };
            self.begun_turns[place].add(score, first, winners);
            if let Some(sum) = self.begun_turn_places.get_mut(entry * seats + place) {
                *sum = sum.saturating_add(score);
            }
        }
        self.begun += 1;
        if self.begun < seats as u64 {
            return;
        }
        self.groups += 1;
        self.entries.iter_mut().zip(&self.begun_entries).for_each(|(sums, group)| sums.add(group));
        self.seats.iter_mut().zip(&self.begun_seats).for_each(|(sums, group)| sums.add(group));
        self.places.iter_mut().zip(&self.begun_places).for_each(|(sums, group)| sums.add(*group));
        self.turns.iter_mut().zip(&self.begun_turns).for_each(|(sums, group)| sums.add(group));
        self.turn_places.iter_mut().zip(&self.begun_turn_places).for_each(|(sums, group)| sums.add(*group));
        self.forget_begun();
    }

    fn forget_begun(&mut self) {
        self.begun = 0;
        self.begun_entries.fill(Begun::default());
        self.begun_seats.fill(Begun::default());
        self.begun_places.fill(0);
        self.begun_turns.fill(Begun::default());
        self.begun_turn_places.fill(0);
    }

    /// Adds `other`, the sums of the episodes that follow. If `other` has an open group, the own one must
    /// first be [handed over](Self::hand_over).
    pub fn merge(&mut self, other: &Self) {
        self.groups += other.groups;
        self.entries.iter_mut().zip(&other.entries).for_each(|(own, other)| own.merge(other));
        self.seats.iter_mut().zip(&other.seats).for_each(|(own, other)| own.merge(other));
        self.places.iter_mut().zip(&other.places).for_each(|(own, other)| own.merge(other));
        self.turns.iter_mut().zip(&other.turns).for_each(|(own, other)| own.merge(other));
        self.turn_places.iter_mut().zip(&other.turn_places).for_each(|(own, other)| own.merge(other));
        if other.begun > 0 {
            self.take_begun(other);
        }
    }

    fn take_begun(&mut self, other: &Self) {
        debug_assert_eq!(self.begun, 0, "two groups cannot be begun");
        self.begun = other.begun;
        self.begun_entries.clone_from(&other.begun_entries);
        self.begun_seats.clone_from(&other.begun_seats);
        self.begun_places.clone_from(&other.begun_places);
        self.begun_turns.clone_from(&other.begun_turns);
        self.begun_turn_places.clone_from(&other.begun_turn_places);
    }

    /// Moves the open group to `next`, which counts the following episodes.
    pub fn hand_over(&mut self, next: &mut Self) {
        next.take_begun(self);
        self.forget_begun();
    }

    /// Resets all sums and keeps the allocations.
    pub fn clear(&mut self) {
        self.groups = 0;
        self.entries.fill(GroupSums::default());
        self.seats.fill(GroupSums::default());
        self.places.fill(Moments::default());
        self.turns.fill(GroupSums::default());
        self.turn_places.fill(Moments::default());
        self.forget_begun();
    }

    pub fn fits(&self, other: &Self) -> bool {
        let lengths = |deals: &Self| {
            let begun = (deals.begun_entries.len(), deals.begun_seats.len(), deals.begun_places.len());
            let turns = (deals.turns.len(), deals.turn_places.len());
            let begun_turns = (deals.begun_turns.len(), deals.begun_turn_places.len());
            (deals.entries.len(), deals.seats.len(), deals.places.len(), begun, turns, begun_turns)
        };
        lengths(self) == lengths(other) && self.begun < self.seats.len() as u64
    }

    /// Number of episodes counted; `None` on overflow.
    pub fn episodes(&self) -> Option<u64> {
        self.groups.checked_mul(self.seats.len() as u64)?.checked_add(self.begun)
    }

    pub fn groups(&self) -> u64 {
        self.groups
    }

    pub fn entry(&self, entry: usize) -> &GroupSums {
        &self.entries[entry]
    }

    pub fn seat(&self, seat: usize) -> &GroupSums {
        &self.seats[seat]
    }

    /// Scores of an entry at a seat, per group; `None` if every entry has one seat.
    pub fn place(&self, entry: usize, seat: usize) -> Option<&Moments> {
        self.places.get(entry * self.seats.len() + seat)
    }

    pub fn turn(&self, place: usize) -> &GroupSums {
        &self.turns[place]
    }

    /// Scores of an entry at a turn position, per group; `None` if every entry has one seat.
    pub fn turn_place(&self, entry: usize, place: usize) -> Option<&Moments> {
        self.turn_places.get(entry * self.seats.len() + place)
    }
}
