//! Trial tiles: their features equal those that the rules produce.

use crate::support::game;
use meeple_carcassonne::{
    Action, Board, Carcassonne, Feature, Fields, Kind, Look, MAX_SEGMENTS, Node, Observation, SegmentKind,
    Survey, Variant, node_of,
};
use meeple_core::{ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Viewer};

/// Tries every legal placement of a random game, and returns their number.
fn placements_tried(game: &Carcassonne, index: u64) -> usize {
    let seed = EpisodeSeed::new(21, index);
    let mut chance = ChanceStreams::new(seed);
    let mut rng = seed.agent(Seat::new(0));
    let mut state = game.initial_state();
    let (mut survey, mut legal, mut tried) = (Survey::new(), Vec::new(), 0);
    loop {
        let seat = match game.phase(&state) {
            Phase::Over => return tried,
            Phase::Chance => {
                game.resolve_chance(&mut state, &mut chance, &mut NoEvents);
                continue;
            }
            Phase::Decide(seats) => seats.lowest().unwrap(),
        };
        assert_placements_are_counted(&game.observe(&state, Viewer::Public));
        legal.clear();
        game.legal_actions(&state, seat, &mut legal);
        let observation = game.observe(&state, Viewer::Public);
        let (table, variant) = (observation.board(), observation.variant());
        survey.take_up(table);
        assert_same_features(&mut Look::at(&mut survey, table), table, variant);
        for action in &legal {
            let Action::Place { tile, cell, turns } = *action else { continue };
            let fields = if variant.farms { Fields::Joined } else { Fields::Ignored };
            survey.try_tile(table, (tile, cell, turns), fields);
            let mut laid = state;
            game.apply(&mut laid, seat, action, &mut NoEvents).unwrap();
            let laid = game.observe(&laid, Viewer::Public);
            let look = &mut Look::on_trial(&mut survey, table);
            assert_same_features(look, laid.board(), variant);
            assert_distinguished(look, table, laid.board());
            tried += 1;
        }
        let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
        game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
    }
}

/// The board's incremental counts of placements per kind equal a count cell by cell.
fn assert_placements_are_counted(observation: &Observation<'_>) {
    let (board, tables) = (observation.board(), observation.tables());
    for (kind, fit) in tables.fit.iter().enumerate() {
        let there: u32 = board.codes().iter().map(|code| fit[usize::from(*code)].count()).sum();
        assert_eq!(board.count_placements(Kind::new(kind)), there, "{} on {board:?}", Kind::new(kind));
    }
}

/// The look's features equal the board's, except those that scored at once, because their meeples have gone
/// home.
fn assert_same_features(look: &mut Look<'_>, board: &Board, variant: &Variant) {
    for node in nodes(board, 0, variant) {
        let root = board.root(node);
        assert_eq!(look.root(node), root, "{node} on {board:?}");
        if root != node {
            continue;
        }
        let kind = board.segment_kind(root);
        assert_eq!(look.segment_kind(root), kind);
        if kind == SegmentKind::Field {
            let count = look.find_cities(root);
            assert_eq!((0..count).map(|place| look.city(place)).collect::<Vec<_>>(), cities(board, root));
        } else {
            assert_eq!(look.open(root), board.open(root), "{root} on {board:?}");
            let can_be_complete = look.find_holes(root, kind);
            let holes = board.holes(root, kind);
            assert_eq!(can_be_complete, holes.is_some());
            if let Some(holes) = holes {
                assert_eq!(look.holes(), holes.list(), "{root} on {board:?}");
            }
        }
        let (looked_up, mut there) = (look.feature(root), board.feature(root));
        let scored = look.meeples_on(root) > 0 && board.meeples_on(root) == 0;
        if scored {
            assert!(look.open(root) == 0 && kind != SegmentKind::Field);
            there.meeples = looked_up.meeples;
        } else {
            assert_eq!(look.meeples_on(root), board.meeples_on(root));
        }
        let size = |feature: Feature| (feature.tiles, feature.banners);
        assert_eq!(looked_up.meeples, there.meeples);
        if kind == SegmentKind::Field {
            assert_eq!(
                look.worth(variant, root, kind, &looked_up),
                variant.farm_value(board.farm_cities(root))
            );
        } else {
            assert_eq!(size(looked_up), size(there), "{root} on {board:?}");
        }
    }
}

/// The distinct cities beside a field, in the order of its ring.
fn cities(board: &Board, field: Node) -> Vec<Node> {
    let mut cities = Vec::new();
    for node in board.members(field) {
        let tile = meeple_carcassonne::tile_of(node);
        let touches =
            board.tiles()[tile].kind().tile().segments[meeple_carcassonne::segment_of(node)].touches;
        for segment in (0..MAX_SEGMENTS).filter(|segment| touches >> segment & 1 == 1) {
            let city = board.root(node_of(tile, segment));
            if !cities.contains(&city) {
                cities.push(city);
            }
        }
    }
    cities
}

/// The relevant nodes of a board from a tile on; fields only if they are played.
fn nodes(board: &Board, first: usize, variant: &Variant) -> Vec<Node> {
    let tiles = board.tiles().iter().enumerate().skip(first);
    let nodes = tiles.flat_map(|(tile, placed)| {
        let piece = placed.piece();
        let segments = piece.buildings | if variant.farms { piece.fields } else { 0 };
        (0..MAX_SEGMENTS).filter(move |s| segments >> s & 1 == 1).map(move |s| node_of(tile, s))
    });
    nodes.collect()
}

/// The tile touches its own features and monasteries around it; everything else is as on the table.
fn assert_distinguished(look: &Look<'_>, table: &Board, laid: &Board) {
    let tile = table.len();
    let touched: Vec<_> = look.touched().collect();
    for segment in 0..MAX_SEGMENTS {
        let piece = laid.tiles()[tile].piece();
        if piece.buildings >> segment & 1 == 1 {
            assert!(touched.contains(&laid.root(node_of(tile, segment))));
        }
    }
    for place in 0..table.monasteries().len() {
        let monastery = table.monastery(place);
        let nearer = laid.open(monastery) < table.open(monastery);
        assert_eq!(touched.contains(&monastery), nearer);
        assert_eq!(look.is_untouched(monastery), !nearer);
    }
    for root in look.changed() {
        assert!(table.root(root) == root && !look.is_untouched(root));
        assert!(touched.contains(&look.root(root)), "{root} is part of something");
    }
}

#[test]
fn every_placement_is_as_the_rules_make_it() {
    for (preset, set) in [
        ("river", &[][..]),
        ("farms", &[]),
        ("towers", &[]),
        ("classic", &[]),
        // This variant has broken rivers, and games that use all tiles.
        ("farms", &[("uturn", "two-curves"), ("point-limit", "0")]),
    ] {
        for seats in [2, 5] {
            let game = game(preset, set, seats);
            let tried: usize = (0..2).map(|index| placements_tried(&game, index)).sum();
            assert!(tried > 500, "{preset}: {tried}");
        }
    }
}
