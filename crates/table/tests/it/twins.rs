//! Twin episodes at a table: whoever may not know the difference gets the same messages, in order, grouping
//! and versions.

use meeple_core::{AnyGame, EpisodeSeed, Information, Seat, Stream, Viewer};
use meeple_games::parse_game;
use meeple_table::{Act, Frame, Holder, Reply, Table};
use meeple_testkit::{ScriptedDecision, TwinScripts, twin_scripts};

use crate::for_every_preset;

/// The frames of a viewer while these decisions are taken.
fn messages(
    game: &dyn AnyGame,
    seed: EpisodeSeed,
    viewer: Viewer,
    script: &[ScriptedDecision],
) -> Vec<Frame> {
    let person = |seat| Holder::Person { name: format!("player {seat}").as_str().into() };
    let holders = (0..game.seats()).map(person).collect();
    let mut table = Table::open(game, seed, holders).expect("people can play");
    let seat = if let Viewer::Seat(seat) = viewer { Some(seat.index()) } else { None };
    let mut frames = vec![table.frame(seat)];
    for (index, (who, action)) in script.iter().enumerate() {
        let number = table.question(*who).expect("the seat is asked").number;
        let taken = table.act(*who, number, &index.to_string(), Reply::Text(action));
        assert_eq!(taken, Ok(Act::Taken), "seat {who}: {action}");
        let frame = table.frame(seat);
        if frame.version != frames[frames.len() - 1].version {
            frames.push(frame);
        }
    }
    frames
}

/// The first difference between the messages of both episodes.
fn difference(game: &dyn AnyGame, seed: EpisodeSeed, viewer: Viewer, twins: &TwinScripts) -> Option<String> {
    let [one, two] = [0, 1].map(|world| messages(game, seed, viewer, &twins.decisions[world]));
    let log = |frame: &Frame| frame.log.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let what = match one.iter().zip(&two).position(|(frame, other)| frame != other) {
        Some(index) if log(&one[index]) == log(&two[index]) => format!("message {index} has the same log"),
        Some(index) => format!("message {index}: {:?} against {:?}", log(&one[index]), log(&two[index])),
        None if one.len() == two.len() => return None,
        None => format!("{} messages against {}", one.len(), two.len()),
    };
    Some(format!("{viewer:?}: {what}\nof {:?}", twins.decisions))
}

#[test]
fn twin_episodes_are_the_same_messages_to_whoever_may_not_know_the_difference() {
    for_every_preset(|entry, game, name| {
        if entry.info().information == Information::Perfect {
            return;
        }
        let seed = EpisodeSeed::new(1, 0);
        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(1))] {
            let twins = twin_scripts(game, seed, viewer, 20, &mut Stream::from_seed(3));
            assert_eq!(twins.asked_apart, 0, "{name}, {viewer:?}: the viewer is asked later in one of both");
            assert_eq!(difference(game, seed, viewer, &twins), None, "{name}");
        }
    });
}

/// Results of Privateers episode pairs in which ships are rich and always near each other.
#[derive(Default, Debug)]
struct Fights {
    /// Pairs in which the winner of a fight made room in only one of both.
    crowded: usize,
    asked_apart: usize,
    differences: Vec<String>,
}

fn fights(mode: &str, asks: &str, seeds: u64) -> Fights {
    let found = parse_game("privateers").expect("it is registered");
    let settings = [
        ("map", "pocket"),
        ("holds", "1,2,4"),
        ("ranges", "6,6,6"),
        ("start_money", "400"),
        ("asks_at_end", asks),
    ];
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let game = found.entry.set_up(Some(mode), &settings, 4).expect("it can be played");
    let mut fights = Fights::default();
    for seed in 0..seeds {
        let (seed, viewer) = (
            EpisodeSeed::new(seed, 0),
            if seed % 2 == 0 { Viewer::Public } else { Viewer::Seat(Seat::new(1)) },
        );
        let twins = twin_scripts(&*game, seed, viewer, 20, &mut Stream::from_seed(seed.bits()));
        let makes_room = |world: usize| {
            let decisions = twins.decisions[world].iter();
            decisions.filter(|(_, action)| action.starts_with("discard")).count() > 0
        };
        fights.crowded += usize::from(makes_room(0) != makes_room(1));
        fights.asked_apart += twins.asked_apart;
        fights.differences.extend(difference(&*game, seed, viewer, &twins));
    }
    fights
}

#[test]
fn fights_tell_nobody_whether_the_winner_made_room() {
    let survival = fights("survival", "on", 40);
    assert!(survival.differences.is_empty() && survival.asked_apart == 0, "{survival:?}");
    assert!(survival.crowded > 2, "{survival:?}");
    // A sunk player that may come back is asked later, and knows why.
    let infinite = fights("infinite", "on", 12);
    assert!(infinite.differences.is_empty(), "{infinite:?}");
    // The law finds differences under the earlier rule, without `asks_at_end`.
    let before = fights("survival", "off", 40);
    assert!(!before.differences.is_empty(), "{before:?}");
}
