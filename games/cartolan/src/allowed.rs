//! The crossings that an Adventurer may make.

use crate::map::{Cell, Crossing};
use crate::variant::{Budget, Limits, Movement, Variant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowed {
    pub land: bool,
    pub upwind: bool,
    /// Moves with the wind, and waiting.
    pub downwind: bool,
}

impl Allowed {
    /// The crossings allowed after these moves of the turn, counted by kind.
    #[inline(always)]
    pub(crate) fn after([land, upwind, downwind]: [u8; 3], limits: Limits, variant: &Variant) -> Self {
        let total = land + upwind + downwind;
        let any = total < limits.moves;
        match variant.movement {
            Movement::Initial => {
                Self { land: any && total < limits.land, upwind: any && total < limits.upwind, downwind: any }
            }
            Movement::Budgetted => {
                let lenient = variant.inland && variant.budget == Budget::LandAfterUpwind;
                Self {
                    land: any && land < limits.land && (lenient || upwind == 0),
                    upwind: any && upwind < limits.upwind && land == 0,
                    downwind: any,
                }
            }
        }
    }

    /// Mask of the sides of a placed tile that may be left. Disasters beyond are ignored.
    #[inline]
    pub fn sides(self, cell: &Cell) -> u8 {
        let only = |may: bool, sides: u8| u8::from(may).wrapping_neg() & sides;
        let [land, upwind, downwind] = cell.exits;
        only(self.land, land) | only(self.upwind, upwind) | only(self.downwind, downwind)
    }

    #[inline]
    pub fn allows(self, crossing: Crossing) -> bool {
        match crossing {
            Crossing::Land => self.land,
            Crossing::Upwind => self.upwind,
            Crossing::Downwind => self.downwind,
        }
    }
}
