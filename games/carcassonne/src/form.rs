//! The board as it is written: tiles, meeples, towers.

use serde::Serialize;

use crate::board::{Board, Placed, Tower, node_of};
use crate::geometry::{Cell, Spot};
use crate::tiles::Kind;

/// Tile, column, row, quarter turns clockwise.
type TileForm = (Kind, i8, i8, u8);

/// The tiles in the order they were laid.
pub(crate) fn tiles(board: &Board) -> Vec<TileForm> {
    let form = |placed: &Placed| (placed.kind(), placed.cell.x, placed.cell.y, placed.turns());
    board.tiles().iter().map(form).collect()
}

#[derive(Serialize)]
pub(crate) struct MeepleForm {
    seat: usize,
    cell: Cell,
    on: Spot,
}

pub(crate) fn meeples(board: &Board) -> Vec<MeepleForm> {
    let mut meeples = Vec::new();
    for (tile, placed) in board.tiles().iter().enumerate() {
        let piece = placed.piece();
        for segment in 0..usize::from(piece.segments) {
            if let Some(seat) = board.owner(node_of(tile, segment)) {
                meeples.push(MeepleForm { seat, cell: placed.cell, on: piece.spots[segment] });
            }
        }
    }
    meeples
}

#[derive(Serialize)]
pub(crate) struct TowerForm {
    cell: Cell,
    height: u8,
    guard: Option<usize>,
}

pub(crate) fn towers(board: &Board) -> Vec<TowerForm> {
    let cell = |tile: u8| board.tiles()[usize::from(tile)].cell;
    let form =
        |tower: &Tower| TowerForm { cell: cell(tower.tile), height: tower.height, guard: tower.guard() };
    board.towers().iter().map(form).collect()
}
