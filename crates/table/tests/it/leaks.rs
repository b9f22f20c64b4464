//! A viewer's bytes are independent of information hidden from it.

use meeple_core::{AnyEpisode, EpisodeSeed, Phase, Question, Seat, Viewer};
use meeple_table::{Frame, FrameContext};

use crate::{for_every_preset, mixed};

/// The frame of a viewer in a world; an owed question has number 0.
fn frame(world: &dyn AnyEpisode, viewer: Viewer, holders: &[meeple_table::Holder]) -> Frame {
    let Phase::Decide(owing) = world.view().phase() else { panic!("somebody decides") };
    let open: Vec<Question> = owing.map(|seat| Question { seat, number: 0 }).collect();
    let question = open.iter().find(|question| viewer == Viewer::Seat(question.seat)).copied();
    Frame::new(
        world.view(),
        &FrameContext { version: 1, viewer, question, open: &open, holders, faults: &[], draft: None },
    )
}

#[test]
fn two_worlds_that_a_viewer_cannot_tell_apart_look_the_same() {
    for_every_preset(|_, game, name| {
        let holders = mixed(game);
        let mut episode = game.episode(EpisodeSeed::new(23, 0));
        let (mut decisions, mut compared) = (0, 0);
        while decisions < 60 {
            match episode.view().phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(mut owing) => {
                    if decisions % 6 == 0 {
                        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1))]
                        {
                            let worlds = [1, 2]
                                .map(|key| episode.determinize(viewer, EpisodeSeed::new(key, decisions)));
                            let [one, other] = worlds.map(|world| frame(&*world, viewer, &holders));
                            assert_eq!(one, other, "{name}: decision {decisions}, {viewer:?}");
                            compared += 1;
                        }
                    }
                    let seat = owing.next().expect("somebody owes a decision");
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).expect("a sampled action is legal");
                    decisions += 1;
                }
            }
        }
        assert!(compared > 0, "{name}");
    });
}
