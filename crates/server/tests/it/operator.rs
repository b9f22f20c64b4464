//! The operator's view and actions.

use std::io::{Read, Write};
use std::net::TcpStream;

use meeple_server::{Limits, Options, Server};

use crate::client::{Browser, Running, options, run, start, start_with, until};

/// A server with an operator, and the operator's browser.
fn operated(data: Option<&std::path::Path>) -> (Running, Browser) {
    operated_with(options(data))
}

fn operated_with(mut config: Options) -> (Running, Browser) {
    config.operator = true;
    let server = Server::bind(&config).unwrap();
    let link = server.operator_link().unwrap();
    let server = run(server);
    let mut browser = server.browser();
    let path = link.split_once("/operator").unwrap().1;
    let opened = browser.get(&format!("/operator{path}"));
    assert_eq!((opened.status, opened.header("location")), (303, Some("/operator")), "{}", opened.body);
    (server, browser)
}

#[test]
fn nobody_else_sees_or_ends_anything() {
    let (server, mut operator) = operated(None);
    let mut guest = server.browser();
    let table = guest.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let id = &table[3..];
    let closed = start(None);
    for (browser, status) in [(&mut guest, 403), (&mut closed.browser(), 404)] {
        assert_eq!(browser.get("/operator").status, status);
        for path in [&format!("tables/{id}/end"), "runs/x/stop", "competitions/x/stop", "ban", "pardon"] {
            let page = browser.post(&format!("/operator/{path}"), &[("address", "192.0.2.1")]);
            assert_eq!(page.status, status, "{path}: {}", page.body);
        }
        let guessed = browser.get("/operator/key/aaaa%0d%0ax");
        assert_eq!((guessed.status, guessed.header("set-cookie")), (403, None));
    }
    assert_eq!(guest.get(&table).status, 200);
    let page = operator.get("/operator").body;
    for words in [id, "Version", "Runs for", "MiB", "tables being played", "/new/incan-gold"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let metrics = guest.get("/metrics").body;
    for name in [
        "meeple_tables 1\n",
        "meeple_sockets 0\n",
        "meeple_jobs 0\n",
        "meeple_late_seconds ",
        "meeple_memory_bytes ",
    ] {
        assert!(metrics.contains(&format!("\n{name}")), "{name}: {metrics}");
    }
    // Another site's page cannot use the operator's browser.
    let foreign =
        [("origin", "http://elsewhere.example"), ("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(operator.send("POST", &format!("/operator/tables/{id}/end"), &foreign, "").status, 403);
}

#[test]
fn a_table_that_is_ended_stays_so_and_is_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (server, mut operator) = operated(Some(&file));
    let mut guest = server.browser();
    let table = guest.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let page = guest.until_asked(&table);
    assert_eq!(guest.answer(&table, &page, "stay").status, 303);
    // The agent decides at the same time; afterwards both have played.
    guest.until_asked(&table);
    let end = format!("/operator/tables/{}/end", &table[3..]);
    assert_eq!(operator.post(&end, &[("reason", "<b>maintenance</b>")]).status, 303);
    let answer = guest.get(&table);
    assert!(answer.status == 410 && answer.body.contains("&lt;b&gt;maintenance"), "{}", answer.body);
    assert_eq!(guest.answer(&table, &page, "stay").status, 410);
    let replay = guest.get(&format!("/r/{}/replay.json", &table[3..]));
    assert!(replay.status == 200 && replay.body.contains("stay"), "{}", replay.body);
    assert_eq!(operator.post(&end, &[]).status, 410);
    assert_eq!(operator.post("/operator/tables/nothing/end", &[]).status, 404);
    drop(server);
    let server = start(Some(&file));
    assert_eq!(guest.at(server.address).get(&table).status, 410);
}

#[test]
fn work_is_stopped() {
    let (server, mut operator) = operated(None);
    let mut guest = server.browser();
    let fields = [("others", "merchant\nexplorer"), ("deals", "20000"), ("table", "2")];
    let competition = guest.post("/competitions/cartolan", &fields).header("location").unwrap().to_owned();
    let fields = [("agent.0", "merchant"), ("agent.1", "merchant"), ("episodes", "1000000")];
    let run = guest.post("/lab/cartolan", &fields).header("location").unwrap().to_owned();
    let page = operator.get("/operator").body;
    assert!(page.contains("meeple tournament cartolan/") && page.contains("meeple sim cartolan/"), "{page}");
    let (id, job) = (&competition[3..], run.rsplit('/').next().unwrap());
    assert_eq!(operator.post(&format!("/operator/competitions/{id}/stop"), &[]).status, 303);
    assert_eq!(operator.post(&format!("/operator/runs/{job}/stop"), &[]).status, 303);
    for address in [&competition, &run] {
        until("the job to stop", || guest.get(address).body.contains("Stopped"));
    }
    assert!(!operator.get("/operator").body.contains("meeple tournament"));
}

#[test]
fn addresses_are_turned_away_and_let_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (server, mut operator) = operated(Some(&file));
    for (address, expected) in [("127.0.0.1", "your own address"), ("nobody", "expected one as in")] {
        let page = operator.post("/operator/ban", &[("address", address)]);
        assert!(page.status == 400 && page.body.contains(expected), "{}", page.body);
    }
    let other = [("address", "127.0.0.2")];
    assert_eq!(operator.post("/operator/ban", &other).status, 303);
    assert!(operator.get("/operator").body.contains("<strong>127.0.0.2</strong>"));
    // No visitor comes from that address here, so the test bans its own by editing the file.
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    assert_eq!(database.execute("update ban set address = '127.0.0.1'", []).unwrap(), 1);
    drop(database);
    let server = start(Some(&file));
    for path in ["/", "/healthz", "/lab"] {
        let page = server.browser().get(path);
        assert!(page.status == 403 && page.body.contains("turns your address away"), "{}", page.body);
    }
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("update ban set address = '127.0.0.2'", []).unwrap();
    drop(database);
    let (_server, mut operator) = operated(Some(&file));
    assert_eq!(operator.post("/operator/pardon", &other).status, 303);
    assert!(!operator.get("/operator").body.contains("127.0.0.2"));
}

/// A server behind a proxy, and a browser whose operator comes from another address than the tests.
fn banning(banned: &[&str]) -> (Running, impl Fn(&Running)) {
    let limits = Limits { trusted: vec!["127.0.0.0/8".parse().unwrap()], exempt: Vec::new() };
    let (server, operator) = operated_with(Options { limits, ..options(None) });
    let banned: Vec<String> = banned.iter().map(|address| (*address).to_owned()).collect();
    let ban = move |server: &Running| {
        let origin = format!("http://{}", server.address);
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
            ("x-forwarded-for", "198.51.100.1"),
        ];
        for address in &banned {
            let form = format!("address={}", address.replace(':', "%3A"));
            let page = operator.clone().send("POST", "/operator/ban", &headers, form);
            assert_eq!(page.status, 303, "{address}: {}", page.body);
        }
    };
    (server, ban)
}

#[test]
fn a_ban_holds_whatever_a_visitor_sends_before_the_address_of_the_proxy() {
    let (server, ban) = banning(&["203.0.113.9", "2001:db8::1"]);
    ban(&server);
    let status = |forwarded: &[u8]| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let start = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", server.address);
        let line = b"x-forwarded-for: ";
        let request = [start.as_bytes(), line, forwarded, b"\r\n\r\n"].concat();
        stream.write_all(&request).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
    };
    let cases: [(&[u8], u16, &str); 17] = [
        (b"203.0.113.9", 403, "the address alone"),
        (b"198.51.100.1", 200, "another address"),
        (b"198.51.100.1, 203.0.113.9", 403, "after a claimed address"),
        (b"203.0.113.9, 198.51.100.1", 200, "as a claimed address"),
        (b"\xe9, 203.0.113.9", 403, "after a byte that is not UTF-8"),
        ("é, 203.0.113.9".as_bytes(), 403, "after a letter that is not ASCII"),
        (b"\xe9\r\nx-forwarded-for: 203.0.113.9", 403, "on a line of its own after such a byte"),
        (b"198.51.100.1\r\nx-forwarded-for: 203.0.113.9", 403, "on a line of its own"),
        (b"203.0.113.9, 127.0.0.1", 403, "before another proxy"),
        (b"203.0.113.9\r\nx-forwarded-for: 127.0.0.1", 403, "on a line before another proxy's"),
        (b", 203.0.113.9 ,\t", 403, "among empty parts"),
        (b"203.0.113.9:4711", 403, "with a port"),
        (b"::ffff:203.0.113.9", 403, "as IPv6"),
        (b"2001:db8::1", 403, "the other banned address"),
        (b"2001:db8::ffff:2", 403, "another address of the same subscriber"),
        (b"[2001:db8::7]:4711", 403, "in brackets with a port"),
        (b"2001:db8:0:1::1", 200, "another subscriber"),
    ];
    for (forwarded, expected, comment) in cases {
        assert_eq!(status(forwarded), expected, "{comment}");
    }
}

#[test]
fn a_ban_ends_open_sockets() {
    let (server, ban) = banning(&["127.0.0.1"]);
    let mut guest = server.browser();
    let table = guest.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let mut socket = guest.socket(&table, "?as=0&data=1");
    socket.say(&serde_json::json!({ "type": "hello", "since": 0 }));
    socket.hear_type("frame");
    ban(&server);
    // Messages from before the ban are heard before the end.
    while socket.hear_text().is_some() {}
}

#[test]
fn tables_are_forgotten_when_their_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let agents = [("agent.0", "turn:2"), ("agent.1", "turn:3")];
    let tables: Vec<String> = (0..3).map(|_| browser.open("incan-gold", &agents)).collect();
    for table in &tables {
        until("the end of a game", || browser.get(table).is_over());
    }
    let open = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    drop(server);
    // One is two days old, one half a day.
    let database = rusqlite::Connection::open(&file).unwrap();
    let age = "update game set ended = ended - ? where id = ?";
    database.execute(age, rusqlite::params![48 * 3600, &tables[0][3..]]).unwrap();
    database.execute(age, rusqlite::params![12 * 3600, &tables[1][3..]]).unwrap();
    drop(database);
    let mut config = options(Some(&file));
    config.keep_days = Some(1);
    let server = start_with(&config);
    let mut browser = browser.at(server.address);
    // A visit to the table would restore it, and tables in use are kept.
    let replay = format!("/r/{}", &tables[0][3..]);
    until("the old table to go", || browser.get(&replay).status == 404);
    assert_eq!(browser.get(&tables[0]).status, 404);
    for table in [&tables[1], &tables[2], &open] {
        assert_eq!(browser.get(table).status, 200);
    }
}
