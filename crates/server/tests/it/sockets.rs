//! Sockets: what is told, to whom, and what is not taken twice.

use serde_json::json;

use crate::client::start;

fn hello() -> serde_json::Value {
    json!({ "type": "hello", "since": 0 })
}

#[test]
fn an_answer_is_acknowledged_and_shown_to_all() {
    let server = start(None);
    let (mut player, watcher) = (server.browser(), server.browser());
    let table = player.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:9"), ("seed", "1")]);
    player.until_asked(&table);
    let (mut own, mut public) = (player.socket(&table, "?as=0&data=1"), watcher.socket(&table, "?data=1"));
    own.say(&hello());
    public.say(&hello());
    let (frame, seen) = (own.hear_type("frame"), public.hear_type("frame"));
    assert_eq!((frame["you"].clone(), seen["you"].clone()), (json!(0), json!(null)));
    assert!(frame["drawing"].as_str().unwrap().starts_with("<svg"));
    assert_eq!(seen["ask"], json!(null));
    let number = frame["ask"]["number"].clone();
    let act = json!({ "type": "act", "number": number, "id": "one", "action": "stay" });
    own.say(&act);
    assert_eq!(own.hear_type("ack"), json!({ "type": "ack", "id": "one", "repeated": false }));
    let later = own.hear_type("frame");
    assert!(later["version"].as_u64() > frame["version"].as_u64());
    assert!(later["log_from"].as_u64().unwrap() > 0, "only what is new of the log");
    public.hear_type("frame");
    // The same message once more, as after a connection that broke: taken once.
    own.say(&act);
    assert_eq!(own.hear_type("ack")["repeated"], json!(true));
}

#[test]
fn who_comes_back_is_told_what_it_missed_and_nothing_else() {
    let server = start(None);
    let mut player = server.browser();
    // Who is asked in Carcassonne is waited for by everybody: nothing happens meanwhile.
    let table = player.open("carcassonne", &[("seat.0", "me"), ("agent.1", "random"), ("seed", "1")]);
    player.until_asked(&table);
    let mut first = player.socket(&table, "?as=0&data=1");
    first.say(&hello());
    let version = first.hear_type("frame")["version"].clone();
    let mut again = player.socket(&table, "?as=0&data=1");
    again.say(&json!({ "type": "hello", "since": version, "log": 1 }));
    again.say(&json!({ "type": "ping" }));
    assert_eq!(again.hear()["type"], "pong", "there is nothing new");
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let server = start(None);
    let mut player = server.browser();
    let table = player.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:9"), ("seed", "1")]);
    player.until_asked(&table);
    let mut socket = player.socket(&table, "?as=0&data=1");
    socket.say(&hello());
    let frame = socket.hear_type("frame");
    let number = frame["ask"]["number"].as_u64().unwrap();
    let act = |number: u64, answer: serde_json::Value| {
        let mut act = json!({ "type": "act", "number": number, "id": "x" });
        act.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        act.to_string()
    };
    for (text, code) in [
        ("no JSON".to_owned(), "INVALID_MESSAGE"),
        (r#"{"type":"dance"}"#.to_owned(), "INVALID_MESSAGE"),
        (r#"{"type":"act","number":-1,"id":"x","action":"stay"}"#.to_owned(), "INVALID_MESSAGE"),
        (act(number, json!({})), "INVALID_MESSAGE"),
        (act(number, json!({ "action": "fly" })), "INVALID_MOVE"),
        (act(number, json!({ "index": 99 })), "INVALID_MOVE"),
        (act(number + 1, json!({ "action": "stay" })), "STALE"),
        (act(u64::MAX, json!({ "action": "stay" })), "STALE"),
    ] {
        socket.say_text(&text);
        let told = socket.hear_type("bad");
        assert_eq!(told["code"], code, "{text}: {told}");
    }
    let mut watcher = server.browser().socket(&table, "?data=1");
    watcher.say(&hello());
    watcher.say_text(&act(number, json!({ "action": "stay" })));
    assert_eq!(watcher.hear_type("bad")["code"], "NOT_YOURS");
    // A socket that asks for somebody's eyes without the key to the seat gets the public's.
    let mut spy = server.browser().socket(&table, "?as=0&data=1");
    spy.say(&hello());
    assert_eq!(spy.hear_type("frame")["you"], json!(null));
    socket.say_text(&act(number, json!({ "index": 0 })));
    assert_eq!(socket.hear_type("ack")["repeated"], json!(false));
}

#[test]
fn a_flood_is_refused_and_the_table_goes_on() {
    let server = start(None);
    let mut player = server.browser();
    let table = player.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:9")]);
    let mut socket = player.socket(&table, "?as=0");
    for _ in 0..200 {
        socket.say(&json!({ "type": "ping" }));
    }
    assert_eq!(socket.hear_type("bad")["code"], "TOO_MANY");
    assert_eq!(player.get(&table).status, 200);
}

#[test]
fn the_end_of_the_server_is_told() {
    let server = start(None);
    let mut player = server.browser();
    let table = player.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:9")]);
    let mut socket = player.socket(&table, "?as=0");
    socket.say(&json!({ "type": "ping" }));
    socket.hear_type("pong");
    drop(server);
    assert_eq!(socket.hear_type("leaving"), json!({ "type": "leaving" }));
    assert_eq!(socket.hear_text(), None);
}
