//! Replay verification: `verify` covers all content of a replay.

use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use meeple_arena::schedule::Kind;
use meeple_arena::{DATABASE, REPLAYS, RecordStore, ReplayRetention, Verification, verify};
use meeple_lab::{NoProgress, StopFlag};
use serde_json::{Value, json};

use crate::{play_all, request};

fn proved(directory: &Path) -> Verification {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Puts another replay into the record, in the place of the old one.
fn replace(directory: &Path, episode: i64, replay: &Value) {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    writeln!(packer, "{replay}").unwrap();
    replace_bytes(directory, episode, &packer.finish().unwrap());
}

/// Puts other bytes in the place of a stored replay; those behind it move.
fn replace_bytes(directory: &Path, episode: i64, packed: &[u8]) {
    let path = directory.join(REPLAYS);
    let bytes = std::fs::read(&path).unwrap();
    let database = rusqlite::Connection::open(directory.join(DATABASE)).unwrap();
    let sql = "SELECT replay_at, replay_bytes FROM episodes WHERE idx = ?1";
    let span = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let (at, old) = database.query_row(sql, [episode], span).unwrap();
    let (before, behind) = (&bytes[..at as usize], &bytes[(at + old) as usize..]);
    std::fs::write(&path, [before, packed, behind].concat()).unwrap();
    let moved = packed.len() as i64 - old;
    let sql = "UPDATE episodes SET replay_at = replay_at + iif(idx > ?2, ?1, 0), replay_bytes = replay_bytes + iif(idx = ?2, ?1, 0)";
    database.execute(sql, (moved, episode)).unwrap();
}

/// The JSON pointers of all values inside a value, including lists and objects.
fn paths(value: &Value, prefix: &str, found: &mut Vec<String>) {
    let mut inner = |key: &str, value: &Value| {
        let path = format!("{prefix}/{key}");
        found.push(path.clone());
        paths(value, &path, found);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| inner(key, value)),
        Value::Array(items) => (0..).zip(items).for_each(|(index, value)| inner(&index.to_string(), value)),
        _ => {}
    }
}

/// A changed value; `None` for objects.
fn changed(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Number(number) => json!(number.as_f64()? as i64 + 1),
        Value::Bool(truth) => json!(!truth),
        Value::String(text) => json!(format!("{text}x")),
        Value::Null => json!(1),
        Value::Array(items) => json!([items.as_slice(), &[json!(1)]].concat()),
        Value::Object(_) => return None,
    })
}

/// All content of a stored replay is verified, down to each score of its result and the name of each zombie.
/// Changes, omissions and additions are detected, and the episode is named.
#[test]
fn every_word_of_a_replay_is_proved() {
    let mut request = request("game17", "t800 hunter");
    request.schedule = Some(Kind::Single);
    request.set = vec![("size".into(), "3".into()), ("rounds".into(), "2".into())];
    (request.deals, request.replays, request.resamples) = (Some(1), Some(ReplayRetention::All), 50);
    let directory = tempfile::tempdir().unwrap();
    play_all(&request.plan().unwrap(), directory.path());
    let mut text = String::new();
    let bytes = std::fs::read(directory.path().join(REPLAYS)).unwrap();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    let replay: Value = serde_json::from_str(text.trim_end()).unwrap();
    replace(directory.path(), 0, &replay);
    assert!(proved(directory.path()).is_proved(), "put back as it was");

    let mut all = Vec::new();
    paths(&replay, "", &mut all);
    for expected in ["/result", "/result/scores/0", "/result/places/8", "/result/end", "/players/8", "/seed"]
    {
        assert!(all.iter().any(|path| path == expected), "{expected} is there: {all:?}");
    }
    let mut tampered = Vec::new();
    for path in &all {
        let mut other = replay.clone();
        let place = other.pointer_mut(path).unwrap();
        if let Some(value) = changed(place) {
            *place = value;
            tampered.push((format!("{path} changed"), other));
        }
        let (above, key) = path.rsplit_once('/').unwrap();
        let mut other = replay.clone();
        match other.pointer_mut(above).unwrap() {
            Value::Object(fields) => {
                fields.shift_remove(key);
            }
            Value::Array(items) => {
                items.remove(key.parse().unwrap());
            }
            _ => unreachable!("only these hold others"),
        }
        tampered.push((format!("{path} removed"), other));
    }
    assert!(tampered.len() > 60, "{} ways", tampered.len());
    for (what, other) in tampered {
        replace(directory.path(), 0, &other);
        let found = proved(directory.path());
        assert!(!found.is_proved() && found.unproved == 1, "{what} is not noticed: {found:?}");
        let [problem] = found.problems.as_slice() else { panic!("{what}: {found:?}") };
        assert!(problem.contains("episode 0: "), "{what}: {problem}");
    }
    // The problem names the result, and the expected and the found one.
    let mut other = replay.clone();
    other["result"]["scores"][0] = json!(77);
    replace(directory.path(), 0, &other);
    let found = proved(directory.path()).problems.concat();
    assert!(
        found.contains("episode 0: result of the replay: expected {") && found.contains("[77,"),
        "{found}"
    );
}

/// A small complete tournament with replays.
fn small() -> tempfile::TempDir {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    (request.deals, request.replays, request.resamples) = (Some(3), Some(ReplayRetention::All), 50);
    let directory = tempfile::tempdir().unwrap();
    play_all(&request.plan().unwrap(), directory.path());
    assert!(proved(directory.path()).is_proved());
    directory
}

/// A record has exactly the schema of its format, so readers without this program see the stored data, too.
#[test]
fn a_record_has_exactly_its_schema() {
    let directory = small();
    let path = directory.path().join(DATABASE);
    let whole = std::fs::read(&path).unwrap();
    for (change, expected) in [
        (
            "CREATE TRIGGER t AFTER INSERT ON episodes BEGIN DELETE FROM faults; END",
            "the trigger 't' is none",
        ),
        (
            "DROP VIEW seats; CREATE VIEW seats AS SELECT 1 AS episode",
            "the view 'seats' is not as it was made",
        ),
        ("CREATE VIEW more AS SELECT * FROM episodes", "the view 'more' is none"),
        ("CREATE TABLE notes (text TEXT)", "the table 'notes' is none"),
        ("CREATE INDEX quick ON episodes (deal)", "the index 'quick' is none"),
        ("DROP INDEX faults_by_episode", "the index 'faults_by_episode' is missing"),
        ("DROP VIEW seats", "the view 'seats' is missing"),
        ("ALTER TABLE sessions ADD COLUMN more TEXT", "the table 'sessions' is not as it was made"),
        ("ALTER TABLE ratings RENAME COLUMN band TO bond", "the table 'ratings' is not as it was made"),
    ] {
        rusqlite::Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let refused = [
            verify(directory.path(), &mut NoProgress, &StopFlag::new()).map(drop),
            RecordStore::open(directory.path()).map(drop),
            RecordStore::open_read_only(directory.path()).map(drop),
        ];
        for error in refused.map(|result| result.expect_err(change).to_string()) {
            assert!(error.contains(expected) && error.contains("nothing was changed"), "{change}: {error}");
        }
        std::fs::write(&path, &whole).unwrap();
    }
    assert!(proved(directory.path()).is_proved());
}

/// Everything in the directory and its files is verified, or known to be unverified; other content is found.
#[test]
fn what_nothing_stored_tells_is_found() {
    type Change = fn(&Path);
    fn append(path: &Path, bytes: &[u8]) {
        let whole = std::fs::read(path).unwrap();
        std::fs::write(path, [&whole, bytes].concat()).unwrap();
    }
    let changes: [(&str, Change); 10] = [
        ("matchups.csv: no tournament", |at| std::fs::write(at.join("matchups.csv"), "name\n").unwrap()),
        ("notes.txt: no tournament", |at| std::fs::write(at.join("notes.txt"), "").unwrap()),
        ("more: no tournament", |at| std::fs::create_dir(at.join("more")).unwrap()),
        ("logs: no tournament", |at| std::fs::write(at.join("logs"), "").unwrap()),
        ("tournament.db: 5 bytes behind its end", |at| append(&at.join(DATABASE), b"extra")),
        ("replays.jsonl.gz: 5 bytes that belong", |at| append(&at.join(REPLAYS), b"extra")),
        ("replays.jsonl.gz: replay of episode 2: expected its end, found 7 more bytes", |at| {
            let bytes = std::fs::read(at.join(REPLAYS)).unwrap();
            let database = rusqlite::Connection::open(at.join(DATABASE)).unwrap();
            let sql = "SELECT replay_at, replay_bytes FROM episodes WHERE idx = 2";
            let (begin, length): (i64, i64) =
                database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let packed = &bytes[begin as usize..(begin + length) as usize];
            replace_bytes(at, 2, &[packed, b"trailer"].concat());
        }),
        ("replays.jsonl.gz: 9 bytes that belong", |at| {
            // A gap between two replays.
            let bytes = std::fs::read(at.join(REPLAYS)).unwrap();
            std::fs::write(at.join(REPLAYS), [b"123456789".as_slice(), &bytes].concat()).unwrap();
            let database = rusqlite::Connection::open(at.join(DATABASE)).unwrap();
            database.execute("UPDATE episodes SET replay_at = replay_at + 9", []).unwrap();
        }),
        ("the table meta: expected command", |at| {
            let database = rusqlite::Connection::open(at.join(DATABASE)).unwrap();
            database.execute("INSERT INTO meta VALUES ('winner', 'random:0.5')", []).unwrap();
        }),
        ("standings.csv: it is not what follows", |at| append(&at.join("standings.csv"), b"\n")),
    ];
    for (expected, change) in changes {
        let directory = small();
        change(directory.path());
        let found = proved(directory.path());
        let is_reported = found.problems.iter().any(|problem| problem.contains(expected));
        assert!(is_reported && !found.is_proved(), "{expected}: {found:?}");
    }
    // Known leftovers of SQLite, of killed runs and of an original's match simulator are accepted.
    let directory = small();
    for name in ["tournament.db-journal", ".standings.json.abc.tmp"] {
        std::fs::write(directory.path().join(name), "").unwrap();
    }
    std::fs::create_dir(directory.path().join("output")).unwrap();
    let found = proved(directory.path());
    assert!(found.is_proved(), "{found:?}");
}
