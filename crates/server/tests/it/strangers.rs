//! Strangers who use up everything they can: others can still play.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use meeple_server::{Limits, Options, Reception, raise_open_files};

use crate::client::{Browser, LIMIT, Page, Running, options, start, start_with, until};

/// A server behind a proxy that reports visitors' addresses, with its clock at 0.
fn behind_proxy(config: Options) -> Running {
    let limits = Limits { trusted: vec!["127.0.0.0/8".parse().unwrap()], exempt: Vec::new() };
    let server = start_with(&Options { limits, ..config });
    server.time.tell(0);
    server
}

/// Sends a form from an address, by a fresh browser.
fn post_from(server: &Running, from: &str, path: &str, form: &str) -> Page {
    post_by(&mut server.browser(), server, from, path, form)
}

fn post_by(browser: &mut Browser, server: &Running, from: &str, path: &str, form: &str) -> Page {
    let origin = format!("http://{}", server.address);
    let headers = [
        ("origin", origin.as_str()),
        ("content-type", "application/x-www-form-urlencoded"),
        ("x-forwarded-for", from),
    ];
    browser.send("POST", path, &headers, form)
}

fn open_from(server: &Running, from: &str) -> Page {
    post_from(server, from, "/new/incan-gold", "seat.0=me&seat.1=friend")
}

/// Opens tables from an address until one is refused, and returns their number.
fn open_all(server: &Running, mut from: impl FnMut(usize) -> String) -> usize {
    for count in 0..1000 {
        let page = open_from(server, &from(count));
        match page.status {
            303 => {}
            429 => {
                assert!(page.body.contains("wait a little"), "{}", page.body);
                return count;
            }
            other => panic!("{other}: {}", page.body),
        }
    }
    panic!("nobody refuses")
}

fn roomy() -> Options {
    Options { most_tables: 2000, ..options(None) }
}

#[test]
fn one_address_cannot_take_all_tables_and_forty_honest_people_share_one() {
    let server = behind_proxy(roomy());
    // A group behind one address: everybody can open some tables at once.
    for student in 0..40 {
        for _ in 0..3 {
            let page = open_from(&server, "192.0.2.7");
            assert_eq!(page.status, 303, "student {student}: {}", page.body);
        }
    }
    let taken = open_all(&server, |_| "198.51.100.1".to_owned());
    assert!((40..500).contains(&taken), "{taken}");
    assert_eq!(open_from(&server, "192.0.2.7").status, 303);
    // The IPv6 range of one subscriber counts as one address.
    let many = open_all(&server, |count| format!("2001:db8:0:1::{count:x}"));
    assert_eq!(many, taken);
    assert_eq!(open_from(&server, "2001:db8:0:2::1").status, 303);
    // The budget refills over time.
    server.time.tell(3_600_000);
    assert_eq!(open_from(&server, "198.51.100.1").status, 303);
}

#[test]
fn who_is_no_proxy_is_not_believed() {
    let server = start_with(&Options { limits: Limits::default(), ..roomy() });
    server.time.tell(0);
    let taken = open_all(&server, |count| format!("192.0.2.{}", count % 200));
    assert!(taken < 500, "{taken}");
    // Behind a proxy, addresses claimed by the visitor come before those the proxy adds.
    let server = behind_proxy(roomy());
    let taken = open_all(&server, |count| format!("192.0.2.{}, 198.51.100.1", count % 200));
    assert!(taken < 500, "{taken}");
}

#[test]
fn nobody_has_more_than_half_of_the_tables_in_memory() {
    let server = behind_proxy(Options { most_tables: 10, ..options(None) });
    let mut sockets = Vec::new();
    loop {
        let page = open_from(&server, "198.51.100.1");
        if page.status != 303 {
            assert!(page.status == 429 && page.body.contains("at most 5 tables"), "{}", page.body);
            break;
        }
        // Tables with viewers stay.
        sockets.push(server.browser().socket(page.header("location").unwrap(), ""));
    }
    assert_eq!(sockets.len(), 5);
    assert_eq!(open_from(&server, "192.0.2.7").status, 303);
}

#[test]
fn nobody_takes_the_queue_of_jobs_or_stops_what_others_have_begun() {
    let server = behind_proxy(options(None));
    let run = |seed: usize| format!("agent.0=merchant&agent.1=merchant&episodes=1000000&seed={seed}");
    let mut starter = server.browser();
    let own = post_by(&mut starter, &server, "192.0.2.7", "/lab/cartolan", &run(1));
    let own = own.header("location").unwrap().to_owned();
    let stop = format!("{own}/stop");
    // The same address is not sufficient.
    assert_eq!(post_from(&server, "192.0.2.7", &stop, "").status, 403);
    let page = post_from(&server, "198.51.100.1", &stop, "");
    assert!(page.status == 403 && page.body.contains("so can the operator"), "{}", page.body);
    let id = own.rsplit('/').next().unwrap();
    let elsewhere = [("x-forwarded-for", "198.51.100.1")];
    let page = server.browser().send("DELETE", &format!("/api/v1/jobs/{id}"), &elsewhere, "");
    assert_eq!(page.status, 403, "{}", page.body);
    // A second starter of the same run can watch it, but does not own it.
    assert_eq!(post_from(&server, "198.51.100.1", "/lab/cartolan", &run(1)).header("location"), Some(&*own));
    assert_eq!(post_from(&server, "198.51.100.1", &stop, "").status, 403);
    let taken = (2..30).take_while(|seed| {
        let page = post_from(&server, "198.51.100.1", "/lab/cartolan", &run(*seed));
        assert!(page.status == 303 || page.body.contains("of one visitor"), "{}", page.body);
        page.status == 303
    });
    assert_eq!(taken.count(), 8);
    assert_eq!(post_from(&server, "192.0.2.7", "/lab/cartolan", &run(99)).status, 303);
    assert_eq!(post_by(&mut starter, &server, "192.0.2.7", &stop, "").status, 303);
}

#[test]
fn one_address_cannot_take_all_room_for_uploads() {
    let server = behind_proxy(Options { most_upload_bytes: 4000, ..options(None) });
    let mut browser = server.browser();
    let mut kept = 0;
    for seed in 0..20 {
        // A table that ends at once, whose replay is uploaded under another name.
        let form = format!("agent.0=never&agent.1=never&seed={seed}");
        let table = post_from(&server, "203.0.113.9", "/new/incan-gold", &form);
        let table = table.header("location").unwrap().to_owned();
        until("the end of the game", || browser.get(&table).is_over());
        let replay = browser.get(&format!("{table}/replay.json")).body;
        let headers = [("content-type", "application/octet-stream"), ("x-forwarded-for", "198.51.100.1")];
        let page = browser.send("POST", "/api/v1/replays", &headers, replay);
        if page.status != 201 {
            assert_eq!(page.status, 429, "{}", page.body);
            break;
        }
        kept += 1;
    }
    assert!(kept < 20, "nobody refuses");
}

#[test]
fn a_run_ends_when_its_processor_time_is_used_up() {
    let server = behind_proxy(options(None));
    let form = "agent.0=merchant&agent.1=merchant&episodes=1000000&seed=1";
    let run = post_from(&server, "198.51.100.1", "/lab/cartolan", form);
    let run = run.header("location").unwrap().to_owned();
    let (began, mut now) = (std::time::Instant::now(), 0);
    while !server.browser().get(&run).body.contains("7200 seconds of processor time") {
        assert!(began.elapsed() < LIMIT, "it does not end");
        now += 3_600_000;
        server.time.tell(now);
    }
    // A further run of the same party waits; another party's begins.
    let form = form.replace("seed=1", "seed=2");
    let page = post_from(&server, "198.51.100.1", "/lab/cartolan", &form);
    assert!(page.status == 429 && page.body.contains("7200 seconds"), "{}: {}", page.status, page.body);
    assert_eq!(post_from(&server, "192.0.2.7", "/lab/cartolan", &form).status, 303);
    // Setting up the cells of a sweep is paid by the same budget.
    let walk = |from| {
        let path = "/lab/cartolan/walk?agent.0=merchant:2..4&agent.1=merchant";
        server.browser().send("GET", path, &[("x-forwarded-for", from)], "")
    };
    let page = walk("198.51.100.1");
    assert!(page.status == 429 && page.body.contains("7200 seconds"), "{}: {}", page.status, page.body);
    assert_eq!(walk("192.0.2.7").status, 200);
}

/// A run whose single episodes take many seconds.
fn slow_run(server: &Running, browser: &mut Browser, from: &str, seed: usize) -> String {
    let agent = "mcts:iterations=200";
    let form = format!("agent.0={agent}&agent.1={agent}&episodes=1000&seed={seed}");
    let run = post_by(browser, server, from, "/lab/carcassonne", &form);
    run.header("location").unwrap_or_else(|| panic!("{}", run.body)).to_owned()
}

#[test]
fn runs_with_long_episodes_stop_nobody_elses_and_can_be_stopped() {
    let server = behind_proxy(options(None));
    let mut starter = server.browser();
    let runs: Vec<String> =
        (1..6).map(|seed| slow_run(&server, &mut starter, "198.51.100.1", seed)).collect();
    let form = "agent.0=turn:7&agent.1=turn:8&episodes=500";
    let other = post_from(&server, "192.0.2.7", "/lab/incan-gold", form);
    let other = other.header("location").unwrap().to_owned();
    let says = |run: &str, words: &str| server.browser().get(run).body.contains(words);
    until("the run of another visitor", || says(&other, "Done: 500 episodes."));
    for run in &runs {
        let page = post_by(&mut starter, &server, "198.51.100.1", &format!("{run}/stop"), "");
        assert_eq!(page.status, 303, "{}", page.body);
    }
    for run in &runs {
        until("the stop of a long run", || says(run, "Stopped."));
    }
}

#[test]
fn processor_time_ends_a_run_within_its_first_piece() {
    let server = behind_proxy(options(None));
    let mut starter = server.browser();
    let run = slow_run(&server, &mut starter, "198.51.100.1", 1);
    let mut now = 0;
    until("the end by the budget", || {
        now += 3_600_000;
        server.time.tell(now);
        server.browser().get(&run).body.contains("7200 seconds of processor time")
    });
}

#[test]
fn messages_are_counted_by_address_and_come_back() {
    let server = behind_proxy(options(None));
    let send = |from: &str| post_from(&server, from, "/t/nowhere/act", "");
    let taken = (0..10_000).take_while(|_| send("198.51.100.1").status == 404).count();
    assert_eq!(taken, 3_000);
    let refused = send("198.51.100.1");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("10")), "{}", refused.body);
    assert_eq!(send("192.0.2.7").status, 404);
    server.time.tell(1_000);
    assert_eq!((0..10_000).take_while(|_| send("198.51.100.1").status == 404).count(), 200);
}

/// Waits until this many of the connections got 503, with a time to retry, and drops those.
fn until_refused(asking: &mut Vec<TcpStream>, count: usize) {
    asking.iter().for_each(|stream| stream.set_nonblocking(true).unwrap());
    let mut refused = 0;
    until("refusals", || {
        asking.retain_mut(|stream| {
            if stream.peek(&mut [0]).is_err() {
                return true;
            }
            stream.set_nonblocking(false).unwrap();
            let mut response = String::new();
            stream.read_to_string(&mut response).unwrap();
            let response = response.to_ascii_lowercase();
            let is_busy = response.starts_with("http/1.1 503") && response.contains("retry-after: 10");
            assert!(is_busy, "{response}");
            refused += 1;
            false
        });
        refused >= count
    });
    assert_eq!(refused, count);
}

/// A server on which requests for readers wait forever, and the page of a replay there.
fn without_readers() -> (Running, String) {
    let server = behind_proxy(Options { minds: 0, ..options(None) });
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "never"), ("agent.1", "never")]);
    until("the end of the game", || browser.get(&table).is_over());
    (server, table.replacen("/t/", "/r/", 1))
}

#[test]
fn too_many_who_wait_for_replays_are_refused_and_others_have_places_of_their_own() {
    let (server, replay) = without_readers();
    let mut waiting = Vec::new();
    for from in ["198.51.100.1", "192.0.2.7"] {
        let request = format!(
            "GET {replay} HTTP/1.1\r\nhost: {}\r\nx-forwarded-for: {from}\r\nconnection: close\r\n\r\n",
            server.address
        );
        let mut asking: Vec<TcpStream> = (0..70).map(|_| half_open(&server, &request)).collect();
        until_refused(&mut asking, 6);
        // The others wait while the next address comes.
        waiting.append(&mut asking);
    }
}

#[test]
fn plans_are_set_up_by_readers_and_not_by_the_threads_that_answer() {
    let (server, _) = without_readers();
    let sweep = "agent.0=turn:1..3&agent.1=turn:4&episodes=10";
    let json = r#"{"game":"incan-gold","line_up":["turn:1..3","turn:4"],"episodes":10}"#;
    let ways = [
        ("POST", "/api/v1/jobs", "application/json", json),
        ("POST", "/lab/incan-gold", "application/x-www-form-urlencoded", sweep),
        ("POST", "/lab/incan-gold/ask", "application/x-www-form-urlencoded", "agent=turn&agent=hazards"),
        ("POST", "/lab/incan-gold/walk", "application/x-www-form-urlencoded", sweep),
        ("POST", "/competitions/incan-gold", "application/x-www-form-urlencoded", "agent=turn&agent=hazards"),
        ("GET", "/lab/incan-gold/walk?agent.0=turn:1..3&agent.1=turn:4", "text/plain", ""),
    ];
    let ask = |(method, path, kind, body): (&str, &str, &str, &str)| {
        let host = server.address;
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n");
        let length = body.len();
        let kind = format!("content-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        half_open(&server, &format!("{head}{kind}{body}"))
    };
    // All ways in share one queue of 64.
    let mut asking: Vec<TcpStream> = (0..12).flat_map(|_| ways).map(ask).collect();
    until_refused(&mut asking, 8);
    assert_eq!(server.browser().get("/healthz").status, 200);
    for way in ways {
        let mut one = vec![ask(way)];
        until_refused(&mut one, 1);
    }
}

#[test]
fn slow_uploads_keep_only_their_sender_from_uploading() {
    let server = behind_proxy(options(None));
    let slow = format!(
        "POST /api/v1/replays HTTP/1.1\r\nhost: {}\r\nx-forwarded-for: 198.51.100.1\r\ncontent-type: application/octet-stream\r\ncontent-length: 100\r\n\r\n{{",
        server.address
    );
    let upload = |from: &str| {
        let headers = [("content-type", "application/octet-stream"), ("x-forwarded-for", from)];
        server.browser().send("POST", "/api/v1/replays", &headers, "no replay").status
    };
    // A look takes a place itself, so that a slow upload may find none: each look has one more.
    let mut senders: Vec<TcpStream> = (0..8).map(|_| half_open(&server, &slow)).collect();
    until("the sender's places to be taken", || {
        senders.push(half_open(&server, &slow));
        upload("198.51.100.1") == 503
    });
    assert_eq!(upload("192.0.2.7"), 400);
    drop(senders);
}

/// A replay of game17 on its largest board.
fn largest_board(rounds: usize) -> String {
    let found = meeple_games::parse_game("game17").unwrap();
    let seats = 24;
    let game = found.entry.set_up(None, &[("size".into(), "64".into())], seats).unwrap();
    let mut episode = game.episode(meeple_core::EpisodeSeed::new(1, 0));
    let players: Vec<_> = (0..game.seats()).map(|seat| format!("p{seat}").into()).collect();
    for _ in 0..rounds * seats {
        match episode.view().phase() {
            meeple_core::Phase::Over => break,
            meeple_core::Phase::Chance => episode.step_chance(),
            meeple_core::Phase::Decide(mut seats) => {
                let seat = seats.next().unwrap();
                let action = episode.sample_action(seat);
                episode.act(seat, &action).unwrap();
            }
        }
    }
    episode.view().replay(&players, None).to_text()
}

#[test]
fn moments_beyond_the_portion_are_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    drop(start(Some(&file)));
    // Its moments exceed a portion, and its last step would be refused if it were played.
    let mut replay: serde_json::Value = serde_json::from_str(&largest_board(600)).unwrap();
    *replay["steps"].as_array_mut().unwrap().last_mut().unwrap() = "0 nonsense".into();
    let text = meeple_replay::compressed(&replay.to_string());
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("insert into replay values('wrong', ?, 0)", [text]).unwrap();
    drop(database);
    let server = start(Some(&file));
    let mut browser = server.browser();
    let page = browser.get("/r/wrong/moments?from=0");
    assert_eq!(page.status, 200, "{}", page.body);
    let moments: serde_json::Value = serde_json::from_str(&page.body).unwrap();
    assert!(moments["until"].as_u64().is_some(), "all of them fit");
    // The step is refused where it is played.
    assert_ne!(browser.get("/r/wrong").status, 200);
}

/// A replay with this number of steps, in which everybody passes.
fn long_replay(steps: usize) -> String {
    let found = meeple_games::parse_game("game17").unwrap();
    let settings = [("size".into(), "3".into()), ("rounds".into(), "10000".into())];
    let game = found.entry.set_up(None, &settings, 9).unwrap();
    let mut episode = game.episode(meeple_core::EpisodeSeed::new(1, 0));
    while episode.view().steps() < steps {
        match episode.view().phase() {
            meeple_core::Phase::Decide(seats) => {
                let seat = seats.into_iter().next().expect("somebody decides");
                episode.decide(seat, meeple_core::Answer::Text("-")).unwrap();
            }
            _ => episode.step_chance(),
        }
    }
    let players: Vec<_> = (0..game.seats()).map(|seat| format!("p{seat}").into()).collect();
    episode.view().replay(&players, None).to_text()
}

#[test]
fn tables_that_play_on_are_charged_for_their_steps() {
    // A visitor's budget is a quarter of this: 655 steps of 400 bytes.
    let server = behind_proxy(Options { most_upload_bytes: 1 << 20, ..options(None) });
    let headers = [("content-type", "application/octet-stream"), ("x-forwarded-for", "203.0.113.9")];
    let body = meeple_replay::compressed(&long_replay(50_100));
    let kept = server.browser().send("POST", "/api/v1/replays", &headers, &body);
    assert_eq!(kept.status, 201, "{}", kept.body);
    let kept: serde_json::Value = serde_json::from_str(&kept.body).unwrap();
    let path = format!("/r/{}/play", kept["id"].as_str().unwrap());
    let play_on =
        |from: &str, at: usize| post_from(&server, from, &path, &format!("at={at}&seat=0&agent=random"));
    assert_eq!(play_on("192.0.2.7", 600).status, 303);
    let page = play_on("192.0.2.7", 600);
    assert!(page.status == 429 && page.body.contains("bytes of replays"), "{}", page.body);
    assert_eq!(play_on("198.51.100.1", 600).status, 303);
    let page = play_on("198.51.100.1", 50_050);
    assert!(page.status == 400 && page.body.contains("expected at most 50000 steps"), "{}", page.body);
}

#[test]
fn every_page_of_a_replay_of_the_largest_board_is_bounded() {
    let text = largest_board(4);
    let server = start(None);
    let mut browser = server.browser();
    let body = meeple_replay::compressed(&text);
    let kept =
        browser.send("POST", "/api/v1/replays", &[("content-type", "application/octet-stream")], &body);
    assert_eq!(kept.status, 201, "{}", kept.body);
    let kept: serde_json::Value = serde_json::from_str(&kept.body).unwrap();
    let page = format!("/r/{}", kept["id"].as_str().unwrap());
    // A portion, and a drawing of 4,096 squares more.
    let most = 6 << 20;
    let mut check = |path: &str| {
        let page = browser.get(path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(page.body.len() < most, "{path}: {} bytes", page.body.len());
        page
    };
    check(&page);
    check(&format!("{page}/at/last"));
    check(&format!("{page}/at/0.svg"));
    let mut from = Some(0);
    while let Some(begins) = from {
        let answer = check(&format!("{page}/moments?from={begins}")).body;
        let moments: serde_json::Value = serde_json::from_str(&answer).unwrap();
        from = moments["until"].as_u64();
        assert!(from.is_none_or(|from| from > begins), "{from:?}");
    }
}

/// A connection on which a part of a request was sent.
fn half_open(server: &Running, part: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream.write_all(part.as_bytes()).unwrap();
    stream
}

/// Everything received until the other end closes.
fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
        {
            panic!("it stays open")
        }
        _ => String::from_utf8(text).unwrap(),
    }
}

fn received(reception: Reception) -> Running {
    start_with(&Options { reception, ..options(None) })
}

#[test]
fn two_thousand_half_open_connections_keep_nobody_out() {
    // Both ends are in this process.
    assert!(raise_open_files().is_none_or(|files| files > 2_500), "this test needs 2,500 open files");
    let hour = Duration::from_secs(3600);
    let server = received(Reception { head: hour, body: hour, connections: Some(200) });
    let mut silent = Vec::new();
    for count in 0..2_000 {
        silent.push(half_open(&server, if count % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nhost: x" }));
        if count % 500 == 499 {
            assert_eq!(server.browser().get("/healthz").status, 200, "after {count}");
        }
    }
    // The oldest ones have made room.
    assert_eq!(rest(silent.swap_remove(0)), "");
}

#[test]
fn requests_that_do_not_come_are_ended() {
    let short = Duration::from_millis(200);
    let server = received(Reception { head: short, body: short, connections: None });
    rest(half_open(&server, ""));
    rest(half_open(&server, "GET / HTTP/1.1\r\nhost: x\r\nx-slow: "));
    let head =
        format!("POST /api/v1/tables HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json", server.address);
    let response = rest(half_open(&server, &format!("{head}\r\ncontent-length: 100\r\n\r\n{{")));
    assert!(response.starts_with("HTTP/1.1 4"), "{response}");
}

/// Sends the beginning of a request for whose body the server waits.
fn in_progress(server: &Running, mut stream: TcpStream) -> TcpStream {
    let head =
        format!("POST /api/v1/tables HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json", server.address);
    stream
        .write_all(format!("{head}\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n").as_bytes())
        .unwrap();
    assert_eq!(first_bytes(&mut stream), "HTTP/1.1 100");
    stream
}

/// The version and the status that a response begins with.
fn first_bytes(stream: &mut TcpStream) -> String {
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8(answer.into()).unwrap()
}

#[test]
fn idle_connections_make_room_and_the_one_that_is_idle_longest_first() {
    let hour = Duration::from_secs(3600);
    let server = received(Reception { head: hour, body: hour, connections: Some(3) });
    let request = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..3 {
        idle.push(half_open(&server, request));
        assert_eq!(first_bytes(idle.last_mut().unwrap()), "HTTP/1.1 200");
    }
    // The first one is used again, so the second one is idle longest.
    idle[0].write_all(request.as_bytes()).unwrap();
    until("the second answer", || {
        let mut text = [0; 4096];
        let count = idle[0].peek(&mut text).unwrap();
        String::from_utf8_lossy(&text[..count]).contains("HTTP/1.1 200")
    });
    assert_eq!(server.browser().get("/healthz").status, 200);
    assert!(rest(idle.remove(1)).ends_with("ok\n"));
    for mut stream in idle {
        stream.set_nonblocking(true).unwrap();
        // Whatever it has received, it is open.
        let open = loop {
            match stream.read(&mut [0; 4096]) {
                Ok(0) => break false,
                Ok(_) => {}
                Err(error) => break error.kind() == std::io::ErrorKind::WouldBlock,
            }
        };
        assert!(open);
    }
}

/// A connection from this address of the machine.
#[cfg(target_os = "linux")]
fn connected_from(server: &Running, from: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket.connect(server.address).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream
}

#[cfg(target_os = "linux")]
#[test]
fn one_address_has_at_most_half_of_all_connections() {
    let hour = Duration::from_secs(3600);
    let reception = Reception { head: hour, body: hour, connections: Some(4) };
    let server = start_with(&Options { reception, limits: Limits::default(), ..options(None) });
    let used: Vec<TcpStream> =
        (0..2).map(|_| in_progress(&server, connected_from(&server, "127.0.0.2"))).collect();
    let ask = |from: &str| {
        let mut stream = connected_from(&server, from);
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        first_bytes(&mut stream)
    };
    assert_eq!(ask("127.0.0.2"), "HTTP/1.1 503");
    for _ in 0..3 {
        assert_eq!(ask("127.0.0.3"), "HTTP/1.1 200");
    }
    drop(used);
    // A trusted proxy has the connections of all visitors.
    let reception = Reception { head: hour, body: hour, connections: Some(4) };
    let server = behind_proxy(Options { reception, ..options(None) });
    let _used: Vec<TcpStream> =
        (0..4).map(|_| in_progress(&server, connected_from(&server, "127.0.0.2"))).collect();
}

#[test]
fn connections_without_room_are_refused_with_a_reason() {
    let hour = Duration::from_secs(3600);
    let server = received(Reception { head: hour, body: hour, connections: Some(2) });
    let mut used: Vec<TcpStream> = (0..2).map(|_| in_progress(&server, half_open(&server, ""))).collect();
    let response = rest(half_open(&server, "GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
    assert!(response.starts_with("HTTP/1.1 503") && response.ends_with("try again shortly\n"), "{response}");
    drop(used.pop());
    until("room for another connection", || {
        Browser::new(server.address).try_get("/healthz").is_some_and(|page| page.status == 200)
    });
}

#[test]
fn answers_that_nobody_reads_keep_no_place() {
    let server = received(Reception { connections: Some(2), ..Reception::default() });
    let mut now = 0;
    server.time.tell(now);
    // Far more than the buffers between both ends hold.
    let request = format!("GET /rules/cartolan HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let greedy: Vec<TcpStream> = (0..2).map(|_| half_open(&server, &request.repeat(500))).collect();
    let began = std::time::Instant::now();
    while Browser::new(server.address).try_get("/healthz").is_none_or(|page| page.status != 200) {
        assert!(began.elapsed() < LIMIT, "there is room again");
        now += 30_000;
        server.time.tell(now);
    }
    drop(greedy);
}

#[test]
fn old_tables_that_nobody_has_touched_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let fields = [("agent.0", "me"), ("agent.1", "turn:3")];
    let tables: Vec<String> = (0..3).map(|_| browser.open("incan-gold", &fields)).collect();
    for table in &tables[..2] {
        browser.until_asked(table);
    }
    let page = browser.until_asked(&tables[1]);
    assert_eq!(browser.answer(&tables[1], &page, "stay").status, 303);
    drop(server);
    let database = rusqlite::Connection::open(&file).unwrap();
    let age = "update game set created = created - 4 * 24 * 3600 where id <> ?";
    assert_eq!(database.execute(age, [&tables[2][3..]]).unwrap(), 2);
    drop(database);
    let server = start(Some(&file));
    let mut browser = browser.at(server.address);
    // A visit to the table would restore it, and tables in use are kept.
    until("the old table to go", || browser.get(&format!("/r/{}", &tables[0][3..])).status == 404);
    for (table, status) in tables.iter().zip([404, 200, 200]) {
        assert_eq!(browser.get(table).status, status, "{table}");
    }
}
