//! Sockets: their messages, recipients, and duplicates.

use serde_json::{Value, json};

use crate::client::{Socket, patched, start};

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
    assert_eq!(
        own.hear_type("ack"),
        json!({ "type": "ack", "id": "one", "repeated": false, "drafted": false })
    );
    let later = own.hear_type("patch");
    assert_eq!(later["since"], frame["version"]);
    assert!(later["version"].as_u64() > frame["version"].as_u64());
    assert!(later["log_from"].as_u64().unwrap() > 0, "only what is new of the log");
    public.hear_type("patch");
    // A repeated message, as after a broken connection, is accepted once.
    own.say(&act);
    assert_eq!(own.hear_type("ack")["repeated"], json!(true));
}

#[test]
fn returning_pages_get_what_they_missed_and_nothing_else() {
    let server = start(None);
    let mut player = server.browser();
    // In Carcassonne everybody waits for the player to move, so nothing happens meanwhile.
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
fn who_comes_back_is_sent_the_patches_that_it_misses() {
    let server = start(None);
    let mut player = server.browser();
    // Without agents nothing happens between our actions, so frames are independent of timing.
    let table = player.open("incan-gold", &[("seat.0", "me"), ("seat.1", "me")]);
    player.until_asked(&table);
    let mut watched = player.socket(&table, "?as=0&data=1");
    watched.say(&hello());
    let first = watched.hear_type("frame");
    // The patches between two frames turn the first into the second.
    let follow = |socket: &mut Socket, from: &Value, to: &Value| {
        let mut version = from["version"].clone();
        let mut text = from["text"].as_str().unwrap().to_owned();
        while version != to["version"] {
            let patch = socket.hear();
            // Notices about other seats of the same browser come in between.
            if patch["type"] == "elsewhere" {
                continue;
            }
            assert_eq!((&patch["type"], &patch["since"]), (&json!("patch"), &version), "no gaps");
            text = patched(&text, &patch["text"]);
            version = patch["version"].clone();
        }
        assert_eq!(text, to["text"]);
    };
    let mut now = first.clone();
    for move_number in 0..4 {
        let page = player.until_asked(&table);
        let action = page.actions()[0].clone();
        assert_eq!(player.answer(&table, &page, &action).status, 303, "{move_number}");
        let mut fresh = player.socket(&table, "?as=0&data=1");
        fresh.say(&hello());
        let next = fresh.hear_type("frame");
        follow(&mut watched, &now, &next);
        now = next;
    }
    assert_ne!(now["version"], first["version"]);
    // A client that comes back with its first frame.
    let mut again = player.socket(&table, "?as=0&data=1");
    again.say(&json!({ "type": "hello", "since": first["version"], "log": 1 }));
    follow(&mut again, &first, &now);
    // An unknown version leads to a full frame.
    let mut lost = player.socket(&table, "?as=0&data=1");
    lost.say(&json!({ "type": "hello", "since": 9999, "log": 1 }));
    assert_eq!(lost.hear()["version"], now["version"]);
}

#[test]
fn a_draft_is_sent_to_its_seat_alone_and_confirmed_to_all() {
    let server = start(None);
    let mut player = server.browser();
    let table = player.open("carcassonne", &[("seat.0", "me"), ("agent.1", "greedy")]);
    player.until_asked(&table);
    let (mut own, mut other) = (player.socket(&table, "?as=0&data=1"), player.socket(&table, "?as=0&data=1"));
    let mut public = server.browser().socket(&table, "?data=1");
    for socket in [&mut own, &mut other, &mut public] {
        socket.say(&hello());
    }
    let frame = own.hear_type("frame");
    other.hear_type("frame");
    public.hear_type("frame");
    let number = frame["ask"]["number"].clone();
    let draft = |steps: u64, id: &str, what: &str, more: Value| {
        let mut draft = json!({ "type": "draft", "number": number, "steps": steps, "id": id, "do": what });
        draft.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        draft
    };
    own.say(&draft(0, "a", "step", json!({ "index": 0 })));
    let ack = own.hear_type("ack");
    assert_eq!((&ack["drafted"], &ack["repeated"]), (&json!(true), &json!(false)));
    // Every tab of the seat gets it, with the same version.
    for socket in [&mut own, &mut other] {
        let patch = socket.hear_type("patch");
        assert_eq!((&patch["version"], &patch["since"]), (&frame["version"], &frame["version"]));
        assert_eq!(patch["draft"]["steps"].as_array().unwrap().len(), 1);
    }
    own.say(&draft(0, "a", "step", json!({ "index": 0 })));
    assert_eq!(own.hear_type("ack")["repeated"], json!(true));
    // An order from a tab that has not seen the draft is refused, and the tab gets a full frame.
    other.say(&draft(0, "b", "step", json!({ "index": 0 })));
    assert_eq!(other.hear_type("bad")["code"], "STALE");
    assert_eq!(other.hear_type("frame")["draft"]["steps"].as_array().unwrap().len(), 1);
    // A new socket gets the draft.
    let mut again = player.socket(&table, "?as=0&data=1");
    again.say(&hello());
    let revision = again.hear_type("frame")["draft"]["revision"].clone();
    assert!(revision.as_u64() > Some(0));
    other.say(&draft(1, "c", "undo", json!({})));
    other.hear_type("ack");
    let undone = own.hear_type("patch");
    assert_eq!((&undone["draft"], &undone["revision"]), (&json!(null), &json!(0)));
    assert_eq!(undone["drawing"].as_array().map(Vec::is_empty), Some(false));
    own.say(&draft(0, "d", "commit", json!({})));
    assert_eq!(own.hear_type("bad")["code"], "STALE");
    own.say(&draft(0, "e", "step", json!({ "index": 0 })));
    own.hear_type("ack");
    own.say(&draft(1, "f", "commit", json!({})));
    assert_eq!(own.hear_type("ack")["drafted"], json!(false));
    // The public has received nothing of this before.
    let message = public.hear();
    assert_eq!((&message["type"], &message["since"]), (&json!("patch"), &frame["version"]));
    own.say(&draft(1, "f", "commit", json!({})));
    assert_eq!(own.hear_type("ack")["repeated"], json!(true), "taken once");
    public.say(&draft(0, "g", "step", json!({ "index": 0 })));
    assert_eq!(public.hear_type("bad")["code"], "NOT_YOURS");
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
        let message = socket.hear_type("bad");
        assert_eq!(message["code"], code, "{text}: {message}");
    }
    let mut watcher = server.browser().socket(&table, "?data=1");
    watcher.say(&hello());
    watcher.say_text(&act(number, json!({ "action": "stay" })));
    assert_eq!(watcher.hear_type("bad")["code"], "NOT_YOURS");
    // A socket that requests a seat's view without its key gets the public's.
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
fn the_end_of_the_server_is_announced() {
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

#[test]
fn who_can_unpack_long_messages_is_sent_them_packed() {
    let server = start(None);
    let mut player = server.browser();
    let table = player.open("carcassonne", &[("seat.0", "me"), ("agent.1", "random")]);
    player.until_asked(&table);
    for query in ["?as=0", "?as=0&data=1"] {
        let (mut plain, mut packed) = (player.socket(&table, query), player.socket(&table, query));
        plain.say(&hello());
        packed.say(&json!({ "type": "hello", "since": 0, "packed": true }));
        let frame = plain.hear();
        let (same, bytes) = packed.hear_packed();
        assert_eq!((&same, &frame["type"]), (&frame, &json!("frame")));
        assert!(bytes * 4 < frame.to_string().len(), "{bytes} of {}", frame.to_string().len());
        packed.say(&json!({ "type": "ping" }));
        assert_eq!(packed.hear()["type"], "pong", "short ones come as they are");
    }
}

#[test]
fn who_has_left_a_seat_watches_from_then_on_with_whatever_is_open() {
    let server = start(None);
    let mut player = server.browser();
    // The others' cargo is hidden: a seat's frame is not for the public.
    let table = player.open("privateers", &[("seat.0", "me"), ("agent.1", "random"), ("seed", "3")]);
    // Nothing happens until the player decides or leaves.
    player.until_asked(&table);
    let [mut own, mut page] = ["?as=0&data=1", "?as=0"].map(|query| player.socket(&table, query));
    let mut public = server.browser().socket(&table, "?data=1");
    for socket in [&mut own, &mut page, &mut public] {
        socket.say(&hello());
    }
    let before = own.hear_type("frame");
    assert_eq!(before["you"], json!(0));
    page.hear_type("frame");
    assert_ne!(public.hear_type("frame")["text"], before["text"], "the seat sees more");
    let left = player.post(&format!("{table}/leave"), &[("seat", "0")]);
    assert_eq!(left.status, 303, "{}", left.body);
    // Its key is invalid as soon as anybody may learn that it has left.
    let seat = player.post(&format!("{table}/confirm"), &[("seat", "0"), ("confirm", "on")]);
    assert!(seat.body.contains("seat 0 is not yours"), "{}", seat.body);
    let frame = loop {
        let message = own.hear();
        if message["type"] == "frame" {
            break message;
        }
        assert_ne!(
            message["type"], "patch",
            "what was shown before is no beginning of what the public is shown"
        );
    };
    assert_eq!((&frame["you"], &frame["ask"]), (&json!(null), &json!(null)));
    // The page has no question and no seat any more.
    let shown = page.hear_type("frame");
    assert_eq!(shown["asked"], json!(false), "{shown}");
    own.say(&json!({ "type": "act", "number": 0, "id": "late", "index": 0 }));
    assert_eq!(own.hear_type("bad")["code"], json!("NOT_YOURS"));
}
