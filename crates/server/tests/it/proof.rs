//! Verification of a server's file: a good file passes, and alterations are found.

use std::path::{Path, PathBuf};

use meeple_lab::{NoProgress, StopFlag};
use meeple_server::{FileProof, prove_file};
use rusqlite::Connection;

use crate::client::{Browser, Running, options, start, start_with};

fn proved(file: &Path) -> FileProof {
    prove_file(file, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Plays a table of two people to its end, or for at most this number of decisions.
fn play(browser: &mut Browser, table: &str, most: usize) {
    for _ in 0..most {
        let page = browser.until_asked(table);
        if page.is_over() {
            return;
        }
        let actions = page.actions();
        assert_eq!(browser.answer(table, &page, &actions[0]).status, 303);
    }
}

/// Fills a file with everything: finished and running tables, a member, an upload, a competition and a run.
fn filled(file: &Path) {
    let mut config = options(Some(file));
    config.accounts = true;
    let server: Running = start_with(&config);
    let mut ann = server.browser();
    let register = [("name", "Ann"), ("password", "four words are long")];
    assert_eq!(ann.post("/register", &register).status, 303);
    let own = ann.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend"), ("time", "10m+5s")]);
    let mut guest = server.browser();
    assert_eq!(guest.post(&format!("{own}/join"), &[("seat", "1"), ("name", "Ben")]).status, 303);
    play(&mut ann, &own, 1);
    let whole = guest.open("incan-gold", &[("agent.0", "me"), ("agent.1", "me")]);
    play(&mut guest, &whole, usize::MAX);
    let begun = guest.open("carcassonne", &[("agent.0", "me"), ("agent.1", "greedy")]);
    play(&mut guest, &begun, 4);
    let replay = guest.get(&format!("/r/{}/replay.json", &whole[3..])).body;
    let kind = [("content-type", "application/octet-stream")];
    assert_eq!(guest.send("POST", "/api/v1/replays", &kind, replay).status, 201);
    let competition = [("others", "turn:7\nnever"), ("deals", "20")];
    let competition =
        guest.post("/competitions/incan-gold", &competition).header("location").unwrap().to_owned();
    let run = guest.post("/lab/incan-gold", &[("agent.0", "turn:7"), ("episodes", "100")]);
    let run = run.header("location").unwrap().to_owned();
    for job in [&competition, &run] {
        guest.until_ended(job);
    }
}

#[test]
fn a_file_proves_itself_and_what_is_altered_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    filled(&file);
    let before = std::fs::read(&file).unwrap();
    let found = proved(&file);
    assert!(found.is_proved(), "{:?}", found.problems);
    assert_eq!((found.tables, found.replays, found.members, found.sessions), (3, 1, 1, 1), "{found:?}");
    assert_eq!((found.competitions, found.episodes, found.runs), (1, 40, 1), "{found:?}");
    assert!(found.entries >= 6, "{found:?}");
    assert!(std::fs::read(&file).unwrap() == before, "nothing is written");

    let altered = |sql: &str| -> PathBuf {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        let database = Connection::open(&copy).unwrap();
        let changed = database.execute(sql, []).unwrap();
        assert!(changed > 0, "{sql}: it changes nothing");
        copy
    };
    for (sql, expected) in [
        (
            "update entry set entry = replace(entry, 'stay', 'fly') where number = 0",
            "entry 0 of the record does not fit",
        ),
        ("delete from entry where number = 0", "expected entry 0, found"),
        (
            "update entry set number = number + 1000 where number = (select max(number) from entry)",
            "expected entry",
        ),
        ("update game set ended = null where ended is not null", "found one marked as being played"),
        ("update game set ended = 1 where ended is null", "found one marked as over"),
        ("update game set holders = '[\"open\"]'", "expected"),
        ("update game set left = '[1]' where time is not null", "expected the time left to 2 seats"),
        ("update game set time = 'soon' where time is not null", "time: expected as in 30s"),
        ("update game set settings = '[[\"rounds\",\"0\"]]'", "rounds"),
        ("update key set seat = 7", "seat 7: expected one of"),
        ("update sitting set seat = 7", "seat 7: expected one of"),
        ("update sitting set account = 'ghost'", "seats of no member: 'ghost'"),
        ("insert into entry values('ghost', 0, '{}')", "entries of no table: 'ghost'"),
        ("insert into key values('ghost', x'00', 0)", "keys to no table: 'ghost'"),
        ("update account set folded = 'ben'", "expected the name 'Ann' folded, found 'ben'"),
        ("update account set password = 'plain'", "expected the hash of a password"),
        ("update session set account = 'ghost'", "logins of no member: 'ghost'"),
        ("update session set hash = x'00'", "expected 32 bytes, found 1"),
        ("insert into ban values('nowhere', 0)", "bans: expected an address, found 'nowhere'"),
        ("update replay set id = 'other'", "expected the text of this name"),
        ("update replay set text = x'7b7d'", "replay "),
        ("update piece set last = last + 1", "found"),
        ("update piece set competition = 'ghost'", "pieces of no competition: 'ghost'"),
        ("update piece set shard = x'7b7d'", "competition "),
        ("update competition set result = null where state = 2", "expected standings, found none"),
        ("update competition set state = 1 where state = 2", "expected no standings before the end"),
        ("update job set result = '{'", "run "),
    ] {
        let found = proved(&altered(sql));
        assert!(
            !found.is_proved() && found.problems.iter().any(|problem| problem.contains(expected)),
            "{sql}: {:?}",
            found.problems
        );
    }
    // Data that this release cannot replay is unverified, but no problem.
    for sql in [
        "update game set rules = rules + 1",
        "update competition set id = 'other'; update piece set competition = 'other'",
        "update job set id = 'other'",
    ] {
        let copy = altered(sql.split_once(';').map_or(sql, |(first, _)| first));
        if let Some((_, second)) = sql.split_once(';') {
            Connection::open(&copy).unwrap().execute(second, []).unwrap();
        }
        let found = proved(&copy);
        assert!(found.unproved > 0 && found.problem_count == 0 && !found.is_proved(), "{sql}: {found:?}");
    }
}

#[test]
fn episodes_and_standings_of_competitions_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    filled(&file);
    let database = Connection::open(&file).unwrap();
    let packed = |query: &str| -> String {
        let packed: Vec<u8> = database.query_row(query, [], |row| row.get(0)).unwrap();
        meeple_replay::read_text(packed, 64 << 20).unwrap()
    };
    let result = packed("select result from competition");
    let shard = packed("select shard from piece order by first limit 1");
    let alter = |sql: &str, text: &str| {
        assert_eq!(database.execute(sql, [meeple_replay::compressed(text)]).unwrap(), 1);
        let found = proved(&file);
        found.problems.join("\n")
    };
    assert!(result.contains("turn:7"));
    let problem = alter("update competition set result = ?", &result.replace("turn:7", "turn:8"));
    assert!(problem.contains("the stored standings do not follow"), "{problem}");
    alter("update competition set result = ?", &result);
    // A changed score of the first episode.
    let at = shard.find("\"scores\":[").expect("episodes have scores") + "\"scores\":[".len();
    let forged = format!("{}1{}", &shard[..at], &shard[at..]);
    let problem = alter("update piece set shard = ? where first = 0", &forged);
    assert!(problem.contains("competition "), "{problem}");
}

#[test]
fn what_is_no_file_of_a_server_that_is_down_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let problem = |file: &Path| {
        prove_file(file, &mut NoProgress, &StopFlag::new()).expect_err("it is refused").to_string()
    };
    let server = start(Some(&file));
    assert!(problem(&file).contains("another server uses it"), "{}", problem(&file));
    drop(server);
    assert!(proved(&file).is_proved());
    let database = Connection::open(&file).unwrap();
    for (version, words) in [(3, "an older meeple has written it"), (99, "a newer meeple has written it")] {
        database.pragma_update(None, "user_version", version).unwrap();
        assert!(problem(&file).contains(words), "{}", problem(&file));
    }
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("create table books (title text)").unwrap();
    assert!(problem(&foreign).contains("another program's database"), "{}", problem(&foreign));
}
