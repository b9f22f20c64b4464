//! `meeple shard`: runs in parts.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{meeple, stdout};

/// The files below a directory, without those that depend on playing time.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("timing.json") {
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Error output of `meeple` with these words; it must fail with this exit code.
fn refused(words: &str, code: i32) -> String {
    let output = meeple(words).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "meeple {words}\n{errors}");
    errors
}

#[test]
fn merged_shards_are_the_whole_run() {
    let ground = tempfile::tempdir().unwrap();
    let at = |name: &str| ground.path().join(name).display().to_string();
    for (number, command) in [
        "sim incan-gold turn:7 random:0.2 --seating deals -n 101",
        "sweep incan-gold solo turn:3..6 -n 50",
        "sim privateers trader pirate -n 3 --seed 9",
    ]
    .into_iter()
    .enumerate()
    {
        let [parts, whole, merged] = ["parts", "whole", "merged"].map(|name| at(&format!("{name}{number}")));
        stdout(&format!("{command} -q --out {whole}"));
        // Two shards are played in any order, one of them again, and then all the others at once.
        for index in [3, 0, 3] {
            stdout(&format!("shard run {parts} --shards 5 --index {index} --threads 1 -q -- {command}"));
        }
        stdout(&format!("shard run {parts} --shards 5 -q -- {command}"));
        let printed = stdout(&format!("shard merge {parts} -q --json --no-times --out {merged}"));
        assert_eq!(files(Path::new(&merged)), files(Path::new(&whole)), "{command}");
        assert_eq!(printed, stdout(&format!("{command} -q --json --no-times")));
        assert_eq!(printed, stdout(&format!("shard merge {parts} -q --json --no-times")));
    }
}

#[test]
fn a_tournament_in_shards_is_the_whole_one() {
    let ground = tempfile::tempdir().unwrap();
    let parts = ground.path().join("parts").display().to_string();
    let command = "tournament incan-gold turn:7 backpack:20 random:0.2 --deals 3 --seed 4";
    stdout(&format!("shard run {parts} --shards 4 --index 2 -q -- {command}"));
    stdout(&format!("shard run {parts} --shards 4 -q -- {command}"));
    assert_eq!(stdout(&format!("shard merge {parts} -q --json")), stdout(&format!("{command} -q --json")));
    let merged = ground.path().join("merged").display().to_string();
    stdout(&format!("shard merge {parts} -q --out {merged}"));
    stdout(&format!("verify {merged} -q"));
}

#[test]
fn what_is_not_one_run_is_refused() {
    let ground = tempfile::tempdir().unwrap();
    let parts = ground.path().join("parts").display().to_string();
    let run = |index: u64, words: &str| format!("shard run {parts} --shards 3 --index {index} -q -- {words}");
    let sim = "sim incan-gold turn:7 random:0.2 -n 90";
    assert!(refused(&format!("shard merge {parts}"), 2).contains("cannot read the folder"));
    assert!(refused(&run(3, sim), 2).contains("expected a number below that of --shards, found 3 of 3"));
    assert!(refused(&run(0, "games"), 2).contains("expected sim, sweep or tournament, found games"));
    assert!(refused(&run(0, "sim incan-gold --wrong"), 2).contains("after `--`: error: unexpected argument"));
    assert!(refused(&run(0, &format!("{sim} --out x")), 2).contains("found --out"));
    assert!(refused(&run(0, "sim incan-gold turn:99"), 2).contains("99"));
    assert!(refused(&run(0, "tournament incan-gold turn:7 turn:8"), 2).contains("hint: add --seed N"));
    assert!(!Path::new(&parts).join("part-00000.json").exists());
    stdout(&run(0, sim));
    let message = refused(&run(1, &format!("{sim} --seed 2")), 2);
    assert!(message.contains("--seed 2`, found others: 3 of `meeple sim"), "{message}");
    let message = refused(&format!("shard merge {parts}"), 1);
    assert!(message.contains("expected 3 shards, found 1; missing: 1, 2"), "{message}");
    assert!(message.contains("--shards 3 --index 1 -- sim incan-gold turn:7 random:0.2 -n 90"), "{message}");
    stdout(&run(1, sim));
    stdout(&format!("shard run {parts} --shards 3 -q --no-rows -- {sim}"));
    let merged = ground.path().join("merged").display().to_string();
    let message = refused(&format!("shard merge {parts} --out {merged}"), 1);
    assert!(message.contains("part-00002.parquet, found a shard without"), "{message}");
    stdout(&format!("shard merge {parts} -q"));
    // The file is truncated, as after a full disk that nobody noticed.
    let file = Path::new(&parts).join("part-00001.json");
    let text = std::fs::read(&file).unwrap();
    std::fs::write(&file, &text[..100]).unwrap();
    let message = refused(&format!("shard merge {parts} -q"), 1);
    assert!(
        message.contains("part-00001.json: expected a shard\nhint: remove it, and play it again"),
        "{message}"
    );
}

#[test]
fn more_shards_than_deals_leave_some_empty() {
    let ground = tempfile::tempdir().unwrap();
    let parts = ground.path().join("parts").display().to_string();
    let sim = "sim incan-gold turn:7 random:0.2 -n 2";
    stdout(&format!("shard run {parts} --shards 4 -q -- {sim}"));
    let merged = stdout(&format!("shard merge {parts} -q --json --no-times"));
    assert_eq!(merged, stdout(&format!("{sim} -q --json --no-times")));
}

#[test]
fn the_commands_of_the_page_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/how-to/scale-out.md")).unwrap().replace("\\\n", " ");
    let ground = tempfile::tempdir().unwrap();
    let small = [
        ("--shards 40", "--shards 2"),
        ("--index 7", "--index 1"),
        ("-n 1000000000", "-n 40"),
        ("-n 1000000", "-n 40"),
        ("-n 200000", "-n 2"),
        ("\"$HOME/parts\"", "of-slurm"),
        ("\"$SLURM_ARRAY_TASK_ID\"", "0"),
    ];
    let mut run = 0;
    for line in page.lines().map(str::trim).filter(|line| line.starts_with("meeple shard")) {
        let line = line.split("  #").next().unwrap();
        let words = small.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to));
        meeple(words.strip_prefix("meeple ").unwrap()).current_dir(ground.path()).assert().success();
        run += 1;
    }
    assert_eq!(run, 4);
    assert!(ground.path().join("results/report.html").exists());
}
