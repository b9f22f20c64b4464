//! The JSON API.

use serde_json::{Value, json};

use crate::client::{Browser, Page, Running, start, until};

/// An API client that sends JSON, with or without the key to a seat.
struct Program {
    browser: Browser,
    key: Option<String>,
}

impl Program {
    fn new(server: &Running) -> Self {
        Self { browser: server.browser(), key: None }
    }

    fn with_key(server: &Running, key: &Value) -> Self {
        Self { key: Some(key.as_str().unwrap().to_owned()), ..Self::new(server) }
    }

    fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Page {
        let bearer = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let key = bearer.iter().map(|value| ("authorization", value.as_str()));
        let headers: Vec<_> = headers.iter().copied().chain(key).collect();
        self.browser.send(method, &format!("/api/v1{path}"), &headers, body)
    }

    fn ask(&mut self, method: &str, path: &str, body: Value, status: u16) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let page = self.send(method, path, &[("content-type", "application/json")], &body);
        assert_eq!(page.status, status, "{method} {path}: {}", page.body);
        if page.body.is_empty() {
            return Value::Null;
        }
        assert_eq!(page.header("content-type"), Some("application/json"), "{method} {path}");
        serde_json::from_str(&page.body).unwrap()
    }

    fn get(&mut self, path: &str) -> Value {
        self.ask("GET", path, Value::Null, 200)
    }
}

#[test]
fn a_program_plays_a_whole_game_and_once_more() {
    let server = start(None);
    let mut host = Program::new(&server);
    let opened = host.ask(
        "POST",
        "/tables",
        json!({
            "game": "incan-gold/classic", "seed": 5, "listed": true, "settings": { "rounds": "2" },
            "seats": [{ "person": { "name": "Ann" } }, "open", { "agent": "turn:3" }],
        }),
        201,
    );
    let table = format!("/tables/{}", opened["id"].as_str().unwrap());
    assert_eq!(opened["keys"].as_array().unwrap().len(), 1);
    let mut ann = Program::with_key(&server, &opened["keys"][0]["key"]);
    let joined = host.ask("POST", &format!("{table}/seats/1"), json!({ "name": "Ben" }), 201);
    assert_eq!(joined["seat"], 1);
    let mut ben = Program::with_key(&server, &joined["key"]);
    assert_eq!(host.get("/tables?over=false")["tables"][0]["id"], opened["id"]);
    let before = host.ask("GET", &format!("{table}/replay"), Value::Null, 409);
    assert_eq!(before["code"], "NOT_YET");

    let mut answers = 0;
    let ending = 'game: loop {
        for program in [&mut ann, &mut ben] {
            let frame = program.get(&format!("{table}/frame"));
            if !frame["ending"].is_null() {
                break 'game frame["ending"].clone();
            }
            let Some(number) = frame["ask"]["number"].as_u64() else { continue };
            let id = format!("answer-{answers}");
            answers += 1;
            let act = json!({ "number": number, "id": id, "index": answers % 2 });
            let taken = program.ask("POST", &format!("{table}/act"), act.clone(), 200);
            assert_eq!(taken["repeated"], false);
            // A repeated message is accepted once.
            assert_eq!(program.ask("POST", &format!("{table}/act"), act, 200)["repeated"], true);
        }
    };
    assert_eq!(ending["places"].as_array().unwrap().len(), 3);
    let replay = host.get(&format!("{table}/replay"));
    assert_eq!(replay["players"][1], "Ben");
    // The replay of a finished table has the table's identifier, and can be uploaded.
    assert_eq!(host.get(&format!("/replays/{}", opened["id"].as_str().unwrap())), replay);
    let kind = [("content-type", "application/octet-stream")];
    let kept = host.send("POST", "/replays", &kind, &replay.to_string());
    assert_eq!(kept.status, 201, "{}", kept.body);
    let kept: Value = serde_json::from_str(&kept.body).unwrap();
    assert_eq!(host.get(&format!("/replays/{}", kept["id"].as_str().unwrap())), replay);

    let next = ann.ask("POST", &format!("{table}/rematch"), Value::Null, 201);
    let next = format!("/tables/{}", next["id"].as_str().unwrap());
    assert_eq!(ann.get(&format!("{next}/frame"))["you"], 1, "one seat further");
    ann.ask("DELETE", &format!("{next}/seats/1"), json!({ "agent": "turn:2" }), 204);
    assert_eq!(ann.ask("GET", &format!("{next}/frame"), Value::Null, 403)["code"], "NOT_YOURS");
}

#[test]
fn frames_have_tags_that_say_whether_there_is_something_new() {
    let server = start(None);
    let mut host = Program::new(&server);
    let seats = json!([{ "person": { "name": "Ann" } }, { "person": { "name": "Ben" } }]);
    let opened =
        host.ask("POST", "/tables", json!({ "game": "carcassonne", "seats": seats, "seed": 1 }), 201);
    let frame = format!("/tables/{}/frame", opened["id"].as_str().unwrap());
    let mut ann = Program::with_key(&server, &opened["keys"][0]["key"]);
    let first = ann.send("GET", &frame, &[], "");
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(ann.send("GET", &frame, &[("if-none-match", &tag)], "").status, 304);
    // Other viewers have other versions.
    assert_eq!(host.send("GET", &frame, &[("if-none-match", &tag)], "").status, 200);
}

#[test]
fn structured_actions_are_put_together() {
    let server = start(None);
    let mut host = Program::new(&server);
    let seats = json!([{ "person": { "name": "Ann" } }]);
    let opened = host.ask("POST", "/tables", json!({ "game": "game17", "seats": seats, "seed": 1 }), 201);
    let table = format!("/tables/{}", opened["id"].as_str().unwrap());
    let mut ann = Program::with_key(&server, &opened["keys"][0]["key"]);
    until("a question to Ann", || !ann.get(&format!("{table}/frame"))["ask"].is_null());
    let made = ann.get(&format!("{table}/compose?so-far="));
    assert!(!made["composition"]["additions"].as_array().unwrap().is_empty(), "{made}");
}

#[test]
fn a_run_is_asked_followed_and_answered_once() {
    let server = start(None);
    let mut program = Program::new(&server);
    let plan = json!({ "game": "incan-gold", "line_up": ["turn:7", "backpack:20"], "episodes": 3000 });
    let asked = program.ask("POST", "/jobs", plan.clone(), 202);
    let job = format!("/jobs/{}", asked["id"].as_str().unwrap());
    // The event stream ends with the run.
    let events = program.send("GET", &format!("{job}/events"), &[], "");
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    let last = events.body.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!((&last["stage"], &last["counted"]), (&json!("done"), &json!(3000)));
    assert_eq!(program.get(&job), last);
    assert_eq!(program.get(&format!("{job}/result"))["episodes"], 3000);
    assert_eq!(program.ask("POST", "/jobs", plan, 202)["stage"], "done");
    let long = json!({ "game": "privateers", "line_up": ["admiral*4"], "episodes": 1_000_000 });
    let asked = program.ask("POST", "/jobs", long, 202);
    let job = format!("/jobs/{}", asked["id"].as_str().unwrap());
    program.ask("DELETE", &job, Value::Null, 202);
    let events = program.send("GET", &format!("{job}/events"), &[], "").body;
    assert!(events.contains("\"stage\":\"stopped\""), "{events}");
}

#[test]
fn what_is_wrong_is_said_in_json_and_changes_nothing() {
    let server = start(None);
    let mut program = Program::new(&server);
    let seats = json!([{ "person": { "name": "Ann" } }, { "agent": "turn:9" }]);
    let opened =
        program.ask("POST", "/tables", json!({ "game": "incan-gold", "seats": seats, "seed": 1 }), 201);
    let table = format!("/tables/{}", opened["id"].as_str().unwrap());
    let mut ann = Program::with_key(&server, &opened["keys"][0]["key"]);
    let act = |number: u64, action: Value| json!({ "number": number, "id": "x", "action": action });
    let cases = [
        ("GET", "/nothing".to_owned(), Value::Null, 404, "NOT_FOUND"),
        ("GET", "/games/chess".to_owned(), Value::Null, 404, "NOT_FOUND"),
        ("GET", "/tables/none/frame".to_owned(), Value::Null, 404, "NOT_FOUND"),
        ("GET", "/tables?over=perhaps".to_owned(), Value::Null, 400, "INVALID_MESSAGE"),
        ("GET", "/jobs/none".to_owned(), Value::Null, 404, "NOT_FOUND"),
        ("PUT", "/tables".to_owned(), json!({}), 405, "INVALID_MESSAGE"),
        ("POST", "/tables".to_owned(), json!({ "game": "incan-gold" }), 400, "INVALID_MESSAGE"),
        ("POST", "/tables".to_owned(), json!({ "game": "chess", "seats": ["open"] }), 404, "NOT_FOUND"),
        ("POST", "/tables".to_owned(), json!({ "game": "incan-gold", "seats": [] }), 400, "INVALID_MESSAGE"),
        (
            "POST",
            "/tables".to_owned(),
            json!({ "game": "incan-gold", "seats": [{ "agent": "ghost" }] }),
            400,
            "INVALID_MESSAGE",
        ),
        (
            "POST",
            "/tables".to_owned(),
            json!({ "game": "cartolan", "seats": ["open", { "agent": "net:/etc/passwd" }] }),
            400,
            "INVALID_MESSAGE",
        ),
        (
            "POST",
            "/tables".to_owned(),
            json!({ "game": "incan-gold", "seats": ["open"], "sets": 1 }),
            400,
            "INVALID_MESSAGE",
        ),
        (
            "POST",
            "/jobs".to_owned(),
            json!({ "game": "incan-gold", "line_up": ["turn:7"], "episodes": 0 }),
            400,
            "INVALID_MESSAGE",
        ),
        (
            "POST",
            "/jobs".to_owned(),
            json!({ "game": "incan-gold", "line_up": ["turn:@/etc/passwd"], "episodes": 1 }),
            400,
            "INVALID_MESSAGE",
        ),
        // As on pages: nothing could interrupt a decision.
        (
            "POST",
            "/jobs".to_owned(),
            json!({ "game": "incan-gold", "line_up": ["mcts:iterations=3000"], "episodes": 1 }),
            400,
            "INVALID_MESSAGE",
        ),
        ("POST", format!("{table}/act"), act(0, json!("fly")), 409, "INVALID_MOVE"),
        ("POST", format!("{table}/act"), act(7, json!("stay")), 409, "STALE"),
        ("POST", format!("{table}/act"), act(0, Value::Null), 400, "INVALID_MESSAGE"),
        ("POST", format!("{table}/seats/1"), json!({ "name": "Ben" }), 409, "NOT_YOURS"),
        ("POST", format!("{table}/seats/9"), json!({ "name": "Ben" }), 404, "NOT_FOUND"),
        ("POST", format!("{table}/seats/x"), json!({ "name": "Ben" }), 404, "NOT_FOUND"),
        ("DELETE", format!("{table}/seats/1"), json!({}), 403, "NOT_YOURS"),
        ("POST", format!("{table}/rematch"), Value::Null, 409, "NOT_YET"),
        ("POST", format!("{table}/act"), json!({ "id": "x".repeat(70_000) }), 413, "INVALID_MESSAGE"),
    ];
    for (method, path, body, status, code) in cases {
        let answer = ann.ask(method, &path, body, status);
        assert_eq!(answer["code"], code, "{method} {path}: {answer}");
        assert!(!answer["message"].as_str().unwrap().is_empty(), "{method} {path}");
    }
    for (key, status) in [(None, 401), (Some("wrong".to_owned()), 403)] {
        let mut stranger = Program { browser: server.browser(), key };
        let answer = stranger.ask("POST", &format!("{table}/act"), act(0, json!("stay")), status);
        assert_eq!(answer["code"], "NOT_YOURS");
    }
    let upload = ann.send("POST", "/replays", &[("content-type", "application/octet-stream")], "no replay");
    assert_eq!(upload.status, 400, "{}", upload.body);
    assert!(upload.body.contains("\"code\":\"INVALID_MESSAGE\""), "{}", upload.body);
    let taken = ann.ask("POST", &format!("{table}/act"), act(0, json!("stay")), 200);
    assert_eq!(taken["repeated"], false);
}

#[test]
fn pages_of_other_sites_are_refused() {
    let server = start(None);
    let mut program = Program::new(&server);
    let body = json!({ "game": "incan-gold", "seats": ["open", "open"] }).to_string();
    let json_kind = ("content-type", "application/json");
    for (headers, status) in [
        // Requests that a form can send without a preflight.
        (vec![("content-type", "text/plain")], 415),
        (vec![], 415),
        (vec![json_kind, ("origin", "http://evil.example")], 403),
        (vec![json_kind, ("origin", "null")], 403),
        (vec![json_kind], 201),
    ] {
        assert_eq!(program.send("POST", "/tables", &headers, &body).status, status, "{headers:?}");
    }
    // Forms cannot delete. A page of another site could, so its origin is checked.
    assert_eq!(program.send("DELETE", "/jobs/none", &[], "").status, 404);
    assert_eq!(program.send("DELETE", "/jobs/none", &[("origin", "http://evil.example")], "").status, 403);
    let foreign = program.send("GET", "/games", &[("origin", "http://evil.example")], "");
    assert_eq!(foreign.status, 403);
    // A seat's cookie is no key: cookies that browsers send by themselves are ignored here.
    let mut player = server.browser();
    let table = player.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:9")]);
    let frame = player.get(&format!("/api/v1/tables/{}/frame", table.trim_start_matches("/t/")));
    assert_eq!(serde_json::from_str::<Value>(&frame.body).unwrap()["you"], Value::Null);
}

#[test]
fn the_description_is_up_to_date_and_of_what_there_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/openapi-1.json");
    let expected = serde_json::to_string_pretty(&meeple_server::openapi()).unwrap() + "\n";
    if std::env::var("MEEPLE_BLESS").is_ok() {
        std::fs::write(path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap();
    assert!(found == expected, "{path} is old\nhint: MEEPLE_BLESS=1 cargo test -p meeple-server description");

    let server = start(None);
    let mut program = Program::new(&server);
    let described = program.get("/openapi.json");
    assert_eq!(described, meeple_server::openapi());
    let mut asked = 0;
    for (path, operations) in described["paths"].as_object().unwrap() {
        let path = path.strip_prefix("/api/v1").unwrap().replace(['{', '}'], "");
        for method in operations.as_object().unwrap().keys() {
            let page =
                program.send(&method.to_uppercase(), &path, &[("content-type", "application/json")], "{}");
            assert!(
                page.status != 405 && !page.body.contains("no such address"),
                "{method} {path}: {}",
                page.body
            );
            asked += 1;
        }
    }
    assert_eq!(asked, 20);
}
