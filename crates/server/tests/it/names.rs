//! Names of people: nobody can pass for somebody else, and membership stays private.

use std::time::Duration;

use meeple_core::{Replay, is_hidden};
use meeple_server::AttemptLimit;

use crate::client::{Browser, Page, Running, options, start, start_with, until};

const PASSWORD: &str = "four words are long";

fn with_accounts() -> Running {
    let mut config = options(None);
    config.accounts = true;
    let server = start_with(&config);
    server.time.tell(0);
    server
}

fn register(browser: &mut Browser, name: &str) -> Page {
    browser.post("/register", &[("name", name), ("password", PASSWORD)])
}

fn log_in(browser: &mut Browser, name: &str, password: &str) -> u16 {
    browser.post("/login", &[("name", name), ("password", password)]).status
}

fn change_password(browser: &mut Browser, old: &str) -> u16 {
    browser.post("/me/password", &[("password", old), ("new", PASSWORD)]).status
}

/// The page of a table that a guest of this name opens.
fn table_of(server: &Running, name: &str) -> String {
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("name", name), ("seat.0", "me"), ("seat.1", "friend")]);
    browser.get(&table).body
}

#[test]
fn a_guest_is_marked_whether_or_not_a_member_has_its_name() {
    let server = with_accounts();
    assert_eq!(register(&mut server.browser(), "Ann").status, 303);
    for name in ["Ann", "Nobody", "a n n"] {
        assert!(table_of(&server, name).contains(&format!("{name} (guest)")), "{name}");
    }
    let kind = [("content-type", "application/json")];
    let wanted = r#"{"game": "incan-gold", "seats": [{"person": {"name": "Zoë"}}, "open"]}"#;
    let mut browser = server.browser();
    let opened = browser.send("POST", "/api/v1/tables", &kind, wanted);
    let opened: serde_json::Value = serde_json::from_str(&opened.body).unwrap();
    let table = format!("/api/v1/tables/{}", opened["id"].as_str().unwrap());
    assert_eq!(browser.send("POST", &format!("{table}/seats/1"), &kind, r#"{"name": "Ann"}"#).status, 201);
    let frame = browser.get(&format!("{table}/frame")).body;
    assert!(frame.contains("Zoë (guest)") && frame.contains("Ann (guest)"), "{frame}");
    // Without accounts there is nothing to mark.
    assert!(!table_of(&start(None), "Ann").contains("(guest)"));
}

#[test]
fn names_that_look_like_a_members_are_taken() {
    let server = with_accounts();
    for name in ["Ann", "Zoë", "lan Moore", "Иван", "さくら花カ", "Bob"] {
        let page = register(&mut server.browser(), name);
        assert_eq!(page.status, 303, "{name}: {}", page.body);
    }
    for (name, status, words, why) in [
        ("ann", 409, "looks like one", "other case"),
        ("Ａｎｎ", 409, "looks like one", "full width"),
        ("Zoe\u{308}", 409, "looks like one", "a letter and its mark apart"),
        ("ZOË", 409, "looks like one", "other case, with a mark"),
        ("Ian Moore", 409, "looks like one", "capital i for l"),
        ("Ian rnoore", 409, "looks like one", "r and n for m"),
        ("B0b", 409, "looks like one", "zero for o"),
        ("Воb", 400, "of one alphabet", "Cyrillic ve and o, Latin b"),
        ("Аnn", 400, "of one alphabet", "Cyrillic a"),
        ("Иvan", 400, "of one alphabet", "Cyrillic and Latin"),
        ("A\u{200b}nn", 400, "1 to 24 letters", "a space of no width"),
        ("Ann\u{3164}", 400, "1 to 24 letters", "the Hangul filler, which counts as a letter"),
        ("\u{115f}\u{1160}", 400, "1 to 24 letters", "fillers alone"),
        ("Ann\u{ad}", 400, "1 to 24 letters", "a soft hyphen"),
        ("\u{202e}nnA", 400, "1 to 24 letters", "a bidirectional control"),
        ("A\u{e0061}nn", 400, "1 to 24 letters", "a tag"),
        ("A\u{301}\u{301}\u{301}\u{301}nn", 400, "1 to 24 letters", "a pile of marks"),
        ("Ann (guest)", 400, "1 to 24 letters", "brackets"),
        ("ᴀɴɴ", 400, "1 to 24 letters", "phonetic small capitals"),
    ] {
        let page = register(&mut server.browser(), name);
        assert!(page.status == status && page.body.contains(words), "{why}: {} {}", page.status, page.body);
    }
    // A deleted member's name is free.
    let mut bob = server.browser();
    assert_eq!(log_in(&mut bob, "Ｂｏｂ", PASSWORD), 303, "what is typed in full width is the same name");
    assert_eq!(bob.post("/me/delete", &[("password", PASSWORD)]).status, 303);
    assert_eq!(register(&mut server.browser(), "B0b").status, 303);
}

/// Names that imitate others by their letters, and the reason. No way in takes one as it is.
const IMITATIONS: [(&str, &str); 4] = [
    ("\u{410}nn", "letters of one alphabet"),
    ("\u{412}\u{43e}b", "letters of one alphabet"),
    ("\u{1d00}\u{274}\u{274}", "letters in current use"),
    ("A\u{301}\u{301}\u{301}\u{301}nn", "letters in current use"),
];

/// Enters a name as a guest at every way in. Returns the way, the answer, and the table whose page shows it.
fn guest_entries(server: &Running, name: &str) -> Vec<(&'static str, Page, String)> {
    let kind = [("content-type", "application/json")];
    let open_seat = || {
        let seats = [("name", "Host"), ("seat.0", "me"), ("seat.1", "friend")];
        server.browser().open("incan-gold", &seats)
    };
    let mut browser = server.browser();
    let fields = [("name", name), ("seat.0", "me"), ("seat.1", "friend"), ("seed", "1")];
    let by_form = browser.post("/new/incan-gold", &fields);
    let table_by_form = by_form.header("location").unwrap_or_default().to_owned();
    let joined = open_seat();
    let by_join = browser.post(&format!("{joined}/join"), &[("seat", "1"), ("name", name)]);
    let order =
        serde_json::json!({ "game": "incan-gold", "seats": [{ "person": { "name": name } }, "open"] });
    let by_api = browser.send("POST", "/api/v1/tables", &kind, order.to_string());
    let opened: serde_json::Value = serde_json::from_str(&by_api.body).unwrap();
    let table_by_api = format!("/t/{}", opened["id"].as_str().unwrap_or_default());
    let seated = open_seat();
    let path = format!("/api/v1{}/seats/1", seated.replace("/t/", "/tables/"));
    let by_seat = browser.send("POST", &path, &kind, serde_json::json!({ "name": name }).to_string());
    vec![
        ("the form of a new table", by_form, table_by_form),
        ("the form of an open seat", by_join, joined),
        ("a new table of the JSON API", by_api, table_by_api),
        ("an open seat of the JSON API", by_seat, seated),
    ]
}

#[test]
fn guests_imitate_nobody_at_any_way_in() {
    for server in [with_accounts(), start(None)] {
        for (name, why) in IMITATIONS {
            for (way, page, _) in guest_entries(&server, name) {
                assert!(page.status == 400 && page.body.contains(why), "{way}, {name}: {}", page.body);
            }
        }
        // Full width becomes plain, what is invisible is dropped, and other signs stay.
        let typed = "\u{ff21}\u{ff4e}\u{200b}n\u{3000} \u{ff08}1\u{ff09} \u{1f3b2}";
        for (way, page, table) in guest_entries(&server, typed) {
            assert!(matches!(page.status, 201 | 303), "{way}: {}", page.body);
            let shown = server.browser().get(&table).body;
            assert!(shown.contains("Ann (1) \u{1f3b2}"), "{way}: {shown}");
        }
    }
}

#[test]
fn competitors_imitate_nobody() {
    let server = start(None);
    let mut browser = server.browser();
    // A name before `=` has letters and digits alone, so piles of marks are no names.
    let imitations = IMITATIONS.into_iter().take(3);
    for (name, why) in imitations.chain([("\u{ff21}nn", "write it as Ann")]) {
        let fields = [("others", &*format!("Ann=turn:7\n{name}=turn:9")), ("deals", "2")];
        let page = browser.post("/competitions/incan-gold", &fields);
        assert!(page.status == 400 && page.body.contains(why), "{name}: {} {}", page.status, page.body);
    }
    for name in ["Zo\u{eb} 2", "\u{418}\u{432}\u{430}\u{43d}"] {
        let fields = [("others", &*format!("Ann=turn:7\n{name}=turn:9")), ("deals", "2")];
        let page = browser.post("/competitions/incan-gold", &fields);
        assert_eq!(page.status, 303, "{name}: {}", page.body);
    }
}

#[test]
fn members_of_earlier_releases_keep_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let mut config = options(Some(&file));
    config.accounts = true;
    let server = start_with(&config);
    assert_eq!(register(&mut server.browser(), "Ann").status, 303);
    drop(server);
    // Names as earlier releases stored them: mixed alphabets, and full width.
    let database = rusqlite::Connection::open(&file).unwrap();
    for (id, name, folded) in [("old1", "Аnn", "аnn"), ("old2", "Ａｎｎ", "ａｎｎ")] {
        let copy = "insert into account(id, name, folded, password, created) select ?, ?, ?, password, created from account limit 1";
        assert_eq!(database.execute(copy, [id, name, folded]).unwrap(), 1);
    }
    drop(database);
    let server = start_with(&config);
    for name in ["Ann", "Аnn", "Ａｎｎ"] {
        let mut browser = server.browser();
        assert_eq!(log_in(&mut browser, name, PASSWORD), 303, "{name}");
        assert!(browser.get("/me").body.contains(&format!("<h1>{name}</h1>")), "{name}");
    }
    assert_eq!(register(&mut server.browser(), "ann").status, 409);
}

#[test]
fn guesses_of_others_keep_nobody_out_of_a_running_session() {
    let server = with_accounts();
    let mut ann = server.browser();
    assert_eq!(register(&mut ann, "Ann").status, 303);
    let mut stranger = server.browser();
    for _ in 0..10 {
        assert_eq!(log_in(&mut stranger, "Ann", "a guess of many"), 403);
    }
    assert_eq!(log_in(&mut stranger, "Ann", "a guess of many"), 429);
    // She uses the password, and may mistype it.
    assert_eq!(change_password(&mut ann, "mistyped it"), 403);
    assert_eq!(change_password(&mut ann, PASSWORD), 303);
    // A finder of the browser has no more guesses than a stranger, and right passwords do not count.
    for _ in 0..9 {
        assert_eq!(change_password(&mut ann, "a guess of many"), 403);
    }
    assert_eq!(change_password(&mut ann, PASSWORD), 429);
    assert_eq!(ann.get("/me").status, 200);
    // After a share of the window there is one further attempt, for the name and for the session.
    server.time.tell(90_000);
    assert_eq!(change_password(&mut ann, PASSWORD), 303);
    assert_eq!(log_in(&mut stranger, "Ann", PASSWORD), 303);
}

#[test]
fn who_logs_in_uses_up_no_tries_and_names_that_cannot_be_are_nobodys() {
    let server = with_accounts();
    let mut ann = server.browser();
    assert_eq!(register(&mut ann, "Ann").status, 303);
    for _ in 0..11 {
        assert_eq!(log_in(&mut server.browser(), "Ann", PASSWORD), 303);
    }
    // A name that cannot exist is refused at once, without a computation.
    let mut stranger = server.browser();
    let long = "x".repeat(50_000);
    assert_eq!(log_in(&mut stranger, &long, "a guess"), 403);
    // Everything else is charged to the address: with the registration and those eleven there are a hundred.
    for number in 0..88 {
        assert_eq!(log_in(&mut stranger, &format!("Nobody {number}"), "a guess"), 403);
    }
    assert_eq!(log_in(&mut stranger, "Nobody", "a guess"), 429);
    assert_eq!(log_in(&mut stranger, "Ann", PASSWORD), 429);
    assert_eq!(change_password(&mut ann, PASSWORD), 429);
    // None of them counts against Ann's name. She logs in and changes the password once the address has
    // computations again: one for the log-in, and two for the password.
    server.time.tell(9_000);
    assert_eq!(log_in(&mut stranger, "Ann", PASSWORD), 303);
    server.time.tell(27_000);
    assert_eq!(change_password(&mut ann, PASSWORD), 303);
}

#[test]
fn other_names_wear_out_no_counter() {
    let limit = AttemptLimit::new(10, Duration::from_secs(900));
    let name = |number: u32| format!("somebody {number}");
    assert!((0..10).all(|_| limit.count(b"ann", 0)) && !limit.count(b"ann", 0));
    for number in 0..60_000 {
        limit.count(name(number).as_bytes(), 0);
    }
    assert!(!limit.count(b"ann", 0), "it is never cleared");
    // Names without attempts stay open despite many others.
    assert!((60_000..61_000).all(|number| limit.count(name(number).as_bytes(), 0)));
    assert!(!limit.count(b"ann", 89_999));
    // The key of the counters is random, so others may share all of hers and make her wait. More than six
    // other attempts in each of four counters have a probability of about one in ten million.
    let tries = (1..=7).find(|tries| limit.count(b"ann", tries * 90_000)).expect("a try comes back");
    assert!(!limit.count(b"ann", tries * 90_000));
    limit.give_back(b"ann");
    assert!(limit.count(b"ann", tries * 90_000) && !limit.count(b"ann", tries * 90_000));
}

#[test]
fn no_name_on_a_page_changes_how_the_page_reads() {
    let server = start(None);
    let evil = "Bob\u{202e}) si ti\u{2066}\u{200d}\u{ad}\u{3164}";
    let page = table_of(&server, evil);
    assert!(page.contains("Bob) si ti"), "{page}");
    // The name is dropped from a forged replay as well.
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "turn:3"), ("agent.1", "turn:5")]);
    until("the end of the game", || browser.get(&table).is_over());
    let answer = browser.get(&format!("/r/{}/replay.json", &table[3..])).body;
    let mut replay: serde_json::Value = serde_json::from_str(&answer).unwrap();
    replay["players"][0] = evil.into();
    let kind = [("content-type", "application/octet-stream")];
    let kept = browser.send("POST", "/api/v1/replays", &kind, replay.to_string());
    assert_eq!(kept.status, 201, "{}", kept.body);
    let kept: serde_json::Value = serde_json::from_str(&kept.body).unwrap();
    let address = format!("/r/{}", kept["id"].as_str().unwrap());
    let shown = browser.get(&address).body + &browser.get(&format!("{address}/at/0")).body;
    for text in [&page, &shown] {
        assert!(
            text.contains("Bob") && !text.contains(|letter| letter != '\n' && is_hidden(letter)),
            "{text}"
        );
    }
    let stored = Replay::parse(&browser.get(&format!("{address}/replay.json")).body).unwrap();
    assert_eq!(stored.players[0].name, "Bob) si ti");
}
