//! The tiles, read once from `data/tiles.txt`, and tables of their orientations and fits.

use std::fmt;
use std::mem::discriminant;
use std::str::FromStr;
use std::sync::LazyLock;

use meeple_core::{TextWriter, WriteText, choice};
use serde::{Serialize, Serializer};

use crate::geometry::{FieldSpot, Half, Side, Spot};

pub const KINDS: usize = 52;
/// Kinds below this are land (base and tower) tiles, the others belong to the river.
pub const LAND_KINDS: usize = 41;
pub const MAX_SEGMENTS: usize = 8;

/// A kind of tile, by its number in the order of the data file: base, tower, river.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Kind(u8);

impl Kind {
    /// The kind with this index.
    ///
    /// # Panics
    /// If the index is not below [`KINDS`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < KINDS, "there is no such kind of tile");
        Self(index as u8)
    }

    /// The tile that lies at the origin when there is no river.
    pub(crate) const START: Self = Self::new(3);
    /// The river's spring.
    pub(crate) const SPRING: Self = Self::new(LAND_KINDS);
    /// The river's lake.
    pub(crate) const LAKE: Self = Self::new(KINDS - 1);

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub fn all() -> impl Iterator<Item = Kind> {
        (0..KINDS).map(Kind::new)
    }

    pub fn named(id: &str) -> Option<Self> {
        TABLES.tiles.iter().position(|tile| tile.id == id).map(Self::new)
    }

    #[inline]
    pub fn tile(self) -> &'static Tile {
        &TABLES.tiles[self.index()]
    }

    #[inline]
    pub const fn is_river(self) -> bool {
        self.index() >= LAND_KINDS
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.tile().id)
    }
}

impl WriteText for Kind {
    #[inline]
    fn write_text(&self, text: &mut TextWriter<'_>) {
        text.push(&self.tile().id);
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::named(text)
            .ok_or_else(|| format!("expected a tile (A to X, T01 to T17, RS, R1 to R9, RE), found '{text}'"))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.tile().id)
    }
}

/// The set of tiles that a tile belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    Base,
    /// Tiles with a tower foundation.
    Tower,
    /// Spring, river and lake.
    River,
}

choice! {
    /// The terrain at a side of a tile.
    #[repr(u8)]
    pub enum Terrain { River = "river", Field = "field", City = "city", Road = "road" }

    /// The kind of feature that a segment belongs to.
    pub enum SegmentKind { City = "city", Road = "road", Monastery = "monastery", Field = "field" }
}

impl Terrain {
    fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'f' => Self::Field,
            'c' => Self::City,
            'r' => Self::Road,
            'w' => Self::River,
            _ => return None,
        })
    }
}

/// A connected piece of city, road, monastery or field on a tile, in the tile's base orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    pub kind: SegmentKind,
    /// Sides that the segment reaches, as bits; cities and roads only.
    pub sides: u8,
    /// Half-edges that the segment reaches, as bits; fields only.
    pub halves: u8,
    /// True if the segment has a banner; cities only.
    pub banner: bool,
    /// City segments that this field touches, as bits of their segment numbers.
    pub touches: u8,
}

/// A tile in base orientation. Its segments are numbered in this order: cities, roads, monastery, fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    pub id: String,
    pub set: Set,
    pub count: u8,
    /// Sides clockwise from north, in base orientation.
    pub terrain: [Terrain; 4],
    pub segments: Vec<Segment>,
    /// Sides that the river reaches, as bits.
    pub river: u8,
    /// True if a tower can be built on the tile.
    pub foundation: bool,
    /// Number of distinguishable orientations.
    pub rotations: u8,
}

impl Tile {
    /// Number of the monastery's segment.
    pub fn monastery(&self) -> Option<usize> {
        self.segments.iter().position(|segment| segment.kind == SegmentKind::Monastery)
    }

    /// Returns true if the river goes straight through the tile.
    pub const fn is_straight(&self) -> bool {
        self.river == 0b0101 || self.river == 0b1010
    }
}

/// Marks the absence of a segment in a [`Piece`].
pub const NONE: u8 = 0xff;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Sides clockwise from north.
    pub terrain: [Terrain; 4],
    /// City or road segment at each side, or [`NONE`].
    pub at_side: [u8; 4],
    /// Field segment at each half-edge, or [`NONE`].
    pub at_half: [u8; 8],
    /// Open sides of each segment.
    pub open: [u8; MAX_SEGMENTS],
    /// Sides that each city or road reaches, as bits.
    pub sides: [u8; MAX_SEGMENTS],
    pub spots: [Spot; MAX_SEGMENTS],
    /// Sides that the river reaches, as bits.
    pub river: u8,
    pub segments: u8,
    /// Segments that are cities, roads or monasteries, as bits.
    pub buildings: u8,
    /// Segments that are fields, as bits.
    pub fields: u8,
    /// The monastery's segment, or [`NONE`].
    pub monastery: u8,
    /// True if a tower can be built on the tile.
    pub foundation: bool,
}

impl Piece {
    /// The segment that a spot names. Any side or half-edge of the segment is accepted.
    #[inline]
    pub(crate) fn segment_at(&self, spot: Spot) -> Option<usize> {
        let segment = match spot {
            Spot::City(side) | Spot::Road(side) => self.at_side[side.index()],
            Spot::Monastery => self.monastery,
            Spot::Field(FieldSpot::At(half)) => self.at_half[half.index()],
            Spot::Field(FieldSpot::Inside) => {
                let inside = (0..usize::from(self.segments)).find(|segment| self.spots[*segment] == spot);
                inside.map_or(NONE, |segment| segment as u8)
            }
        };
        // The side may belong to a segment of another kind, such as a city instead of a road.
        (segment != NONE && discriminant(&self.spots[usize::from(segment)]) == discriminant(&spot))
            .then_some(usize::from(segment))
    }
}

/// The contribution of a segment of a [`Piece`] to its feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Share {
    /// Sides that a city or road reaches, as bits.
    pub(crate) sides: u8,
    /// City segments that a field touches, as bits.
    pub(crate) touches: u8,
    /// Number of banners.
    pub(crate) banners: u8,
}

/// The orientations in which a tile fits a cell. The low half of the byte has them as bits, the high half
/// their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fit(u8);

impl Fit {
    #[inline]
    pub const fn of(turns: u8) -> Self {
        Self((turns.count_ones() as u8) << 4 | turns)
    }

    /// The orientations, as bits.
    #[inline]
    pub const fn turns(self) -> u8 {
        self.0 & 0xf
    }

    /// Number of orientations.
    #[inline]
    pub const fn count(self) -> u32 {
        (self.0 >> 4) as u32
    }

    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }
}

/// Counts by land kind, padded to a multiple of vector lengths.
pub(crate) type Counts = [u16; 48];

const _: () = assert!(LAND_KINDS <= size_of::<Counts>() / 2, "there is a place for each land kind");

/// All tiles and the tables derived from them.
pub struct Tables {
    pub tiles: Vec<Tile>,
    /// Kinds in all orientations: `4 * kind + turns`.
    pub pieces: Vec<Piece>,
    /// Shares by kind in all orientations, and by segment.
    pub(crate) shares: Vec<[Share; MAX_SEGMENTS]>,
    /// By land kind and edge code of an empty cell: distinguishable fitting orientations.
    pub fit: Vec<[Fit; 256]>,
    /// Number of fitting orientations, by edge code and land kind.
    pub(crate) ways: Vec<Counts>,
    /// The kind of feature of each segment, by kind of tile; [`SegmentKind::Field`] where there is none.
    pub(crate) kinds: [[SegmentKind; MAX_SEGMENTS]; KINDS],
    /// Segments with a banner, as bits, by kind.
    pub banners: [u8; KINDS],
    /// City segments that a field segment touches, as bits, by kind and segment.
    pub touches: [[u8; MAX_SEGMENTS]; KINDS],
    /// By kind: numbers of sides with field, city, road, and of monasteries.
    pub(crate) shows: [[u8; 4]; KINDS],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let tiles = parse(include_str!("../data/tiles.txt")).expect("the data file is part of the crate");
    Tables::new(tiles)
});

#[inline]
pub fn tables() -> &'static Tables {
    &TABLES
}

impl Tables {
    fn new(tiles: Vec<Tile>) -> Self {
        let pieces: Vec<Piece> =
            tiles.iter().flat_map(|tile| (0..4).map(|turns| piece(tile, turns))).collect();
        let fit: Vec<[Fit; 256]> = (0..LAND_KINDS)
            .map(|kind| {
                let turns = |code: usize| {
                    let turns = 0..tiles[kind].rotations;
                    let fitting = turns
                        .filter(|turns| fits(&pieces[4 * kind + usize::from(*turns)].terrain, code as u8));
                    Fit::of(fitting.fold(0, |mask, turns| mask | 1 << turns))
                };
                std::array::from_fn(turns)
            })
            .collect();
        let mut kinds = [[SegmentKind::Field; MAX_SEGMENTS]; KINDS];
        let mut banners = [0; KINDS];
        let mut touches = [[0; MAX_SEGMENTS]; KINDS];
        for (kind, tile) in tiles.iter().enumerate() {
            for (number, segment) in tile.segments.iter().enumerate() {
                kinds[kind][number] = segment.kind;
                banners[kind] |= u8::from(segment.banner) << number;
                touches[kind][number] = segment.touches;
            }
        }
        let mut shows = [[0; 4]; KINDS];
        for (shows, tile) in shows.iter_mut().zip(&tiles) {
            let sides = |terrain| tile.terrain.iter().filter(|side| **side == terrain).count() as u8;
            let [field, city, road] = [Terrain::Field, Terrain::City, Terrain::Road].map(sides);
            *shows = [field, city, road, u8::from(tile.monastery().is_some())];
        }
        let count = |kind: usize, code: usize| fit.get(kind).map_or(0, |fit| fit[code].count() as u16);
        let ways = (0..256).map(|code| std::array::from_fn(|kind| count(kind, code))).collect();
        let share = |number: usize, segment: usize| Share {
            sides: pieces[number].sides[segment],
            touches: touches[number / 4][segment],
            banners: banners[number / 4] >> segment & 1,
        };
        let shares =
            (0..pieces.len()).map(|number| std::array::from_fn(|segment| share(number, segment))).collect();
        Self { tiles, pieces, shares, fit, ways, kinds, banners, touches, shows }
    }

    #[inline]
    pub fn piece(&self, kind: Kind, turns: u8) -> &Piece {
        &self.pieces[4 * kind.index() + usize::from(turns & 3)]
    }
}

/// Returns true if sides with this terrain agree with an edge code. The code has two bits per side, clockwise
/// from north in the lowest bits: 0 if any terrain is allowed, otherwise the required [`Terrain`]. Water
/// never meets a requirement; at the river's open end the code has none.
#[inline]
pub fn fits(terrain: &[Terrain; 4], code: u8) -> bool {
    misfit(terrain, code).is_none()
}

/// The first side whose terrain does not agree with an edge code.
#[inline]
pub(crate) fn misfit(terrain: &[Terrain; 4], code: u8) -> Option<Side> {
    Side::ALL.into_iter().find(|side| {
        let asked = code >> (2 * side.index()) & 3;
        asked != 0 && asked != terrain[side.index()] as u8
    })
}

const fn turn_sides(mask: u8, turns: usize) -> u8 {
    let turns = turns & 3;
    (mask << turns | mask >> (4 - turns)) & 0xf
}

fn piece(tile: &Tile, turns: usize) -> Piece {
    let mut piece = Piece {
        terrain: [Terrain::Field; 4],
        at_side: [NONE; 4],
        at_half: [NONE; 8],
        open: [0; MAX_SEGMENTS],
        sides: [0; MAX_SEGMENTS],
        spots: [Spot::Monastery; MAX_SEGMENTS],
        river: turn_sides(tile.river, turns),
        segments: tile.segments.len() as u8,
        buildings: 0,
        fields: 0,
        monastery: tile.monastery().map_or(NONE, |segment| segment as u8),
        foundation: tile.foundation,
    };
    for side in Side::ALL {
        piece.terrain[side.turned(turns).index()] = tile.terrain[side.index()];
    }
    for (number, segment) in tile.segments.iter().enumerate() {
        let sides = turn_sides(segment.sides, turns);
        let halves = segment.halves.rotate_left(2 * turns as u32);
        piece.open[number] = sides.count_ones() as u8;
        piece.sides[number] = sides;
        for side in (0..4).filter(|side| sides >> side & 1 == 1) {
            piece.at_side[side] = number as u8;
        }
        for half in (0..8).filter(|half| halves >> half & 1 == 1) {
            piece.at_half[half] = number as u8;
        }
        match segment.kind {
            SegmentKind::Field => piece.fields |= 1 << number,
            _ => piece.buildings |= 1 << number,
        }
        let first_side = Side::from_index(sides.trailing_zeros() as usize);
        piece.spots[number] = match segment.kind {
            SegmentKind::City => Spot::City(first_side),
            SegmentKind::Road => Spot::Road(first_side),
            SegmentKind::Monastery => Spot::Monastery,
            SegmentKind::Field if halves == 0 => Spot::Field(FieldSpot::Inside),
            SegmentKind::Field => {
                Spot::Field(FieldSpot::At(Half::from_index(halves.trailing_zeros() as usize)))
            }
        };
    }
    piece
}

/// The appearance of a tile after `turns` quarter turns. Two orientations have equal appearances exactly if
/// they are indistinguishable.
fn appearance(tile: &Tile, turns: usize) -> Vec<(SegmentKind, u8, u8, bool, Vec<u8>)> {
    let mut parts: Vec<_> = tile
        .segments
        .iter()
        .map(|segment| {
            let touched = tile.segments.iter().enumerate();
            let mut touched: Vec<u8> = touched
                .filter(|(number, _)| segment.touches >> number & 1 == 1)
                .map(|(_, city)| turn_sides(city.sides, turns))
                .collect();
            touched.sort_unstable();
            let halves = segment.halves.rotate_left(2 * turns as u32);
            (segment.kind, turn_sides(segment.sides, turns), halves, segment.banner, touched)
        })
        .collect();
    // The river is represented by its sides, in a monastery entry with a banner, which no real segment has.
    parts.push((SegmentKind::Monastery, turn_sides(tile.river, turns), 0, true, Vec::new()));
    parts.sort_unstable();
    parts
}

fn rotations(tile: &Tile) -> u8 {
    (1..4).find(|turns| appearance(tile, *turns) == appearance(tile, 0)).unwrap_or(4) as u8
}

fn parse(text: &str) -> Result<Vec<Tile>, String> {
    let mut tiles = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        tiles.push(parse_tile(line).map_err(|error| format!("{error} in '{line}'"))?);
    }
    if tiles.len() != KINDS {
        return Err(format!("expected {KINDS} kinds of tiles, found {}", tiles.len()));
    }
    if let Some(kind) = (0..KINDS).find(|kind| (tiles[*kind].set == Set::River) != (*kind >= LAND_KINDS)) {
        return Err(format!("expected the river after the land, found {}", tiles[kind].id));
    }
    Ok(tiles)
}

fn parse_tile(line: &str) -> Result<Tile, String> {
    let mut parts = line.split('|').map(str::trim);
    let head: Vec<&str> = parts.next().unwrap_or("").split_whitespace().collect();
    let [id, set, count, terrain] = head[..] else {
        return Err(format!("expected id, set, count, terrain, found {} words", head.len()));
    };
    let set = match set {
        "base" => Set::Base,
        "tower" => Set::Tower,
        "river" => Set::River,
        _ => return Err(format!("unknown set '{set}'")),
    };
    let count = count.parse().map_err(|_| format!("expected a number of tiles, found '{count}'"))?;
    let terrain: Vec<Terrain> = terrain.chars().filter_map(Terrain::from_letter).collect();
    let terrain: [Terrain; 4] = terrain.try_into().map_err(|_| "expected four terrains".to_owned())?;
    let mut tile = Tile {
        id: id.to_owned(),
        set,
        count,
        terrain,
        segments: Vec::new(),
        river: 0,
        foundation: false,
        rotations: 0,
    };
    for part in parts {
        parse_part(&mut tile, part)?;
    }
    // The stable sort keeps the order within a kind. Cities come first, so their numbers stay valid.
    tile.segments.sort_by_key(|segment| segment.kind);
    if tile.segments.len() > MAX_SEGMENTS {
        return Err(format!("expected at most {MAX_SEGMENTS} segments, found {}", tile.segments.len()));
    }
    tile.rotations = rotations(&tile);
    Ok(tile)
}

fn parse_part(tile: &mut Tile, part: &str) -> Result<(), String> {
    let (what, rest) = part.split_once(' ').unwrap_or((part, ""));
    let mut segment = Segment { kind: SegmentKind::City, sides: 0, halves: 0, banner: false, touches: 0 };
    match what {
        "foundation" => {
            tile.foundation = true;
            return Ok(());
        }
        "river" => {
            tile.river = parse_sides(rest)?;
            return Ok(());
        }
        "city" => {
            let (sides, banner) = rest.split_once(' ').unwrap_or((rest, ""));
            segment.sides = parse_sides(sides)?;
            segment.banner = banner == "banner";
        }
        "road" => {
            segment.kind = SegmentKind::Road;
            segment.sides = parse_sides(rest)?;
        }
        "monastery" => segment.kind = SegmentKind::Monastery,
        "field" => {
            segment.kind = SegmentKind::Field;
            let (halves, touches) = rest.split_once("touches").unwrap_or((rest, ""));
            for half in halves.split_whitespace().filter(|word| *word != "inside") {
                segment.halves |= 1 << half.parse::<Half>()?.index();
            }
            for city in touches.split_whitespace() {
                let city: u8 = city.parse().map_err(|_| format!("expected a city, found '{city}'"))?;
                segment.touches |= 1 << city;
            }
        }
        _ => return Err(format!("expected a part of a tile, found '{what}'")),
    }
    tile.segments.push(segment);
    Ok(())
}

fn parse_sides(text: &str) -> Result<u8, String> {
    let mut mask = 0;
    for letter in text.chars() {
        mask |= 1 << letter.to_string().parse::<Side>()?.index();
    }
    Ok(mask)
}
