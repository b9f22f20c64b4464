//! The laboratory: its results equal those of the command line.

use meeple_balance::{Balance, BalanceOptions, TablePayoff, sentences, try_once};
use meeple_lab::{NoProgress, SetUp, Simulation, StopFlag, simulate};
use serde_json::Value;

use crate::client::{Browser, start, until};

/// Sends a form, and returns the address of the run.
fn ask(browser: &mut Browser, game: &str, fields: &[(&str, &str)]) -> String {
    let answer = browser.post(&format!("/lab/{game}"), fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").unwrap().to_owned()
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
    let page = browser.until_ended(&run);
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
    let page = browser.until_ended(&run);
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
    // As soon as there is a result.
    until("the first result", || browser.get(&format!("{run}/result.json")).status == 200);
    assert_eq!(browser.post(&format!("{run}/stop"), &[]).status, 303);
    let page = browser.until_ended(&run);
    assert!(page.body.contains("Stopped. The results so far are below."), "{}", page.body);
    assert!(result(&mut browser, &run)["episodes"].as_u64().unwrap() >= 1);
}

#[test]
fn an_answer_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let run = ask(&mut browser, "incan-gold", &[("agent.0", "turn:7"), ("episodes", "2000")]);
    let page = browser.until_ended(&run);
    drop(server);
    let server = start(Some(&file));
    assert_eq!(browser.at(server.address).get(&run).body, page.body);
}

#[test]
fn what_cannot_be_played_is_said_before() {
    let server = start(None);
    let mut browser = server.browser();
    for (fields, expected) in [
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
        assert!(page.body.contains(expected), "{fields:?}: {}", page.body);
    }
    assert_eq!(browser.get("/lab/job/nothing").status, 404);
    assert_eq!(browser.get("/lab/chess").status, 404);
}

#[test]
fn cells_and_episodes_are_counted_before_anything_is_set_up() {
    let server = start(None);
    let mut browser = server.browser();
    let many = "expected at most 10000000 episodes in all, found";
    // An agent that does not exist is found only when the first cell is set up.
    let fields =
        [("agent.0", "turn:1..20"), ("agent.1", "ghost"), ("set.rounds", "1..5"), ("episodes", "200000")];
    let page = browser.post("/lab/incan-gold", &fields);
    assert!(page.status == 400 && page.body.contains(&format!("{many} 20000000")), "{}", page.body);
    let json = r#"{"game":"incan-gold","line_up":["turn:1..20","ghost"],"episodes":1000000}"#;
    let page = browser.send("POST", "/api/v1/jobs", &[("content-type", "application/json")], json);
    assert!(page.status == 400 && page.body.contains(&format!("{many} 20000000")), "{}", page.body);
    let fields = [("others", "turn:1..150\nturn:1..30|40|50\nturn:1..100\nghost")];
    let page = browser.post("/lab/incan-gold/ask", &fields);
    assert!(page.status == 400 && page.body.contains("at most 200 agents, found 254"), "{}", page.body);
}

/// Asks about a game, and returns the address of the answers and the anchor of the first one.
fn ask_about(browser: &mut Browser, game: &str, fields: &[(&str, &str)]) -> (String, String) {
    let answer = browser.post(&format!("/lab/{game}/ask"), fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    let (run, about) = answer.header("location").unwrap().split_once('#').unwrap();
    (run.to_owned(), about.to_owned())
}

#[test]
fn questions_are_answered_in_words_with_the_command_that_repeats_them() {
    let server = start(None);
    let mut browser = server.browser();
    let fields = |about| {
        vec![
            ("agent", "turn"),
            ("agent", "hazards"),
            ("others", "turn:3"),
            ("episodes", "6000"),
            ("about", about),
        ]
    };
    let (run, first) = ask_about(&mut browser, "incan-gold", &fields("agents"));
    let page = browser.until_ended(&run);
    // Questions about the same agents share their answers; the requested one comes first.
    for (about, question) in [
        ("agents", "Which strategies survive?"),
        ("seats", "What is a seat worth?"),
        ("length", "How long does it take?"),
        ("luck", "How much is luck?"),
    ] {
        let (again, anchor) = ask_about(&mut browser, "incan-gold", &fields(about));
        assert_eq!(again, run);
        let heading = page.body.split("<h3 id=\"").skip(1).find(|heading| heading.starts_with(&anchor));
        assert!(heading.is_some_and(|heading| heading.contains(question)), "{about}: {}", page.body);
    }
    assert_eq!(first, "which-strategies-survive");
    assert!(
        page.body
            .contains("meeple balance incan-gold/classic turn hazards turn:3 --seats 2 -n 6000 --seed 1"),
        "{}",
        page.body
    );
    let found = result(&mut browser, &run);
    assert_eq!(found["strategies"].as_array().unwrap().len(), 3);
    // As on the command line.
    let name = meeple_games::parse_game("incan-gold").unwrap();
    let words = ["turn", "hazards", "turn:3"].map(str::to_owned);
    let options =
        BalanceOptions { seats: 2, episodes: 6_000, seed: 1, pay_off: TablePayoff::Win, threads: 1 };
    let balance = Balance::new(name.entry, None, &[], &words, &options).unwrap();
    let answers =
        try_once(&balance, &mut NoProgress, &StopFlag::new(), &mut |_, _, _| Ok(())).unwrap().unwrap();
    let in_words: Vec<String> = sentences(&answers).into_iter().map(|sentence| sentence.answer).collect();
    let shown = found["sentences"].as_array().unwrap().iter();
    assert_eq!(
        shown.map(|sentence| sentence["answer"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
        in_words
    );
    let again = browser.get(&format!("/lab/incan-gold/ask?from={}", run.rsplit('/').next().unwrap()));
    for kept in ["turn\nhazards\nturn:3", "value=\"6000\""] {
        assert!(again.body.contains(kept), "{kept}: {}", again.body);
    }
}

#[test]
fn which_rule_matters_is_a_question_too() {
    let server = start(None);
    let mut browser = server.browser();
    let fields = [("agent", "turn"), ("agent", "hazards"), ("episodes", "200"), ("about", "rules")];
    let (run, first) = ask_about(&mut browser, "incan-gold", &fields);
    let page = browser.until_ended(&run);
    assert!(
        page.body.contains(&format!("<h3 id=\"{first}\">Which parameter moves the length most?")),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("rounds=7 instead of 5") || page.body.contains("rounds=3 instead of 5"),
        "{}",
        page.body
    );
    assert!(page.body.contains("--seats 2 -n 200 --seed 1 --parameters"), "{}", page.body);
}

#[test]
fn a_button_alone_asks_all_agents_of_a_game() {
    let server = start(None);
    let mut browser = server.browser();
    let form = browser.get("/lab/game17").body;
    for words in ["Does one agent dominate?", "Which rule matters most?", "/lab/game17/ask?preset="] {
        assert!(form.contains(words), "{words}: {form}");
    }
    let (run, _) = ask_about(&mut browser, "privateers", &[("about", "agents"), ("episodes", "10")]);
    assert!(browser.until_ended(&run).body.contains("Which strategies survive?"));
}

#[test]
fn what_cannot_be_asked_is_said_before() {
    let server = start(None);
    let mut browser = server.browser();
    for (fields, expected) in [
        (vec![("agent", "ghost")], "ghost"),
        (vec![("agent", "turn"), ("seats", "1")], "at least 2 seats"),
        (vec![("agent", "turn"), ("seats", "99")], "1 to 16 players, found 99"),
        (vec![("agent", "turn"), ("episodes", "0")], "expected at least 1"),
        (vec![("agent", "turn"), ("episodes", "99999999999")], "episodes"),
        (
            vec![("agent", "turn"), ("episodes", "9000000"), ("about", "rules")],
            "expected at most 10000000 episodes",
        ),
        (vec![("others", "@/etc/passwd")], "files cannot be named here"),
        (vec![("others", "net:/etc/passwd")], "net"),
        (vec![("others", "mcts:iterations=100000")], "at most 2000 here"),
    ] {
        let page = browser.post("/lab/incan-gold/ask", &fields);
        assert_eq!(page.status, 400, "{fields:?}: {}", page.body);
        assert!(page.body.contains(expected), "{fields:?}: {}", page.body);
    }
    assert_eq!(browser.get("/lab/chess/ask").status, 404);
}

const DUEL: [(&str, &str); 3] = [("agent.0", "turn:7"), ("agent.1", "hazards:2"), ("episodes", "600")];

const SWEEP: [(&str, &str); 4] =
    [("agent.0", "turn:3..5"), ("agent.1", "turn:4"), ("episodes", "300"), ("set.rounds", "2..3")];

#[test]
fn a_sweep_is_walked_through_cell_by_cell() {
    let server = start(None);
    let mut browser = server.browser();
    let begin = browser.post("/lab/incan-gold", &[&SWEEP[..], &[("walk", "on")]].concat());
    assert_eq!(begin.status, 303, "{}", begin.body);
    let address = begin.header("location").unwrap().to_owned();
    let page = browser.get(&address);
    assert!(page.body.contains("This cell has not been played yet."), "{}", page.body);
    // The third value of one parameter, the second of the other.
    let mut fields = SWEEP.to_vec();
    fields.extend([("at.0", "2"), ("at.1", "1")]);
    let cell = browser.post("/lab/incan-gold/walk", &fields);
    assert_eq!(cell.header("location"), Some(&*format!("{address}&cell=5")));
    let cell = browser.get(&format!("{address}&cell=5"));
    let run = cell.body.split("data-part=\"").nth(1).unwrap().split("/part").next().unwrap().to_owned();
    let run_page = browser.until_ended(&run);
    for words in ["turn:5", "rounds=3", "-n 300 --seed 1"] {
        assert!(run_page.body.contains(words), "{words}: {}", run_page.body);
    }
    // It equals the cell of the whole sweep.
    let whole = ask(&mut browser, "incan-gold", &SWEEP);
    assert!(browser.until_ended(&whole).body.contains("Walk through its cells"));
    let (of_cell, of_sweep) = (result(&mut browser, &run), result(&mut browser, &whole));
    assert_eq!(of_cell["agents"], of_sweep["cells"][5]["agents"]);
    // Visited cells are listed on another cell's page.
    let page = browser.get(&format!("{address}&cell=0"));
    assert!(page.body.contains("turn 5, rounds 3") && page.body.contains("Visited cells"), "{}", page.body);
}

#[test]
fn going_on_stops_what_is_played_at_the_cell_before() {
    let server = start(None);
    let mut browser = server.browser();
    let fields = [("agent.0", "merchant:2..4"), ("agent.1", "merchant"), ("episodes", "1000000")];
    let at = |place, leave| [&fields[..], &[("at.0", place), ("leave", leave)]].concat();
    let go = |browser: &mut Browser, fields: &[(&str, &str)]| {
        let cell = browser.post("/lab/cartolan/walk", fields);
        assert_eq!(cell.status, 303, "{}", cell.body);
        let page = browser.get(cell.header("location").unwrap());
        page.body.split("data-part=\"").nth(1).unwrap().split("/part").next().unwrap().to_owned()
    };
    let first = go(&mut browser, &at("0", ""));
    let second = go(&mut browser, &at("1", first.rsplit('/').next().unwrap()));
    assert!(browser.until_ended(&first).body.contains("Stopped"));
    assert_ne!(first, second);
    browser.post(&format!("{second}/stop"), &[]);
}

#[test]
fn only_sweeps_are_walked_through() {
    let server = start(None);
    let mut browser = server.browser();
    for (fields, expected) in [
        (vec![("agent.0", "turn:3"), ("walk", "on")], "expected a range in place of a number, found none"),
        (vec![("agent.0", "turn:3..9999999"), ("walk", "on")], "turn"),
        (vec![("agent.0", "@/etc/passwd"), ("walk", "on")], "files cannot be named here"),
    ] {
        let page = browser.post("/lab/incan-gold", &fields);
        assert_eq!(page.status, 400, "{fields:?}: {}", page.body);
        assert!(page.body.contains(expected), "{fields:?}: {}", page.body);
    }
    assert_eq!(browser.get("/lab/incan-gold/walk").status, 400);
    assert_eq!(browser.get("/lab/incan-gold/walk?agent.0=turn:1..3&cell=x").status, 400);
    // Beyond the last cell is the last.
    assert_eq!(browser.get("/lab/incan-gold/walk?agent.0=turn:1..3&cell=99").status, 200);
}

#[test]
fn the_first_games_of_a_run_are_replays() {
    let server = start(None);
    let mut browser = server.browser();
    let run = ask(&mut browser, "incan-gold", &DUEL);
    browser.until_ended(&run);
    let games = browser.get(&format!("{run}/games"));
    let name = run.rsplit('/').next().unwrap();
    for words in ["The first 100 games", "turn:7", "hazards:2", &format!("/r/{name}.99")] {
        assert!(games.body.contains(words), "{words}: {}", games.body);
    }
    let replay: Value = serde_json::from_str(&browser.get(&format!("/r/{name}.1/replay.json")).body).unwrap();
    // In the second episode the seats are rotated by one.
    assert_eq!(replay["players"][0], "hazards:2", "{replay}");
    assert_eq!(browser.get(&format!("/r/{name}.1")).status, 200);
    for wrong in ["600", "x", "-1", "99999999999999999999"] {
        let page = browser.get(&format!("/r/{name}.{wrong}"));
        assert!((400..500).contains(&page.status), "{wrong}: {} {}", page.status, page.body);
    }
    assert_eq!(browser.get("/lab/job/nothing/games").status, 404);
}

#[test]
fn plots_are_pictures_and_numbers() {
    let server = start(None);
    let mut browser = server.browser();
    let run = ask(&mut browser, "incan-gold", &DUEL);
    let page = browser.until_ended(&run);
    let plots: Vec<&str> =
        page.body.split("<figure id=\"plot-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(plots.len() > 3, "{plots:?}");
    for plot in &plots {
        assert!(page.body.contains(&format!("{run}/plot/{plot}.svg")), "{plot}");
        let svg = browser.get(&format!("{run}/plot/{plot}.svg"));
        assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")));
        assert!(svg.body.starts_with("<svg") && svg.body.ends_with("</svg>"), "{plot}");
        let csv = browser.get(&format!("{run}/plot/{plot}.csv"));
        let rows: Vec<&str> = csv.body.lines().collect();
        assert!(rows[0] == "what,value,half" && rows.len() > 1, "{plot}: {}", csv.body);
        for row in &rows[1..] {
            let number = row.rsplit("\",").next().unwrap().split(',').next().unwrap();
            assert!(number.parse::<f64>().is_ok(), "{plot}: {row}");
        }
    }
    let results = browser.get(&format!("{run}/plot/results.csv")).body;
    let wins = result(&mut browser, &run)["agents"][0]["wins"].as_f64().unwrap() / 6.0;
    assert!(results.contains(&format!("\"turn:7, wins\",{wins:.1},")), "{wins}: {results}");
    for wrong in ["nothing.svg", "results", "results.png", "..%2f.svg"] {
        assert_eq!(browser.get(&format!("{run}/plot/{wrong}")).status, 404, "{wrong}");
    }
}
