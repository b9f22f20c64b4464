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
            let [first, second] = turned_winds(exploration, wind, is_turned);
            let mut patterns = [0; MAX_KINDS];
            for (pattern, kind) in patterns.iter_mut().zip(&kinds[back]) {
                let winds = [wind, first, second];
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

/// Winds in which a tile is tried, in order, if it does not fit with the wind left; `is_across` if that blows
/// across the way.
#[inline(always)]
pub(crate) fn turned_winds(exploration: Exploration, wind: Wind, is_across: bool) -> [Wind; 2] {
    match (exploration, is_across) {
        (Exploration::Clockwise, _) => [wind.turned(1), wind.turned(3)],
        // The turn that joins the arrows head to tail.
        (Exploration::Continuous, true) => [wind.turned(1); 2],
        (Exploration::Continuous, false) => [wind.turned(3); 2],
    }
}
