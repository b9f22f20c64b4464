//! One test per ruling of RULES.md, section 8, named after it.

use crate::support::{
    act, cell, draw, game, kind, legal, mover, points, refusal, run_river, seen, stage, start, supply, tiles,
    with_meeples,
};
use meeple_carcassonne::{Carcassonne, Chance, Event, Position, Stage, State, Variant};
use meeple_core::{Defined as _, Episode, EpisodeSeed, Game, NoEvents, Outcome, Phase, Seat, Viewer};

fn hand(position: Position, seat: usize, ids: &str) -> Position {
    ids.split_whitespace().fold(position, |position, id| position.hand(seat, kind(id)))
}

#[test]
fn ruling_01_two_tiles_are_held_and_a_third_is_drawn() {
    for (hand, held) in [("3", 2), ("2", 1), ("1", 0)] {
        let game = game("river", &[("hand", hand)], 2);
        let mut state = start(&game);
        run_river(&game, &mut state);
        let size = |state: &State, seat| game.observe(state, Viewer::Public).hand_size(seat);
        for dealt in 0..2 * held {
            assert_eq!(stage(&game, &state), Stage::Draw);
            assert_eq!(size(&state, 0) + size(&state, 1), dealt, "dealt in seat order");
            draw(&game, &mut state, "U");
            assert_eq!(size(&state, dealt / held), dealt % held + 1);
        }
        draw(&game, &mut state, "V");
        assert_eq!((size(&state, 0), size(&state, 1)), (held + 1, held), "the mover holds one more");
    }
}

#[test]
fn ruling_04_the_claim_comes_before_the_scoring() {
    let game = game("river", &[("meeples", "1")], 2);
    // Seat 0's only meeple stands on a road that its tile completes, so it cannot be used this turn.
    let board = with_meeples(tiles("W 0,0; U 0,1"), "0 0,1 road N");
    let mut state = hand(board, 0, "W").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    assert_eq!(points(&game, &state), [3, 0]);
    assert_eq!(supply(&game, &state, 0), 1, "it is home for the next turn");
    assert_eq!(mover(&game, &state), Seat::new(1), "and there was nothing to decide");
}

#[test]
fn ruling_05_a_claimed_feature_that_the_tile_completes_cannot_be_claimed() {
    let game = game("river", &[], 2);
    let board = with_meeples(tiles("W 0,0; U 0,1"), "1 0,1 road N");
    let mut state = hand(board, 0, "W").build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    assert_eq!(legal(&game, &state), ["pass", "claim road E", "claim road W"]);
    assert!(refusal(&game, &state, "claim road N").contains("claimed already: a meeple of seat 1"));
}

#[test]
fn ruling_05_holders_of_a_claimed_feature_are_named() {
    let game = game("river", &[], 4);
    for (meeples, holders) in [
        ("0 0,1 road N", "a meeple of seat 0 stands"),
        ("2 0,0 road N", "a meeple of seat 2 stands"),
        ("3 0,1 road N", "a meeple of seat 3 stands"),
        ("1 0,0 road N; 3 0,1 road N", "a meeple of seat 1 and of seat 3 stands"),
    ] {
        let board = with_meeples(tiles("U 0,0; U 0,1"), meeples);
        let mut state = hand(board, 0, "W").build(&game).unwrap();
        act(&game, &mut state, "place W 0,2 r2");
        let reason = refusal(&game, &state, "claim road N");
        assert!(reason.contains(holders), "{meeples}: {reason}");
    }
}

#[test]
fn ruling_06_an_unclaimed_feature_is_claimed_and_scored_at_once_with_banners() {
    let game = game("river", &[], 2);
    let mut state = hand(tiles("E 0,0 r1; F 1,0"), 0, "E").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place E 2,0 r3");
    act(&game, &mut state, "claim city W");
    assert_eq!(points(&game, &state), [8, 0], "three tiles and a banner");
    assert_eq!(supply(&game, &state, 0), 7);
}

#[test]
fn ruling_07_the_majority_takes_all_and_ties_share() {
    let game = game("river", &[], 3);
    for (knights, expected) in [
        ("0 0,0 city E; 0 1,0 city E; 1 2,0 city E", [10, 0, 0]),
        ("0 0,0 city E; 1 2,0 city E", [10, 10, 0]),
        ("2 1,0 city E", [0, 0, 10]),
    ] {
        let board = with_meeples(tiles("E 0,0 r1; F 1,0; G 2,0 r1"), knights);
        let mut state = hand(board, 0, "E").hand(1, kind("B")).build(&game).unwrap();
        act(&game, &mut state, "place E 3,0 r3");
        assert_eq!(points(&game, &state), expected, "{knights}");
        assert!((0..3).all(|seat| supply(&game, &state, seat) == 7), "all go home");
    }
}

#[test]
fn ruling_08_a_banner_of_an_incomplete_city_counts_one() {
    let game = game("river", &[], 2);
    let state = with_meeples(tiles("F 0,0"), "0 0,0 city E").build(&game).unwrap();
    assert_eq!(points(&game, &state), [2, 0]);
}

#[test]
fn ruling_09_a_city_of_two_tiles_scores_four() {
    for (set, expected) in [(&[][..], 4), (&[("small-city", "1")][..], 2)] {
        let game = game("river", set, 2);
        let mut state = hand(tiles("E 0,0 r1"), 0, "E").hand(1, kind("B")).build(&game).unwrap();
        act(&game, &mut state, "place E 1,0 r3");
        act(&game, &mut state, "claim city W");
        assert_eq!(points(&game, &state), [expected, 0]);
    }
}

#[test]
fn ruling_10_the_limit_is_tested_after_scoring_and_the_claim_has_happened() {
    let game = game("river", &[], 2);
    let board = with_meeples(tiles("W 0,0; U 0,1"), "1 0,1 road N").points(1, 47);
    let mut state = hand(board, 0, "W").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    act(&game, &mut state, "claim road E");
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(points(&game, &state), [1, 50], "the claim still counts in the end");
    let mut outcome = Outcome::default();
    game.outcome(&state, &mut outcome);
    assert_eq!(Carcassonne::definition().info.ends[outcome.end], "point limit");
}

#[test]
fn ruling_11_of_several_past_the_limit_the_highest_after_final_scoring_wins() {
    let game = game("river", &[], 2);
    let board = with_meeples(tiles("W 0,0; U 0,1; B 1,1"), "0 0,1 road N; 1 1,1 monastery");
    let mut state = hand(board.points(0, 48).points(1, 49), 0, "W").build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    act(&game, &mut state, "pass");
    assert_eq!(points(&game, &state), [51, 53], "seat 0 passed the limit, seat 1's monastery wins");
    let mut outcome = Outcome::default();
    game.outcome(&state, &mut outcome);
    assert_eq!(outcome.places, [2, 1]);
}

#[test]
fn ruling_12_when_nothing_fits_a_tile_is_discarded_and_another_drawn() {
    let game = game("farms", &[], 2);
    let board = hand(tiles("B 0,0"), 0, "C").hand(0, kind("X")).hand(0, kind("C"));
    let mut state = board.deck(kind("C")).deck(kind("U")).build(&game).unwrap();
    assert_eq!(legal(&game, &state), ["discard C", "discard X"]);
    act(&game, &mut state, "discard X");
    draw(&game, &mut state, "C");
    assert_eq!(legal(&game, &state), ["discard C"], "again");
    act(&game, &mut state, "discard C");
    draw(&game, &mut state, "U");
    assert!(legal(&game, &state).iter().all(|action| action.starts_with("place U")));
}

#[test]
fn ruling_12_without_a_deck_the_turn_ends() {
    let game = game("farms", &[], 2);
    let board = hand(hand(tiles("B 0,0"), 0, "C C"), 1, "U");
    let mut state = board.build(&game).unwrap();
    act(&game, &mut state, "discard C");
    assert_eq!(mover(&game, &state), Seat::new(1));
}

#[test]
fn ruling_13_no_discard_while_a_tile_fits() {
    let game = game("farms", &[], 2);
    let state = hand(tiles("B 0,0"), 0, "U C").build(&game).unwrap();
    assert!(legal(&game, &state).iter().all(|action| action.starts_with("place U")));
    assert!(refusal(&game, &state, "discard C").contains("U does"));
    assert!(refusal(&game, &state, "discard V").contains("not in the hand"));
}

#[test]
fn ruling_14_if_one_tile_does_not_fit_another_is_chosen() {
    let game = game("farms", &[], 2);
    let mut state = hand(tiles("B 0,0"), 0, "C E").build(&game).unwrap();
    act(&game, &mut state, "place E 0,1 r1");
    assert_eq!(stage(&game, &state), Stage::Action);
}

#[test]
fn ruling_15_a_river_tile_joins_the_open_end() {
    let game = game("river", &[], 2);
    let mut state = start(&game);
    draw(&game, &mut state, "R2");
    assert!(refusal(&game, &state, "place R2 1,0 r0").contains("open end on 0,-1"));
    assert!(refusal(&game, &state, "place R2 0,-1 r1").contains("go on from the south side"));
    assert!(refusal(&game, &state, "place R2 0,-1 r2").contains("looks the same"));
    act(&game, &mut state, "place R2 0,-1 r0");
}

#[test]
fn ruling_16_river_banks_are_fields_when_farms_are_played() {
    for (preset, expected) in
        [("farms", vec!["pass", "claim field Nw", "claim field Ne"]), ("river", Vec::new())]
    {
        let game = game(preset, &[], 2);
        let mut state = start(&game);
        draw(&game, &mut state, "R2");
        act(&game, &mut state, "place R2 0,-1 r0");
        assert_eq!(legal(&game, &state), expected, "{preset}");
    }
}

#[test]
fn ruling_17_a_field_scores_three_per_complete_city() {
    for (farm, expected) in [("3", 6), ("4", 8)] {
        let game = game("farms", &[("farm", farm)], 2);
        let board = with_meeples(tiles("E 0,0 r1; H 1,0; E 2,0 r3"), "0 1,0 field Nw");
        assert_eq!(points(&game, &board.build(&game).unwrap()), [expected, 0]);
    }
}

#[test]
fn ruling_18_a_field_without_edge_can_be_claimed() {
    let game = game("towers", &[], 2);
    let mut state = hand(tiles("E 0,0 r1"), 0, "T17").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place T17 1,0 r0");
    assert!(legal(&game, &state).contains(&"claim field inside".to_owned()));
    act(&game, &mut state, "claim field inside");
    // With both cities complete, the field brings six points.
    let closed = "T17 0,0; E 0,1; E 1,0 r3; E -1,0 r1; E 0,-1 r2";
    let state = with_meeples(tiles(closed), "0 0,0 field inside").build(&game).unwrap();
    assert_eq!(points(&game, &state), [6, 0]);
}

#[test]
fn ruling_19_the_field_goes_round_spring_and_lake() {
    let game = game("farms", &[], 2);
    let mut state = start(&game);
    draw(&game, &mut state, "R2");
    act(&game, &mut state, "place R2 0,-1 r0");
    act(&game, &mut state, "claim field Nw");
    // The other bank is the same field, round the spring.
    draw(&game, &mut state, "R2");
    act(&game, &mut state, "place R2 0,-2 r0");
    assert_eq!(legal(&game, &state), Vec::<String>::new(), "both banks belong to the farmer");
    // The tiles of spring and lake have one field with all eight half-edges.
    for name in ["RS", "RE"] {
        let tiles = include_str!("../../data/tiles.txt");
        let line = tiles.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let fields: Vec<&str> =
            line.split('|').filter_map(|part| part.trim().strip_prefix("field")).collect();
        assert_eq!(fields.len(), 1, "{line}");
        assert_eq!(fields[0].split_whitespace().count(), 8, "{line}");
    }
}

#[test]
fn ruling_20_a_floor_may_follow_any_tile() {
    let game = game("towers", &[], 2);
    let mut state = hand(tiles("T02 0,0"), 0, "B").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place B 1,0 r0");
    assert!(legal(&game, &state).contains(&"floor 0,0".to_owned()));
    act(&game, &mut state, "floor 0,0");
    let tower = game.observe(&state, Viewer::Public).board().towers()[0];
    assert_eq!((tower.height, game.observe(&state, Viewer::Public).floors(0)), (1, 9));
}

/// T02 on the origin, B to its east with a monk of seat `owner`, B in the hand of seat 0.
fn tower_and_monk(game: &Carcassonne, owner: usize) -> State {
    let board = with_meeples(tiles("T02 0,0; B 1,0"), &format!("{owner} 1,0 monastery"));
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(game).unwrap();
    act(game, &mut state, "place B 0,1 r0");
    act(game, &mut state, "floor 0,0");
    state
}

#[test]
fn ruling_21_a_capture_is_optional() {
    let game = game("towers", &[], 2);
    let mut state = tower_and_monk(&game, 1);
    assert_eq!(legal(&game, &state), ["take 1,0 monastery", "decline"]);
    act(&game, &mut state, "decline");
    assert_eq!(supply(&game, &state, 1), 6, "the monk stays");
    assert_eq!(mover(&game, &state), Seat::new(1));
}

#[test]
fn ruling_22_an_own_meeple_goes_home() {
    let game = game("towers", &[], 2);
    let mut state = tower_and_monk(&game, 0);
    act(&game, &mut state, "take 1,0 monastery");
    assert_eq!(supply(&game, &state, 0), 7);
    assert_eq!(game.observe(&state, Viewer::Public).prisoners(0, 0), 0);
}

#[test]
fn ruling_23_a_captured_guard_leaves_the_tower_open() {
    let game = game("towers", &[], 2);
    let board = tiles("T02 0,0; T02 1,0").tower(cell("1,0"), 3, Some(1));
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place B 0,1 r0");
    assert!(refusal(&game, &state, "floor 1,0").contains("closed by a guard of seat 1"));
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 guard");
    let observation = game.observe(&state, Viewer::Public);
    assert_eq!(observation.board().towers()[1].guard(), None);
    assert_eq!((observation.prisoners(0, 1), observation.board().towers()[1].height), (1, 3));
}

#[test]
fn ruling_24_prisoners_are_exchanged_at_once() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T02 0,0; B 1,0"), "1 1,0 monastery").prisoners(1, 0, 2);
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(&game).unwrap();
    assert_eq!((supply(&game, &state, 0), supply(&game, &state, 1)), (5, 6));
    act(&game, &mut state, "place B 0,1 r0");
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 1,0 monastery");
    let observation = game.observe(&state, Viewer::Public);
    assert_eq!((observation.prisoners(0, 1), observation.prisoners(1, 0)), (0, 1));
    assert_eq!((supply(&game, &state, 0), supply(&game, &state, 1)), (6, 7));
}

#[test]
fn ruling_25_one_ransom_in_each_own_turn_paid_to_the_captor() {
    let game = game("towers", &[], 2);
    let board = tiles("B 0,0").prisoners(1, 0, 2).points(0, 10);
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "ransom 1");
    assert_eq!(points(&game, &state), [7, 3]);
    assert_eq!(supply(&game, &state, 0), 6);
    assert!(refusal(&game, &state, "ransom 1").contains("at most 1"));
    let poor = tiles("B 0,0").prisoners(1, 0, 1).points(0, 2);
    let state = hand(poor, 0, "B").build(&game).unwrap();
    assert!(refusal(&game, &state, "ransom 1").contains("costs 3 points, and seat 0 has 2"));
}

#[test]
fn r5_2_after_a_ransom_that_leaves_nothing_but_to_pass_the_turn_goes_on() {
    let set = [("farms", "off"), ("floors", "0,0,0,0,0")];
    for (lone_pass, order) in [("off", "claim-first"), ("off", "score-first"), ("on", "claim-first")] {
        let game = game("towers", &[set[0], set[1], ("lone-pass", lone_pass), ("order", order)], 2);
        let board = with_meeples(tiles("U 0,0"), "1 0,0 road N").prisoners(1, 0, 1).points(0, 5);
        let mut state = hand(board, 0, "U").hand(1, kind("B")).build(&game).unwrap();
        act(&game, &mut state, "place U 0,1 r0");
        assert_eq!(legal(&game, &state), ["pass", "ransom 1"]);
        act(&game, &mut state, "ransom 1");
        assert_eq!((points(&game, &state), supply(&game, &state, 0)), (vec![2, 3], 7));
        if lone_pass == "on" {
            assert_eq!(legal(&game, &state), ["pass"], "as stored games were played");
            act(&game, &mut state, "pass");
        }
        assert_eq!(mover(&game, &state), Seat::new(1), "{order}");
    }
}

#[test]
fn ruling_26_a_captor_that_reaches_the_limit_by_a_ransom_ends_the_game() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("B 0,0"), "0 0,0 monastery").prisoners(1, 0, 1);
    let mut state = hand(board.points(0, 10).points(1, 47), 0, "B").build(&game).unwrap();
    act(&game, &mut state, "ransom 1");
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(points(&game, &state), [8, 50], "final scoring follows");
}

#[test]
fn ruling_26_what_is_complete_but_not_scored_yet_pays_as_complete() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T01 0,0 r1"), "0 0,0 city E").prisoners(1, 0, 1);
    let mut state = hand(board.points(0, 10).points(1, 47), 0, "E").build(&game).unwrap();
    act(&game, &mut state, "place E 1,0 r3");
    act(&game, &mut state, "ransom 1");
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(points(&game, &state), [11, 50], "four for the city of two tiles, three paid");
}

#[test]
fn ruling_25_a_ransom_is_possible_also_when_nothing_fits() {
    let game = game("towers", &[], 2);
    let board = tiles("B 0,0").prisoners(1, 0, 1).points(0, 3);
    let mut state = hand(board, 0, "C").deck(kind("U")).build(&game).unwrap();
    assert_eq!(legal(&game, &state), ["discard C", "ransom 1"]);
    act(&game, &mut state, "ransom 1");
    act(&game, &mut state, "discard C");
    draw(&game, &mut state, "U");
    assert!(legal(&game, &state).iter().all(|action| action.starts_with("place U")), "once a turn");
}

#[test]
fn ruling_27_a_capture_comes_before_the_scoring() {
    let game = game("towers", &[], 2);
    // Seat 0 completes seat 1's city and captures the knight: nobody scores.
    let board = with_meeples(tiles("T01 0,0 r1"), "1 0,0 city E");
    let mut state = hand(board, 0, "E").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place E 1,0 r3");
    act(&game, &mut state, "floor 0,0");
    act(&game, &mut state, "take 0,0 city E");
    assert_eq!(points(&game, &state), [0, 0]);
    assert_eq!((supply(&game, &state, 0), supply(&game, &state, 1)), (7, 6));
}

#[test]
fn ruling_28_two_to_six_players() {
    for seats in [0, 1, 7] {
        assert!(Carcassonne::new(Variant::default(), seats).is_err());
    }
    assert!((2..=6).all(|seats| Carcassonne::new(Variant::default(), seats).is_ok()));
    assert_eq!(Carcassonne::definition().info.seats, 2..=6);
}

#[test]
fn ruling_29_equal_points_share_the_place() {
    let game = game("river", &[], 3);
    let state = tiles("B 0,0").points(0, 5).points(2, 5).build(&game).unwrap();
    let mut outcome = Outcome::default();
    game.outcome(&state, &mut outcome);
    assert_eq!((outcome.places, outcome.end), (vec![1, 3, 1], 0));
}

#[test]
fn ruling_30_the_tile_of_the_tower_itself_is_in_range() {
    let game = game("towers", &[], 2);
    let board = with_meeples(tiles("T03 0,0"), "1 0,0 monastery");
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place B 0,1 r0");
    act(&game, &mut state, "floor 0,0");
    assert_eq!(legal(&game, &state), ["take 0,0 monastery", "decline"]);
}

#[test]
fn ruling_31_without_meeples_floors_and_ransoms_remain() {
    let game = game("towers", &[("meeples", "1")], 2);
    let board = tiles("T02 0,0; T02 1,0").prisoners(1, 0, 1).points(0, 4).tower(cell("1,0"), 1, None);
    let mut state = hand(board, 0, "B").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place B 0,1 r0");
    assert_eq!(legal(&game, &state), ["pass", "floor 0,0", "floor 1,0", "ransom 1"]);
    assert!(refusal(&game, &state, "claim monastery").contains("no meeple is left"));
    assert!(refusal(&game, &state, "close 1,0").contains("no meeple is left"));
    act(&game, &mut state, "ransom 1");
    let actions = legal(&game, &state);
    assert!(actions.contains(&"claim monastery".to_owned()), "the meeple may be used this turn");
    assert!(actions.contains(&"close 1,0".to_owned()));
}

#[test]
fn ruling_32_hands_are_hidden_and_the_unseen_tiles_are_counted() {
    let game = game("farms", &[], 2);
    let board = hand(hand(tiles("B 0,0"), 0, "U V W"), 1, "X C").deck(kind("E")).deck(kind("E"));
    let state = board.build(&game).unwrap();
    let own = serde_json::to_value(game.observe(&state, Viewer::Seat(Seat::new(0)))).unwrap();
    assert_eq!(own["players"][0]["hand"], serde_json::json!(["U", "V", "W"]));
    assert_eq!(own["players"][1]["hand"], serde_json::Value::Null);
    assert_eq!(own["players"][1]["tiles"], 2);
    assert_eq!(own["unseen"], serde_json::json!({"C": 1, "E": 2, "X": 1}));
    // Every deal of the unseen tiles occurs.
    let mut rng = EpisodeSeed::new(1, 1).agent(Seat::new(0));
    let mut hands = std::collections::BTreeMap::new();
    for _ in 0..600 {
        let mut other = state;
        game.determinize(&game.observe(&state, Viewer::Seat(Seat::new(0))), &mut rng, &mut other);
        assert_eq!(seen(&game, &other)["players"][0], seen(&game, &state)["players"][0]);
        *hands.entry(seen(&game, &other)["players"][1]["hand"].to_string()).or_insert(0) += 1;
    }
    // There are six equally likely deals: one C+X, two each of C+E and E+X, and one E+E.
    assert_eq!(hands.len(), 4);
    assert!(hands.values().all(|count| (60..270).contains(count)), "{hands:?}");
    // With a hand of one tile, the tile drawn is public.
    let classic = crate::support::game("classic", &[], 2);
    let mut state = start(&classic);
    draw(&classic, &mut state, "U");
    assert_eq!(classic.observe(&state, Viewer::Public).hand(0), Some(&[kind("U")][..]));
}

#[test]
fn ruling_32_no_event_tells_a_hidden_tile() {
    for (hand, open) in [("3", false), ("2", false), ("1", true)] {
        let game = game("towers", &[("hand", hand)], 3);
        let mut episode = Episode::new(std::sync::Arc::clone(&game), EpisodeSeed::new(8, 0));
        while episode.phase() != Phase::Over {
            match episode.phase() {
                Phase::Decide(seats) => {
                    let seat = seats.lowest().unwrap();
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).unwrap();
                }
                _ => episode.step_chance(),
            }
        }
        let drawn = |viewer: Viewer| {
            let events = episode.events().seen_by(viewer);
            let own = events.filter_map(|event| match event {
                Event::DrewTile { seat, .. } => Some(*seat),
                _ => None,
            });
            own.collect::<Vec<Seat>>()
        };
        assert_eq!(drawn(Viewer::Public).is_empty(), !open);
        for seat in Seat::all(3) {
            let seen = drawn(Viewer::Seat(seat));
            assert!(!seen.is_empty() && (open || seen.iter().all(|drawer| *drawer == seat)));
        }
    }
}

#[test]
fn ruling_33_fields_score_in_the_end_only() {
    let game = game("farms", &[], 2);
    let board = with_meeples(tiles("E 0,0 r1"), "1 0,0 field Nw");
    let mut state = hand(board, 0, "E").hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place E 1,0 r3");
    act(&game, &mut state, "pass");
    assert_eq!(points(&game, &state), [0, 0], "the city is complete, the field waits");
    assert_eq!(supply(&game, &state, 1), 6);
    act(&game, &mut state, "place B -1,0 r0");
    act(&game, &mut state, "pass");
    assert_eq!(points(&game, &state), [0, 3]);
}

#[test]
fn chance_is_checked() {
    let game = game("farms", &[], 2);
    let state = start(&game);
    let refused = |state: &State, chance: &str| {
        let chance: Chance = chance.parse().unwrap();
        game.check_chance(state, &chance).unwrap_err().reason
    };
    assert!(refused(&state, "draw U").contains("the river is drawn first"));
    assert!(refused(&state, "draw RE").contains("no tile RE is left"));
    assert!(refused(&state, "order 0,1").contains("has been drawn"));
    assert!(refused(&game.initial_state(), "draw R1").contains("expected the order of 2 seats"));
    assert!("order 0,5".parse::<Chance>().is_err(), "an order has each seat once");
    assert!(refused(&game.initial_state(), "order 0,1,2").contains("expected the order of 2 seats"));
    let dry = tiles("B 0,0").deck(kind("U")).build(&game).unwrap();
    assert!(refused(&dry, "draw V").contains("no tile V is left"));
    assert!(refused(&dry, "draw R1").contains("no tile R1 is left"));
    let mut fresh = game.initial_state();
    let total: f64 = game.chance_outcomes(&fresh).unwrap().iter().map(|(_, share)| share).sum();
    assert!((total - 1.0).abs() < 1e-9);
    game.apply_chance(&mut fresh, &"order 1,0".parse().unwrap(), &mut NoEvents);
    let outcomes = game.chance_outcomes(&fresh).unwrap();
    assert_eq!(outcomes.len(), 9, "nine kinds of river tiles");
}

#[test]
fn every_ruling_has_a_test_of_its_name() {
    let rules = include_str!("../../RULES.md");
    let tests = [include_str!("rulings.rs"), include_str!("river.rs")].concat();
    let table = rules.split_once("## R8 Rulings").expect("the section").1;
    let table = table.split_once("\n## ").expect("the next section").0;
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok());
    let rulings: Vec<usize> = rows.collect();
    assert!(rulings.iter().copied().eq(1..=33), "RULES.md has {rulings:?}");
    for number in rulings {
        assert!(tests.contains(&format!("\nfn ruling_{number:02}_")), "ruling {number} has no test");
    }
}
