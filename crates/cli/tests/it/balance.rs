//! `meeple balance`: questions of game designers, as a user asks them.

use crate::{json, meeple, stdout};

const FEW: &str = "-n 200 --quiet";

#[test]
fn questions_are_answered_in_words_and_tables() {
    let text = stdout(&format!("balance incan-gold turn:2 turn:7 never {FEW} --full"));
    for part in [
        "Which strategies survive?",
        "`turn:7` dominates",
        "What is a seat worth?",
        "How much is luck?",
        "Who survives",
        "Win shares by pair: win % of the row against the column",
        "invades the other",
        "Rest points of populations",
        "wins from behind",
        "What decides",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let wide = text.lines().filter(|line| line.chars().count() > 120);
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new(), "too wide");
}

#[test]
fn the_same_plan_gives_the_same_bytes_on_any_threads() {
    let run =
        |threads| stdout(&format!("balance privateers trader mixed coward -n 60 --json --threads {threads}"));
    assert_eq!(run(1), run(2));
    let answers = json(&format!("balance incan-gold turn:5..7 --seats 3 {FEW} --json"));
    assert_eq!((answers["format"].as_u64(), answers["tables"].as_u64()), (Some(1), Some(10)));
    let shares = answers["strategies"].as_array().unwrap().iter();
    let sum: f64 = shares.map(|strategy| strategy["equilibrium"]["value"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}

#[test]
fn every_game_can_be_asked() {
    for (game, strategies) in [
        ("game17", "t800 still"),
        ("carcassonne", "greedy random"),
        ("cartolan/beginner", "explorer random"),
        ("privateers", "trader random"),
    ] {
        let answers = json(&format!("balance {game} {strategies} -n 24 --quiet --json"));
        assert_eq!(answers["sentences"][0]["question"], "Which strategies survive?", "{game}");
        assert_eq!(answers["strategies"].as_array().unwrap().len(), 2, "{game}");
    }
}

#[test]
fn rules_are_tried_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sweep");
    let out = out.to_str().unwrap();
    let text = stdout(&format!("balance incan-gold turn:4|7 --sweep hazards.copies=2..4 {FEW} --out {out}"));
    assert!(text.contains("Which strategies survive at each value?"), "{text}");
    assert!(text.contains("Share of the equilibrium, %, at each value"), "{text}");
    for file in [
        "summary.json",
        "report.html",
        "plots/survivors-by-value.png",
        "plots/lengths.svg",
        "plots/spots-by-value.png",
    ] {
        assert!(std::path::Path::new(out).join(file).exists(), "{file}");
    }
    let report = std::fs::read_to_string(format!("{out}/report.html")).unwrap();
    assert!(
        report.contains("meeple balance incan-gold 'turn:4|7' --sweep hazards.copies=2..4 --seats 2"),
        "{report}"
    );
    assert!(report.contains(">Which strategies survive at each value?</h3>"), "{report}");
    assert!(std::path::Path::new(out).join("pay-offs.parquet").exists());
    let refused = meeple(&format!("balance incan-gold turn:7 --out {out}")).output().unwrap();
    assert_ne!(refused.status.code(), Some(0));
    let text = stdout(&format!("balance incan-gold turn:4 turn:7 --parameters {FEW}"));
    for part in [
        "Which parameter moves the length most?",
        "What moves the length most",
        "What moves fairness most",
        "hazards.copies",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn bad_questions_are_refused() {
    for (words, part) in [
        ("balance incan-gold turn:7 --seats 1", "at least 2 seats"),
        ("balance incan-gold turn:7 -n 0", "at least 1"),
        ("balance incan-gold tern:7", "turn"),
        ("balance incan-gold turn:7 --sweep nothing=1..2", "hazards.copies"),
        ("balance incan-gold turn:7 --sweep a=1 --parameters", "cannot be used with"),
        ("balance incan-gold turn:1..64 --seats 4", "tables"),
    ] {
        let output = meeple(words).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {text}");
        assert!(text.contains(part), "{words}: {text}");
    }
}

#[test]
fn hidden_information_has_its_price() {
    // `prior=0` plays without hints, which distinguish states too little in so few iterations.
    let searcher = "mcts:iterations=16,prior=0,rollout=any,value=scores,depth=40";
    let line_up = format!("privateers {searcher} trader -n 2 --quiet");
    let run = |threads| stdout(&format!("hidden {line_up} --json --threads {threads}"));
    assert_eq!(run(1), run(2));
    let found = json(&format!("hidden {line_up} --json"));
    assert_eq!(found["deals"], 2);
    assert!(found["same"].as_u64().unwrap() < 2, "cargo and money are hidden");
    let gap = |figure: &str| {
        let of = |kind: &str| found[figure][kind]["value"].as_f64().unwrap();
        (of("gap"), of("open") - of("closed"))
    };
    for (gap, difference) in [gap("win_share"), gap("margin")] {
        assert!((gap - difference).abs() < 1e-9, "{gap} {difference}");
    }
    let text = stdout(&format!("hidden {line_up}"));
    assert!(text.contains("sees everything") && text.contains("closed  "), "{text}");
    let text = stdout("hidden incan-gold mcts:iterations=8 turn:5 -n 2 --quiet");
    assert!(text.contains("Nothing changes"), "{text}");
    meeple("hidden incan-gold turn:5 turn:5 -n 0").assert().code(2);
}
