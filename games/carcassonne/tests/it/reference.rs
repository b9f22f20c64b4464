//! A second scorer: slow, obviously correct, and independent of the first. After every action it floods the
//! board half-edge by half-edge, from the placed tiles in the observation's JSON and its own parsing of
//! `tiles.txt`. It also scores everything.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

/// A piece of a tile: kind, reach (directions of sides, or half-edges), banner, cities touched.
#[derive(Clone, Debug)]
pub struct Piece {
    pub what: String,
    /// Sides or half-edges, in the tile's orientation.
    pub reach: Vec<usize>,
    pub banner: bool,
    pub touches: Vec<usize>,
    /// The piece's number among the tile's segments: cities, roads, monastery, fields, each in the order of
    /// the line.
    pub segment: usize,
}

/// The kinds of features; river and foundation are none.
const KINDS: [&str; 4] = ["city", "road", "monastery", "field"];

/// The pieces of every tile after 0 to 3 quarter turns.
static CATALOGUE: LazyLock<BTreeMap<String, [Vec<Piece>; 4]>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for line in include_str!("../../data/tiles.txt").lines() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let mut parts = line.split(" | ");
        let id = parts.next().unwrap().split_whitespace().next().unwrap().to_owned();
        let mut pieces: Vec<Piece> = parts.map(piece).collect();
        let mut segment = 0;
        for kind in KINDS {
            for piece in pieces.iter_mut().filter(|piece| piece.what == kind) {
                piece.segment = segment;
                segment += 1;
            }
        }
        all.insert(id, [0, 1, 2, 3].map(|turns| pieces.iter().map(|piece| piece.turned(turns)).collect()));
    }
    all
});

fn piece(text: &str) -> Piece {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut piece = Piece {
        what: words[0].to_owned(),
        reach: Vec::new(),
        banner: words.contains(&"banner"),
        touches: Vec::new(),
        segment: usize::MAX,
    };
    let mut touching = false;
    for word in &words[1..] {
        match *word {
            "touches" => touching = true,
            "banner" | "inside" => {}
            number if touching => piece.touches.push(number.parse().unwrap()),
            half if words[0] == "field" => {
                let names = ["Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn"];
                piece.reach.push(names.iter().position(|name| *name == half).unwrap());
            }
            sides => piece.reach.extend(sides.chars().map(|side| "NESW".find(side).unwrap())),
        }
    }
    piece
}

impl Piece {
    fn turned(&self, turns: usize) -> Self {
        let (step, all) = if self.what == "field" { (2, 8) } else { (1, 4) };
        let reach = self.reach.iter().map(|place| (place + step * turns) % all).collect();
        Self { reach, ..self.clone() }
    }
}

pub type Cell = (i64, i64);
/// A piece of a placed tile: the cell and the number of the piece in the catalogue's line.
pub type Part = (Cell, usize);

/// A board as read from an observation.
pub struct Board {
    pub tiles: Tiles,
    /// Seat of the meeple by part.
    pub meeples: BTreeMap<Part, usize>,
    /// The tile laid last.
    pub last: Cell,
}

#[derive(Clone)]
pub struct Tiles {
    list: Vec<(Cell, &'static [Piece])>,
    /// The bounding rectangle of the tiles, by rows: indices in the list, or `None`.
    grid: Vec<Option<usize>>,
    corner: Cell,
    width: i64,
    height: i64,
}

impl Tiles {
    fn new(list: Vec<(Cell, &'static [Piece])>) -> Self {
        let range = |of: fn(&Cell) -> i64| {
            let values = || list.iter().map(|(cell, _)| of(cell));
            (values().min().unwrap(), values().max().unwrap())
        };
        let ((west, east), (north, south)) = (range(|cell| cell.0), range(|cell| cell.1));
        let (width, height) = (east - west + 1, south - north + 1);
        let grid = vec![None; (width * height) as usize];
        let mut tiles = Self { list, grid, corner: (west, north), width, height };
        for number in 0..tiles.list.len() {
            let at = tiles.place(tiles.list[number].0).unwrap();
            assert!(tiles.grid[at].replace(number).is_none(), "two tiles on one cell");
        }
        tiles
    }

    fn place(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (cell.0 - self.corner.0, cell.1 - self.corner.1);
        let within = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        within.then_some((y * self.width + x) as usize)
    }

    fn at(&self, cell: Cell) -> Option<usize> {
        self.grid[self.place(cell)?]
    }
}

/// All features of a board, and the feature of each part.
pub struct Features {
    pub list: Vec<Flood>,
    /// Index of each part's feature in `list`, by tile and piece.
    of: Vec<[usize; MAX_PIECES]>,
}

/// Upper bound on the pieces of a tile.
const MAX_PIECES: usize = 12;
const NOWHERE: usize = usize::MAX;

impl Features {
    /// Replaces the meeples on the features by `meeples`.
    pub fn man(&mut self, board: &Board, meeples: &BTreeMap<Part, usize>) {
        self.list.iter_mut().for_each(|flood| flood.meeples.clear());
        for ((cell, number), seat) in meeples {
            let feature = self.of[board.tiles.at(*cell).unwrap()][*number];
            *self.list[feature].meeples.entry(*seat).or_default() += 1;
        }
    }
}

/// A feature with all its scoring data.
#[derive(Debug, Clone, PartialEq)]
pub struct Flood {
    pub what: &'static str,
    pub parts: Vec<Part>,
    pub tiles: usize,
    pub banners: i64,
    pub open: i64,
    pub meeples: BTreeMap<usize, i64>,
}

const STEP: [Cell; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Board {
    pub fn read(seen: &Value) -> Self {
        let number = |value: &Value| value.as_i64().unwrap();
        let mut tiles = Vec::new();
        for tile in seen["board"].as_array().unwrap() {
            let pieces = &CATALOGUE[tile[0].as_str().unwrap()][number(&tile[3]) as usize];
            tiles.push(((number(&tile[1]), number(&tile[2])), pieces.as_slice()));
        }
        let newest = seen["board"].as_array().unwrap().last().unwrap();
        let last = (number(&newest[1]), number(&newest[2]));
        let mut board = Self { tiles: Tiles::new(tiles), meeples: BTreeMap::new(), last };
        for meeple in seen["meeples"].as_array().unwrap() {
            let cell = (number(&meeple["cell"][0]), number(&meeple["cell"][1]));
            let part = board.named(cell, meeple["on"].as_str().unwrap());
            let seat = number(&meeple["seat"]) as usize;
            assert!(board.meeples.insert((cell, part), seat).is_none(), "two meeples on one spot");
        }
        board
    }

    pub fn parts(&self, cell: Cell) -> &'static [Piece] {
        self.tiles.list[self.tiles.at(cell).unwrap()].1
    }

    /// The part named by a spot's text.
    pub fn named(&self, cell: Cell, spot: &str) -> usize {
        let (what, place) = spot.split_once(' ').unwrap_or((spot, ""));
        let pieces = self.parts(cell);
        let names = ["Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn"];
        pieces
            .iter()
            .position(|piece| {
                let reach = &piece.reach;
                piece.what == what
                    && match what {
                        "monastery" => true,
                        "field" if place == "inside" => reach.is_empty(),
                        "field" => reach.contains(&names.iter().position(|name| *name == place).unwrap()),
                        _ => reach.contains(&"NESW".find(place).unwrap()),
                    }
            })
            .unwrap()
    }

    pub fn flood(&self, start: Part) -> Flood {
        self.flood_into(start, 0, &mut vec![[NOWHERE; MAX_PIECES]; self.tiles.list.len()])
    }

    /// The feature of a part; its parts are marked with its number.
    fn flood_into(&self, start: Part, feature: usize, of: &mut [[usize; MAX_PIECES]]) -> Flood {
        let what = self.parts(start.0)[start.1].what.as_str();
        let mut flood =
            Flood { what, parts: Vec::new(), tiles: 0, banners: 0, open: 0, meeples: BTreeMap::new() };
        let mut todo = vec![(self.tiles.at(start.0).unwrap(), start.1)];
        while let Some((tile, number)) = todo.pop() {
            if of[tile][number] == feature {
                continue;
            }
            // A tile counts once, however many of its parts belong to the feature.
            flood.tiles += usize::from(!of[tile].contains(&feature));
            of[tile][number] = feature;
            let (cell, pieces) = self.tiles.list[tile];
            flood.parts.push((cell, number));
            let piece = &pieces[number];
            flood.banners += i64::from(piece.banner);
            if let Some(seat) = self.meeples.get(&(cell, number)) {
                *flood.meeples.entry(*seat).or_default() += 1;
            }
            if what == "monastery" {
                let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (cell.0 + dx, cell.1 + dy)));
                flood.open = around.filter(|near| self.tiles.at(*near).is_none()).count() as i64;
                continue;
            }
            for place in piece.reach.iter().copied() {
                let side = if what == "field" { place / 2 } else { place };
                let near = (cell.0 + STEP[side].0, cell.1 + STEP[side].1);
                let Some(other) = self.tiles.at(near) else {
                    flood.open += 1;
                    continue;
                };
                // Sides meet the opposite side; half-edges are mirrored along the side.
                let across = match what {
                    "field" => [5, 4, 7, 6, 1, 0, 3, 2][place],
                    _ => (place + 2) % 4,
                };
                let mut theirs = self.tiles.list[other].1.iter();
                let theirs = theirs.position(|other| other.what == what && other.reach.contains(&across));
                todo.push((other, theirs.expect("edges match")));
            }
        }
        flood
    }

    pub fn features(&self) -> Features {
        let mut all = Features { list: Vec::new(), of: vec![[NOWHERE; MAX_PIECES]; self.tiles.list.len()] };
        for (tile, (cell, pieces)) in self.tiles.list.iter().enumerate() {
            for (number, piece) in pieces.iter().enumerate() {
                if piece.segment != NOWHERE && all.of[tile][number] == NOWHERE {
                    let flood = self.flood_into((*cell, number), all.list.len(), &mut all.of);
                    all.list.push(flood);
                }
            }
        }
        all
    }

    /// Complete cities that a field touches.
    pub fn cities(&self, field: &Flood, all: &Features) -> i64 {
        let mut cities: BTreeSet<usize> = BTreeSet::new();
        for (cell, number) in &field.parts {
            let pieces = self.parts(*cell);
            let of_tile: Vec<usize> =
                (0..pieces.len()).filter(|number| pieces[*number].what == "city").collect();
            for city in &pieces[*number].touches {
                let feature = all.of[self.tiles.at(*cell).unwrap()][of_tile[*city]];
                if all.list[feature].open == 0 {
                    cities.insert(feature);
                }
            }
        }
        cities.len() as i64
    }

    /// Points of a feature by the standard rules, and the seats that get them.
    pub fn worth(&self, flood: &Flood, all: &Features) -> (i64, Vec<usize>) {
        let tiles = flood.tiles as i64;
        let points = match (flood.what, flood.open) {
            ("road", _) => tiles,
            ("city", 0) => 2 * tiles + 2 * flood.banners,
            ("city", _) => tiles + flood.banners,
            ("monastery", open) => 9 - open,
            ("field", _) => 3 * self.cities(flood, all),
            (other, _) => panic!("{other} is no feature"),
        };
        let most = flood.meeples.values().max().copied().unwrap_or(0);
        let leaders = flood.meeples.iter().filter(|(_, count)| **count == most).map(|(seat, _)| *seat);
        (points, leaders.collect())
    }

    /// Points of all occupied features, by seat: the final scoring.
    pub fn final_points(&self, seats: usize) -> Vec<i64> {
        let mut points = vec![0; seats];
        let all = self.features();
        for flood in &all.list {
            let (worth, leaders) = self.worth(flood, &all);
            leaders.into_iter().for_each(|seat| points[seat] += worth);
        }
        points
    }
}
