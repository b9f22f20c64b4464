//! The encoding of a seat's observation as numbers, for learners.

use meeple_core::{Encode, FieldSink, Meaning, Seat, bent};

use crate::board::{Board, MAX_FRONTIER, Node, node_of};
use crate::game::Carcassonne;
use crate::observe::Observation;
use crate::prospects::{COMPLETED, FEATURES, Prospects};
use crate::state::Stage;
use crate::tiles::{KINDS, MAX_SEGMENTS, SegmentKind};

const STAGE: Meaning =
    Meaning::flag("stage", "What comes next: order, draw, tile, action, capture, nothing.");
const OWN_TURN: Meaning = Meaning::flag("own_turn", "1 on the own turn.");
const TURNS_UNTIL: Meaning =
    Meaning::share("turns_until", "all seats", "Turns of others before the next own one.");
const DECK: Meaning = Meaning::share("deck", "all tiles", "Land tiles, river tiles still to be drawn.");
const LAID: Meaning = Meaning::share("laid", "all tiles", "Tiles on the board.");
const FRONTIER: Meaning = Meaning::share("frontier", "most cells", "Empty cells beside tiles.");
const POINTS: Meaning = Meaning::signed("points", "bent at 50", "Points, from the own seat on.");
const LEAD: Meaning = Meaning::signed("lead", "bent at 20", "Own points minus those of the best other seat.");
const TO_LIMIT: Meaning = Meaning::share(
    "to_limit",
    "the point limit",
    "Own points, most points of another, at most 1; 0 without a limit.",
);
const PENDING: Meaning = Meaning::share(
    "pending",
    "bent at 20",
    "Points that cities, roads, monasteries, fields would score if the game ended now, for every seat from \
     the own one on.",
);
const LEAD_PENDING: Meaning =
    Meaning::signed("lead_pending", "bent at 20", "The lead, with these pending points counted.");
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
    "A city, road, monastery, field of the tile just laid can be claimed; then the same for complete ones.",
);
const RIVER: Meaning = Meaning::flag("river", "1 while the river continues.");

const TURNS: Meaning = Meaning::share(
    "turns",
    "40 turns",
    "Own turns until the deck is empty, or until the point limit at the leader's pace; at most 1.",
);
const POINTS_NOW: Meaning =
    Meaning::signed("points_now", "50 points", "Points, from the own seat on, not bent; at most 4.")
        .times(4.0);
const SURE: Meaning = Meaning::share(
    "sure",
    "20 points",
    "The points of `pending`, not bent, by seat and kind in the same order; at most 4.",
)
.times(4.0);
const SOON: Meaning = Meaning::share(
    "soon",
    "20 points",
    "Further points that these will score on average, with a tenth of the remaining turns for each; at \
     most 4.",
)
.times(4.0);
const LATER: Meaning =
    Meaning::share("later", "20 points", "The same with four tenths of the remaining turns; at most 4.")
        .times(4.0);
const OPEN: Meaning = Meaning::share(
    "open",
    "all meeples",
    "Incomplete cities, roads, monasteries in which the seat has most meeples, for every seat from the own one on; weighted less \
     near the end.",
);
const HOME: Meaning = Meaning::share(
    "home",
    "all meeples",
    "Expected meeples that come home from cities, roads, monasteries, for every seat from the own one on; weighted less near the \
     end.",
);
const HOME_SCARCE: Meaning = Meaning::share(
    "home_scarce",
    "all meeples",
    "Sum of `home` divided by the number of free meeples (a half if there is none), by seat.",
)
.times(2.0);
const FREE: Meaning =
    Meaning::share("free", "all meeples", "Free meeples, from the own seat on; weighted less near the end.");
const FREE_SCARCE: Meaning = Meaning::share(
    "free_scarce",
    "all meeples",
    "The same, but the second free meeple counts a half, the third a third, and so on.",
);
const IN_HAND: Meaning = Meaning::share(
    "in_hand",
    "20 points",
    "Most points that a tile of the own hand gives by completing a city, road, monastery: of the own seat, of another seat; at \
     most 2.",
)
.times(2.0);
const CLAIM: Meaning = Meaning::share(
    "claim",
    "20 points",
    "Expected points of the best city, road, monastery, field that the own seat may claim now; at most 4.",
)
.times(4.0);
const CLAIM_HOME: Meaning = Meaning::share(
    "claim_home",
    "probability",
    "Probability that the meeple comes home from that city, road, monastery; weighted less near the end.",
);

/// Difference in points that is encoded as one half.
const POINTS_SCALE: f32 = 20.0;
/// Turns before the end at which the value of a free meeple starts to fall.
const LATE: f32 = 10.0;
/// Upper bound on the number of turns that is encoded.
const MAX_TURNS: f32 = 40.0;

impl Encode for Carcassonne {
    const VERSION: u32 = 2;

    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let prospects = Prospects::of(seen, seat.index());
        self.encode_progress(seen, seat, sink);
        self.encode_scores(seen, seat, &prospects, sink);
        self.encode_tiles(seen, seat, sink);
        self.encode_prospects(seen, seat, &prospects, sink);
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

    fn encode_scores(
        &self,
        seen: &Observation<'_>,
        seat: Seat,
        prospects: &Prospects,
        sink: &mut impl FieldSink,
    ) {
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

        let hopes = &prospects.hopes;
        let pending = around().flat_map(|seat| hopes[seat].points);
        sink.field(PENDING, pending.map(|points| bent(points as f32, POINTS_SCALE)));
        let counted = |seat: usize| points(seat) + hopes[seat].points.iter().sum::<i32>();
        sink.one(LEAD_PENDING, bent((counted(own) - most(&counted)) as f32, POINTS_SCALE));
        let meeples = |count: u8| f32::from(count) / f32::from(self.variant.meeples.max(1));
        sink.field(STANDING, around().flat_map(|seat| hopes[seat].meeples).map(meeples));
        sink.field(CONTESTED, around().map(|seat| meeples(hopes[seat].contested)));
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
        let free = seen.claimable_now();
        let mut claimable = [false; 2 * FEATURES];
        for segment in (0..MAX_SEGMENTS).filter(|segment| free >> segment & 1 == 1) {
            let node = node_of(last, segment);
            let kind = board.segment_kind(node) as usize;
            claimable[kind] = true;
            claimable[FEATURES + kind] |= is_complete(board, node);
        }
        sink.flags(CLAIMABLE, claimable);
    }

    fn encode_prospects(
        &self,
        seen: &Observation<'_>,
        seat: Seat,
        prospects: &Prospects,
        sink: &mut impl FieldSink,
    ) {
        let around = || seat.around(self.seats).map(Seat::index);
        let hopes = &prospects.hopes;
        let late = (prospects.turns / LATE).min(1.0);
        let all = f32::from(self.variant.meeples.max(1));
        sink.one(TURNS, (prospects.turns / MAX_TURNS).min(1.0));
        sink.field(POINTS_NOW, around().map(|seat| (seen.points(seat) as f32 / 50.0).clamp(-4.0, 4.0)));
        let straight = |points: f32| (points / POINTS_SCALE).clamp(0.0, 4.0);
        let sure = around().flat_map(|seat| hopes[seat].points);
        sink.field(SURE, sure.map(|points| straight(points as f32)));
        for (meaning, patience) in [SOON, LATER].into_iter().zip(0..) {
            sink.field(meaning, around().flat_map(|seat| hopes[seat].more[patience]).map(straight));
        }
        sink.field(
            OPEN,
            around().flat_map(|seat| hopes[seat].open).map(|count| late * f32::from(count) / all),
        );
        sink.field(HOME, around().flat_map(|seat| hopes[seat].home).map(|home| late * home / all));
        let scarce = |seat: usize| {
            let free = f32::from(seen.supply(seat)).max(0.5);
            late * hopes[seat].home.iter().sum::<f32>() / free / all
        };
        sink.field(HOME_SCARCE, around().map(scarce));
        let free = |seat: usize| seen.supply(seat);
        sink.field(FREE, around().map(|seat| late * f32::from(free(seat)) / all));
        let harmonic = |free: u8| (1..=free).map(|place| 1.0 / f32::from(place)).sum::<f32>();
        sink.field(FREE_SCARCE, around().map(|seat| late * harmonic(free(seat)) / all));
        let others = || around().skip(1).map(|seat| hopes[seat].in_hand);
        let best = (0..COMPLETED).map(|kind| others().map(|points| points[kind]).max().unwrap_or(0));
        let in_hand = hopes[seat.index()].in_hand.into_iter().chain(best);
        sink.field(IN_HAND, in_hand.map(|points| (points as f32 / POINTS_SCALE).clamp(0.0, 2.0)));
        sink.field(CLAIM, prospects.claims.map(|claim| straight(claim.points)));
        sink.field(CLAIM_HOME, prospects.claims[..COMPLETED].iter().map(|claim| late * claim.home));
    }
}

fn is_complete(board: &Board, node: Node) -> bool {
    board.segment_kind(node) != SegmentKind::Field && board.open(board.root(node)) == 0
}
