//! Reported values of a game's own figures and of the turn order, against the rows of the episodes.

use std::collections::BTreeMap;
use std::fs::File;

use meeple_core::Seating;
use meeple_lab::table::{simulation_tables, sweep_tables};
use meeple_lab::{
    Existing, Named, NoProgress, Run, Simulation, StopFlag, Sweep, SweepOptions, meanings, sweep,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::Value;

use crate::results::write;
use crate::{Scratch, play, set_up, settings, simulation, toy, words};

/// A run with its rows (texts of the values by column) and the descriptions of its columns.
fn with_rows(simulation: &Simulation<'_>) -> (Run, Vec<BTreeMap<String, String>>, Value) {
    let scratch = Scratch::new();
    let run = write(simulation, &scratch.path("out"), Existing::Refuse).unwrap();
    let reader =
        SerializedFileReader::new(File::open(scratch.path("out/episodes.parquet")).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let of = |key: &str| metadata.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
    let columns = serde_json::from_str(&of("columns")).unwrap();
    assert_eq!(of("game"), "toy");
    assert_eq!(of("seating"), "rotate");
    assert_eq!(of("seed"), "7");
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    };
    let row = |row: Row| {
        row.get_column_iter().map(|(name, field)| (name.clone(), text(field))).collect::<BTreeMap<_, _>>()
    };
    let rows = reader.into_iter().map(|read| row(read.unwrap())).collect();
    (run, rows, columns)
}

#[test]
fn results_by_order_of_turns_are_those_of_the_rows() {
    let table = set_up("drawn=on sides=20", "at-least:4 mixed:5,0.3 coin*2");
    let (run, rows, _) = with_rows(&simulation(&table, 3_000));
    assert_eq!(run.summary.turns.len(), 4);
    for turn in &run.summary.turns {
        let own = |row: &&BTreeMap<String, String>| row["turn"] == turn.turn.to_string();
        let scores: Vec<f64> = rows.iter().filter(own).map(|row| row["score"].parse().unwrap()).collect();
        let shares: Vec<f64> = rows.iter().filter(own).map(|row| row["win_share"].parse().unwrap()).collect();
        assert_eq!(scores.len(), 3_000, "every place is somebody's in every episode");
        let results = &turn.results;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        assert!((results.mean_score - mean(&scores)).abs() < 1e-9);
        assert!((results.win_share - mean(&shares)).abs() < 1e-9);
        let count = |test: &dyn Fn(f64) -> bool| shares.iter().filter(|share| test(**share)).count() as u64;
        assert_eq!(results.wins, count(&|share| share == 1.0));
        assert_eq!(results.draws, count(&|share| share > 0.0 && share < 1.0));
        assert!(results.win_share_ci[0] < results.win_share && results.win_share < results.win_share_ci[1]);
        for agent in &run.summary.agents {
            let at = agent.by_turn.iter().find(|at| at.turn == turn.turn).unwrap();
            let rows = rows.iter().filter(own).filter(|row| row["agent"] == agent.name);
            let scores: Vec<f64> = rows.map(|row| row["score"].parse().unwrap()).collect();
            assert_eq!(at.visits.episodes, scores.len() as u64);
            assert!((at.visits.mean_score - mean(&scores)).abs() < 1e-9);
        }
    }
    let shares: f64 = run.summary.turns.iter().map(|turn| turn.results.win_share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "one win is shared by all places");
    let text = simulation_tables(&run, None);
    assert!(text.contains("\n1st ") && text.contains("The order of turns is drawn"), "{text}");
    assert!(!text.contains("\nseat "), "results by seat say nothing here\n{text}");
}

#[test]
fn the_order_of_seats_needs_no_table_of_turns() {
    let table = set_up("", "at-least:4 coin");
    let (run, rows, columns) = with_rows(&simulation(&table, 50));
    assert!(run.summary.turns.is_empty() && run.to_json().get("turns").is_none());
    assert!(!rows[0].contains_key("turn"));
    assert!(columns.as_array().unwrap().iter().all(|column| column["name"] != "turn"));
    let alone = play(&simulation(&set_up("drawn=on", "coin"), 50));
    assert!(alone.summary.turns.is_empty());
}

#[test]
fn turns_keep_whole_deal_groups() {
    let table = set_up("drawn=on", "at-least:4 coin*3");
    let deals = Simulation { seating: Seating::DealGroups, ..simulation(&table, 403) };
    let run = play(&deals);
    let [first, ..] = &run.summary.turns[..] else { panic!("no turns") };
    assert_eq!(first.results.episodes, 403);
    // The units are 100 groups, so the interval is wider than one of 400 units.
    let half = |ci: [f64; 2]| ci[1] - ci[0];
    let single = play(&simulation(&table, 400));
    let (wide, narrow) = (half(first.results.mean_score_ci.unwrap()), &single.summary.turns[0].results);
    assert!(wide > 1.3 * half(narrow.mean_score_ci.unwrap()));
    assert!(run.summary.agents[1].by_turn.iter().all(|at| at.visits.mean_score_ci.is_some()));
}

#[test]
fn categories_are_counted_and_never_averaged() {
    let table = set_up("rounds=3", "Ann=at-least:5 Bob=coin*2");
    let (run, rows, _) = with_rows(&simulation(&table, 2_000));
    let summary = &run.summary;
    let count = |rows: &mut dyn Iterator<Item = String>| {
        let mut counts = BTreeMap::new();
        rows.for_each(|word| *counts.entry(word).or_insert(0u64) += 1);
        counts
    };
    let positive = |counts: &Named<u64>| -> BTreeMap<String, u64> {
        let counts = counts.0.iter().filter(|(_, count)| *count > 0);
        counts.map(|(name, count)| (name.to_string(), *count)).collect()
    };
    // A category of the episode is equal in the three rows of an episode, so one of them is counted.
    let dice = count(&mut rows.iter().step_by(3).map(|row| row["last_die"].clone()));
    assert_eq!(positive(summary.categories.get("last_die").unwrap()), dice);
    assert_eq!(dice.keys().collect::<Vec<_>>(), ["high", "low"]);
    // A figure that names a seat is counted by the agent there. Rows of an episode are in the order of seats.
    let whose = |index: usize, column: &str| match rows[index][column].parse::<i64>().unwrap() {
        -1 => "nobody".to_owned(),
        seat => rows[index / 3 * 3 + seat as usize]["agent"].clone(),
    };
    let leaders = count(&mut (0..rows.len()).step_by(3).map(|index| whose(index, "leader")));
    assert_eq!(positive(summary.categories.get("leader").unwrap()), leaders);
    assert_eq!(leaders.len(), 3, "nobody, Ann and Bob have led");
    let next = count(&mut (0..rows.len()).map(|index| whose(index, "next")));
    assert_eq!(positive(summary.categories.get("next").unwrap()), next);
    for agent in &summary.agents {
        let own = || (0..rows.len()).filter(|index| rows[*index]["agent"] == agent.name);
        let next = count(&mut own().map(|index| whose(index, "next")));
        assert_eq!(positive(agent.categories.get("next").unwrap()), next, "{}", agent.name);
        let parity = count(&mut own().map(|index| rows[index]["parity"].clone()));
        assert_eq!(positive(agent.categories.get("parity").unwrap()), parity, "{}", agent.name);
    }
    let json = run.to_json();
    for key in ["last_die", "leader", "next", "parity"] {
        assert!(json["stats"].get(key).is_none(), "{key} has no mean");
        let counts = json["categories"][key].as_object().unwrap();
        assert!(counts.values().all(Value::is_u64), "{key}: {counts:?}");
    }
    // Tables show these counts as shares.
    let text = simulation_tables(&run, None);
    let share = 100.0 * leaders["Ann"] as f64 / 2_000.0;
    let row = text.lines().find(|line| line.starts_with("leader: Ann ")).unwrap();
    assert!(row.contains("% of episodes") && row.contains(&format!("{share:.1}")), "{row}");
}

#[test]
fn every_figure_says_what_it_means() {
    let table = set_up("", "at-least:5 coin");
    let (run, rows, columns) = with_rows(&simulation(&table, 20));
    let entry = toy::entry();
    let all = meanings(entry.info());
    assert_eq!(all.0.len(), 8);
    let columns = columns.as_array().unwrap();
    let names: Vec<&str> = columns.iter().map(|column| column["name"].as_str().unwrap()).collect();
    let mut sorted: Vec<&String> = rows[0].keys().collect();
    sorted.sort_by_key(|key| names.iter().position(|name| name == key));
    assert_eq!(sorted, names, "every column is described, in order");
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    for column in columns {
        assert!(
            text(&column["unit"]).is_some() && text(&column["meaning"]).unwrap().ends_with('.'),
            "{column}"
        );
    }
    let json = run.to_json();
    let page = meeple_lab::report::simulation_report(&run, &[], "");
    for (key, meaning) in &all.0 {
        let described = &json["figures"][&**key];
        assert_eq!(text(&described["meaning"]).as_deref(), Some(meaning.figure.doc));
        assert_eq!(text(&described["unit"]).as_deref(), Some(meaning.figure.unit));
        assert_eq!(text(&described["kind"]).as_deref(), Some(meaning.figure.kind.word()));
        assert_eq!(text(&described["of"]).as_deref(), Some(meaning.of));
        let column = columns.iter().find(|column| column["name"] == **key).unwrap();
        assert_eq!(column["meaning"], described["meaning"], "{key}");
        assert!(page.contains(meaning.figure.doc) && page.contains(&**key), "{key} is not in the report");
    }
    assert_eq!(json["figures"]["parity"]["words"], serde_json::json!(["odd", "even"]));
}

#[test]
fn a_sweep_tells_lengths_endings_and_figures_of_every_value() {
    let plan =
        Sweep::new(&*toy::entry(), None, &settings("rounds=2|5|9"), &words("at-least:4 coin")).unwrap();
    let options = SweepOptions { seed: 3, episodes: 200, seating: Seating::Rotate, threads: 2 };
    let result = sweep(&plan, &options, &mut NoProgress, &StopFlag::new()).unwrap();
    let text = sweep_tables(&result, None);
    let table = |head: &str| -> Vec<Vec<&str>> {
        let lines = text.lines().skip_while(|line| *line != head).skip(3);
        lines.take_while(|line| !line.is_empty()).map(|line| line.split_whitespace().collect()).collect()
    };
    let lengths = table("Length in rounds");
    assert_eq!(lengths.iter().map(|row| row[..2].join(" ")).collect::<Vec<_>>(), ["2 2", "5 5", "9 9"]);
    let ends = table("Ended by, % of episodes");
    for (row, cell) in ends.iter().zip(&result.cells) {
        let high = 100.0 * cell.run.summary.ends.0[0].1 as f64 / 200.0;
        assert_eq!(row[1].parse::<f64>().unwrap(), (10.0 * high).round() / 10.0, "{row:?}");
    }
    let figures = table("Figures");
    let sixes = figures.iter().find(|row| row[0] == "sixes").unwrap();
    for (place, cell) in result.cells.iter().enumerate() {
        let mean = cell.run.summary.stats.get("sixes").unwrap().mean.unwrap();
        let shown: f64 = sixes[2 + 3 * place].parse().unwrap();
        assert!((shown - mean).abs() < 0.01, "{sixes:?}");
    }
    assert!(figures.iter().any(|row| row[..3] == ["last", "die:", "high"]), "{text}");
    // With two axes, each number has its own matrix.
    let plan = Sweep::new(&*toy::entry(), None, &settings("rounds=2|5 sides=5|6"), &words("at-least:4 coin"))
        .unwrap();
    let result = sweep(&plan, &options, &mut NoProgress, &StopFlag::new()).unwrap();
    let text = sweep_tables(&result, None);
    for title in ["Length: mean rounds", "Ended by high die: % of episodes", "sixes: mean dice"] {
        assert!(text.contains(&format!("\n{title}\n")), "{title} is not in\n{text}");
    }
    assert!(text.contains("more figures: see --json"), "{text}");
    let report = meeple_lab::report::sweep_report(&result, &[], "");
    assert!(
        report.contains("take share: mean share") && !report.contains("more figures"),
        "all are on the page"
    );
}
