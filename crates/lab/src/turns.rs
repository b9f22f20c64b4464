//! Counts by turn position, for games that draw it.

use meeple_core::EpisodeReport;
use serde::{Deserialize, Serialize};

use crate::firsts::Firsts;
use crate::place::PlaceCounts;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Turns {
    seats: usize,
    /// `[entry, position]`
    places: Vec<PlaceCounts>,
    firsts: Firsts,
}

impl Turns {
    pub fn new(seats: usize, entries: usize) -> Self {
        Self { seats, places: vec![PlaceCounts::default(); entries * seats], firsts: Firsts::new(seats) }
    }

    #[inline(never)]
    pub fn add(&mut self, report: &EpisodeReport<'_>, winners: usize, entry_of: impl Fn(u16) -> usize) {
        let firsts = self.firsts.with(winners);
        let alone = u64::from(winners == 1);
        for (seat, place) in report.turn_places.iter().enumerate() {
            let place = usize::from(*place);
            let cell = &mut self.places[entry_of(report.player_at[seat]) * self.seats + place];
            cell.scores.add(report.outcome.scores[seat]);
            if report.outcome.places[seat] == 1 {
                cell.wins += alone;
                cell.draws += 1 - alone;
                firsts[place] += 1;
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.places.iter_mut().zip(&other.places).for_each(|(own, other)| own.merge(other));
        self.firsts.merge(&other.firsts);
    }

    pub fn clear(&mut self) {
        self.places.fill(PlaceCounts::default());
        self.firsts.clear();
    }

    pub fn fits(&self, other: &Self) -> bool {
        self.seats == other.seats
            && self.places.len() == other.places.len()
            && self.firsts.fits(&other.firsts)
    }

    pub fn place(&self, entry: usize, place: usize) -> &PlaceCounts {
        &self.places[entry * self.seats + place]
    }

    /// Counts of first places at this position by number of winners, from 0 winners on.
    pub fn firsts(&self, place: usize) -> Vec<u64> {
        self.firsts.of(place)
    }
}
