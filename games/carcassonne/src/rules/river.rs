//! Legal placements of the river.

use std::fmt;

use crate::board::Content;
use crate::game::Carcassonne;
use crate::geometry::{Cell, Side};
use crate::state::{RiverEnd, State};
use crate::tiles::{Kind, fits};
use crate::variant::Uturn;

const STRAIGHTS: u32 = 6;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Uturned {
    /// The river, continued by the remaining straight tiles, could run into a tile.
    WouldTouch { straights: u32, ahead: Side, steps: i8, near: Cell },
    /// The cells ahead, or those beside them, are not free.
    NotFree { ahead: Side, near: Cell },
    /// The previous curve turned the same way.
    SameTurn,
}

impl fmt::Display for Uturned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the river would make a U-turn: ")?;
        match self {
            Self::WouldTouch { straights, ahead, steps, near } => write!(
                f,
                "{straights} straight tiles are still to come, and {steps} cells on to the {} it would touch the \
                 tile on {near}",
                ahead.word()
            ),
            Self::NotFree { ahead, near } => write!(
                f,
                "the two cells to the {} and their flanks must be free, and a tile lies on {near}",
                ahead.word()
            ),
            Self::SameTurn => f.write_str("the curve before it turned the same way"),
        }
    }
}

impl Carcassonne {
    /// Bits of the orientations in which a river tile may be laid at the river's open end.
    pub(crate) fn river_mask(&self, state: &State, kind: Kind) -> u8 {
        let Some(end) = state.river_end else { return 0 };
        let Content::Frontier(slot) = state.board.at(end.cell) else { return 0 };
        let code = state.board.codes()[slot];
        let turns = 0..kind.tile().rotations;
        turns.fold(0, |mask, turns| {
            let piece = self.tables.piece(kind, turns);
            let joins = end.joins(piece) && fits(&piece.terrain, code);
            let allowed = joins && self.bend_refused(state, kind, turns).is_none();
            mask | u8::from(allowed) << turns
        })
    }

    /// The reason why the U-turn rule refuses a curve in this orientation at the river's open end.
    pub(crate) fn bend_refused(&self, state: &State, kind: Kind, turns: u8) -> Option<Uturned> {
        let end = state.river_end?;
        let next = RiverEnd::after(kind, turns, end.cell, Some(end))?;
        if next.bend == 0 {
            return None;
        }
        let ahead = next.from.opposite();
        let occupied = |cell: Cell| cell != end.cell && state.board.tile_at(cell).is_some();
        match self.variant.uturn {
            Uturn::Lookahead => {
                let laid = state.board.tiles().iter().filter(|placed| placed.kind().tile().is_straight());
                let lost: u32 = Kind::all()
                    .filter(|kind| kind.tile().is_straight())
                    .map(|kind| u32::from(state.discarded[kind.index()]))
                    .sum();
                let straights = STRAIGHTS - laid.count() as u32 - lost;
                (1..=straights as i8 + 1).find_map(|steps| {
                    let cell = end.cell.steps(ahead, steps);
                    let near =
                        Side::ALL.into_iter().map(|side| cell.step(side)).find(|near| occupied(*near))?;
                    Some(Uturned::WouldTouch { straights, ahead, steps, near })
                })
            }
            Uturn::TwoCells => (1..=2).find_map(|step| {
                let cell = end.cell.steps(ahead, step);
                let flanks = [cell, cell.step(ahead.turned(1)), cell.step(ahead.turned(3))];
                let near = flanks.into_iter().find(|near| occupied(*near))?;
                Some(Uturned::NotFree { ahead, near })
            }),
            Uturn::TwoCurves => (next.bend == end.bend).then_some(Uturned::SameTurn),
        }
    }
}
