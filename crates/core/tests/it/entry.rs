//! The `dyn` interface: text and JSON in and out, and helpful errors.

use meeple_core::{
    AgentInfo, AgentSpec, AnyEntry, Defined as _, EpisodeSeed, GameEntry, NoHost, NoParams, Phase, Seat,
    Seating, ToolRequest, Viewer,
};
use meeple_testkit::toys::{Hands, Nim, Take};

struct First;

impl meeple_core::Agent<Nim> for First {
    fn act(&mut self, mut turn: meeple_core::Turn<'_, Nim>) -> Take {
        turn.legal_actions()[0]
    }
}

fn nim() -> GameEntry<Nim> {
    GameEntry::new(
        Nim::definition(),
        vec![AgentInfo::new("first", "takes one", |_: &Nim, _: NoParams| Ok(First))],
    )
}

fn set(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Sets Nim up, and compares the variant as JSON or the error.
fn check(preset: Option<&str>, settings: &[(&str, &str)], named: usize, expected: Result<&str, &str>) {
    let found = nim().set_up(preset, &set(settings), named);
    let found = found.map(|game| game.variant().to_string()).map_err(|error| error.to_string());
    assert_eq!(found.as_deref(), expected.map_err(str::to_owned).as_deref(), "{preset:?} {settings:?}");
}

#[test]
fn presets_and_settings_make_the_variant() {
    check(None, &[], 2, Ok(r#"{"sticks":12,"most":3}"#));
    check(Some("dozen"), &[], 2, Ok(r#"{"sticks":12,"most":3}"#));
    check(Some("score"), &[], 2, Ok(r#"{"sticks":20,"most":3}"#));
    check(Some("score"), &[("most", "5")], 2, Ok(r#"{"sticks":20,"most":5}"#));
    check(Some("score"), &[("sticks", "7")], 2, Ok(r#"{"sticks":7,"most":3}"#));
    assert_eq!(nim().variant(Some("score"), &[]).unwrap().to_string(), r#"{"sticks":20,"most":3}"#);
}

#[test]
fn wrong_set_ups_name_the_nearest() {
    check(Some("dozn"), &[], 2, Err("unknown preset 'dozn' of nim\nhint: did you mean 'dozen'?"));
    check(Some("x"), &[], 2, Err("unknown preset 'x' of nim\nhint: expected one of dozen, score"));
    check(None, &[("stick", "3")], 2, Err("unknown parameter 'stick'\nhint: did you mean 'sticks'?"));
    check(
        None,
        &[("most", "2"), ("sticks", "9"), ("most", "3")],
        2,
        Err("most is given twice, as '2' and as '3'\nhint: give each parameter once"),
    );
    check(None, &[("most", "0")], 2, Err("most: expected a whole number from 1 to 9, found '0'"));
    check(None, &[("profile", "x")], 2, Err("unknown profile 'x' of nim\nhint: it has no profiles"));
    for named in [0, 1, 3, 17] {
        check(
            None,
            &[],
            named,
            Err(&format!(
                "nim takes 2 players, found {named}\nhint: name one agent per seat, as in: nim random random"
            )),
        );
    }
    let error = GameEntry::new(Hands::definition(), Vec::new())
        .set_up(None, &set(&[("rounds", "6")]), 3)
        .err()
        .unwrap();
    assert_eq!(error.to_string(), "6 rounds of 3 seats need 18 cards, found 12");
}

#[test]
fn unknown_agents_and_tools_name_what_there_is() {
    let entry = nim();
    let game = entry.set_up(None, &[], 2).unwrap();
    let line_up = |texts: [&str; 2]| texts.map(AgentSpec::parse);
    assert_eq!(game.check_line_up(&line_up(["first", "first"])), Ok(()));
    let error = game.check_line_up(&line_up(["first", "frist"])).unwrap_err();
    assert_eq!(error.to_string(), "unknown agent 'frist' for nim\nhint: did you mean 'first'?");
    let mut read_file = |_: &str| Err("no files here".to_owned());
    let request =
        ToolRequest { arguments: &[], seed: 1, read_file: &mut read_file, tell: &mut |_| {}, host: &NoHost };
    let error = entry.run_tool("exact", None, &[], request).unwrap_err();
    assert_eq!(error.to_string(), "nim has no 'exact'\nhint: it has no tools");
}

#[test]
fn of_two_agents_with_one_name_the_first_is_kept() {
    let two = AgentInfo::new("first", "another", |_: &Nim, _: NoParams| Ok(First));
    let mut agents = vec![AgentInfo::new("first", "takes one", |_: &Nim, _: NoParams| Ok(First))];
    agents.push(two);
    let docs = GameEntry::new(Nim::definition(), agents).agents();
    assert_eq!(docs.iter().map(|doc| doc.doc).collect::<Vec<_>>(), ["takes one"]);
}

#[test]
fn runners_report_until_stopped() {
    let entry = nim();
    let game = entry.set_up(None, &[], 2).unwrap();
    let mut runner = game.runner(&["first", "first"].map(AgentSpec::parse)).unwrap();
    let mut indices = Vec::new();
    runner.run(1, Seating::Rotate, 5..100, &mut |report| {
        assert_eq!(report.decisions, 12);
        assert_eq!(report.outcome.places, [2, 1], "twelve single sticks: the second seat takes the last");
        indices.push(report.index);
        indices.len() < 3
    });
    assert_eq!(indices, [5, 6, 7]);
}

/// Released games are rebuilt on demand, and running episodes continue.
#[test]
fn a_game_that_was_released_plays_the_same() {
    let game = nim().set_up(None, &set(&[("sticks", "7")]), 2).unwrap();
    let line_up = ["first", "first"].map(AgentSpec::parse);
    let decisions = |runner: &mut dyn meeple_core::AnyRunner| {
        let mut decisions = 0;
        runner.run(1, Seating::Rotate, 0..1, &mut |report| {
            decisions = report.decisions;
            true
        });
        decisions
    };
    let mut before = game.runner(&line_up).unwrap();
    let facts = (game.variant(), game.seats(), game.action_bound());
    game.release();
    let mut after = game.runner(&line_up).unwrap();
    game.release();
    assert_eq!((game.variant(), game.seats(), game.action_bound()), facts);
    assert_eq!([decisions(&mut *before), decisions(&mut *after)], [7, 7]);
}

/// An episode depends only on its seed, whatever its run and the earlier seating.
#[test]
fn an_episode_of_a_seed_is_the_episode_of_its_run() {
    struct Last;
    impl meeple_core::Agent<Hands> for Last {
        fn act(&mut self, mut turn: meeple_core::Turn<'_, Hands>) -> <Hands as meeple_core::Game>::Action {
            *turn.legal_actions().last().unwrap()
        }
    }
    let agents = vec![AgentInfo::new("last", "the last", |_: &Hands, _: NoParams| Ok(Last))];
    let entry = GameEntry::new(Hands::definition(), agents);
    let game = entry.set_up(None, &[], 3).unwrap();
    let line_up = [(); 3].map(|()| AgentSpec::parse("last"));
    let (mut runner, mut seeded) = (game.runner(&line_up).unwrap(), game.runner(&line_up).unwrap());
    let mut outcomes = std::collections::BTreeSet::new();
    for index in 0..20 {
        // This run leaves the players rotated, so the next one must seat them again.
        seeded.run(9, Seating::Rotate, index..index + 1, &mut |_| true);
        let mut expected = None;
        runner.run(7, Seating::Fixed, index..index + 1, &mut |report| {
            expected = Some((report.player_at.to_vec(), report.outcome.clone(), report.decisions));
            true
        });
        let found = seeded.play_seeded(EpisodeSeed::new(7, index), 100 + index);
        assert_eq!(found.index, 100 + index);
        outcomes.insert(found.outcome.scores.clone());
        let found = (found.player_at.to_vec(), found.outcome.clone(), found.decisions);
        assert_eq!(Some(found), expected, "{index}");
    }
    assert!(outcomes.len() > 5, "the episodes differ: {outcomes:?}");
}

#[test]
fn episodes_speak_text_and_json() {
    let game = nim().set_up(None, &set(&[("sticks", "4")]), 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    let (zero, one) = (Seat::new(0), Seat::new(1));
    assert_eq!(episode.phase(), Phase::turn(zero));
    assert_eq!(episode.legal_actions(zero), ["take 1", "take 2", "take 3"]);
    assert_eq!(episode.legal_actions(one), Vec::<String>::new());
    assert_eq!(episode.observation(Viewer::Public).to_string(), r#"{"sticks":4,"turn":0}"#);
    assert_eq!(
        episode.act(zero, "grab 1").unwrap_err().reason,
        "'grab 1' is no action: expected 'take N', found 'grab 1'"
    );
    assert_eq!(
        episode.act(zero, "take 9").unwrap_err().reason,
        "expected one of take 1, take 2, take 3, found take 9"
    );
    assert_eq!(episode.read_input(zero, " take 2 "), Ok("take 2".to_owned()));
    assert!(episode.read_input(zero, "two").is_err());
    episode.act(zero, "take 3").unwrap();
    let fork = episode.fork();
    episode.seat_agent(one, &AgentSpec::parse("first")).unwrap();
    assert_eq!(episode.ask_agent(zero), None, "no agent sits there");
    assert_eq!(episode.ask_agent(one).as_deref(), Some("take 1"));
    assert_eq!(episode.steps(), 1, "asking is not acting");
    episode.act(one, "take 1").unwrap();
    assert_eq!(episode.ask_agent(one), None, "it owes no decision");
    assert_eq!((episode.score(zero), episode.score(one)), (0, 1));
    assert_eq!(episode.outcome().unwrap().places, [2, 1]);
    assert_eq!((episode.steps(), episode.step_text(1).as_str()), (2, "1 take 1"));
    assert_eq!((fork.steps(), fork.outcome()), (1, None), "a fork stays behind");
    assert!(episode.screen(Viewer::Public, &[]).to_plain().contains("sticks"));
    assert!(episode.draw(Viewer::Public, &[]).actions().is_empty());
    assert_eq!(fork.draw(Viewer::Seat(one), &[]).actions(), ["take 1"]);
    assert_eq!(fork.draw(Viewer::Seat(zero), &[]).actions(), Vec::<&str>::new());
}

#[test]
fn events_come_numbered_and_only_to_their_audience() {
    let game = GameEntry::new(Hands::definition(), Vec::new()).set_up(None, &[], 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    episode.step_chance();
    episode.step_chance();
    let numbers =
        |viewer, from| episode.events(viewer, from).iter().map(|event| event.number).collect::<Vec<_>>();
    assert_eq!(numbers(Viewer::Seat(Seat::new(0)), 0), [0]);
    // Events hidden from a viewer leave no gap.
    assert_eq!(numbers(Viewer::Seat(Seat::new(1)), 0), [0]);
    assert_eq!(numbers(Viewer::Everything, 0), [0, 1]);
    assert_eq!(numbers(Viewer::Everything, 1), [1]);
    assert_eq!(numbers(Viewer::Public, 0), Vec::<usize>::new());
    let event = &episode.events(Viewer::Everything, 1)[0];
    assert!(event.text.starts_with("seat 1 is dealt "), "{}", event.text);
    assert_eq!(event.json["kind"], "dealt");
    assert_eq!(event.json["seat"], 1);
}

#[test]
fn replays_are_verified_moment_by_moment() {
    let entry = nim();
    let game = entry.set_up(None, &set(&[("sticks", "3")]), 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    episode.act(Seat::new(0), "take 3").unwrap();
    let replay = episode.replay(&["Ann".into(), "Bob".into()], None);
    let mut steps = Vec::new();
    let again = entry.replay(&replay, Viewer::Everything, &mut |moment| steps.push(moment.steps())).unwrap();
    assert_eq!(steps, [0, 1]);
    assert_eq!(again.outcome(), episode.outcome());
}

#[test]
fn an_episode_plays_on_to_the_next_seat_without_an_agent() {
    let game = nim().set_up(None, &set(&[("sticks", "5")]), 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    episode.seat_agent(Seat::new(0), &AgentSpec::parse("first")).unwrap();
    episode.play_on();
    assert_eq!((episode.phase(), episode.steps()), (Phase::turn(Seat::new(1)), 1));
    episode.play_on();
    assert_eq!(episode.steps(), 1, "seat 1 decides outside");
    episode.act(Seat::new(1), "take 1").unwrap();
    episode.play_on();
    assert_eq!((episode.phase(), episode.steps()), (Phase::turn(Seat::new(1)), 3));
    episode.act(Seat::new(1), "take 1").unwrap();
    episode.play_on();
    assert_eq!((episode.phase(), episode.steps()), (Phase::Over, 5));

    // Simultaneous decisions: the agent's decision waits for the other seat.
    let agents = vec![AgentInfo::new("fold", "folds", |_: &Hands, _: NoParams| Ok(Fold))];
    let game = GameEntry::new(Hands::definition(), agents).set_up(None, &[], 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    episode.seat_agent(Seat::new(0), &AgentSpec::parse("fold")).unwrap();
    episode.play_on();
    assert_eq!((episode.steps(), episode.holds(Seat::new(0))), (2, true));
    episode.act(Seat::new(1), "fold").unwrap();
    assert_eq!(episode.step_text(2), "0 fold");
}

struct Fold;

impl meeple_core::Agent<Hands> for Fold {
    fn act(&mut self, _turn: meeple_core::Turn<'_, Hands>) -> <Hands as meeple_core::Game>::Action {
        "fold".parse().unwrap()
    }
}

#[test]
fn chance_is_forced_by_number_as_by_text() {
    let game = GameEntry::new(Hands::definition(), Vec::new()).set_up(None, &[], 2).unwrap();
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    let outcomes = episode.chance_outcomes().unwrap();
    let probabilities: Vec<f64> = outcomes.iter().map(|(_, probability)| *probability).collect();
    assert_eq!(episode.chance_probabilities(), Some(probabilities));
    for (number, (text, _)) in outcomes.iter().enumerate() {
        let (mut by_number, mut by_text) = (episode.fork(), episode.fork());
        by_number.force_chance_at(number).unwrap();
        by_text.force_chance(text).unwrap();
        assert_eq!(by_number.step_text(0), by_text.step_text(0));
        assert_eq!(
            by_number.information_key(Viewer::Everything),
            by_text.information_key(Viewer::Everything)
        );
    }
    let refused = episode.force_chance_at(outcomes.len()).unwrap_err();
    assert_eq!(refused.reason, format!("expected an outcome below {0}, found {0}", outcomes.len()));
    assert_eq!(episode.steps(), 0);
    episode.step_chance();
    episode.step_chance();
    assert_eq!(episode.chance_probabilities(), None, "seats decide");
    assert!(episode.force_chance_at(0).is_err());
}
