//! Laws under any order of events: a table equals its replayed record, and refused requests change nothing.

use meeple_core::{AgentSpec, CancelToken, EpisodeSeed, Stream};
use meeple_games::games;
use meeple_table::{Act, DraftOrder, Entry, Frame, Holder, Refused, Reply, Table};

use crate::{for_every_preset, mixed, table};

/// Steps of a walk, enough for every small game to end.
const STEPS: usize = 200;

/// The frames of all viewers.
fn frames(table: &Table) -> Vec<Frame> {
    [None, Some(0), Some(1)].map(|seat| table.frame(seat)).into()
}

/// Applies random events to a table. `after` sees the table after each step.
pub fn walk(table: &mut Table, stream: &mut Stream, mut after: impl FnMut(&mut Table, usize)) {
    let random = AgentSpec::parse("random");
    for step in 0..STEPS {
        let seat = stream.index(2);
        let number = table.question(seat).map_or(0, |question| question.number);
        let before = table.record().len();
        match stream.index(16) {
            12.. => try_out(table, stream, seat, number, step),
            0 => drop(table.join(1, "Bob")),
            1 if step > STEPS / 2 => drop(table.leave(seat, &random)),
            2 => drop(table.act(seat, number + 1, &format!("late {step}"), Reply::Index(0))),
            3 => drop(table.act(seat, number, &format!("wrong {step}"), Reply::Text("no such action"))),
            4 | 5 => {
                if let Some(thought) = table.thought() {
                    let question = thought.question();
                    let action = thought.decide(&CancelToken::new()).expect("the agent plays");
                    table.take_thought(question, &action).expect("nothing came between");
                    assert!(table.take_thought(question, &action).is_err(), "a thought counts once");
                }
            }
            _ => {
                if let Some(advice) = table.advice(seat, &random) {
                    let action = advice.decide(&CancelToken::new()).expect("the agent plays");
                    let id = format!("act {step}");
                    if table.act(seat, number, &id, Reply::Text(&action)) == Ok(Act::Taken) {
                        assert_eq!(
                            table.act(seat, number, &id, Reply::Text(&action)),
                            Ok(Act::Repeated),
                            "the same message counts once"
                        );
                    }
                }
            }
        }
        assert!(table.record().len() <= before + 1, "a step is one entry at most");
        after(table, step);
    }
}

/// A random change of a draft.
fn try_out(table: &mut Table, stream: &mut Stream, seat: usize, number: u64, step: usize) {
    let (steps, _) = table.draft_state(Some(seat));
    let count = table.frame(Some(seat)).ask.map_or(0, |ask| ask.actions.len());
    let order = match stream.index(6) {
        0 => DraftOrder::Undo,
        1 => DraftOrder::Drop,
        _ if count > 0 => DraftOrder::Step(Reply::Index(stream.index(count))),
        _ => DraftOrder::Undo,
    };
    drop(table.draft(seat, number, steps, &format!("try {step}"), order));
}

#[test]
fn a_table_is_what_its_record_says() {
    for_every_preset(|_, game, name| {
        let mut live = table(game, 7);
        let mut stream = Stream::from_seed(11);
        walk(&mut live, &mut stream, |live, step| {
            // The table is compared several times within the walk, and at its end.
            if step % 50 == 20 || step + 1 == STEPS {
                let seed = EpisodeSeed::new(7, 0);
                // The record is read back from its stored form, as text.
                let stored = serde_json::to_string(live.record()).expect("entries serialise");
                let record: Vec<Entry> = serde_json::from_str(&stored).expect("entries are read as written");
                let again = Table::rebuild(game, seed, mixed(game), &[], &record).expect(name);
                assert_eq!(again.record(), live.record(), "{name}");
                // Drafts are not stored, so they are dropped for the comparison.
                for seat in [0, 1] {
                    if let Some(open) = live.question(seat) {
                        let steps = live.draft_state(Some(seat)).0;
                        drop(live.draft(seat, open.number, steps, "end", DraftOrder::Drop));
                    }
                }
                assert_eq!(frames(&again), frames(live), "{name}: frames after step {step}");
                assert_eq!(again.replay(), live.replay(), "{name}");
                let thoughts = [live, &again]
                    .map(|table| table.thought().map(|thought| thought.decide(&CancelToken::new())));
                assert_eq!(thoughts[0], thoughts[1], "{name}: agents go on the same");
            }
        });
        assert!(live.record().len() > 5, "{name}: something happened");
        let decisions =
            live.record().iter().filter(|entry| matches!(entry, Entry::Decision { id: Some(_), .. }));
        assert!(decisions.count() > 0, "{name}: a person decided");
    });
}

#[test]
fn what_changes_for_a_viewer_has_a_new_version() {
    for_every_preset(|_, game, name| {
        let mut live = table(game, 3);
        let mut last = frames(&live);
        walk(&mut live, &mut Stream::from_seed(5), |live, step| {
            if step > 60 {
                return;
            }
            let now = frames(live);
            for (was, is) in last.iter().zip(&now) {
                if was.moment() == is.moment() {
                    assert_eq!(was, is, "{name}: step {step} changed what seat {:?} is shown", is.you);
                } else if was.you == is.you && was.version != is.version {
                    assert_eq!(is.version, was.version + 1, "{name}: versions have no gaps");
                }
            }
            last = now;
        });
    });
}

#[test]
fn agents_alone_play_to_the_end_and_the_replay_verifies() {
    for_every_preset(|entry, game, name| {
        if game.seats() > 8 {
            return;
        }
        let holders = vec![Holder::Agent("random".to_owned()); game.seats()];
        let mut live = Table::open(game, EpisodeSeed::new(1, 0), holders).expect("every game has the agent");
        while let Some(thought) = live.thought() {
            let question = thought.question();
            let action = thought.decide(&CancelToken::new()).expect("the agent plays");
            live.take_thought(question, &action).expect("it is in time");
        }
        assert!(live.is_over(), "{name}");
        assert!(live.frame(None).ending.is_some(), "{name}");
        assert_eq!(live.leave(0, &AgentSpec::parse("random")), Err(Refused::Empty(0)));
        entry.replay(&live.replay(), meeple_core::Viewer::Public, &mut |_| {}).expect(name);
    });
}

#[test]
fn who_puts_an_action_together_changes_nothing_and_can_take_it() {
    let entry = games().into_iter().find(|entry| entry.info().id == "game17").expect("it is registered");
    let game = entry.set_up(None, &[("size".into(), "4".into())], 2).expect("a small board");
    let others = (1..game.seats()).map(|_| Holder::Agent("random".to_owned()));
    let holders = [Holder::Person { name: "Ann".into() }].into_iter().chain(others).collect();
    let mut live = Table::open(&*game, EpisodeSeed::new(3, 0), holders).expect("every game has the agent");
    assert!(matches!(live.compose(1, ""), Err(Refused::Empty(1))), "no person sits there");
    while live.question(0).is_none() {
        let thought = live.thought().expect("somebody decides");
        let (question, action) =
            (thought.question(), thought.decide(&CancelToken::new()).expect("the agent plays"));
        live.take_thought(question, &action).expect("nothing came between");
    }
    let before = frames(&live);
    let mut text = String::new();
    let (number, made) = loop {
        let (number, made) = live.compose(0, &text).expect("it was offered").expect("game17 is put together");
        if made.lines.len() == 1 && made.action.is_some() {
            break (number, made);
        }
        text = made.additions.last().expect("it goes on").text.clone();
    };
    assert!(matches!(live.compose(0, "0,0:x"), Err(Refused::Illegal(_))));
    assert_eq!(frames(&live), before);
    let action = made.action.expect("it is whole");
    assert_eq!(live.act(0, number, "composed", Reply::Text(&action)), Ok(Act::Taken));
    assert!(live.record().iter().any(|entry| matches!(entry, Entry::Decision { id: Some(_), .. })));
}

#[test]
fn who_has_left_is_shown_what_the_public_is() {
    for_every_preset(|_, game, name| {
        let mut table = table(game, 5);
        let mut stream: Stream = EpisodeSeed::new(5, 1).agent(meeple_core::Seat::new(0));
        let mut left = 0;
        walk(&mut table, &mut stream, |table, step| {
            if step == STEPS / 4 && table.leave(0, &AgentSpec::parse("random")).is_ok() {
                left = step;
            }
            if left > 0 {
                assert_eq!(table.frame(Some(0)), table.frame(None), "{name}, step {step}");
                assert_eq!(table.version(Some(0)), table.version(None), "{name}, step {step}");
            }
        });
        assert!(left > 0 || table.is_over(), "{name}: nobody left");
    });
}
