//! A bot that remembers every deal gains nothing by it: it comes out as its twin does that remembers nothing.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::json;

const BOT: &str = include_str!("memory.py");

/// Plays a tournament in a folder of its own, perhaps stopped once and gone on with, and returns what matters of its
/// standings.
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
    let begin =
        format!("tournament {words} ./bot.py --seed 0xabcdef0123456789abcdef0123 --jobs {jobs} --out cup -q");
    let replays = folder.path().join("cup/replays.jsonl.gz");
    if stop {
        let mut child = meeple(&begin).stderr(Stdio::null()).spawn().unwrap();
        while !replays.metadata().is_ok_and(|file| file.len() > 0) {
            assert!(child.try_wait().unwrap().is_none(), "it plays");
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(1), "it was stopped");
    }
    let rest = if stop { format!("tournament --resume cup --jobs {jobs} -q") } else { begin };
    let output = meeple(&rest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("cup/standings.json")).unwrap();
    let mut standings: Value = serde_json::from_str(&text).unwrap();
    // The twin is another file.
    standings.as_object_mut().unwrap().remove("plan_hash");
    standings
}

fn levels() -> Vec<String> {
    let levels = json("doctor --json")["sandbox"].clone();
    let available = |level: &&Value| level["available"] == true;
    let names =
        levels.as_array().unwrap().iter().filter(available).map(|level| level["level"].as_str().unwrap());
    // The others do not keep files apart.
    names.filter(|name| ["strict", "in-process"].contains(name)).map(str::to_owned).collect()
}

fn gains_nothing(words: &str) {
    let python = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder: std::path::PathBuf| Path::new(&folder).join("python3").is_file());
    if !python {
        eprintln!("SKIPPED: python3 is not on PATH");
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

#[test]
fn hidden_cards_stay_hidden_from_a_bot_that_remembers() {
    gains_nothing("incan-gold turn:7 --set rounds=2 -n 30");
}

#[test]
fn an_open_board_is_new_to_a_bot_that_remembers() {
    gains_nothing("game17 still --set size=3 --set rounds=3 -n 12");
}
