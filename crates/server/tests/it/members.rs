//! Members: their identity follows them from browser to browser, and belongs to nobody else.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};

use meeple_server::{Limits, Log, LogForm, Options, Server};
use serde_json::json;

use crate::client::{Browser, Page, Running, options, run, start, start_with, until};

const PASSWORD: &str = "four words are long";

fn with_accounts(data: Option<&Path>) -> Running {
    let mut config = options(data);
    config.accounts = true;
    let server = start_with(&config);
    // The clock behind limits of attempts stands still, however long hashing takes.
    server.time.tell(0);
    server
}

fn register(browser: &mut Browser, name: &str) {
    let page = browser.post("/register", &[("name", name), ("password", PASSWORD)]);
    assert_eq!((page.status, page.header("location")), (303, Some("/me")), "{}", page.body);
}

fn log_in(browser: &mut Browser, name: &str, password: &str) -> Page {
    browser.post("/login", &[("name", name), ("password", password)])
}

/// A further browser of a member.
fn another(server: &Running, name: &str) -> Browser {
    let mut browser = server.browser();
    assert_eq!(log_in(&mut browser, name, PASSWORD).status, 303);
    browser
}

/// The identifiers of other browsers in the forms of a member's page.
fn others(page: &Page) -> Vec<String> {
    let forms = page.body.split("action=\"/me/browsers/").skip(1);
    forms.filter_map(|rest| Some(rest.split_once("/end\"")?.0.to_owned())).collect()
}

fn is_in(browser: &mut Browser) -> bool {
    browser.get("/me").status == 200
}

#[test]
fn without_accounts_nothing_of_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let words = [("name", "Ann"), ("password", PASSWORD)];
    for path in ["/login", "/register", "/logout", "/me", "/me/password", "/me/delete"] {
        assert_eq!((browser.get(path).status, browser.post(path, &words).status), (404, 404), "{path}");
    }
    let page = browser.get("/").body;
    assert!(!page.contains("Log in") && !page.contains("/me"), "{page}");
    assert!(browser.get("/new/incan-gold").body.contains("Your name"));
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    let count = |table: &str| {
        database.query_row(&format!("select count(*) from {table}"), [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!([count("account"), count("session"), count("sitting")], [0; 3]);
}

#[test]
fn a_member_has_its_name_its_seats_and_its_games_at_every_browser() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = with_accounts(Some(&file));
    let mut here = server.browser();
    assert!(here.get("/").body.contains("<a href=\"/me\">Log in</a>"));
    assert_eq!(here.get("/me").header("location"), Some("/login"));
    register(&mut here, "Ann  Ö'Hara");
    assert!(
        here.get("/").body.contains("<a href=\"/me\">Ann Ö&#39;Hara</a>")
            || here.get("/").body.contains("<a href=\"/me\">Ann Ö'Hara</a>")
    );
    assert!(!here.get("/new/incan-gold").body.contains("Your name"));
    let table = here.open("incan-gold", &[("name", "Somebody"), ("seat.0", "me"), ("seat.1", "friend")]);
    assert_eq!(here.cookie(&format!("seat-{}", &table[3..])), None, "the seat is the account's");
    // Guests are marked.
    let mut guest = server.browser();
    assert_eq!(guest.post(&format!("{table}/join"), &[("seat", "1"), ("name", "ann ö'hara")]).status, 303);
    let page = guest.get(&table).body;
    assert!(page.contains("hara (guest)") && page.contains("Ann Ö") && !page.contains("Somebody"), "{page}");
    // In another browser, after a restart, in the middle of the game.
    let asked = here.until_asked(&table);
    assert_eq!(here.answer(&table, &asked, "stay").status, 303);
    drop(server);
    let server = with_accounts(Some(&file));
    let (mut here, mut guest) = (here.at(server.address), guest.at(server.address));
    assert!(is_in(&mut here), "a session outlives the server");
    let mut there = another(&server, "ANN Ö'HARA");
    let own = there.get("/me").body;
    assert!(own.contains(&format!("href=\"{table}\"")) && own.contains(" seat 0"), "{own}");
    assert!(!guest.get(&table).body.contains("name=\"seat\" value=\"0\""));
    while !there.get(&table).is_over() {
        for browser in [&mut there, &mut guest] {
            let page = browser.get(&table);
            if page.is_asked() {
                browser.answer(&table, &page, "leave");
            }
        }
    }
    let own = here.get("/me").body;
    assert!(own.contains(&format!("href=\"/r/{}\"", &table[3..])), "{own}");
    // A rematch: seats are rotated by one, without keys.
    assert_eq!(here.post(&format!("{table}/rematch"), &[]).status, 303);
    let next = there.get(&format!("{table}/next")).header("location").unwrap().to_owned();
    assert_eq!(there.until_asked(&next).hidden("seat").as_deref(), Some("1"));
    // A log-out closes the member's socket.
    let mut socket = there.socket(&next, "?as=1&data=1");
    socket.say(&json!({ "type": "hello", "since": 0 }));
    assert_eq!(socket.hear_type("frame")["you"], 1);
    assert_eq!(there.post("/logout", &[]).status, 303);
    socket.say(&json!({ "type": "ping" }));
    assert_eq!(socket.hear_text(), None);
    assert!(!there.get(&next).is_asked() && !is_in(&mut there) && is_in(&mut here));
}

#[test]
fn answers_to_a_login_do_not_reveal_members() {
    let server = with_accounts(None);
    register(&mut server.browser(), "Ann");
    let mut stranger = server.browser();
    let wrong = log_in(&mut stranger, "Ann", "not her password");
    let nobody = log_in(&mut stranger, "Nobody", "not her password");
    assert_eq!((wrong.status, &wrong.body), (nobody.status, &nobody.body));
    assert_eq!(wrong.status, 403);
    assert!(wrong.header("set-cookie").is_none() && !is_in(&mut stranger));
    // After too many attempts even the right password is refused, whether or not the member exists.
    for name in ["Ann", "Nobody"] {
        for _ in 0..9 {
            assert_eq!(log_in(&mut stranger, name, "not her password").status, 403);
        }
        assert_eq!(log_in(&mut stranger, name, PASSWORD).status, 429);
    }
    assert_eq!(log_in(&mut stranger, "aNN", PASSWORD).status, 429);
    // Other members can still log in.
    register(&mut server.browser(), "Ben");
    another(&server, "Ben");
}

#[test]
fn an_address_has_so_many_tries_for_all_names_together() {
    let server = with_accounts(None);
    let mut stranger = server.browser();
    let mut statuses = Vec::new();
    for number in 0..101 {
        statuses.push(log_in(&mut stranger, &format!("name {number}"), "a guess").status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 100);
    assert_eq!(statuses[100], 429);
}

#[test]
fn one_address_cannot_take_all_places_for_passwords() {
    let limits = Limits { trusted: vec!["127.0.0.0/8".parse().unwrap()], exempt: Vec::new() };
    let server = start_with(&Options { accounts: true, limits, ..options(None) });
    server.time.tell(0);
    let origin = format!("http://{}", server.address);
    let form = format!("password={}&new={0}", PASSWORD.replace(' ', "+"));
    let post = |browser: &mut Browser, from: &str, path: &str, name: &str| {
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
            ("x-forwarded-for", from),
        ];
        browser.send("POST", path, &headers, format!("name={name}&{form}")).status
    };
    let mut greedy = server.browser();
    assert_eq!(post(&mut greedy, "203.0.113.9", "/register", "Ann"), 303);
    assert_eq!(post(&mut server.browser(), "198.51.100.7", "/register", "Ben"), 303);
    // Right passwords, which wait all at once.
    let request = format!(
        "POST /me/password HTTP/1.1\r\nhost: {}\r\norigin: {origin}\r\nx-forwarded-for: 203.0.113.9\r\n\
         cookie: session={}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{form}",
        server.address,
        greedy.cookie("session").unwrap(),
        form.len()
    );
    let waiting: Vec<TcpStream> = (0..60)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(post(&mut server.browser(), "198.51.100.7", "/login", "Ben"), 303);
    }
    // They count for the address: one registration, and two hashes for each new password.
    let mut refused = 0;
    for mut stream in waiting {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 303") || answer.starts_with("HTTP/1.1 429"), "{answer}");
        refused += usize::from(answer.starts_with("HTTP/1.1 429"));
    }
    assert!((10..60).contains(&refused), "{refused}");
    assert_eq!(post(&mut server.browser(), "203.0.113.9", "/login", "Ann"), 429);
    assert_eq!(post(&mut server.browser(), "198.51.100.7", "/login", "Ann"), 303);
}

#[test]
fn other_cookies_do_not_hide_the_log_in() {
    let server = with_accounts(None);
    let mut browser = server.browser();
    register(&mut browser, "Ann");
    let cookies = format!("other=é; session={}", browser.cookie("session").unwrap());
    assert_eq!(server.browser().send("GET", "/me", &[("cookie", &cookies)], "").status, 200);
}

#[test]
fn browsers_are_logged_out_one_by_one_together_and_by_another_password() {
    let server = with_accounts(None);
    let mut own = server.browser();
    register(&mut own, "Ann");
    let [mut first, mut second, mut third] = [(); 3].map(|()| another(&server, "Ann"));
    let listed = others(&own.get("/me"));
    assert_eq!(listed.len(), 3);
    // Other members cannot end them.
    let mut ben = server.browser();
    register(&mut ben, "Ben");
    for id in &listed {
        ben.post(&format!("/me/browsers/{id}/end"), &[]);
    }
    assert!([&mut first, &mut second, &mut third].into_iter().all(is_in));
    assert_eq!(own.post(&format!("/me/browsers/{}/end", listed[0]), &[]).status, 303);
    let left =
        [&mut first, &mut second, &mut third].into_iter().filter_map(|browser| is_in(browser).then_some(()));
    assert_eq!(left.count(), 2);
    assert_eq!(own.post("/me/browsers/end", &[]).status, 303);
    assert!(![&mut first, &mut second, &mut third].into_iter().any(is_in) && is_in(&mut own));
    let mut other = another(&server, "Ann");
    let change = |browser: &mut Browser, old: &str, new: &str| {
        browser.post("/me/password", &[("password", old), ("new", new)]).status
    };
    assert_eq!(change(&mut own, "not hers", "another password"), 403);
    assert_eq!(change(&mut own, PASSWORD, "short"), 400);
    assert!(is_in(&mut other));
    assert_eq!(change(&mut own, PASSWORD, "another password"), 303);
    assert!(!is_in(&mut other) && is_in(&mut own));
    assert_eq!(log_in(&mut other, "Ann", PASSWORD).status, 403);
    assert_eq!(log_in(&mut other, "Ann", "another password").status, 303);
}

#[test]
fn who_deletes_its_account_is_gone_and_agents_play_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = with_accounts(Some(&file));
    let mut ann = server.browser();
    register(&mut ann, "Ann");
    let table = ann.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    assert_eq!(ann.post("/me/delete", &[("password", "not hers")]).status, 403);
    assert!(is_in(&mut ann));
    assert_eq!(ann.post("/me/delete", &[("password", PASSWORD)]).status, 303);
    assert!(!is_in(&mut ann));
    until("the end of the game", || ann.get(&table).is_over());
    assert_eq!(log_in(&mut ann, "Ann", PASSWORD).status, 403);
    register(&mut server.browser(), "Ann");
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    let rows = |query: &str| database.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(rows("select count(*) from account"), 1);
    assert_eq!(rows("select count(*) from sitting"), 0);
}

#[test]
fn an_account_that_the_operator_locks_is_logged_out_and_stays_so() {
    let mut config = options(None);
    (config.accounts, config.operator) = (true, true);
    let server = Server::bind(&config).unwrap();
    let link = server.operator_link().unwrap();
    let server = run(server);
    let mut operator = server.browser();
    operator.get(&format!("/operator{}", link.split_once("/operator").unwrap().1));
    let mut ann = server.browser();
    register(&mut ann, "Ann");
    assert_eq!(ann.post("/operator/accounts/lock", &[("name", "Ann")]).status, 403);
    assert_eq!(operator.post("/operator/accounts/lock", &[("name", "nobody")]).status, 400);
    assert_eq!(operator.post("/operator/accounts/lock", &[("name", "ann")]).status, 303);
    let page = operator.get("/operator").body;
    assert!(page.contains("1 members, of them locked:") && page.contains("<strong>Ann</strong>"), "{page}");
    assert!(!is_in(&mut ann));
    // Only the right password reveals the lock.
    assert!(!log_in(&mut ann, "Ann", "a guess here").body.contains("locked"));
    let config = log_in(&mut ann, "Ann", PASSWORD);
    assert!(config.status == 403 && config.body.contains("has locked this account"), "{}", config.body);
    assert_eq!(operator.post("/operator/accounts/unlock", &[("name", "Ann")]).status, 303);
    assert_eq!(log_in(&mut ann, "Ann", PASSWORD).status, 303);
}

#[test]
fn cookies_are_for_the_browser_alone_and_for_https_where_it_came_so() {
    let server = with_accounts(None);
    register(&mut server.browser(), "Ann");
    let mut browser = server.browser();
    let page = log_in(&mut browser, "Ann", PASSWORD);
    let cookie = page.header("set-cookie").unwrap();
    for word in ["session=", "; Path=/;", "HttpOnly", "SameSite=Lax"] {
        assert!(cookie.contains(word), "{word}: {cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let origin = format!("https://{}", server.address);
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let body = format!("name=Ann&password={}", PASSWORD.replace(' ', "+"));
    let page = browser.send("POST", "/login", &[("origin", &origin), kind], &body);
    assert!(page.header("set-cookie").unwrap().ends_with("; Secure"), "{page:?}");
    // Cookies of seats are secure as well, also behind a proxy that reports HTTPS.
    let mut guest = server.browser();
    let page = guest.send("POST", "/new/incan-gold", &[("origin", &origin), kind], "seat.0=me&agent.1=turn");
    assert!(page.header("set-cookie").unwrap().ends_with("; Secure"), "{page:?}");
    // Other sites can log nobody in or out.
    for path in ["/login", "/register", "/logout", "/me/delete"] {
        let foreign = [("origin", "https://elsewhere.example"), kind];
        assert_eq!(browser.send("POST", path, &foreign, &body).status, 403, "{path}");
    }
    assert!(is_in(&mut browser));
}

#[test]
fn neither_file_nor_log_has_a_password_or_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let mut config = options(Some(&file));
    config.accounts = true;
    let lines = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&lines);
    config.log = Log::to(LogForm::Json, Box::new(move |line| *kept.lock().unwrap() += &format!("{line}\n")));
    let server = start_with(&config);
    let mut ann = server.browser();
    register(&mut ann, "Ann");
    let session = ann.cookie("session").unwrap().to_owned();
    // Typed into the wrong field.
    log_in(&mut server.browser(), PASSWORD, "Ann");
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    let kept: String = database.query_row("select password from account", [], |row| row.get(0)).unwrap();
    assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
    drop(database);
    let bytes = std::fs::read(&file).unwrap();
    let log = lines.lock().unwrap().clone();
    for event in ["registered", "login_refused"] {
        assert!(log.contains(&format!("\"event\":\"{event}\"")), "{log}");
    }
    for secret in [PASSWORD, &session] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret}");
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn names_and_passwords_that_will_not_do_are_explained() {
    let server = with_accounts(None);
    register(&mut server.browser(), "Ann");
    let long = "x".repeat(201);
    for (name, password, status, words) in [
        ("", PASSWORD, 400, "name: expected 1 to 24 letters"),
        ("<b>Ann</b>", PASSWORD, 400, "name: expected 1 to 24 letters"),
        ("...", PASSWORD, 400, "name: expected 1 to 24 letters"),
        ("a name of many more letters than that", PASSWORD, 400, "name: expected 1 to 24 letters"),
        ("Ben", "seven l", 400, "password: expected 8 to 200 letters, found 7"),
        ("Ben", &long, 400, "password: expected 8 to 200 letters, found 201"),
        ("aNN", PASSWORD, 409, "the name is taken, or looks like one that is"),
    ] {
        let mut browser = server.browser();
        let page = browser.post("/register", &[("name", name), ("password", password)]);
        assert!(page.status == status && page.body.contains(words), "{name}: {} {}", page.status, page.body);
        assert!(!is_in(&mut browser));
    }
}

#[test]
fn browsers_are_named_in_words_where_they_are_known() {
    let server = with_accounts(None);
    let mut first = server.browser();
    register(&mut first, "Ann");
    for (header, expected) in [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox 145 on Linux"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
            "Chrome 156 on Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
            "Edge 156 on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
            "Samsung Internet 29 on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
            "Safari 26 on iPhone",
        ),
        ("Mozilla/5.0 (compatible)", "Mozilla/5.0 (compatible)"),
        ("curl/8.14.1", "curl/8.14.1"),
        ("Firefox/no number", "Firefox/no number"),
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"),
        ("", "a browser without a name"),
    ] {
        let mut browser = server.browser();
        let origin = format!("http://{}", server.address);
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
            ("user-agent", header),
        ];
        let form = format!("name=Ann&password={}", PASSWORD.replace(' ', "+"));
        assert_eq!(browser.send("POST", "/login", &headers, form).status, 303, "{header}");
        let page = browser.get("/me").body;
        assert!(
            page.contains(&format!("This browser</strong>, {expected}, since today")),
            "{header}: {page}"
        );
        assert!(header == expected || header.is_empty() || !page.contains(header), "{header}");
    }
    // A long unknown user agent is shortened.
    let long = "x".repeat(150);
    let mut browser = server.browser();
    let origin = format!("http://{}", server.address);
    let headers = [
        ("origin", origin.as_str()),
        ("content-type", "application/x-www-form-urlencoded"),
        ("user-agent", long.as_str()),
    ];
    let form = format!("name=Ann&password={}", PASSWORD.replace(' ', "+"));
    assert_eq!(browser.send("POST", "/login", &headers, form).status, 303);
    let page = browser.get("/me").body;
    assert!(page.contains(&format!("{}…,", "x".repeat(59))) && !page.contains(&"x".repeat(60)), "{page}");
}
