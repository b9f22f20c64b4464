//! `meeple load`: counts, proofs and refusals.

use meeple_testkit::waits::until_some;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::{json, meeple};

#[test]
fn tables_are_played_and_everything_is_counted() {
    let report = json(
        "load --game incan-gold --tables 4 --every 0 --seconds 300 --answers 500 --idle 8 --watchers 2 --json",
    );
    let count = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!(count("acts"), count("acknowledged"));
    assert_eq!((count("lost"), count("doubled"), count("repeated"), count("reconnects")), (0, 0, 0, 0));
    assert!(count("opened") >= 4 && count("finished") > 0 && count("proved") > 0, "{report}");
    assert_eq!(report["errors"], serde_json::json!({}));
    assert_eq!(report["act_to_ack_ms"]["count"], report["acknowledged"]);
    // Every table has four viewers with a first frame: two players and two spectators.
    assert_eq!(report["first_frame_bytes"]["count"].as_u64(), Some(4 * count("opened")));
    // An answer is counted once for each viewer who sees an effect of it.
    let seen = report["act_to_seen_ms"]["count"].as_u64().unwrap();
    assert!(seen + count("unseen") <= 4 * count("acts") && seen > 0, "{report}");
    if cfg!(target_os = "linux") {
        assert!(report["server"]["memory_bytes"].as_u64() > Some(1 << 20), "{report}");
        assert!(report["server"]["idle_socket_bytes"].is_number(), "{report}");
    }
}

#[test]
fn agents_of_the_server_sit_beside_people() {
    let words = "load --game carcassonne/classic --people 1 --agent random --tables 2 --every 0 --seconds 300 --answers 20 --json";
    let report = json(words);
    assert_eq!(report["agents"], serde_json::json!(["random"]));
    assert!(report["act_to_asked_ms"]["count"].as_u64() > Some(1), "{report}");
}

#[test]
fn effects_of_a_run_on_tables_are_reported_separately() {
    let words = "load --game incan-gold --tables 2 --every 0 --seconds 1 --json";
    let words: Vec<&str> = words.split(' ').chain(["--beside", "incan-gold turn:7 turn:4"]).collect();
    let finished = assert_cmd::Command::cargo_bin("meeple").unwrap().args(words).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&finished.stdout).unwrap();
    let beside = &report["beside"];
    assert_eq!(beside["run"], "incan-gold turn:7 turn:4", "{report}");
    let count = |of: &serde_json::Value| of["act_to_ack_ms"]["count"].as_u64().unwrap();
    assert!(count(beside) > 0 && count(&report) > 0, "{report}");
    assert_eq!(count(beside) + count(&report), report["acknowledged"].as_u64().unwrap());
    assert_eq!(report["errors"], serde_json::json!({}));
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_by_ten_kills() {
    let report = json("load --game incan-gold --tables 12 --every 0 --kill 10 --seed 7 --json");
    let count = |name: &str| report[name].as_u64().unwrap();
    assert_eq!(report["server"]["kills"], 10);
    assert_eq!((count("lost"), count("doubled")), (0, 0), "{report}");
    // All games are played to their end, and each of their answers stands in a replay.
    assert_eq!(count("proved"), count("acknowledged"));
    assert_eq!(count("finished"), count("opened"));
    assert!(count("reconnects") >= 10 * 12, "{report}");
}

#[test]
fn a_server_that_runs_already_is_played_at() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut server = std::process::Command::new(assert_cmd::cargo::cargo_bin("meeple"))
        .args(["serve", "--port", "0", "--forget"])
        .stdout(file.reopen().unwrap())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let address = until_some("the address of the server", || {
        std::fs::read_to_string(file.path()).unwrap().strip_suffix('\n').map(str::to_owned)
    });
    let report = json(&format!(
        "load {address} --game incan-gold --tables 2 --every 0 --seconds 300 --answers 20 --json"
    ));
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(report["server"], serde_json::json!(null));
    assert!(report["acknowledged"].as_u64() > Some(0), "{report}");
}

#[test]
fn what_cannot_be_is_refused() {
    for (words, expected) in [
        ("load --game chess", "unknown game"),
        ("load --game incan-gold/huge", "unknown preset"),
        ("load --game carcassonne --people 9", "expected 2 to 6 seats, found 9"),
        ("load --game incan-gold --tables 0", "tables: expected 1 to 10000, found 0"),
        ("load --game incan-gold --tables 10000 --people 8", "sockets of tables and idle ones together"),
        ("load --game incan-gold --seconds 100000", "seconds: expected 1 to 3600"),
        ("load --game incan-gold --every never", "expected a time from 1ms to 3600s"),
        ("load --game incan-gold --beside chess", "unknown game"),
        ("load --game incan-gold --beside incan-gold", "expected a game and its agents, found 'incan-gold'"),
        ("load 192.0.2.1:80 --game incan-gold", "192.0.2.1:80 is another machine\nhint:"),
        ("load https://127.0.0.1:80 --game incan-gold", "no TLS is spoken here"),
        ("load nowhere --game incan-gold", "'nowhere': expected an address"),
        ("load 127.0.0.1:80 --kill 3 --game incan-gold", "--kill"),
    ] {
        meeple(words).assert().code(2).stderr(contains(expected));
    }
    // No server listens at this address.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refused = meeple(&format!("load {nobody} --game incan-gold --tables 1")).assert().code(1);
    refused.stderr(contains(nobody.to_string()));
    meeple("load --game incan-gold --agent ghost --people 1 --tables 1")
        .assert()
        .code(1)
        .stderr(contains("the server opens no table (status 400)").and(contains("ghost")));
}
