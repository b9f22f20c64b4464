//! `meeple verify --replay-bots`: bots that declare themselves repeatable are run again.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::{has_python, json, meeple, stdout};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// True if a program is installed.
fn has(program: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file())
}

/// A folder with repeatable bots and their file names, for those languages that this machine has.
fn bots() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let source = |name: &str| repository().join("bots").join(name);
    let mut names = vec!["python.py".to_owned()];
    std::fs::copy(source("python/random_bot.py"), folder.path().join("python.py")).unwrap();
    if has("node") {
        std::fs::copy(source("javascript/random_bot.js"), folder.path().join("javascript.js")).unwrap();
        names.push("javascript.js".into());
    }
    if has("cc") {
        let made =
            Command::new("cc").arg("-o").arg(folder.path().join("c")).arg(source("c/random_bot.c")).status();
        assert!(made.unwrap().success());
        names.push("./c".into());
    }
    (folder, names)
}

fn match_of(game: &str, folder: &Path, names: &[&str]) -> String {
    let out = folder.join(format!("{}-{}", game.replace('/', "-"), names.len()));
    let bots: Vec<String> = names.iter().map(|name| path(folder, name)).collect();
    let words =
        format!("match {game} {} -n 3 --seed 4 -q --sandbox none --out {}", bots.join(" "), out.display());
    stdout(&words);
    out.display().to_string()
}

/// The word for a player: a file of this folder, perhaps with `NAME=` before it, or an agent.
fn path(folder: &Path, word: &str) -> String {
    let (name, file) = word.split_once('=').map_or(("", word), |(name, file)| (name, file));
    match (name, file.contains('.')) {
        (_, false) => word.to_owned(),
        ("", true) => folder.join(file).display().to_string(),
        (name, true) => format!("{name}={}", folder.join(file).display()),
    }
}

/// The JSON of a verification that finds problems.
fn refused(record: &str) -> Value {
    let output = meeple(&format!("verify {record} --replay-bots --json -q")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn repeatable_bots_are_run_again_and_the_others_listed() {
    if !has_python() {
        return;
    }
    let (folder, names) = bots();
    let path = folder.path();
    // A bot that does not declare itself repeatable proves nothing.
    let quiet =
        std::fs::read_to_string(path.join("python.py")).unwrap().replace(", \"repeatable\": True", "");
    std::fs::write(path.join("quiet.py"), quiet).unwrap();
    let mut players: Vec<&str> = names.iter().map(String::as_str).collect();
    players.extend(["quiet.py", "turn:7"]);
    for game in ["incan-gold", "game17"] {
        let players = if game == "game17" { &players[..players.len() - 1] } else { &players };
        let record = match_of(game, path, players);
        let found = json(&format!("verify {record} --replay-bots --json -q"));
        assert_eq!(found["repeated_bots"].as_array().unwrap().len(), names.len(), "{found}");
        assert_eq!(found["unproved_bots"], serde_json::json!(["quiet"]), "{found}");
        assert!(found["repeated_decisions"].as_u64() > Some(10), "{found}");
        let text = stdout(&format!("verify {record} --replay-bots -q"));
        assert!(
            text.contains("run again on the recorded games: python") && text.contains("not proved: quiet"),
            "{text}"
        );
        // Without `--replay-bots` no bot is run.
        let found = json(&format!("verify {record} --json -q"));
        assert!(found["repeated_bots"].is_null(), "{found}");
    }
    let output =
        meeple(&format!("verify {} --replay-bots", path.join("python.py").display())).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Faults are repeated like other answers; faults of the clock are taken from the record.
#[test]
fn faults_are_repeated_or_taken_from_the_record() {
    if !has_python() {
        return;
    }
    let (folder, _) = bots();
    let path = folder.path();
    let good = std::fs::read_to_string(path.join("python.py")).unwrap();
    let faulty = good.replacen("import json\n", "import json\nimport time\n", 1).replacen(
        "        say(answer)",
        "        if message['n'] == 1: answer['a'] = 99\n        if message['n'] == 3: answer = {'t': 'nonsense'}\n        \
         if message['n'] == 4 and message['bank_us'] < 300000: time.sleep(60)\n        say(answer)",
        1,
    );
    assert_ne!(faulty, good);
    std::fs::write(path.join("faulty.py"), faulty).unwrap();
    let record = path.join("record");
    let words = format!(
        "match incan-gold {} never -n 4 --seed 4 -q --sandbox none --strikes 0 --bank-ms 300 --increment-ms 0 --move-ms 0 \
         --out {}",
        path.join("faulty.py").display(),
        record.display()
    );
    // A sleep exceeds the limit of wall time, so these faults are of the clock.
    stdout(&words);
    let found = json(&format!("verify {} --replay-bots --json -q", record.display()));
    assert_eq!(found["repeated_bots"], serde_json::json!(["faulty"]), "{found}");
    assert!(found["unrepeated_faults"].as_u64() > Some(0), "{found}");
    assert_eq!(found["problem_count"], 0, "{found}");
}

/// Alters the faults of all episodes in a record and its replays: removes them, or changes their code.
const ALTER_FAULTS: &str = r#"
import gzip, json, sqlite3, sys
record, way = sys.argv[1:]
database = sqlite3.connect(record + '/tournament.db')
old, new = open(record + '/replays.jsonl.gz', 'rb').read(), b''
with database:
    if way == 'removed':
        database.execute('DELETE FROM faults')
        database.execute('UPDATE times SET fallbacks = 0')
    else:
        database.execute("UPDATE faults SET code = 'INVALID_MESSAGE', "
                         "record = replace(record, 'INVALID_MOVE', 'INVALID_MESSAGE')")
    for index, at, size in database.execute('SELECT idx, replay_at, replay_bytes FROM episodes ORDER BY idx').fetchall():
        replay = json.loads(gzip.decompress(old[at:at + size]))
        for fault in replay['faults']: fault['kind'] = 'INVALID_MESSAGE'
        if way == 'removed': del replay['faults']
        packed = gzip.compress((json.dumps(replay, separators=(',', ':')) + '\n').encode())
        database.execute('UPDATE episodes SET replay_at = ?, replay_bytes = ? WHERE idx = ?',
                         (len(new), len(packed), index))
        new += packed
database.close()
open(record + '/replays.jsonl.gz', 'wb').write(new)
"#;

/// Faults are compared on their own, because the fallback's step is the same without the fault.
#[test]
fn faults_of_answers_must_be_the_recorded_ones() {
    if !has_python() {
        return;
    }
    let (folder, _) = bots();
    let path = folder.path();
    let good = std::fs::read_to_string(path.join("python.py")).unwrap();
    let faulty = good.replacen(
        "        say(answer)",
        "        if message['n'] == 0: answer['a'] = 99\n        say(answer)",
        1,
    );
    assert_ne!(faulty, good);
    std::fs::write(path.join("faulty.py"), faulty).unwrap();
    for way in ["removed", "renamed"] {
        let record = match_of("incan-gold", path, &["faulty.py", "turn:7"]);
        let found = json(&format!("verify {record} --replay-bots --json -q"));
        assert_eq!((&found["problem_count"], &found["by_replay"]), (&0.into(), &3.into()), "{found}");
        let altered = Command::new("python3").args(["-c", ALTER_FAULTS, &record, way]).status();
        assert!(altered.unwrap().success());
        let found = refused(&record);
        let problems: Vec<_> =
            found["problems"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let is_found = |index: u64| {
            let words = format!("episode {index}: faults of repeatable bots: recorded is ");
            problems.iter().any(|problem| problem.starts_with(&words))
        };
        assert!((0..3).all(is_found), "{way}: {found}");
        std::fs::remove_dir_all(&record).unwrap();
    }
}

#[test]
fn what_was_not_played_so_is_refused() {
    if !has_python() {
        return;
    }
    let (folder, _) = bots();
    let path = folder.path();
    let honest = std::fs::read_to_string(path.join("python.py")).unwrap();
    // The bot declares itself repeatable, but plays otherwise in each process: it counts its starts.
    let starts = tempfile::NamedTempFile::new().unwrap();
    let liar = honest
        .replace(
            "for line in sys.stdin:",
            &format!(
                "STARTS = open({:?}, 'a+')\nSTARTS.write('.')\nSTARTS.flush()\nfor line in sys.stdin:",
                starts.path()
            ),
        )
        .replace("random.randrange(len(legal))", "STARTS.tell() % len(legal)");
    assert!(liar.contains("STARTS.tell() %") && liar.contains("'a+'"));
    std::fs::write(path.join("liar.py"), liar).unwrap();
    // The first tile of Carcassonne can be placed in more ways than this test starts processes.
    let record = match_of("carcassonne", path, &["liar.py", "random"]);
    let found = refused(&record);
    let count = std::fs::metadata(starts.path()).unwrap().len();
    assert!((3..8).contains(&count), "{count} starts");
    let problem = found["problems"][0].as_str().unwrap();
    assert!(
        problem.contains("'liar'") && problem.contains("declares itself repeatable and is not"),
        "{found}"
    );
    // The record alone is verified, because it says what was played.
    json(&format!("verify {record} --json -q"));
    std::fs::remove_dir_all(&record).unwrap();

    // The program on disk differs from the one that played: the same file has another text.
    let record = match_of("incan-gold", path, &["python.py", "random"]);
    std::fs::write(path.join("python.py"), format!("{honest}\n")).unwrap();
    let output = meeple(&format!("verify {record} --replay-bots -q")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("expected files with fingerprint"), "{errors}");
    assert!(errors.contains("put the old files back"), "{errors}");

    // This program plays otherwise in a repetition, where the host's offer differs.
    let two_faced = honest.replace(
        "answer[\"a\"] = random.randrange(len(legal))",
        "answer[\"a\"] = random.randrange(len(legal)) if message[\"used_us\"] else 0",
    );
    assert_ne!(two_faced, honest);
    std::fs::write(path.join("two-faced.py"), two_faced).unwrap();
    let record = match_of("carcassonne", path, &["two-faced.py", "random"]);
    let found = refused(&record);
    let problem = found["problems"][0].as_str().unwrap();
    for words in
        ["'two-faced'", "and again in a new process", "the record was altered", "another program played"]
    {
        assert!(problem.contains(words), "{words}: {problem}");
    }
}

/// Makes a record claim that another file has played it, whose fingerprint is known.
const FORGE: &str = r#"
import sqlite3, sys
record, plan, hash, name, run, files = sys.argv[1:]
database = sqlite3.connect(record + '/tournament.db')
with database:
    for key, value in (('plan', plan), ('plan_hash', hash)):
        database.execute('UPDATE meta SET value = ? WHERE key = ?', (value, key))
    database.execute('UPDATE competitors SET name = ?, run = ?, files = ? WHERE id = 0', (name, run, files))
database.close()
"#;

/// Games of one program are recorded under the fingerprint of a submitted one. The record alone is
/// consistent.
#[test]
fn games_of_another_program_under_a_submitted_fingerprint_are_refused() {
    if !has_python() {
        return;
    }
    let (folder, _) = bots();
    let path = folder.path();
    let honest = std::fs::read_to_string(path.join("python.py")).unwrap();
    let other = honest.replace("random.randrange(len(legal))", "len(legal) - 1");
    assert_ne!(other, honest);
    std::fs::write(path.join("other.py"), other).unwrap();
    let real = match_of("incan-gold", path, &["python.py", "turn:7"]);
    let submitted = meeple_arena::RecordStore::open_read_only(Path::new(&real)).unwrap().plan().unwrap();
    std::fs::rename(&real, path.join("real")).unwrap();
    let record = match_of("incan-gold", path, &["python=other.py", "turn:7"]);
    let played = meeple_arena::RecordStore::open_read_only(Path::new(&record)).unwrap().plan().unwrap();
    assert_ne!(played.competitors[0].files, submitted.competitors[0].files);
    let plan = meeple_arena::TournamentPlan { competitors: submitted.competitors.clone(), ..played };
    let own = &plan.competitors[0];
    let files = own.files.as_ref().unwrap();
    let words = [&record, &plan.to_text(), &plan.hash(), &own.name, &own.run, files];
    let forged = Command::new("python3").args(["-c", FORGE]).args(words).status();
    assert!(forged.unwrap().success());
    // Resuming a complete tournament plays nothing, but writes its results again.
    stdout(&format!("tournament --resume {record} -q"));
    json(&format!("verify {record} --json -q"));
    let found = refused(&record);
    let problem = found["problems"][0].as_str().unwrap();
    assert!(
        problem.contains("is recorded of 'python'") && problem.contains("another program played"),
        "{problem}"
    );
    assert!(found["unproved"].as_u64() > Some(0), "{found}");
}
