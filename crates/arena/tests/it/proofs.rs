//! Replay verification: `verify` covers all content of a replay.

use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use meeple_arena::schedule::Kind;
use meeple_arena::{
    Bots, DATABASE, REPLAYS, RecordStore, ReplayRetention, SprtMatch, TournamentPlan, Verification, verify,
};
use meeple_lab::{NoProgress, StopFlag};
use serde_json::{Value, json};

use crate::{play, play_all, request};

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
    let changes: [(&str, Change); 18] = [
        (".standings.json.abc.tmp: no tournament", |at| {
            std::fs::write(at.join(".standings.json.abc.tmp"), "").unwrap();
        }),
        ("tournament.db-shm: no tournament", |at| std::fs::write(at.join("tournament.db-shm"), "").unwrap()),
        ("plots/link: no tournament", |at| std::os::unix::fs::symlink("/", at.join("plots/link")).unwrap()),
        ("plots/.hidden.tmp: no tournament", |at| std::fs::write(at.join("plots/.hidden.tmp"), "").unwrap()),
        ("output/1/pipe: no tournament", |at| {
            std::fs::create_dir_all(at.join("output/1")).unwrap();
            make_pipe(&at.join("output/1/pipe"));
        }),
        ("column seating: expected the text '[0,1]', found '[0, 1]'", |at| {
            let database = rusqlite::Connection::open(at.join(DATABASE)).unwrap();
            let alter = "UPDATE episodes SET seating = '[0, 1]' WHERE seating = '[0,1]'";
            assert!(database.execute(alter, []).unwrap() > 0);
        }),
        ("replay of episode 1: expected the text of a replay", |at| {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(format!("{} \n", replay_text(at, 1)).as_bytes()).unwrap();
            replace_bytes(at, 1, &packer.finish().unwrap());
        }),
        ("replay of episode 1: expected the text of a replay", |at| {
            let twice = replay_text(at, 1).replace("\"variant\":{", "\"variant\":{\"rounds\":9,");
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(format!("{twice}\n").as_bytes()).unwrap();
            replace_bytes(at, 1, &packer.finish().unwrap());
        }),
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
        let (problems, is_proved) = match verify(directory.path(), &mut NoProgress, &StopFlag::new()) {
            Ok(found) => (found.problems.clone(), found.is_proved()),
            Err(error) => (vec![error.to_string()], false),
        };
        let is_reported = problems.iter().any(|problem| problem.contains(expected));
        assert!(is_reported && !is_proved, "{expected}: {problems:?}");
    }
    // Files of an original's match simulator are accepted, and before the end the leftovers of killed runs.
    let directory = small();
    std::fs::create_dir(directory.path().join("output")).unwrap();
    let found = proved(directory.path());
    assert!(found.is_proved(), "{found:?}");
    let mut request = request("incan-gold", "turn:7 random:0.5");
    (request.deals, request.resamples) = (Some(100), 50);
    let directory = tempfile::tempdir().unwrap();
    play(&request.plan().unwrap(), directory.path(), Bots::none(), 1, 1);
    for name in [".standings.json.abc.tmp", ".tournament.db.abc.tmp-journal", "plots/.wins.svg.abc.tmp"] {
        std::fs::write(directory.path().join(name), "").unwrap();
    }
    let found = proved(directory.path());
    assert!(found.is_proved() && !found.complete, "{found:?}");
}

/// The text of a stored replay, without the end of its line.
fn replay_text(directory: &Path, episode: u64) -> String {
    let mut store = RecordStore::open_read_only(directory).unwrap();
    serde_json::to_string(&store.replay(episode).unwrap().unwrap()).unwrap()
}

fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The error texts of all ways to open a record.
fn refusals(directory: &Path) -> Vec<String> {
    let refused = [
        verify(directory, &mut NoProgress, &StopFlag::new()).map(drop),
        RecordStore::open(directory).map(drop),
        RecordStore::open_read_only(directory).map(drop),
    ];
    refused.into_iter().map(|result| result.expect_err("it is refused").to_string()).collect()
}

/// SQLite's rollback journal of a database of this many pages of 4096 bytes, which restores no page and names
/// a file that SQLite then deletes.
fn rollback_journal(pages: u32, deletes: &Path) -> Vec<u8> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let mut journal = MAGIC.to_vec();
    for number in [0, 0, pages, 512, 4096] {
        journal.extend(u32::to_be_bytes(number));
    }
    journal.resize(512, 0);
    let name = deletes.to_str().unwrap().as_bytes();
    journal.extend(u32::to_be_bytes((1 << 30) / 4096 + 1));
    journal.extend(name);
    journal.extend(u32::to_be_bytes(name.len() as u32));
    journal.extend(u32::to_be_bytes(name.iter().map(|byte| u32::from(*byte)).sum()));
    journal.extend(MAGIC);
    journal
}

/// A rollback journal beside the database of a stranger is refused before SQLite sees it, so the file that it
/// names is not deleted.
#[test]
fn a_rollback_journal_is_refused() {
    let precious = tempfile::NamedTempFile::new().unwrap();
    let directory = small();
    let path = directory.path().join(DATABASE);
    let whole = std::fs::read(&path).unwrap();
    let pages = (whole.len() / 4096) as u32;
    for journal in [rollback_journal(pages, precious.path()), rollback_journal(1, Path::new("/none")), vec![]]
    {
        std::fs::write(directory.path().join("tournament.db-journal"), &journal).unwrap();
        for error in refusals(directory.path()) {
            assert!(error.contains("tournament.db-journal: expected files and folders"), "{error}");
            assert!(error.contains("found a rollback journal, which no tournament leaves"), "{error}");
        }
        assert!(precious.path().exists());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

/// A link would lead a reader, or a run that continues the tournament, to files outside the record.
#[test]
fn symbolic_links_are_refused() {
    for name in [DATABASE, REPLAYS, "standings.json", "plots", "tournament.db-wal"] {
        let (directory, elsewhere) = (small(), tempfile::tempdir().unwrap());
        let (path, target) = (directory.path().join(name), elsewhere.path().join("target"));
        if path.exists() {
            std::fs::rename(&path, &target).unwrap();
        }
        std::os::unix::fs::symlink(&target, &path).unwrap();
        for error in refusals(directory.path()) {
            assert!(error.contains(name) && error.contains("found a symbolic link"), "{name}: {error}");
        }
        assert_eq!(target.exists(), name != "tournament.db-wal");
    }
}

/// Stores another plan with its fingerprint.
pub fn replace_plan(directory: &Path, change: impl FnOnce(&mut TournamentPlan)) {
    let mut plan = RecordStore::open_read_only(directory).unwrap().plan().unwrap();
    change(&mut plan);
    let database = rusqlite::Connection::open(directory.join(DATABASE)).unwrap();
    for (key, value) in [("plan", plan.to_text()), ("plan_hash", plan.hash())] {
        database.execute("UPDATE meta SET value = ?1 WHERE key = ?2", [value.as_str(), key]).unwrap();
    }
}

/// A stored plan is checked like a new one: no number makes its reader panic or work without end.
#[test]
fn numbers_of_stored_plans_are_checked() {
    type Change = fn(&mut TournamentPlan);
    let changes: [(&str, Change); 13] = [
        ("expected 50 to 100000 resamples, found 1000000000", |plan| plan.rating.resamples = 1_000_000_000),
        ("expected 50 to 100000 resamples, found 0", |plan| plan.rating.resamples = 0),
        ("resamples, found 18446744073709551615", |plan| plan.rating.resamples = usize::MAX),
        ("expected a competitor below 2 as the anchor, found 99", |plan| plan.rating.anchor = 99),
        ("expected a prior from 0.000001 to 100, found 0", |plan| plan.rating.prior = 0.0),
        ("ms per decision for a ban, found -1", |plan| plan.ban.mean_ms = -1.0),
        ("ms of waiting for a ban, found", |plan| plan.ban.waiting_ms = u64::MAX),
        ("expected a schedule of 2 competitors, found one of 3", |plan| plan.schedule.competitors = 3),
        ("expected fewer than 2^48 episodes", |plan| plan.schedule.deals = 1 << 60),
        ("expected different anchors below 2, found [7]", |plan| {
            (plan.schedule.kind, plan.schedule.anchors) = (Kind::Gauntlet, vec![7]);
        }),
        ("sprt: expected two bounds", |plan| {
            plan.sprt = Some(SprtMatch { low: 1.0, high: 0.0, ..SprtMatch::default() });
        }),
        ("has no original with competition files", |plan| plan.original = true),
        ("expected every competitor once", |plan| plan.competitors[1] = plan.competitors[0].clone()),
    ];
    for (expected, change) in changes {
        let directory = small();
        replace_plan(directory.path(), change);
        let error =
            verify(directory.path(), &mut NoProgress, &StopFlag::new()).expect_err(expected).to_string();
        assert!(error.contains(expected) && error.matches("hint:").count() == 1, "{expected}: {error}");
    }
    let directory = small();
    let database = rusqlite::Connection::open(directory.path().join(DATABASE)).unwrap();
    database.execute("UPDATE meta SET value = value || ' ' WHERE key = 'plan'", []).unwrap();
    drop(database);
    let error = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("expected the text of a plan"), "{error}");
}
