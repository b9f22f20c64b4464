//! `learn gate`, `learn table`, `learn respond`: comparisons of trained players.

use crate::{json, meeple, stdout};

const SHIPPED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");

/// A training with checkpoints: at the first one the player has hardly learned, at the last one it has.
const PLAN: &str = "hidden = [16]\nrounds = 20\nepisodes = 400\nkeep = 0.5\nrate = [0.003, 0.0005]\nexamine_every = 10\n\
                    examine_episodes = 50\ngauntlet = [\"turn:7\"]\n";

#[test]
fn checkpoints_are_kept_and_pass_or_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let out = folder.path().join("out");
    let words = format!("learn incan-gold {} -o {} -q --keep-checkpoints", plan.display(), out.display());
    stdout(&words);
    let [first, last] = ["000010", "000020"]
        .map(|round| out.join(format!("checkpoints/net-{round}.safetensors")).display().to_string());
    assert_eq!(std::fs::read(&last).unwrap(), std::fs::read(out.join("net.safetensors")).unwrap());

    let words = format!("learn gate incan-gold {last} --champion turn:1 --former random -n 4000 --json -q");
    let report = json(&words);
    assert_eq!(report["result"]["passed"], true, "{report}");
    assert_eq!(report["result"]["former"].as_array().unwrap().len(), 1);
    assert_eq!(stdout(&words), stdout(&format!("{words} --threads 1")));
    // No player passes against itself.
    let output = meeple(&format!("learn gate incan-gold {last} --champion {last} -n 2000")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("not 55 %, by the test"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not the new champion"), "{output:?}");
    // A candidate that passes the test but loses to a former champion is rejected.
    let words = format!("learn gate incan-gold {first} --champion turn:1 --former {SHIPPED} -n 4000 --json");
    let output = meeple(&words).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["result"]["verdict"]), (Some(1), &"high".into()), "{report}");
    assert_eq!(report["result"]["loses_to_none"], false, "{report}");

    let words = format!("learn table incan-gold {first} {last} turn:1 {SHIPPED} -n 400 -q");
    let report = json(&format!("{words} --json"));
    assert_eq!(report["table"]["met"][0].as_array().unwrap().len(), 4);
    assert_eq!(report["table"]["met"][1][1], serde_json::Value::Null);
    assert_eq!(report["table"]["ring"], serde_json::Value::Null, "{report}");
    let shown = stdout(&words).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("No three beat each other"), "{shown}");
}

#[test]
fn a_response_to_a_weak_player_wins_and_says_how_much() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let words = format!("learn respond incan-gold {} --to turn:1 -q", plan.display());
    let output = stdout(&format!("{words} -o {}", folder.path().join("one").display()));
    let line = output.lines().last().unwrap();
    assert!(
        line.starts_with("turn:1 can be exploited for at least ") && line.ends_with("50.0 % would be even"),
        "{output}"
    );
    let points: f64 = line.split_whitespace().nth(7).unwrap().parse().unwrap();
    assert!(points > 10.0 && points <= 50.0, "{output}");
}

#[test]
fn what_is_no_player_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, "seats = 1\n").unwrap();
    for (words, expected) in [
        (format!("learn gate incan-gold nobody --champion {SHIPPED}"), "nobody"),
        (format!("learn gate incan-gold {SHIPPED} --champion nowhere.safetensors"), "nowhere.safetensors"),
        (format!("learn gate incan-gold {SHIPPED} --champion turn:7 --former nobody"), "nobody"),
        (
            format!("learn gate incan-gold {SHIPPED} --champion turn:7 --seats 3"),
            "expected seats 3, found a network for 2",
        ),
        (format!("learn table incan-gold {SHIPPED}"), "2 values required"),
        (
            format!("learn respond incan-gold {} --to turn:7 -o out", plan.display()),
            "exploiting a player takes an opponent",
        ),
    ] {
        let output = meeple(&words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(expected), "{words}: {errors}");
        assert!(output.stdout.is_empty(), "{words}");
    }
}
