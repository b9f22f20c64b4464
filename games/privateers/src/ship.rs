//! Ship classes.

use meeple_core::choice;

pub const CLASSES: usize = 3;

choice! {
    #[derive(Default)]
    pub enum Class {
        /// The starting class.
        #[default]
        Schooner = "schooner",
        Galleon = "galleon",
        Frigate = "frigate",
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// Capacity in units of cargo.
    pub hold: u16,
    pub mounts: u16,
    pub range: u8,
    /// Half points per cell against the wind; `None` if the class cannot sail against it.
    pub against: Option<u8>,
    /// List price, which counts in the value of a seat.
    pub price: u32,
}
