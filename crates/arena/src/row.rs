//! One played episode, as it is stored.

use meeple_bothost::{FaultRecord, Usage};
use meeple_core::{Outcome, Replay};
use serde::{Deserialize, Serialize};

use crate::schedule::Pairing;

/// One played episode. Lists are by named seat; fillers have none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRow {
    /// Who sat where in which deal.
    pub pairing: Pairing,
    /// Score by named seat.
    pub scores: Vec<i64>,
    /// Place by named seat, among all seats of the table.
    pub places: Vec<u32>,
    /// Seats that share the first place, fillers included.
    pub winners: u32,
    /// Named seats that forfeited: their place does not count.
    pub forfeits: Vec<u16>,
    /// Index of the end reason.
    pub end: usize,
    /// Length in the game's unit.
    pub length: u64,
    /// Decisions of all seats.
    pub decisions: u64,
    /// What bots did wrong.
    pub faults: Vec<FaultRecord>,
    /// What bots took; none for agents of ours.
    pub times: Vec<SeatTime>,
    /// Bots that were banned after it, with the reason.
    pub bans: Vec<(u16, String)>,
    /// The replay, if it is kept.
    pub replay: Option<Replay>,
}

/// What a bot took in one episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatTime {
    /// Its named seat.
    pub seat: u16,
    /// The competitor.
    pub competitor: u16,
    /// Decisions it was asked for.
    pub asked: u64,
    /// Decisions that the fallback made for it.
    pub fallbacks: u64,
    /// What getting ready took, with the launch of a process for it.
    pub start: Usage,
    /// CPU time, where it was measured.
    pub cpu_us: Option<u64>,
    /// Time on the wall.
    pub wall_us: u64,
    /// The longest decision.
    pub longest_us: u64,
}

impl EpisodeRow {
    /// An episode that came out so, without faults or anything else that bots have.
    pub fn new(pairing: Pairing, outcome: &Outcome, length: u64, decisions: u64) -> Self {
        let named = pairing.seats.len();
        Self {
            pairing,
            scores: outcome.scores[..named].to_vec(),
            places: outcome.places[..named].to_vec(),
            winners: outcome.winners() as u32,
            end: outcome.end,
            length,
            decisions,
            ..Self::default()
        }
    }

    /// Places among the named seats for ratings: those who forfeited share the last one.
    pub fn rated_places(&self) -> Vec<u32> {
        let mut places = self.places.clone();
        for seat in &self.forfeits {
            places[usize::from(*seat)] = u32::MAX;
        }
        places
    }

    /// Whether the competitor at a named seat is alone on the first place, shares it, or is behind.
    pub fn is_first(&self, seat: usize) -> bool {
        self.places[seat] == 1 && !self.forfeits.contains(&(seat as u16))
    }
}
