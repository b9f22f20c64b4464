//! Stored files of an earlier release, which this program opens, verifies and continues.
//! `tests/data/stored/README.md` lists them and their origin.

use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::{has_python, meeple};

/// A temporary folder with all stored files.
fn unpacked() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stored/89c40a46.tar.gz");
    let mut tar = std::process::Command::new("tar");
    let status = tar.args(["-xzf", archive, "-C"]).arg(folder.path()).status().expect("tar is there");
    assert!(status.success());
    folder
}

/// The output of a command in this folder.
fn ran(folder: &Path, words: &str) -> Output {
    meeple(words).current_dir(folder).output().unwrap()
}

/// The standard output of a command that must succeed.
fn run(folder: &Path, words: &str) -> String {
    let output = ran(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "meeple {words}\n{errors}{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

/// The results of a command as JSON, without times.
fn results(folder: &Path, words: &str) -> serde_json::Value {
    serde_json::from_str(&run(folder, &format!("{words} --json --no-times -q"))).unwrap()
}

#[test]
fn records_of_tournaments_are_proved_and_continued() {
    if !has_python() {
        return;
    }
    let folder = unpacked();
    for record in ["match", "rank", "tournament"] {
        run(folder.path(), &format!("verify {record} -q"));
        let episode = run(folder.path(), &format!("replay {record} --episode 1 --level game"));
        assert!(!episode.is_empty(), "{record}");
    }
    for record in ["match-stopped", "rank-stopped", "tournament-stopped"] {
        let before = run(folder.path(), &format!("verify {record} -q"));
        let resumed = run(folder.path(), &format!("tournament --resume {record} -q"));
        assert!(!resumed.is_empty(), "{record}");
        assert_ne!(run(folder.path(), &format!("verify {record} -q")), before, "{record}: more was proved");
    }
}

/// Interrupted results are completed to those of an uninterrupted run under the older rules.
#[test]
fn simulations_and_sweeps_are_continued_by_the_rules_that_they_began_with() {
    let folder = unpacked();
    let path = folder.path();
    for (words, before) in [
        ("sim incan-gold turn:7 never -n 60 --seed 7 --out sim", "artifacts.removed=all"),
        ("sim carcassonne mcts:iterations=10 greedy -n 80 --seed 8 --out sim-stopped", "lone-pass=on"),
        (
            "sweep cartolan merchant random -n 8 --seed 9 --set agents=2..3 --out sweep",
            "city_order=purchases_first",
        ),
        (
            "sweep carcassonne mcts:iterations=5..10+5 greedy -n 40 --seed 10 --out sweep-stopped",
            "lone-pass=on",
        ),
    ] {
        let resumed = results(path, &format!("{words} --resume"));
        let (whole, _) = words.split_once(" --out ").unwrap();
        assert!(resumed == results(path, &format!("{whole} --set {before}")), "{words}");
        // The run is resumed again, now from the plan that this release has written.
        assert!(resumed == results(path, &format!("{words} --resume")), "{words}");
        // Different rules are refused, and the message names the parameter.
        let (name, value) = before.split_once('=').unwrap();
        let other = match value {
            "all" => "path",
            "on" => "off",
            _ => "attacks_first",
        };
        let refused = ran(path, &format!("{words} --resume --set {name}={other}"));
        let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{errors}");
        assert!(errors.contains(&format!("expected {name} ")), "{errors}");
    }
}

#[test]
fn shards_are_completed_and_merged_by_the_rules_that_they_began_with() {
    let folder = unpacked();
    let path = folder.path();
    for (name, words, before) in [
        ("sim", "sim incan-gold/boxed turn:7 never -n 30 --seed 12", "artifacts.removed=all"),
        ("sweep", "sweep carcassonne greedy random -n 4 --seed 13 --set hand=1..2", "lone-pass=on"),
        ("tournament", "tournament cartolan random merchant -n 3 --seed 14", "city_order=purchases_first"),
    ] {
        run(path, &format!("shard run {name}-shards --shards 3 -q -- {words}"));
        let merged = run(path, &format!("shard merge {name}-shards --json --no-times -q"));
        let merged: serde_json::Value = serde_json::from_str(&merged).unwrap();
        if name == "tournament" {
            assert_eq!(merged["episodes"], 6, "{merged}");
        } else {
            assert!(merged == results(path, &format!("{words} --set {before}")), "{words}");
        }
    }
}

#[test]
fn answers_of_a_balance_are_replaced_only_when_asked() {
    let folder = unpacked();
    let words = "balance incan-gold turn:6 turn:7 never --seats 2 -n 60 --seed 11 --out balance -q";
    let refused = ran(folder.path(), words);
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && errors.contains("earlier results"), "{errors}");
    run(folder.path(), &format!("{words} --force"));
}

#[test]
fn replays_are_proved_step_by_step() {
    let folder = unpacked();
    for game in ["incan-gold", "game17", "carcassonne", "cartolan", "privateers"] {
        let shown = run(folder.path(), &format!("replay replays/{game}.json.gz --level game"));
        assert!(!shown.is_empty(), "{game}");
        run(folder.path(), &format!("render replays/{game}.json.gz --output {game}.svg"));
    }
}

#[test]
fn networks_play_and_trainings_are_continued() {
    let folder = unpacked();
    let path = folder.path();
    let played = run(path, "sim incan-gold/boxed net:learn/net.safetensors turn:7 -n 50 -q");
    assert!(played.contains("50 episodes"), "{played}");
    run(path, "learn incan-gold/boxed plan.toml --out learn-stopped --resume -q");
    let file = |folder: &str, name: &str| std::fs::read(path.join(folder).join(name)).unwrap();
    assert!(
        file("learn-stopped", "curve.csv") == file("learn", "curve.csv"),
        "as if it had never been stopped"
    );
    assert!(run(path, "learn incan-gold/boxed plan.toml --out learn --resume").is_empty(), "all is learned");
}

/// The member and the friend at its table play to the end, and the interrupted competition continues. Then
/// both are verified.
#[test]
fn the_file_of_a_server_is_proved_and_continued() {
    let folder = unpacked();
    let proved = || -> serde_json::Value {
        serde_json::from_str(&run(folder.path(), "verify tables.db --json -q")).unwrap()
    };
    let before = proved();
    assert_eq!(before["tables"], 5, "{before}");
    assert_eq!(
        (&before["members"], &before["runs"], &before["competitions"]),
        (&1.into(), &1.into(), &2.into())
    );
    if !has_python() {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stored/continue.py");
    let mut python = std::process::Command::new("python3");
    python.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(assert_cmd::cargo::cargo_bin("meeple"));
    assert!(python.arg(folder.path().join("tables.db")).status().unwrap().success());
    let after = proved();
    assert_eq!(after["unproved"], before["unproved"], "{after}");
    let count = |found: &serde_json::Value, name: &str| found[name].as_u64().unwrap();
    assert_eq!(count(&after, "tables"), 5, "{after}");
    assert!(count(&after, "entries") > count(&before, "entries") + 5, "{before} {after}");
    assert!(count(&before, "episodes") == 8 + 2 && count(&after, "episodes") > 8 + 2, "{before} {after}");
}
