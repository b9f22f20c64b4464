//! The sequential test of a tournament's first two competitors, fed episode by episode.

use crate::plan::{Compare, Plan, SprtMatch};
use crate::row::EpisodeRow;
use crate::sprt::{Sprt, Verdict};

/// The test of a plan, if it has one.
pub(crate) struct Contest<'a> {
    plan: &'a Plan,
    sprt: Sprt,
    /// Sum of differences and number of episodes of the group that is being played.
    group: (f64, u32),
}

impl<'a> Contest<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        Self { plan, sprt: Sprt::new(), group: (0.0, 0) }
    }

    pub fn verdict(&self) -> Verdict {
        self.sprt.verdict()
    }

    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Adds an episode. The episodes of a group must come in order.
    pub fn add(&mut self, row: &EpisodeRow) {
        let Some(test) = &self.plan.sprt else { return };
        if let Some(difference) = difference(test, row) {
            self.group.0 += difference;
            self.group.1 += 1;
        }
        // The last rotation closes the group.
        if row.pairing.rotation + 1 == self.plan.schedule.rotations && self.group.1 > 0 {
            let (sum, episodes) = std::mem::take(&mut self.group);
            self.sprt.add(&test.plan(), sum / f64::from(episodes));
        }
    }

    /// Adds episodes until the test has decided; then, how many were added.
    pub fn add_until_decided(&mut self, rows: &[EpisodeRow]) -> Option<usize> {
        for (index, row) in rows.iter().enumerate() {
            self.add(row);
            if self.verdict() != Verdict::Open {
                return Some(index + 1);
            }
        }
        None
    }
}

/// What the first competitor got less what the second got, if both played.
fn difference(test: &SprtMatch, row: &EpisodeRow) -> Option<f64> {
    let seat = |competitor: u16| row.pairing.seats.iter().position(|own| *own == competitor);
    let (first, second) = (seat(0)?, seat(1)?);
    match test.by {
        Compare::Score => Some((row.scores[first] - row.scores[second]) as f64),
        Compare::Place => {
            let places = row.rated_places();
            Some(match places[first].cmp(&places[second]) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => -1.0,
            })
        }
    }
}
