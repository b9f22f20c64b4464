//! Stay or leave.

use meeple_core::choice;

choice! {
    /// What an explorer decides after every card.
    #[derive(Default)]
    pub enum Action {
        /// Go on to the next card.
        #[default]
        Stay = "stay",
        /// Walk out with the backpack.
        Leave = "leave",
    }
}
