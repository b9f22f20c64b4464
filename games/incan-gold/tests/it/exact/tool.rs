//! The tool: rows, and what it says about wrong arguments.

use meeple_core::NoHost;
use meeple_incan_gold::exact::{Rules, tool};

use super::close;

fn run(arguments: &str) -> Result<meeple_core::ToolOutput, String> {
    let words: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    tool::run(&Rules::classic(), &words, &mut |_| {}, &NoHost).map_err(|error| error.to_string())
}

#[test]
fn the_tool_gives_rows() {
    let cases = [
        ("solo turn:1..26", 26, "turn:1", "turn:26"),
        ("solo turn:7", 1, "turn:7", "turn:7"),
        ("solo backpack:1..100+3", 34, "backpack:1", "backpack:100"),
        ("solo random:0.05..1+0.05", 20, "random:0.05", "random:1"),
        ("solo hazards:1..3", 3, "hazards:1", "hazards:3"),
        ("optimal", 2, "optimal", "optimal round by round"),
    ];
    for (arguments, count, first, last) in cases {
        let output = run(arguments).unwrap();
        assert_eq!((&output.json["format"], &output.json["game"]), (&1.into(), &"incan-gold".into()));
        let rows = output.json["rows"].as_array().unwrap();
        assert_eq!((rows.len(), output.tables[0].rows.len()), (count, count), "{arguments}");
        assert_eq!((&rows[0]["setting"], &rows[count - 1]["setting"]), (&first.into(), &last.into()));
        for key in ["mean", "sd", "p10", "p50", "p90", "p_zero"] {
            assert!(rows[0][key].is_number(), "{arguments}: {key}");
        }
    }
    let output = run("solo turn:1..26").unwrap();
    close(output.json["rows"][6]["mean"].as_f64().unwrap(), 96.4873, 5e-5, "turn:7");
    assert!(
        output.tables[0].notes[0].starts_with("best: turn:7 (96.4873), "),
        "{:?}",
        output.tables[0].notes
    );

    let output = run("versus turn:5..7 turn:6..8").unwrap();
    let rows = output.json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    assert_eq!((&rows[1]["a"], &rows[1]["b"]), (&"turn:5".into(), &"turn:7".into()));
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
    // Rows 4 and 6 are turn:6 against turn:7, and turn:7 against turn:6.
    assert_eq!((number(4, "win"), number(4, "mean_a")), (number(6, "loss"), number(6, "mean_b")));
    close(number(3, "draw"), 1.0, 1e-12, "turn:6 against itself");
}

#[test]
fn the_tool_explains_wrong_arguments() {
    let cases = [
        ("", "expected solo, versus, optimal, equilibrium or exploit, found nothing"),
        ("sole turn:7", "try 'solo'"),
        ("solo", "expected one strategy"),
        ("solo turn", "expected a number, A..B or A..B+STEP, found ''"),
        ("solo turn:x", "found 'x'"),
        ("solo turn:0..5", "expected a range within 1..64, found '0..5'"),
        ("solo turn:1..65", "within 1..64"),
        ("solo turn:5..1", "expected a range that ascends"),
        ("solo turn:1..5+0", "expected a step above 0"),
        ("solo turn:1..5+9", "at most the width of the range"),
        ("solo random:0.1..0.9", "expected a step, as in 0.1..0.9+0.05"),
        ("solo turn:1.5", "expected whole numbers"),
        ("solo turn:1..3+0.5", "expected whole numbers"),
        ("solo random:0..1.5+0.5", "within 0..1"),
        ("solo random:-1", "found '-1'"),
        ("solo random:0..1+0.00001", "at most 5000 values"),
        ("solo trun:7", "did you mean 'turn'?"),
        ("solo never", "turn, backpack, random, hazards"),
        ("versus turn:7", "expected two strategies"),
        ("versus turn:7 backpack:20", "turn only"),
        ("optimal 5", "expected no arguments"),
        ("equilibrium 5", "found '5'"),
        ("equilibrium --seats x", "expected a number of players, found 'x'"),
        ("equilibrium --seats", "expected a number of players, found nothing"),
        ("equilibrium --goal fame", "expected margin, gems or win, found 'fame'"),
        ("equilibrium --choose best", "expected smallest or largest, found 'best'"),
        ("equilibrium --seats 3 --goal margin", "for two players"),
        ("equilibrium --goal win --gap 1..2.5+0.5", "expected whole numbers"),
        ("equilibrium --gap 3", "expected --goal win beside it"),
        ("equilibriun", "try 'equilibrium'"),
    ];
    for (arguments, expected) in cases {
        let error = run(arguments).expect_err(arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
        assert!(error.contains("hint: "), "{arguments}: {error}");
    }
}
