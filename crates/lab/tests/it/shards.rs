//! Merged shards equal the whole run, byte for byte; shards that do not fit are refused.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use meeple_core::Seating;
use meeple_lab::{
    Existing, LabError, NoProgress, OutputOptions, Progress, SetUp, Shard, Simulation, StopFlag, Sweep,
    SweepOptions, merge_into, merge_sweep_into, shard, simulate_into, sweep_into,
};

use crate::{Scratch, play, set_up, settings, simulation, toy, words};

const SEATINGS: [Seating; 4] = [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups];

fn output() -> OutputOptions {
    OutputOptions { existing: Existing::Refuse, command: "meeple sim".into() }
}

/// A shard after serialisation and deserialisation.
fn stored(shard: &Shard) -> Shard {
    let read: Shard = serde_json::from_str(&serde_json::to_string(shard).unwrap()).unwrap();
    assert_eq!(read, *shard);
    read
}

/// Contents of all files of a directory except the timing, which differs from run to run.
fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(contents(&entry.path()));
        } else if entry.file_name() != "timing.json" {
            found.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
    found
        .into_iter()
        .map(|(file, bytes)| (file.strip_prefix(path).unwrap_or(&file).to_owned(), bytes))
        .collect()
}

fn assert_same(left: &Path, right: &Path, what: &str) {
    let [left, right] = [left, right].map(contents);
    assert!(left.keys().eq(right.keys()), "{what}: {:?} and {:?}", left.keys(), right.keys());
    let differs: Vec<&PathBuf> = left.keys().filter(|file| left[*file] != right[*file]).collect();
    assert!(differs.is_empty(), "{what}: {differs:?} differ");
}

/// Uneven pieces of a simulation, the last of which may cut a deal group.
fn uneven(simulation: &Simulation<'_>) -> Vec<Range<u64>> {
    let (group, total) = (simulation.deal_group(), simulation.episodes);
    let mut ends = vec![0, 1, 2, 3 + total / group / 3, total / group].into_iter().map(|end| end * group);
    let mut seams: Vec<u64> = ends.by_ref().filter(|end| *end < total).collect();
    seams.push(total);
    seams.sort_unstable();
    seams.dedup();
    seams.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Plays a simulation at once and in pieces, and compares all files.
fn check_simulation(simulation: &Simulation<'_>, pieces: Vec<Range<u64>>, what: &str) {
    let scratch = Scratch::new();
    let (whole, merged) = (scratch.path("whole"), scratch.path("merged"));
    let run = simulate_into(simulation, &whole, &output(), &mut NoProgress, &StopFlag::new()).unwrap();
    let run = run.into_result().unwrap();
    // The last pieces are played first: no piece depends on another.
    let mut shards: Vec<(Shard, PathBuf)> = pieces
        .into_iter()
        .rev()
        .map(|range| {
            let rows = scratch.path(&format!("rows-{}", range.start));
            let shard =
                shard::play(simulation, range.clone(), Some(&rows), &mut NoProgress, &StopFlag::new());
            let shard = stored(&shard.unwrap());
            assert_eq!(shard.episodes(), range);
            (shard, rows)
        })
        .collect();
    shards.reverse();
    let tallies = shards.iter().map(|(shard, _)| shard.clone());
    let counted = shard::merge(simulation, tallies).unwrap();
    assert_eq!((&counted.tally, &counted.summary), (&run.tally, &run.summary), "{what}");
    let filed = merge_into(simulation, shards, &merged, &output(), &StopFlag::new()).unwrap();
    assert_eq!(filed.into_result().unwrap().tally, run.tally, "{what}");
    assert_same(&whole, &merged, what);
}

#[test]
fn merged_shards_of_every_game_are_the_whole_run() {
    for entry in meeple_games::games() {
        let presets = entry.info().presets.iter().map(|preset| preset.name);
        for preset in presets {
            let set_up = SetUp::new(entry, Some(preset), &[], &words("random random")).unwrap();
            for seating in [Seating::Rotate, Seating::DealGroups] {
                let mut simulation = simulation(&set_up, 0);
                simulation.seating = seating;
                // The last deal group is incomplete.
                let groups = if simulation.game.seats() > 20 { 3 } else { 12 };
                simulation.episodes = (groups * simulation.game.seats() + 1) as u64;
                let what = format!("{}/{preset} {seating:?}", entry.info().id);
                check_simulation(&simulation, uneven(&simulation), &what);
            }
        }
    }
}

#[test]
fn merged_shards_of_all_seatings_are_the_whole_run() {
    for (set, line_up) in
        [("", "at-least:4 mixed:5,0.3 coin*2"), ("drawn=on", "Ann=coin Bob=at-least:3*2"), ("", "coin")]
    {
        let table = set_up(set, line_up);
        for seating in SEATINGS {
            let mut simulation = simulation(&table, 5_003);
            simulation.seating = seating;
            check_simulation(&simulation, uneven(&simulation), &format!("{set} {line_up} {seating:?}"));
            let thirds = shard::ranges(&simulation, 3).unwrap();
            assert_eq!(thirds.len(), 3);
            let shards = thirds.into_iter().map(|range| piece(&simulation, range));
            assert_eq!(shard::merge(&simulation, shards).unwrap().tally, play(&simulation).tally);
        }
    }
}

#[test]
fn rows_of_shards_fill_the_same_row_groups() {
    // The rows exceed one row group, and pieces end within row groups.
    let table = set_up("sides=6", "Ann=at-least:4 Bob=coin*2");
    let simulation = simulation(&table, 50_000);
    check_simulation(&simulation, vec![0..7, 7..44_000, 44_000..50_000], "row groups");
}

#[test]
fn ranges_are_even_and_end_between_deals() {
    let table = set_up("", "coin*3");
    let mut simulation = simulation(&table, 100);
    let lengths = |simulation: &Simulation<'_>, count| -> Vec<u64> {
        let ranges = shard::ranges(simulation, count).unwrap();
        assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, simulation.episodes));
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        ranges.iter().map(|range| range.end - range.start).collect()
    };
    assert_eq!(lengths(&simulation, 4), [25, 25, 25, 25]);
    assert_eq!(lengths(&simulation, 0), [100]);
    assert_eq!(lengths(&simulation, 1_000).len(), 100);
    simulation.seating = Seating::DealGroups;
    assert_eq!(lengths(&simulation, 4), [24, 24, 27, 25]);
    assert_eq!(lengths(&simulation, 1_000).len(), 34);
    simulation.episodes = 0;
    assert!(matches!(shard::ranges(&simulation, 2), Err(LabError::Episodes { found: 0 })));
}

fn sweep(set: &str, line_up: &str) -> Sweep {
    Sweep::new(&*toy::entry(), None, &settings(set), &words(line_up)).unwrap()
}

#[test]
fn merged_shards_of_a_sweep_are_the_whole_sweep() {
    let cases =
        [("", "at-least:1..4 coin"), ("", "coin*1|2|4 at-least:2"), ("rounds=2..3", "at-least:1..3 coin*2")];
    for (set, line_up) in cases {
        let sweep = sweep(set, line_up);
        for seating in [Seating::Shuffle, Seating::DealGroups] {
            let scratch = Scratch::new();
            let options = SweepOptions { seed: 3, episodes: 107, seating, threads: 2 };
            let whole = scratch.path("whole");
            let played =
                sweep_into(&sweep, &options, &whole, &output(), &mut NoProgress, &StopFlag::new()).unwrap();
            let played = played.into_result().unwrap();
            // Pieces lie within a cell, span several cells, or have one deal group each.
            for count in [1, 2, 5, 13, 10_000] {
                let ranges = shard::sweep_ranges(&sweep, &options, count).unwrap();
                let shard = |range: Range<u64>| {
                    let shard = shard::play_sweep(&sweep, &options, range, &mut NoProgress, &StopFlag::new());
                    stored(&shard.unwrap())
                };
                let shards: Vec<Shard> = ranges.into_iter().map(shard).collect();
                let what = format!("{set} {line_up} {seating:?} in {count}");
                let counted = shard::merge_sweep(&sweep, &options, shards.iter().cloned()).unwrap();
                let [counted, played_whole] =
                    [&counted, &played].map(|result| serde_json::to_value(result.timed()).unwrap());
                assert_eq!(counted["cells"], played_whole["cells"], "{what}");
                // Drawing takes longer than playing, so files are compared once.
                if count == 5 {
                    let merged = scratch.path("merged");
                    let filed =
                        merge_sweep_into(&sweep, &options, shards, &merged, &output(), &StopFlag::new());
                    assert!(!filed.unwrap().into_result().unwrap().stopped);
                    assert_same(&whole, &merged, &what);
                }
            }
        }
    }
}

fn message<T>(result: Result<T, LabError>) -> String {
    result.err().expect("it was accepted").to_string()
}

fn piece(simulation: &Simulation<'_>, range: Range<u64>) -> Shard {
    shard::play(simulation, range, None, &mut NoProgress, &StopFlag::new()).unwrap()
}

#[test]
fn ranges_that_are_no_shards_are_refused() {
    let table = set_up("", "coin*3");
    let mut simulation = simulation(&table, 100);
    simulation.seating = Seating::DealGroups;
    let backwards = Range { start: 9, end: 6 };
    for (range, expected) in [
        (3..3, "expected at least one episode, found no episodes from 3 on"),
        (backwards, "expected at least one episode, found no episodes from 9 on"),
        (0..101, "expected a part of episodes 0 to 99, found episodes 0 to 100"),
        (0..4, "cuts no deal group in two, as one up to 3, found episodes 0 to 3"),
        (5..9, "cuts no deal group in two, as one up to 3, found episodes 5 to 8"),
    ] {
        let found = message(shard::play(&simulation, range, None, &mut NoProgress, &StopFlag::new()));
        assert!(found.contains(expected) && found.contains("\nhint: "), "{found}");
    }
    // The end of the run may cut the last deal group.
    assert_eq!(piece(&simulation, 99..100).episodes(), 99..100);
}

#[test]
fn shards_that_do_not_make_the_whole_are_refused() {
    let table = set_up("", "coin*3");
    let mut simulation = simulation(&table, 100);
    simulation.seating = Seating::DealGroups;
    let part = |range| piece(&simulation, range);
    let other = |change: &dyn Fn(&mut Simulation<'_>)| {
        let mut other = simulation.clone();
        change(&mut other);
        piece(&other, 30..60)
    };
    let (a, b, c) = (part(0..30), part(30..60), part(60..100));
    let refused = |shards: &[&Shard], expected: &str| {
        let found = message(shard::merge(&simulation, shards.iter().map(|shard| (*shard).clone())));
        assert!(found.contains(expected) && found.contains("\nhint: "), "{found}");
    };
    refused(
        &[&a, &c],
        "expected the shard from episode 30 on, found episodes 60 to 99\nhint: episodes are missing",
    );
    refused(&[&b, &a, &c], "expected the shard from episode 0 on");
    refused(&[&a, &a, &b, &c], "found episodes 0 to 29\nhint: these episodes occur twice");
    refused(&[&a, &part(27..60), &c], "found episodes 27 to 59\nhint: these episodes occur twice");
    refused(&[&a, &b], "expected episodes 0 to 99, found shards of episodes 0 to 59");
    refused(&[], "found shards of no episodes");
    refused(&[&a, &other(&|other| other.seed = 8), &c], "expected seed 7, found seed 8");
    refused(&[&a, &other(&|other| other.episodes = 99), &c], "expected episodes 100, found episodes 99");
    refused(&[&a, &other(&|other| other.seating = Seating::Rotate), &c], "expected seating \"deals\"");
    let tables = [set_up("", "coin at-least:4*2"), set_up("rounds=9", "coin*3")];
    for (table, key) in tables.iter().zip(["line_up", "rounds"]) {
        let (game, line_up) = (&*table.game, table.line_up.clone());
        let foreign = piece(&Simulation { game, line_up, ..simulation.clone() }, 30..60);
        refused(&[&a, &foreign, &c], &format!("expected {key} "));
    }
    // Changed by hand, the shard's episodes and its counts disagree.
    let text = serde_json::to_string(&b).unwrap();
    for (from, to, expected) in [
        ("\"end\":60", "\"end\":63", "expected counts of its episodes"),
        ("\"end\":60", "\"end\":61", "cuts no deal group in two"),
        ("\"end\":60", "\"end\":600", "expected a part of episodes 0 to 99"),
        ("\"end\":60", "\"end\":30", "expected counts of its episodes"),
        ("\"end\":60", "\"end\":20", "expected a part of episodes 0 to 99"),
        ("\"episodes\":30,", "\"episodes\":33,", "expected counts of its episodes"),
        ("\"groups\":10,", "\"groups\":9,", "expected counts of its episodes"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        refused(&[&a, &serde_json::from_str(&changed).unwrap(), &c], expected);
    }
    assert_eq!(shard::merge(&simulation, [a, b, c]).unwrap().tally, play(&simulation).tally);
}

#[test]
fn rows_that_are_not_those_of_the_shard_are_refused() {
    let scratch = Scratch::new();
    let table = set_up("", "coin*3");
    let simulation = simulation(&table, 90);
    let path = |start: u64| scratch.path(&format!("rows-{start}"));
    let part = |range: Range<u64>| {
        let rows = path(range.start);
        (shard::play(&simulation, range, Some(&rows), &mut NoProgress, &StopFlag::new()).unwrap(), rows)
    };
    let refused = |second: (Shard, PathBuf), expected: &str| {
        let out = scratch.path("out");
        let shards = [part(0..30), second];
        let found = message(merge_into(&simulation, shards, &out, &output(), &StopFlag::new()));
        assert!(found.contains(expected), "{found}");
        assert!(!out.exists(), "nothing is left behind");
    };
    refused((part(30..90).0, path(0)), "the file was changed or damaged");
    refused((part(30..90).0, path(7)), "rows-7, found an error");
    refused((piece(&simulation, 30..90), path(30)), "found a shard without");
    let mut bytes = fs::read(path(30)).unwrap();
    bytes[100] ^= 1;
    let (shard, rows) = part(30..90);
    fs::write(&rows, bytes).unwrap();
    refused((shard, rows), "the file was changed or damaged");
}

struct StopAt(u64, StopFlag);

impl Progress for StopAt {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        if done >= self.0 {
            self.1.stop();
        }
    }
}

#[test]
fn a_stopped_shard_ends_between_deals_and_the_rest_is_another() {
    let scratch = Scratch::new();
    let table = set_up("", "at-least:3 coin*4");
    for threads in [1, 2, 4] {
        let mut simulation = simulation(&table, 200_001);
        (simulation.seating, simulation.threads) = (Seating::DealGroups, threads);
        let stop = StopFlag::new();
        let mut progress = StopAt(100, stop.clone());
        let rows = scratch.path("first");
        let first = shard::play(&simulation, 0..200_001, Some(&rows), &mut progress, &stop).unwrap();
        let reached = first.episodes().end;
        assert!((100..200_001).contains(&reached) && reached.is_multiple_of(5), "{reached}");
        let rest = scratch.path("rest");
        let second =
            shard::play(&simulation, reached..200_001, Some(&rest), &mut NoProgress, &StopFlag::new())
                .unwrap();
        let run = shard::merge(&simulation, [stored(&first), second]).unwrap();
        assert_eq!(run.tally, play(&simulation).tally);
        // A shard stopped before it began may be empty, and is merged all the same.
        let none = shard::play(&simulation, 5..20, None, &mut NoProgress, &stop).unwrap();
        let end = none.episodes().end;
        let parts = [piece(&simulation, 0..5), none, piece(&simulation, end..200_001)];
        assert_eq!(shard::merge(&simulation, parts).unwrap().tally, run.tally);
    }
}
