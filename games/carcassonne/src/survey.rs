//! A cache of a table's features, with the effects of a trial tile, for agents that try many
//! placements. Each feature is walked once.

use crate::board::{
    Board, Content, Fields, MAX_MONASTERIES, MAX_NODES, Node, Placed, index, node_of, segment_of, tile_of,
};
use crate::closing::{Hole, Holes};
use crate::feature::{Feature, worth};
use crate::geometry::{Cell, Side};
use crate::tiles::{Kind, MAX_SEGMENTS, NONE, Piece, SegmentKind, Tables, tables};
use crate::variant::Variant;

/// Bound on the table's features that a tile changes: per side a feature and two fields, and
/// monasteries.
const MAX_CHANGED: usize = 4 * 3 + MAX_MONASTERIES;
/// Upper bound on parts of changed features: the tile's own segments, and roots of the table.
const PARTS: usize = MAX_SEGMENTS + MAX_CHANGED;
/// Number of cached features, including stale ones, at which the cache is cleared.
const MAX_KNOWN: usize = 2048;
/// The end of a list of stretches.
const END: u8 = u8::MAX;

/// An empty cell that a city or road is open to, its grid index, and the side where the feature
/// enters.
#[derive(Clone, Copy)]
struct Gap {
    cell: Cell,
    at: u16,
    side: Side,
}

/// A walk around a feature. Its list has the items at the root, then those of the other nodes in
/// the order of its ring: gaps of a city or road, cities beside a field.
#[derive(Clone, Copy)]
struct Known {
    feature: Feature,
    /// Bits of the tiles it lies on.
    tiles: [u64; 2],
    /// Indices in the list: its start, the start of the other nodes' items, and its end.
    first: u32,
    rest: u32,
    end: u32,
    /// The cells that a city or road is open to, by [`place_bit`].
    near: u64,
}

impl Known {
    /// The bounds of a stretch of its list: the items at the root, or the rest.
    #[inline]
    fn stretch(&self, stretch: u8) -> (u32, u32) {
        if stretch.is_multiple_of(2) { (self.first, self.rest) } else { (self.rest, self.end) }
    }
}

/// A cache of one table's features, and the trial tile. It can be reused for other tables.
pub struct Survey {
    tables: &'static Tables,
    /// The tiles of the table, and the owners of its nodes as in [`Board::owners`].
    tiles: Vec<Placed>,
    owners: Box<[u8]>,
    /// By root: the round of its walk, and its index in the cache.
    places: Box<[(u32, u32)]>,
    round: u32,
    known: Vec<Known>,
    gaps: Vec<Gap>,
    cities: Vec<Node>,
    trial: Trial,
    holes: Holes,
    found: Vec<Node>,
    /// By root of a city: marks of the last walk that met it, and of the last search that found it.
    met: Box<[u64]>,
    marks: Box<[u64]>,
    mark: u64,
}

/// A trial tile, with the composition of its features and of those it changes.
///
/// A ring that is joined to another follows directly after the other's root, its own root last. So a joined
/// ring is a sequence of stretches: roots of what was joined, and the rests of their rings. The order decides
/// at which side a feature enters a cell first if it enters twice. It also makes sums and products equal, to
/// the last bit, to those of a board where the tile lies.
struct Trial {
    tile: usize,
    first: Node,
    kind: Kind,
    cell: Cell,
    piece: &'static Piece,
    /// Its cell and the adjacent ones, by [`place_bit`]; and by side the edge codes of the adjacent ones
    /// then.
    near: u64,
    codes: [u8; 4],
    /// Changed roots of the table: parts from [`MAX_SEGMENTS`] on. Those below are the tile's
    /// segments.
    changed: [Node; MAX_CHANGED],
    count: usize,
    /// By node of the table: the round in which it was last such a root, and its part.
    parts: Box<[(u64, u8)]>,
    round: u64,
    /// The part that each part is joined to; roots are their own.
    parent: [u8; PARTS],
    /// The successor of each stretch. Of part `p`, `2 p` is the root, `2 p + 1` the rest.
    next: [u8; 2 * PARTS],
    /// Open sides and meeples of roots, as in a board.
    open: [u8; PARTS],
    manned: [u8; PARTS],
    /// The distinct roots of what the tile touches.
    touched: [Node; PARTS],
    touches: usize,
}

/// Initial parents: every part is a root.
const ALONE: [u8; PARTS] = {
    let mut parents = [0; PARTS];
    let mut part = 0;
    while part < PARTS {
        parents[part] = part as u8;
        part += 1;
    }
    parents
};

/// Initial successors: each rest follows its root.
const APART: [u8; 2 * PARTS] = {
    let mut next = [END; 2 * PARTS];
    let mut part = 0;
    while part < PARTS {
        next[2 * part] = 2 * part as u8 + 1;
        part += 1;
    }
    next
};

impl Trial {
    fn new(tables: &'static Tables) -> Self {
        Self {
            tile: 0,
            first: 0,
            kind: Kind::default(),
            cell: Cell::default(),
            piece: &tables.pieces[0],
            near: 0,
            codes: [0; 4],
            changed: [0; MAX_CHANGED],
            count: 0,
            parts: vec![(0, 0); MAX_NODES].into(),
            round: 0,
            parent: ALONE,
            next: APART,
            open: [0; PARTS],
            manned: [0; PARTS],
            touched: [0; PARTS],
            touches: 0,
        }
    }

    /// The part of a root of the table or of a segment of the tile; `None` if the tile changes nothing there.
    #[inline]
    fn part(&self, node: Node) -> Option<usize> {
        if node >= self.first {
            return Some(usize::from(node - self.first));
        }
        let (round, part) = self.parts[usize::from(node)];
        (round == self.round).then_some(usize::from(part))
    }

    /// The part of a root of the table that the tile changes, added if necessary.
    #[inline]
    fn change(&mut self, table: &Board, root: Node) -> usize {
        self.part(root).unwrap_or_else(|| {
            let part = MAX_SEGMENTS + self.count;
            self.changed[self.count] = root;
            self.count += 1;
            self.parts[usize::from(root)] = (self.round, part as u8);
            self.open[part] = table.open(root) as u8;
            self.manned[part] = table.meeples_on(root) as u8;
            part
        })
    }

    #[inline]
    fn root(&self, part: usize) -> usize {
        let mut part = part;
        loop {
            let parent = usize::from(self.parent[part]);
            if parent == part {
                return part;
            }
            part = parent;
        }
    }

    #[inline]
    fn node(&self, part: usize) -> Node {
        if part < MAX_SEGMENTS { self.first + part as Node } else { self.changed[part - MAX_SEGMENTS] }
    }

    /// Joins a segment of the tile to a node of the table and returns the root.
    #[inline]
    fn join(&mut self, table: &Board, older: Node, segment: usize) -> usize {
        let older = self.change(table, table.root(older));
        let (keep, gone) = (self.root(older), self.root(segment));
        if keep != gone {
            self.parent[gone] = keep as u8;
            let rest = self.next[2 * keep];
            self.next[2 * keep] = self.next[2 * gone];
            // The rest of the part itself has stayed at the end.
            self.next[2 * gone + 1] = 2 * gone as u8;
            self.next[2 * gone] = rest;
            self.open[keep] += self.open[gone];
            self.manned[keep] += self.manned[gone];
        }
        keep
    }

    /// Adds a root that the tile touches, unless it is in the list.
    #[inline]
    fn touch(&mut self, part: usize, seen: &mut u32) {
        if *seen >> part & 1 == 0 {
            *seen |= 1 << part;
            self.touched[self.touches] = self.node(part);
            self.touches += 1;
        }
    }
}

const _: () = assert!(PARTS <= u32::BITS as usize, "there is a bit for each part");

impl Survey {
    /// An empty cache.
    pub fn new() -> Self {
        let tables = tables();
        Self {
            tables,
            tiles: Vec::new(),
            owners: vec![0; MAX_NODES].into(),
            places: vec![(0, 0); MAX_NODES].into(),
            round: 1,
            known: Vec::new(),
            gaps: Vec::new(),
            cities: Vec::new(),
            trial: Trial::new(tables),
            holes: Holes::new(),
            found: Vec::new(),
            met: vec![0; MAX_NODES].into(),
            marks: vec![0; MAX_NODES].into(),
            mark: 0,
        }
    }

    /// Switches to another table. Cached features stay valid if it only has more tiles than before,
    /// in the same order.
    pub fn take_up(&mut self, table: &Board) {
        let before = self.tiles.len();
        if self.known.len() > MAX_KNOWN || table.tiles().get(..before) != Some(&self.tiles) {
            self.forget();
            self.tiles.clear();
            self.tiles.extend_from_slice(table.tiles());
            self.owners.copy_from_slice(table.owners());
            return;
        }
        for (tile, placed) in table.tiles().iter().enumerate().skip(before) {
            for segment in 0..usize::from(placed.piece().segments) {
                self.places[usize::from(table.root(node_of(tile, segment)))] = (0, 0);
            }
            self.tiles.push(*placed);
        }
        let (old, _) = self.owners.as_chunks_mut::<MAX_SEGMENTS>();
        let (new, _) = table.owners().as_chunks::<MAX_SEGMENTS>();
        for (tile, (old, new)) in old.iter_mut().zip(new).enumerate().take(table.len()) {
            if u64::from_le_bytes(*old) == u64::from_le_bytes(*new) {
                continue;
            }
            for segment in (0..MAX_SEGMENTS).filter(|segment| old[*segment] != new[*segment]) {
                self.places[usize::from(table.root(node_of(tile, segment)))] = (0, 0);
            }
            *old = *new;
        }
    }

    fn forget(&mut self) {
        self.known.clear();
        self.gaps.clear();
        self.cities.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.places.fill((0, 0));
            self.round = 1;
        }
    }

    /// Tries a tile on a cell of the frontier, where it must fit, for [`Look::on_trial`].
    pub fn try_tile(&mut self, table: &Board, (kind, cell, turns): (Kind, Cell, u8), fields: Fields) {
        let tables = self.tables;
        let piece = tables.piece(kind, turns);
        let trial = &mut self.trial;
        (trial.tile, trial.first, trial.kind, trial.cell) =
            (table.len(), node_of(table.len(), 0), kind, cell);
        (trial.piece, trial.near, trial.count, trial.touches) = (piece, place_bit(cell), 0, 0);
        trial.round += 1;
        (trial.parent, trial.next) = (ALONE, APART);
        trial.open[..MAX_SEGMENTS].copy_from_slice(&piece.open);
        trial.manned[..MAX_SEGMENTS].fill(0);
        for side in Side::ALL {
            let (own, far) = (side.index(), side.opposite().index());
            let asks = (piece.terrain[own] as u8) << (2 * far);
            let other = match table.beside(cell, side) {
                Content::Tile(other) => other,
                Content::Frontier(slot) => {
                    trial.near |= place_bit(cell.step(side));
                    trial.codes[own] = table.codes()[slot] | asks;
                    continue;
                }
                Content::Nothing | Content::Dead => {
                    trial.near |= place_bit(cell.step(side));
                    trial.codes[own] = asks;
                    continue;
                }
            };
            let placed = table.tiles()[other];
            let across = tables.piece(placed.kind(), placed.turns());
            let segment = piece.at_side[own];
            if segment != NONE {
                let theirs = node_of(other, usize::from(across.at_side[far]));
                let root = trial.join(table, theirs, usize::from(segment));
                trial.open[root] -= 2;
            }
            if fields == Fields::Joined {
                // Half-edges 2s and 2s + 1 of a side meet 2o + 1 and 2o of the side across.
                let segments = [piece.at_half[2 * own], piece.at_half[2 * own + 1]];
                let theirs = [across.at_half[2 * far + 1], across.at_half[2 * far]];
                if segments[0] != NONE {
                    trial.join(table, node_of(other, usize::from(theirs[0])), usize::from(segments[0]));
                }
                if segments[1] != NONE && (segments[1] != segments[0] || theirs[1] != theirs[0]) {
                    trial.join(table, node_of(other, usize::from(theirs[1])), usize::from(segments[1]));
                }
            }
        }
        if piece.monastery != NONE {
            trial.open[usize::from(piece.monastery)] = 8 - table.tiles_around(cell) as u8;
        }
        let mut seen = 0;
        let mut segments = piece.buildings | if fields == Fields::Joined { piece.fields } else { 0 };
        while segments != 0 {
            let root = trial.root(segments.trailing_zeros() as usize);
            segments &= segments - 1;
            trial.touch(root, &mut seen);
        }
        let mut near = table.monasteries_near(cell);
        while near != 0 {
            let monastery = table.monastery(near.trailing_zeros() as usize);
            near &= near - 1;
            let part = trial.change(table, monastery);
            trial.open[part] -= 1;
            trial.touch(part, &mut seen);
        }
    }

    #[inline]
    fn find(&mut self, city: Node) {
        if self.marks[usize::from(city)] != self.mark {
            self.marks[usize::from(city)] = self.mark;
            self.found.push(city);
        }
    }

    /// The cached data of a feature of the table, given its root.
    #[inline]
    fn known(&mut self, table: &Board, root: Node) -> &Known {
        let (round, place) = self.places[usize::from(root)];
        let place = if round == self.round { place as usize } else { self.learn(table, root) };
        &self.known[place]
    }

    /// Walks around a feature of the table, and returns its index in the cache.
    #[inline(never)]
    fn learn(&mut self, table: &Board, root: Node) -> usize {
        let kind = self.tables.kinds[table.tiles()[tile_of(root)].kind().index()][segment_of(root)];
        let known = if kind == SegmentKind::Field {
            self.walk_field(table, root)
        } else {
            self.walk_building(table, root)
        };
        let place = self.known.len();
        self.places[usize::from(root)] = (self.round, place as u32);
        self.known.push(known);
        place
    }

    fn walk_field(&mut self, table: &Board, root: Node) -> Known {
        let tables = self.tables;
        let mut feature = Feature::default();
        let first = self.cities.len();
        let mut rest = first;
        let mut meeting = 2 * self.known.len() as u64 + (u64::from(self.round) << 32);
        for node in table.members(root) {
            let tile = tile_of(node);
            if let Some(owner) = table.owner(node) {
                feature.meeples[owner] += 1;
            }
            let mut touches = table.tiles()[tile].share(tables, segment_of(node)).touches;
            while touches != 0 {
                let city = table.root(node_of(tile, touches.trailing_zeros() as usize));
                touches &= touches - 1;
                if self.met[usize::from(city)] != meeting {
                    self.met[usize::from(city)] = meeting;
                    self.cities.push(city);
                }
            }
            if node == root {
                rest = self.cities.len();
                meeting += 1;
            }
        }
        let end = self.cities.len() as u32;
        Known { feature, tiles: [0; 2], first: first as u32, rest: rest as u32, end, near: 0 }
    }

    fn walk_building(&mut self, table: &Board, root: Node) -> Known {
        let tables = self.tables;
        let (mut feature, mut tiles, mut near) = (Feature::default(), [0u64; 2], 0);
        let first = self.gaps.len();
        let mut rest = first;
        // Open sides that have not been met.
        let mut left = table.open(root);
        for node in table.members(root) {
            let tile = tile_of(node);
            let placed = table.tiles()[tile];
            let share = placed.share(tables, segment_of(node));
            tiles[tile / 64] |= 1 << (tile % 64);
            if let Some(owner) = table.owner(node) {
                feature.meeples[owner] += 1;
            }
            feature.banners += u32::from(share.banners);
            if left > 0 {
                let mut sides = share.sides;
                while sides != 0 {
                    let side = Side::from_index(sides.trailing_zeros() as usize);
                    sides &= sides - 1;
                    let cell = placed.cell.step(side);
                    let at = index(cell);
                    if !matches!(table.content_near(at), Content::Tile(_)) {
                        self.gaps.push(Gap { cell, at: at as u16, side: side.opposite() });
                        near |= place_bit(cell);
                        left -= 1;
                    }
                }
            }
            if node == root {
                rest = self.gaps.len();
            }
        }
        feature.tiles = tiles.iter().map(|word| word.count_ones()).sum();
        let end = self.gaps.len() as u32;
        Known { feature, tiles, first: first as u32, rest: rest as u32, end, near }
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self::new()
    }
}

/// A bit for a cell; nearby cells have distinct ones.
#[inline]
const fn place_bit(cell: Cell) -> u64 {
    1 << (((cell.y & 7) << 3 | cell.x & 7) as u32)
}

/// A view of a table, with or without a trial tile. Features are identified by their roots, the
/// same as on a board with the tile.
pub struct Look<'a> {
    survey: &'a mut Survey,
    table: &'a Board,
    on_trial: bool,
}

impl<'a> Look<'a> {
    /// A view of a table. [`Survey::take_up`] must have been called since the table changed.
    #[inline]
    pub fn at(survey: &'a mut Survey, table: &'a Board) -> Self {
        Self { survey, table, on_trial: false }
    }

    /// A view of a table with the tile of [`Survey::try_tile`].
    #[inline]
    pub fn on_trial(survey: &'a mut Survey, table: &'a Board) -> Self {
        Self { survey, table, on_trial: true }
    }

    /// The table, without the trial tile.
    #[inline]
    pub fn table(&self) -> &'a Board {
        self.table
    }

    /// The distinct roots of the table that the trial tile changes.
    #[inline]
    pub fn changed(&self) -> impl Iterator<Item = Node> + Clone + use<> {
        let trial = &self.survey.trial;
        trial.changed.into_iter().take(trial.count)
    }

    /// The distinct roots of what the trial tile touches: its own features, and monasteries around it.
    #[inline]
    pub fn touched(&self) -> impl Iterator<Item = Node> + Clone + use<> {
        let trial = &self.survey.trial;
        trial.touched.into_iter().take(trial.touches)
    }

    #[inline]
    pub(crate) fn tables(&self) -> &'static Tables {
        self.survey.tables
    }

    /// The part of a root; `None` if it is as on the table.
    #[inline]
    fn part(&self, root: Node) -> Option<usize> {
        if self.on_trial { self.survey.trial.part(root) } else { None }
    }

    /// The root of a node of the table, or of the trial tile.
    #[inline]
    pub fn root(&self, node: Node) -> Node {
        let trial = &self.survey.trial;
        if !self.on_trial {
            return self.table.root(node);
        }
        let root = if node < trial.first { self.table.root(node) } else { node };
        trial.part(root).map_or(root, |part| trial.node(trial.root(part)))
    }

    /// The kind of feature that a node belongs to.
    #[inline]
    pub fn segment_kind(&self, node: Node) -> SegmentKind {
        let (trial, tables) = (&self.survey.trial, self.survey.tables);
        let kind = if self.on_trial && node >= trial.first {
            trial.kind
        } else {
            self.table.tiles()[tile_of(node)].kind()
        };
        tables.kinds[kind.index()][segment_of(node)]
    }

    /// Open sides of a feature, given its root, as in [`Board::open`].
    #[inline]
    pub fn open(&self, root: Node) -> u32 {
        match self.part(root) {
            Some(part) => u32::from(self.survey.trial.open[part]),
            None => self.table.open(root),
        }
    }

    /// Meeples on a feature, given its root.
    #[inline]
    pub fn meeples_on(&self, root: Node) -> u32 {
        match self.part(root) {
            Some(part) => u32::from(self.survey.trial.manned[part]),
            None => self.table.meeples_on(root),
        }
    }

    /// Bits of the trial tile's claimable segments: the whole feature is unoccupied.
    pub(crate) fn claimable(&self, fields: Fields) -> u8 {
        let trial = &self.survey.trial;
        let mut left = trial.piece.buildings | if fields == Fields::Joined { trial.piece.fields } else { 0 };
        let mut free = 0;
        while left != 0 {
            let segment = left.trailing_zeros() as usize;
            left &= left - 1;
            free |= u8::from(trial.manned[trial.root(segment)] == 0) << segment;
        }
        free
    }

    /// Returns true if the trial tile leaves a feature unchanged, given its root.
    #[inline]
    pub fn is_untouched(&self, root: Node) -> bool {
        self.part(root).is_none()
    }

    /// Returns true if the trial tile leaves a city or road unchanged, given its root: both its content and
    /// the edge codes where it is open.
    #[inline]
    pub(crate) fn is_as_on_table(&mut self, root: Node) -> bool {
        !self.on_trial
            || self.survey.trial.part(root).is_none()
                && self.survey.known(self.table, root).near & self.survey.trial.near == 0
    }

    /// The content of a feature, given its root; of a field only its meeples.
    pub fn feature(&mut self, root: Node) -> Feature {
        let Some(part) = self.part(root) else { return self.survey.known(self.table, root).feature };
        let (mut feature, mut tiles) = (Feature::default(), [0u64; 2]);
        let mut stretch = 2 * part as u8;
        while stretch != END {
            let part = usize::from(stretch / 2);
            if stretch.is_multiple_of(2) && part < MAX_SEGMENTS {
                let trial = &self.survey.trial;
                tiles[trial.tile / 64] |= 1 << (trial.tile % 64);
                let banners = self.survey.tables.banners[trial.kind.index()];
                feature.banners += u32::from(banners >> part & 1);
            } else if stretch.is_multiple_of(2) {
                let known = self.survey.known(self.table, self.survey.trial.changed[part - MAX_SEGMENTS]);
                tiles[0] |= known.tiles[0];
                tiles[1] |= known.tiles[1];
                feature.banners += known.feature.banners;
                for (meeples, more) in feature.meeples.iter_mut().zip(known.feature.meeples) {
                    *meeples += more;
                }
            }
            stretch = self.survey.trial.next[usize::from(stretch)];
        }
        feature.tiles = tiles.iter().map(|word| word.count_ones()).sum();
        feature
    }

    /// Finds the empty cells of [`Board::holes`] for [`holes`](Self::holes). Returns false if the
    /// feature cannot be completed.
    pub fn find_holes(&mut self, root: Node, kind: SegmentKind) -> bool {
        self.survey.holes.clear();
        let part = self.part(root);
        if kind == SegmentKind::Monastery {
            let own = part.is_some_and(|part| part < MAX_SEGMENTS);
            let centre = if own { self.survey.trial.cell } else { self.table.tiles()[tile_of(root)].cell };
            return self.add_ring(centre);
        }
        let Some(part) = part else {
            let known = self.survey.known(self.table, root);
            let (near, from, to) = (known.near, known.first, known.end);
            return self.add_holes(near, from, to);
        };
        let mut stretch = 2 * part as u8;
        while stretch != END {
            let part = usize::from(stretch / 2);
            if part >= MAX_SEGMENTS {
                let known = self.survey.known(self.table, self.survey.trial.changed[part - MAX_SEGMENTS]);
                let (near, (from, to)) = (known.near, known.stretch(stretch));
                if !self.add_holes(near, from, to) {
                    return false;
                }
            } else if stretch.is_multiple_of(2) {
                let cell = self.survey.trial.cell;
                let mut sides = self.survey.trial.piece.sides[part];
                while sides != 0 {
                    let side = Side::from_index(sides.trailing_zeros() as usize);
                    sides &= sides - 1;
                    let content = self.table.beside(cell, side);
                    if !self.add_hole(cell.step(side), content, side.opposite()) {
                        return false;
                    }
                }
            }
            stretch = self.survey.trial.next[usize::from(stretch)];
        }
        true
    }

    /// Adds the cells around this one. Returns false if the monastery on it cannot be completed.
    #[inline(never)]
    fn add_ring(&mut self, centre: Cell) -> bool {
        let mut ring = centre.ring().into_iter().zip(self.table.ring(centre));
        ring.all(|(cell, content)| self.add_hole(cell, content, Side::N))
    }

    /// Adds these gaps, which are near these cells. Returns false if the feature cannot be
    /// completed.
    #[inline]
    fn add_holes(&mut self, near: u64, from: u32, to: u32) -> bool {
        if !self.on_trial || near & self.survey.trial.near == 0 {
            let (table, survey) = (self.table, &mut *self.survey);
            return survey.gaps[from as usize..to as usize].iter().all(|gap| {
                let Content::Frontier(slot) = table.content_near(usize::from(gap.at)) else { return false };
                survey.holes.add(Some(slot), Hole { code: table.codes()[slot], side: gap.side })
            });
        }
        (from as usize..to as usize).all(|at| {
            let Gap { cell, at, side } = self.survey.gaps[at];
            self.add_hole(cell, self.table.content_near(usize::from(at)), side)
        })
    }

    /// Adds a cell with this content on the table. Returns false if the feature cannot be completed.
    #[inline]
    fn add_hole(&mut self, cell: Cell, content: Content, side: Side) -> bool {
        let (survey, table) = (&mut *self.survey, self.table);
        if self.on_trial && cell == survey.trial.cell {
            return true;
        }
        let (slot, mut code) = match content {
            Content::Tile(_) => return true,
            Content::Dead => return false,
            Content::Nothing => (None, 0),
            Content::Frontier(slot) => (Some(slot), table.codes()[slot]),
        };
        if self.on_trial && survey.trial.near & place_bit(cell) != 0 {
            code = survey.trial.near_side(cell).map_or(code, |side| survey.trial.codes[side.index()]);
        }
        survey.holes.add(slot, Hole { code, side })
    }

    /// The result of [`find_holes`](Self::find_holes).
    #[inline]
    pub fn holes(&self) -> &[Hole] {
        self.survey.holes.list()
    }

    /// Finds the distinct cities beside a field for [`city`](Self::city), in the order of its ring.
    /// Returns their number.
    pub fn find_cities(&mut self, field: Node) -> usize {
        self.survey.found.clear();
        self.survey.mark += 1;
        let Some(part) = self.part(field) else {
            let known = self.survey.known(self.table, field);
            let (from, to) = (known.first, known.end);
            self.add_cities(from, to);
            return self.survey.found.len();
        };
        let mut stretch = 2 * part as u8;
        while stretch != END {
            let part = usize::from(stretch / 2);
            if part >= MAX_SEGMENTS {
                let known = self.survey.known(self.table, self.survey.trial.changed[part - MAX_SEGMENTS]);
                let (from, to) = known.stretch(stretch);
                self.add_cities(from, to);
            } else if stretch.is_multiple_of(2) {
                let trial = &self.survey.trial;
                let mut touches = self.survey.tables.touches[trial.kind.index()][part];
                while touches != 0 {
                    let city = self.survey.trial.first + touches.trailing_zeros() as Node;
                    touches &= touches - 1;
                    self.survey.find(self.root(city));
                }
            }
            stretch = self.survey.trial.next[usize::from(stretch)];
        }
        self.survey.found.len()
    }

    #[inline]
    fn add_cities(&mut self, from: u32, to: u32) {
        for at in from as usize..to as usize {
            // They were roots of the table when it had fewer tiles.
            let city = self.table.root(self.survey.cities[at]);
            let trial = &self.survey.trial;
            let root = self.part(city).map_or(city, |part| trial.node(trial.root(part)));
            self.survey.find(root);
        }
    }

    #[inline]
    pub fn city(&self, place: usize) -> Node {
        self.survey.found[place]
    }

    /// The points of a feature, given its root and content, if it is counted now.
    pub fn worth(&mut self, variant: &Variant, root: Node, kind: SegmentKind, feature: &Feature) -> i32 {
        worth(variant, kind, self.open(root), feature, || {
            self.find_cities(root);
            self.survey.found.iter().filter(|city| self.open(**city) == 0).count() as u32
        })
    }
}

impl Trial {
    /// The side of the tile across which this cell lies, if it is adjacent.
    #[inline]
    fn near_side(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.cell.step(*side) == cell)
    }
}
