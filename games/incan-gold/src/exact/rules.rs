//! The rules as far as exact values depend on them, and why there may be none.

use thiserror::Error;

use crate::variant::{Leftovers, Removed, Ties, Unclaimed, Variant, Worth};

/// The most copies of a hazard for which there are exact values.
pub(super) const MOST_COPIES: usize = 8;

/// The rules as far as exact values depend on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Rounds in an episode.
    pub rounds: u32,
    /// The values of the gem cards.
    pub gems: Vec<u32>,
    /// Kinds of hazards.
    pub hazard_kinds: u32,
    /// Cards of each kind in the first round.
    pub hazard_copies: u32,
    /// Values of the first, second, … artifact claimed in the game. One enters the deck per round as long as
    /// there are any.
    pub artifact_values: Vec<u32>,
    /// The rule for the artifacts that nobody took in a round.
    pub unclaimed: Unclaimed,
    /// The artifacts that leave the game, if any do.
    pub removed: Removed,
    /// The rule for the value of an artifact.
    pub worth: Worth,
    /// The rule for dividing leftover gems.
    pub leftovers: Leftovers,
    /// The rule for equal gems at the end.
    pub ties: Ties,
}

/// Why there is no exact value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum ExactError {
    /// A number of the rules or of a strategy is outside what can be computed: which, its range, what it is.
    #[error("{what}: expected {expected}, found {found}")]
    OutOfRange { what: &'static str, expected: String, found: String },
    /// The variant has too many different positions: what there is too much of, how much, and how much is
    /// computed.
    #[error(
        "exact values for these rules need {found} {what}, at most {limit} are computed\n\
         hint: use fewer or more equal cards, fewer rounds, or simulate"
    )]
    TooLarge { what: &'static str, found: u64, limit: u64 },
    /// The user or the host has requested a stop.
    #[error("stopped before the end")]
    Stopped,
}

/// Refuses what there is too much of.
pub(super) fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), ExactError> {
    if found > limit { Err(ExactError::TooLarge { what, found, limit }) } else { Ok(()) }
}

/// Refuses any other value of a parameter than the one for which there are exact values.
fn only<T: PartialEq + ToString>(what: &'static str, expected: T, found: T) -> Result<(), ExactError> {
    if found == expected {
        return Ok(());
    }
    let expected = format!("{} for exact values", expected.to_string());
    Err(ExactError::OutOfRange { what, expected, found: found.to_string() })
}

impl Rules {
    /// The classic rules.
    pub fn classic() -> Self {
        Self::from(&Variant::default())
    }

    /// Checks the bounds of everything exact.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn check(&self) -> Result<(), ExactError> {
        let within = |what, found: u64, low: u64, high: u64| {
            if (low..=high).contains(&found) {
                return Ok(());
            }
            let expected = format!("{low} to {high} for exact values");
            Err(ExactError::OutOfRange { what, expected, found: found.to_string() })
        };
        within("rounds", self.rounds.into(), 1, 40)?;
        within("gem cards", self.gems.len() as u64, 0, 60)?;
        within("value of a gem card", self.gems.iter().copied().max().unwrap_or(0).into(), 0, 1_000)?;
        within("kinds of hazards", self.hazard_kinds.into(), 0, 20)?;
        within("copies of a hazard", self.hazard_copies.into(), 0, MOST_COPIES as u64)?;
        within(
            "value of an artifact",
            self.artifact_values.iter().copied().max().unwrap_or(0).into(),
            0,
            1_000,
        )?;
        within("artifacts", self.artifact_values.len() as u64, 0, 40)?;
        only("artifacts.worth", Worth::Order, self.worth)?;
        only("leftovers", Leftovers::Pooled, self.leftovers)
    }

    /// Checks the rules for values with wins as the goal.
    ///
    /// # Errors
    /// If equal gems are no draw.
    pub(super) fn check_ties(&self) -> Result<(), ExactError> {
        only("ties", Ties::Draw, self.ties)
    }

    /// The rule for artifacts that nobody took, in the words of files of values.
    pub(super) fn unclaimed_in_words(&self) -> &'static str {
        match (self.unclaimed, self.removed) {
            (Unclaimed::Return, _) => "return",
            (Unclaimed::Leave, Removed::Path) => "leave path",
            (Unclaimed::Leave, Removed::All) => "leave",
        }
    }
}

impl From<&Variant> for Rules {
    fn from(variant: &Variant) -> Self {
        Self {
            rounds: variant.rounds.into(),
            gems: variant.gems.iter().map(|&value| value.into()).collect(),
            hazard_kinds: variant.hazard_kinds.into(),
            hazard_copies: variant.hazard_copies.into(),
            artifact_values: variant.artifact_values.iter().map(|&value| value.into()).collect(),
            unclaimed: variant.unclaimed,
            removed: variant.removed,
            worth: variant.worth,
            leftovers: variant.leftovers,
            ties: variant.ties,
        }
    }
}
