//! The game: its variant, its seats, and what was prepared from them.

use crate::movement::Limits;
use crate::state::State;
use crate::tiles::Kind;
use crate::variant::{ActOrder, Variant};

/// Cartolan with one variant, for a number of players.
pub struct Cartolan {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    /// Kinds of tile by colour; counts in piles are in this order.
    pub(crate) kinds: [Vec<Kind>; 2],
    pub(crate) initial: State,
    pub(crate) conflict_probability: f64,
    /// Tiles that the players are entitled to, and tiles dealt, by colour.
    pub(crate) supplies: [(u16, u16); 2],
    /// Limits without and with an empty Chest, cards apart.
    pub(crate) limits: [Limits; 2],
}

impl Cartolan {
    /// Whether Adventurers act by the original's script.
    #[inline]
    pub(crate) fn is_scripted(&self) -> bool {
        self.variant.act_order == ActOrder::Scripted
    }
}
