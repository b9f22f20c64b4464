//! The river, R3, and the rulings on it.

use crate::support::{act, draw, game, legal, mover, refusal, run_river, stage, start};
use meeple_carcassonne::{Carcassonne, KINDS, Kind, MAX_SEGMENTS, Stage, State, node_of};
use meeple_core::{Game, Seat, Viewer};

#[test]
fn r3_6_the_lake_comes_after_the_claim_on_the_tenth_tile() {
    // The bridge of R6 separates the banks beyond it from the field round the spring. From there on they are
    // two fields, until the lake joins them at the other end.
    let game = game("farms", &[], 2);
    let mut state = start(&game);
    for tile in ["R1", "R2", "R4", "R8", "R3", "R5", "R7", "R9", "R6"] {
        draw(&game, &mut state, tile);
        let placement = legal(&game, &state).into_iter().find(|action| action.starts_with("place"));
        act(&game, &mut state, &placement.expect("it can be laid"));
        if tile == "R6" {
            let claims = legal(&game, &state);
            let ahead = claims.iter().find(|action| action.starts_with("claim field")).expect("a bank");
            act(&game, &mut state, ahead);
        } else if stage(&game, &state) == Stage::Action {
            act(&game, &mut state, "pass");
        }
    }
    draw(&game, &mut state, "R2");
    let placement = legal(&game, &state)[0].clone();
    act(&game, &mut state, &placement);
    let lake = |state: &State| game.observe(state, Viewer::Public).board().len() == 12;
    assert!(!lake(&state), "the tenth tile's claim comes first");
    let banks: Vec<String> =
        legal(&game, &state).into_iter().filter(|action| action.starts_with("claim field")).collect();
    assert_eq!(banks.len(), 1, "one bank is held, the other is still a field of its own: {banks:?}");
    act(&game, &mut state, &banks[0]);
    assert!(lake(&state), "and then it comes by itself");
    let board = game.observe(&state, Viewer::Public).board();
    let farmers: Vec<_> = (0..board.tiles().len())
        .flat_map(|tile| (0..MAX_SEGMENTS).map(move |segment| node_of(tile, segment)))
        .filter(|node| board.owner(*node).is_some())
        .collect();
    assert_eq!(farmers.len(), 2);
    assert_eq!(board.root(farmers[0]), board.root(farmers[1]), "the lake has joined what they hold");
}

#[test]
fn ruling_02_lake_is_laid_by_itself_or_by_the_next_player() {
    let lake = Kind::new(KINDS - 1);
    let auto = game("farms", &[], 4);
    let mut state = start(&auto);
    run_river(&auto, &mut state);
    assert_eq!(auto.observe(&state, Viewer::Public).board().tiles()[11].kind(), lake);
    let player = game("farms", &[("lake", "player")], 4);
    let mut state = start(&player);
    run_river(&player, &mut state);
    assert_eq!(mover(&player, &state), Seat::new(2), "ten tiles later it is the third seat's turn");
    let placements = legal(&player, &state);
    assert!(placements.iter().all(|action| action.starts_with("place RE")) && placements.len() == 1);
    act(&player, &mut state, &placements[0]);
    assert!(legal(&player, &state).iter().any(|action| action.starts_with("claim field")));
}

#[test]
fn ruling_03_uturn_is_refused_by_looking_ahead() {
    for rule in ["lookahead", "two-cells", "two-curves"] {
        let game = game("river", &[("uturn", rule)], 2);
        let mut state = start(&game);
        draw(&game, &mut state, "R9");
        act(&game, &mut state, "place R9 0,-1 r1");
        draw(&game, &mut state, "R5");
        assert_eq!(legal(&game, &state), ["place R5 1,-1 r0"], "{rule}");
        assert!(refusal(&game, &state, "place R5 1,-1 r3").contains("U-turn"), "{rule}");
    }
    // Curves back towards the spring, with straight tiles between. From three columns away only the
    // look-ahead detects it, from two columns away the two cells do as well.
    for (rule, far, near) in
        [("lookahead", false, false), ("two-cells", true, false), ("two-curves", true, true)]
    {
        let game = game("river", &[("uturn", rule)], 2);
        let mut state = start(&game);
        let steps = |state: &mut State, list: &[(&str, &str)]| {
            for (tile, action) in list {
                draw(&game, state, tile);
                act(&game, state, action);
                if stage(&game, state) == Stage::Action {
                    act(&game, state, "pass");
                }
            }
        };
        steps(
            &mut state,
            &[("R2", "place R2 0,-1 r0"), ("R9", "place R9 0,-2 r1"), ("R2", "place R2 1,-2 r1")],
        );
        let mut close = state;
        steps(&mut close, &[("R5", "place R5 2,-2 r3"), ("R6", "place R6 2,-1 r0")]);
        draw(&game, &mut close, "R3");
        assert_eq!(legal(&game, &close).contains(&"place R3 2,0 r2".to_owned()), near, "{rule}, near");
        steps(
            &mut state,
            &[("R4", "place R4 2,-2 r0"), ("R5", "place R5 3,-2 r3"), ("R6", "place R6 3,-1 r0")],
        );
        draw(&game, &mut state, "R3");
        assert_eq!(legal(&game, &state).contains(&"place R3 3,0 r2".to_owned()), far, "{rule}, far");
    }
}

#[test]
fn ruling_03_no_river_gets_stuck_or_touches_itself() {
    // All orders of straight and curved tiles (as shapes) and all turns: an exhaustive search.
    fn search(game: &Carcassonne, state: &State, straights: &[&str], curves: &[&str], ends: &mut u32) {
        if straights.is_empty() && curves.is_empty() {
            let board = game.observe(state, Viewer::Public).board();
            assert_eq!(board.len(), 12, "the lake lies");
            let cells: Vec<_> = board.tiles().iter().map(|placed| placed.cell).collect();
            for (at, one) in cells.iter().enumerate() {
                for other in &cells[(at + 2).min(cells.len())..] {
                    assert!(one.x.abs_diff(other.x) + one.y.abs_diff(other.y) > 1, "it touches itself");
                }
            }
            *ends += 1;
            return;
        }
        for (pile, left) in [(straights, straights.len()), (curves, curves.len())] {
            if left == 0 {
                continue;
            }
            let mut drawn = *state;
            draw(game, &mut drawn, pile[0]);
            let mut placements = legal(game, &drawn);
            assert!(placements.iter().all(|action| action.starts_with("place")), "stuck");
            if std::ptr::eq(pile, straights) {
                // Both orientations of a straight tile have the same shape.
                placements.truncate(1);
            }
            for action in placements {
                let mut next = drawn;
                act(game, &mut next, &action);
                if stage(game, &next) == Stage::Action {
                    act(game, &mut next, "pass");
                }
                let rest = &pile[1..];
                match std::ptr::eq(pile, straights) {
                    true => search(game, &next, rest, curves, ends),
                    false => search(game, &next, straights, rest, ends),
                }
            }
        }
    }
    let game = game("river", &[], 2);
    let mut ends = 0;
    let straights = ["R1", "R2", "R2", "R4", "R6", "R8"];
    search(&game, &start(&game), &straights, &["R3", "R5", "R7", "R9"], &mut ends);
    assert!(ends > 1000, "{ends} rivers");
}
