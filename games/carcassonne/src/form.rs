//! The serialised form of the board: tiles, meeples, towers.

use meeple_core::Listed;
use serde::Serialize;

use crate::board::{Board, Placed, Tower, segment_of, tile_of};
use crate::geometry::{Cell, Spot};

/// The tiles in the order they were laid: tile, column, row, quarter turns clockwise.
pub(crate) fn tiles(board: &Board) -> impl Serialize {
    let form = |placed: &Placed| (placed.kind(), placed.cell.x, placed.cell.y, placed.turns());
    Listed(move || board.tiles().iter().map(form))
}

#[derive(Serialize)]
struct MeepleForm {
    seat: usize,
    cell: Cell,
    on: Spot,
}

pub(crate) fn meeples(board: &Board) -> impl Serialize {
    let form = |(node, seat)| {
        let placed = board.tiles()[tile_of(node)];
        MeepleForm { seat, cell: placed.cell, on: placed.piece().spots[segment_of(node)] }
    };
    Listed(move || board.meeples().map(form))
}

#[derive(Serialize)]
struct TowerForm {
    cell: Cell,
    height: u8,
    guard: Option<usize>,
}

pub(crate) fn towers(board: &Board) -> impl Serialize {
    let cell = |tile: u8| board.tiles()[usize::from(tile)].cell;
    let form =
        move |tower: &Tower| TowerForm { cell: cell(tower.tile), height: tower.height, guard: tower.guard() };
    Listed(move || board.towers().iter().map(form))
}
