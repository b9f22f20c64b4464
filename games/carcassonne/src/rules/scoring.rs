//! Who is paid for which feature, and when.

use meeple_core::{Audience, EventSink, Seat};

use crate::board::{MAX_NODES, Node, node_of, segment_of, tile_of};
use crate::event::Event;
use crate::feature::Feature;
use crate::game::Carcassonne;
use crate::state::{Source, State};
use crate::tiles::{MAX_SEGMENTS, SegmentKind};

impl Carcassonne {
    /// Scores what the last tile has completed. R6.5: cities and roads by segment of the last tile, then
    /// monasteries by cell.
    #[inline]
    pub(crate) fn score_complete(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        let tile = state.board.len() - 1;
        let kind = state.board.tiles()[tile].kind();
        for (segment, what) in self.tables.tiles[kind.index()].segments.iter().enumerate() {
            if !matches!(what.kind, SegmentKind::City | SegmentKind::Road) {
                break;
            }
            let root = state.board.root(node_of(tile, segment));
            if state.board.open(root) == 0 && state.board.meeples_on(root) > 0 {
                let feature = state.board.feature(root);
                let points = state.board.worth(&self.variant, root, what.kind, &feature);
                self.pay(state, Source::of(what.kind), &feature, points, root, events);
                self.send_home(state, root, &feature, events);
            }
        }
        self.score_monasteries(state, events);
    }

    fn score_monasteries(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        // At most a few at a time: the first by cell, until there is none.
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

    /// Pays a feature to every seat with the most meeples on it.
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
        let most = feature.most();
        let cell = state.board.tiles()[tile_of(node)].cell;
        let end = source == Source::Farm || state.board.open(node) > 0;
        for seat in (0..self.seats).filter(|seat| feature.meeples[*seat] == most) {
            state.points[seat] += points;
            state.sources[seat][source as usize] += points;
            events.emit(Audience::All, || Event::scored(Seat::new(seat), source, cell, points, end));
        }
    }

    /// All meeples of a feature go home.
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

    /// Scores everything that still bears meeples; they stay where they are. A feature that is complete by
    /// now (a ransom ended the game in the middle of a turn) counts as complete.
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
