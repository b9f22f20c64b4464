//! The wind and headings.

use meeple_core::choice;

choice! {
    /// A direction of movement.
    pub enum Heading {
        /// Up.
        North = "north",
        /// Left.
        West = "west",
        /// Down.
        South = "south",
        /// Right.
        East = "east",
    }
}

impl Heading {
    /// The other way.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::West => Self::East,
            Self::South => Self::North,
            Self::East => Self::West,
        }
    }
}

choice! {
    /// The direction die.
    #[derive(Default)]
    pub enum Wind {
        /// 1: nothing moves.
        #[default]
        Calm = "none",
        /// 2.
        North = "north",
        /// 3.
        West = "west",
        /// 4.
        South = "south",
        /// 5.
        East = "east",
        /// 6: every direction costs the same.
        Fickle = "fickle",
    }
}

impl Wind {
    /// The direction it is named after, if it has one.
    pub const fn named(self) -> Option<Heading> {
        match self {
            Self::North => Some(Heading::North),
            Self::West => Some(Heading::West),
            Self::South => Some(Heading::South),
            Self::East => Some(Heading::East),
            Self::Calm | Self::Fickle => None,
        }
    }
}
