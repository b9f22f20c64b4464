//! Proofs of faults, bans and times: altered records and replays are noticed.

use std::io::Write;
use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{Bot, Bots, RecordStore, ReplayRetention, StandingsCheck, verify};
use meeple_bothost::OnFault;
use meeple_core::{Replay, ReplayFault};
use meeple_lab::{NoProgress, StopFlag};

use crate::faults::{banned_at, bots, plan, scripted};
use crate::play;

/// The first replay with this number of faults or more.
fn first_replay(directory: &Path, faults: usize) -> (u64, Replay) {
    let mut store = RecordStore::open_read_only(directory).unwrap();
    let mut replays = (0..store.next()).map(|episode| (episode, store.replay(episode).unwrap().unwrap()));
    replays.find(|(_, replay)| replay.faults.len() >= faults).unwrap()
}

/// The record has the faults, too, but must not lend them to a replay from which they are removed.
#[test]
fn replays_without_their_faults_are_not_proved() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    let (episode, replay) = first_replay(directory.path(), 1);
    let is_found = |faults: &[ReplayFault]| {
        let other = Replay { faults: faults.to_vec(), ..replay.clone() };
        replace_replay(directory.path(), episode, &other);
        let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
        let expected = format!("episode {episode}: faults of the replay");
        found.problems.iter().any(|problem| problem.contains(&expected))
    };
    assert!(!is_found(&replay.faults));
    assert!(is_found(&[]));
    assert!(is_found(&replay.faults[1..]));
}

/// A fault belongs to the steps while its question is open, also if record and replay are altered alike.
#[test]
fn a_fault_with_another_step_is_not_proved() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    let (episode, replay) = first_replay(directory.path(), 3);
    let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
    let mut query = database.prepare("SELECT rowid, step, record FROM faults WHERE episode = ?1").unwrap();
    let stored: Vec<(i64, usize, String)> = query
        .query_map([episode as i64], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    // The problems of the episode, after all faults of its record and replay have got these steps.
    let problems = |steps: &dyn Fn(usize) -> usize| {
        for (id, step, record) in &stored {
            let altered =
                record.replacen(&format!("\"step\":{step}"), &format!("\"step\":{}", steps(*step)), 1);
            let alter = "UPDATE faults SET step = ?1, record = ?2 WHERE rowid = ?3";
            database.execute(alter, rusqlite::params![steps(*step) as i64, altered, id]).unwrap();
        }
        let mut other = replay.clone();
        other.faults.iter_mut().for_each(|fault| fault.step = steps(fault.step));
        replace_replay(directory.path(), episode, &other);
        let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
        found.problems.into_iter().filter(|problem| !problem.contains("bytes")).collect::<Vec<_>>()
    };
    assert_eq!(problems(&|step| step), [""; 0]);
    // Both seats decide at the same time, so a fault may lie one step after its question, but not two.
    let changes: [&dyn Fn(usize) -> usize; 2] = [&|step| step + 2, &|_| 0];
    for (number, change) in changes.into_iter().enumerate() {
        let found = problems(change);
        let is_named = |problem: &String| {
            problem.starts_with(&format!("episode {episode}: "))
                && problem.contains("a fault at question ")
                && problem.contains(" steps, found ")
        };
        assert!(found.iter().any(is_named), "{number}: {found:?}");
    }
}

/// Puts other content in the place of an episode's replay.
pub fn replace_replay(directory: &Path, episode: u64, replay: &Replay) {
    let mut file = std::fs::read(directory.join("replays.jsonl.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writeln!(packed, "{}", serde_json::to_string(replay).unwrap()).unwrap();
    let packed = packed.finish().unwrap();
    let database = rusqlite::Connection::open(directory.join(meeple_arena::DATABASE)).unwrap();
    let change = "UPDATE episodes SET replay_at = ?1, replay_bytes = ?2 WHERE idx = ?3";
    database.execute(change, [file.len() as i64, packed.len() as i64, episode as i64]).unwrap();
    file.extend(packed);
    std::fs::write(directory.join("replays.jsonl.gz"), file).unwrap();
}

#[test]
fn without_replays_bots_cannot_be_proved() {
    let plan = plan("turn:7 #late", |request| request.replays = Some(ReplayRetention::Faulted));
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(found.by_replay > 0 && found.unproved > 0 && !found.is_proved(), "{found:?}");
    assert_eq!((found.problem_count, found.standings), (0, StandingsCheck::Same));
}

#[test]
fn another_program_is_noticed() {
    let mut plan = plan("turn:7 #late", |_| {});
    let signed = |hash: &str| {
        let bot =
            Bot { player: Box::new(scripted(0, 1, None)), files: Some(hash.to_owned()), cold_files: None };
        Bots::new(vec![None, Some(bot)], "none")
    };
    signed("aa").sign(&mut plan.competitors);
    assert!(signed("aa").check(&plan.competitors).is_ok());
    let error = signed("bb").check(&plan.competitors).err().unwrap().to_string();
    assert!(error.contains("fingerprint aa, found bb") && error.contains("hint"), "{error}");
}

/// Changes that verify must detect in a tournament with faults, bans and forfeits: the SQL, and a word of the
/// problem.
const TAMPERED: [(&str, &str); 20] = [
    ("UPDATE episodes SET forfeits = '[]' WHERE forfeits != '[]'", "forfeits: the faults lead to"),
    ("UPDATE episodes SET forfeits = '[0]' WHERE idx = 1", "forfeits: the faults lead to"),
    ("DELETE FROM faults WHERE id = 1", "forfeits: the faults lead to"),
    ("UPDATE faults SET competitor = 0 WHERE id = 1", "a fault is stored as"),
    ("UPDATE faults SET code = 'CRASH' WHERE id = 1", "a fault is stored as"),
    ("UPDATE faults SET detail = 'late' WHERE id = 1", "a fault is stored as"),
    ("UPDATE faults SET record = '{}' WHERE id = 1", "cannot be read"),
    (
        "UPDATE faults SET record = replace(record, '\"out\"', '\"fallback\"') WHERE id = 1",
        "expected Out after it",
    ),
    (
        "UPDATE faults SET record = replace(record, '\"turn\":0', '\"turn\":1') WHERE id = 1",
        "another observation",
    ),
    (
        "UPDATE faults SET record = replace(record, 'backpack', 'rucksack') WHERE id = 1",
        "another observation",
    ),
    ("UPDATE faults SET episode = 999 WHERE id = 1", "of no stored episode"),
    ("UPDATE times SET asked = asked + 1 WHERE episode = 0", "questions and"),
    ("DELETE FROM times WHERE episode = 0", "expected times of seats"),
    ("UPDATE times SET longest_us = wall_us + 1 WHERE episode = 0", "µs for the longest decision of seat"),
    ("UPDATE faults SET record = record || ' ' WHERE id = 1", "expected the text of a fault"),
    ("DELETE FROM bans", "the times and faults lead to 'expected fewer than 5"),
    ("UPDATE bans SET reason = 'he cheats'", "stored 'he cheats'"),
    ("INSERT INTO bans VALUES (0, 2, 'he cheats')", "no bot that played here"),
    ("UPDATE competitors SET name = 'early' WHERE id = 1", "the table competitors"),
    ("UPDATE ratings SET points = points + 1 WHERE competitor = 1", "the table ratings"),
];

#[test]
fn tampering_with_conduct_is_found() {
    // A ban after five faulted episodes, and forfeits before.
    let plan = plan("turn:7 #late turn:5", |request| {
        request.faults.on_fault = OnFault::Forfeit;
        request.ban = banned_at(0.0, 5);
    });
    let whole = tempfile::tempdir().unwrap();
    play(&plan, whole.path(), bots(&plan, 2, 700), 1, u64::MAX);
    let names =
        ["tournament.db", "replays.jsonl.gz", "standings.json", "standings.csv", "times.json", "plan.json"];
    let copy = || {
        let directory = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::copy(whole.path().join(name), directory.path().join(name)).unwrap();
        }
        directory
    };
    let proved = |directory: &Path| verify(directory, &mut NoProgress, &StopFlag::new()).unwrap();
    let found = proved(copy().path());
    assert!(found.is_proved() && found.complete, "{found:?}");
    assert_eq!((found.episodes, found.planned), (120, 120));
    for (sql, word) in TAMPERED {
        let directory = copy();
        let database = rusqlite::Connection::open(directory.path().join("tournament.db")).unwrap();
        assert!(database.execute(sql, []).unwrap() > 0, "{sql} changes something");
        drop(database);
        let found = proved(directory.path());
        assert!(!found.is_proved(), "{sql} is not noticed");
        assert!(found.problems.iter().any(|text| text.contains(word)), "{sql}: {found:?}");
    }
    for name in &names[2..] {
        let directory = copy();
        let path = directory.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        // Changed, no longer text, and gone: the tournament is complete, so nothing may be missing.
        let changed = [&bytes[..], b" "].concat();
        for bytes in [Some(changed), Some(vec![0xff, 0xfe]), None] {
            match &bytes {
                Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
            let found = proved(directory.path());
            assert!(!found.is_proved(), "{name}: {bytes:?}");
            assert!(found.problems.iter().any(|text| text.starts_with(name)), "{name}: {found:?}");
        }
    }
}
