//! Reading sweeps and playing them.

use meeple_core::Seating;
use meeple_lab::table::sweep_tables;
use meeple_lab::{
    Existing, LabError, NoProgress, OutputOptions, Progress, StopFlag, Sweep, SweepOptions, SweepResult,
    sweep, sweep_into,
};

use crate::{Scratch, settings, toy, words};

fn read(set: &str, line_up: &str) -> Result<Sweep, LabError> {
    Sweep::new(&*toy::entry(), None, &settings(set), &words(line_up))
}

fn options(episodes: u64) -> SweepOptions {
    SweepOptions { seed: 3, episodes, seating: Seating::Rotate, threads: 2 }
}

fn play(set: &str, line_up: &str, episodes: u64) -> SweepResult {
    sweep(&read(set, line_up).unwrap(), &options(episodes), &mut NoProgress, &StopFlag::new()).unwrap()
}

#[test]
fn ranges_are_read_as_people_mean_them() {
    // Columns: settings, line-up, and the expected axes with their values.
    let cases = [
        ("", "solo at-least:1..4", "at-least=1,2,3,4"),
        ("", "at-least:1..10+3", "at-least=1,4,7,10"),
        ("", "at-least:1..9+3", "at-least=1,4,7"),
        ("", "at-least:5..5", "at-least=5"),
        ("", "at-least:1..20+19", "at-least=1,20"),
        ("", "mixed:1,0.0..1.0", "mixed:chance=0,1"),
        ("", "at-least:least=2..3 coin", "at-least=2,3"),
        ("", "Bob=at-least:2..3*2 coin", "at-least=2,3"),
        ("", "at-least:2*1..3 coin", "seats of at-least=1,2,3"),
        ("", "Ann=coin*1|3 at-least:2", "seats of coin=1,3"),
        ("", "mixed:4,0.05..0.25+0.05", "mixed:chance=0.05,0.1,0.15,0.2,0.25"),
        ("", "mixed:least=1..2,chance=0.1..0.2+.1", "mixed:least=1,2 mixed:chance=0.1,0.2"),
        ("", "mixed:chance=0|0.5|1", "mixed:chance=0,0.5,1"),
        ("", "at-least:1..2 x at-least:3..4", "at-least (1st)=1,2 at-least (2nd)=3,4"),
        ("", "at-least:1..2 at-least:3..4", "at-least (1st)=1,2 at-least (2nd)=3,4"),
        ("rounds=2..3", "coin coin", "rounds=2,3"),
        ("rounds=2|5|9", "coin", "rounds=2,5,9"),
        ("rounds=2..4+2 sides=6", "at-least:1..2", "at-least=1,2 rounds=2,4"),
        ("bonus=-4..2+3", "coin", "bonus=-4,-1,2"),
        ("note=pocket,big-sea,v1.2", "coin", "note=pocket,big-sea,v1.2"),
        ("note=pocket|big-sea", "coin", "note=pocket,big-sea"),
    ];
    for (set, line_up, expected) in cases {
        let sweep = read(set, line_up).unwrap_or_else(|error| panic!("{set} {line_up}: {error}"));
        let axes = sweep.axes().iter().map(|axis| format!("{}={}", axis.name, axis.values.join(",")));
        assert_eq!(axes.collect::<Vec<_>>().join(" "), expected, "{set} {line_up}");
        let cells: usize = sweep.axes().iter().map(|axis| axis.values.len()).product();
        assert_eq!(sweep.cells(), cells);
    }
}

#[test]
fn lists_are_swept_like_other_values() {
    // Columns: line-up, and the expected values of the axes.
    let cases: [(&str, &[&[&str]]); 5] = [
        ("picky:dice=1,2|3,4,5", &[&["1,2", "3,4,5"]]),
        ("picky:1,2|3,chance=0.5", &[&["1,2", "3"]]),
        ("picky:dice=1|2|3", &[&["1", "2", "3"]]),
        ("picky:dice=1,2|3,chance=0|1", &[&["1,2", "3"], &["0", "1"]]),
        ("picky:dice=1,2,chance=0|1", &[&["0", "1"]]),
    ];
    for (line_up, expected) in cases {
        let sweep = read("", line_up).unwrap_or_else(|error| panic!("{line_up}: {error}"));
        let found: Vec<&[String]> = sweep.axes().iter().map(|axis| axis.values.as_slice()).collect();
        assert_eq!(found, expected, "{line_up}");
    }
    // Passing is worth 3: taking only threes gives 12 in four rounds, taking every die gives 8 on average.
    let result = play("sides=3", "picky:dice=3|1,2,3", 400);
    let means: Vec<f64> =
        result.cells.iter().map(|cell| cell.run.summary.agents[0].results.mean_score).collect();
    assert!(means[0] == 12.0 && (7.5..8.5).contains(&means[1]), "{means:?}");
    assert_eq!(result.cells[1].run.summary.line_up, ["picky:dice=1,2,3"]);
}

#[test]
fn steps_of_a_tenth_do_not_drift() {
    let sweep = read("", "mixed:1,0.05..1+0.05").unwrap();
    let values = &sweep.axes()[0].values;
    assert_eq!(values.len(), 20);
    for (index, value) in values.iter().enumerate() {
        let hundredths = 5 * (index + 1);
        assert_eq!(value.parse::<f64>().unwrap(), hundredths as f64 / 100.0);
        assert!(value.len() <= 4, "{value}");
    }
    assert_eq!(values.last().unwrap(), "1");
}

#[test]
fn bad_sweeps_are_refused_with_a_hint() {
    // Columns: settings, line-up, and a part of the expected message.
    let cases = [
        ("", "coin", "expected one or two parameters with a range, found none"),
        ("", "at-least:1..x", "expected FIRST..LAST or FIRST..LAST+STEP, found '1..x'"),
        ("", "at-least:..3", "found '..3'"),
        (
            "",
            "at-least:1...3",
            "expected FIRST..LAST or FIRST..LAST+STEP, found '1...3'\nhint: a range has two dots, as in 1..3",
        ),
        ("", "at-least:1....3+2", "hint: a range has two dots, as in 1..3+2"),
        ("", "a=at-least:1..3 a=coin", "expected every name once, found 'a' twice"),
        ("", "at-least:3..1", "a first value not above the last"),
        ("", "at-least:1..3+0", "a step above 0"),
        ("", "at-least:1..3+-1", "a step above 0"),
        ("", "mixed:1,0..1+0.0001", "at most 1000 values"),
        ("", "mixed:1,0..1+0.0000000000000001", "FIRST..LAST"),
        ("", "at-least:1..21+0.5", "whole number"),
        ("", "at-least:1..22", "from 0 to 21, found '22'"),
        ("", "at-least:1|1", "each value once"),
        ("", "mixed:1,0.3|0.30", "'0.30' occurs twice"),
        ("", "at-least:2|02", "'02' occurs twice"),
        ("", "picky:dice=1..3", "ranges are for numbers; list the values"),
        ("", "picky:chance=0..1,5", "expected NAME=VALUE after 'chance=0..1', found '5'"),
        ("rounds=1..2 rounds=3", "coin", "rounds is given twice, as '1' and as '3'"),
        ("rounds=2,3", "coin", "lists of numbers take '|', as in 2|3"),
        ("", "mixed:1,0.1..0.9", "hint: as in 0.1..0.9+0.1"),
        ("", "mixed:1,0..0.9", "a step where an end is no whole number"),
        ("", "mixed:1,0.1..0.9+1", "hint: the step may be 0.8 at most, as in 0.1..0.9+0.8"),
        ("", "at-least:1..20+100", "expected at least two values, found '1..20+100'"),
        ("", "at-least:1||2", "values between '|'"),
        ("", "koin:1..3", "did you mean 'coin'"),
        ("", "at-least:most=1..3", "unknown parameter 'most'"),
        ("rouds=1..3", "coin", "did you mean 'rounds'"),
        ("rounds=1..3 sides=2..4", "at-least:1..2", "found 3 (at-least, rounds, sides)"),
        ("bonus=0..999 rounds=1..50", "coin", "at most 10000 cells, found 50000"),
        ("", "solo at-least:1..3 coin", "one agent after 'solo'"),
        ("", "x at-least:1..3", "an agent on both sides of 'x'"),
        ("", "at-least:1..3 x", "an agent on both sides of 'x'"),
        ("guests=0..6", "coin", "from 0 to 5, found '6'"),
        ("guests=0..5", "coin coin", "1 to 6 players"),
    ];
    for (set, line_up, message) in cases {
        let error = read(set, line_up).err().unwrap_or_else(|| panic!("{set} {line_up} was read"));
        assert!(error.to_string().contains(message), "{set} {line_up}: {error}");
    }
    // A text is a single value unless it is a list of names.
    for text in ["../a|b", "a,(b)", "a,,b", ",", "1..3", "a|b,c"] {
        let sweep = read(&format!("note={text} rounds=1..2"), "coin").unwrap();
        assert_eq!(sweep.axes().len(), 1, "{text}");
    }
    let error = read("note=a,@b.txt", "coin").err().unwrap();
    assert!(error.to_string().contains("a file that can be read, found '@b.txt'"), "{error}");
    let sweep_of = read("rounds=1..2", "coin").unwrap();
    let error = sweep(&sweep_of, &options(u64::MAX), &mut NoProgress, &StopFlag::new()).err().unwrap();
    assert!(
        error.to_string().contains("at most 9223372036854775807 episodes for each of 2 cells"),
        "{error}"
    );
    let error = sweep(&sweep_of, &options(0), &mut NoProgress, &StopFlag::new()).err().unwrap();
    assert!(matches!(error, LabError::Episodes { found: 0 }));
}

#[test]
fn cells_see_the_same_deals_and_the_best_is_found() {
    let result = play("rounds=1", "solo at-least:1..6", 20_000);
    // Means by the rules: taking from t on gives (3 (t - 1) + t + … + 6) / 6.
    for (index, cell) in result.cells.iter().enumerate() {
        let threshold = index as i64 + 1;
        let expected = (3 * (threshold - 1) + (threshold..=6).sum::<i64>()) as f64 / 6.0;
        let found = cell.run.summary.agents[0].results.mean_score;
        assert!((found - expected).abs() < 0.05, "at-least:{threshold}: {found}");
    }
    // The dice are the same in all cells. Thresholds 3 and 4 differ only at a die of 3, which brings 3 points
    // either way.
    let mean = |index: usize| result.cells[index].run.summary.agents[0].results.mean_score;
    assert_eq!(mean(2), mean(3));
    let best: Vec<String> = result.best(0, 3).into_iter().map(|cell| result.label(cell)).collect();
    assert_eq!(best, ["at-least 3", "at-least 4", "at-least 5"]);
}

#[test]
fn two_axes_run_row_by_row_and_agents_have_names() {
    let result = play("", "at-least:1..2 x at-least:4..6", 40);
    let at: Vec<Vec<usize>> = result.cells.iter().map(|cell| cell.at.clone()).collect();
    assert_eq!(at, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    assert_eq!(
        (result.agent_name(0), result.agent_name(1)),
        ("at-least (1st)".into(), "at-least (2nd)".into())
    );
    let json = serde_json::to_value(result.timed()).unwrap();
    assert_eq!(json["cells"][4]["at"], serde_json::json!({ "at-least (1st)": 2, "at-least (2nd)": 5 }));
    assert_eq!(json["cells"][4]["agents"][1]["spec"], "at-least:5");
    assert_eq!(json["cells"][4]["episodes"], 40);
    assert_eq!(json["axes"][1]["values"], serde_json::json!(["4", "5", "6"]));
    assert!(json["seconds"].is_number() && json["format"] == 1);
}

struct StopAtCell(usize, StopFlag, Vec<String>);

impl Progress for StopAtCell {
    fn update(&mut self, done: u64, total: u64, label: &str) {
        assert!(done <= total);
        if self.2.last().is_none_or(|last| last != label) {
            self.2.push(label.to_owned());
        }
        // A flag without abandonment only stops.
        if self.2.len() > self.0 {
            self.1.abandon();
        }
    }
}

#[test]
fn a_stopped_sweep_is_continued_to_the_same_bytes() {
    let scratch = Scratch::new();
    let it = read("", "at-least:1..6 coin").unwrap();
    let run = |name: &str, existing, progress: &mut dyn Progress, stop: &StopFlag| {
        let output = OutputOptions { existing, command: "meeple sweep".into() };
        sweep_into(&it, &options(500), &scratch.path(name), &output, progress, stop)
            .unwrap()
            .into_result()
            .unwrap()
    };
    let whole = run("whole", Existing::Refuse, &mut NoProgress, &StopFlag::new());
    assert!(!whole.stopped);
    let stop = StopFlag::new();
    let mut progress = StopAtCell(3, stop.clone(), Vec::new());
    let part = run("part", Existing::Refuse, &mut progress, &stop);
    assert!(part.stopped && part.cells.len() == 4);
    assert_eq!(progress.2[..2], ["at-least 1", "at-least 2"]);
    let rest = run("part", Existing::Resume, &mut NoProgress, &StopFlag::new());
    assert!(!rest.stopped && rest.cells.len() == 6);
    for name in [
        "summary.json",
        "tally.json",
        "plan.json",
        "report.html",
        "plots/win-share.svg",
        "plots/scores-1.png",
    ] {
        let bytes = |run: &str| std::fs::read(scratch.path(run).join(name)).unwrap();
        assert!(bytes("whole") == bytes("part"), "{name} differs");
    }
    let other = read("", "at-least:1..5 coin").unwrap();
    let output = OutputOptions { existing: Existing::Resume, command: String::new() };
    let error =
        sweep_into(&other, &options(500), &scratch.path("part"), &output, &mut NoProgress, &StopFlag::new());
    assert!(matches!(error, Err(LabError::Resume { .. })));
}

#[test]
fn an_abandoned_sweep_keeps_the_cells_before() {
    let it = read("", "at-least:1..6 coin").unwrap();
    let stop = StopFlag::with_abandonment();
    let mut progress = StopAtCell(3, stop.clone(), Vec::new());
    let part = sweep(&it, &options(500), &mut progress, &stop).unwrap();
    assert!(part.stopped && part.finished() == 3, "{} cells", part.cells.len());
}

#[test]
fn a_continued_sweep_that_is_stopped_keeps_every_cell() {
    let scratch = Scratch::new();
    let it = read("", "at-least:1..6 coin").unwrap();
    let run = |name: &str, episodes, progress: &mut dyn Progress, stop: &StopFlag| {
        let output = OutputOptions { existing: Existing::Resume, command: "meeple sweep".into() };
        sweep_into(&it, &options(episodes), &scratch.path(name), &output, progress, stop)
            .unwrap()
            .into_result()
            .unwrap()
    };
    let names = ["summary.json", "tally.json", "report.html", "plots/win-share.svg", "plots/scores-1.png"];
    let same = |left: &str, right: &str| {
        for name in names {
            let bytes = |run: &str| std::fs::read(scratch.path(run).join(name)).unwrap();
            assert!(bytes(left) == bytes(right), "{name} differs");
        }
    };
    let (never, stopped) = (StopFlag::new(), StopFlag::new());
    stopped.stop();
    run("whole", 500, &mut NoProgress, &never);
    run("part", 500, &mut NoProgress, &never);
    // Finished results are continued and stopped before the first cell.
    let kept = run("part", 500, &mut NoProgress, &stopped);
    assert!(!kept.stopped && kept.finished() == 6);
    same("whole", "part");
    // Results to be extended are stopped at once, and in the middle.
    let kept = run("part", 20_000, &mut NoProgress, &stopped);
    assert!(kept.stopped && kept.finished() == 0);
    let episodes = |kept: &SweepResult| -> Vec<u64> {
        kept.cells.iter().map(|cell| cell.run.summary.episodes).collect()
    };
    assert_eq!(episodes(&kept), [500; 6]);
    let stop = StopFlag::new();
    let kept = run("part", 20_000, &mut StopAtCell(2, stop.clone(), Vec::new()), &stop);
    let of = episodes(&kept);
    assert!(kept.stopped && of[..2] == [20_000; 2] && of[2] < 20_000 && of[3..] == [500; 3], "{of:?}");
    let text = sweep_tables(&kept, None);
    assert!(text.contains("500 to 20,000 episodes per cell"), "{text}");
    let report = std::fs::read_to_string(scratch.path("part/report.html")).unwrap();
    assert!(report.contains("500 to 20,000") && report.contains("The sweep was stopped"));
    run("part", 20_000, &mut NoProgress, &never);
    run("longer", 20_000, &mut NoProgress, &never);
    same("longer", "part");
}

#[test]
fn names_and_files_are_values_of_a_text() {
    let line_up = words("coin");
    let mut read = |path: &str| match path {
        "maps/far.map" => Ok("far away".to_owned()),
        "one/a.txt" => Ok("first".to_owned()),
        "two/a.txt" => Ok("second".to_owned()),
        _ => Err(format!("{path}: not here")),
    };
    let set = |value: &str| vec![("note".to_owned(), value.to_owned())];
    let note_of = set("near,@maps/far.map");
    let sweep_of = Sweep::with_files(&*toy::entry(), None, &note_of, &line_up, &mut read).unwrap();
    assert_eq!(sweep_of.axes()[0].values, ["near", "far"], "a file goes by its name");
    let result = sweep(&sweep_of, &options(5), &mut NoProgress, &StopFlag::new()).unwrap();
    let variants: Vec<_> = result.cells.iter().map(|cell| &cell.run.summary.variant).collect();
    let note = |index: usize| serde_json::to_value(variants[index]).unwrap()["note"].clone();
    assert_eq!((note(0), note(1)), ("near".into(), "far away".into()), "the content is set");
    let cells = &serde_json::to_value(result.timed()).unwrap()["cells"];
    assert_eq!((&cells[0]["at"]["note"], &cells[1]["at"]["note"]), (&"near".into(), &"far".into()));
    let twins = Sweep::with_files(&*toy::entry(), None, &set("@one/a.txt|@two/a.txt"), &line_up, &mut read);
    assert_eq!(twins.unwrap().axes()[0].values, ["one/a.txt", "two/a.txt"]);
    let missing = Sweep::with_files(&*toy::entry(), None, &set("near,@b"), &line_up, &mut read);
    assert!(missing.err().unwrap().to_string().contains("hint: b: not here"));
}
