//! `meeple sim` and `meeple sweep`.

use crate::{json, meeple, stdout};

/// The keys every summary has, whatever the game.
const KEYS: [&str; 12] = [
    "format",
    "game",
    "variant",
    "seed",
    "episodes",
    "seconds",
    "episodes_per_second",
    "agents",
    "seats",
    "ends",
    "length",
    "stats",
];

#[test]
fn summary_has_the_stable_keys() {
    let summary = json("sim incan-gold turn:7 backpack:20 random:0.2 -n 2000 --json");
    for key in KEYS {
        assert!(summary.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(summary["format"], 1);
    assert_eq!(summary["game"], "incan-gold");
    assert_eq!(summary["variant"]["hazards.copies"], 3);
    let agents = summary["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    for key in [
        "name",
        "spec",
        "episodes",
        "wins",
        "draws",
        "losses",
        "win_share",
        "win_share_ci",
        "mean_score",
        "sd_score",
        "mean_score_ci",
    ] {
        assert!(agents[0].get(key).is_some(), "{key} of an agent is missing");
    }
    let share: f64 = agents.iter().map(|agent| agent["win_share"].as_f64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-9, "win shares sum to 1, found {share}");
    for key in ["mean", "sd", "min", "p10", "p50", "p90", "max"] {
        assert!(summary["length"].get(key).is_some(), "{key} of the length is missing");
    }
    assert!(summary["stats"]["busts"]["mean"].as_f64().unwrap() > 0.5);
    let ends: u64 = summary["ends"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(ends, 2000);
}

#[test]
fn simulated_means_agree_with_exact_ones() {
    // 20 settings with 20,000 games each. The standard error comes from the exact standard deviation, and all
    // means agree within four standard errors. docs/internals/engines.md has numbers for 10^6 games.
    let exact = json("exact incan-gold solo turn:1..20 --json");
    for row in exact["rows"].as_array().unwrap() {
        let setting = row["setting"].as_str().unwrap();
        let summary = json(&format!("sim incan-gold {setting} -n 20000 --json --seed 9"));
        let mean = summary["agents"][0]["mean_score"].as_f64().unwrap();
        let error = row["sd"].as_f64().unwrap() / 20_000f64.sqrt();
        let expected = row["mean"].as_f64().unwrap();
        assert!((mean - expected).abs() <= 4.0 * error, "{setting}: {mean}, exact {expected} ± {error}");
    }
}

#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: usize| {
        let path = folder.path().join(format!("threads-{threads}"));
        let words = format!(
            "sim incan-gold turn:7 backpack:20 random:0.2 -n 20000 --threads {threads} --out {}",
            path.display()
        );
        stdout(&words);
        path
    };
    let (one, two) = (run(1), run(2));
    for name in ["summary.json", "episodes.parquet"] {
        let same = std::fs::read(one.join(name)).unwrap() == std::fs::read(two.join(name)).unwrap();
        assert!(same, "{name} differs");
    }
    for name in ["report.html", "summary.json"] {
        assert!(one.join(name).metadata().unwrap().len() > 500, "{name}");
    }
}

#[test]
fn tables_name_everybody() {
    let text = stdout("sim incan-gold turn:7 backpack:20 random:0.2 -n 1000");
    for part in ["turn:7", "backpack:20", "random:0.2", "busts", "artifacts"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn sweeps_over_agents_and_rules() {
    let sweep = json("sweep incan-gold solo turn:1..4 -n 500 --json");
    assert_eq!(sweep["cells"].as_array().unwrap().len(), 4);
    let grid = json("sweep incan-gold turn:1..3 x turn:1..2 -n 200 --json");
    assert_eq!(grid["cells"].as_array().unwrap().len(), 6);
    let rules = json("sweep incan-gold turn:7 turn:5 --set hazards.copies=2..4 -n 200 --json");
    assert_eq!(rules["cells"].as_array().unwrap().len(), 3);
    let text = stdout("sweep incan-gold solo random:0.1..0.3+0.1 -n 200");
    assert!(text.contains("0.3") && !text.contains("0.30000000000000004"), "{text}");
}

#[test]
fn maps_and_other_words_are_swept_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("strait.map");
    std::fs::write(&map, "name: Strait\nauthor: test\nversion: 1\n\nA...\n.##.\n...B\n").unwrap();
    let words = format!(
        "sweep privateers trader*2 --set map=pocket,peninsula,@{} --set max_rounds=4 -n 4 --quiet",
        map.display()
    );
    let table = stdout(&words);
    for name in ["pocket", "peninsula", "strait"] {
        assert!(table.contains(name), "{table}");
    }
    assert!(!table.contains("author"), "files go by their names: {table}");
    let result = json(&format!("{words} --json"));
    let at: Vec<&str> =
        result["cells"].as_array().unwrap().iter().map(|cell| cell["at"]["map"].as_str().unwrap()).collect();
    assert_eq!(at, ["pocket", "peninsula", "strait"]);
    // A sweep over two lists, one of which begins with a file. The axis of its report shows the names.
    let out = folder.path().join("out");
    stdout(&format!(
        "sweep privateers trader*2 --set map=@{}|pocket --set mode=infinite,survival --set max_rounds=4 -n 4 --quiet --out {}",
        map.display(),
        out.display()
    ));
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("strait") && report.contains("survival") && !report.contains("author: test"));
}

#[test]
fn many_seats_are_shown_as_a_band() {
    let folder = tempfile::tempdir().unwrap();
    let seats = |size: u8| {
        let out = folder.path().join(size.to_string());
        stdout(&format!("sim game17 zombie --set size={size} -n 3 --quiet --out {}", out.display()));
        std::fs::read_to_string(out.join("plots/turns.svg")).unwrap()
    };
    // 36 seats have bars; 64 seats have bands for win shares and for scores of all seats, of the agent's
    // seat, and of the others.
    let (few, many) = (seats(6), seats(8));
    assert!(few.contains("Bars: 95 %") && !few.contains("<polygon"));
    assert!(many.contains("Bands: 95 %"));
    assert_eq!(many.matches("<polygon").count(), 4);
}

#[test]
fn verbose_runs_say_what_is_played() {
    let logged = |words: &str| {
        let output = meeple(words).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let sim = logged("sim incan-gold turn:7 --set rounds=3 -n 10 -v");
    assert!(sim.contains("`meeple sim incan-gold turn:7 --set rounds=3 --seed 1 -n 10`"), "{sim}");
    assert!(sim.contains(" rounds=3 ") && sim.contains(" hazards.copies=3 "), "{sim}");
    // Quotes keep the shell from expanding these words; zsh refuses a pattern without a match.
    let many = logged("sim incan-gold turn:7*2 --set rounds=3 -n 10 -v");
    assert!(many.contains("`meeple sim incan-gold 'turn:7*2' --set rounds=3 --seed 1 -n 10`"), "{many}");
    let sweep = logged("sweep incan-gold solo turn:1|3 -n 10 -v");
    assert!(sweep.contains("`meeple sweep incan-gold solo 'turn:1|3' --seed 1 -n 10`"), "{sweep}");
    let sweep = logged("sweep incan-gold solo turn:1..3 -n 10 --verbose");
    assert!(sweep.contains("3 cells"), "{sweep}");
    assert_eq!(
        sweep.lines().skip(1).collect::<Vec<_>>(),
        ["meeple: turn 1", "meeple: turn 2", "meeple: turn 3"]
    );
    assert_eq!(logged("sim incan-gold turn:7 -n 10"), "");
}

/// `ulimit` lets no file grow beyond one block, as on a full disk.
#[cfg(unix)]
#[test]
fn what_was_played_is_shown_though_its_files_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/out");
    let words = [
        "sim incan-gold turn:7 turn:5 -n 2000 --quiet",
        "sim incan-gold turn:7 turn:5 -n 2000 --quiet --json",
        "sweep incan-gold solo turn:6..8 -n 200 --quiet",
    ];
    for words in words {
        let mut shell = std::process::Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {words} --out \"$1\"");
        let output = shell.args(["-c", &script, env!("CARGO_BIN_EXE_meeple")]).arg(&out).output().unwrap();
        let (shown, error) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(shown.contains("turn:7") || shown.contains("turn (3 values)"), "{shown}{error}");
        assert!(error.contains("expected to write") && !error.contains("meeple: wrote"), "{error}");
        assert!(!folder.path().join("deep").exists(), "what was made is gone");
    }
}

#[test]
fn agents_take_lists() {
    let words =
        "sim privateers mixed:loot=1,2,3,arm=0.7 trader --set map=pocket --set max_rounds=3 -n 20 --json";
    assert_eq!(json(words)["agents"][0]["spec"], "mixed:loot=1,2,3,arm=0.7");
    let words =
        "sweep privateers mixed:loot=1,2,3|4,5,6 trader --set map=pocket --set max_rounds=3 -n 20 --json";
    assert_eq!(json(words)["cells"].as_array().unwrap().len(), 2);
}
