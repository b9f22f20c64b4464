//! What a seat knows as numbers, for learners.

use meeple_core::{Encode, FieldSink, Meaning, Seat, bent};

use crate::board::{Board, MAX_FRONTIER, MAX_NODES, Node, node_of};
use crate::game::Carcassonne;
use crate::observe::Observation;
use crate::state::Stage;
use crate::tiles::{KINDS, MAX_SEGMENTS, SegmentKind};
use crate::variant::MAX_SEATS;

const STAGE: Meaning =
    Meaning::flag("stage", "What comes next: order, draw, tile, action, capture, nothing.");
const OWN_TURN: Meaning = Meaning::flag("own_turn", "Whether it is the own turn.");
const TURNS_UNTIL: Meaning =
    Meaning::share("turns_until", "all seats", "Turns of others before the next own one.");
const DECK: Meaning = Meaning::share("deck", "all tiles", "Land tiles, river tiles still to be drawn.");
const LAID: Meaning = Meaning::share("laid", "all tiles", "Tiles on the board.");
const FRONTIER: Meaning = Meaning::share("frontier", "most cells", "Empty cells beside tiles.");
const POINTS: Meaning = Meaning::signed("points", "bent at 50", "Points, from the own seat on.");
const LEAD: Meaning = Meaning::signed("lead", "bent at 20", "Own points less the most of the others.");
const TO_LIMIT: Meaning = Meaning::share(
    "to_limit",
    "the point limit",
    "Own points, most points of another, at most 1; 0 without a limit.",
);
const PENDING: Meaning = Meaning::share(
    "pending",
    "bent at 20",
    "Points that cities, roads, monasteries, fields would bring now if the game ended, for every seat from the own one on.",
);
const LEAD_PENDING: Meaning =
    Meaning::signed("lead_pending", "bent at 20", "The lead with what is pending counted.");
const STANDING: Meaning = Meaning::share(
    "standing",
    "all meeples",
    "Meeples on cities, roads, monasteries, fields, for every seat from the own one on.",
);
const CONTESTED: Meaning = Meaning::share(
    "contested",
    "all meeples",
    "Own meeples on features where another seat has as many or more, from the own seat on.",
);
const SUPPLY: Meaning = Meaning::share("supply", "all meeples", "Free meeples, from the own seat on.");
const FLOORS: Meaning = Meaning::share("floors", "all floors", "Tower floors left, from the own seat on.");
const PRISONERS: Meaning =
    Meaning::share("prisoners", "all meeples", "Own meeples held by others, others' held by the own seat.");
const HAND_SIZE: Meaning = Meaning::share("hand_size", "a hand", "Tiles in the hands, from the own seat on.");
const HAND: Meaning = Meaning::share("hand", "a hand", "By kind of tile: in the own hand.");
const UNSEEN: Meaning = Meaning::share(
    "unseen",
    "all sides or tiles",
    "Of the tiles nobody has shown: sides with field, city, road; tiles with a monastery.",
);
const CLAIMABLE: Meaning = Meaning::flag(
    "claimable",
    "Whether a city, road, monastery, field of the tile just laid can be claimed; then the same of complete ones.",
);
const RIVER: Meaning = Meaning::flag("river", "Whether the river goes on.");

/// Where the difference of points is bent to a half.
const POINTS_SCALE: f32 = 20.0;
/// Number of kinds of feature.
const FEATURES: usize = SegmentKind::ALL.len();

/// What stands on the board, by seat and kind of feature.
#[derive(Default)]
struct Standing {
    points: [[i32; FEATURES]; MAX_SEATS],
    meeples: [[u8; FEATURES]; MAX_SEATS],
    contested: [u8; MAX_SEATS],
}

impl Encode for Carcassonne {
    const VERSION: u32 = 1;

    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        self.encode_progress(seen, seat, sink);
        self.encode_scores(seen, seat, sink);
        self.encode_tiles(seen, seat, sink);
    }
}

impl Carcassonne {
    fn encode_progress(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let stage = seen.stage();
        sink.one_of(STAGE, Stage::ALL.len(), Some(stage as usize));
        let mover = seen.mover();
        sink.flags(OWN_TURN, [mover == Some(seat.index())]);
        let place = |of: usize| seen.order().iter().position(|other| usize::from(*other) == of).unwrap_or(0);
        let until = mover.map_or(0, |mover| (place(seat.index()) + self.seats - place(mover)) % self.seats);
        sink.one(TURNS_UNTIL, until as f32 / self.seats as f32);
        let tiles = self.tiles() as f32;
        sink.field(DECK, [seen.deck() as f32 / tiles, seen.river_deck() as f32 / tiles]);
        let board = seen.board();
        sink.one(LAID, board.len() as f32 / tiles);
        sink.one(FRONTIER, board.frontier().len() as f32 / MAX_FRONTIER as f32);
        sink.flags(RIVER, [seen.river_end().is_some()]);
    }

    fn encode_scores(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let around = || seat.around(self.seats).map(Seat::index);
        let own = seat.index();
        let most = |value: &dyn Fn(usize) -> i32| around().skip(1).map(value).max().unwrap_or(0);
        let points = |seat: usize| seen.points(seat);
        sink.field(POINTS, around().map(|seat| bent(points(seat) as f32, 50.0)));
        let best = most(&points);
        sink.one(LEAD, bent((points(own) - best) as f32, POINTS_SCALE));
        let limit = self.variant.point_limit;
        let to_limit =
            |points: i32| if limit == 0 { 0.0 } else { (points.max(0) as f32 / limit as f32).min(1.0) };
        sink.field(TO_LIMIT, [to_limit(points(own)), to_limit(best)]);

        let standing = self.standing(seen);
        let pending = around().flat_map(|seat| standing.points[seat]);
        sink.field(PENDING, pending.map(|points| bent(points as f32, POINTS_SCALE)));
        let counted = |seat: usize| points(seat) + standing.points[seat].iter().sum::<i32>();
        sink.one(LEAD_PENDING, bent((counted(own) - most(&counted)) as f32, POINTS_SCALE));
        let meeples = |count: u8| f32::from(count) / f32::from(self.variant.meeples.max(1));
        sink.field(STANDING, around().flat_map(|seat| standing.meeples[seat]).map(meeples));
        sink.field(CONTESTED, around().map(|seat| meeples(standing.contested[seat])));
        sink.field(SUPPLY, around().map(|seat| meeples(seen.supply(seat))));
        let floors = self.variant.floors[self.seats - 2].max(1);
        sink.field(FLOORS, around().map(|seat| f32::from(seen.floors(seat)) / f32::from(floors)));
        let held: u8 = around().map(|captor| seen.prisoners(captor, own)).sum();
        let holds: u8 = around().map(|owner| seen.prisoners(own, owner)).sum();
        sink.field(PRISONERS, [meeples(held), meeples(holds) / (self.seats - 1) as f32]);
    }

    fn encode_tiles(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let most = f32::from(self.variant.hand);
        let size = |seat: Seat| seen.hand_size(seat.index()) as f32 / most;
        sink.field(HAND_SIZE, seat.around(self.seats).map(size));
        let hand = seen.hand(seat.index()).unwrap_or(&[]);
        let mut held = [0u8; KINDS];
        hand.iter().for_each(|tile| held[tile.index()] += 1);
        sink.field(HAND, held.iter().map(|count| f32::from(*count) / most));

        let (mut shown, mut tiles) = ([0; 4], 0);
        for (kind, count) in seen.unseen().iter() {
            tiles += count;
            let shows = &self.tables.shows[kind.index()];
            shown.iter_mut().zip(shows).for_each(|(sum, one)| *sum += count * u32::from(*one));
        }
        let all = tiles.max(1) as f32;
        let [field, city, road, monastery] = shown.map(|count| count as f32);
        let sides = 4.0 * all;
        sink.field(UNSEEN, [field / sides, city / sides, road / sides, monastery / all]);

        let board = seen.board();
        let last = board.len() - 1;
        let free = if seen.stage() == Stage::Action { seen.claimable() } else { 0 };
        let mut claimable = [false; 2 * FEATURES];
        for segment in (0..MAX_SEGMENTS).filter(|segment| free >> segment & 1 == 1) {
            let node = node_of(last, segment);
            let kind = board.segment_kind(node) as usize;
            claimable[kind] = true;
            claimable[FEATURES + kind] |= is_complete(board, node);
        }
        sink.flags(CLAIMABLE, claimable);
    }

    /// What would score if the game ended now, and who stands where. A walk over all features that bear meeples.
    fn standing(&self, seen: &Observation<'_>) -> Standing {
        let board = seen.board();
        let mut standing = Standing::default();
        let mut done = [0u64; MAX_NODES.div_ceil(64)];
        for (node, owner) in board.meeples() {
            let kind = board.segment_kind(node);
            standing.meeples[owner][kind as usize] += 1;
            let root = board.root(node);
            let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
            if done[word] & bit != 0 {
                continue;
            }
            done[word] |= bit;
            let feature = board.feature(root);
            let points = board.worth(&self.variant, root, kind, &feature);
            let contested = (0..self.seats).filter(|seat| feature.leads(*seat)).count() > 1;
            for seat in 0..self.seats {
                if feature.leads(seat) {
                    standing.points[seat][kind as usize] += points;
                }
                if contested || !feature.leads(seat) {
                    standing.contested[seat] += feature.meeples[seat];
                }
            }
        }
        standing
    }
}

/// Whether a feature that is no field has no open side.
fn is_complete(board: &Board, node: Node) -> bool {
    board.segment_kind(node) != SegmentKind::Field && board.open(board.root(node)) == 0
}
