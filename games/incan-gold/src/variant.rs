//! The rule parameters: all numbers of the rules.

use meeple_core::{SetupError, choice, params};

pub const MAX_SEATS: usize = 16;

/// The deck is a 64-bit set.
pub const MAX_CARDS: usize = 64;

pub const MAX_HAZARD_KINDS: usize = 8;

choice! {
    /// The rule for artifacts that nobody took by the end of a round.
    pub enum Unclaimed {
        /// Unclaimed artifacts return to the deck.
        Return = "return",
        /// Unclaimed artifacts leave the game.
        Leave = "leave",
    }

    /// The artifacts that leave the game with [`Unclaimed::Leave`].
    pub enum Removed {
        /// The artifacts on the path when the round ends.
        Path = "path",
        /// The artifacts on the path and those still in the deck.
        All = "all",
    }

    /// The rule for the value of an artifact.
    pub enum Worth {
        /// The value depends on the order of claiming.
        Order = "order",
        /// The value is printed on the card.
        Printed = "printed",
    }

    /// The rule for dividing the gems that lie on the path among leavers.
    pub enum Leftovers {
        /// The gems of all cards together.
        Pooled = "pooled",
        /// The gems on each card separately.
        ByCard = "by_card",
    }

    /// The rule for equal points at the end.
    pub enum Ties {
        /// A draw.
        Draw = "draw",
        /// More artifacts win; then a draw.
        Artifacts = "artifacts",
    }
}

params! {
    /// The rule parameters of Incan Gold.
    pub struct Variant {
        /// Rounds in a game.
        pub rounds: u8 = 5 => "rounds", int(1, 20);
        /// Values of the gem cards.
        pub gems: Vec<u16> = vec![1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17] => "gems", int_list(1, 100, 0, 40);
        /// Kinds of hazard.
        pub hazard_kinds: u8 = 5 => "hazards.kinds", int(0, 8);
        /// Copies of each hazard.
        pub hazard_copies: u8 = 3 => "hazards.copies", int(0, 8);
        /// Values of the first, second, … artifact claimed in the game; there is one artifact per value.
        /// One enters the deck at the start of each round while any are left.
        pub artifact_values: Vec<u16> = vec![5, 5, 5, 10, 10] => "artifacts.values", int_list(0, 100, 0, 20);
        /// Fate of artifacts that nobody took by the end of a round.
        pub unclaimed: Unclaimed = Unclaimed::Return => "artifacts.unclaimed", choice(Unclaimed::WORDS);
        /// With `artifacts.unclaimed=leave`: the artifacts that leave the game, only those on the path at
        /// the end of the round, or also those still in the deck.
        pub removed: Removed = Removed::Path => "artifacts.removed", choice(Removed::WORDS), before "all";
        /// Value of an artifact: that of its place in the order of claiming, or one printed on it. Printed
        /// values rise, and enter the deck in that order.
        pub worth: Worth = Worth::Order => "artifacts.worth", choice(Worth::WORDS), before "order";
        /// Division of the gems on the path among leavers: all together, or each card separately.
        pub leftovers: Leftovers = Leftovers::Pooled => "leftovers", choice(Leftovers::WORDS), before "pooled";
        /// Rule for equal points at the end: a draw, or more artifacts win.
        pub ties: Ties = Ties::Draw => "ties", choice(Ties::WORDS), before "draw";
    }
}

impl Variant {
    pub fn hazard_cards(&self) -> usize {
        usize::from(self.hazard_kinds) * usize::from(self.hazard_copies)
    }

    pub fn artifacts(&self) -> usize {
        self.artifact_values.len()
    }

    /// Fails if there are too many cards, or if a round could begin with an empty deck.
    pub fn check(&self) -> Result<(), SetupError> {
        let cards = self.gems.len() + self.hazard_cards() + self.artifacts();
        if cards > MAX_CARDS {
            return Err(SetupError::new(format!(
                "expected at most {MAX_CARDS} cards, found {cards} ({} gems, {} hazards, {} artifacts)\n\
                 hint: lower gems, hazards.kinds, hazards.copies or artifacts.values",
                self.gems.len(),
                self.hazard_cards(),
                self.artifacts()
            )));
        }
        // Only a bust removes a hazard, and it needs two copies. So at least one card of each kind stays.
        if self.gems.is_empty() && self.hazard_cards() == 0 {
            return Err(SetupError::new(
                "expected at least one gem or hazard card, found none\n\
                 hint: give gems values, or raise hazards.kinds and hazards.copies",
            ));
        }
        if self.worth == Worth::Printed && !self.artifact_values.is_sorted() {
            let found: Vec<String> = self.artifact_values.iter().map(u16::to_string).collect();
            return Err(SetupError::new(format!(
                "expected rising artifacts.values with artifacts.worth=printed, found {}\n\
                 hint: sort them; the first enters the deck in the first round",
                found.join(",")
            )));
        }
        Ok(())
    }
}
