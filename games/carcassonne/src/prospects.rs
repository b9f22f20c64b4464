//! Prospects of features for learners: points now, points if completed, and the probability of completion.
//! The probabilities are close to those of the builder agent. They use no caches, and only the four basic
//! operations and square roots, so every machine computes the same bits.

use crate::board::{Board, MAX_NODES, Node, node_of, segment_of, tile_of};
use crate::closing::{Hole, closing, turns_to_limit};
use crate::feature::Feature;
use crate::observe::Observation;
use crate::tiles::{LAND_KINDS, MAX_SEGMENTS, SegmentKind, Tables};
use crate::variant::{MAX_SEATS, Progress, Variant};

pub(crate) const FEATURES: usize = SegmentKind::ALL.len();
/// Number of kinds of features that can be completed: cities, roads and monasteries, which come first.
pub(crate) const COMPLETED: usize = FEATURES - 1;
/// Assumed shares of the remaining own turns that serve one feature: a low and a high estimate. Arrays "by
/// draw share" have one entry for each.
pub(crate) const DRAW_SHARES: [f32; 2] = [0.1, 0.4];
/// Capacity for the cities of one field.
const CITIES: usize = 48;

#[derive(Clone, Copy, Default)]
pub(crate) struct Hopes {
    /// Points per kind of feature if the game ended now.
    pub(crate) points: [i32; FEATURES],
    /// Expected further points, by [draw share](DRAW_SHARES) and kind.
    pub(crate) more: [[f32; FEATURES]; DRAW_SHARES.len()],
    /// Meeples on features of each kind.
    pub(crate) meeples: [u8; FEATURES],
    /// Expected number of meeples that return, with the low draw share.
    pub(crate) home: [f32; COMPLETED],
    /// Number of led and open features of each kind.
    pub(crate) open: [u8; COMPLETED],
    /// Largest gain in points if a tile of the observer's hand completes a led feature.
    pub(crate) in_hand: [i32; COMPLETED],
    /// Number of meeples on features where another seat has as many or more.
    pub(crate) contested: u8,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Claim {
    /// Expected points, with the low draw share.
    pub(crate) points: f32,
    pub(crate) home: f32,
}

pub(crate) struct Prospects {
    /// Hopes by seat.
    pub(crate) hopes: [Hopes; MAX_SEATS],
    /// Prospects of a claim by the observer, by kind of feature.
    pub(crate) claims: [Claim; FEATURES],
    /// Number of own turns to come.
    pub(crate) turns: f32,
}

impl Prospects {
    /// Computes the prospects of all features that are occupied or that `seat`, the observer, can claim.
    pub(crate) fn of(seen: &Observation<'_>, seat: usize) -> Self {
        let (board, view) = (seen.board(), View::new(seen, seat));
        let mut all = Self {
            hopes: [Hopes::default(); MAX_SEATS],
            claims: [Claim::default(); FEATURES],
            turns: view.turns,
        };
        let mut done = [0u64; MAX_NODES.div_ceil(64)];
        for (node, owner) in board.meeples() {
            let kind = board.segment_kind(node);
            all.hopes[owner].meeples[kind as usize] += 1;
            let root = board.root(node);
            let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
            if done[word] & bit == 0 {
                done[word] |= bit;
                all.add(&view, root, kind);
            }
        }
        if seen.mover() == Some(seat) && seen.supply(seat) > 0 {
            let last = board.len() - 1;
            let free = seen.claimable_now();
            for segment in (0..MAX_SEGMENTS).filter(|segment| free >> segment & 1 == 1) {
                let node = node_of(last, segment);
                let kind = board.segment_kind(node);
                let root = board.root(node);
                let outlook = view.outlook(root, kind, &board.feature(root));
                let claim = &mut all.claims[kind as usize];
                let points = outlook.points as f32 + outlook.more[0];
                if points > claim.points {
                    *claim = Claim { points, home: outlook.home };
                }
            }
        }
        all
    }

    /// Adds an occupied feature, given its root.
    fn add(&mut self, view: &View<'_>, root: Node, kind: SegmentKind) {
        let feature = view.board.feature(root);
        let outlook = view.outlook(root, kind, &feature);
        let at = kind as usize;
        let leaders = (0..MAX_SEATS).filter(|seat| feature.leads(*seat)).count();
        for (seat, hopes) in self.hopes.iter_mut().enumerate() {
            let meeples = feature.meeples[seat];
            if meeples == 0 {
                continue;
            }
            if leaders > 1 || !feature.leads(seat) {
                hopes.contested += meeples;
            }
            if at < COMPLETED {
                hopes.home[at] += f32::from(meeples) * outlook.home;
            }
            if feature.leads(seat) {
                hopes.points[at] += outlook.points;
                hopes.more.iter_mut().zip(outlook.more).for_each(|(more, points)| more[at] += points);
                if at < COMPLETED {
                    hopes.open[at] += u8::from(view.board.open(root) > 0);
                    hopes.in_hand[at] = hopes.in_hand[at].max(outlook.in_hand);
                }
            }
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Outlook {
    points: i32,
    more: [f32; DRAW_SHARES.len()],
    home: f32,
    in_hand: i32,
}

/// The observer's knowledge of the tiles to come.
struct View<'a> {
    board: &'a Board,
    variant: &'a Variant,
    tables: &'static Tables,
    /// Unseen tiles, by land kind.
    unseen: [u8; LAND_KINDS],
    total: f32,
    /// The own hand: land kinds as bits.
    hand: u64,
    /// Number of own turns to come.
    turns: f32,
}

impl<'a> View<'a> {
    fn new(seen: &Observation<'a>, seat: usize) -> Self {
        let (board, variant) = (seen.board(), seen.variant());
        let mut unseen = [0; LAND_KINDS];
        let mut total = 0u32;
        for (kind, count) in seen.unseen().iter().filter(|(kind, _)| !kind.is_river()) {
            unseen[kind.index()] = count as u8;
            total += count;
        }
        let hand = seen.hand(seat).unwrap_or(&[]).iter().filter(|kind| !kind.is_river());
        let hand = hand.fold(0, |kinds, kind| kinds | 1 << kind.index());
        let mut turns = seen.deck() as f32 / seen.seats() as f32 + seen.hand_size(seat) as f32;
        let leader = (0..seen.seats()).map(|seat| seen.points(seat)).max().unwrap_or(0);
        if let Some(limit) = turns_to_limit(variant, seen.seats(), leader, board.len()) {
            turns = turns.min(limit as f32);
        }
        // At or beyond the limit the estimate would be negative.
        let turns = turns.max(0.0);
        Self { board, variant, tables: seen.tables(), unseen, total: total.max(1) as f32, hand, turns }
    }

    fn outlook(&self, root: Node, kind: SegmentKind, feature: &Feature) -> Outlook {
        let points = self.board.worth(self.variant, root, kind, feature);
        if kind == SegmentKind::Field {
            let more = self.cities_to_come(root).map(|cities| cities * self.variant.farm as f32);
            return Outlook { points, more, ..Outlook::default() };
        }
        let open = self.board.open(root);
        if open == 0 {
            return Outlook { points, home: 1.0, ..Outlook::default() };
        }
        // A completed feature is assumed to grow by the one tile that closes it.
        let then = match kind {
            SegmentKind::City => {
                self.variant.city_value(feature.tiles + 1, feature.banners, Progress::Complete)
            }
            SegmentKind::Road => self.variant.road_value(feature.tiles + 1, Progress::Complete),
            SegmentKind::Monastery | SegmentKind::Field => self.variant.monastery_value(0),
        };
        let (chance, at_once) = self.completion(root, kind);
        Outlook {
            points,
            more: chance.map(|chance| chance * (then - points) as f32),
            home: chance[0],
            in_hand: if at_once { then - points } else { 0 },
        }
    }

    /// Expected number of completed cities among the open cities beside a field, by draw share.
    fn cities_to_come(&self, field: Node) -> [f32; DRAW_SHARES.len()] {
        let mut cities = [0 as Node; CITIES];
        let mut count = 0;
        let mut sums = [0.0; DRAW_SHARES.len()];
        for node in self.board.members(field) {
            let tile = tile_of(node);
            let mut touches = self.tables.touches[self.board.tiles()[tile].kind().index()][segment_of(node)];
            while touches != 0 && count < cities.len() {
                let city = self.board.root(node_of(tile, touches.trailing_zeros() as usize));
                touches &= touches - 1;
                if self.board.open(city) > 0 && !cities[..count].contains(&city) {
                    cities[count] = city;
                    count += 1;
                    let (chance, _) = self.completion(city, SegmentKind::City);
                    sums.iter_mut().zip(chance).for_each(|(sum, chance)| *sum += chance);
                }
            }
        }
        sums
    }

    /// The probability that an open feature will be completed, by draw share. The flag is true if one tile of
    /// the hand completes the feature.
    fn completion(&self, root: Node, kind: SegmentKind) -> ([f32; DRAW_SHARES.len()], bool) {
        let Some(holes) = self.board.holes(root, kind) else { return ([0.0; DRAW_SHARES.len()], false) };
        let count = holes.list().len();
        // The holes share the turns: each gets them divided by the square root of the number of holes.
        let turns = self.turns / (count as f32).sqrt();
        let (mut chance, mut held) = ([1.0; DRAW_SHARES.len()], true);
        for hole in holes.list() {
            let kinds = self.filling(*hole, kind);
            let share = self.count(kinds) as f32 / self.total;
            for (chance, patience) in chance.iter_mut().zip(DRAW_SHARES) {
                *chance *= in_time(share, turns * patience);
            }
            held = kinds & self.hand != 0;
        }
        (chance, held && count == 1)
    }

    /// Land kinds, as bits, that fill an empty cell and help to complete a feature of this kind.
    fn filling(&self, hole: Hole, kind: SegmentKind) -> u64 {
        if kind != SegmentKind::Monastery {
            return closing(hole.code, hole.side);
        }
        let ways = &self.tables.ways[usize::from(hole.code)];
        let kinds = ways[..LAND_KINDS].iter().enumerate();
        kinds.fold(0, |kinds, (kind, ways)| kinds | u64::from(*ways > 0) << kind)
    }

    /// Number of unseen tiles of these kinds.
    fn count(&self, mut kinds: u64) -> u32 {
        let mut count = 0;
        while kinds != 0 {
            count += u32::from(self.unseen[kinds.trailing_zeros() as usize]);
            kinds &= kinds - 1;
        }
        count
    }
}

/// The probability that a fitting tile is drawn in `draws` draws: about 1 - (1 - share)^draws. `share` is the
/// proportion of unseen tiles that fit.
fn in_time(share: f32, draws: f32) -> f32 {
    // -ln(1 - s) is slightly more than s + s²/2, and e^-x is nearly (1 + x/8)^-8.
    let base = 1.0 + draws * share * (1.0 + share / 2.0) / 8.0;
    let square = base * base;
    let fourth = square * square;
    1.0 - 1.0 / (fourth * fourth)
}
