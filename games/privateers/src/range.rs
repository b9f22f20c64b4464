//! Cells in range of an attack.

use crate::map::{Cell, SeaMap};
use crate::variant::{Distance, Variant};
use crate::wind::Heading;

/// Pairs of nearby cells with their attack distance, up to the largest range.
#[derive(Clone, Debug)]
pub(crate) struct RangeTable {
    reach: u16,
    /// Start of each cell's list in `near`, with one more entry for the end.
    starts: Vec<u32>,
    near: Vec<(Cell, u8)>,
}

impl RangeTable {
    pub(crate) fn new(map: &SeaMap, variant: &Variant, reach: u8) -> Self {
        let mut table = Self { reach: u16::from(reach), starts: Vec::new(), near: Vec::new() };
        let open = |cell: Cell| !variant.ports_block || map.port_at(cell).is_none();
        for index in 0..64 * map.height() {
            table.starts.push(table.near.len() as u32);
            let cell = Cell::new(index % 64, index / 64);
            if index % 64 < map.width() && map.is_water(cell) && reach > 0 {
                match variant.distance {
                    Distance::Sea => table.add_by_sea(map, cell, reach, open),
                    Distance::Straight => table.add_straight(map, cell, reach, open),
                }
            }
        }
        table.starts.push(table.near.len() as u32);
        table
    }

    /// R6.1: adds the cells in range by breadth-first search. A way leads through open cells; its ends may be
    /// ports.
    fn add_by_sea(&mut self, map: &SeaMap, from: Cell, reach: u8, open: impl Fn(Cell) -> bool) {
        let first = self.near.len();
        self.near.push((from, 0));
        let mut next = first;
        while next < self.near.len() {
            let (cell, distance) = self.near[next];
            next += 1;
            if distance == reach || (distance > 0 && !open(cell)) {
                continue;
            }
            for heading in Heading::ALL {
                if let Some(cell) = map.next(cell, *heading)
                    && !self.near[first..].iter().any(|(known, _)| *known == cell)
                {
                    self.near.push((cell, distance + 1));
                }
            }
        }
    }

    fn add_straight(&mut self, map: &SeaMap, from: Cell, reach: u8, open: impl Fn(Cell) -> bool) {
        self.near.push((from, 0));
        for heading in Heading::ALL {
            let mut cell = from;
            for distance in 1..=reach {
                let Some(next) = map.next(cell, *heading) else { break };
                self.near.push((next, distance));
                cell = next;
                if !open(cell) {
                    break;
                }
            }
        }
    }

    /// The attack distance between two cells; `None` beyond the largest range.
    #[inline]
    pub(crate) fn distance(&self, from: Cell, to: Cell) -> Option<u8> {
        if from == to {
            return Some(0);
        }
        if from.manhattan(to) > self.reach {
            return None;
        }
        let list = self.starts[from.index()] as usize..self.starts[from.index() + 1] as usize;
        self.near[list].iter().find(|(cell, _)| *cell == to).map(|(_, distance)| *distance)
    }
}
