//! `meeple solve`: small games, as a user asks for them.

use std::io::{BufReader, Read};
use std::process::{Command, Stdio};

use meeple_testkit::waits::{end_of, lines_until, rest_of};

use crate::{json, meeple, stdout};

/// Incan Gold with one round and six cards.
const TINY: &str = "solve incan-gold --set rounds=1 --set gems=3,7 --set hazards.kinds=2 --set hazards.copies=2 \
                    --set artifacts.values=";

#[test]
fn a_small_game_is_solved() {
    let words = format!("{TINY} --pay-off score -n 20000");
    let output = meeple(&words).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("meeple: incan-gold: ") && errors.contains("histories, "), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    for part in ["information sets by seat", "could gain", "NashConv", "20,000"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let answers = json(&format!("{words} --json --quiet"));
    assert_eq!(answers["format"], 1);
    assert_eq!(answers["variant"]["rounds"], 1);
    let value = |seat: usize| answers["seats"][seat]["value"].as_f64().unwrap();
    assert!(value(0).abs() < 0.05 && (value(0) + value(1)).abs() < 1e-9, "{answers}");
    let curve = answers["curve"].as_array().unwrap();
    let short = |point: &serde_json::Value| point["nash_conv"].as_f64().unwrap();
    assert!(short(&curve[0]) > short(curve.last().unwrap()), "{answers}");
    assert_eq!(short(curve.last().unwrap()), answers["nash_conv"].as_f64().unwrap());
    assert!(answers["nash_conv"].as_f64().unwrap() < 0.05, "{answers}");
    assert_eq!(
        stdout(&format!("{words} --json -q")),
        stdout(&format!("{words} --json -q")),
        "the same bytes"
    );
}

/// With a single seat the solution is as good as that of the game's exact tool.
#[test]
fn alone_it_comes_to_what_is_known_exactly() {
    let best = json(
        "exact incan-gold optimal --set rounds=1 --set gems=3,7 --set hazards.kinds=2 \
                     --set hazards.copies=2 --set artifacts.values= --json",
    );
    let best = best["rows"][0]["mean"].as_f64().unwrap();
    let found = json(&format!("{TINY} --seats 1 --pay-off own -n 5000 --json -q"));
    let found = &found["seats"][0];
    let [value, more] = ["value", "could_gain"].map(|key| found[key].as_f64().unwrap());
    assert!((value + more - best).abs() < 1e-9, "{found} for {best}");
    assert!(more < 0.03, "{found}");
}

#[test]
fn strategies_are_written_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.json");
    let words = format!("{TINY} -n 2000 -q --out {}", file.display());
    stdout(&words);
    let text = std::fs::read_to_string(&file).unwrap();
    let written: serde_json::Value = serde_json::from_str(&text).unwrap();
    let strategies = written["strategies"].as_array().unwrap();
    let sets: u64 =
        written["size"]["information_sets"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(strategies.len() as u64, sets);
    for strategy in strategies {
        let shares = strategy["probabilities"].as_array().unwrap();
        let sum: f64 = shares.iter().map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9 && shares.len() == strategy["actions"].as_array().unwrap().len());
        assert_eq!(strategy["actions"], serde_json::json!(["stay", "leave"]));
        // `after` names the seat's previous information set and its action there.
        if let Some(set) = strategy["after"]["set"].as_u64() {
            assert_eq!(strategies[set as usize]["seat"], strategy["seat"]);
            assert_eq!(strategy["after"]["action"], "stay", "who left is asked no more");
        }
        assert!(strategy["sees"]["path"].is_array());
    }
    let refused = meeple(&words).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force replaces it"));
    stdout(&format!("{words} --force"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "the same bytes");
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    for (words, code, parts) in [
        ("solve incan-gold", 2, &["expected at most 5000000 histories", "hint: --set ", "leaves about"][..]),
        ("solve incan-gold --set rounds=1 --histories 1000", 2, &["at most 1000 histories", "hint: --set "]),
        ("solve game17", 2, &["actions can be listed, found game17"]),
        ("solve privateers", 2, &["draws whose outcomes can be listed", "privateers after 0 steps"]),
        ("solve incan-gold -n 0", 2, &["expected at least 1 iteration, found 0"]),
        ("solve incan-gold --seats 99", 2, &["takes 1 to 16 players, found 99"]),
        ("solve incan-golt", 2, &["did you mean 'incan-gold'?"]),
        ("solve incan-gold --pay-off much", 2, &["win, score, own"]),
        ("solve incan-gold --force", 2, &["--out"]),
        ("solve incan-gold --out nowhere/file.json", 1, &["there is no folder nowhere"]),
    ] {
        let output = meeple(words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {errors}");
        assert!(output.stdout.is_empty() && !errors.contains("panic"), "{words}: {errors}");
        for part in parts {
            assert!(errors.contains(part), "{words}: {part} is missing in\n{errors}");
        }
    }
}

/// The settings that a refusal suggests make the game small enough.
#[test]
fn the_hint_helps() {
    let output = meeple("solve incan-gold --histories 20000").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let hint = errors.split("hint: ").nth(1).unwrap().split(" leaves about").next().unwrap();
    json(&format!("solve incan-gold --histories 20000 -n 10 -q --json {hint}"));
}

#[test]
fn what_is_done_when_it_is_stopped_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.current_dir(folder.path()).env("NO_COLOR", "1");
    // The first milestone comes after a thousandth of the iterations, and each later one after twice as many.
    let words = format!("{TINY} -n 1099511627776 --json --out kept.json");
    command.args(words.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let errors = BufReader::new(child.stderr.take().unwrap());
    // The program prints the size of the game, and then computes for years.
    let (errors, mut shown) = lines_until(errors, "histories, ");
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    shown += &rest_of(errors, "a solver that was interrupted");
    assert_eq!(end_of(&mut child, "it").code(), Some(1), "{shown}");
    assert!(shown.contains("stopped after ") && shown.contains("wrote kept.json"), "{shown}");
    let mut text = String::new();
    child.stdout.unwrap().read_to_string(&mut text).unwrap();
    let answers: serde_json::Value = serde_json::from_str(&text).unwrap();
    let iterations = answers["iterations"].as_u64().unwrap();
    assert!(shown.contains(&format!("stopped after {iterations} of 1099511627776")), "{shown}");
    let kept = std::fs::read_to_string(folder.path().join("kept.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["iterations"], answers["iterations"]);
}
