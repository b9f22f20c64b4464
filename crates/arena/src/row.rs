use std::ops::{Deref, DerefMut};

use meeple_bothost::{FaultRecord, Usage};
use meeple_core::{Outcome, Replay};
use serde::{Deserialize, Serialize};

use crate::schedule::Pairing;

/// The rule that turns an episode's outcome into the scores and places that count.
///
/// Everything that compares competitors (wins, shares, scores, matchups, ratings, sequential tests, every
/// order) reads them from [`PlayedEpisode`], which only this rule fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Scores and places by the rules of the game, with the fallback playing on for a forfeited seat. Used by
    /// plans of format 2 only: rivals of a forfeiting leader stay second.
    ByRules,
    /// Forfeited seats share the last place, regardless of the fallback's result, with the lowest score of
    /// their table. The others move up.
    ForfeitsLast,
}

impl Placement {
    /// The counted outcome if these seats forfeited, and the number of winning seats: 0 if all forfeited.
    pub fn place(self, outcome: &Outcome, forfeits: &[u16]) -> (Outcome, u32) {
        let mut placed = outcome.clone();
        if self == Self::ByRules || forfeits.is_empty() {
            return (placed, outcome.winners() as u32);
        }
        let forfeited = |seat: usize| forfeits.iter().any(|own| usize::from(*own) == seat);
        let stayed: Vec<usize> = (0..outcome.places.len()).filter(|seat| !forfeited(*seat)).collect();
        let least = outcome.scores.iter().copied().min().unwrap_or(0);
        let last = stayed.len() as u32 + 1;
        for seat in 0..outcome.places.len() {
            if forfeited(seat) {
                (placed.scores[seat], placed.places[seat]) = (least, last);
            } else {
                let before = stayed.iter().filter(|other| outcome.places[**other] < outcome.places[seat]);
                placed.places[seat] = before.count() as u32 + 1;
            }
        }
        let winners = stayed.iter().filter(|seat| placed.places[**seat] == 1).count();
        (placed, winners as u32)
    }
}

#[derive(Clone, Debug)]
pub struct EpisodeEnding<'a> {
    /// Scores and places by the rules of the game.
    pub outcome: &'a Outcome,
    pub forfeits: Vec<u16>,
    /// Length in the game's unit.
    pub length: u64,
    pub decisions: u64,
}

/// The result of an episode. Lists are by named seat, without fillers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedEpisode {
    pub pairing: Pairing,
    /// Score by named seat, under the plan's [`Placement`].
    pub scores: Vec<i64>,
    /// Place among all seats of the table, under the plan's [`Placement`].
    pub places: Vec<u32>,
    /// Number of seats that share the first place, fillers included.
    pub winners: u32,
    /// Named seats that forfeited.
    pub forfeits: Vec<u16>,
    /// Reason for the end, as in [`Outcome::end`].
    pub end: usize,
    /// Length in the game's unit.
    pub length: u64,
    pub decisions: u64,
}

/// A played episode with all its stored data. It dereferences to its result. The result is a separate type,
/// so code that is given results only cannot mistake data that was not read for missing data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRow {
    pub played: PlayedEpisode,
    pub faults: Vec<FaultRecord>,
    /// Times of the bots that took part; empty for native agents.
    pub times: Vec<SeatTiming>,
    /// Bans that this episode caused: competitor and reason.
    pub bans: Vec<(u16, String)>,
    pub replay: Option<Replay>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatTiming {
    pub seat: u16,
    pub competitor: u16,
    pub asked: u64,
    /// Number of the bot's decisions made by the fallback.
    pub fallbacks: u64,
    /// Start-up time, including the launch of the bot's process.
    pub start: Usage,
    /// CPU time of all decisions in µs; absent where not measured.
    pub cpu_us: Option<u64>,
    pub wall_us: u64,
    pub longest_us: u64,
    /// Dropped bytes of stderr output beyond [`Limits::stderr_bytes`](meeple_bothost::Limits::stderr_bytes).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_bytes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl EpisodeRow {
    pub fn new(pairing: Pairing, ending: EpisodeEnding<'_>, placement: Placement) -> Self {
        let played = PlayedEpisode::new(pairing, ending, placement);
        Self { played, faults: Vec::new(), times: Vec::new(), bans: Vec::new(), replay: None }
    }
}

impl Deref for EpisodeRow {
    type Target = PlayedEpisode;

    fn deref(&self) -> &PlayedEpisode {
        &self.played
    }
}

impl DerefMut for EpisodeRow {
    fn deref_mut(&mut self) -> &mut PlayedEpisode {
        &mut self.played
    }
}

impl PlayedEpisode {
    /// An episode with this ending. The only place that computes a row's scores and places.
    pub fn new(pairing: Pairing, ending: EpisodeEnding<'_>, placement: Placement) -> Self {
        let EpisodeEnding { outcome, forfeits, length, decisions } = ending;
        let named = pairing.seats.len();
        let (placed, winners) = placement.place(outcome, &forfeits);
        Self {
            pairing,
            scores: placed.scores[..named].to_vec(),
            places: placed.places[..named].to_vec(),
            winners,
            forfeits,
            end: outcome.end,
            length,
            decisions,
        }
    }

    /// Places by named seat for ratings: as in `places`, but forfeited seats share the last one.
    pub fn rated_places(&self) -> Vec<u32> {
        let mut places = self.places.clone();
        for seat in &self.forfeits {
            places[usize::from(*seat)] = u32::MAX;
        }
        places
    }

    /// True if the competitor at a named seat is first, alone or tied.
    pub fn is_first(&self, seat: usize) -> bool {
        self.places[seat] == 1 && !self.forfeits.contains(&(seat as u16))
    }
}
