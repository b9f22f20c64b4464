//! One played episode, as it is stored.

use std::ops::{Deref, DerefMut};

use meeple_bothost::{FaultRecord, Usage};
use meeple_core::{Outcome, Replay};
use serde::{Deserialize, Serialize};

use crate::schedule::Pairing;

/// How an episode came out. Lists are by named seat; fillers have none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
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
}

/// One played episode with all that is stored of it. Reads as how it came out, which is a type of its own, so that whoever is
/// handed no more can't take what was not read for what is not there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRow {
    /// How it came out.
    pub played: Played,
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
        let played = Played::new(pairing, outcome, length, decisions);
        Self { played, faults: Vec::new(), times: Vec::new(), bans: Vec::new(), replay: None }
    }
}

impl Deref for EpisodeRow {
    type Target = Played;

    fn deref(&self) -> &Played {
        &self.played
    }
}

impl DerefMut for EpisodeRow {
    fn deref_mut(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl Played {
    /// An episode that came out so, without forfeits.
    pub fn new(pairing: Pairing, outcome: &Outcome, length: u64, decisions: u64) -> Self {
        let named = pairing.seats.len();
        Self {
            pairing,
            scores: outcome.scores[..named].to_vec(),
            places: outcome.places[..named].to_vec(),
            winners: outcome.winners() as u32,
            forfeits: Vec::new(),
            end: outcome.end,
            length,
            decisions,
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
