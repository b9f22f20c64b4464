//! Stay or leave.

use meeple_core::choice;

choice! {
    /// What an explorer decides after every card.
    pub enum Action {
        /// Go on to the next card.
        Stay = "stay",
        /// Walk out with the backpack.
        Leave = "leave",
    }
}

#[allow(clippy::derivable_impls)] // the enum is declared by `choice!`
impl Default for Action {
    fn default() -> Self {
        Self::Stay
    }
}
