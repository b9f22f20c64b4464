//! Result of verifying a tournament.

use serde::Serialize;

/// Result of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Episodes in the record.
    pub episodes: u64,
    /// Number of planned episodes.
    pub planned: u64,
    /// True if all planned episodes are played, or the sequential test has decided.
    pub complete: bool,
    /// Episodes verified by their replay: chance outcomes match the seed, actions are legal, native agents
    /// decide the same again, and the result is the stored one.
    pub by_replay: u64,
    /// Episodes without a replay, recomputed from their seed.
    pub by_seed: u64,
    /// Episodes checked without proof: those with bots and without a replay, and those with a problem.
    pub unproved: u64,
    /// Bots whose decisions were taken from replays, without proof that these programs made them.
    pub unproved_bots: Vec<String>,
    /// Repeatable bots, rerun on every episode with a replay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeated_bots: Vec<String>,
    /// Number of their decisions that were reproduced.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated_decisions: u64,
    /// Number of their faults that do not follow from answers, such as a timeout: taken from the record.
    #[serde(skip_serializing_if = "is_zero")]
    pub unrepeated_faults: u64,
    /// The first problems found.
    pub problems: Vec<String>,
    /// Total number of problems.
    pub problem_count: u64,
    /// True while a program plays the tournament: its results cover other episodes and were not compared.
    pub being_played: bool,
    /// State of the stored standings.
    pub standings: StandingsCheck,
    /// True if stopped before the end.
    pub stopped: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Comparison of the stored standings with recomputed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingsCheck {
    /// Equal, byte for byte.
    Same,
    /// Different.
    Differ,
    /// Absent, which is a problem too if the tournament is complete.
    #[default]
    Missing,
}

/// Number of problems listed individually.
pub const MOST_PROBLEMS: usize = 20;

impl Verification {
    /// True if all stored data was verified.
    pub fn is_proved(&self) -> bool {
        self.problem_count == 0
            && self.unproved == 0
            && !self.stopped
            && self.standings != StandingsCheck::Differ
    }

    pub(super) fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }
}
