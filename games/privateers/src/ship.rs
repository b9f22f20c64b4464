//! Ship classes.

use meeple_core::choice;

/// Number of classes.
pub const CLASSES: usize = 3;

choice! {
    /// The class of a ship.
    #[derive(Default)]
    pub enum Class {
        /// The starting class.
        #[default]
        Schooner = "schooner",
        /// Middling.
        Galleon = "galleon",
        /// The largest.
        Frigate = "frigate",
    }
}

/// The capabilities of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// Units of cargo.
    pub hold: u16,
    /// Most mounted cannons.
    pub mounts: u16,
    /// Distance up to which it may attack.
    pub range: u8,
    /// Half points for a cell against the wind; `None` if it cannot.
    pub against: Option<u8>,
    /// List price, which counts for the value.
    pub price: u32,
}
