//! The laboratory: what comes out is what the command line gives.

use meeple_lab::{NoProgress, SetUp, Simulation, StopFlag, simulate};
use serde_json::Value;

use crate::client::{Browser, Page, start};

/// Sends a form, and returns the address of the run.
fn ask(browser: &mut Browser, game: &str, fields: &[(&str, &str)]) -> String {
    let answer = browser.post(&format!("/lab/{game}"), fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").unwrap().to_owned()
}

/// The page of a run once it is played, stopped or refused.
fn until_ended(browser: &mut Browser, run: &str) -> Page {
    let mut seen = "0".to_owned();
    loop {
        let part = browser.get(&format!("{run}/part?seen={seen}"));
        assert_eq!(part.status, 200, "{}", part.body);
        seen = part.header("x-version").unwrap().to_owned();
        if part.header("x-running") == Some("false") {
            return browser.get(run);
        }
    }
}

fn result(browser: &mut Browser, run: &str) -> Value {
    serde_json::from_str(&browser.get(&format!("{run}/result.json")).body).unwrap()
}

#[test]
fn a_run_is_what_the_command_line_plays() {
    let server = start(None);
    let mut browser = server.browser();
    let fields = [
        ("agent.0", "turn:7"),
        ("agent.1", "backpack:20"),
        ("episodes", "20000"),
        ("seed", "5"),
        ("set.rounds", "4"),
    ];
    let run = ask(&mut browser, "incan-gold", &fields);
    let page = until_ended(&mut browser, &run);
    assert!(page.body.contains("Done: 20000 episodes."), "{}", page.body);
    for words in ["meeple sim incan-gold/classic turn:7 backpack:20 --set ", "rounds=4", " -n 20000 --seed 5"]
    {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    assert!(page.body.contains("<svg") && page.body.contains("<table>"));
    let found = result(&mut browser, &run);
    let name = meeple_games::parse_game("incan-gold").unwrap();
    let set = [("rounds".to_owned(), "4".to_owned())];
    let set_up =
        SetUp::new(name.entry, None, &set, &["turn:7".to_owned(), "backpack:20".to_owned()]).unwrap();
    let simulation = Simulation {
        game: &*set_up.game,
        line_up: set_up.line_up.clone(),
        seed: 5,
        episodes: 20_000,
        seating: Default::default(),
        threads: 1,
    };
    let expected = simulate(&simulation, &mut NoProgress, &StopFlag::new()).unwrap().to_json();
    assert_eq!((&found["agents"], &found["seats"]), (&expected["agents"], &expected["seats"]));
    // The same question has the same address, and its answer is there.
    assert_eq!(ask(&mut browser, "incan-gold", &fields), run);
    assert!(browser.get(&run).body.contains("Done"));
}

#[test]
fn a_range_is_swept() {
    let server = start(None);
    let mut browser = server.browser();
    let fields =
        [("agent.0", "turn:3..5"), ("agent.1", "turn:4"), ("episodes", "300"), ("set.rounds", "2..3")];
    let run = ask(&mut browser, "incan-gold", &fields);
    let page = until_ended(&mut browser, &run);
    assert!(page.body.contains("meeple sweep incan-gold/classic turn:3..5 turn:4 --set "), "{}", page.body);
    assert_eq!(result(&mut browser, &run)["cells"].as_array().unwrap().len(), 6);
    let again = browser.get(&format!("/lab/incan-gold?from={}", run.rsplit('/').next().unwrap()));
    for kept in ["value=\"turn:3..5\"", "value=\"2..3\"", "value=\"300\""] {
        assert!(again.body.contains(kept), "{kept}: {}", again.body);
    }
}

#[test]
fn a_run_that_is_stopped_keeps_what_it_has() {
    let server = start(None);
    let mut browser = server.browser();
    let fields = [("agent.0", "merchant"), ("agent.1", "merchant"), ("episodes", "1000000")];
    let run = ask(&mut browser, "cartolan", &fields);
    // As soon as there is anything.
    while browser.get(&format!("{run}/result.json")).status != 200 {
        std::thread::yield_now();
    }
    assert_eq!(browser.post(&format!("{run}/stop"), &[]).status, 303);
    let page = until_ended(&mut browser, &run);
    assert!(page.body.contains("Stopped: below is what was played."), "{}", page.body);
    assert!(result(&mut browser, &run)["episodes"].as_u64().unwrap() >= 500);
}

#[test]
fn an_answer_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let run = ask(&mut browser, "incan-gold", &[("agent.0", "turn:7"), ("episodes", "2000")]);
    let page = until_ended(&mut browser, &run);
    drop(server);
    let server = start(Some(&file));
    assert_eq!(browser.at(server.address).get(&run).body, page.body);
}

#[test]
fn what_cannot_be_played_is_said_before() {
    let server = start(None);
    let mut browser = server.browser();
    for (fields, told) in [
        (vec![("agent.0", "ghost")], "ghost"),
        (vec![("agent.0", "turn:7"), ("episodes", "0")], "expected at least 1"),
        (vec![("agent.0", "turn:7"), ("episodes", "many")], "episodes: expected a whole number"),
        (vec![("agent.0", "turn:7"), ("episodes", "10000001")], "expected at most 10000000 episodes"),
        (vec![("agent.0", "turn:1..20"), ("episodes", "1000000")], "expected at most 10000000 episodes"),
        (vec![("agent.0", "turn:7"), ("set.rounds", "99")], "rounds"),
        (vec![("agent.0", "@/etc/passwd")], "files cannot be named here"),
        (vec![("agent.0", "turn:7"), ("set.gems", "@/etc/passwd")], "files cannot be named here"),
        (vec![("agent.0", "nobody")], "player"),
    ] {
        let page = browser.post("/lab/incan-gold", &fields);
        assert_eq!(page.status, 400, "{fields:?}: {}", page.body);
        assert!(page.body.contains(told), "{fields:?}: {}", page.body);
    }
    assert_eq!(browser.get("/lab/job/nothing").status, 404);
    assert_eq!(browser.get("/lab/chess").status, 404);
}
