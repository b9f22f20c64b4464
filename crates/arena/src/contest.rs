//! The sequential test of a tournament's first two competitors, fed episode by episode.

use std::collections::BTreeMap;

use crate::plan::TournamentPlan;
use crate::row::{EpisodeRow, PlayedEpisode};
use meeple_lab::sprt::{Compare, Sprt, SprtMatch, SprtVerdict};

pub(crate) struct Contest<'a> {
    plan: &'a TournamentPlan,
    pub sprt: Sprt,
    /// Sum of differences and number of episodes, by open deal group.
    open: BTreeMap<u64, (f64, u32)>,
}

impl<'a> Contest<'a> {
    pub fn new(plan: &'a TournamentPlan) -> Self {
        Self { plan, sprt: Sprt::new(), open: BTreeMap::new() }
    }

    pub fn verdict(&self) -> SprtVerdict {
        self.sprt.verdict()
    }

    /// True if the test has decided, and the first `episodes` are complete deal groups.
    pub fn is_over(&self, episodes: u64) -> bool {
        self.verdict() != SprtVerdict::Open && self.plan.schedule.ends_block(episodes)
    }

    /// Adds an episode. The rotations of a group must come in order; other groups may come between them.
    /// Episodes after the decision change nothing.
    pub fn add(&mut self, row: &PlayedEpisode) {
        let Some(test) = self.plan.sprt.as_ref().filter(|_| self.verdict() == SprtVerdict::Open) else {
            return;
        };
        let group = row.pairing.group;
        if let Some(difference) = difference(test, row) {
            let (sum, episodes) = self.open.entry(group).or_default();
            *sum += difference;
            *episodes += 1;
        }
        // The last rotation closes the group.
        if row.pairing.rotation + 1 == self.plan.schedule.rotations
            && let Some((sum, episodes)) = self.open.remove(&group)
        {
            self.sprt.add(test, sum / f64::from(episodes));
        }
    }

    /// Adds episodes until the test has decided and the deal groups are complete. Returns the number of added
    /// episodes, or `None` if the test goes on after all `rows`.
    pub fn add_until_over(&mut self, rows: &[EpisodeRow]) -> Option<usize> {
        for (added, row) in (1..).zip(rows) {
            self.add(row);
            if self.is_over(row.pairing.index + 1) {
                return Some(added);
            }
        }
        None
    }
}

/// Result of the first competitor minus that of the second, if both played.
fn difference(test: &SprtMatch, row: &PlayedEpisode) -> Option<f64> {
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
