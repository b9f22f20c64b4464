//! A cache of a table's features and of the effects of a trial tile, for agents that try many placements. It
//! walks each feature once.

use crate::board::{
    Board, Content, Fields, MAX_MONASTERIES, MAX_NODES, Node, Placed, index, node_of, segment_of, tile_of,
};
use crate::closing::{Hole, Holes};
use crate::feature::{Feature, worth};
use crate::geometry::{Cell, Side};
use crate::tiles::{Kind, MAX_SEGMENTS, NONE, Piece, SegmentKind, Tables, tables};
use crate::variant::Variant;

/// Upper bound on the features of the table that one tile changes: three per side (a city or road, and two
/// fields), and all monasteries.
const MAX_CHANGED: usize = 4 * 3 + MAX_MONASTERIES;
/// Upper bound on the parts of changed features: segments of the tile, and roots of the table.
const PARTS: usize = MAX_SEGMENTS + MAX_CHANGED;
/// Number of cached features, including stale ones, at which the cache is cleared.
const MAX_KNOWN: usize = 2048;
/// Marks the end of a list of stretches.
const END: u8 = u8::MAX;

/// An empty cell beside a city or road: its coordinates, its grid index, and the side where the feature
/// enters.
#[derive(Clone, Copy)]
struct Gap {
    cell: Cell,
    at: u16,
    side: Side,
}

/// The cached walk around a feature. Its items are the gaps of a city or road, or the cities beside a field.
/// The items at the root come first, then those of the other nodes in the order of the ring.
#[derive(Clone, Copy)]
struct Known {
    feature: Feature,
    /// Bits of the feature's tiles.
    tiles: [u64; 2],
    /// Index of the first item in `gaps` or `cities` of the [`Survey`].
    first: u32,
    /// Index of the first item of the nodes other than the root.
    rest: u32,
    /// Index after the last item.
    end: u32,
    /// Bits of the empty cells beside a city or road, by [`place_bit`].
    near: u64,
}

impl Known {
    /// The bounds of a stretch among the items: even stretches are the root's items, odd ones the rest.
    #[inline]
    fn stretch(&self, stretch: u8) -> (u32, u32) {
        if stretch.is_multiple_of(2) { (self.first, self.rest) } else { (self.rest, self.end) }
    }
}

/// A cache of one table's features, and the trial tile. It can be reused for other tables.
pub struct Survey {
    tables: &'static Tables,
    /// The placed tiles of the table.
    tiles: Vec<Placed>,
    /// The owners of the table's nodes, as in [`Board::owners`].
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
    /// By root of a city: the mark of the last walk that met it.
    met: Box<[u64]>,
    /// By root of a city: the mark of the last search that found it.
    marks: Box<[u64]>,
    mark: u64,
}

/// A trial tile, with the composition of its features and of those it changes.
///
/// If ring B is joined to ring A, B is inserted directly after A's root, with B's root last. A joined ring is
/// thus a sequence of stretches: the root of a part, or the rest of its ring.
///
/// A board with the tile laid has the same order. So a feature that enters a cell twice has the same first
/// side there, and sums and products are equal to the last bit.
struct Trial {
    tile: usize,
    first: Node,
    kind: Kind,
    cell: Cell,
    piece: &'static Piece,
    /// Bits of the tile's cell and the adjacent cells, by [`place_bit`].
    near: u64,
    /// Edge codes of the adjacent cells with the tile laid, by side.
    codes: [u8; 4],
    /// Roots of the table that the tile changes. Entry `i` is part `MAX_SEGMENTS + i`; lower parts are the
    /// tile's segments.
    changed: [Node; MAX_CHANGED],
    count: usize,
    /// By node of the table: the last round in which it was a changed root, and its part in that round.
    parts: Box<[(u64, u8)]>,
    round: u64,
    /// The part that each part is joined to; a root is its own parent.
    parent: [u8; PARTS],
    /// The successor of each stretch. Stretch `2 p` is the root of part `p`, stretch `2 p + 1` the rest of
    /// its ring.
    next: [u8; 2 * PARTS],
    /// Open sides of each root part, as in [`Board`].
    open: [u8; PARTS],
    /// Meeples on each root part, as in [`Board`].
    manned: [u8; PARTS],
    /// Roots of the features that the tile touches, each once.
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

/// Initial successors: the rest of each part follows its root.
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

    /// The part of a root of the table or of a segment of the tile; `None` if the tile leaves the root
    /// unchanged.
    #[inline]
    fn part(&self, node: Node) -> Option<usize> {
        if node >= self.first {
            return Some(usize::from(node - self.first));
        }
        let (round, part) = self.parts[usize::from(node)];
        (round == self.round).then_some(usize::from(part))
    }

    /// The part of a root of the table that the tile changes. It is added on first use.
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

    /// Joins a segment of the tile to a node of the table, and returns the root part.
    #[inline]
    fn join(&mut self, table: &Board, older: Node, segment: usize) -> usize {
        let older = self.change(table, table.root(older));
        let (keep, gone) = (self.root(older), self.root(segment));
        if keep != gone {
            self.parent[gone] = keep as u8;
            let rest = self.next[2 * keep];
            self.next[2 * keep] = self.next[2 * gone];
            // The rest of part `gone` is always the last stretch of its ring.
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

    /// Switches to another table. Cached features stay valid if the table extends the previous one: the same
    /// tiles in the same order, then more.
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

    /// Tries a tile on a frontier cell where it fits. [`Look::on_trial`] then shows the result.
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
        // Open sides that the walk has not met yet.
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

/// The bit of a cell. Cells less than eight rows and columns apart have distinct bits.
#[inline]
const fn place_bit(cell: Cell) -> u64 {
    1 << (((cell.y & 7) << 3 | cell.x & 7) as u32)
}

/// A view of a table, with or without a trial tile. Features are identified by their roots; the roots are
/// those of a board with the tile laid.
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

    /// The distinct roots of the features that the trial tile touches: its own features, and monasteries
    /// around it.
    #[inline]
    pub fn touched(&self) -> impl Iterator<Item = Node> + Clone + use<> {
        let trial = &self.survey.trial;
        trial.touched.into_iter().take(trial.touches)
    }

    #[inline]
    pub(crate) fn tables(&self) -> &'static Tables {
        self.survey.tables
    }

    /// The part of a root; `None` if the root is as on the table.
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

    /// Bits of the trial tile's claimable segments: their whole features hold no meeple.
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

    /// Returns true if the trial tile leaves a city or road unchanged, given its root. Both its content and
    /// the edge codes of the empty cells beside it must be the same.
    #[inline]
    pub(crate) fn is_as_on_table(&mut self, root: Node) -> bool {
        !self.on_trial
            || self.survey.trial.part(root).is_none()
                && self.survey.known(self.table, root).near & self.survey.trial.near == 0
    }

    /// The content of a feature, given its root. For a field only the meeples are set.
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

    /// Finds the empty cells of [`Board::holes`] and stores them for [`holes`](Self::holes). Returns false if
    /// the feature cannot be completed.
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

    /// Adds the empty cells around a monastery on `centre`. Returns false if it cannot be completed.
    #[inline(never)]
    fn add_ring(&mut self, centre: Cell) -> bool {
        let mut ring = centre.ring().into_iter().zip(self.table.ring(centre));
        ring.all(|(cell, content)| self.add_hole(cell, content, Side::N))
    }

    /// Adds the gaps with these indices. `near` has the bits of their cells. Returns false if the feature
    /// cannot be completed.
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

    /// Adds a cell with this content on the table, if it is still empty. Returns false if the feature cannot
    /// be completed.
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

    /// The cells found by [`find_holes`](Self::find_holes).
    #[inline]
    pub fn holes(&self) -> &[Hole] {
        self.survey.holes.list()
    }

    /// Finds the distinct cities beside a field, in the order of its ring, and stores them for
    /// [`city`](Self::city). Returns their number.
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
            // Cached cities were roots when the table had fewer tiles, so the present roots are looked up.
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
    /// The side of the trial tile at which this cell lies, if the cell is adjacent.
    #[inline]
    fn near_side(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.cell.step(*side) == cell)
    }
}
