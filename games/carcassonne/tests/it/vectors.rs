//! The test vectors of the rules text: placements of J and H, the scoring pictures, the farm pictures.

use crate::support::{act, game, legal, points, tiles, with_meeples};
use meeple_core::{Game, Phase};

#[test]
fn eight_placements_of_j() {
    // The tile on the origin, its turns, and the legal placement of J next to it.
    let cases = [
        ("K 0,0 r0", "place J -1,0 r0", "left of K"),
        ("K 0,0 r0", "place J 0,-1 r0", "above K"),
        ("C 0,0 r0", "place J 0,1 r0", "under C"),
        ("G 0,0 r0", "place J 0,1 r0", "under G"),
        ("B 0,0 r0", "place J 1,0 r0", "right of B"),
        ("E 0,0 r0", "place J 1,0 r0", "right of E"),
        ("U 0,0 r0", "place J 0,-1 r0", "above U"),
        ("H 0,0 r0", "place J -1,0 r1", "J turned once, left of H"),
    ];
    let game = game("farms", &[], 2);
    for (board, action, comment) in cases {
        let state = tiles(board).hand(0, "J".parse().unwrap()).build(&game).unwrap();
        assert!(legal(&game, &state).contains(&action.to_owned()), "{comment}");
    }
}

/// The final scores of a board with meeples, without tiles left.
fn final_points(board: &str, meeples: &str, seats: usize) -> Vec<i64> {
    let game = game("farms", &[], seats);
    let state = with_meeples(tiles(board), meeples).build(&game).unwrap();
    assert_eq!(game.phase(&state), Phase::Over);
    points(&game, &state)
}

#[test]
fn incomplete_features_in_the_end() {
    let monastery = "B 0,0; B 1,0; B 0,1; B -1,0; B 0,-1";
    // G in a row from north to south is one open city: six tiles and the banner of C make 7 at the end.
    let large = "G 0,0; G 0,1; G 0,2; C 0,3; R 0,-1 r2; E 0,4";
    let cases = [
        ("U 0,0; U 0,1; U 0,2", "0 0,1 road N", vec![3, 0], "a road of three tiles"),
        (monastery, "0 0,0 monastery", vec![5, 0], "a monastery with four neighbours"),
        ("F 0,0; H 1,0", "1 0,0 city E", vec![0, 3], "a city of two tiles with a banner"),
        (large, "0 0,0 city N; 0 0,1 city N; 1 0,2 city N", vec![7, 0], "the majority has it all"),
        (large, "0 0,0 city N; 1 0,2 city N", vec![7, 7], "equal knights both have it"),
    ];
    for (board, meeples, expected, comment) in cases {
        assert_eq!(final_points(board, meeples, 2), expected, "{comment}");
    }
}

#[test]
fn incomplete_city_of_eight() {
    // The city has seven tiles and a banner, so it brings 8 points.
    let board = "G 0,0; G 0,1; G 0,2; C 0,3; G 0,4; R 1,3 r3; R -1,3 r1";
    assert_eq!(final_points(board, "0 0,0 city N; 0 0,1 city N; 1 0,4 city N", 2), [8, 0]);
    assert_eq!(final_points(board, "0 0,0 city N; 1 0,4 city N", 2), [8, 8]);
}

#[test]
fn farmer_joins_an_occupied_field() {
    // J (city north, road east to south) right of a monastery tile with a farmer: its large field joins the
    // farmer's, the small corner does not.
    let game = game("farms", &[], 2);
    let board = with_meeples(tiles("B 0,0"), "1 0,0 field Nw").hand(0, "J".parse().unwrap());
    let mut state = board.build(&game).unwrap();
    act(&game, &mut state, "place J 1,0 r0");
    assert_eq!(legal(&game, &state), ["pass", "claim city N", "claim road E", "claim field Es"]);
}

#[test]
fn farmer_scoring_1_row_1() {
    // North: two complete cities of two tiles each around a field; the second field touches one of them;
    // the third touches an open city only.
    let two = "E 0,0 r1; H 1,0; E 2,0 r3";
    assert_eq!(final_points(two, "0 1,0 field Nw", 2), [6, 0], "two complete cities");
    assert_eq!(
        final_points(two, "0 0,0 field Ne; 1 1,0 field Nw", 2),
        [3, 6],
        "one city for one, two for the other"
    );
    let one = "E 0,0 r1; E 1,0 r3";
    assert_eq!(final_points(one, "1 0,0 field Nw", 2), [0, 3], "one complete city");
    assert_eq!(final_points("E 0,0 r0", "1 0,0 field En", 2), [0, 0], "an incomplete city");
}

#[test]
fn farmer_scoring_1_row_2() {
    let board = "E 0,0 r1; H 1,0 r0; E 2,0 r3";
    assert_eq!(final_points(board, "0 1,0 field Nw; 0 2,0 field Nw", 2), [9, 0]);
}

const FARMS_2: &str = "I 0,0 r0; H 0,1 r1; E 0,2 r0; U 1,2 r0; A 1,1 r0";
const FARMERS_2: &str = "0 0,0 field Nw; 1 0,1 field En; 2 0,2 field En; 1 1,2 field Ne";

#[test]
fn farmer_scoring_2() {
    assert_eq!(final_points(FARMS_2, FARMERS_2, 3), [3, 6, 0]);
}

#[test]
fn farmer_scoring_3() {
    let board = format!("{FARMS_2}; N 1,0 r0");
    assert_eq!(final_points(&board, &format!("{FARMERS_2}; 2 1,0 field En"), 3), [3, 6, 6]);
}
