//! Agents' analyses: at the table, of stored episodes, and within a time limit.

use std::path::Path;
use std::process::{Command, Stdio};

use meeple_testkit::waits::{output_of, until_while_running};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::{json, meeple, stdout};

/// A stored game of each kind.
const GAMES: [&str; 5] = [
    "incan-gold turn:3 backpack:9",
    "carcassonne/classic greedy builder",
    "cartolan/beginner explorer random --set rounds=6",
    "privateers trader mixed --set max_rounds=6",
    "game17 hunter t800 --set size=5",
];

fn store(folder: &Path, game: &str) -> String {
    let path = folder.join(format!("{}.json", game.split(['/', ' ']).next().unwrap())).display().to_string();
    stdout(&format!("play {game} --seed 5 --level totals --save {path}"));
    path
}

#[test]
fn every_game_is_analysed_to_the_same_bytes_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    for game in GAMES {
        let replay = store(folder.path(), game);
        let words = format!("analyse {replay} --iterations 12 --seat 0 --json --quiet");
        let alone = stdout(&format!("{words} --threads 1"));
        assert_eq!(alone, stdout(&format!("{words} --threads 3")), "{game}");
        let review: serde_json::Value = serde_json::from_str(&alone).unwrap();
        assert_eq!((&review["format"], &review["complete"]), (&1.into(), &true.into()), "{game}");
        let stored: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&replay).unwrap()).unwrap();
        let decisions = review["decisions"].as_array().unwrap();
        assert!(!decisions.is_empty(), "{game}");
        for decision in decisions {
            let moment = decision["moment"].as_u64().unwrap() as usize;
            let played = decision["played"].as_str().unwrap();
            assert_eq!(stored["steps"][moment], format!("0 {played}"), "{game}");
            // Every decision is judged, even if a game's actions cannot be listed.
            let number = |key: &str| decision[key]["value"].as_f64().unwrap();
            let agrees = decision["choice"] == decision["played"];
            let cost = if agrees { 0.0 } else { number("expected") - number("of_played") };
            assert!((number("cost") - cost).abs() < 1e-9, "{game}: {decision}");
            assert!((-1e-9..=1.0 + 1e-9).contains(&number("expected")), "{game}: {decision}");
            assert_eq!(decision["iterations"], 12, "{game}");
            assert_eq!(decision["line"][0]["action"], decision["choice"], "{game}");
        }
        assert_ne!(alone, stdout(&format!("{words} --seed 2")), "{game}");
    }
}

#[test]
fn a_review_is_printed_in_words_and_filed() {
    let folder = tempfile::tempdir().unwrap();
    let replay = store(folder.path(), GAMES[0]);
    let out = folder.path().join("out");
    let words = format!("analyse {replay} --iterations 200 --quiet --out {}", out.display());
    let text = stdout(&words);
    for part in
        ["at its first decision (moment ", "the end was worth", "Costliest decisions of seat", "mean cost, %"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    for file in ["summary.json", "report.html", "plots/curve.svg", "plots/curve.png", "plan.json"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let summary = std::fs::read_to_string(out.join("summary.json")).unwrap();
    assert_eq!(summary, stdout(&format!("analyse {replay} --iterations 200 --quiet --json")));
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("--agent mcts:iterations=1000,margin=0 --iterations 200 --seed 1"), "{report}");
    assert_eq!(meeple(&words).output().unwrap().status.code(), Some(1), "results are not replaced unasked");
    stdout(&format!("{words} --force"));
    // Without opponents the goal is gems, so decisions are judged in gems.
    let alone = folder.path().join("alone.json").display().to_string();
    stdout(&format!("play incan-gold turn:9 --seed 5 --level totals --save {alone}"));
    let review = json(&format!("analyse {alone} --iterations 50 --quiet --json"));
    assert_eq!((&review["unit"], &review["even"]), (&"points".into(), &serde_json::Value::Null));
}

#[test]
fn a_review_that_is_stopped_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let replay = store(folder.path(), GAMES[1]);
    let out = folder.path().join("out");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.args(["analyse", &replay, "--iterations", "1500", "--threads", "1", "--json", "--out"]).arg(&out);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Once the lock exists, the program handles signals.
    until_while_running(&mut child, "the lock of the review", || out.join(".meeple.lock").exists());
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = output_of(child, "a review that was interrupted");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("stopped after ") && errors.contains("hint: "), "{errors}");
    let review: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(review["complete"], false);
    let done = review["decisions"].as_array().unwrap().len() as u64;
    assert!(done < review["asked"].as_u64().unwrap());
    assert!(out.join("report.html").is_file());
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let replay = store(folder.path(), GAMES[0]);
    for (words, part) in [
        ("--seat 2", "--seat: expected a seat from 0 to 1, found 2"),
        ("--agent turn:7", "expected an agent that analyses its actions, found 'turn:7'\nhint:"),
        ("--agent mts", "unknown agent 'mts' for incan-gold\nhint: did you mean 'mcts'?"),
        ("--agent mcts:c=x", "c: expected a number"),
        ("--iterations 0", "--iterations: expected at least 1, found 0"),
        ("--episode 1", "--episode: expected the directory of a tournament"),
        ("--force", "--out"),
    ] {
        let output = meeple(&format!("analyse {replay} {words}")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
        assert!(errors.contains(part) && output.stdout.is_empty(), "{words}: {errors}");
    }
    let text = std::fs::read_to_string(&replay).unwrap();
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, text.replacen("0 stay", "0 sit", 1)).unwrap();
    let output = meeple(&format!("analyse {}", broken.display())).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("broken.json"), "{output:?}");
}

#[test]
fn a_person_asks_what_agents_think_in_every_game() {
    for game in [
        "incan-gold human turn:7",
        "carcassonne human greedy",
        "cartolan human explorer",
        "privateers human trader",
        "game17 human --set size=5",
    ] {
        let typed =
            "hint\nanalyse\nanalyse mcts:iterations=60\nhint mcts:iterations=60\nanalyse flat\nquit\n";
        for flags in ["", " --plain"] {
            let output = meeple(&format!("play {game} --seed 4{flags}")).write_stdin(typed).output().unwrap();
            let (printed, errors) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{game}: {errors}");
            assert_eq!(errors.matches("hint: ").count(), 2, "{game}: {errors}");
            assert!(errors.contains("mcts:iterations=60 would choose "), "{game}: {errors}");
            for part in
                ["mcts would choose ", " after 60 looks", "flat would choose ", "expects, % of the win"]
            {
                assert!(printed.contains(part), "{game}: {part} is missing in\n{printed}");
            }
        }
    }
    let typed = "analyse mcts:iterations=2000\nquit\n";
    let output = meeple("play carcassonne human greedy --seed 4").write_stdin(typed).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("\nIt expects:\n  you: ") && printed.contains("\n  seat 1 greedy: "),
        "{printed}"
    );
    let typed = "analyse nobody\nanalyse greedy\nhint nobody\nhint greedy\nanalyse mcts:c=x\nhelp\nquit\n";
    let output = meeple("play carcassonne human greedy --seed 4").write_stdin(typed).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    for part in [
        "no analysis: unknown agent 'nobody'",
        "no analysis: greedy does not say what it thinks",
        "no hint: unknown agent 'nobody'",
        "it does not say why",
        "c: expected a number",
    ] {
        assert!(errors.contains(part), "{part} is missing in\n{errors}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("analyse AGENT asks another"));
}

#[test]
fn what_was_thought_in_a_time_is_stored_and_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let replay = file("timed.json");
    stdout(&format!("play incan-gold mcts flat turn:3 --think 2ms --seed 5 --level totals --save {replay}"));
    let text = std::fs::read_to_string(&replay).unwrap();
    let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
    let iterations = stored["iterations"].as_object().unwrap();
    assert!(!iterations.is_empty());
    for step in iterations.keys() {
        let step = stored["steps"][step.parse::<usize>().unwrap()].as_str().unwrap();
        assert!(step.starts_with("0 ") || step.starts_with("1 "), "turn counts none: {step}");
    }
    let printed = stdout(&format!("replay {replay} --check --again"));
    assert!(
        printed.contains(&format!("{} of them with the iterations that are stored", iterations.len())),
        "{printed}"
    );
    // A replay without thinking times has no iterations, and its agents decide the same again.
    let untimed = file("untimed.json");
    stdout(&format!("play incan-gold mcts flat turn:3 --seed 5 --level totals --save {untimed}"));
    assert!(!std::fs::read_to_string(&untimed).unwrap().contains("iterations"));
    assert!(stdout(&format!("replay {untimed} --check --again")).contains("are the same\n"));
    // The agent named here would have decided otherwise.
    let forged = file("forged.json");
    std::fs::write(&forged, text.replacen("\"turn:3\"", "\"turn:9\"", 1)).unwrap();
    let output = meeple(&format!("replay {forged} --check --again")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("asked again, the agent at seat 2 decides 'stay'"),
        "{output:?}"
    );
    for time in ["1", "0s", "x ms", "2h", "-1s"] {
        let output = meeple("play incan-gold turn:3 mcts").arg(format!("--think={time}")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{time}");
    }
}
