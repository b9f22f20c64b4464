//! Faults of players at a table: log, page, API and replay report seat, kind and time.

use std::time::{Duration, Instant};

use meeple_core::Replay;
use meeple_server::Server;
use serde_json::Value;

use crate::client::{Browser, Page, options, run, start, until};

/// Upper bound on waits for other threads.
const LIMIT: Duration = Duration::from_secs(60);
/// Agents that fail with the feature `faults`: one panics, the other never ends and cannot be
/// cancelled.
const FAULTY: &str = "turn:13";
const ENDLESS: &str = "turn:14";
/// An agent none of whose decisions ends.
const ALWAYS_ENDLESS: &str = "turn:16";

/// Plays a table of Incan Gold to its end; `meanwhile` runs while the agent is waited for.
fn play(browser: &mut Browser, table: &str, mut meanwhile: impl FnMut()) -> Page {
    let began = Instant::now();
    loop {
        let page = browser.get(table);
        assert_eq!(page.status, 200, "{}", page.body);
        if page.is_over() {
            return page;
        }
        if page.is_asked() {
            let answered = browser.answer(table, &page, "leave");
            assert!(matches!(answered.status, 303 | 409), "{}", answered.body);
        }
        meanwhile();
        assert!(began.elapsed() < LIMIT, "it does not come to its end: {}", page.body);
        std::thread::yield_now();
    }
}

/// Checks that every view of a finished table reports the faults of seat 1: page, API, replay
/// and moments.
fn hold_notices(browser: &mut Browser, table: &str, page: &Page, agent: &str, what: &str) {
    let id = &table[3..];
    let line = format!("fault of seat 1 {agent}: {what}");
    assert!(page.body.contains(&line), "{}", page.body);
    let frame: Value =
        serde_json::from_str(&browser.get(&format!("/api/v1/tables/{id}/frame")).body).unwrap();
    let texts = frame["log"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap());
    let notices: Vec<&str> = texts.filter(|text| text.starts_with("fault of")).collect();
    assert!(
        notices.iter().all(|text| text.starts_with(&line) && text.ends_with("Z; random stands in")),
        "{notices:?}"
    );
    let replay = Replay::parse(&browser.get(&format!("{table}/replay.json")).body).unwrap();
    assert_eq!(replay.faults.iter().map(|fault| fault.sentence("")).collect::<Vec<_>>(), notices);
    let first = replay.faults.first().expect("there is a fault");
    let moments = (0..=replay.steps.len())
        .filter(|at| browser.get(&format!("/r/{id}/at/{at}?as=all")).body.contains(&first.sentence("")));
    assert!(moments.count() > 0, "no moment of the replay tells it");
}

#[test]
fn an_agent_that_panics_ends_no_table_and_everybody_is_notified() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", FAULTY)]);
    let page = play(&mut browser, &table, || {});
    hold_notices(&mut browser, &table, &page, FAULTY, "CRASH at 20");
    // The stored record reports them, too.
    let before = browser.get(&format!("{table}/replay.json")).body;
    drop(server);
    let server = start(Some(&file));
    assert_eq!(browser.at(server.address).get(&format!("{table}/replay.json")).body, before);
}

#[test]
fn a_table_goes_on_where_it_was_restored_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", FAULTY)]);
    let page = browser.until_asked(&table);
    assert_eq!(browser.answer(&table, &page, "leave").status, 303);
    until("the first fault", || browser.get(&table).body.contains("fault of seat 1"));
    drop(server);
    let server = start(Some(&file));
    let mut browser = browser.at(server.address);
    let page = play(&mut browser, &table, || {});
    hold_notices(&mut browser, &table, &page, FAULTY, "CRASH at 20");
}

#[test]
fn an_agent_that_cannot_be_stopped_is_late_and_everybody_is_notified() {
    let server = start(None);
    let mut now = 0;
    server.time.tell(now);
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", ENDLESS)]);
    let page = play(&mut browser, &table, || {
        now += 15_000;
        server.time.tell(now);
    });
    hold_notices(&mut browser, &table, &page, ENDLESS, "TIMEOUT ");
    // The first decision is waited for, and still runs: the later ones come at once.
    let lines = page.body.matches(&format!("fault of seat 1 {ENDLESS}: TIMEOUT")).count();
    let waited = page.body.matches(&format!("{ENDLESS}: TIMEOUT after 10.000 s at 20")).count();
    assert!(waited == 1 && lines > 1, "{waited} of {lines}");
}

#[test]
fn agents_that_cannot_be_stopped_hold_one_thread_per_table() {
    let mut config = options(None);
    config.operator = true;
    let server = Server::bind(&config).unwrap();
    server.time().tell(0);
    let link = server.operator_link().unwrap();
    let server = run(server);
    let mut operator = server.browser();
    operator.get(&format!("/operator{}", link.split_once("/operator").unwrap().1));
    let mut now = 0;
    let mut browser = server.browser();
    // More decisions than the 8 places and the 8 threads that may run without one.
    let tables: Vec<String> = (0..4)
        .map(|_| {
            let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", ALWAYS_ENDLESS)]);
            let page = play(&mut browser, &table, || {
                now += 15_000;
                server.time.tell(now);
            });
            assert!(page.body.matches(&format!("fault of seat 1 {ALWAYS_ENDLESS}: TIMEOUT")).count() > 4);
            table
        })
        .collect();
    let page = operator.get("/operator").body;
    for table in &tables {
        let line = format!("<code>{}</code><span>{ALWAYS_ENDLESS}", &table[3..]);
        assert_eq!(page.matches(&line).count(), 1, "{page}");
    }
    // Others decide as ever, while the clock stands still.
    let honest = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "mcts:iterations=20")]);
    play(&mut browser, &honest, || {});
}
