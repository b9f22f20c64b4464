//! Tower positions made by hand.

use crate::support::{act, cell, game, kind, legal, mover, points, refusal, supply, tiles, with_meeples};
use meeple_carcassonne::{Carcassonne, Position, State};
use meeple_core::{Game, Phase, Seat, Viewer};

/// A position in which seat 0 lays B, and its options after building on the tower at the origin.
struct Case {
    comment: &'static str,
    board: &'static str,
    meeples: &'static str,
    /// Cell, floors, guard's seat.
    towers: &'static [(&'static str, u8, Option<usize>)],
    /// The cell where B is laid.
    lay: &'static str,
    /// The possible captures; empty means that the turn ends.
    takes: &'static [&'static str],
}

const ROW: &str = "T02 0,0; B 1,0; B 2,0; B 3,0; B 4,0";

const CASES: &[Case] = &[
    Case {
        comment: "the first floor reaches the four neighbours",
        board: "T02 0,0; B 1,0; B 0,1; B -1,0; B 0,-1",
        meeples: "1 1,0 monastery; 1 0,1 monastery; 1 -1,0 monastery; 1 0,-1 monastery",
        towers: &[],
        lay: "1,1",
        takes: &["take 0,-1 monastery", "take -1,0 monastery", "take 1,0 monastery", "take 0,1 monastery"],
    },
    Case {
        comment: "the first floor does not reach the second tile",
        board: ROW,
        meeples: "1 2,0 monastery",
        towers: &[],
        lay: "0,1",
        takes: &[],
    },
    Case {
        comment: "the second floor reaches the second tile",
        board: ROW,
        meeples: "1 2,0 monastery",
        towers: &[("0,0", 1, None)],
        lay: "0,1",
        takes: &["take 2,0 monastery"],
    },
    Case {
        comment: "the second floor does not reach the third tile",
        board: ROW,
        meeples: "1 3,0 monastery",
        towers: &[("0,0", 1, None)],
        lay: "0,1",
        takes: &[],
    },
    Case {
        comment: "four floors reach four tiles",
        board: ROW,
        meeples: "1 1,0 monastery; 1 2,0 monastery; 1 3,0 monastery; 1 4,0 monastery",
        towers: &[("0,0", 3, None)],
        lay: "0,1",
        takes: &["take 1,0 monastery", "take 2,0 monastery", "take 3,0 monastery", "take 4,0 monastery"],
    },
    Case {
        comment: "diagonals are out of range, however high the tower",
        board: "T02 0,0; B 1,0; B 1,1; B 2,1; B 2,2",
        meeples: "1 1,1 monastery; 1 2,1 monastery; 1 2,2 monastery",
        towers: &[("0,0", 9, None)],
        lay: "0,1",
        takes: &[],
    },
    Case {
        comment: "gaps are passed over",
        board: "T02 0,0; B 0,1; B 1,1; B 2,1; B 2,0",
        meeples: "1 2,0 monastery",
        towers: &[("0,0", 1, None)],
        lay: "0,-1",
        takes: &["take 2,0 monastery"],
    },
    Case {
        comment: "other towers are passed over, however high",
        board: "T02 0,0; T02 1,0; B 2,0",
        meeples: "1 2,0 monastery",
        towers: &[("0,0", 1, None), ("1,0", 7, None)],
        lay: "0,1",
        takes: &["take 2,0 monastery"],
    },
    Case {
        comment: "a knight, a robber and a farmer on the tower's neighbours",
        board: "T02 0,0; E 1,0 r1; U 0,1 r1; B -1,0",
        meeples: "1 1,0 city E; 1 0,1 road E; 1 -1,0 field Nw",
        towers: &[],
        lay: "0,-1",
        takes: &["take -1,0 field Nw", "take 1,0 city E", "take 0,1 road E"],
    },
    Case {
        comment: "knight, robber and farmer on one tile are three choices",
        board: "T02 0,0; J 1,0",
        meeples: "1 1,0 city N; 0 1,0 road E; 1 1,0 field Es",
        towers: &[],
        lay: "0,1",
        takes: &["take 1,0 city N", "take 1,0 road E", "take 1,0 field Es"],
    },
    Case {
        comment: "the farmer on the foundation's own tile",
        board: "T02 0,0; B 1,0",
        meeples: "1 0,0 field Nw",
        towers: &[],
        lay: "0,1",
        takes: &["take 0,0 field Nw"],
    },
    Case {
        comment: "a guard in range, even on a higher tower",
        board: "T02 0,0; T02 1,0",
        meeples: "",
        towers: &[("1,0", 8, Some(1))],
        lay: "0,1",
        takes: &["take 1,0 guard"],
    },
    Case {
        comment: "a guard out of range",
        board: "T02 0,0; B 1,0; T02 2,0",
        meeples: "",
        towers: &[("2,0", 1, Some(1))],
        lay: "0,1",
        takes: &[],
    },
    Case {
        comment: "guard and farmer on the same tile are two choices",
        board: "T02 0,0; T02 0,-1",
        meeples: "1 0,-1 field Nw",
        towers: &[("0,-1", 1, Some(1))],
        lay: "0,1",
        takes: &["take 0,-1 field Nw", "take 0,-1 guard"],
    },
    Case {
        comment: "own meeples can be taken too",
        board: "T02 0,0; B 1,0; B 0,-1",
        meeples: "0 1,0 monastery; 1 0,-1 monastery",
        towers: &[],
        lay: "0,1",
        takes: &["take 0,-1 monastery", "take 1,0 monastery"],
    },
    Case {
        comment: "north, south and west reach as far as east",
        board: "T02 0,0; B 0,-1; B 0,-2; B 0,1; B 0,2; B -1,0; B -2,0",
        meeples: "1 0,-2 monastery; 1 0,2 monastery; 1 -2,0 monastery",
        towers: &[("0,0", 1, None)],
        lay: "1,0",
        takes: &["take 0,-2 monastery", "take -2,0 monastery", "take 0,2 monastery"],
    },
    Case {
        comment: "nobody around: no capture is asked for",
        board: ROW,
        meeples: "",
        towers: &[("0,0", 3, None)],
        lay: "0,1",
        takes: &[],
    },
    Case {
        comment: "the tower built on counts, not a higher one elsewhere",
        board: "T02 0,0; B 1,0; T02 0,1; B 0,2; B 1,2; B 2,2; B 2,1",
        meeples: "1 2,1 monastery",
        towers: &[("0,1", 5, None)],
        lay: "0,-1",
        takes: &[],
    },
];

fn board(case: &Case) -> Position {
    let board = with_meeples(tiles(case.board), case.meeples);
    let board =
        case.towers.iter().fold(board, |board, (at, height, guard)| board.tower(cell(at), *height, *guard));
    board.hand(0, kind("B")).hand(1, kind("B"))
}

#[test]
fn range_of_a_tower() {
    let game = game("towers", &[], 2);
    for case in CASES {
        let mut state = board(case).build(&game).unwrap_or_else(|error| panic!("{}: {error}", case.comment));
        act(&game, &mut state, &format!("place B {} r0", case.lay));
        act(&game, &mut state, "floor 0,0");
        if case.takes.is_empty() {
            assert_eq!(mover(&game, &state), Seat::new(1), "{}: the turn is over", case.comment);
            continue;
        }
        let mut expected: Vec<&str> = case.takes.to_vec();
        expected.push("decline");
        assert_eq!(legal(&game, &state), expected, "{}", case.comment);
    }
}

#[test]
fn range_grows_by_four_tiles_a_floor() {
    // Farmers on a cross with arms of four tiles. A tower of h floors reaches 4 h of them.
    for height in 0..4u8 {
        let game = game("towers", &[("meeples", "20")], 2);
        let arms = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let cells: Vec<(i32, i32)> =
            (1..=4).flat_map(|step| arms.map(|(dx, dy)| (step * dx, step * dy))).collect();
        let mut board = tiles("T02 0,0");
        for (x, y) in &cells {
            board = board.tile(kind("T02"), cell(&format!("{x},{y}")), 0);
        }
        for (x, y) in &cells {
            board = board.meeple(1, cell(&format!("{x},{y}")), "field Nw".parse().unwrap());
        }
        let board = board.tower(cell("0,0"), height, None).hand(0, kind("B")).hand(1, kind("B"));
        let mut state = board.build(&game).unwrap();
        act(&game, &mut state, "place B 1,1 r0");
        act(&game, &mut state, "floor 0,0");
        assert_eq!(legal(&game, &state).len(), 4 * (usize::from(height) + 1) + 1);
    }
}

/// The state after "place B 0,-1" by seat 0 on this board.
fn after_tile(game: &Carcassonne, position: Position) -> State {
    let mut state = position.hand(0, kind("B")).hand(1, kind("B")).build(game).unwrap();
    act(game, &mut state, "place B 0,-1 r0");
    state
}

#[test]
fn a_capture_out_of_range_is_explained() {
    let game = game("towers", &[], 2);
    let mut state = after_tile(&game, with_meeples(tiles(ROW), "1 1,0 monastery; 1 2,0 monastery"));
    act(&game, &mut state, "floor 0,0");
    assert!(refusal(&game, &state, "take 2,0 monastery").contains("out of range"));
    assert!(refusal(&game, &state, "take -1,0 monastery").contains("no meeple stands on -1,0"));
    assert!(refusal(&game, &state, "take 1,0 field Nw").contains("only on 'monastery'"));
    assert!(refusal(&game, &state, "pass").contains("expected a capture"));
}

#[test]
fn removing_the_last_meeple_makes_a_feature_claimable_again() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; U 1,0; U 1,1"), "1 1,0 road N").hand(0, kind("U"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 road N");
    act(&game, &mut state, "place B -1,0 r0");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "place U 1,2 r0");
    assert!(legal(&game, &state).contains(&"claim road N".to_owned()));
}

#[test]
fn removing_one_of_two_leaves_the_feature_claimed() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; U 1,0; U 1,1"), "1 1,0 road N; 1 1,1 road N").hand(0, kind("U"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 road N");
    act(&game, &mut state, "place B -1,0 r0");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "place U 1,2 r0");
    assert!(refusal(&game, &state, "claim road N").contains("a meeple of seat 1 stands on it"));
}

#[test]
fn a_capture_turns_the_majority() {
    // The city has two knights of seat 1 and one of seat 0. Seat 0 completes the city and captures one
    // knight, which makes a tie.
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T08 0,0; E 1,0 r3"), "1 0,0 city E; 0 1,0 city W");
    let mut state = board.tile(kind("E"), cell("0,1"), 3).hand(0, kind("E")).hand(1, kind("B")).build(&game);
    assert!(state.is_err(), "the road asks for a road");
    let board =
        with_meeples(tiles("T08 0,0; E 1,0 r3; G -1,0 r1"), "1 0,0 city E; 1 -1,0 city E; 0 1,0 city W");
    state = board.hand(0, kind("E")).hand(1, kind("B")).build(&game);
    let mut state = state.unwrap();
    act(&game, &mut state, "place E -2,0 r1");
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take -1,0 city E");
    assert_eq!(points(&game, &state), [8, 8]);
}

#[test]
fn a_tower_without_floors_cannot_be_closed() {
    let game = game("towers", &[], 2);
    let state = after_tile(&game, tiles("T02 0,0"));
    assert!(refusal(&game, &state, "close 0,0").contains("has no floor yet"));
    assert!(refusal(&game, &state, "close 0,-1").contains("no tower foundation"));
}

#[test]
fn a_closed_tower_takes_no_floor_and_no_second_guard() {
    let game = game("towers", &[], 2);
    let mut state = after_tile(&game, tiles("T02 0,0").tower(cell("0,0"), 2, None));
    act(&game, &mut state, "close 0,0");
    assert_eq!(supply(&game, &state, 0), 6);
    act(&game, &mut state, "place B 1,0 r0");
    for action in ["floor 0,0", "close 0,0"] {
        assert!(refusal(&game, &state, action).contains("closed by a guard of seat 0"), "{action}");
    }
    assert!(!legal(&game, &state).iter().any(|action| action.ends_with(" 0,0")));
}

#[test]
fn anybody_may_build_on_and_close_any_tower() {
    let game = game("towers", &[], 2);
    let mut state = after_tile(&game, tiles("T02 0,0"));
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "place B 1,0 r0");
    act(&game, &mut state, "close 0,0");
    let tower = game.observe(&state, Viewer::Public).board().towers()[0];
    assert_eq!((tower.height, tower.guard()), (1, Some(1)));
}

#[test]
fn a_guard_stays_to_the_end_and_scores_nothing() {
    let game = game("towers", &[], 2);
    let state = tiles("T02 0,0").tower(cell("0,0"), 4, Some(0)).build(&game).unwrap();
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(points(&game, &state), [0, 0]);
    assert_eq!(supply(&game, &state, 0), 6);
}

#[test]
fn prisoners_and_floors_score_nothing() {
    let game = game("towers", &[], 2);
    let state = tiles("T02 0,0").prisoners(0, 1, 3).points(0, 5).build(&game).unwrap();
    assert_eq!(points(&game, &state), [5, 0]);
}

#[test]
fn floors_by_number_of_players() {
    for (seats, floors) in [(2, 10), (3, 9), (4, 7), (5, 6), (6, 5)] {
        let game = game("towers", &[], seats);
        let state = game.initial_state();
        let observation = game.observe(&state, Viewer::Public);
        assert!((0..seats).all(|seat| observation.floors(seat) == floors), "{seats} players");
    }
}

#[test]
fn the_last_floor() {
    let game = game("towers", &[], 2);
    let mut state = after_tile(&game, tiles("T02 0,0").floors(0, 1).hand(0, kind("B")));
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "place B 1,0 r0");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "place B -1,0 r0");
    assert!(refusal(&game, &state, "floor 0,0").contains("no tower floor is left"));
    assert!(legal(&game, &state).contains(&"close 0,0".to_owned()), "it may still be closed");
}

#[test]
fn a_floor_replaces_the_claim() {
    let game = game("towers", &[], 2);
    let mut state = after_tile(&game, tiles("T02 0,0"));
    act(&game, &mut state, "floor 0,0");
    assert_eq!(mover(&game, &state), Seat::new(1), "no claim after a floor");
}

#[test]
fn a_ransom_in_the_capture_brings_no_second_one() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; B 1,0"), "1 1,0 monastery").prisoners(1, 0, 2).points(0, 9);
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    assert_eq!(legal(&game, &state), ["take 1,0 monastery", "decline", "ransom 1"]);
    act(&game, &mut state, "ransom 1");
    assert_eq!(legal(&game, &state), ["take 1,0 monastery", "decline"]);
    // One prisoner is left there, so capturing the monk exchanges the two.
    act(&game, &mut state, "take 1,0 monastery");
    assert_eq!((supply(&game, &state, 0), supply(&game, &state, 1)), (7, 7));
}

#[test]
fn a_ransom_is_possible_again_next_turn() {
    let game = game("towers", &[], 2);
    let board = tiles("T02 0,0").prisoners(1, 0, 2).points(0, 9).hand(0, kind("B"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "ransom 1");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "place B 1,0 r0");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "ransom 1");
    assert_eq!(points(&game, &state), [3, 6]);
    assert!(refusal(&game, &state, "ransom 1").contains("holds no meeple"));
}

#[test]
fn a_ransom_during_the_tile_then_the_tile() {
    let game = game("towers", &[], 2);
    let board = tiles("T02 0,0").prisoners(1, 0, 1).points(0, 3).hand(0, kind("B")).hand(1, kind("B"));
    let mut state = board.build(&game).unwrap();
    assert!(legal(&game, &state).last().unwrap() == "ransom 1");
    act(&game, &mut state, "ransom 1");
    assert_eq!(points(&game, &state), [0, 3]);
    assert!(legal(&game, &state).iter().all(|action| action.starts_with("place B")));
}

#[test]
fn exchange_needs_a_pair_of_the_same_two_seats() {
    let game = game("towers", &[], 3);
    // Seat 1 holds a meeple of seat 2, so capturing one of seat 1 exchanges nothing.
    let board = with_meeples(tiles("T02 0,0; B 1,0"), "1 1,0 monastery").prisoners(1, 2, 1);
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 monastery");
    let observation = game.observe(&state, Viewer::Public);
    assert_eq!((observation.prisoners(0, 1), observation.prisoners(1, 2)), (1, 1));
}

#[test]
fn a_snatched_farmer_scores_nothing_in_the_end() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; E 1,0 r1; E 2,0 r3"), "1 1,0 field Nw");
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 field Nw");
    act(&game, &mut state, "place B 0,1 r0");
    act(&game, &mut state, "pass");
    assert_eq!((game.phase(&state), points(&game, &state)), (Phase::Over, vec![0, 0]));
}

#[test]
fn a_snatched_monk_frees_the_monastery_for_nobody() {
    // Only the tile just laid can be claimed: the monastery stays empty for good.
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; B 1,0"), "1 1,0 monastery").hand(0, kind("B"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 monastery");
    act(&game, &mut state, "place B 1,1 r0");
    act(&game, &mut state, "claim monastery");
    let monks = crate::support::seen(&game, &state)["meeples"].clone();
    assert_eq!(monks, serde_json::json!([{"seat": 1, "cell": [1, 1], "on": "monastery"}]));
}

#[test]
fn removing_the_last_knight_leaves_the_city_to_whoever_comes_next() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; E 1,0 r1"), "1 1,0 city E").hand(0, kind("E"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 city E");
    act(&game, &mut state, "place B -1,0 r0");
    act(&game, &mut state, "pass");
    act(&game, &mut state, "place E 2,0 r3");
    act(&game, &mut state, "claim city W");
    assert_eq!(points(&game, &state), [4, 0], "claimed and complete at once");
}

#[test]
fn a_captured_guard_comes_home_by_exchange_and_by_ransom() {
    let game = game("towers", &[], 2);
    // Seat 1's guard is captured while seat 1 holds a meeple of seat 0: both go home at once.
    let board = tiles("T02 0,0; T02 1,0").tower(cell("1,0"), 2, Some(1)).prisoners(1, 0, 1);
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 guard");
    assert_eq!((supply(&game, &state, 0), supply(&game, &state, 1)), (7, 7));
    // Without a meeple to exchange, the guard is ransomed.
    let board = tiles("T02 0,0; T02 1,0").tower(cell("1,0"), 2, Some(1)).points(1, 4);
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 guard");
    assert_eq!(supply(&game, &state, 1), 6);
    act(&game, &mut state, "ransom 0");
    assert_eq!((supply(&game, &state, 1), points(&game, &state)), (7, vec![3, 1]));
}

#[test]
fn an_own_guard_can_be_taken_home_and_the_tower_built_on_again() {
    let game = game("towers", &[], 2);
    let board = tiles("T02 0,0; T02 1,0").tower(cell("1,0"), 2, Some(0)).hand(0, kind("B"));
    let mut state = after_tile(&game, board);
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 guard");
    assert_eq!(supply(&game, &state, 0), 7);
    act(&game, &mut state, "place B 0,1 r0");
    act(&game, &mut state, "floor 1,0");
    let tower = game.observe(&state, Viewer::Public).board().towers()[1];
    assert_eq!((tower.height, tower.guard()), (3, None));
}

#[test]
fn a_ransom_at_the_limit_pays_before_the_tile_is_laid_and_at_forty_nine_goes_on() {
    let game = game("towers", &[], 2);
    for (captor, over) in [(46, false), (47, true)] {
        let board = tiles("T02 0,0").prisoners(1, 0, 1).points(0, 3).points(1, captor);
        let mut state = board.hand(0, kind("B")).hand(1, kind("B")).build(&game).unwrap();
        act(&game, &mut state, "ransom 1");
        assert_eq!(game.phase(&state) == Phase::Over, over, "the captor had {captor}");
        assert_eq!(points(&game, &state), [0, i64::from(captor) + 3]);
    }
}

#[test]
fn every_cell_has_one_name_however_far_away() {
    // Cells far from the board share indices with cells on it, and are still distinct.
    let game = game("towers", &[], 2);
    let board = tiles("T02 0,0; T02 0,1").tower(cell("0,0"), 1, None);
    let mut state = board.hand(0, kind("B")).build(&game).unwrap();
    let observation = game.observe(&state, Viewer::Public);
    for y in -104..=104 {
        for x in -104..=104 {
            let near = (x, y) == (0, 0) || (x, y) == (0, 1);
            assert_eq!(observation.board().tile_at(meeple_carcassonne::Cell::new(x, y)).is_some(), near);
        }
    }
    // -63,64 is 128 steps from 1,0.
    assert!(refusal(&game, &state, "place B -63,64 r0").contains("no tile lies next to -63,64"));
    act(&game, &mut state, "place B 1,0 r0");
    assert!(refusal(&game, &state, "floor -64,64").contains("no tower foundation on -64,64"));
    assert!(refusal(&game, &state, "close -64,64").contains("no tower foundation on -64,64"));
}
