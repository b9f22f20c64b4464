//! Rematches, with seats rotated by one.

use meeple_core::Replay;

use crate::client::{Browser, start};

/// Makes all players leave the temple, until the game is over.
fn play_out(table: &str, people: &mut [&mut Browser]) {
    loop {
        for person in &mut *people {
            let page = person.get(table);
            if page.is_over() {
                return;
            }
            if page.is_asked() {
                assert_eq!(person.answer(table, &page, "leave").status, 303);
            }
        }
    }
}

#[test]
fn everybody_is_led_to_one_next_table_one_seat_further() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let table = ann.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend"), ("agent.2", "turn:2")]);
    ben.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]);
    let mut socket = ben.socket(&table, "?as=1&data=1");
    socket.say(&serde_json::json!({"type": "hello", "since": 0}));
    let early = ann.post(&format!("{table}/rematch"), &[]);
    assert_eq!(early.status, 409, "{}", early.body);
    assert!(early.body.contains("the game is not over"), "{}", early.body);
    assert!(!ann.get(&table).body.contains("Rematch"));
    play_out(&table, &mut [&mut ann, &mut ben]);
    let over = ann.get(&table);
    assert!(over.body.contains("Rematch") && !over.body.contains("Agents go on"), "{}", over.body);
    let stranger = server.browser().post(&format!("{table}/rematch"), &[]);
    assert_eq!(stranger.status, 400, "{}", stranger.body);

    let link = format!("{table}/next");
    // All at once, and again later.
    let pressed: Vec<_> = std::thread::scope(|scope| {
        let press = |person: &Browser| person.clone().post(&format!("{table}/rematch"), &[]);
        let people = [&ann, &ben, &ann, &ben].map(|person| scope.spawn(move || press(person)));
        people.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(pressed.iter().all(|page| page.header("location") == Some(&link)), "{pressed:?}");
    assert_eq!(socket.hear_type("rematch")["address"], link);
    let next = ann.get(&link).header("location").unwrap().to_owned();
    assert_ne!(next, table);
    ann.post(&format!("{table}/rematch"), &[]);
    for (person, seat) in [(&mut ann, "1"), (&mut ben, "2")] {
        assert_eq!(person.get(&link).header("location"), Some(next.as_str()));
        assert_eq!(person.until_asked(&next).hidden("seat").as_deref(), Some(seat));
    }
    let mut watcher = server.browser();
    assert!(watcher.get(&table).body.contains("Watch the rematch"));
    watcher.get(&link);
    assert_eq!(watcher.get(&next).hidden("seat"), None);

    // Everything survives a restart.
    drop(server);
    let server = start(Some(&file));
    let mut ben = ben.at(server.address);
    assert_eq!(ben.get(&link).header("location"), Some(next.as_str()));
    assert_eq!(ben.until_asked(&next).hidden("seat").as_deref(), Some("2"));
}

#[test]
fn a_seat_that_was_left_is_an_agents_only_if_chosen_so() {
    let server = start(None);
    for (fields, agents) in [(&[][..], false), (&[("agents", "on")][..], true)] {
        let (mut ann, mut ben) = (server.browser(), server.browser());
        let table = ann.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend")]);
        ben.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]);
        ben.post(&format!("{table}/leave"), &[("seat", "1"), ("agent", "turn:3")]);
        play_out(&table, &mut [&mut ann]);
        assert!(ann.get(&table).body.contains("Agents replace those who left (seat 1)"));
        ann.post(&format!("{table}/rematch"), fields);
        let next = ann.get(&format!("{table}/next")).header("location").unwrap().to_owned();
        let page = ann.get(&next).body;
        // Seat 1 was Ben's; it is seat 0 of two now.
        assert_eq!(page.contains("turn:3"), agents, "{page}");
        assert_eq!(page.contains(&format!("{next}/join/0")), !agents, "{page}");
    }
}

#[test]
fn a_rematch_has_the_seed_that_is_asked_for() {
    let server = start(None);
    let mut ann = server.browser();
    let kind = [("content-type", "application/json")];
    // Returns the steps of a solo game of two moves.
    let played = |ann: &mut Browser, table: &str| {
        play_out(table, &mut [ann]);
        let replay = ann.get(&format!("{table}/replay.json")).body;
        Replay::parse(&replay).unwrap().steps
    };
    let first = |ann: &mut Browser| {
        let table = ann.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:1")]);
        play_out(&table, &mut [ann]);
        table
    };
    let fresh = ann.post("/new/incan-gold", &[("agent.0", "turn:1"), ("seat.1", "me"), ("seed", "77")]);
    let expected = played(&mut ann, fresh.header("location").unwrap());
    // By the form.
    let table = first(&mut ann);
    assert_eq!(ann.post(&format!("{table}/rematch"), &[("seed", "77")]).status, 303);
    let next = ann.get(&format!("{table}/next")).header("location").unwrap().to_owned();
    assert_eq!(played(&mut ann, &next), expected);
    let other = first(&mut ann);
    let wrong = ann.post(&format!("{other}/rematch"), &[("seed", "one")]);
    assert!(wrong.status == 400 && wrong.body.contains("seed: expected a whole number"), "{}", wrong.body);
    // By the JSON API.
    let order =
        r#"{"game": "incan-gold", "seed": 1, "seats": [{"person": {"name": "Ann"}}, {"agent": "turn:1"}]}"#;
    let opened = ann.send("POST", "/api/v1/tables", &kind, order).body;
    let opened: serde_json::Value = serde_json::from_str(&opened).unwrap();
    let (id, key) = (opened["id"].as_str().unwrap(), opened["keys"][0]["key"].as_str().unwrap());
    ann.get(&format!("/t/{id}/seat/{key}"));
    play_out(&format!("/t/{id}"), &mut [&mut ann]);
    let bearer = format!("Bearer {key}");
    let own = [kind[0], ("authorization", bearer.as_str())];
    let page = ann.send("POST", &format!("/api/v1/tables/{id}/rematch"), &own, r#"{"seed": 77}"#);
    assert_eq!(page.status, 201, "{}", page.body);
    let next = ann.get(&format!("/t/{id}/next")).header("location").unwrap().to_owned();
    assert_eq!(played(&mut ann, &next), expected);
}

#[test]
fn nobody_chooses_the_seed_for_others() {
    let server = start(None);
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let table = ann.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend")]);
    ben.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]);
    play_out(&table, &mut [&mut ann, &mut ben]);
    let path = format!("{table}/rematch");
    let refused = ben.post(&path, &[("seed", "7")]);
    assert!(
        refused.status == 400 && refused.body.contains("at a table with other people"),
        "{}",
        refused.body
    );
    let key = ben.cookie(&format!("seat-{}", &table[3..])).unwrap().to_owned();
    let bearer = format!("Bearer {key}");
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    let program = format!("/api/v1/tables/{}/rematch", &table[3..]);
    let refused = ben.send("POST", &program, &headers, r#"{"seed": 7}"#);
    assert!(
        refused.status == 400 && refused.body.contains("at a table with other people"),
        "{}",
        refused.body
    );
    // A key that cannot be read opens no seat, and does not count as absent.
    let frame = format!("/api/v1/tables/{}/frame", &table[3..]);
    assert_eq!(ben.send("GET", &frame, &[("authorization", "Bearer é")], "").status, 403);
    assert_eq!(ben.post(&path, &[]).status, 303);
}
