//! The wind and headings.

use meeple_core::choice;

choice! {
    pub enum Heading {
        North = "north",
        West = "west",
        South = "south",
        East = "east",
    }
}

impl Heading {
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
    /// The direction die: faces 1 to 6.
    #[derive(Default)]
    pub enum Wind {
        /// Face 1: no ship can sail.
        #[default]
        Calm = "none",
        North = "north",
        West = "west",
        South = "south",
        East = "east",
        /// All headings cost the same.
        Fickle = "fickle",
    }
}

impl Wind {
    /// The heading of the wind's name; `None` for calm and fickle winds.
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
