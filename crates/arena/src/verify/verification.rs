//! What was proved of a tournament.

use serde::Serialize;

/// What was proved.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Episodes in the record.
    pub episodes: u64,
    /// Episodes that were planned.
    pub planned: u64,
    /// Whether all that was planned is played, or the sequential test has decided.
    pub complete: bool,
    /// Episodes proved by their replay: every chance outcome is what the seed gives, every action legal, every
    /// agent of ours decides the same again, and the result is the stored one.
    pub by_replay: u64,
    /// Episodes without replay that were played again from their seed.
    pub by_seed: u64,
    /// Episodes that were looked at and not proved: those with bots whose replay was not kept, and those that a
    /// problem was found in.
    pub unproved: u64,
    /// Bots whose decisions were taken from the replays: that these very programs made them is not proved.
    pub unproved_bots: Vec<String>,
    /// Bots that declare themselves repeatable and were run again on every episode with a replay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeated_bots: Vec<String>,
    /// Decisions that they were asked for again and took again.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated_decisions: u64,
    /// Their faults that are no matter of their answers, as a clock that ran out: these are as the record says.
    #[serde(skip_serializing_if = "is_zero")]
    pub unrepeated_faults: u64,
    /// What is wrong; the first ones of many.
    pub problems: Vec<String>,
    /// Number of all problems.
    pub problem_count: u64,
    /// Whether a program plays the tournament: its results are those of other episodes, and were not compared.
    pub being_played: bool,
    /// The standings.
    pub standings: StandingsCheck,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What the stored standings are against those that follow from the episodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingsCheck {
    /// The same, byte for byte.
    Same,
    /// Others.
    Differ,
    /// There are none. That is a problem too if the tournament is complete.
    #[default]
    Missing,
}

/// Problems that are told one by one.
pub const MOST_PROBLEMS: usize = 20;

impl Verification {
    /// Whether everything that is stored was proved.
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
