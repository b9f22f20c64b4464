//! The event log: everything that happens, and no secret.

use std::path::Path;
use std::sync::{Arc, Mutex};

use meeple_server::{Log, LogForm, Server};
use serde_json::Value;

use crate::client::{Running, options, run, until};

type Lines = Arc<Mutex<String>>;

/// A server with an operator and a captured log, and the operator's key.
fn logged(form: LogForm, data: Option<&Path>) -> (Running, Lines, String) {
    let lines = Lines::default();
    let kept = Arc::clone(&lines);
    let mut config = options(data);
    config.operator = true;
    config.log = Log::to(form, Box::new(move |line| *kept.lock().unwrap() += &format!("{line}\n")));
    let server = Server::bind(&config).unwrap();
    let key = server.operator_link().unwrap().rsplit('/').next().unwrap().to_owned();
    (run(server), lines, key)
}

fn read(lines: &Lines) -> String {
    lines.lock().unwrap().clone()
}

#[test]
fn every_request_and_what_becomes_of_tables_is_a_line() {
    let (server, lines, _) = logged(LogForm::Json, None);
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let shown = browser.get(&table);
    while !browser.get(&table).is_over() {
        let page = browser.until_asked(&table);
        if page.is_asked() {
            browser.answer(&table, &page, "leave");
        }
    }
    let refused = browser.send("POST", "/new/incan-gold", &[], "");
    assert_eq!(refused.status, 403);
    // All lines are written once the server has ended.
    drop(server);
    let lines: Vec<Value> = read(&lines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events = |name: &str| lines.iter().filter(|line| line["event"] == name).collect::<Vec<_>>();
    assert_eq!((&lines[0]["event"], &lines[lines.len() - 1]["event"]), (&"started".into(), &"ended".into()));
    for line in &lines {
        let at = line["at"].as_str().unwrap();
        let form: String = at.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(form, "0000-00-00T00:00:00.000Z");
        assert!(("2026".."2200").contains(&&at[..4]), "{at}");
    }
    let [opened] = *events("table_opened") else { panic!("{lines:?}") };
    assert_eq!((&opened["table"], &opened["seats"]), (&table[3..].into(), &2.into()));
    assert_eq!(events("table_ended").len(), 1, "{lines:?}");
    let requests = events("request");
    let own = |page: &crate::client::Page| {
        let id = page.header("x-request-id").unwrap();
        requests.iter().find(|line| line["id"] == id).unwrap().to_owned().clone()
    };
    let line = own(&shown);
    assert_eq!(
        (&line["method"], &line["path"], &line["status"]),
        (&"GET".into(), &table.into(), &200.into())
    );
    assert_eq!(line["bytes"], shown.body.len());
    assert!(line["ms"].as_f64().unwrap() > 0.0 && line["from"] == "127.0.0.1", "{line}");
    assert_eq!(own(&refused)["status"], 403);
}

#[test]
fn a_page_that_panics_is_a_fault_that_names_its_line_and_nobody_elses() {
    let (server, lines, _) = logged(LogForm::Json, None);
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let broken = browser.get("/fault/ouch");
    assert_eq!(broken.status, 500);
    let id = broken.header("x-request-id").unwrap().to_owned();
    assert!(broken.body.contains(&format!("request {id}")), "{}", broken.body);
    assert!(!broken.body.contains("ouch"), "what went wrong is for the log: {}", broken.body);
    // Everything else continues on the same server.
    assert!(browser.until_asked(&table).is_asked());
    drop(server);
    let lines: Vec<Value> = read(&lines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |event: &str, name: &str| {
        let found = lines.iter().find(|line| line["event"] == event && line[name] == id.as_str());
        found.unwrap_or_else(|| panic!("{event} of {id}: {lines:?}")).clone()
    };
    let fault = of("fault", "request");
    assert_eq!((&fault["fault"], &fault["path"]), (&"ouch".into(), &"/fault/ouch".into()));
    assert_eq!(of("request", "id")["status"], 500);
}

#[test]
fn no_secret_is_ever_written() {
    for form in [LogForm::Text, LogForm::Json] {
        let (server, lines, operator_key) = logged(form, None);
        let mut browser = server.browser();
        let table = browser.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend")]);
        let seat_key = browser.cookie(&format!("seat-{}", &table[3..])).unwrap().to_owned();
        let mut other = server.browser();
        assert_eq!(other.get(&format!("{table}/seat/{seat_key}")).status, 303);
        // Secrets as people mistype them, and in wrong places.
        for path in [
            format!("{table}/seat/{seat_key}/"),
            format!("{table}/seat//{seat_key}"),
            format!("{table}?key={seat_key}"),
            format!("/operator/key/{operator_key}"),
            format!("/operator/key/{operator_key}/x"),
            format!("/operator/{operator_key}"),
            format!("/{operator_key}"),
            format!("/api/v1/{seat_key}"),
        ] {
            other.get(&path);
        }
        let api = browser.send(
            "GET",
            &format!("/api/v1{}/frame", table.replace("/t/", "/tables/")),
            &[("authorization", &format!("Bearer {seat_key}"))],
            "",
        );
        assert_eq!(api.status, 200, "{}", api.body);
        browser.socket(&table, "?as=0&data=1");
        let page = browser.get(&table);
        assert!(page.body.contains(&seat_key), "the link to another device has it");
        drop(server);
        let written = read(&lines);
        assert!(written.lines().count() > 12, "{written}");
        for secret in [&seat_key, &operator_key] {
            assert!(!written.contains(secret.as_str()), "{secret}: {written}");
        }
        assert!(written.contains("/operator/key/{key}") && written.contains("/seat/{key}"), "{written}");
        // Cookies and headers are absent, too.
        assert!(!written.to_lowercase().contains("cookie") && !written.contains("Bearer"), "{written}");
    }
}

#[test]
fn what_visitors_send_makes_no_lines_of_its_own() {
    let (server, lines, _) = logged(LogForm::Text, None);
    let mut browser = server.browser();
    browser.get("/rules/x%0aevent=fault%20table=y");
    drop(server);
    let written = read(&lines);
    assert_eq!(written.lines().count(), 3, "{written}");
    assert!(written.contains(r#"path="/rules/x\nevent=fault table=y""#), "{written}");
}

#[test]
fn a_fault_names_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (server, _, _) = logged(LogForm::Text, Some(&file));
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "me")]);
    drop(server);
    // An agent that no longer exists.
    let database = rusqlite::Connection::open(&file).unwrap();
    let entry = r#"{"seated":{"seat":1,"holder":{"agent":"nobody-knows"}}}"#;
    database.execute("insert into entry values(?, 0, ?)", [&table[3..], entry]).unwrap();
    drop(database);
    let (server, lines, _) = logged(LogForm::Text, Some(&file));
    let mut browser = browser.at(server.address);
    // Somebody stands in, and the table goes on.
    until("the fault in the log", || {
        browser.get(&table).body.contains("fault of seat 1 nobody-knows: CRASH")
    });
    drop(server);
    let written = read(&lines);
    let fault = written.lines().find(|line| line.contains("event=agent_fault")).expect("a line");
    assert!(fault.contains(&format!("table={}", &table[3..])) && fault.contains("nobody-knows"), "{fault}");
}
