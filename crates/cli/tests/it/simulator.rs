//! `meeple match --adapter syncs2025`: words and files of the original's match simulator.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn simple() -> String {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/syncs/simple.py");
    bot.canonicalize().unwrap().display().to_string()
}

fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = Command::cargo_bin("meeple").unwrap().current_dir(folder).args(words).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// Limits of wall time that are never reached, however busy the machine is.
const PATIENT: [&str; 4] = ["--move-ms", "60000", "--bank-ms", "600000"];

#[test]
fn copies_play_a_match_and_leave_the_originals_files() {
    let folder = tempfile::tempdir().unwrap();
    let copies = format!("3:{}", simple());
    let mut words = vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", &copies, "greedy"];
    words.extend(["-n", "1", "--rotations", "2", "--seed", "5", "--quiet", "--out", "cup"]);
    words.extend(PATIENT);
    let (code, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    for episode in ["0", "1"] {
        let output = folder.path().join("cup/output").join(episode);
        let result = json(&output, "results.json");
        assert_eq!(result["result_type"], "SUCCESS", "{result}");
        assert_eq!(result["ranking"].as_array().unwrap().len(), 4);
        let events = json(&output, "game.json");
        assert_eq!(events[0]["event_type"], "event_game_started");
        let shown = json(&output, "visualiser_forwards_differential.json");
        assert!(shown.as_array().unwrap().len() < events.as_array().unwrap().len());
    }
}

#[test]
fn agents_alone_leave_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let base = "match carcassonne/syncs --adapter syncs2025 greedy a=greedy random b=random -n 1 --rotations 1 --seed 5 -q";
    let play = |more: &str| {
        let words: Vec<&str> = base.split(' ').chain(more.split(' ')).collect();
        let (code, errors) = run(folder.path(), &words);
        assert_eq!(code, Some(0), "{errors}");
        errors
    };
    let errors = play("--out cup");
    assert!(errors.contains("wrote cup/output"), "{errors}");
    let output = folder.path().join("cup/output/0");
    assert_eq!(json(&output, "results.json")["ranking"].as_array().unwrap().len(), 4);
    assert_eq!(json(&output, "game.json")[0]["event_type"], "event_game_started");
    for (keep, out) in [("none", "none"), ("faulted", "faulted")] {
        let errors = play(&format!("--replays {keep} --out {out}"));
        assert!(!errors.contains("output") && errors.contains("hint: --replays all"), "{errors}");
        assert!(!folder.path().join(out).join("output").exists());
    }
}

#[test]
fn a_ban_stands_in_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let text = "import helper.game\ngame = helper.game.Game()\ngame.get_next_query()\ngame.connection._send('{}')\ngame.get_next_query()\n";
    std::fs::write(folder.path().join("bad.py"), text).unwrap();
    let mut words = vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", "1:./bad.py", "greedy"];
    words.extend(["-n", "1", "--rotations", "1", "--seed", "5", "--quiet", "--out", "cup"]);
    words.extend(PATIENT);
    let (code, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    let result = json(&folder.path().join("cup/output/0"), "results.json");
    assert_eq!(result["result_type"], "PLAYER_BANNED");
    assert_eq!(result["ban_type"], "INVALID_MESSAGE");
    assert!(result["reason"].as_str().unwrap().contains("expected a move"), "{result}");
    let events = json(&folder.path().join("cup/output/0"), "game.json");
    assert_eq!(events.as_array().unwrap().last().unwrap()["event_type"], "event_player_banned");
}

#[test]
fn a_bot_that_died_has_its_last_words_in_the_results() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.py"), "import helper.game\nraise ValueError('no idea')\n")
        .unwrap();
    let mut words = vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", "./bad.py", "greedy"];
    words.extend(["-n", "1", "--rotations", "1", "--seed", "5", "--quiet", "--out", "cup"]);
    words.extend(PATIENT);
    let (code, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    let result = json(&folder.path().join("cup/output/0"), "results.json");
    assert_eq!(result["ban_type"], "TIMEOUT", "{result}");
    let reason = result["reason"].as_str().unwrap();
    assert_eq!(reason, "it ended with status 1; its last words: ValueError: no idea");
    let events = json(&folder.path().join("cup/output/0"), "game.json");
    assert_eq!(events.as_array().unwrap().last().unwrap()["reason"], reason);
}

#[test]
fn a_file_may_stand_in_several_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("other")).unwrap();
    for name in ["simple.py", "other/simple.py"] {
        std::fs::copy(simple(), folder.path().join(name)).unwrap();
    }
    let mut words = vec!["match", "carcassonne/syncs", "--adapter", "syncs2025"];
    words.extend(["2:./simple.py", "./other/simple.py", "1:./simple.py", "2:mine=./simple.py"]);
    words.extend(["-n", "1", "--rotations", "1", "--seed", "5", "--quiet", "--json"]);
    words.extend(PATIENT);
    let output = Command::cargo_bin("meeple").unwrap().current_dir(&folder).args(words).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["simple-0", "simple-1", "simple-2", "simple-3", "mine-0", "mine-1"] {
        assert!(text.contains(&format!("\"{name}\"")), "{name}: {text}");
    }
}

#[test]
fn the_export_makes_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["play", "carcassonne/syncs", "random", "random", "--seed", "5", "--save", "game.replay"];
    let (code, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    let words = ["syncs", "carcassonne", "export", "game.replay", "-o", "of/one"];
    let (code, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(json(&folder.path().join("of/one"), "results.json")["result_type"], "SUCCESS");
}

#[test]
fn bad_requests_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let none = format!("0:{}", simple());
    for (words, expected) in [
        (vec!["match", "incan-gold", "--adapter", "syncs2025", "turn:7", "random"], "has no such interface"),
        (
            vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", &none, "random"],
            "expected 1 to 100 copies as in 3:./bot.py, found '0:",
        ),
        (
            vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", "0:./bot.py", "random"],
            "hint: leave out bots that should not play",
        ),
        (
            vec!["match", "carcassonne/syncs", "--adapter", "syncs2025", "d:./bot.py", "random"],
            "does not exist",
        ),
        (vec!["match", "carcassonne/syncs", "--adapter", "syncs2024", "random"], "syncs2025"),
        (vec!["match", "carcassonne/syncs", "syncs:./nobody.py", "random"], "does not exist"),
    ] {
        let (code, errors) = run(folder.path(), &words);
        assert!(code != Some(0) && errors.contains(expected), "{words:?}: {errors}");
    }
}
