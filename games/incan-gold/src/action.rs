//! Stay or leave.

use meeple_core::choice;

choice! {
    /// An explorer's decision after every card.
    #[derive(Default)]
    pub enum Action {
        /// Go on to the next card.
        #[default]
        Stay = "stay",
        /// Walk out with the backpack.
        Leave = "leave",
    }
}
