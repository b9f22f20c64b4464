//! Drafts are invisible to others, and a confirmed draft has the same result as single decisions.

use meeple_core::{AnyGame, CancelToken, EpisodeSeed, Phase, Seat, Stream, Viewer};
use meeple_games::find_game;
use meeple_table::{Act, DraftOrder, Entry, Frame, Holder, Refused, Reply, Table};

use crate::for_every_preset;

/// Maximum number of questions to people in a walk.
const QUESTIONS: usize = 60;

/// The players by seat: two people, then agents.
fn holders(game: &dyn AnyGame) -> Vec<Holder> {
    let holder = |seat| match seat {
        0 | 1 => Holder::Person { name: format!("Ann {seat}").into() },
        _ => Holder::Agent("random".to_owned()),
    };
    (0..game.seats()).map(holder).collect()
}

fn open(game: &dyn AnyGame, seed: u64) -> Table {
    Table::open(game, EpisodeSeed::new(seed, 0), holders(game)).expect("every game has the agent")
}

/// Lets agents decide until a person owes a decision; returns its seat, or `None` at the end.
fn asked(table: &mut Table) -> Option<usize> {
    while let Some(thought) = table.thought() {
        let (question, action) =
            (thought.question(), thought.decide(&CancelToken::new()).expect("the agent plays"));
        table.take_thought(question, &action).expect("nothing came between");
    }
    [0, 1].into_iter().find(|seat| table.question(*seat).is_some())
}

/// A random listed or suggested action.
fn some_action(frame: &Frame, stream: &mut Stream) -> Option<String> {
    let ask = frame.ask.as_ref()?;
    Some(match (ask.actions.len(), ask.suggestions.len()) {
        (0, 0) => ask.fallback.clone(),
        (0, many) => ask.suggestions[stream.index(many)].action.clone(),
        (many, _) => ask.actions[stream.index(many)].clone(),
    })
}

/// The frame of a viewer, as JSON.
fn bytes(table: &Table, seat: Option<usize>) -> String {
    serde_json::to_string(&table.frame(seat)).expect("frames serialise")
}

/// The accepted entries by seat, without the ids of their messages.
fn decisions(table: &Table) -> Vec<(usize, String)> {
    let decision = |entry: &Entry| match entry {
        Entry::Decision { seat, action, .. } => (*seat, action.clone()),
        Entry::Seated { seat, holder } => (*seat, format!("{holder:?}")),
        Entry::Fault { fault } => (fault.seat.index(), format!("{fault:?}")),
    };
    table.record().iter().map(decision).collect()
}

#[test]
fn others_see_nothing_of_a_draft_and_what_is_undone_is_gone() {
    for_every_preset(|_, game, name| {
        let mut live = open(game, 5);
        let mut stream = Stream::from_seed(9);
        let mut drafted = 0;
        for question in 0..QUESTIONS {
            let Some(me) = asked(&mut live) else { break };
            let others = [None, Some(0), Some(1)].into_iter().filter(|seat| *seat != Some(me));
            let others: Vec<_> = others.map(|seat| (seat, bytes(&live, seat))).collect();
            let before = (live.frame(Some(me)), live.record().to_vec());
            let number = live.question(me).expect("it is asked").number;
            for change in 0..8 {
                let (steps, _) = live.draft_state(Some(me));
                let action = some_action(&live.frame(Some(me)), &mut stream);
                let order = match (stream.index(4), &action) {
                    (0, _) => DraftOrder::Undo,
                    (1, _) if steps > 2 => DraftOrder::Drop,
                    (_, Some(action)) => DraftOrder::Step(Reply::Text(action)),
                    (_, None) => DraftOrder::Undo,
                };
                let id = format!("{question}.{change}");
                if live.draft(me, number, steps, &id, order).expect(name) == Act::Taken {
                    assert_eq!((steps, live.record().len()), (0, before.1.len() + 1), "{name}: one step");
                    break;
                }
                drafted += live.draft_state(Some(me)).0;
                assert_eq!(live.has_drafts(), live.draft_state(Some(me)).0 > 0, "{name}");
                assert_eq!(live.draft(me, number, steps, &id, order), Ok(Act::Repeated), "{name}");
                let wrong = live.draft(me, number, steps + 9, "other", order);
                assert!(matches!(wrong, Err(Refused::Moved { .. })), "{name}: {wrong:?}");
                assert_eq!(live.record(), before.1, "{name}: nothing has happened");
                for (seat, before) in &others {
                    assert_eq!(&bytes(&live, *seat), before, "{name}: question {question}, {seat:?}");
                }
            }
            if live.record().len() == before.1.len() {
                let (steps, _) = live.draft_state(Some(me));
                live.draft(me, number, steps, "away", DraftOrder::Drop).expect(name);
                assert_eq!(live.frame(Some(me)), before.0, "{name}: as if nothing had been tried");
                let action = some_action(&before.0, &mut stream).expect("it is asked");
                live.act(me, number, "real", Reply::Text(&action)).expect(name);
            }
        }
        let has_chains = ["carcassonne", "cartolan"].iter().any(|game| name.starts_with(game));
        assert!(drafted > 0 || !has_chains, "{name}: something was drafted");
    });
}

#[test]
fn a_confirmed_draft_is_its_steps_one_by_one() {
    for_every_preset(|_, game, name| {
        let (mut drafting, mut direct) = (open(game, 6), open(game, 6));
        let mut stream = Stream::from_seed(13);
        let mut longest = 0;
        for question in 0..QUESTIONS {
            let Some(me) = asked(&mut drafting) else { break };
            asked(&mut direct);
            let number = drafting.question(me).expect("it is asked").number;
            let taken = drafting.record().len();
            let mut last_seen = None;
            for steps in 0.. {
                let frame = drafting.frame(Some(me));
                last_seen =
                    frame.draft.as_ref().filter(|draft| !draft.hides_last).map(|_| frame.drawing.clone());
                let action = some_action(&frame, &mut stream).filter(|_| steps < 12);
                let order = match &action {
                    Some(action) => DraftOrder::Step(Reply::Text(action)),
                    None => DraftOrder::Commit,
                };
                match drafting.draft(me, number, steps, &format!("{question}.{steps}"), order).expect(name) {
                    Act::Drafted => longest = longest.max(steps + 1),
                    Act::Stopped { taken: real } => {
                        assert_eq!(drafting.record().len(), taken + real, "{name}");
                        break;
                    }
                    _ => break,
                }
            }
            assert_eq!(drafting.draft_state(Some(me)), (0, 0), "{name}: it is done with");
            for entry in &drafting.record()[taken..] {
                let Entry::Decision { seat, action, .. } = entry else { panic!("only decisions") };
                let number = direct.question(*seat).expect("as there").number;
                direct.act(*seat, number, &format!("{number}"), Reply::Text(action)).expect(name);
            }
            for seat in [None, Some(0), Some(1)] {
                assert_eq!(
                    drafting.frame(seat),
                    direct.frame(seat),
                    "{name}: {seat:?} at question {question}"
                );
            }
            // If nothing happened after the draft, the real drawing is the one that the draft predicted.
            if let Some(seen) = last_seen
                && drafting.question(me).is_some_and(|open| open.number == number + 1)
                && drafting.frame(Some(me)).ask.is_none()
            {
                assert_eq!(drafting.frame(Some(me)).drawing, seen, "{name}");
            }
        }
        asked(&mut drafting);
        asked(&mut direct);
        assert_eq!(decisions(&drafting), decisions(&direct), "{name}");
        assert_eq!(drafting.replay(), direct.replay(), "{name}");
        if name.starts_with("carcassonne") || name.starts_with("cartolan") {
            assert!(longest > 1, "{name}: turns have several steps");
        }
    });
}

#[test]
fn a_draft_shows_its_seat_nothing_that_it_does_not_know() {
    for_every_preset(|_, game, name| {
        let mut episode = game.episode(EpisodeSeed::new(31, 0));
        let mut stream = Stream::from_seed(17);
        let mut decisions = 0;
        while decisions < 80 {
            match episode.view().phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(mut owing) => {
                    let seat = owing.next().expect("somebody owes a decision");
                    if seat.index() < 2 {
                        let worlds = [1, 2].map(|key| {
                            let seed = EpisodeSeed::new(key, decisions);
                            let world = episode.determinize(Viewer::Seat(seat), seed);
                            Table::of(world, EpisodeSeed::new(key, 0), holders(game))
                        });
                        let [mut one, mut other] = worlds;
                        try_both(&mut one, &mut other, seat, &mut stream, name);
                    }
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).expect("a sampled action is legal");
                    decisions += 1;
                }
            }
        }
    });
}

/// Makes the same draft at two tables that the seat cannot distinguish.
fn try_both(one: &mut Table, other: &mut Table, seat: Seat, stream: &mut Stream, name: &str) {
    let me = seat.index();
    let number = one.question(me).expect("it is asked").number;
    for steps in 0..6 {
        assert_eq!(bytes(one, Some(me)), bytes(other, Some(me)), "{name}: after {steps} steps");
        let Some(action) = some_action(&one.frame(Some(me)), stream) else { return };
        let order = DraftOrder::Step(Reply::Text(&action));
        let id = steps.to_string();
        let done = [&mut *one, other].map(|table| table.draft(me, number, steps, &id, order));
        assert_eq!(done[0], done[1], "{name}: '{action}' after {steps} steps");
        if done[0] != Ok(Act::Drafted) {
            return;
        }
    }
}

#[test]
fn a_draft_ends_when_the_table_goes_on_without_it() {
    let game = find_game("carcassonne").expect("it is registered").set_up(None, &[], 3).expect("three play");
    let mut live = open(&*game, 3);
    let me = asked(&mut live).expect("a person is asked");
    let number = live.question(me).expect("it is asked").number;
    let begun = |live: &mut Table, id: &str| {
        let action = live.frame(Some(me)).ask.expect("it is asked").actions[0].clone();
        assert_eq!(live.draft(me, number, 0, id, DraftOrder::Step(Reply::Text(&action))), Ok(Act::Drafted));
    };
    begun(&mut live, "a");
    let (was, revision) = (live.frame(Some(me)), live.draft_state(Some(me)).1);
    assert_eq!(was.draft.as_ref().expect("there is one").revision, revision);
    assert_eq!(live.draft(me, number, 1, "b", DraftOrder::Undo), Ok(Act::Drafted));
    assert_eq!(live.draft(me, number, 0, "c", DraftOrder::Commit), Err(Refused::NoDraft));
    begun(&mut live, "d");
    assert!(
        live.draft_state(Some(me)).1 > revision,
        "another draft is another revision, even if it says the same"
    );
    // A person leaves, which everybody may know, so the draft is dropped.
    live.leave(1 - me, &meeple_core::AgentSpec::parse("random")).expect("a person sat there");
    assert_eq!(live.frame(Some(me)).draft, None);
    begun(&mut live, "e");
    // The question is answered without the draft, as by a program.
    live.act(me, number, "f", Reply::Index(0)).expect("it is listed");
    assert_eq!(live.frame(Some(me)).draft, None);
    let refused = live.draft(me, number, 1, "g", DraftOrder::Commit);
    assert!(matches!(refused, Err(Refused::Stale(_))), "{refused:?}");
}
