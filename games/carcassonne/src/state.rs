//! The position: the public board, and the hidden hands and deck.

use std::fmt;

use meeple_core::choice;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::action::Action;
use crate::board::Board;
use crate::form;
use crate::geometry::{Cell, Side};
use crate::tiles::{KINDS, Kind, LAND_KINDS, Piece, SegmentKind, tables};
use crate::variant::{MAX_HAND, MAX_SEATS};

choice! {
    /// The step that the game waits for.
    pub enum Stage {
        Order = "order",
        /// Chance draws a tile: for the river, for the first hands, or for the mover.
        Draw = "draw",
        Tile = "tile",
        /// The mover claims, builds, closes, or passes.
        Action = "action",
        /// The mover may capture a meeple.
        Capture = "capture",
        Over = "over",
    }

    /// Sources of points. Ransom points are the income minus the payments.
    pub enum Source {
        Road = "road",
        City = "city",
        Monastery = "monastery",
        Farm = "farm",
        Ransom = "ransom",
    }
}

impl Source {
    /// The source for a kind of feature.
    #[inline]
    pub(crate) const fn of(kind: SegmentKind) -> Self {
        match kind {
            SegmentKind::City => Self::City,
            SegmentKind::Road => Self::Road,
            SegmentKind::Monastery => Self::Monastery,
            SegmentKind::Field => Self::Farm,
        }
    }
}

/// Number of sources of points.
pub const SOURCES: usize = Source::ALL.len();

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RiverEnd {
    /// The empty cell where it continues.
    pub cell: Cell,
    /// The side of that cell where the water enters.
    pub from: Side,
    /// The turn of the last tile along the flow: 0 straight, 1 right, 3 left.
    pub(crate) bend: u8,
}

impl RiverEnd {
    /// The end of the river after a tile laid there, or after the spring; `None` if the river ends with this
    /// tile.
    pub(crate) fn after(kind: Kind, turns: u8, cell: Cell, end: Option<Self>) -> Option<Self> {
        let river = tables().piece(kind, turns).river;
        let came = end.map_or(0, |end| 1 << end.from.index());
        let out = river & !came;
        if out == 0 {
            return None;
        }
        let out = Side::from_index(out.trailing_zeros() as usize);
        let bend = end.map_or(0, |end| (out.index() + 4 - end.from.opposite().index()) as u8 & 3);
        Some(Self { cell: cell.step(out), from: out.opposite(), bend })
    }

    /// Returns true if the river continues over this piece.
    #[inline]
    pub(crate) fn joins(&self, piece: &Piece) -> bool {
        piece.river >> self.from.index() & 1 == 1
    }
}

/// The tiles of a hand, sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hand {
    tiles: [Kind; MAX_HAND],
    len: u8,
}

impl Hand {
    #[inline]
    pub fn tiles(&self) -> &[Kind] {
        &self.tiles[..usize::from(self.len)]
    }

    #[inline]
    pub(crate) fn insert(&mut self, kind: Kind) {
        let mut at = usize::from(self.len);
        while at > 0 && self.tiles[at - 1] > kind {
            self.tiles[at] = self.tiles[at - 1];
            at -= 1;
        }
        self.tiles[at] = kind;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn remove(&mut self, kind: Kind) {
        if let Some(at) = self.tiles().iter().position(|tile| *tile == kind) {
            self.tiles.copy_within(at + 1.., at);
            self.tiles[MAX_HAND - 1] = Kind::default();
            self.len -= 1;
        }
    }

    #[inline]
    pub fn distinct(&self) -> impl Iterator<Item = Kind> + '_ {
        let tiles = self.tiles();
        tiles
            .iter()
            .enumerate()
            .filter(|(at, kind)| *at == 0 || tiles[at - 1] != **kind)
            .map(|(_, kind)| *kind)
    }
}

/// The undrawn tiles as a multiset: counts by kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Counts by kind, one per byte: land kinds first, river kinds from word [`RIVER_WORD`] on.
    counts: [[u8; 8]; 8],
    land: u8,
    river: u8,
}

/// The first word of the river's counts.
const RIVER_WORD: usize = 6;

impl Stack {
    pub(crate) const EMPTY: Self = Self { counts: [[0; 8]; 8], land: 0, river: 0 };

    const fn place(kind: Kind) -> (usize, usize) {
        let at = kind.index();
        let at = if at < LAND_KINDS { at } else { RIVER_WORD * 8 + at - LAND_KINDS };
        (at / 8, at % 8)
    }

    #[inline]
    pub fn count(&self, kind: Kind) -> u32 {
        let (word, byte) = Self::place(kind);
        u32::from(self.counts[word][byte])
    }

    /// Land tiles left.
    #[inline]
    pub fn land(&self) -> u32 {
        u32::from(self.land)
    }

    /// River tiles left.
    #[inline]
    pub fn river(&self) -> u32 {
        u32::from(self.river)
    }

    /// The counts of the land kinds, eight kinds per word, the first in the lowest byte.
    #[inline]
    pub(crate) fn land_words(&self) -> [u64; RIVER_WORD] {
        std::array::from_fn(|word| u64::from_le_bytes(self.counts[word]))
    }

    pub(crate) fn add(&mut self, kind: Kind, count: u8) {
        let (word, byte) = Self::place(kind);
        self.counts[word][byte] += count;
        if kind.is_river() { self.river += count } else { self.land += count }
    }

    #[inline]
    pub(crate) fn take(&mut self, kind: Kind) {
        let (word, byte) = Self::place(kind);
        self.counts[word][byte] -= 1;
        if kind.is_river() { self.river -= 1 } else { self.land -= 1 }
    }

    /// The kind of the tile with this number in a pile. The tiles of a pile are numbered in the order of
    /// their kinds.
    #[inline]
    pub(crate) fn pick(&self, pile: Pile, number: u32) -> Kind {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let mut left = number;
        let first = if pile == Pile::Land { 0 } else { RIVER_WORD };
        for word in first..self.counts.len() {
            // Byte i of the product is the sum of bytes 0..=i; a pile has fewer than 256 tiles.
            let sums = u64::from_le_bytes(self.counts[word]).wrapping_mul(ONES).to_le_bytes();
            let total = u32::from(sums[7]);
            if left < total {
                let byte = sums.iter().filter(|sum| u32::from(**sum) <= left).count();
                return Kind::new(word * 8 + byte - if first == 0 { 0 } else { RIVER_WORD * 8 - LAND_KINDS });
            }
            left -= total;
        }
        unreachable!("the number of a tile is below the number of tiles")
    }

    /// The kinds with undrawn tiles, with their counts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Kind, u32)> + '_ {
        Kind::all().map(|kind| (kind, self.count(kind))).filter(|(_, count)| *count > 0)
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(kind, count)| (kind.to_string(), count))).finish()
    }
}

impl Serialize for Stack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (kind, count) in self.iter() {
            map.serialize_entry(&kind, &count)?;
        }
        map.end()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pile {
    River,
    Land,
}

/// A position: about 24 kilobytes, without heap memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) hands: [Hand; MAX_SEATS],
    pub(crate) stack: Stack,
    /// Tiles out of the game, by kind.
    pub(crate) discarded: [u8; KINDS],
    pub(crate) stage: Stage,
    /// Seats in turn order.
    pub(crate) order: [u8; MAX_SEATS],
    /// The mover, as an index into `order`.
    pub(crate) turn: u8,
    pub(crate) river_end: Option<RiverEnd>,
    /// True if the lake is still to come.
    pub(crate) lake_due: bool,
    /// Number of tiles of the first hands that have been dealt.
    pub(crate) dealt: u8,
    /// Bits of the last tile's segments that can be claimed.
    pub(crate) claimable: u8,
    /// The tower just built on, during [`Stage::Capture`].
    pub(crate) tower: u8,
    pub(crate) ransoms: u8,
    pub(crate) end: u8,
    pub(crate) points: [i32; MAX_SEATS],
    pub(crate) sources: [[i32; SOURCES]; MAX_SEATS],
    pub(crate) supply: [u8; MAX_SEATS],
    pub(crate) floors: [u8; MAX_SEATS],
    /// Prisoners by captor and owner.
    pub(crate) prisoners: [[u8; MAX_SEATS]; MAX_SEATS],
    pub(crate) captures: [u16; MAX_SEATS],
    /// The seat and action of the last decision. It is public; different claims may lead to equal boards.
    pub(crate) last: Option<(u8, Action)>,
    /// Number of completed turns: the game's length.
    pub(crate) turns: u16,
    pub(crate) discards: u16,
    /// Sum of the legal placements of each tile laid by a player, for statistics. Other tiles of the hand are
    /// excluded, because they are not public.
    pub(crate) placements: u32,
    /// Number of tiles in that sum.
    pub(crate) laid: u32,
}

impl State {
    /// Makes the state equal to `start`, the start of an episode. This is faster than a copy.
    #[inline]
    pub(crate) fn restart(&mut self, start: &Self) {
        // The destructuring has no `..`, so a new field cannot be forgotten.
        macro_rules! copy {
            ($($field:ident)*) => {
                let Self { board, $($field),* } = self;
                board.restart(&start.board);
                $(*$field = start.$field;)*
            };
        }
        copy!(hands stack discarded stage order turn river_end lake_due dealt claimable tower ransoms end points sources
            supply floors prisoners captures last turns discards placements laid);
    }

    /// The seat whose turn it is.
    #[inline]
    pub(crate) fn mover(&self) -> usize {
        usize::from(self.order[usize::from(self.turn)])
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hands: Vec<&[Kind]> = self.hands.iter().map(Hand::tiles).collect();
        let mut form = serializer.serialize_struct("State", 23)?;
        form.serialize_field("stage", self.stage.word())?;
        form.serialize_field("order", &self.order)?;
        form.serialize_field("turn", &self.turn)?;
        form.serialize_field("board", &form::tiles(&self.board))?;
        form.serialize_field("meeples", &form::meeples(&self.board))?;
        form.serialize_field("towers", &form::towers(&self.board))?;
        form.serialize_field("river_end", &self.river_end.map(|end| (end.cell, end.from.word(), end.bend)))?;
        form.serialize_field("lake_due", &self.lake_due)?;
        form.serialize_field("hands", &hands)?;
        form.serialize_field("stack", &self.stack)?;
        form.serialize_field("discarded", &self.discarded.as_slice())?;
        form.serialize_field("dealt", &self.dealt)?;
        form.serialize_field("claimable", &self.claimable)?;
        form.serialize_field("tower", &self.tower)?;
        form.serialize_field("ransoms", &self.ransoms)?;
        form.serialize_field("end", &self.end)?;
        form.serialize_field("points", &self.points)?;
        form.serialize_field("sources", &self.sources)?;
        form.serialize_field("supply", &self.supply)?;
        form.serialize_field("floors", &self.floors)?;
        form.serialize_field("prisoners", &self.prisoners)?;
        form.serialize_field("last", &self.last)?;
        let counters = (&self.captures, self.turns, self.discards, self.placements, self.laid);
        form.serialize_field("counters", &counters)?;
        form.end()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
