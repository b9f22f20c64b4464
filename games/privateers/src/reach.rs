//! Reachable cells of a turn: one bit set of cells per cost, in a window of 25 x 25 cells around the ship.

use crate::map::{Cell, SeaMap};
use crate::variant::MAX_BUDGET;
use crate::wind::Heading;

pub const IMPOSSIBLE: u8 = u8::MAX;

/// Rows of the window: 12 on either side of the ship, and empty rows as margins.
const ROWS: usize = 2 * MAX_BUDGET + 4;
/// The ship's row and column in the window.
const CENTRE: usize = MAX_BUDGET + 1;
/// Bits of the window's columns.
const COLUMNS: u32 = ((1 << (2 * MAX_BUDGET + 1)) - 1) << 1;

type Layer = [u32; ROWS];
const EMPTY: Layer = [0; ROWS];

/// Reachable cells, by smallest cost.
#[derive(Clone, Debug)]
pub struct Reach {
    origin: Cell,
    budget: usize,
    costs: [u8; 4],
    /// Cells by smallest cost: layer `c` has those that cost `c` half points.
    layers: [Layer; MAX_BUDGET + 1],
    all: Layer,
}

pub(crate) struct Nearest {
    pub cell: Cell,
    pub away: u16,
    pub cost: u8,
    /// True if all other reachable cells are farther from the place.
    pub is_alone: bool,
}

impl Default for Reach {
    fn default() -> Self {
        Self {
            origin: Cell::new(0, 0),
            budget: 0,
            costs: [IMPOSSIBLE; 4],
            layers: [EMPTY; MAX_BUDGET + 1],
            all: EMPTY,
        }
    }
}

impl Reach {
    /// Finds the reachable cells with `budget` half points (at most 12) and `moves` moves. `costs` gives the
    /// cost of a cell by heading, each at least 1. The old result is overwritten without an allocation.
    pub fn find(&mut self, map: &SeaMap, origin: Cell, costs: [u8; 4], budget: u8, moves: u8) {
        let budget = usize::from(budget).min(MAX_BUDGET);
        let cheapest = usize::from(costs.iter().copied().min().unwrap_or(1)).max(1);
        self.origin = origin;
        self.budget = budget;
        self.costs = costs;
        self.layers[0] = EMPTY;
        self.layers[0][CENTRE] = 1 << CENTRE;
        if budget < cheapest {
            // The other layers may be left from an earlier call, so they are excluded.
            self.budget = 0;
            self.all = self.layers[0];
            return;
        }
        let sea = window(map, origin);
        if budget / cheapest <= usize::from(moves) {
            self.flood(&sea);
        } else {
            self.flood_in_moves(&sea, moves);
        }
    }

    fn flood(&mut self, sea: &Layer) {
        let mut open = *sea;
        open[CENTRE] &= !(1 << CENTRE);
        let [north, west, south, east] = self.costs.map(usize::from);
        for cost in 1..=self.budget {
            let (done, rest) = self.layers.split_at_mut(cost);
            let before = |step: usize| if step <= cost { &done[cost - step] } else { &EMPTY };
            let (north, west, south, east) = (before(north), before(west), before(south), before(east));
            let layer = &mut rest[0];
            // Fixed bounds and no branches let the compiler generate vector code.
            for row in 1..ROWS - 1 {
                let reached = north[row + 1] | south[row - 1] | west[row] >> 1 | east[row] << 1;
                let new = reached & open[row];
                layer[row] = new;
                open[row] &= !new;
            }
        }
        // The ship's own cell is also water.
        for row in 0..ROWS {
            self.all[row] = sea[row] & !open[row];
        }
    }

    /// Handles the rare case in which moves run out before the budget. It is slow.
    fn flood_in_moves(&mut self, sea: &Layer, moves: u8) {
        let mut best = [[IMPOSSIBLE; 32]; ROWS];
        best[CENTRE][CENTRE] = 0;
        for _ in 0..moves {
            let old = best;
            for row in 1..ROWS - 1 {
                for column in 1..31 {
                    if sea[row] >> column & 1 == 0 {
                        continue;
                    }
                    let from = [
                        old[row + 1][column],
                        old[row][column + 1],
                        old[row - 1][column],
                        old[row][column - 1],
                    ];
                    for (from, cost) in from.into_iter().zip(self.costs) {
                        best[row][column] = best[row][column].min(from.saturating_add(cost));
                    }
                }
            }
        }
        for layer in &mut self.layers[1..=self.budget] {
            *layer = EMPTY;
        }
        self.all = self.layers[0];
        for (row, costs) in best.iter().enumerate() {
            for (column, cost) in costs.iter().enumerate() {
                if (1..=self.budget).contains(&usize::from(*cost)) {
                    self.layers[usize::from(*cost)][row] |= 1 << column;
                    self.all[row] |= 1 << column;
                }
            }
        }
    }

    /// Upper bound on the Manhattan distance of reachable cells.
    #[inline]
    pub(crate) fn span(&self) -> u16 {
        let cheapest = self.costs.iter().copied().min().unwrap_or(1).max(1);
        self.budget as u16 / u16::from(cheapest)
    }

    /// Smallest cost of a cell in half points; `None` if the cell is out of reach. The ship's own cell costs
    /// 0.
    pub fn cost(&self, cell: Cell) -> Option<u8> {
        let (row, column) = self.window_of(cell)?;
        (0..=self.budget).find(|cost| self.layers[*cost][row] >> column & 1 == 1).map(|cost| cost as u8)
    }

    fn window_of(&self, cell: Cell) -> Option<(usize, usize)> {
        let row = (cell.row() + CENTRE).checked_sub(self.origin.row())?;
        let column = (cell.column() + CENTRE).checked_sub(self.origin.column())?;
        (row < ROWS && column < 32).then_some((row, column))
    }

    /// Reachable cells with their cost: the ship's own first, then by cost, row and column.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        (0..=self.budget).flat_map(move |cost| {
            (1..ROWS - 1).flat_map(move |row| {
                let mut bits = self.layers[cost][row];
                std::iter::from_fn(move || {
                    if bits == 0 {
                        return None;
                    }
                    let column = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let cell =
                        Cell::new(column + self.origin.column() - CENTRE, row + self.origin.row() - CENTRE);
                    Some((cell, cost as u8))
                })
            })
        })
    }

    /// Calls `visit` in the order of [`cells`](Self::cells). It is faster.
    #[inline]
    pub(crate) fn each(&self, mut visit: impl FnMut(Cell, u8)) {
        for (cost, layer) in self.layers[..=self.budget].iter().enumerate() {
            // Every cell costs at least one half point, so rows farther than `cost` are empty.
            for (row, bits) in layer.iter().enumerate().take(CENTRE + cost + 1).skip(CENTRE - cost) {
                let mut bits = *bits;
                while bits != 0 {
                    let column = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let column = column + self.origin.column() - CENTRE;
                    visit(Cell::new(column, row + self.origin.row() - CENTRE), cost as u8);
                }
            }
        }
    }

    /// The reachable cell with the smallest distance to a place. Ties go to the first of
    /// [`cells`](Self::cells). `distance` must be at least the Manhattan distance, so that most cells can be
    /// skipped.
    #[inline]
    pub(crate) fn nearest(&self, place: Cell, distance: impl Fn(Cell) -> u16) -> Nearest {
        let mut least = distance(self.origin);
        let mut nearest = EMPTY;
        let (mut top, mut bottom) = (CENTRE, CENTRE);
        // The search begins on the side of the place, where an early near cell rules out more others.
        let from_south = place.row() > self.origin.row();
        let (north, south) = self.rows_within(place, least);
        for step in 0..(south + 1).saturating_sub(north) {
            let row = if from_south { south - step } else { north + step };
            let (mut bits, mut equal) = (self.all[row] & self.within(row, place, least), 0);
            while bits != 0 {
                let column =
                    if place.column() > self.origin.column() { bits.ilog2() } else { bits.trailing_zeros() };
                bits &= !(1 << column);
                let away = distance(self.cell_at(row, column as usize));
                if away < least {
                    (least, equal) = (away, 0);
                    (top, bottom) = (row, row);
                    bits &= self.within(row, place, least);
                }
                if away == least {
                    equal |= 1 << column;
                }
            }
            nearest[row] = equal;
            if equal != 0 {
                (top, bottom) = (top.min(row), bottom.max(row));
            }
        }
        for (cost, layer) in self.layers[..=self.budget].iter().enumerate() {
            for row in top..=bottom {
                let bits = layer[row] & nearest[row];
                if bits != 0 {
                    let cell = self.cell_at(row, bits.trailing_zeros() as usize);
                    let equals: u32 = nearest[top..=bottom].iter().map(|bits| bits.count_ones()).sum();
                    return Nearest { cell, away: least, cost: cost as u8, is_alone: equals == 1 };
                }
            }
        }
        Nearest { cell: self.origin, away: least, cost: 0, is_alone: true }
    }

    /// Calls `visit` with the reachable cells at a Manhattan distance of at most `distance` from a place, row
    /// by row.
    #[inline]
    pub(crate) fn each_within(&self, place: Cell, distance: u16, mut visit: impl FnMut(Cell)) {
        let (north, south) = self.rows_within(place, distance);
        for row in north..=south {
            let mut bits = self.all[row] & self.within(row, place, distance);
            while bits != 0 {
                visit(self.cell_at(row, bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
        }
    }

    /// First and last row of the window with cells within a Manhattan distance of a place.
    #[inline]
    fn rows_within(&self, place: Cell, distance: u16) -> (usize, usize) {
        let row = (place.row() + CENTRE) as i32 - self.origin.row() as i32;
        let (north, south) = ((CENTRE - self.budget) as i32, (CENTRE + self.budget) as i32);
        let distance = i32::from(distance);
        ((row - distance).clamp(north, south) as usize, (row + distance).clamp(north, south) as usize)
    }

    /// Columns, as bits, of the cells in a row of the window that are within a Manhattan distance of a place.
    #[inline]
    fn within(&self, row: usize, place: Cell, distance: u16) -> u32 {
        let down = (row + self.origin.row()).abs_diff(place.row() + CENTRE) as i32;
        let spare = i32::from(distance) - down;
        let column = (place.column() + CENTRE) as i32 - self.origin.column() as i32;
        let (west, east) = ((column - spare).max(0), (column + spare).min(31));
        if spare < 0 || west > east { 0 } else { u32::MAX >> (31 - east) & u32::MAX << west }
    }

    #[inline]
    fn cell_at(&self, row: usize, column: usize) -> Cell {
        Cell::new(column + self.origin.column() - CENTRE, row + self.origin.row() - CENTRE)
    }

    /// First heading of a cheapest way; `None` if the cell is out of reach or the ship is there.
    pub fn first_step(&self, target: Cell) -> Option<Heading> {
        let mut first = None;
        self.way_back(target, |heading| first = Some(heading));
        first
    }

    /// Calls `visit` with the headings of a cheapest way, the last one first. It is not called if the cell is
    /// out of reach.
    pub(crate) fn way_back(&self, target: Cell, mut visit: impl FnMut(Heading)) {
        let (Some(cost), Some((mut row, mut column))) = (self.cost(target), self.window_of(target)) else {
            return;
        };
        let mut cost = usize::from(cost);
        while cost > 0 {
            let back = Heading::ALL.iter().find_map(|heading| {
                let step = usize::from(self.costs[heading.index()]);
                let (from_row, from_column) = match heading {
                    Heading::North => (row + 1, column),
                    Heading::West => (row, column + 1),
                    Heading::South => (row - 1, column),
                    Heading::East => (row, column - 1),
                };
                let before = cost.checked_sub(step)?;
                (self.layers[before][from_row] >> from_column & 1 == 1).then_some((
                    *heading,
                    before,
                    from_row,
                    from_column,
                ))
            });
            let Some((heading, before, from_row, from_column)) = back else { return };
            visit(heading);
            (cost, row, column) = (before, from_row, from_column);
        }
    }
}

/// The water cells of the window around a cell.
#[inline]
fn window(map: &SeaMap, origin: Cell) -> Layer {
    let (row, column) = (origin.row(), origin.column());
    let water = map.water();
    let mut sea = EMPTY;
    for (offset, sea) in sea.iter_mut().enumerate().skip(1).take(2 * MAX_BUDGET + 1) {
        // Rows outside the map are above 63 after the subtraction wraps, or empty in the table.
        let line = (row + offset).wrapping_sub(CENTRE);
        let bits = if line < 64 { water[line] } else { 0 };
        let shifted = if column >= CENTRE { bits >> (column - CENTRE) } else { bits << (CENTRE - column) };
        *sea = shifted as u32 & COLUMNS;
    }
    sea
}
