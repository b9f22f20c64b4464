//! Random messages, forms and requests: each is refused with a text, and nothing breaks.

use meeple_core::{EpisodeSeed, Seat, Stream};
use serde_json::{Value, json};

use crate::client::{Running, options, start_with};

/// Messages per socket; fewer than its limit.
const MESSAGES: usize = 90;
/// Numbers of sockets, forms, and API requests.
const SOCKETS: u64 = 8;
const FORMS: u64 = 400;
const REQUESTS: u64 = 600;

fn server() -> Running {
    let mut many = options(None);
    many.most_tables = 100_000;
    start_with(&many)
}

fn stream(kind: u64, number: u64) -> Stream {
    EpisodeSeed::new(17, kind << 32 | number).agent(Seat::new(0))
}

/// A text that may have a meaning elsewhere.
fn odd_text(stream: &mut Stream) -> String {
    const ODD: [&str; 18] = [
        "",
        " ",
        "-1",
        "0",
        "1",
        "18446744073709551616",
        "1e400",
        "NaN",
        "null",
        "stay",
        "me",
        "friend",
        "nobody",
        "\u{0}",
        "\u{202e}\u{1F3B2}",
        "../../etc/passwd",
        "net:/etc/passwd",
        "<script>\"'&",
    ];
    match stream.below(8) {
        0 => "x".repeat(stream.index(3000)),
        1 => "[".repeat(stream.index(3000)),
        _ => ODD[stream.index(ODD.len())].to_owned(),
    }
}

fn odd_value(stream: &mut Stream) -> Value {
    match stream.below(8) {
        0 => Value::Null,
        1 => json!(stream.coin()),
        2 => json!(stream.bits()),
        3 => json!(-i64::from(stream.below(9))),
        4 => json!(0.5),
        5 => json!([odd_text(stream)]),
        6 => json!({ odd_text(stream): 1 }),
        _ => json!(odd_text(stream)),
    }
}

/// A mutation of an object: something is replaced, removed or added.
fn bent(object: &Value, stream: &mut Stream) -> Value {
    let mut bent = object.clone();
    let fields = bent.as_object_mut().unwrap();
    let names: Vec<String> = fields.keys().cloned().collect();
    for _ in 0..=stream.below(2) {
        let name = names[stream.index(names.len())].clone();
        match stream.below(4) {
            0 => drop(fields.remove(&name)),
            1 => drop(fields.insert(odd_text(stream), odd_value(stream))),
            _ => drop(fields.insert(name, odd_value(stream))),
        }
    }
    bent
}

/// The text of an object, perhaps with letters removed or doubled.
fn torn(object: &Value, stream: &mut Stream) -> String {
    let mut letters: Vec<char> = object.to_string().chars().collect();
    for _ in 0..stream.below(3) {
        if !letters.is_empty() {
            let at = stream.index(letters.len());
            match stream.below(3) {
                0 => drop(letters.remove(at)),
                1 => letters.insert(at, letters[at]),
                _ => letters.truncate(at),
            }
        }
    }
    letters.into_iter().collect()
}

#[test]
fn no_message_of_a_socket_breaks_a_table() {
    let server = server();
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "me")]);
    let messages = [
        json!({ "type": "hello", "since": 0, "log": 0, "revision": 0 }),
        // The number of a later question, so that the action is always refused.
        json!({ "type": "act", "number": 2, "id": "a", "action": "stay", "index": 0 }),
        json!({ "type": "draft", "number": 2, "steps": 0, "id": "d", "do": "step", "action": "stay" }),
        json!({ "type": "ping" }),
    ];
    for number in 0..SOCKETS {
        let mut stream = stream(0, number);
        let mut socket = browser.socket(&table, ["?as=0&data=1", "?as=0", "?data=1"][stream.index(3)]);
        for _ in 0..MESSAGES {
            let message = bent(&messages[stream.index(messages.len())], &mut stream);
            socket.say_text(&torn(&message, &mut stream));
        }
        // The socket still works, and reports neither non-messages nor internal errors.
        socket.say(&json!({ "type": "ping" }));
        let (mut pongs, mut refused) = (0, 0);
        socket.say_text("the end");
        loop {
            let message = socket.hear();
            match message["type"].as_str().unwrap() {
                "pong" => pongs += 1,
                "bad" => {
                    refused += 1;
                    assert_ne!(message["code"], "INTERNAL", "{message}");
                    if message["message"].as_str().unwrap().contains("expected ident") {
                        break;
                    }
                }
                "frame" | "patch" | "ack" | "elsewhere" => {}
                other => panic!("{other}: {message}"),
            }
        }
        assert!(pongs >= 1 && refused >= MESSAGES / 4, "{pongs} {refused}");
    }
    let page = browser.until_asked(&table);
    let (seat, action) = (page.hidden("seat").unwrap(), "stay");
    let number = page.hidden("number").unwrap();
    let fields = [("seat", seat.as_str()), ("number", &number), ("action", action)];
    assert_eq!(browser.post(&format!("{table}/act"), &fields).status, 303, "the table goes on");
}

#[test]
fn no_form_is_answered_by_a_fault() {
    let server = server();
    let mut browser = server.browser();
    let table = browser.open("carcassonne", &[("agent.0", "me"), ("agent.1", "random")]);
    let paths = [
        "/new/incan-gold",
        "/new/cartolan",
        "/new/none",
        "/lab/incan-gold",
        "/lab/job/none/stop",
        "TABLE/act",
        "TABLE/join",
        "TABLE/leave",
        "TABLE/rematch",
        "/r/none/play",
        "/replays",
    ];
    const NAMES: [&str; 17] = [
        "seat",
        "number",
        "action",
        "typed",
        "name",
        "agent",
        "agent.0",
        "agent.1",
        "seat.2",
        "preset",
        "seed",
        "listed",
        "episodes",
        "deals",
        "agents",
        "set.rounds",
        "moment",
    ];
    for number in 0..FORMS {
        let mut stream = stream(1, number);
        let path = paths[stream.index(paths.len())].replace("TABLE", &table);
        let count = stream.index(6);
        let fields: Vec<(&str, String)> =
            (0..count).map(|_| (NAMES[stream.index(NAMES.len())], odd_text(&mut stream))).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = browser.post(&path, &fields);
        assert!(page.status < 500, "{path} {fields:?}: {} {}", page.status, page.body);
        assert!(!page.body.contains("<script>\""), "{path} {fields:?}");
    }
    assert_eq!(browser.get(&table).status, 200, "the table is there");
}

#[test]
fn no_request_of_a_program_is_answered_by_a_fault() {
    let server = server();
    let mut browser = server.browser();
    let send = |browser: &mut crate::client::Browser, method: &str, path: &str, key: &str, body: &str| {
        let bearer = format!("Bearer {key}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        browser.send(method, &format!("/api/v1{path}"), &headers, body)
    };
    let person = json!({ "person": { "name": "Ann" } });
    let table = json!({ "game": "incan-gold/classic", "settings": {}, "seats": [person, "open"], "seed": 1, "listed": true });
    let opened = send(&mut browser, "POST", "/tables", "", &table.to_string());
    let opened: Value = serde_json::from_str(&opened.body).unwrap();
    let key = opened["keys"][0]["key"].as_str().unwrap().to_owned();
    let at = format!("/tables/{}", opened["id"].as_str().unwrap());
    let requests = [
        ("POST", "/tables".to_owned(), table),
        ("POST", format!("{at}/act"), json!({ "number": 2, "id": "a", "action": "stay" })),
        ("POST", format!("{at}/seats/1"), json!({ "name": "Ben" })),
        ("DELETE", format!("{at}/seats/1"), json!({ "agent": "turn:3" })),
        ("POST", format!("{at}/rematch"), json!({ "agents": true })),
        (
            "POST",
            "/jobs".to_owned(),
            json!({ "game": "incan-gold", "line_up": ["ghost"], "episodes": 9, "settings": {} }),
        ),
        ("POST", "/replays".to_owned(), json!({ "format": 1, "game": "incan-gold", "steps": [] })),
    ];
    for number in 0..REQUESTS {
        let mut stream = stream(2, number);
        let (method, path, body) = &requests[stream.index(requests.len())];
        let body = torn(&bent(body, &mut stream), &mut stream);
        let page = send(&mut browser, method, path, &key, &body);
        assert!(page.status < 500, "{method} {path} {body}: {} {}", page.status, page.body);
        let is_json = page.status == 204 || serde_json::from_str::<Value>(&page.body).is_ok();
        assert!(is_json, "{method} {path} {body}: {}", page.body);
    }
    assert_eq!(send(&mut browser, "GET", &format!("{at}/frame"), "", "").status, 200, "the table is there");
}
