//! Directions, winds, kinds of tile, and the catalogue of tiles.

use std::fmt;
use std::str::FromStr;

use meeple_core::{TextWriter, WriteText, choice, serialize_text, show_text};
use serde::{Serialize, Serializer};

choice! {
    pub enum Dir { North = "n", East = "e", South = "s", West = "w" }
}

impl Dir {
    /// The direction with this index: 0 north, then clockwise.
    #[inline]
    pub const fn from_index(index: usize) -> Dir {
        Self::ALL[index & 3]
    }

    pub const fn long(self) -> &'static str {
        match self {
            Dir::North => "north",
            Dir::East => "east",
            Dir::South => "south",
            Dir::West => "west",
        }
    }

    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    #[inline]
    pub const fn opposite(self) -> Dir {
        Self::from_index(self as usize + 2)
    }

    /// A step in this direction: x grows east, y grows north.
    #[inline]
    pub const fn step(self) -> (i16, i16) {
        match self {
            Dir::North => (0, 1),
            Dir::East => (1, 0),
            Dir::South => (0, -1),
            Dir::West => (-1, 0),
        }
    }
}

choice! {
    /// The direction towards which a tile's wind blows.
    pub enum Wind { NorthEast = "NE", SouthEast = "SE", SouthWest = "SW", NorthWest = "NW" }
}

impl Wind {
    /// The wind after this many quarter turns clockwise.
    #[inline]
    pub const fn turned(self, quarters: usize) -> Wind {
        Self::ALL[(self as usize + quarters) & 3]
    }

    /// Returns true if the wind blows across a way in this direction.
    #[inline]
    pub const fn blows_across(self, dir: Dir) -> bool {
        (self as u8 & 1) != (dir as u8 & 1)
    }

    /// The side of the edge `dc` ("downwind, reached clockwise") of a tile with this wind. The next sides
    /// clockwise are those of `ua`, `uc` and `da`.
    #[inline]
    pub const fn downwind_clockwise(self) -> Dir {
        Dir::from_index(self as usize + 1)
    }

    /// The side of the edge `da` ("downwind, reached anticlockwise").
    #[inline]
    pub const fn downwind_anticlockwise(self) -> Dir {
        Dir::from_index(self as usize)
    }

    /// The mask of land sides of a tile with these edges and this wind.
    #[inline]
    pub const fn land_sides(self, edges: Edges) -> u8 {
        // With the wind to the north-east: north is `da`, east `dc`, south `ua`, west `uc`.
        let base =
            (edges.0 >> 3 & 1) | (edges.0 >> 2 & 1) << 1 | (edges.0 >> 1 & 1) << 2 | (edges.0 & 1) << 3;
        let turned = base << (self as u8);
        (turned | turned >> 4) & 15
    }
}

/// The four edges of a tile relative to its wind: bits `uc`, `ua`, `dc`, `da` from the lowest, set for land.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Edges(pub u8);

impl Edges {
    pub const WATER: Edges = Edges(0);
    pub const LAND: Edges = Edges(15);

    /// The letters of the edges, such as `WWLW`.
    #[inline]
    pub const fn word(self) -> &'static str {
        /// Words by the value of the bits; the first letter is the lowest bit.
        const WORDS: [&str; 16] = [
            "WWWW", "LWWW", "WLWW", "LLWW", "WWLW", "LWLW", "WLLW", "LLLW", //
            "WWWL", "LWWL", "WLWL", "LLWL", "WWLL", "LWLL", "WLLL", "LLLL",
        ];
        WORDS[(self.0 & 15) as usize]
    }
}

impl fmt::Display for Edges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Edges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl FromStr for Edges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected four edges of W and L, found '{text}'");
        if text.len() != 4 {
            return Err(wrong());
        }
        let mut bits = 0;
        for (bit, letter) in text.bytes().enumerate() {
            match letter {
                b'W' => {}
                b'L' => bits |= 1 << bit,
                _ => return Err(wrong()),
            }
        }
        Ok(Edges(bits))
    }
}

choice! {
    /// Back of a tile: the pile it belongs to.
    pub enum Back { Water = "water", Land = "land" }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// No mark.
    Plain,
    Wonder,
    Disaster,
    City,
}

/// A kind of tile. Text form `water WWLW`, followed by `*` for a wonder, `!` for a disaster or `#` for a
/// city.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    pub back: Back,
    /// The edges relative to the wind.
    pub edges: Edges,
    pub mark: Mark,
}

/// The face of a tile of this kind: its edges and its mark, as in `WWLW*`.
pub(crate) struct Face(pub Kind);

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Face {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(self.0.edges.word());
        text.push(match self.0.mark {
            Mark::Plain => "",
            Mark::Wonder => "*",
            Mark::Disaster => "!",
            Mark::City => "#",
        });
    }
}

impl Serialize for Face {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self, serializer)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

impl WriteText for Kind {
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(self.back.word());
        text.push(" ");
        Face(*self).write_text(text);
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (back, face) =
            text.split_once(' ').ok_or_else(|| format!("expected BACK EDGES, found '{text}'"))?;
        let (edges, mark) = match face.as_bytes().last() {
            Some(b'*') => (&face[..face.len() - 1], Mark::Wonder),
            Some(b'!') => (&face[..face.len() - 1], Mark::Disaster),
            Some(b'#') => (&face[..face.len() - 1], Mark::City),
            _ => (face, Mark::Plain),
        };
        Ok(Kind { back: back.parse()?, edges: edges.parse()?, mark })
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self, serializer)
    }
}

/// A kind of tile and its number of copies.
pub type Stock = (Kind, u8);

/// The tiles as counted in the printed guide.
pub const GUIDE_TILES: &str = include_str!("../data/tiles-guide.csv");

/// The tiles of the original's file. Counts include wonders and disasters.
pub const CSV_TILES: &str = include_str!("../data/tiles-csv.csv");

const HEAD: &str = "back,edges,plain,wonder,disaster";

/// Parses one line per back and edges, with the numbers of plain tiles, wonders and disasters. The error
/// names the line and the expected text.
pub fn parse_catalogue(text: &str) -> Result<Vec<Stock>, String> {
    let mut stock: Vec<Stock> = Vec::new();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    match lines.next() {
        Some((_, head)) if head.trim() == HEAD => {}
        found => {
            let found = found.map_or("nothing", |(_, head)| head);
            return Err(format!("tiles, line 1: expected '{HEAD}', found '{found}'"));
        }
    }
    for (number, line) in lines {
        let at = |reason: String| format!("tiles, line {}: {reason}", number + 1);
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let [back, edges, counts @ ..] = cells.as_slice() else {
            return Err(at(format!("expected {HEAD}, found '{line}'")));
        };
        if counts.len() != 3 {
            return Err(at(format!("expected {HEAD}, found '{line}'")));
        }
        let back: Back = back.parse().map_err(at)?;
        let edges: Edges = edges.parse().map_err(at)?;
        for (mark, count) in [Mark::Plain, Mark::Wonder, Mark::Disaster].into_iter().zip(counts) {
            let count: u8 =
                count.parse().map_err(|_| at(format!("expected a number from 0 to 255, found '{count}'")))?;
            let kind = Kind { back, edges, mark };
            if stock.iter().any(|(other, _)| *other == kind) {
                return Err(at(format!("{back} {edges} stands there twice")));
            }
            if count > 0 {
                stock.push((kind, count));
            }
        }
    }
    Ok(stock)
}
