//! Agents with endless decisions: nobody may request one, and existing ones block nobody else.

use std::path::Path;

use crate::client::{Browser, Running, options, run, start, until};

/// An agent whose decision would take hours.
const HOG: &str = "mcts:iterations=100000000,entries=1000";

/// Creates a file with tables of Incan Gold whose second seat has this agent, as an older release allowed it.
/// Returns the browser of their first seats. With `over` they are finished.
fn with_hogs(file: &Path, count: usize, over: bool) -> (Browser, Vec<String>) {
    let server = start(Some(file));
    let mut browser = server.browser();
    let fields = [("agent.0", "me"), ("agent.1", "turn:3")];
    let tables: Vec<String> = (0..count).map(|_| browser.open("incan-gold", &fields)).collect();
    for table in tables.iter().filter(|_| over) {
        loop {
            let page = browser.until_asked(table);
            if page.is_over() {
                break;
            }
            assert_eq!(browser.answer(table, &page, "leave").status, 303);
        }
    }
    drop(server);
    let database = rusqlite::Connection::open(file).unwrap();
    let changed = database.execute("update game set holders = replace(holders, 'turn:3', ?)", [HOG]).unwrap();
    assert_eq!(changed, count);
    if !over {
        database.execute("delete from entry", []).unwrap();
    }
    (browser, tables)
}

/// A server on this file with its clock at 0, and the operator's browser.
fn operated(file: &Path) -> (Running, Browser) {
    let mut config = options(Some(file));
    config.operator = true;
    let server = meeple_server::Server::bind(&config).unwrap();
    server.time().tell(0);
    let link = server.operator_link().unwrap();
    let server = run(server);
    let mut operator = server.browser();
    assert_eq!(operator.get(&format!("/operator{}", link.split_once("/operator").unwrap().1)).status, 303);
    (server, operator)
}

/// Decides for the person at a table, while the agent, which decides at the same time, does not.
fn wait_for(browser: &mut Browser, hog: &str) {
    let page = browser.until_asked(hog);
    assert_eq!(browser.answer(hog, &page, "stay").status, 303);
    assert!(browser.get(hog).body.contains("Waiting for"), "{hog}");
}

#[test]
fn agents_that_think_for_ever_stop_nobody_and_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (browser, hogs) = with_hogs(&file, 3, false);
    let (server, mut operator) = operated(&file);
    let mut browser = browser.at(server.address);
    for hog in &hogs {
        wait_for(&mut browser, hog);
    }
    // There are more of them than processors, and yet others decide, at once and later.
    let honest = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "mcts:iterations=20")]);
    for _ in 0..2 {
        until("the next turn of who is no hog", || browser.get(&honest).is_asked());
        let page = browser.get(&honest);
        assert_eq!(browser.answer(&honest, &page, "stay").status, 303);
    }
    let page = operator.get("/operator").body;
    for hog in &hogs {
        assert!(
            page.contains(&format!("<code>{}</code><span>mcts:iterations=100000000", &hog[3..])),
            "{page}"
        );
    }
    assert!(page.contains("has been thinking for"), "{page}");
    // A closed table thinks no more.
    assert_eq!(operator.post(&format!("/operator/tables/{}/end", &hogs[0][3..]), &[]).status, 303);
    until("the operator's end of the table", || {
        !operator.get("/operator").body.contains(&format!("<code>{}</code><span>", &hogs[0][3..]))
    });
    assert_eq!(browser.get(&hogs[0]).status, 410);
    // At the deadline the others return their best decisions so far.
    assert!(!browser.get(&hogs[1]).is_asked());
    server.time.tell(10_000);
    for hog in &hogs[1..] {
        until("the turn of who waits for the hog", || browser.get(hog).is_asked());
    }
}

#[test]
fn however_many_think_for_ever_others_come_after_one_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (browser, hogs) = with_hogs(&file, 6, false);
    let (server, _) = operated(&file);
    let mut browser = browser.at(server.address);
    for hog in &hogs {
        wait_for(&mut browser, hog);
    }
    let honest = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "mcts:iterations=20")]);
    let page = browser.until_asked(&honest);
    assert_eq!(browser.answer(&honest, &page, "stay").status, 303);
    server.time.tell(10_000);
    until("the next turn of who is no hog", || browser.get(&honest).is_asked());
}

#[test]
fn who_was_quick_and_thinks_for_ever_is_ended_like_all() {
    let server = start(None);
    server.time.tell(0);
    let mut browser = server.browser();
    // It decides twice before it computes for ever, on the thread of the table.
    let hog = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:15"), ("seed", "2")]);
    for _ in 0..2 {
        let page = browser.until_asked(&hog);
        assert_eq!(browser.answer(&hog, &page, "stay").status, 303);
    }
    wait_for(&mut browser, &hog);
    let honest = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let page = browser.until_asked(&honest);
    assert_eq!(browser.answer(&honest, &page, "stay").status, 303);
    until("the next turn of the honest", || browser.get(&honest).is_asked());
    assert!(!browser.get(&hog).is_asked());
    server.time.tell(10_000);
    until("the turn beside the hog", || browser.get(&hog).is_asked());
}

#[test]
fn effort_is_checked_at_every_way_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (browser, over) = with_hogs(&file, 1, true);
    let server = start(Some(&file));
    let mut browser = browser.at(server.address);
    let expected = "at most 2000";
    // The form, in all spellings.
    for agent in
        [HOG, "mcts:100000000", "mcts :iterations=2001", "mcts: iterations =2001", "flat:playouts=1000000"]
    {
        let page = browser.post("/new/incan-gold", &[("agent.0", "me"), ("agent.1", agent)]);
        assert!(page.status == 400 && page.body.contains(expected), "{agent}: {}", page.body);
    }
    let nested = [("agent.0", "me"), ("agent.1", "mcts:rollout=builder :looks=9,iterations=100000000")];
    let page = browser.post("/new/carcassonne", &nested);
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    // No file is read, in any spelling.
    let page = browser.post("/new/incan-gold", &[("agent.0", "me"), ("agent.1", "net :/etc/hostname")]);
    assert!(page.status == 400 && page.body.contains("may name files"), "{}", page.body);
    let json = [("content-type", "application/json")];
    let order = |agent: &str| {
        format!(r#"{{"game":"incan-gold","seats":[{{"person":{{"name":"Ann"}}}},{{"agent":"{agent}"}}]}}"#)
    };
    let page = browser.send("POST", "/api/v1/tables", &json, order(HOG));
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    let opened = browser.send("POST", "/api/v1/tables", &json, order("turn:3"));
    let opened: serde_json::Value = serde_json::from_str(&opened.body).unwrap();
    let (id, key) = (opened["id"].as_str().unwrap(), opened["keys"][0]["key"].as_str().unwrap());
    let bearer = format!("Bearer {key}");
    let own = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    let leave = format!(r#"{{"agent":"{HOG}"}}"#);
    let page = browser.send("DELETE", &format!("/api/v1/tables/{id}/seats/0"), &own, leave);
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let page = browser.post(&format!("{table}/leave"), &[("seat", "0"), ("agent", HOG)]);
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    for path in [format!("{}/rematch", over[0]), format!("/r/{}/play", &over[0][3..])] {
        let page = browser.post(&path, &[("as", "all"), ("at", "0"), ("seat", "0"), ("agent", HOG)]);
        assert!(page.status == 400 && page.body.contains(expected), "{path}: {}", page.body);
    }
    // In its place of the replay the game's advisor plays.
    let page =
        browser.post(&format!("/r/{}/play", &over[0][3..]), &[("as", "all"), ("at", "0"), ("seat", "0")]);
    let on = page.header("location").unwrap_or_else(|| panic!("{}", page.body)).to_owned();
    assert!(!browser.get(&on).body.contains("mcts:iterations"), "{on}");
    let run = r#"{"game":"incan-gold","line_up":["mcts :iterations=2001","turn:7"],"episodes":10}"#;
    let page = browser.send("POST", "/api/v1/jobs", &json, run);
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    let competition = [("others", "turn:7\nslow=mcts :iterations=2001")];
    let page = browser.post("/competitions/incan-gold", &competition);
    assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
}
