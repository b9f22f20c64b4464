//! Patterns of land in which a tile is tried on the explored cell.

use crate::pile::MAX_KINDS;
use crate::tiles::{Kind, Wind};
use crate::variant::Exploration;

/// By colour, wind left and turn, then by kind: bits of the patterns in which a tile is tried.
#[derive(Clone)]
pub(crate) struct Patterns([[u16; MAX_KINDS]; 16]);

impl Patterns {
    pub fn new(exploration: Exploration, kinds: &[Vec<Kind>; 2]) -> Self {
        Self(std::array::from_fn(|tried| {
            let (back, wind, is_turned) = (tried / 8, Wind::ALL[tried / 2 % 4], tried % 2 == 1);
            let winds = winds(exploration, wind, is_turned);
            let mut patterns = [0; MAX_KINDS];
            for (pattern, kind) in patterns.iter_mut().zip(&kinds[back]) {
                *pattern = winds.iter().fold(0, |all, wind| all | 1 << wind.land_sides(kind.edges));
            }
            patterns
        }))
    }

    /// The patterns by kind; `tried` is 8 × colour + 2 × wind left, plus 1 if it blows across the way.
    #[inline]
    pub fn of(&self, tried: usize) -> &[u16; MAX_KINDS] {
        &self.0[tried]
    }
}

/// Winds in which a tile is tried; `turned` if the wind left blows across the way.
#[inline]
fn winds(exploration: Exploration, wind: Wind, turned: bool) -> [Wind; 3] {
    match (exploration, turned) {
        (Exploration::Clockwise, _) => [wind, wind.turned(1), wind.turned(3)],
        (Exploration::Continuous, true) => [wind, wind.turned(1), wind.turned(1)],
        (Exploration::Continuous, false) => [wind, wind.turned(3), wind.turned(3)],
    }
}
