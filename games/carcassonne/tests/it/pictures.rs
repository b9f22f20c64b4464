//! Drawing and screen: every spatial and other action can be clicked, and the screen fits a terminal.

use std::sync::Arc;

use crate::support::game;
use meeple_carcassonne::{Action, Carcassonne};
use meeple_core::{Defined as _, Episode, EpisodeSeed, Game, Phase, Present, Viewer};
use meeple_scene::{Camera, Room, SvgOptions, line_columns};

#[test]
fn every_legal_action_can_be_clicked_and_typed() {
    for (preset, seats) in [("towers", 3), ("classic", 2)] {
        let game = game(preset, &[], seats);
        let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(4, 0));
        let mut step = 0;
        loop {
            match episode.phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(deciding) => {
                    let seat = deciding.lowest().unwrap();
                    step += 1;
                    let mut legal: Vec<String> =
                        episode.legal_actions(seat).iter().map(Action::to_string).collect();
                    if step % 7 == 0 || legal.iter().any(|action| action.starts_with("take")) {
                        let viewer = Viewer::Seat(seat);
                        let scene = episode.with_view(viewer, &[], |view| game.draw(view));
                        let mut shown: Vec<String> =
                            scene.actions().iter().map(|text| (*text).to_owned()).collect();
                        shown.sort();
                        legal.sort();
                        assert_eq!(shown, legal, "{preset}, step {step}");
                        let screen = episode.with_view(viewer, &[], |view| game.screen(view));
                        let room = Room { columns: 80, lines: None, cut: "", torn: "" };
                        let fitted = screen.fitted(room, &mut Camera::default());
                        let widest = fitted.lines.iter().map(|line| line_columns(line)).max();
                        assert!(widest <= Some(80), "{preset}, step {step}: {widest:?}");
                        for action in &legal {
                            let read = episode
                                .with_view(viewer, &[], |view| game.read_input(&view.observation, action));
                            assert_eq!(&read.unwrap().to_string(), action);
                        }
                    }
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).unwrap();
                }
            }
        }
        let scene = episode.with_view(Viewer::Public, &[], |view| game.draw(view));
        assert!(scene.actions().is_empty());
    }
}

/// When the board grows, a page keeps what it shows and gets only additions: nothing else moves.
#[test]
fn a_board_that_grows_stays_as_it_is() {
    let game = game("towers", &[], 2);
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(4, 0));
    let drawn = |episode: &Episode<Carcassonne>| {
        let svg =
            episode.with_view(Viewer::Public, &[], |view| game.draw(view)).to_svg(&SvgOptions::default());
        let tiles = svg.lines().filter(|line| line.starts_with("<g") && line.contains(" on "));
        (
            svg.lines().find(|line| line.contains("scale(")).map(str::to_owned),
            tiles.map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    let (mut frames, mut before) = (0, drawn(&episode));
    while episode.phase() != Phase::Over {
        match episode.phase() {
            Phase::Decide(deciding) => {
                let seat = deciding.lowest().unwrap();
                let action = episode.sample_action(seat);
                episode.act(seat, &action).unwrap();
            }
            _ => episode.step_chance(),
        }
        let after = drawn(&episode);
        assert!(after.1.starts_with(&before.1), "{:?}", episode.phase());
        frames += usize::from(after.0 != before.0);
        before = after;
    }
    assert!(frames > 5, "it has grown {frames} times");
}

#[test]
fn what_people_type() {
    let game = game("towers", &[], 2);
    let state = game.initial_state();
    let read = |typed: &str| game.read_input(&game.observe(&state, Viewer::Public), typed);
    for (typed, expected) in [
        ("D 3,-1 r1", "place D 3,-1 r1"),
        ("place d 3,-1 1", "place D 3,-1 r1"),
        ("p t12 0,4", "place T12 0,4 r0"),
        ("place U 0,1 r2", "place U 0,1 r0"),
        ("place B 0,1 r3", "place B 0,1 r0"),
        ("city n", "claim city N"),
        ("claim FIELD en", "claim field En"),
        ("field inside", "claim field inside"),
        ("claim cloister", "claim monastery"),
        ("", "pass"),
        ("no", "pass"),
        ("t 2,1 road e", "take 2,1 road E"),
        ("take 2,1 guard", "take 2,1 guard"),
        ("f 2,0", "place F 2,0 r0"),
        ("build 2,0", "floor 2,0"),
        ("n", "pass"),
        ("n 2,0", "place N 2,0 r0"),
        ("T 2,1 guard", "take 2,1 guard"),
        ("ransom 1", "ransom 1"),
        ("d C", "discard C"),
    ] {
        assert_eq!(read(typed).map(|action| action.to_string()), Ok(expected.to_owned()), "'{typed}'");
    }
    for wrong in [
        "place Z 0,0 r0",
        "place D 0 r0",
        "place D 0,0 r4",
        "claim tower",
        "fly",
        "take 1,1",
        "ransom 9",
        "city x",
        "field é",
    ] {
        assert!(read(wrong).is_err(), "'{wrong}'");
    }
    for wrong in ["place D +3,0 r0", "place D 03,0 r0", "place D 120,0 r0", "place  D 0,0 r0", "pass now"] {
        assert!(wrong.parse::<Action>().is_err(), "'{wrong}'");
    }
    let names: Vec<String> =
        Carcassonne::definition().agents.iter().map(|agent| agent.name.to_owned()).collect();
    assert!(Carcassonne::definition().info.demo.iter().all(|demo| names.contains(&(*demo).to_owned())));
}
