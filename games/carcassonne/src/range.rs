//! What a tower reaches.

use crate::action::Post;
use crate::board::{Board, Tower, node_of};
use crate::geometry::Cell;
use crate::tiles::Tables;

impl Tower {
    /// Whether a tower of this height on `tower` reaches `cell`: its own tile, and as many tiles straight in
    /// each direction as it has floors, over gaps and other towers.
    pub(crate) fn reaches(tower: Cell, height: u8, cell: Cell) -> bool {
        let (dx, dy) = (tower.x.abs_diff(cell.x), tower.y.abs_diff(cell.y));
        (dx == 0 && dy <= height) || (dy == 0 && dx <= height)
    }
}

impl Board {
    /// The meeples that a tower reaches, tile by tile in the order they were laid: where, on what, whose.
    pub(crate) fn in_range<'a>(
        &'a self,
        tables: &'a Tables,
        tower: usize,
    ) -> impl Iterator<Item = (Cell, Post, usize)> + 'a {
        let tower = self.towers()[tower];
        let from = self.tiles()[usize::from(tower.tile)].cell;
        let near = move |cell: Cell| Tower::reaches(from, tower.height, cell);
        let tiles = self.tiles().iter().enumerate();
        let standing = tiles.filter(move |(tile, placed)| self.is_manned(*tile) && near(placed.cell));
        let meeples = standing.flat_map(move |(tile, placed)| {
            let piece = tables.piece(placed.kind(), placed.turns());
            (0..usize::from(piece.segments)).filter_map(move |segment| {
                let owner = self.owner(node_of(tile, segment))?;
                Some((placed.cell, Post::On(piece.spots[segment]), owner))
            })
        });
        let guards = self.towers().iter().filter_map(move |other| {
            let cell = self.tiles()[usize::from(other.tile)].cell;
            let owner = other.guard()?;
            near(cell).then_some((cell, Post::Guard, owner))
        });
        meeples.chain(guards)
    }
}
