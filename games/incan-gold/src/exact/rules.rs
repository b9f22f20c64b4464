//! The rules, as far as exact values depend on them, and the errors of exact values.

use thiserror::Error;

use crate::variant::{Leftovers, Removed, Ties, Unclaimed, Variant, Worth};

pub(super) const MAX_COPIES: usize = 8;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    pub rounds: u32,
    /// The values of the gem cards.
    pub gems: Vec<u32>,
    pub hazard_kinds: u32,
    /// Number of cards of each hazard kind in the first round.
    pub hazard_copies: u32,
    /// Values of the first, second, … artifact claimed in the game. One artifact enters the deck per round
    /// while any are left.
    pub artifact_values: Vec<u32>,
    pub unclaimed: Unclaimed,
    pub removed: Removed,
    pub worth: Worth,
    pub leftovers: Leftovers,
    pub ties: Ties,
}

/// The reason why there is no exact value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExactError {
    /// A number of the rules or of a strategy is out of range.
    #[error("{what}: expected {expected}, found {found}")]
    OutOfRange { what: &'static str, expected: String, found: String },
    /// The rules have too many positions.
    #[error(
        "exact values for these rules need {found} {what}, at most {limit} are computed\n\
         hint: use fewer or more equal cards, fewer rounds, or simulate"
    )]
    TooLarge { what: &'static str, found: u64, limit: u64 },
    /// The user or the host has requested a stop.
    #[error("stopped before the end")]
    Stopped,
}

/// Fails if `found` is above the limit.
pub(super) fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), ExactError> {
    if found > limit { Err(ExactError::TooLarge { what, found, limit }) } else { Ok(()) }
}

/// Fails unless `found` is the one value that exact values support.
fn only<T: PartialEq + ToString>(what: &'static str, expected: T, found: T) -> Result<(), ExactError> {
    if found == expected {
        return Ok(());
    }
    let expected = format!("{} for exact values", expected.to_string());
    Err(ExactError::OutOfRange { what, expected, found: found.to_string() })
}

impl Rules {
    pub fn classic() -> Self {
        Self::from(&Variant::default())
    }

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
        within("copies of a hazard", self.hazard_copies.into(), 0, MAX_COPIES as u64)?;
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

    pub(super) fn check_ties(&self) -> Result<(), ExactError> {
        only("ties", Ties::Draw, self.ties)
    }

    /// The rule for unclaimed artifacts, in the words of files of values.
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
