//! Mistakes of strangers and operators.

use meeple_server::Server;

use crate::client::{options, start, start_with};

#[test]
fn what_is_not_there_is_said() {
    let server = start(None);
    let mut browser = server.browser();
    for (path, expected) in [
        ("/nowhere", "no such page"),
        ("/t/nosuchtable", "there is no table"),
        ("/rules/chess", "unknown game"),
        ("/new/cartolan?preset=huge", "unknown preset"),
        ("/assets/secret", "no such file"),
    ] {
        let page = browser.get(path);
        assert_eq!(page.status, 404, "{path}");
        assert!(page.body.contains(expected), "{path}: {}", page.body);
    }
}

#[test]
fn forms_say_what_is_wrong_and_keep_what_was_entered() {
    let server = start(None);
    let mut browser = server.browser();
    for (fields, expected) in [
        (vec![("agent.0", "nobody")], "expected somebody at a seat"),
        (vec![("agent.0", "me"), ("agent.1", "ghost"), ("name", "Ann")], "ghost"),
        (vec![("agent.0", "me"), ("agent.1", "turn:x")], "turn"),
        (vec![("agent.0", "me"), ("set.rounds", "0")], "rounds"),
        (vec![("agent.0", "me"), ("seed", "-1")], "seed: expected a whole number"),
        (vec![("agent.0", "me"), ("preset", "huge")], "huge"),
    ] {
        let page = browser.post("/new/incan-gold", &fields);
        assert_eq!(page.status, 400, "{fields:?}");
        assert!(page.body.contains(expected), "{fields:?}: {}", page.body);
    }
    let page = browser.post("/new/incan-gold", &[("agent.0", "ghost"), ("name", "<b>Ann")]);
    assert!(page.body.contains("value=\"&lt;b&gt;Ann\""), "{}", page.body);
}

#[test]
fn other_sites_cannot_write() {
    let server = start(None);
    let mut browser = server.browser();
    for headers in [&[][..], &[("origin", "http://evil.example")], &[("origin", "null")]] {
        let page = browser.send("POST", "/new/incan-gold", headers, "agent.0=me&agent.1=turn:5");
        assert_eq!(page.status, 403, "{headers:?}");
    }
    let page = browser.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'self'") && !policy.contains("script-src"), "{policy}");
    assert!(!page.body.contains("<script>") && !page.body.contains("onclick"));
}

#[test]
fn too_much_is_refused() {
    let mut few = options(None);
    few.most_tables = 2;
    let server = start_with(&few);
    let mut browser = server.browser();
    let fields = [("agent.0", "me"), ("agent.1", "turn:5")];
    // Unused tables do not count against the limit, and are restored on demand.
    let tables: Vec<String> = (0..5).map(|_| browser.open("incan-gold", &fields)).collect();
    for table in &tables {
        assert_eq!(browser.get(table).status, 200);
    }
    // Tables in use stay.
    let watched: Vec<_> = tables[..2].iter().map(|table| browser.socket(table, "?data=1")).collect();
    let full = browser.post("/new/incan-gold", &fields);
    assert_eq!(full.status, 503);
    assert!(full.body.contains("expected at most 2 tables"), "{}", full.body);
    assert_eq!(browser.get(&tables[0]).status, 200);
    assert_eq!(browser.get(&tables[4]).status, 503);
    drop(watched);
    let long = "x".repeat(100_000);
    let refused = browser.post("/new/incan-gold", &[("name", &long)]);
    assert_eq!(refused.status, 413);
    assert!(refused.body.contains("expected a form of at most 65536 bytes"), "{}", refused.body);
    // Foreign forms get an error page, too.
    let origin = format!("http://{}", server.address);
    let json = [("origin", origin.as_str()), ("content-type", "application/json")];
    let other = browser.send("POST", "/new/incan-gold", &json, "{}");
    assert_eq!(other.status, 415);
    assert!(other.body.contains("form sends, found something else"), "{}", other.body);
    let method = browser.send("PUT", "/new/incan-gold", &json[..1], "");
    assert_eq!((method.status, method.header("allow")), (405, Some("GET,HEAD,POST")));
    assert!(method.body.contains("takes no such request"), "{}", method.body);
}

#[test]
fn an_agent_that_thinks_stands_in_nobodys_way() {
    let mut few = options(None);
    few.most_tables = 1;
    let server = start_with(&few);
    let mut browser = server.browser();
    // Its agent is thinking when the next one is requested.
    let fields = [("agent.0", "me"), ("agent.1", "mcts:iterations=2000")];
    let tables: Vec<String> = (0..4).map(|_| browser.open("incan-gold", &fields)).collect();
    for table in &tables {
        assert_eq!(browser.get(table).status, 200);
    }
}

#[test]
fn a_file_of_somebody_else_is_refused_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let newer = folder.path().join("newer.db");
    drop(start(Some(&newer)));
    let file = rusqlite::Connection::open(&newer).unwrap();
    file.pragma_update(None, "journal_mode", "delete").unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    drop(file);
    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("create table books (title text)").unwrap();
    for (path, expected) in [(newer, "a newer meeple has written it"), (foreign, "name another file")] {
        let before = std::fs::read(&path).unwrap();
        let error = Server::bind(&options(Some(&path))).err().expect("it cannot begin").to_string();
        assert!(error.contains(expected), "{error}");
        assert!(std::fs::read(&path).unwrap() == before, "{}", path.display());
    }
}

#[test]
fn a_server_that_cannot_begin_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut same_port = options(None);
    same_port.port = server.address.port();
    let error_of =
        |options: &meeple_server::Options| Server::bind(options).err().expect("it cannot begin").to_string();
    assert!(error_of(&same_port).contains("choose one with --port"), "{}", error_of(&same_port));
    assert!(
        error_of(&options(Some(&file))).contains("another server uses it"),
        "{}",
        error_of(&options(Some(&file)))
    );
    let text = folder.path().join("notes.txt");
    std::fs::write(
        &text,
        "a text that is long enough to be taken for something else than an empty file".repeat(20),
    )
    .unwrap();
    assert!(
        error_of(&options(Some(&text))).contains("it is no database"),
        "{}",
        error_of(&options(Some(&text)))
    );
    let nowhere = folder.path().join("no/such/folder/tables.db");
    assert!(error_of(&options(Some(&nowhere))).contains("the folder must exist"));
}
