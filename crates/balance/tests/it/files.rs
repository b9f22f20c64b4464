use meeple_balance::{BalanceFiles, BalanceReport, Detail, grids, plots};
use meeple_lab::Existing;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;

use crate::{ALL, options, played};

#[test]
fn everything_is_written_and_earlier_results_are_kept() {
    let (balance, run, answers) = played(&[], &ALL, &options());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    let plots = plots(&answers).unwrap();
    let sentences = meeple_balance::sentences(&answers);
    let report = || BalanceReport {
        answers: &answers,
        sentences: &sentences,
        grids: grids(&answers, Detail::Full),
        plots: &plots,
        command: "meeple balance hands",
    };
    let mut files = BalanceFiles::open(&path, Existing::Refuse, &balance, &Value::Null).unwrap();
    let mut pay_offs = files.pay_offs().unwrap();
    pay_offs.add("", &balance, &run).unwrap();
    pay_offs.finish().unwrap();
    files.write(&answers, report()).unwrap();
    let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    assert_eq!(summary["strategies"][2]["name"], "throws:scissors");
    let html = read("report.html");
    for text in ["Who survives", "In words", "Which strategies survive?", "meeple balance hands", "<svg"] {
        assert!(html.contains(text), "{text}");
    }
    for plot in ["survivors", "pairs", "spots", "decides"] {
        assert!(path.join(format!("plots/{plot}.png")).exists(), "{plot}");
    }
    let error =
        BalanceFiles::open(&path, Existing::Refuse, &balance, &Value::Null).err().unwrap().to_string();
    assert!(error.contains("earlier results") && error.contains("--force"), "{error}");
    let files = BalanceFiles::open(&path, Existing::Replace, &balance, &Value::Null).unwrap();
    files.write(&answers, report()).unwrap();
    assert!(!path.join("pay-offs.parquet").exists(), "what has no successor goes");
}

#[test]
fn pay_offs_are_those_of_the_deals() {
    let (balance, run, _) = played(&[], &ALL, &options());
    let folder = tempfile::tempdir().unwrap();
    let answers = meeple_balance::answer(&balance, &run).unwrap();
    let mut files = BalanceFiles::open(folder.path(), Existing::Refuse, &balance, &Value::Null).unwrap();
    let mut pay_offs = files.pay_offs().unwrap();
    pay_offs.add("", &balance, &run).unwrap();
    pay_offs.add("rounds=1", &balance, &run).unwrap();
    pay_offs.finish().unwrap();
    let report = BalanceReport {
        answers: &answers,
        sentences: &[],
        grids: Vec::new(),
        plots: &[],
        command: "meeple balance hands",
    };
    files.write(&answers, report).unwrap();
    let file = std::fs::File::open(folder.path().join("pay-offs.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let (mut rows, mut rock) = (0, 0.0);
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let setting = if rows < 9 * balance.deals { "" } else { "rounds=1" };
        assert_eq!(row.get_string(0).unwrap(), setting);
        let (table, seats, pay_off) =
            (row.get_int(1).unwrap(), row.get_int(4).unwrap(), row.get_double(5).unwrap());
        assert_eq!(row.get_double(6).unwrap(), 1.0, "one round");
        // The second table has rock and paper, and paper wins every game.
        if table == 1 {
            assert_eq!(seats, 1);
            let expected = if row.get_string(3).unwrap() == "throws:paper" { 1.0 } else { 0.0 };
            assert_eq!(pay_off, expected);
        }
        rock += if row.get_string(3).unwrap() == "throws:rock" { pay_off } else { 0.0 };
        rows += 1;
    }
    // In each of two settings, three tables of one strategy have a row per deal, and three tables of two have
    // two.
    assert_eq!(rows, 2 * 9 * balance.deals);
    // Rock gains half of the win at its own table, all of it against scissors and none against paper.
    assert_eq!(rock, 2.0 * 1.5 * balance.deals as f64);
}
