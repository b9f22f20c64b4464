//! What `verify` proves of a replay: all that it says.

use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use meeple_arena::schedule::Kind;
use meeple_arena::{DATABASE, Keep, REPLAYS, Verification, verify};
use meeple_lab::{NoProgress, StopFlag};
use serde_json::{Value, json};

use crate::{play_all, request};

fn proved(directory: &Path) -> Verification {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Puts another replay into the record, behind all others.
fn replace(directory: &Path, episode: i64, replay: &Value) {
    let path = directory.join(REPLAYS);
    let mut bytes = std::fs::read(&path).unwrap();
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    writeln!(packer, "{replay}").unwrap();
    let packed = packer.finish().unwrap();
    let span = (bytes.len() as i64, packed.len() as i64);
    bytes.extend(packed);
    std::fs::write(&path, bytes).unwrap();
    let database = rusqlite::Connection::open(directory.join(DATABASE)).unwrap();
    let sql = "UPDATE episodes SET replay_at = ?1, replay_bytes = ?2 WHERE idx = ?3";
    assert_eq!(database.execute(sql, (span.0, span.1, episode)).unwrap(), 1);
}

/// The paths of all values in a value, those that hold others too.
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

/// The same value as another of its kind.
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

/// Whatever a stored replay says, down to each score of its result and the name of each zombie, is proved: changed,
/// left away or added, it is noticed, and the episode is named.
#[test]
fn every_word_of_a_replay_is_proved() {
    let mut request = request("game17", "t800 hunter");
    request.schedule = Some(Kind::Single);
    request.set = vec![("size".into(), "3".into()), ("rounds".into(), "2".into())];
    (request.deals, request.replays, request.resamples) = (Some(1), Some(Keep::All), 50);
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
    // In the words of a reader.
    let mut other = replay.clone();
    other["result"]["scores"][0] = json!(77);
    replace(directory.path(), 0, &other);
    let found = proved(directory.path()).problems.concat();
    assert!(
        found.contains("episode 0: result of the replay: expected {") && found.contains("[77,"),
        "{found}"
    );
}
