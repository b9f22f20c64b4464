//! A bot that remembers every deal gets the same results as its twin without a memory.

use std::process::{Command, Stdio};

use meeple_testkit::waits::{end_of, until_while_running};
use serde_json::Value;

use crate::json;

const BOT: &str = include_str!("memory.py");

/// Plays a tournament in its own folder, optionally stopped once and resumed, and returns the relevant parts
/// of its standings.
fn standings(words: &str, recalls: bool, jobs: &str, stop: bool) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let code = if recalls { BOT.to_owned() } else { BOT.replace("RECALLS = True", "RECALLS = False") };
    std::fs::write(folder.path().join("bot.py"), code).unwrap();
    let meeple = |words: &str| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
        command.current_dir(folder.path()).env("NO_COLOR", "1").args(words.split_whitespace());
        command.stdout(Stdio::null());
        command
    };
    let begin = format!(
        "tournament {words} ./bot.py --seed 0xabcdef0123456789abcdef0123 --jobs {jobs} --rotations 2 --out cup -q"
    );
    let replays = folder.path().join("cup/replays.jsonl.gz");
    if stop {
        let mut child = meeple(&begin).stderr(Stdio::null()).spawn().unwrap();
        until_while_running(&mut child, "the first replay", || {
            replays.metadata().is_ok_and(|file| file.len() > 0)
        });
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(end_of(&mut child, "a tournament that was interrupted").code(), Some(1));
    }
    let rest = if stop { format!("tournament --resume cup --jobs {jobs} -q") } else { begin };
    let output = meeple(&rest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("cup/standings.json")).unwrap();
    let mut standings: Value = serde_json::from_str(&text).unwrap();
    // The plan's hash differs, because the twin is another file.
    standings.as_object_mut().unwrap().remove("plan_hash");
    standings
}

fn levels() -> Vec<String> {
    let levels = json("doctor --json")["sandbox"].clone();
    let available = |level: &&Value| level["available"] == true;
    let names =
        levels.as_array().unwrap().iter().filter(available).map(|level| level["level"].as_str().unwrap());
    // Other levels do not isolate files.
    names.filter(|name| ["strict", "in-process"].contains(name)).map(str::to_owned).collect()
}

fn gains_nothing(words: &str) {
    if !crate::has_python() {
        return;
    }
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(2).to_string();
    for level in levels() {
        let words = format!("{words} --schedule single --sandbox {level} --resamples 50");
        let expected = standings(&words, false, "1", false);
        for (jobs, stop) in [("1", false), (jobs.as_str(), true)] {
            let found = standings(&words, true, jobs, stop);
            assert_eq!(found, expected, "at level {level} with {jobs} jobs, stopped: {stop}");
        }
    }
}

/// A bot that searches for the record of its own tournament, which has the future deals. It looks at the path
/// of the record and in the directories of other processes, and reports the data that it could read.
const SNOOP: &str = r#"
import json, os, sys

found = []
for folder in ("DIRECTORY", "/proc/1/cwd", f"/proc/{os.getppid()}/cwd"):
    for name in ("tournament.db", "tournament.db-wal", "replays.jsonl.gz", "plan.json"):
        for path in (os.path.join(folder, name), os.path.join(folder, "cup", name)):
            try:
                with open(path, "rb") as file:
                    found.append(f"{path}: {len(file.read())} bytes")
            except OSError:
                pass
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "v": 1}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready", "g": message["g"]}), flush=True)
    elif message["t"] == "turn":
        said = {"error": str(found)} if found else {"a": 0}
        print(json.dumps({"t": "move", "g": message["g"], "n": message["n"], **said}), flush=True)
"#;

#[test]
fn the_record_is_out_of_sight() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let mut levels = levels();
    if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        // The program runs as root, so bots run as other users, and file modes exclude them at every level.
        levels.push("limits-only".into());
    }
    for level in levels {
        for made in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
            let cup = folder.path().join("cup");
            if !made {
                std::fs::create_dir(&cup).unwrap();
                std::fs::set_permissions(&cup, PermissionsExt::from_mode(0o755)).unwrap();
            }
            let code = SNOOP.replace("DIRECTORY", cup.to_str().unwrap());
            std::fs::write(folder.path().join("snoop.py"), code).unwrap();
            let meeple = |words: &str| {
                let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
                command.current_dir(folder.path()).env("NO_COLOR", "1").args(words.split_whitespace());
                command.output().unwrap()
            };
            // With two rotations the whole record exists when the second process starts.
            let words = format!(
                "match incan-gold ./snoop.py turn:3 --set rounds=1 -n 3 --rotations 2 --seed 5 --sandbox {level} --out cup -q --resamples 50"
            );
            let output = meeple(&words);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = std::fs::read_to_string(cup.join("standings.json")).unwrap();
            let standings: Value = serde_json::from_str(&text).unwrap();
            for own in standings["standings"].as_array().unwrap() {
                let logs = std::fs::read_to_string(cup.join("logs/snoop.log")).unwrap_or_default();
                assert_eq!(own["faults"], serde_json::json!({}), "{level}: {logs}");
            }
        }
    }
}

#[test]
fn hidden_cards_stay_hidden_from_a_bot_that_remembers() {
    gains_nothing("incan-gold turn:7 --set rounds=2 -n 30");
}

#[test]
fn an_open_board_is_new_to_a_bot_that_remembers() {
    gains_nothing("game17 still --set size=3 --set rounds=3 -n 12");
}
