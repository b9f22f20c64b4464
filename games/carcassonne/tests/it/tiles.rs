//! The catalogue: totals, rotations, and the consistency of every tile.

use meeple_carcassonne::{Kind, NONE, SegmentKind, Set, Side, Terrain, Tile, tables};

fn count(set: Set, what: impl Fn(&Tile) -> usize) -> usize {
    let tiles = tables().tiles.iter().filter(|tile| tile.set == set);
    tiles.map(|tile| usize::from(tile.count) * what(tile)).sum()
}

fn segments(set: Set, kind: SegmentKind) -> usize {
    count(set, |tile| tile.segments.iter().filter(|segment| segment.kind == kind).count())
}

#[test]
fn totals_by_set() {
    // set, tiles, edges f/r/c/w, cities, roads, fields, monasteries, tiles with a banner
    let expected = [
        (Set::Base, 72, [115, 94, 79, 0], [49, 62, 126, 6], 10),
        (Set::River, 12, [15, 6, 5, 22], [4, 4, 28, 1], 0),
        (Set::Tower, 18, [26, 24, 22, 0], [15, 18, 37, 1], 1),
    ];
    for (set, tiles, edges, pieces, banners) in expected {
        assert_eq!(count(set, |_| 1), tiles, "{set:?} tiles");
        let terrains = [Terrain::Field, Terrain::Road, Terrain::City, Terrain::River];
        let found = terrains
            .map(|terrain| count(set, |tile| tile.terrain.iter().filter(|edge| **edge == terrain).count()));
        assert_eq!(found, edges, "{set:?} edges");
        let kinds = [SegmentKind::City, SegmentKind::Road, SegmentKind::Field, SegmentKind::Monastery];
        assert_eq!(kinds.map(|kind| segments(set, kind)), pieces, "{set:?} segments");
        let banner = |tile: &Tile| usize::from(tile.segments.iter().any(|segment| segment.banner));
        assert_eq!(count(set, banner), banners, "{set:?} banners");
    }
    assert!(tables().tiles.iter().all(|tile| tile.foundation == (tile.set == Set::Tower)));
}

#[test]
fn rotations_that_look_different() {
    let expected = "A4 B1 C1 D4 E4 F2 G2 H2 I4 J4 K4 L4 M4 N4 O4 P4 Q4 R4 S4 T4 U2 V4 W4 X1 T014 T021 T031 \
                    T044 T054 T062 T071 T082 T094 T104 T114 T124 T134 T144 T152 T164 T174 RS4 R14 R22 R34 \
                    R42 R54 R62 R74 R84 R94 RE4";
    let found: Vec<String> = Kind::all().map(|kind| format!("{kind}{}", kind.tile().rotations)).collect();
    assert_eq!(found.join(" "), expected);
}

#[test]
fn every_side_belongs_to_one_segment_of_its_terrain() {
    for tile in &tables().tiles {
        for side in Side::ALL {
            let of = |kind: SegmentKind| {
                let reach = |segment: &&meeple_carcassonne::Segment| {
                    segment.kind == kind && segment.sides >> side.index() & 1 == 1
                };
                tile.segments.iter().filter(reach).count()
            };
            let terrain = tile.terrain[side.index()];
            assert_eq!(of(SegmentKind::City), usize::from(terrain == Terrain::City), "{} {side}", tile.id);
            assert_eq!(of(SegmentKind::Road), usize::from(terrain == Terrain::Road), "{} {side}", tile.id);
            assert_eq!(tile.river >> side.index() & 1 == 1, terrain == Terrain::River, "{} {side}", tile.id);
            for half in [2 * side.index(), 2 * side.index() + 1] {
                let fields = tile.segments.iter().filter(|segment| segment.halves >> half & 1 == 1).count();
                assert_eq!(fields, usize::from(terrain != Terrain::City), "{} half {half}", tile.id);
            }
        }
        for segment in &tile.segments {
            let touched = (0..8).filter(|city| segment.touches >> city & 1 == 1);
            assert!(touched.into_iter().all(|city| tile.segments[city].kind == SegmentKind::City));
        }
    }
}

#[test]
fn turning_moves_sides_and_half_edges() {
    for kind in Kind::all() {
        for turns in 0..4 {
            let (base, piece) = (tables().piece(kind, 0), tables().piece(kind, turns));
            for side in Side::ALL {
                let moved = side.turned(usize::from(turns)).index();
                assert_eq!(piece.terrain[moved], base.terrain[side.index()]);
                assert_eq!(piece.at_side[moved], base.at_side[side.index()]);
            }
            for half in 0..8 {
                assert_eq!(piece.at_half[(half + 2 * usize::from(turns)) % 8], base.at_half[half]);
            }
            // Spot names are unique within a piece, and each leads back to its segment.
            let spots = &piece.spots[..usize::from(piece.segments)];
            assert!((1..spots.len()).all(|at| !spots[..at].contains(&spots[at])), "{kind} r{turns}");
            assert!(piece.at_side.iter().all(|segment| *segment == NONE || *segment < piece.segments));
        }
    }
}

#[test]
fn fit_table_agrees_with_the_sides() {
    for kind in Kind::all().filter(|kind| !kind.is_river()) {
        for code in 0..=255u8 {
            for turns in 0..4 {
                let terrain = tables().piece(kind, turns).terrain;
                let matches = (0..4).all(|side| {
                    let asked = code >> (2 * side) & 3;
                    asked == 0
                        || terrain[side]
                            == [Terrain::River, Terrain::Field, Terrain::City, Terrain::Road]
                                [usize::from(asked)]
                });
                let entry = tables().fit[kind.index()][usize::from(code)];
                let listed = entry.turns() >> turns & 1 == 1;
                assert_eq!(entry.count(), entry.turns().count_ones(), "{kind} {code}");
                assert_eq!(listed, matches && turns < kind.tile().rotations, "{kind} r{turns} {code}");
            }
        }
    }
}
