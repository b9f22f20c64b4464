//! One played episode, as it is stored.

use std::ops::{Deref, DerefMut};

use meeple_bothost::{FaultRecord, Usage};
use meeple_core::{Outcome, Replay};
use serde::{Deserialize, Serialize};

use crate::schedule::Pairing;

/// The rule by which an episode's outcome becomes the scores and places that count.
///
/// Everything that compares competitors (wins, shares, scores, matchups, ratings, sequential tests, every order) reads
/// them from [`Played`], which this rule alone fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Scores and places as the rules of the game gave them, with the fallback playing on for a seat that forfeited.
    /// Only plans of format 2 count so: rivals of a forfeiting leader stay second.
    ByRules,
    /// Seats that forfeited are last and share that place, whatever the fallback reached for them. They score the
    /// least of their table. The others move up.
    ForfeitsLast,
}

impl Placement {
    /// The outcome that counts if these seats forfeited, and the number of seats that win it: 0 if all forfeited.
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

/// The end of an episode at its table.
#[derive(Clone, Debug)]
pub struct Ending<'a> {
    /// Scores and places by the rules of the game.
    pub outcome: &'a Outcome,
    /// Named seats that forfeited, in order.
    pub forfeits: Vec<u16>,
    /// Length in the game's unit.
    pub length: u64,
    /// Decisions of all seats.
    pub decisions: u64,
}

/// How an episode came out. Lists are by named seat; fillers have none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Who sat where in which deal.
    pub pairing: Pairing,
    /// Score by named seat, as its [`Placement`] counts it.
    pub scores: Vec<i64>,
    /// Place by named seat, among all seats of the table, as its [`Placement`] counts it.
    pub places: Vec<u32>,
    /// Seats that share the first place, fillers included.
    pub winners: u32,
    /// Named seats that forfeited.
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
    /// Bytes on stderr beyond [`Limits::stderr_bytes`](meeple_bothost::Limits::stderr_bytes), which were dropped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_bytes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl EpisodeRow {
    /// An episode with this ending, without faults, times, bans or a replay.
    pub fn new(pairing: Pairing, ending: Ending<'_>, placement: Placement) -> Self {
        let played = Played::new(pairing, ending, placement);
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
    /// An episode with this ending. The one place that tells scores and places of a row.
    pub fn new(pairing: Pairing, ending: Ending<'_>, placement: Placement) -> Self {
        let Ending { outcome, forfeits, length, decisions } = ending;
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

    /// Places among the named seats for ratings: those who forfeited share the last one.
    pub fn rated_places(&self) -> Vec<u32> {
        let mut places = self.places.clone();
        for seat in &self.forfeits {
            places[usize::from(*seat)] = u32::MAX;
        }
        places
    }

    /// True if the competitor at a named seat is first, alone or shared.
    pub fn is_first(&self, seat: usize) -> bool {
        self.places[seat] == 1 && !self.forfeits.contains(&(seat as u16))
    }
}
