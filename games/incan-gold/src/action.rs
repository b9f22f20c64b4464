//! The decision of an explorer: stay or leave.

use meeple_core::choice;

choice! {
    /// An explorer's decision after a card.
    #[derive(Default)]
    pub enum Action {
        /// Stays in the temple for the next card.
        #[default]
        Stay = "stay",
        /// Leaves the temple with the backpack.
        Leave = "leave",
    }
}
