//! The map: placed tiles and the empty cells beside them, linked to their neighbours.

use meeple_core::choice;

use crate::tiles::{Back, Dir, Edges, Mark, Wind};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_DEALT, MAX_SEATS, Variant};

/// Upper bound on the cells of a map. Each city brings at most 5 tiles and 8 empty cells. Each dealt tile
/// takes an empty cell and opens at most 3 new ones.
pub const MAX_CELLS: usize = 2 * 13 + 3 * MAX_DEALT + 4;

/// Index of a cell, in order of discovery. It does not depend on the cell's place.
pub type CellId = u16;

/// The Capital: the first cell of every map.
pub(crate) const CAPITAL: CellId = 0;

pub const NO_CELL: CellId = u16::MAX;

choice! {
    /// The content of a cell: empty, a plain tile, a wonder, a disaster, or a city.
    pub enum Ground { Empty = "empty", Plain = "plain", Wonder = "wonder", Disaster = "disaster", City = "city" }

    /// The kind of a move over a side of a tile: over land, or over water against or with the wind.
    pub enum Crossing { Land = "land", Upwind = "upwind", Downwind = "downwind" }
}

impl Crossing {
    /// The colour of the tile that an exploration over this crossing draws.
    #[inline]
    pub(crate) fn draws(self, inland: bool) -> Back {
        if self == Self::Land && inland { Back::Land } else { Back::Water }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Tiles east of the Capital.
    pub x: i16,
    /// Tiles north of the Capital.
    pub y: i16,
    pub ground: Ground,
    pub back: Back,
    /// Land edges relative to the wind.
    pub edges: Edges,
    pub wind: Wind,
    /// Mask of sides with a known edge: all sides of a tile, and the sides of an empty cell towards placed
    /// tiles.
    pub known: u8,
    /// Mask of sides where the edge is land; for an empty cell the facing edge of the neighbour.
    pub land: u8,
    /// Mask of the two sides towards which the wind blows, with water or land edges.
    pub downwind: u8,
    /// Masks of the sides whose crossing is over land, upwind and downwind.
    pub exits: [u8; 3],
    /// Mask of a tile's sides without a tile beyond.
    pub open: u8,
    /// True if the cell lies in a city's domain.
    pub in_domain: bool,
    /// Number of the cell's wonder, from 0 in the order of discovery.
    pub wonder: u8,
    /// The Agent on the cell, or [`NO_AGENT`].
    pub agent: AgentId,
    /// Number of Adventurers here.
    pub ships: u8,
    /// Wealth left at a disaster.
    pub dropped: u16,
    /// Adventurers that ended a move here since they last left a city: bit `4 * seat + number`. Maintained
    /// only with cards.
    pub visited: u16,
    /// Neighbours: north, east, south, west.
    pub neighbours: [CellId; 4],
}

/// An Agent: the owner's seat and the Agent's number. It takes one byte, because every cell has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AgentId(u8);

pub const NO_AGENT: AgentId = AgentId(u8::MAX);

const _: () =
    assert!(MAX_AGENTS == 8 && MAX_SEATS <= 4, "the lowest three bits are the number, and sets have 32 bits");

impl AgentId {
    #[inline]
    pub const fn new(seat: u8, number: u8) -> Self {
        Self(seat << 3 | number)
    }

    #[inline]
    pub const fn seat(self) -> u8 {
        self.0 >> 3
    }

    #[inline]
    pub const fn number(self) -> u8 {
        self.0 & 7
    }

    #[inline]
    pub const fn who(self) -> (u8, u8) {
        (self.seat(), self.number())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AgentSet(u32);

impl AgentSet {
    pub const EMPTY: Self = Self(0);

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn contains(self, agent: AgentId) -> bool {
        self.0 >> agent.0 & 1 == 1
    }

    #[inline]
    pub const fn insert(&mut self, agent: AgentId) {
        self.0 |= 1 << agent.0;
    }

    /// Iterates over the Agents, by seat and number.
    pub fn iter(self) -> impl Iterator<Item = AgentId> {
        (0..32).map(AgentId).filter(move |agent| self.contains(*agent))
    }
}

#[inline]
pub(crate) const fn visit_bit((seat, number): (u8, u8)) -> u16 {
    1 << (seat * MAX_ADVENTURERS as u8 + number)
}

impl Cell {
    const BLANK: Cell = Cell {
        x: 0,
        y: 0,
        ground: Ground::Empty,
        back: Back::Water,
        edges: Edges::WATER,
        wind: Wind::NorthEast,
        known: 0,
        land: 0,
        downwind: 0,
        exits: [0; 3],
        open: 0,
        in_domain: false,
        wonder: 0,
        agent: NO_AGENT,
        ships: 0,
        dropped: 0,
        visited: 0,
        neighbours: [NO_CELL; 4],
    };

    #[inline]
    pub fn is_placed(&self) -> bool {
        self.ground != Ground::Empty
    }

    /// The kind of crossing over a side, by the edge alone.
    #[inline]
    pub fn crossing(&self, dir: Dir) -> Crossing {
        if (self.land & dir.bit()) != 0 || self.ground == Ground::City {
            Crossing::Land
        } else if self.downwind & dir.bit() != 0 {
            Crossing::Downwind
        } else {
            Crossing::Upwind
        }
    }

    /// Distance in steps between two cells' places.
    #[inline]
    pub fn distance(&self, other: &Cell) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }

    /// Numbers of known water and land edges around the cell, without the side `entry`.
    #[inline]
    pub fn gap(&self, entry: Dir) -> (u32, u32) {
        let others = self.known & !entry.bit();
        ((others & !self.land).count_ones(), (others & self.land).count_ones())
    }

    /// The wealth for the edges that a tile placed here meets, without the side `entry`.
    #[inline]
    pub(crate) fn gap_wealth(&self, entry: Dir, variant: &Variant) -> u32 {
        let (water, land) = self.gap(entry);
        water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land)
    }

    /// The number of a seat's Agent here.
    #[inline]
    pub(crate) fn agent_of(&self, seat: usize) -> Option<u8> {
        // [`NO_AGENT`] has a seat that no player has.
        (usize::from(self.agent.seat()) == seat).then_some(self.agent.number())
    }

    /// Returns true if a tile with land on these sides fits here.
    #[inline]
    pub fn fits(&self, land: u8) -> bool {
        (self.land ^ land) & self.known == 0
    }

    /// Reverses the wind. The compass edges stay the same.
    pub fn reverse_wind(&mut self) {
        self.wind = self.wind.turned(2);
        self.downwind = downwind_sides(self.wind);
        // The new wind renames the same compass edges: `uc` and `dc` change places, as do `ua` and `da`.
        self.edges = Edges((self.edges.0 >> 2 | self.edges.0 << 2) & 15);
        self.find_exits();
    }

    /// Computes [`exits`](Self::exits).
    fn find_exits(&mut self) {
        let water = !self.land & 15;
        self.exits = match self.ground {
            Ground::City => [15, 0, 0],
            _ => [self.land, water & !self.downwind, water & self.downwind],
        };
    }
}

#[inline]
fn downwind_sides(wind: Wind) -> u8 {
    wind.downwind_clockwise().bit() | wind.downwind_anticlockwise().bit()
}

#[derive(Clone, Copy, Debug)]
pub struct Laid {
    pub back: Back,
    pub edges: Edges,
    pub mark: Mark,
    pub wind: Wind,
}

#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Map {
    cells: [Cell; MAX_CELLS],
    /// Cells by place: a hash table with open addressing.
    index: [CellId; INDEX],
    count: u16,
    placed: u16,
    wonders: u8,
    disasters: u8,
    /// The first four disasters.
    disaster_cells: [CellId; 4],
}

/// Slots of the hash table: a square of 32 x 32 places, repeated in both directions.
const INDEX: usize = 1024;

const _: () = assert!(size_of::<Cell>() == 32, "cells are found by a shift");

const _: () = assert!(MAX_CELLS < INDEX, "there is always a free slot");

#[inline]
fn slot(x: i16, y: i16) -> usize {
    usize::from(x as u16 & 31 | (y as u16 & 31) << 5)
}

impl Map {
    pub(crate) fn new() -> Self {
        Self {
            cells: [Cell::BLANK; MAX_CELLS],
            index: [NO_CELL; INDEX],
            count: 0,
            placed: 0,
            wonders: 0,
            disasters: 0,
            disaster_cells: [NO_CELL; 4],
        }
    }

    /// The cells in the order of discovery.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }

    #[inline]
    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[usize::from(id)]
    }

    #[inline]
    pub(crate) fn cell_mut(&mut self, id: CellId) -> &mut Cell {
        &mut self.cells[usize::from(id)]
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [Cell] {
        &mut self.cells[..usize::from(self.count)]
    }

    /// Number of tiles on the map, cities and their surroundings included.
    pub fn placed(&self) -> usize {
        usize::from(self.placed)
    }

    pub fn wonders(&self) -> u8 {
        self.wonders
    }

    #[inline]
    pub fn disasters(&self) -> u8 {
        self.disasters
    }

    /// The cells of the first four disasters, oldest first.
    #[inline]
    pub fn disaster_cells(&self) -> &[CellId] {
        &self.disaster_cells[..usize::from(self.disasters.min(4))]
    }

    /// The bounds of the placed tiles: westernmost and easternmost column, southernmost and northernmost row.
    pub fn bounds(&self) -> [i16; 4] {
        let placed = self.cells().iter().filter(|cell| cell.is_placed());
        placed.fold([0; 4], |[west, east, south, north], cell| {
            [west.min(cell.x), east.max(cell.x), south.min(cell.y), north.max(cell.y)]
        })
    }

    /// The cell at this place; `None` if the place has no tile and no tile beside it.
    pub fn find(&self, x: i16, y: i16) -> Option<CellId> {
        let mut at = slot(x, y);
        loop {
            let id = self.index[at];
            let cell = self.cells.get(usize::from(id))?;
            if (cell.x, cell.y) == (x, y) {
                return Some(id);
            }
            at = (at + 1) % INDEX;
        }
    }

    #[inline]
    pub fn neighbour(&self, id: CellId, dir: Dir) -> CellId {
        self.cells[usize::from(id)].neighbours[dir.index()]
    }

    fn find_or_add(&mut self, x: i16, y: i16, domain: impl Fn(i16, i16) -> bool) -> CellId {
        if let Some(id) = self.find(x, y) {
            return id;
        }
        let id = self.count;
        self.cells[usize::from(id)] = Cell { x, y, in_domain: domain(x, y), ..Cell::BLANK };
        let mut at = slot(x, y);
        while self.index[at] != NO_CELL {
            at = (at + 1) % INDEX;
        }
        self.index[at] = id;
        self.count += 1;
        id
    }

    /// Lays a tile at a place and links it. If `city_land` is true, a city's edges are land for its
    /// neighbours.
    pub(crate) fn lay(
        &mut self,
        (x, y): (i16, i16),
        tile: Laid,
        city_land: bool,
        domain: impl Fn(i16, i16) -> bool,
    ) -> CellId {
        let id = self.find_or_add(x, y, &domain);
        let land = match tile.mark {
            Mark::City if city_land => 15,
            Mark::City => 0,
            _ => tile.wind.land_sides(tile.edges),
        };
        let wonder = self.wonders;
        let cell = self.cell_mut(id);
        cell.ground = match tile.mark {
            Mark::Plain => Ground::Plain,
            Mark::Wonder => Ground::Wonder,
            Mark::Disaster => Ground::Disaster,
            Mark::City => Ground::City,
        };
        cell.back = tile.back;
        cell.edges = tile.edges;
        cell.wind = tile.wind;
        cell.known = 15;
        cell.land = land;
        cell.downwind = downwind_sides(tile.wind);
        cell.find_exits();
        if tile.mark == Mark::Wonder {
            cell.wonder = wonder;
            self.wonders += 1;
        }
        if tile.mark == Mark::Disaster {
            if let Some(first) = self.disaster_cells.get_mut(usize::from(self.disasters)) {
                *first = id;
            }
            self.disasters += 1;
        }
        self.placed += 1;
        let mut open = 0;
        for dir in Dir::ALL.iter().copied() {
            let (dx, dy) = dir.step();
            let beside = match self.cell(id).neighbours[dir.index()] {
                NO_CELL => self.find_or_add(x + dx, y + dy, &domain),
                known => known,
            };
            self.cell_mut(id).neighbours[dir.index()] = beside;
            let back = dir.opposite();
            let neighbour = self.cell_mut(beside);
            neighbour.neighbours[back.index()] = id;
            neighbour.open &= !back.bit();
            if !neighbour.is_placed() {
                open |= dir.bit();
                neighbour.known |= back.bit();
                if land & dir.bit() != 0 {
                    neighbour.land |= back.bit();
                }
            }
        }
        self.cell_mut(id).open = open;
        id
    }
}

impl Clone for Map {
    fn clone(&self) -> Self {
        Self { ..*self }
    }

    /// Copies only the cells in use, because unused cells are blank in every map.
    fn clone_from(&mut self, source: &Self) {
        let used = usize::from(self.count.max(source.count));
        let Self { cells, index, count, placed, wonders, disasters, disaster_cells } = self;
        cells[..used].copy_from_slice(&source.cells[..used]);
        *index = source.index;
        (*count, *placed) = (source.count, source.placed);
        (*wonders, *disasters, *disaster_cells) = (source.wonders, source.disasters, source.disaster_cells);
    }
}
