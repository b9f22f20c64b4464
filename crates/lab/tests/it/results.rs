//! The directory of results: its files, refusals to write into it, and continuation.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use meeple_core::Seating;
use meeple_lab::{
    Existing, LabError, NoProgress, OutputOptions, Progress, Run, Simulation, StopFlag, simulate_into,
};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use serde_json::{Value, json};

use crate::{Scratch, play, set_up, simulation};

/// Files that are equal on any machine and number of threads.
const SAME: [&str; 8] = [
    "checksums.json",
    "summary.json",
    "episodes.parquet",
    "plan.json",
    "tally.json",
    "report.html",
    "plots/scores.svg",
    "plots/results.png",
];

pub fn write(simulation: &Simulation<'_>, path: &Path, existing: Existing) -> Result<Run, LabError> {
    let output = OutputOptions { existing, command: "meeple sim toy".into() };
    simulate_into(simulation, path, &output, &mut NoProgress, &StopFlag::new())?.into_result()
}

pub fn assert_same(left: &Path, right: &Path) {
    for name in SAME {
        let bytes = |path: &Path| fs::read(path.join(name)).unwrap();
        assert!(bytes(left) == bytes(right), "{name} differs");
    }
}

pub fn files(path: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let scratch = Scratch::new();
    let table = set_up("drawn=on", "at-least:4 mixed:5,0.3 coin*2");
    for seating in [Seating::Rotate, Seating::DealGroups] {
        // The rows fill three row groups and a part of a fourth.
        let mut simulation = simulation(&table, 100_000);
        simulation.seating = seating;
        for (threads, name) in [(1, "one"), (2, "two"), (8, "eight")] {
            simulation.threads = threads;
            write(&simulation, &scratch.path(name), Existing::Replace).unwrap();
        }
        assert_same(&scratch.path("one"), &scratch.path("two"));
        assert_same(&scratch.path("one"), &scratch.path("eight"));
    }
    let expected = [
        "checksums.json",
        "episodes.parquet",
        "plan.json",
        "plots",
        "report.html",
        "summary.json",
        "tally.json",
        "timing.json",
    ];
    assert_eq!(files(&scratch.path("one")), expected);
    let text = fs::read_to_string(scratch.path("one").join("summary.json")).unwrap();
    assert!(!text.contains("seconds"), "times differ from run to run");
}

#[test]
fn the_columns_hold_every_seat_of_every_episode() {
    let scratch = Scratch::new();
    let table = set_up("sides=6", "Ann=at-least:4 Bob=coin*2");
    // The rows exceed one row group.
    let simulation = simulation(&table, 50_000);
    let run = write(&simulation, &scratch.path("out"), Existing::Refuse).unwrap();
    let file = fs::File::open(scratch.path("out").join("episodes.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    assert!(reader.num_row_groups() > 1);
    let schema = reader.metadata().file_metadata().schema();
    let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
    assert_eq!(
        names.join(" "),
        "episode seat player agent score place win_share end length takes take_share next parity sixes \
         figure_takes last_die leader"
    );
    let (mut rows, mut sum, mut wins, mut shares, mut takes, mut sixes) = (0, 0, [0, 0], 0.0_f64, 0, 0);
    for row in reader {
        let row = row.unwrap();
        assert_eq!((row.get_long(0).unwrap(), row.get_int(1).unwrap()), (rows / 3, (rows % 3) as i32));
        let player = row.get_int(2).unwrap() as usize;
        assert_eq!(row.get_string(3).unwrap(), ["Ann", "Bob"][player]);
        sum += row.get_long(4).unwrap();
        let share = row.get_double(6).unwrap();
        assert_eq!(row.get_int(5).unwrap() == 1, share > 0.0);
        wins[player] += u64::from(share == 1.0);
        shares += share;
        // Counts are whole numbers.
        let had_six = row.get_long(13).unwrap();
        assert_eq!(row.get_string(7).unwrap(), if had_six > 0 { "high die" } else { "low die" });
        assert_eq!(row.get_long(8).unwrap(), 4);
        takes += row.get_long(9).unwrap();
        assert_eq!(row.get_double(10).unwrap(), row.get_long(9).unwrap() as f64 / 4.0);
        sixes += had_six;
        rows += 1;
    }
    let agents = &run.summary.agents;
    assert_eq!(rows, 150_000);
    assert_eq!(wins, [agents[0].results.wins, agents[1].results.wins]);
    assert!((shares - 50_000.0).abs() < 1e-6);
    let mean = |name: &str| run.summary.stats.get(name).unwrap().mean.unwrap();
    assert!((takes as f64 / 150_000.0 - mean("takes")).abs() < 1e-9);
    assert!((sixes as f64 / 150_000.0 - mean("sixes")).abs() < 1e-9);
    // The episode figure of the same name has one key in the columns and in the summary.
    assert!((takes as f64 / 50_000.0 - mean("figure_takes")).abs() < 1e-9);
    let json = run.to_json();
    assert_eq!(
        (&json["units"]["takes"], &json["units"]["figure_takes"]),
        (&"rounds".into(), &"takes".into())
    );
    assert_eq!(json["stats"].as_object().unwrap().len(), 4);
    let mean_score = (agents[0].results.mean_score + 2.0 * agents[1].results.mean_score) / 3.0;
    assert!((sum as f64 / 150_000.0 - mean_score).abs() < 1e-9);
}

#[test]
fn the_stored_summary_is_the_one_without_files() {
    let scratch = Scratch::new();
    let table = set_up("", "coin at-least:5");
    let simulation = simulation(&table, 999);
    write(&simulation, &scratch.path("out"), Existing::Refuse).unwrap();
    let text = fs::read_to_string(scratch.path("out").join("summary.json")).unwrap();
    let own = serde_json::to_string_pretty(&play(&simulation).summary.to_json(None)).unwrap();
    assert_eq!(text.trim_end(), own);
}

#[test]
fn used_directories_are_refused_and_stay_as_they_are() {
    let scratch = Scratch::new();
    let table = set_up("", "coin coin");
    let simulation = simulation(&table, 50);
    fs::create_dir(scratch.path("empty")).unwrap();
    write(&simulation, &scratch.path("empty"), Existing::Refuse).unwrap();
    let error = write(&simulation, &scratch.path("empty"), Existing::Refuse).err().unwrap();
    let text = error.to_string();
    assert!(
        text.contains("earlier results") && text.contains("--resume") && text.contains("--force"),
        "{text}"
    );

    fs::create_dir(scratch.path("mine")).unwrap();
    fs::write(scratch.path("mine/letter.txt"), "Hello").unwrap();
    for existing in [Existing::Refuse, Existing::Resume] {
        let error = write(&simulation, &scratch.path("mine"), existing).err().unwrap();
        assert!(error.to_string().contains("'letter.txt'"), "{error}");
        assert_eq!(files(&scratch.path("mine")), ["letter.txt"]);
    }
    write(&simulation, &scratch.path("mine"), Existing::Replace).unwrap();
    assert_eq!(fs::read_to_string(scratch.path("mine/letter.txt")).unwrap(), "Hello");

    fs::write(scratch.path("file"), "x").unwrap();
    let error = write(&simulation, &scratch.path("file"), Existing::Replace).err().unwrap();
    assert!(matches!(error, LabError::Occupied { .. }), "{error}");
    assert_eq!(fs::read_to_string(scratch.path("file")).unwrap(), "x");
}

#[test]
fn replaced_results_leave_nothing_of_the_old_ones() {
    let scratch = Scratch::new();
    let many = set_up("", "coin coin coin");
    let one = set_up("", "coin");
    write(&simulation(&many, 50), &scratch.path("out"), Existing::Refuse).unwrap();
    assert!(scratch.path("out/plots/seats.svg").exists());
    write(&simulation(&one, 50), &scratch.path("out"), Existing::Replace).unwrap();
    write(&simulation(&one, 50), &scratch.path("fresh"), Existing::Refuse).unwrap();
    assert_eq!(files(&scratch.path("out")), files(&scratch.path("fresh")));
    assert_eq!(files(&scratch.path("out/plots")), files(&scratch.path("fresh/plots")));
}

#[test]
fn nothing_is_played_for_a_directory_that_cannot_be_written() {
    struct Never;
    impl Progress for Never {
        fn update(&mut self, _done: u64, _total: u64, _label: &str) {
            panic!("it was played");
        }
    }
    let scratch = Scratch::new();
    let table = set_up("", "coin");
    fs::write(scratch.path("file"), "").unwrap();
    let try_in = |path: &Path| {
        let simulation = simulation(&table, 50);
        simulate_into(&simulation, path, &OutputOptions::default(), &mut Never, &StopFlag::new())
            .err()
            .unwrap()
    };
    // Nobody can create a directory below a file.
    let error = try_in(&scratch.path("file/below"));
    assert!(matches!(error, LabError::Write { .. }), "{error}");
    let closed = scratch.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anywhere; everybody else must be refused.
    if fs::write(closed.join("probe"), "").is_err() {
        let error = try_in(&closed);
        assert!(matches!(error, LabError::Write { .. }), "{error}");
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    let nothing = simulation(&table, 0);
    let output = OutputOptions::default();
    let error = simulate_into(&nothing, &scratch.path("new"), &output, &mut Never, &StopFlag::new());
    assert!(matches!(error, Err(LabError::Episodes { .. })) && !scratch.path("new").exists());
}

struct StopAfter(u64, StopFlag);

impl Progress for StopAfter {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        if done >= self.0 {
            self.1.stop();
        }
    }
}

#[test]
fn a_stopped_run_leaves_valid_files_and_is_continued_to_the_same_bytes() {
    let scratch = Scratch::new();
    let table = set_up("", "at-least:4 coin*2");
    // The run is long enough that workers who run ahead of the stop do not finish it.
    let mut simulation = simulation(&table, 200_000);
    write(&simulation, &scratch.path("whole"), Existing::Refuse).unwrap();
    // The first stop is past the first row group, the second in the middle of another.
    for (part, after) in [(1, 44_000), (2, 60_000)] {
        let stop = StopFlag::new();
        let output = OutputOptions {
            existing: if part == 1 { Existing::Refuse } else { Existing::Resume },
            command: "meeple sim toy".into(),
        };
        let mut progress = StopAfter(after, stop.clone());
        let run = simulate_into(&simulation, &scratch.path("part"), &output, &mut progress, &stop)
            .unwrap()
            .into_result()
            .unwrap();
        assert!(run.stopped && run.summary.episodes >= after, "{}", run.summary.episodes);
        let file = fs::File::open(scratch.path("part/episodes.parquet")).unwrap();
        let rows = SerializedFileReader::new(file).unwrap().metadata().file_metadata().num_rows();
        assert_eq!(rows as u64, 3 * run.summary.episodes);
        let report = fs::read_to_string(scratch.path("part/report.html")).unwrap();
        assert!(report.contains("The run was stopped"));
        assert!(report.contains(&format!("meeple sim toy -n {}<", run.summary.episodes)));
    }
    let run = write(&simulation, &scratch.path("part"), Existing::Resume).unwrap();
    assert!(!run.stopped && run.timing.episodes < 156_000 && run.summary.episodes == 200_000);
    assert_same(&scratch.path("whole"), &scratch.path("part"));
    // A finished run has nothing left to do.
    let run = write(&simulation, &scratch.path("part"), Existing::Resume).unwrap();
    assert_eq!((run.timing.episodes, run.summary.episodes), (0, 200_000));
    assert_same(&scratch.path("whole"), &scratch.path("part"));
    // A finished run can be made longer, but not shorter.
    simulation.episodes = 210_000;
    write(&simulation, &scratch.path("part"), Existing::Resume).unwrap();
    write(&simulation, &scratch.path("longer"), Existing::Refuse).unwrap();
    assert_same(&scratch.path("longer"), &scratch.path("part"));
    simulation.episodes = 10;
    let error = write(&simulation, &scratch.path("part"), Existing::Resume).err().unwrap();
    assert!(error.to_string().contains("expected at most 10 episodes, found 210000"), "{error}");
}

/// Changes a file of results, and its checksum to match.
fn change(out: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(out.join(name)).unwrap();
    change(&mut bytes);
    fs::write(out.join(name), &bytes).unwrap();
    let mut sums: Value = serde_json::from_slice(&fs::read(out.join("checksums.json")).unwrap()).unwrap();
    sums[name] = checksum(&bytes);
    fs::write(out.join("checksums.json"), sums.to_string()).unwrap();
}

/// The same row groups in a file without an encoding version, as written by older versions.
fn without_format(path: &Path) -> Vec<u8> {
    let file = fs::File::open(path).unwrap();
    let reader = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
    let of_file = reader.metadata().file_metadata();
    let mut pairs = of_file.key_value_metadata().unwrap().clone();
    pairs.retain(|pair| pair.key != "format");
    let properties = WriterProperties::builder().set_key_value_metadata(Some(pairs)).build();
    let schema = of_file.schema_descr().root_schema_ptr();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties.into()).unwrap();
    for group in reader.metadata().row_groups() {
        let mut next = writer.next_row_group().unwrap();
        for column in group.columns() {
            let closed = ColumnCloseResult {
                bytes_written: 0,
                rows_written: group.num_rows() as u64,
                metadata: column.clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            next.append_column(&file, closed).unwrap();
        }
        next.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn whole_row_groups_are_copied_and_those_of_older_versions_are_written_again() {
    let scratch = Scratch::new();
    let table = set_up("", "at-least:4 coin*2");
    let (part, whole, out) = (simulation(&table, 100_000), simulation(&table, 150_000), scratch.path("out"));
    write(&whole, &scratch.path("whole"), Existing::Refuse).unwrap();
    let first_pages = |path: &Path| {
        let file = fs::File::open(path.join("episodes.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let (start, length) = reader.metadata().row_group(0).column(0).byte_range();
        start as usize..(start + length) as usize
    };
    let begin = || {
        write(&part, &out, Existing::Replace).unwrap();
        first_pages(&out)
    };

    // Unreadable pages arrive unchanged, because they are copied and not decoded.
    let pages = begin();
    change(&out, "episodes.parquet", |bytes| bytes[pages.clone()].fill(7));
    write(&whole, &out, Existing::Resume).unwrap();
    let mut expected = fs::read(scratch.path("whole/episodes.parquet")).unwrap();
    expected[pages].fill(7);
    assert!(fs::read(out.join("episodes.parquet")).unwrap() == expected);

    // Pages in a file of an older version are decoded, which reveals the damage.
    let pages = begin();
    let old = without_format(&out.join("episodes.parquet"));
    change(&out, "episodes.parquet", |bytes| {
        *bytes = old;
        bytes[pages].fill(7);
    });
    let error = write(&whole, &out, Existing::Resume).err().unwrap();
    assert!(matches!(error, LabError::Read { .. }), "{error}");

    // Sound pages of an older version give the bytes of this version.
    begin();
    let old = without_format(&out.join("episodes.parquet"));
    change(&out, "episodes.parquet", |bytes| *bytes = old);
    write(&whole, &out, Existing::Resume).unwrap();
    assert_same(&scratch.path("whole"), &out);
}

#[test]
fn only_the_same_setting_is_continued() {
    let scratch = Scratch::new();
    let table = set_up("", "coin coin");
    write(&simulation(&table, 50), &scratch.path("out"), Existing::Resume).unwrap();
    let before = fs::read(scratch.path("out/summary.json")).unwrap();
    let other = set_up("rounds=5", "coin coin");
    let error = write(&simulation(&other, 50), &scratch.path("out"), Existing::Resume).err().unwrap();
    assert!(error.to_string().contains("expected rounds 5, found rounds "), "{error}");
    let mut reseeded = simulation(&table, 50);
    reseeded.seed = 8;
    let error = write(&reseeded, &scratch.path("out"), Existing::Resume).err().unwrap();
    assert!(error.to_string().contains("expected seed 8, found seed 7"), "{error}");
    assert_eq!(fs::read(scratch.path("out/summary.json")).unwrap(), before);
    // The error names a damaged file.
    for (name, content) in [("tally.json", "{"), ("plan.json", "[]"), ("episodes.parquet", "PAR1")] {
        let path = scratch.path("out").join(name);
        let sound = fs::read(&path).unwrap();
        fs::write(&path, content).unwrap();
        let error = write(&simulation(&table, 90), &scratch.path("out"), Existing::Resume).err().unwrap();
        assert!(error.to_string().contains(name), "{error}");
        fs::write(&path, sound).unwrap();
    }
    let names = files(&scratch.path("out"));
    assert!(names.iter().all(|name| !name.ends_with(".tmp")), "{names:?}");
    write(&simulation(&table, 90), &scratch.path("out"), Existing::Resume).unwrap();
}

/// The checksum of `checksums.json`: size and FNV-1a of 64 bits.
fn checksum(bytes: &[u8]) -> Value {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    json!({ "bytes": bytes.len(), "fnv1a": format!("{hash:016x}") })
}

/// Paths of the lists in a value, without `lengths` and without lists inside lists, which may have any
/// length.
fn lists(value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Value::Object(fields) = value {
        for (name, field) in fields.iter().filter(|(name, _)| *name != "lengths") {
            found.extend(lists(field, &format!("{path}/{name}")));
        }
    }
    if matches!(value, Value::Array(_)) {
        found.push(path.to_owned());
    }
    found
}

#[test]
fn counts_in_which_one_list_differs_are_not_continued() {
    let scratch = Scratch::new();
    let mut tried = 0;
    for (name, line_up, seating) in [
        ("rotate", "coin at-least:4*2", Seating::Rotate),
        ("deals", "coin at-least:4*2", Seating::DealGroups),
    ] {
        let table = set_up("", line_up);
        let mut simulation = simulation(&table, 30);
        simulation.seating = seating;
        let out = scratch.path(name);
        write(&simulation, &out, Existing::Refuse).unwrap();
        let read =
            |file: &str| -> Value { serde_json::from_slice(&fs::read(out.join(file)).unwrap()).unwrap() };
        let (sound, mut sums) = (read("tally.json"), read("checksums.json"));
        let mut resume = |tally: &Value| {
            let bytes = serde_json::to_vec(tally).unwrap();
            fs::write(out.join("tally.json"), &bytes).unwrap();
            sums["tally.json"] = checksum(&bytes);
            fs::write(out.join("checksums.json"), sums.to_string()).unwrap();
            write(&simulation, &out, Existing::Resume).map(drop)
        };
        resume(&sound).expect("nothing is wrong with the counts as they were");
        for path in lists(&sound, "") {
            for change in ["one more", "one less"] {
                let mut tally = sound.clone();
                let list = tally.pointer_mut(&path).and_then(Value::as_array_mut).unwrap();
                // Lists by turn position are empty: this table does not draw the order of turns.
                let Some(last) = list.pop() else { continue };
                if change == "one more" {
                    list.extend([last.clone(), last]);
                }
                let error =
                    resume(&tally).err().unwrap_or_else(|| panic!("{path} with {change} is continued"));
                assert!(error.to_string().contains("expected counts of this line-up"), "{path}: {error}");
                tried += 1;
            }
        }
        for (field, value) in [("seats", 4), ("figures_per_seat", 1)] {
            let mut tally = sound.clone();
            tally[field] = json!(value);
            let error = resume(&tally).expect_err(field);
            assert!(error.to_string().contains("expected counts of this line-up"), "{field}: {error}");
        }
    }
    assert!(tried > 40, "{tried} lists");
}
