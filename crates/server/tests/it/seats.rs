//! Seats of tables: open ones, leaving, and replacement.

use meeple_games::games;
use serde_json::{Value, json};

use crate::client::{Browser, Running, start, until};

/// A public table of Incan Gold, with Ann at seat 0 and an open seat 1.
fn opened(host: &mut Browser) -> String {
    let table = host.open(
        "incan-gold",
        &[("seat.0", "me"), ("seat.1", "friend"), ("name", "Ann"), ("listed", "on"), ("time", "2m")],
    );
    assert!(host.get(&table).body.contains("Send your friend this link"));
    table
}

#[test]
fn tables_with_free_seats_are_found_and_can_be_joined() {
    let server = start(None);
    let (mut host, mut friend) = (server.browser(), server.browser());
    let table = opened(&mut host);
    let join = format!("href=\"{table}/join/1\"");
    for page in ["/", "/tables"] {
        let list = friend.get(page);
        assert_eq!(list.status, 200);
        for words in [join.as_str(), "1 of 2 seats free", "Ann", "2m"] {
            assert!(list.body.contains(words), "{page}: {words}: {}", list.body);
        }
        assert!(!list.body.contains("being played"), "{}", list.body);
        assert!(list.body.contains("href=\"/tables\""), "the menu leads there");
    }
    let listed: Value = serde_json::from_str(&friend.get("/api/v1/tables").body).unwrap();
    assert_eq!(listed["tables"][0]["open_seats"], json!([1]));
    assert_eq!(friend.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]).status, 303);
    let list = friend.get("/tables");
    assert!(list.body.contains("being played") && list.body.contains("Ann, Ben"), "{}", list.body);
    assert!(!list.body.contains(&join), "{}", list.body);
    let listed: Value = serde_json::from_str(&friend.get("/api/v1/tables").body).unwrap();
    assert_eq!(listed["tables"][0]["open_seats"], json!([]));
}

/// A table of Carcassonne, which is played in turns: the browser that owes a decision, the waiting one,
/// and the
/// table's address.
fn waiting(server: &Running) -> (Browser, Browser, String) {
    let (mut host, mut friend) = (server.browser(), server.browser());
    let table = host.open("carcassonne", &[("seat.0", "me"), ("seat.1", "friend"), ("name", "Ann")]);
    assert_eq!(friend.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]).status, 303);
    match host.get(&table).is_asked() {
        true => (host, friend, table),
        false => (friend, host, table),
    }
}

#[test]
fn one_leaves_also_while_one_waits() {
    let server = start(None);
    let (mut asked, mut waits, table) = waiting(&server);
    let page = waits.get(&table);
    assert!(!page.is_asked() && page.body.contains("Waiting for your turn."), "{}", page.body);
    assert!(page.body.contains(&format!("action=\"{table}/leave\"")), "{}", page.body);
    let seat = page.body.split_once("data-as=\"").unwrap().1[..1].to_owned();
    assert_eq!(waits.post(&format!("{table}/leave"), &[("seat", &seat), ("agent", "random")]).status, 303);
    let seen = asked.get(&table);
    assert!(seen.body.contains("random") && seen.is_asked(), "{}", seen.body);
}

#[test]
fn who_is_away_is_replaced_and_nobody_else() {
    let server = start(None);
    server.time.tell(1_000_000);
    let (mut asked, mut waits, table) = waiting(&server);
    let seat_of =
        |browser: &mut Browser| browser.get(&table).body.split_once("data-as=\"").unwrap().1[..1].to_owned();
    let (absent, own) = (seat_of(&mut asked), seat_of(&mut waits));
    assert!(waits.get(&table).body.contains(&format!("action=\"{table}/replace\"")));
    let replace = |browser: &mut Browser, seat: &str, absent: &str| {
        let fields = [("seat", seat), ("absent", absent), ("agent", "random")];
        browser.post(&format!("{table}/replace"), &fields)
    };
    let refused = |page: crate::client::Page, expected: &str| {
        assert_eq!(page.status, 400, "{}", page.body);
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    };
    refused(replace(&mut waits, &own, &absent), "found one who was there 0 seconds ago");
    server.time.tell(1_000_000 + 119_000);
    refused(replace(&mut waits, &own, &absent), "try again in 1 seconds");
    // Only players for whom the table waits are replaced, and strangers replace nobody.
    refused(replace(&mut asked, &absent, &own), "it does not wait for seat");
    server.time.tell(1_000_000 + 300_000);
    refused(replace(&mut server.browser(), &own, &absent), "is not yours");
    assert_eq!(replace(&mut waits, &own, "9").status, 404, "there is no such seat");
    // An open page counts as present, however long it is silent.
    let mut open = asked.socket(&table, "");
    open.say(&json!({ "type": "hello", "since": 0 }));
    open.hear();
    server.time.tell(1_000_000 + 900_000);
    refused(replace(&mut waits, &own, &absent), "found one who was there 0 seconds ago");
    drop(open);
    server.time.tell(1_000_000 + 2_000_000);
    // The server notices a closed page a moment later.
    until("the absent to be replaced", || {
        server.time.tell(server.time.now_ms() + 200_000);
        replace(&mut waits, &own, &absent).status == 303
    });
    let page = waits.until_asked(&table);
    assert!(page.body.contains("random"), "{}", page.body);
    let late = asked.get(&table);
    assert!(late.body.contains("You are spectating."), "{}", late.body);
}

#[test]
fn an_agent_takes_a_seat_to_which_nobody_comes() {
    let server = start(None);
    let mut host = server.browser();
    let table = opened(&mut host);
    let fields = [("seat", "0"), ("absent", "1"), ("agent", "turn:4")];
    assert_eq!(host.post(&format!("{table}/replace"), &fields).status, 303);
    let page = host.get(&table);
    assert!(page.body.contains("turn:4") && !page.body.contains("Sit down"), "{}", page.body);
    assert_eq!(host.post(&format!("{table}/replace"), &fields).status, 400, "an agent is not replaced");
    // The API has the same.
    let mut program = server.browser();
    let kind = [("content-type", "application/json")];
    let order =
        json!({ "game": "incan-gold", "seed": 1, "seats": [{ "person": { "name": "Ann" } }, "open"] });
    let opened: Value =
        serde_json::from_str(&program.send("POST", "/api/v1/tables", &kind, order.to_string()).body).unwrap();
    let path = format!("/api/v1/tables/{}/seats/1/agent", opened["id"].as_str().unwrap());
    let body = json!({ "agent": "turn:5" }).to_string();
    assert_eq!(program.send("POST", &path, &kind, &body).status, 401);
    let key = format!("Bearer {}", opened["keys"][0]["key"].as_str().unwrap());
    let headers = [kind[0], ("authorization", key.as_str())];
    assert_eq!(program.send("POST", &path, &headers, &body).status, 204);
    assert_eq!(program.send("POST", &path, &headers, &body).status, 400);
}

/// Every agent that a form offers can be seated by its name there.
#[test]
fn what_is_offered_can_be_played() {
    let server = start(None);
    let mut browser = server.browser();
    for entry in games() {
        let info = entry.info();
        let form = browser.get(&format!("/new/{}", info.id)).body;
        let list =
            form.split_once("<optgroup label=\"Agents\">").unwrap().1.split("</optgroup>").next().unwrap();
        let offered: Vec<&str> =
            list.split("value=\"").skip(1).map(|rest| rest.split([':', '"']).next().unwrap()).collect();
        assert!(offered.len() >= 2, "{}: {offered:?}", info.id);
        for agent in &offered {
            let opens = info.presets.iter().any(|preset| {
                let fields = [("preset", preset.name), ("agent.0", "me"), ("agent.1", agent), ("seed", "1")];
                browser.post(&format!("/new/{}", info.id), &fields).status == 303
            });
            assert!(opens, "{}: {agent}", info.id);
        }
        for page in [format!("/lab/{}", info.id), format!("/competitions/{}", info.id)] {
            assert!(!browser.get(&page).body.contains("onnx"), "{page}");
        }
    }
}
