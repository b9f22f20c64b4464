//! Completions, manual pages, and output that can be compared.

use crate::{json, meeple, stdout};

#[test]
fn shells_complete_verbs_games_and_tools() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&format!("completions {shell}"));
        for word in ["tournament", "check-bot", "exact", "guide", "no-times"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // Completion of names works in bash, zsh and fish; other shells get verbs and flags only.
        if ["bash", "zsh", "fish"].contains(&shell) {
            for word in ["incan-gold", "cartolan/advanced", "lookahead"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }
    meeple("completions cmd").assert().code(2);
}

/// The words that bash offers to complete the last one of `words`.
fn completed(script: &std::path::Path, words: &[&str]) -> Vec<String> {
    let list = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let program = format!(
        "source {}; COMP_WORDS=({list}); COMP_CWORD={}; _meeple meeple '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let output = std::process::Command::new("bash").args(["--norc", "-c", &program]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("meeple.bash");
    std::fs::write(&script, stdout("completions bash")).unwrap();
    let check = |words: &[&str], expected: &str| {
        let offered = completed(&script, words);
        assert!(
            offered.iter().any(|word| word == expected),
            "{words:?}: expected {expected}, found {offered:?}"
        );
    };
    check(&["meeple", "tour"], "tournament");
    check(&["meeple", "sim", "inc"], "incan-gold");
    check(&["meeple", "rules", "cart"], "cartolan/beginner");
    check(&["meeple", "play", "cartolan", "mer"], "merchant");
    check(&["meeple", "sim", "--s"], "--seed");
    check(&["meeple", "completions", "z"], "zsh");
    check(&["meeple", "exact", "priv"], "privateers");
    let counts = completed(&script, &["meeple", "play", "incan-gold", "--games", ""]);
    assert!(!counts.iter().any(|word| word.contains("incan-gold")), "a number is asked for: {counts:?}");
}

#[test]
fn manual_pages_tell_every_verb() {
    let page = stdout("man");
    assert!(page.contains(".TH meeple 1") && page.contains("tournament"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    meeple(&format!("man --out {}", out.display())).assert().success();
    let names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in ["meeple.1", "meeple-sim.1", "meeple-guide.1", "meeple-exact.1"] {
        assert!(names.iter().any(|own| own == name), "{name} in {names:?}");
    }
    let sim = std::fs::read_to_string(out.join("meeple-sim.1")).unwrap();
    assert!(sim.contains(".TH meeple-sim 1") && sim.contains("\\-\\-no\\-times"), "{sim}");
    assert!(names.iter().all(|name| name.ends_with(".1")), "nothing half-written stays: {names:?}");
}

#[test]
fn json_without_times_is_the_same_bytes() {
    for words in
        ["sim incan-gold turn:7 backpack:20 -n 300 --json", "sweep incan-gold turn:1..3 random -n 50 --json"]
    {
        let timed = json(words).to_string();
        assert!(timed.contains("\"seconds\""), "{words}");
        let first = stdout(&format!("{words} --no-times --threads 1"));
        assert_eq!(first, stdout(&format!("{words} --no-times --threads 2")), "{words}");
        assert!(!first.contains("\"seconds\"") && !first.contains("per_second"), "{words}");
        assert!(first.contains("\"wins\""));
    }
    meeple("sim incan-gold turn:7 -n 10 --no-times").assert().code(2);
    let standings = "match incan-gold turn:7 turn:8 -n 20 --seed 3 --json";
    assert_eq!(stdout(standings), stdout(standings), "standings have no times");
}
