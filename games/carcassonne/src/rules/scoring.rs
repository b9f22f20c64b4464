//! Scoring of features.

use meeple_core::{Audience, EventSink, Seat};

use crate::board::{MAX_NODES, Node, node_of, segment_of, tile_of};
use crate::event::Event;
use crate::feature::Feature;
use crate::game::Carcassonne;
use crate::state::{Source, State};
use crate::tiles::{MAX_SEGMENTS, SegmentKind};
use crate::variant::{Order, Pays};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claimed {
    /// The claims precede the completion, or their time does not matter.
    Before,
    /// The features were complete when they were claimed, in the same turn.
    Complete,
}

impl Carcassonne {
    /// Scores the features that the last tile has completed. R6.5: cities and roads come first, by segment of
    /// the last tile, then monasteries, by cell. Returns bits of the segments that scored.
    #[inline]
    pub(crate) fn score_complete(
        &self,
        state: &mut State,
        claimed: Claimed,
        events: &mut impl EventSink<Event>,
    ) -> u8 {
        let mut scored = 0;
        let tile = state.board.len() - 1;
        let kind = state.board.tiles()[tile].kind();
        for (segment, what) in self.tables.tiles[kind.index()].segments.iter().enumerate() {
            if !matches!(what.kind, SegmentKind::City | SegmentKind::Road) {
                break;
            }
            let root = state.board.root(node_of(tile, segment));
            if state.board.open(root) == 0 && state.board.meeples_on(root) > 0 {
                let mut feature = state.board.feature(root);
                if claimed == Claimed::Complete && !self.variant.claimed_banners {
                    feature.banners = 0;
                }
                let points = state.board.worth(&self.variant, root, what.kind, &feature);
                self.pay(state, Source::of(what.kind), &feature, points, root, events);
                self.send_home(state, root, &feature, events);
                if claimed == Claimed::Before && self.variant.order == Order::ScoreFirst {
                    let own = 0..self.tables.tiles[kind.index()].segments.len();
                    let same = own.filter(|own| state.board.root(node_of(tile, *own)) == root);
                    scored |= same.fold(0u8, |bits, own| bits | 1 << own);
                }
            }
        }
        self.score_monasteries(state, events);
        scored
    }

    fn score_monasteries(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        // There are few monasteries, so each pass searches for the first one by cell.
        while let Some(node) = {
            let nodes = state.board.monasteries().iter().map(|tile| {
                let tile = usize::from(*tile);
                let kind = state.board.tiles()[tile].kind();
                node_of(tile, usize::from(self.tables.piece(kind, 0).monastery))
            });
            nodes
                .filter(|node| state.board.open(*node) == 0 && state.board.meeples_on(*node) > 0)
                .min_by_key(|node| state.board.tiles()[tile_of(*node)].cell)
        } {
            let feature = state.board.feature(node);
            self.pay(state, Source::Monastery, &feature, self.variant.monastery_value(0), node, events);
            self.send_home(state, node, &feature, events);
        }
    }

    /// Pays a feature to every seat with the most meeples on it, or to every seat on it.
    #[inline]
    fn pay(
        &self,
        state: &mut State,
        source: Source,
        feature: &Feature,
        points: i32,
        node: Node,
        events: &mut impl EventSink<Event>,
    ) {
        let end = source == Source::Farm || state.board.open(node) > 0;
        // R9.2: the original's engine pays every seat on a complete feature; the final scoring pays only the
        // majority.
        let everybody = self.variant.pays == Pays::Everybody && !end;
        let least = if everybody { 1 } else { feature.most() };
        let cell = state.board.tiles()[tile_of(node)].cell;
        for seat in (0..self.seats).filter(|seat| feature.meeples[*seat] >= least) {
            state.points[seat] += points;
            state.sources[seat][source as usize] += points;
            events.emit(Audience::All, || Event::scored(Seat::new(seat), source, cell, points, end));
        }
    }

    #[inline]
    fn send_home(
        &self,
        state: &mut State,
        root: Node,
        feature: &Feature,
        events: &mut impl EventSink<Event>,
    ) {
        let cell = state.board.tiles()[tile_of(root)].cell;
        state.board.clear(root);
        for seat in (0..self.seats).filter(|seat| feature.meeples[*seat] > 0) {
            let meeples = feature.meeples[seat];
            state.supply[seat] += meeples;
            events.emit(Audience::All, || Event::Returned { seat: Seat::new(seat), meeples, cell });
        }
    }

    /// Scores all features with meeples; the meeples stay. Some features may be complete, because a ransom
    /// can end the game in mid-turn.
    pub(crate) fn score_end(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let mut done = [0u64; MAX_NODES.div_ceil(64)];
        for tile in 0..state.board.len() {
            if !state.board.is_manned(tile) {
                continue;
            }
            for segment in 0..MAX_SEGMENTS {
                let node = node_of(tile, segment);
                if state.board.owner(node).is_none() {
                    continue;
                }
                let root = state.board.root(node);
                let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
                if done[word] & bit != 0 {
                    continue;
                }
                done[word] |= bit;
                self.score_last(state, root, events);
            }
        }
    }

    fn score_last(&self, state: &mut State, root: Node, events: &mut impl EventSink<Event>) {
        let kind = state.board.tiles()[tile_of(root)].kind();
        let what = self.tables.tiles[kind.index()].segments[segment_of(root)].kind;
        let feature = state.board.feature(root);
        let points = state.board.worth(&self.variant, root, what, &feature);
        if points != 0 {
            self.pay(state, Source::of(what), &feature, points, root, events);
        }
    }
}
