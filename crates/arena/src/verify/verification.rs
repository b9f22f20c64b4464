use serde::Serialize;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Episodes in the record.
    pub episodes: u64,
    pub planned: u64,
    /// True if all planned episodes are played, or the sequential test has decided.
    pub complete: bool,
    /// Number of episodes verified by their replay. Chance outcomes match the seed, actions are legal, native
    /// agents decide the same again, and the result is the stored one.
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
    /// Number of decisions that repeatable bots were asked for again.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated_decisions: u64,
    /// Number of the repeatable bots' faults that do not follow from answers, such as timeouts: taken from
    /// the record.
    #[serde(skip_serializing_if = "is_zero")]
    pub unrepeated_faults: u64,
    pub problems: Vec<String>,
    pub problem_count: u64,
    /// True while a program plays the tournament: its results cover other episodes and were not compared.
    pub being_played: bool,
    pub standings: StandingsCheck,
    pub stopped: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingsCheck {
    /// The file equals the computed results byte for byte.
    Same,
    Differ,
    /// The file is missing, which is a problem if the tournament is complete.
    #[default]
    Missing,
}

pub const MAX_PROBLEMS: usize = 20;

impl Verification {
    pub fn is_proved(&self) -> bool {
        self.problem_count == 0
            && self.unproved == 0
            && !self.stopped
            && self.standings != StandingsCheck::Differ
    }

    pub(super) fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(text);
        }
    }
}
