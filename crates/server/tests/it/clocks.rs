//! Time controls, with a clock that tests set: nothing sleeps.

use meeple_core::Replay;
use serde_json::{Value, json};

use crate::client::{Browser, Page, Running, start, until, until_some};

/// A game with simultaneous decisions, in which the pending seats are public.
const OPEN: &str = "incan-gold";
/// A game in which turns go round the table.
const TURNS: &str = "carcassonne";
/// A game in which the pending seats may be secret, so that each player sees only its own time.
const SECRET: &str = "privateers";

/// A server whose clock is at 0.
fn timed(data: Option<&std::path::Path>) -> Running {
    let server = start(data);
    server.time.tell(0);
    server
}

/// A table of the API: its address, and the keys of its players.
struct Opened {
    browser: Browser,
    id: String,
    keys: Vec<String>,
}

impl Opened {
    fn new(server: &Running, game: &str, time: &str, seats: &Value) -> Self {
        let mut browser = server.browser();
        let wanted = json!({ "game": game, "seats": seats, "seed": 5, "time": time }).to_string();
        let kind = [("content-type", "application/json")];
        let page = browser.send("POST", "/api/v1/tables", &kind, wanted);
        assert_eq!(page.status, 201, "{}", page.body);
        let opened: Value = serde_json::from_str(&page.body).unwrap();
        let keys =
            opened["keys"].as_array().unwrap().iter().map(|key| key["key"].as_str().unwrap().to_owned());
        Self { browser, id: opened["id"].as_str().unwrap().to_owned(), keys: keys.collect() }
    }

    fn at(&mut self, server: &Running) {
        self.browser = self.browser.at(server.address);
    }

    fn send(&mut self, who: Option<usize>, method: &str, what: &str, body: &str) -> Page {
        let key = who.map(|who| format!("Bearer {}", self.keys[who]));
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(key.as_deref().map(|key| ("authorization", key)));
        self.browser.send(method, &format!("/api/v1/tables/{}/{what}", self.id), &headers, body)
    }

    /// The frame of a player; `None` for the public.
    fn frame(&mut self, who: Option<usize>) -> Value {
        let page = self.send(who, "GET", "frame", "");
        assert_eq!(page.status, 200, "{}", page.body);
        serde_json::from_str(&page.body).unwrap()
    }

    /// Plays the first action of a player who owes a decision.
    fn act(&mut self, who: usize) {
        let number = self.frame(Some(who))["ask"]["number"].clone();
        let body = json!({ "number": number, "id": format!("a{number}"), "index": 0 }).to_string();
        let page = self.send(Some(who), "POST", "act", &body);
        assert_eq!(page.status, 200, "{}", page.body);
    }

    /// A player who owes a decision. Players without a seat get errors.
    fn asked(&mut self) -> Option<usize> {
        (0..self.keys.len()).find(|who| {
            let page = self.send(Some(*who), "GET", "frame", "");
            page.status == 200 && serde_json::from_str::<Value>(&page.body).unwrap()["ask"].is_object()
        })
    }
}

fn people() -> Value {
    json!([{ "person": { "name": "Ann" } }, { "person": { "name": "Ben" } }])
}

fn left(frame: &Value, seat: usize) -> (u64, bool) {
    let time = &frame["time"][seat];
    (time["left_ms"].as_u64().unwrap(), time["runs"].as_bool().unwrap())
}

#[test]
fn time_runs_for_who_is_asked_and_everybody_sees_it() {
    let server = timed(None);
    let mut table = Opened::new(&server, OPEN, "1m+5s", &people());
    let times = |frame: &Value| (left(frame, 0), left(frame, 1));
    assert_eq!(times(&table.frame(None)), ((60_000, true), (60_000, true)));
    server.time.tell(12_000);
    for viewer in [None, Some(0), Some(1)] {
        assert_eq!(times(&table.frame(viewer)), ((48_000, true), (48_000, true)));
    }
    let mut socket = table.browser.socket(&format!("/t/{}", table.id), "?data=1");
    socket.say(&json!({ "type": "hello", "since": 0 }));
    socket.hear_type("frame");
    assert_eq!(socket.hear()["seats"][1], json!({ "left_ms": 48_000, "runs": true }));
    table.act(0);
    let message = socket.hear_type("clock");
    assert_eq!(message["seats"][0], json!({ "left_ms": 53_000, "runs": false }));
    server.time.tell(20_000);
    assert_eq!(times(&table.frame(None)), ((53_000, false), (40_000, true)));
    let page = table.browser.get(&format!("/t/{}", table.id)).body;
    for words in [
        "data-left=\"40000\" data-runs",
        ">0:40<",
        ">0:53<",
        "Time: 1m for the game, and 5s more with each decision.",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn who_runs_out_is_decided_for_and_then_loses_its_seat() {
    let server = timed(None);
    let mut table = Opened::new(&server, TURNS, "30s", &people());
    // The first decision comes at the last moment.
    let mut now = 29_999;
    server.time.tell(now);
    let first = table.asked().unwrap();
    table.act(first);
    let mut missed = [0; 2];
    while let Some(who) = table.asked() {
        let own = table.frame(Some(who));
        assert_eq!(left(&own, who), (30_000, true));
        now += 30_000;
        server.time.tell(now);
        missed[who] += 1;
        // Agents decide on separate threads.
        let lost = until_some("another question, or the loss of the seat", || {
            let page = table.send(Some(who), "GET", "frame", "");
            let lost = page.status == 403;
            let is_other = lost || {
                let frame: Value = serde_json::from_str(&page.body).unwrap();
                // After the agent has the seat, the key stops working.
                let is_own = frame["seats"][who]["holder"]["person"].is_object();
                is_own && frame["ask"]["number"] != own["ask"]["number"]
            };
            is_other.then_some(lost)
        });
        assert_eq!(lost, missed[who] == 3, "{missed:?}");
        // The other turn may begin once the agent has played.
        until("the next question", || missed == [3, 3] || table.asked().is_some());
    }
    assert_eq!(missed, [3, 3]);
    until("the end of the game", || !table.frame(None)["ending"].is_null());
    // Decisions made for them are ordinary steps: the replay is valid.
    let replay = table.send(None, "GET", "replay", "");
    assert!(Replay::parse(&replay.body).is_ok(), "{}", replay.body);
    let kind = [("content-type", "application/octet-stream")];
    let kept = table.browser.send("POST", "/api/v1/replays", &kind, &replay.body);
    assert_eq!(kept.status, 201, "{}", kept.body);
}

#[test]
fn who_has_no_time_left_for_the_game_is_played_on_for() {
    let server = timed(None);
    let mut table = Opened::new(&server, TURNS, "10s+0s", &people());
    let who = table.asked().unwrap();
    let other = 1 - who;
    server.time.tell(10_000);
    // Its turn is played to the end. The other player has all of its own time and decides as before.
    until("the other's turn", || table.asked() == Some(other));
    let frame = table.frame(Some(other));
    assert!(frame["seats"][who]["holder"]["agent"].is_string(), "{frame}");
    assert_eq!((left(&frame, other), &frame["time"][who]), ((10_000, true), &Value::Null));
    table.act(other);
}

#[test]
fn a_restart_takes_nobodys_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = timed(Some(&file));
    let mut table = Opened::new(&server, OPEN, "1m+0s", &people());
    server.time.tell(20_000);
    table.act(0);
    let before = [0, 1].map(|seat| left(&table.frame(None), seat));
    assert_eq!(before, [(40_000, false), (40_000, true)]);
    server.time.tell(35_000);
    assert_eq!(left(&table.frame(None), 1), (25_000, true));
    drop(server);
    let server = start(Some(&file));
    server.time.tell(1_000_000);
    table.at(&server);
    assert_eq!([0, 1].map(|seat| left(&table.frame(None), seat)), before);
}

#[test]
fn a_process_that_was_stopped_takes_nobodys_time() {
    let server = start(None);
    server.time.tell_system(0);
    let mut table = Opened::new(&server, OPEN, "1m+0s", &people());
    // The server runs and reads the clock regularly.
    for now in [2_000, 4_000, 7_000] {
        server.time.tell_system(now);
    }
    assert_eq!(left(&table.frame(None), 0), (53_000, true));
    // The process is stopped for an hour. Afterwards no clock has expired, and time continues from where it
    // stood.
    server.time.tell_system(3_607_000);
    assert_eq!(left(&table.frame(None), 0), (53_000, true));
    table.act(0);
    server.time.tell_system(3_608_000);
    assert_eq!([0, 1].map(|seat| left(&table.frame(None), seat)), [(53_000, false), (52_000, true)]);
    // A clock that expires while the server runs costs the seat, as usual.
    for now in (3_608_000..=3_608_000 + 54_000).step_by(3_000) {
        server.time.tell_system(now);
    }
    until("an agent at seat 1", || !table.frame(None)["seats"][1]["holder"]["agent"].is_null());
}

#[test]
fn clocks_do_not_tell_who_decides_where_that_is_a_secret() {
    let server = timed(None);
    let mut table = Opened::new(&server, SECRET, "30s", &people());
    let who = table.asked().unwrap();
    let other = 1 - who;
    server.time.tell(7_000);
    let frame = table.frame(Some(who));
    assert_eq!((left(&frame, who), &frame["time"][other]), ((23_000, true), &Value::Null));
    let frame = table.frame(Some(other));
    assert_eq!((left(&frame, other), &frame["time"][who]), ((30_000, false), &Value::Null));
    assert_eq!(table.frame(None)["time"], json!([null, null]));
}

#[test]
fn whose_turn_it_is_has_a_clock_that_all_see_where_all_see_whose_turn_it_is() {
    let server = timed(None);
    let mut table = Opened::new(&server, TURNS, "30s", &people());
    let who = table.asked().unwrap();
    let other = 1 - who;
    server.time.tell(7_000);
    for viewer in [None, Some(who), Some(other)] {
        let frame = table.frame(viewer);
        assert_eq!((left(&frame, who), left(&frame, other)), ((23_000, true), (30_000, false)), "{viewer:?}");
        assert_eq!(
            (&frame["seats"][who]["owes"], &frame["seats"][other]["owes"]),
            (&json!(true), &json!(false))
        );
    }
}

#[test]
fn where_all_decide_at_once_each_has_its_own_time() {
    let server = timed(None);
    let mut table = Opened::new(&server, "incan-gold", "30s", &people());
    server.time.tell(7_000);
    table.act(1);
    server.time.tell(20_000);
    let frame = table.frame(None);
    assert_eq!((left(&frame, 0), left(&frame, 1)), ((10_000, true), (30_000, false)));
    // The missing decision is made by the advisor, and both get the next question.
    server.time.tell(30_000);
    until("the next question", || left(&table.frame(None), 0) == (30_000, true));
    let frame = table.frame(Some(0));
    assert!(frame["seats"][0]["holder"]["person"].is_object(), "{frame}");
}

#[test]
fn time_waits_for_who_is_still_to_come_and_comes_along_to_the_next_table() {
    let server = timed(None);
    let mut browser = server.browser();
    let fields = [("seat.0", "me"), ("seat.1", "friend"), ("time", "2m")];
    let table = browser.open("incan-gold", &fields);
    server.time.tell(500_000);
    let page = browser.get(&table).body;
    assert!(page.contains(">2:00<") && !page.contains("data-runs"), "{page}");
    let mut friend = server.browser();
    assert_eq!(friend.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]).status, 303);
    assert!(browser.get(&table).body.contains("data-left=\"120000\" data-runs"));
    while !browser.get(&table).is_over() {
        for browser in [&mut browser, &mut friend] {
            let page = browser.get(&table);
            if page.is_asked() {
                browser.answer(&table, &page, "leave");
            }
        }
    }
    assert_eq!(browser.post(&format!("{table}/rematch"), &[]).status, 303);
    let next = browser.get(&format!("{table}/next")).header("location").unwrap().to_owned();
    assert!(browser.get(&next).body.contains("Time: 2m for each decision."));
}

#[test]
fn times_that_are_none_are_refused() {
    let server = timed(None);
    let mut browser = server.browser();
    let page = browser.post("/new/incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3"), ("time", "2s")]);
    assert!(page.status == 400 && page.body.contains("time: expected as in 30s"), "{}", page.body);
    assert!(page.body.contains("value=\"2s\""), "what was entered stays");
    let wanted = json!({ "game": "incan-gold", "seats": people(), "time": "soon" }).to_string();
    let page = browser.send("POST", "/api/v1/tables", &[("content-type", "application/json")], wanted);
    assert!(page.status == 400 && page.body.contains("found 'soon'"), "{}", page.body);
}
