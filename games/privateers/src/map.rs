//! Sea charts: the text format, its checks, and distances.

use std::collections::VecDeque;
use std::fmt;
use std::sync::OnceLock;

use thiserror::Error;

use crate::wind::Heading;

pub const SIDES: std::ops::RangeInclusive<usize> = 3..=64;
pub const PORTS: std::ops::RangeInclusive<usize> = 2..=52;
pub const MAX_PORTS: usize = *PORTS.end();
/// Distance to a cell that no ship can reach.
pub const UNREACHABLE: u16 = u16::MAX;

pub const BUILT_IN: &[(&str, &str)] = &[
    ("pocket", include_str!("../data/pocket.map")),
    ("peninsula", include_str!("../data/peninsula.map")),
    ("archipelago", include_str!("../data/archipelago.map")),
];

/// A cell. Column and row count from 0 at the upper left (north-west) corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell(u16);

impl Cell {
    /// Column and row are bit fields, so the distance of rows does not depend on the map's width.
    const SHIFT: u16 = 6;
    const NONE: u16 = u16::MAX;

    /// The cell in this column and row. Panics unless both are below 64.
    #[inline]
    pub const fn new(column: usize, row: usize) -> Self {
        assert!(column < 64 && row < 64, "maps have at most 64 columns and rows");
        Self((row << Self::SHIFT | column) as u16)
    }

    #[inline]
    pub const fn column(self) -> usize {
        (self.0 & 63) as usize
    }

    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> Self::SHIFT) as usize
    }

    /// Index into tables of `64 * height` entries.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Columns plus rows between two cells.
    #[inline]
    pub const fn manhattan(self, other: Self) -> u16 {
        (self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())) as u16
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row() + 1, self.column() + 1)
    }
}

impl serde::Serialize for Cell {
    /// Serialises the cell as `[column, row]`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.column(), self.row()].serialize(serializer)
    }
}

/// Error in a map. Lines, rows and columns are counted from 1, as in an editor.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MapError {
    /// The header is malformed.
    #[error("map header, line {line}: expected {expected}, found '{found}'")]
    Header { line: usize, expected: &'static str, found: String },
    /// Too few or too many rows or columns.
    #[error("expected 3 to 64 {what}, found {found}")]
    Size { what: &'static str, found: usize },
    /// A row is not as long as the first one.
    #[error("row {row}, column {}: expected {expected} cells as in row 1, found {found}", .found.min(.expected) + 1)]
    Ragged { row: usize, expected: usize, found: usize },
    /// An unknown character.
    #[error("{cell}: expected '.', '#' or a port's letter, found {found:?}")]
    Character { cell: Cell, found: char },
    /// Two ports have the same letter.
    #[error("{second}: port '{label}' stands already in {first}")]
    Twice { label: char, first: Cell, second: Cell },
    /// Too few ports.
    #[error("expected at least 2 ports, found {found}")]
    Ports { found: usize },
    /// A cell cannot be reached from the first cell that is not land.
    #[error(
        "{cell}: no way over water from {from}; every sea and port cell must be reachable from every other"
    )]
    CutOff { cell: Cell, from: Cell },
}

/// A checked map with its tables for sailing. Immutable.
pub struct SeaMap {
    name: String,
    author: String,
    width: usize,
    height: usize,
    rows: Vec<String>,
    /// Water cells: bit `c` of entry `r` is column `c` of row `r`.
    water: [u64; 64],
    /// Cells of the ports in the order of their labels.
    ports: Vec<Cell>,
    labels: Vec<char>,
    /// Port by cell index; 255 if there is none.
    port_at: Vec<u8>,
    /// Neighbour by cell index and heading; [`Cell::NONE`] if a ship may not go there.
    next: Vec<[u16; 4]>,
    /// Headings in which a ship may go, as bits, by cell index.
    ways: Vec<u8>,
    /// Sailing distance by cell index and port.
    to_ports: Vec<u16>,
    /// Sailing distances between all cells, computed on first use.
    between: OnceLock<CellDistances>,
}

#[derive(Clone, Copy)]
pub struct Distances<'a> {
    number: &'a [u16],
    steps: &'a [u16],
}

impl Distances<'_> {
    /// Sailing distance to a sea or port cell. Panics for land.
    #[inline]
    pub fn to(&self, cell: Cell) -> u16 {
        self.steps[usize::from(self.number[cell.index()])]
    }
}

struct CellDistances {
    /// Dense numbers of the water cells, by cell index.
    number: Vec<u16>,
    count: usize,
    steps: Vec<u16>,
}

impl fmt::Debug for SeaMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeaMap({}, {} x {}, {} ports)", self.name, self.width, self.height, self.ports.len())
    }
}

impl SeaMap {
    /// Loads the built-in map with this name, or parses the text as a map. The error describes the first
    /// fault.
    pub fn load(text: &str) -> Result<Self, String> {
        if let Some((_, content)) = BUILT_IN.iter().find(|(name, _)| *name == text.trim()) {
            return Self::parse(content).map_err(|error| error.to_string());
        }
        if !text.contains('\n') {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            let known = names.join(", ");
            return Err(format!("unknown map '{text}'\nhint: expected one of {known}, or @FILE"));
        }
        Self::parse(text).map_err(|error| error.to_string())
    }

    /// Parses the lines `name:`, `author:` and `version: 1`, an empty line, and one character per cell. The
    /// error is the first fault, with its line or cell.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let mut lines = text.lines().map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate();
        let (mut name, mut author, mut version) = (None, None, None);
        for (number, line) in lines.by_ref() {
            let wrong = |expected| MapError::Header { line: number + 1, expected, found: line.to_owned() };
            if line.trim().is_empty() {
                break;
            }
            let (key, value) = line.split_once(':').ok_or(wrong("'key: value' or an empty line"))?;
            let slot = match key.trim() {
                "name" => &mut name,
                "author" => &mut author,
                "version" if value.trim() == "1" => &mut version,
                "version" => return Err(wrong("'version: 1'")),
                _ => return Err(wrong("name, author or version")),
            };
            if slot.replace(value.trim().to_owned()).is_some() {
                return Err(wrong("every key once"));
            }
        }
        let missing = |expected| MapError::Header { line: 1, expected, found: String::new() };
        let name = name.ok_or(missing("a line 'name: …'"))?;
        let author = author.ok_or(missing("a line 'author: …'"))?;
        version.ok_or(missing("a line 'version: 1'"))?;
        let mut rows: Vec<&str> = lines.map(|(_, line)| line).collect();
        while rows.last().is_some_and(|row| row.is_empty()) {
            rows.pop();
        }
        Self::from_rows(name, author, &rows)
    }

    /// Builds a map from rows of cells. The error is the first fault, with its cell.
    pub fn from_rows(name: String, author: String, rows: &[&str]) -> Result<Self, MapError> {
        let height = rows.len();
        if !SIDES.contains(&height) {
            return Err(MapError::Size { what: "rows", found: height });
        }
        let width = rows[0].chars().count();
        if !SIDES.contains(&width) {
            return Err(MapError::Size { what: "columns", found: width });
        }
        let mut water = [0u64; 64];
        let mut found: Vec<(char, Cell)> = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            let length = row.chars().count();
            if length != width {
                return Err(MapError::Ragged { row: y + 1, expected: width, found: length });
            }
            for (x, character) in row.chars().enumerate() {
                let cell = Cell::new(x, y);
                match character {
                    '#' => continue,
                    '.' => {}
                    label if label.is_ascii_alphabetic() => {
                        if let Some((_, first)) = found.iter().find(|(known, _)| *known == label) {
                            return Err(MapError::Twice { label, first: *first, second: cell });
                        }
                        found.push((label, cell));
                    }
                    found => return Err(MapError::Character { cell, found }),
                }
                water[y] |= 1 << x;
            }
        }
        if found.len() < *PORTS.start() {
            return Err(MapError::Ports { found: found.len() });
        }
        found.sort();
        let mut map = Self {
            name,
            author,
            width,
            height,
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
            water,
            ports: found.iter().map(|(_, cell)| *cell).collect(),
            labels: found.iter().map(|(label, _)| *label).collect(),
            port_at: vec![u8::MAX; 64 * height],
            next: vec![[Cell::NONE; 4]; 64 * height],
            ways: vec![0; 64 * height],
            to_ports: vec![UNREACHABLE; 64 * height * found.len()],
            between: OnceLock::new(),
        };
        for (port, cell) in map.ports.iter().enumerate() {
            map.port_at[cell.index()] = port as u8;
        }
        for y in 0..height {
            for x in 0..width {
                if map.is_water(Cell::new(x, y)) {
                    let (cell, next) = (Cell::new(x, y).index(), map.neighbours(x, y));
                    let way = |heading: usize| u8::from(next[heading] != Cell::NONE) << heading;
                    map.next[cell] = next;
                    map.ways[cell] = (0..next.len()).map(way).sum();
                }
            }
        }
        map.check_connected()?;
        let mut steps = vec![UNREACHABLE; 64 * height];
        for port in 0..found.len() {
            map.flood(map.ports[port], &mut steps);
            for (cell, steps) in steps.iter().enumerate() {
                map.to_ports[cell * found.len() + port] = *steps;
            }
        }
        Ok(map)
    }

    fn neighbours(&self, x: usize, y: usize) -> [u16; 4] {
        let at = |inside: bool, x: usize, y: usize| {
            if inside && self.water[y] >> x & 1 == 1 { Cell::new(x, y).0 } else { Cell::NONE }
        };
        [
            at(y > 0, x, y.wrapping_sub(1) & 63),
            at(x > 0, x.wrapping_sub(1) & 63, y),
            at(y + 1 < self.height, x, (y + 1) & 63),
            at(x + 1 < self.width, (x + 1) & 63, y),
        ]
    }

    fn check_connected(&self) -> Result<(), MapError> {
        let Some(from) = self.cells().next() else {
            return Err(MapError::Ports { found: 0 });
        };
        let mut steps = vec![UNREACHABLE; 64 * self.height];
        self.flood(from, &mut steps);
        match self.cells().find(|cell| steps[cell.index()] == UNREACHABLE) {
            Some(cell) => Err(MapError::CutOff { cell, from }),
            None => Ok(()),
        }
    }

    fn flood(&self, start: Cell, steps: &mut [u16]) {
        steps.fill(UNREACHABLE);
        steps[start.index()] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(cell) = queue.pop_front() {
            for next in self.next[cell.index()] {
                if next != Cell::NONE && steps[usize::from(next)] == UNREACHABLE {
                    steps[usize::from(next)] = steps[cell.index()] + 1;
                    queue.push_back(Cell(next));
                }
            }
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn author(&self) -> &str {
        &self.author
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    #[inline]
    pub fn is_water(&self, cell: Cell) -> bool {
        self.water[cell.row()] >> cell.column() & 1 == 1
    }

    /// Returns true if the cell is land; false beyond the edges of the map.
    pub fn is_land(&self, x: isize, y: isize) -> bool {
        let inside = (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
        inside && !self.is_water(Cell::new(x as usize, y as usize))
    }

    /// Water cells: bit `c` of entry `r` is set if the cell in column `c` and row `r` is sea or a port.
    #[inline]
    pub fn water(&self) -> &[u64; 64] {
        &self.water
    }

    /// The rows of cells as in a map file, north first: `.` is sea, `#` land, and letters are ports.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// Sea and port cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| Cell::new(x, y)));
        all.filter(|cell| self.is_water(*cell))
    }

    #[inline]
    pub fn ports(&self) -> usize {
        self.ports.len()
    }

    #[inline]
    pub fn port_cell(&self, port: usize) -> Cell {
        self.ports[port]
    }

    pub fn label(&self, port: usize) -> char {
        self.labels[port]
    }

    pub fn port_named(&self, label: char) -> Option<usize> {
        self.labels.iter().position(|known| *known == label)
    }

    #[inline]
    pub fn port_at(&self, cell: Cell) -> Option<usize> {
        let port = self.port_at[cell.index()];
        (port != u8::MAX).then_some(usize::from(port))
    }

    /// The neighbour in this heading, if a ship may go there.
    #[inline]
    pub fn next(&self, cell: Cell, heading: Heading) -> Option<Cell> {
        let next = self.next[cell.index()][heading.index()];
        (next != Cell::NONE).then_some(Cell(next))
    }

    /// Headings in which a ship may go, as bits by index.
    #[inline]
    pub(crate) fn ways(&self, cell: Cell) -> u8 {
        self.ways[cell.index()]
    }

    /// Sailing distance between a port and a cell, in either direction; [`UNREACHABLE`] for land.
    #[inline]
    pub fn port_distance(&self, port: usize, cell: Cell) -> u16 {
        self.to_ports[cell.index() * self.ports.len() + port]
    }

    /// Sailing distances between a cell and all ports.
    #[inline]
    pub(crate) fn port_distances(&self, cell: Cell) -> &[u16] {
        &self.to_ports[cell.index() * self.ports.len()..][..self.ports.len()]
    }

    /// Sailing distance between two sea or port cells.
    ///
    /// The first call computes a table of all pairs. This takes milliseconds for maps up to 26 x 16. For the
    /// largest maps it takes a tenth of a second and 30 MB.
    ///
    /// # Panics
    /// If one of the cells is land.
    #[inline]
    pub fn distance(&self, from: Cell, to: Cell) -> u16 {
        self.distances_from(from).to(to)
    }

    /// The distances from one cell, for many calls of [`Distances::to`]; see [`SeaMap::distance`]. Panics for
    /// land.
    #[inline]
    pub fn distances_from(&self, from: Cell) -> Distances<'_> {
        let table = self.between.get_or_init(|| self.all_distances());
        let start = usize::from(table.number[from.index()]) * table.count;
        Distances { number: &table.number, steps: &table.steps[start..start + table.count] }
    }

    fn all_distances(&self) -> CellDistances {
        let cells: Vec<Cell> = self.cells().collect();
        let mut number = vec![u16::MAX; 64 * self.height];
        for (position, cell) in cells.iter().enumerate() {
            number[cell.index()] = position as u16;
        }
        let mut distances = vec![UNREACHABLE; 64 * self.height];
        let mut steps = Vec::with_capacity(cells.len() * cells.len());
        for from in &cells {
            self.flood(*from, &mut distances);
            steps.extend(cells.iter().map(|to| distances[to.index()]));
        }
        CellDistances { number, count: cells.len(), steps }
    }
}

impl fmt::Display for SeaMap {
    /// Writes the format that [`SeaMap::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name: {}\nauthor: {}\nversion: 1\n", self.name, self.author)?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}
