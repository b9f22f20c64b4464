//! The land patterns of the orientations in which a tile is tried on an explored cell.

use crate::pile::MAX_KINDS;
use crate::tiles::{Kind, Wind};
use crate::variant::Exploration;

/// Bits of the land patterns in which a tile is tried. The outer index is `tried` of [`of`](Self::of), the
/// inner one the kind.
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

    /// The patterns by kind. `tried` is `8 * colour + 2 * wind`, plus 1 if the wind of the tile left blows
    /// across the way.
    #[inline]
    pub fn of(&self, tried: usize) -> &[u16; MAX_KINDS] {
        &self.0[tried]
    }
}

/// The winds in which a tile is tried, in order, after the wind of the tile left. `is_across` is true if that
/// wind blows across the way.
#[inline(always)]
pub(crate) fn turned_winds(exploration: Exploration, wind: Wind, is_across: bool) -> [Wind; 2] {
    match (exploration, is_across) {
        (Exploration::Clockwise, _) => [wind.turned(1), wind.turned(3)],
        // This turn joins the arrows of the winds head to tail.
        (Exploration::Continuous, true) => [wind.turned(1); 2],
        (Exploration::Continuous, false) => [wind.turned(3); 2],
    }
}
