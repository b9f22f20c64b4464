//! Memory of a sweep grows linearly with its cells and little for each; rows of episodes are not kept. This
//! test has its own binary, because the counting crate brings its own allocator. Allocations are counted by
//! thread, so everything is played on one.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // tests write files

use allocation_counter::measure;
use meeple_core::Seating;
use meeple_games::parse_game;
use meeple_lab::{
    Existing, NoProgress, OutputOptions, SetUp, Shard, Simulation, StopFlag, Sweep, SweepOptions, shard,
    sweep, sweep_into,
};

const OPTIONS: SweepOptions = SweepOptions { seed: 3, episodes: 2, seating: Seating::Rotate, threads: 1 };

/// A sweep of `cells` cells, twenty for each number of rounds.
fn planned(cells: usize) -> Sweep {
    let name = parse_game("privateers").unwrap();
    let set = [
        ("max_rounds".to_owned(), format!("2..{}", 1 + cells / 20)),
        ("price_spread".to_owned(), "50..69".to_owned()),
    ];
    let words = ["trader", "pirate"].map(str::to_owned);
    let planned = Sweep::new(name.entry, None, &set, &words).unwrap();
    assert_eq!(planned.cells(), cells);
    planned
}

/// Checks bytes counted with `cells` cells, twice as many and four times as many. The second doubling adds
/// twice as much as the first, and no cell takes more than `most`. The factor is a little above 2: small maps
/// have tooltips, which large ones lack, so the first doubling adds less. Quadratic growth would give a
/// factor of 4.
fn check(cells: i64, [first, second, third]: [i64; 3], most: i64) {
    let (small, large) = (second - first, third - second);
    assert!(
        small > 0 && large * 10 <= small * 26,
        "{cells} cells more take {small} bytes, twice as many {large}"
    );
    let each = large / (2 * cells);
    assert!(each <= most, "a cell takes {each} bytes, at most {most} were expected");
}

#[test]
fn finished_cells_keep_only_reported_data() {
    check(
        200,
        [200, 400, 800].map(|cells| {
            let mut kept = None;
            let counted = measure(|| {
                let planned = planned(cells);
                let played = sweep(&planned, &OPTIONS, &mut NoProgress, &StopFlag::new()).unwrap();
                kept = Some((planned, played));
            });
            assert_eq!(kept.unwrap().1.cells.len(), cells);
            counted.bytes_current
        }),
        MAX_KEPT,
    );
}

#[test]
fn writing_needs_little_more_than_what_is_kept() {
    let counted = [200, 400, 800].map(|cells| {
        let scratch = tempfile::tempdir().unwrap();
        let write = |episodes, existing| {
            let output = OutputOptions { existing, command: "meeple sweep".into() };
            let (planned, directory) = (planned(cells), scratch.path().join("out"));
            let options = SweepOptions { episodes, ..OPTIONS };
            let filed =
                sweep_into(&planned, &options, &directory, &output, &mut NoProgress, &StopFlag::new());
            assert_eq!(filed.unwrap().into_result().unwrap().cells.len(), cells);
        };
        let written = measure(|| write(2, Existing::Refuse));
        let resumed = measure(|| write(4, Existing::Resume));
        [written.bytes_max as i64, resumed.bytes_max as i64]
    });
    check(200, counted.map(|[written, _]| written), MAX_WHILE_WRITING);
    // Stored counts are read cell by cell.
    check(200, counted.map(|[_, resumed]| resumed), MAX_WHILE_RESUMING);
}

#[test]
fn merging_needs_little_more_than_what_is_kept() {
    check(
        100,
        [100, 200, 400].map(|cells| {
            let (here, elsewhere) = (planned(cells), planned(cells));
            let play = |part: u64| {
                let (progress, stop) = (&mut NoProgress, &StopFlag::new());
                shard::play_sweep(&elsewhere, &OPTIONS, part * 10..(part + 1) * 10, progress, stop).unwrap()
            };
            let shards: Vec<Shard> = (0..cells as u64 / 5).map(play).collect();
            let mut kept = None;
            let counted = measure(|| kept = Some(shard::merge_sweep(&here, &OPTIONS, shards).unwrap()));
            assert_eq!(kept.unwrap().cells.len(), cells);
            counted.bytes_max as i64
        }),
        MAX_KEPT,
    );
}

#[test]
fn rows_need_no_more_memory_for_more_episodes() {
    let name = parse_game("incan-gold").unwrap();
    let words = ["turn:7", "backpack:20", "random:0.15"].map(str::to_owned);
    let set_up = SetUp::new(name.entry, None, &[], &words).unwrap();
    let most_of = |episodes| {
        let simulation = Simulation {
            game: &*set_up.game,
            line_up: set_up.line_up.clone(),
            seed: 3,
            episodes,
            seating: Seating::Rotate,
            threads: 1,
        };
        let scratch = tempfile::tempdir().unwrap();
        let rows = scratch.path().join("rows.parquet");
        let counted = measure(|| {
            shard::play(&simulation, 0..episodes, Some(&rows), &mut NoProgress, &StopFlag::new()).unwrap();
        });
        counted.bytes_max
    };
    // The runs have twelve row groups and twenty-four; by then all buffers have their maximum size. Only the
    // number of rows in flight depends on the machine. The largest of several short runs is therefore
    // compared with the smallest of the long ones.
    let (mut few, mut many) = (0, u64::MAX);
    let is_enough = (0..4).any(|_| {
        few = few.max(most_of(540_000));
        many = most_of(1_080_000).min(many);
        many * 20 < few * 21
    });
    assert!(is_enough, "{few} bytes for twelve row groups, {many} for twenty-four");
}

/// Bytes of a cell of Privateers, which has 75 figures: its game and line-up, and its summary. Measured:
/// 13,200.
const MAX_KEPT: i64 = 15_000;

/// Bytes of a cell while writing, with the largest plot, which has twelve panels with a number per cell.
/// Measured: 25,400.
const MAX_WHILE_WRITING: i64 = 29_000;

/// Bytes of a cell while resuming, with four episodes a cell instead of two. Measured: 32,200.
const MAX_WHILE_RESUMING: i64 = 37_000;
