//! Results survive whatever ends a run, and nobody continues damaged ones.

use std::fs;
use std::path::Path;

use meeple_core::Seating;
use meeple_lab::{
    Existing, LabError, NoProgress, OutputOptions, Progress, StopFlag, Sweep, SweepOptions, simulate_into,
    sweep_into,
};

use crate::results::{assert_same, files, write};
use crate::{Scratch, play, set_up, simulation, toy, words};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn a_run_killed_at_any_moment_of_putting_files_into_place_is_finished_by_the_next() {
    let scratch = Scratch::new();
    let table = set_up("", "coin at-least:4");
    write(&simulation(&table, 300), &scratch.path("old"), Existing::Refuse).unwrap();
    write(&simulation(&table, 700), &scratch.path("new"), Existing::Refuse).unwrap();
    write(&simulation(&table, 900), &scratch.path("longer"), Existing::Refuse).unwrap();
    fs::write(scratch.path("old/plots/stale.svg"), "without successor").unwrap();
    let mut names: Vec<String> =
        files(&scratch.path("new")).into_iter().filter(|name| name != "plots").collect();
    names.extend(files(&scratch.path("new/plots")).iter().map(|name| format!("plots/{name}")));
    for moved in (0..=names.len()).step_by(5) {
        // Old results beside a complete stage, of which some files have been moved.
        let at = scratch.path(&format!("at{moved}"));
        copy(&scratch.path("old"), &at);
        copy(&scratch.path("new"), &at.join(".meeple.complete"));
        fs::write(at.join(".meeple.complete/files.json"), serde_json::to_string(&names).unwrap()).unwrap();
        fs::write(at.join(".meeple.complete/gone.json"), r#"["plots/stale.svg", "gone before"]"#).unwrap();
        fs::write(at.join(".meeple.lock"), "1").unwrap();
        for name in &names[..moved] {
            fs::rename(at.join(".meeple.complete").join(name), at.join(name)).unwrap();
        }
        let error = write(&simulation(&table, 900), &at, Existing::Refuse).err().unwrap();
        assert!(error.to_string().contains("earlier results"), "{error}");
        if moved % 10 == 0 {
            write(&simulation(&table, 700), &at, Existing::Resume).unwrap();
            assert_same(&at, &scratch.path("new"));
        } else {
            let run = write(&simulation(&table, 900), &at, Existing::Resume).unwrap();
            assert_eq!(run.timing.episodes, 200, "continued from the new results");
            assert_same(&at, &scratch.path("longer"));
        }
        assert_eq!(files(&at), files(&scratch.path("new")));
        assert_eq!(files(&at.join("plots")), files(&scratch.path("new/plots")));
    }
}

#[test]
fn files_of_others_stay_and_are_replaced_only_when_asked_for() {
    let scratch = Scratch::new();
    let (many, one) = (set_up("", "coin coin coin"), set_up("", "coin"));
    let out = scratch.path("out");
    let text = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    write(&simulation(&many, 50), &out, Existing::Refuse).unwrap();
    // The names are of no results of this kind; `plots/heat-1.svg` is a name of results of a sweep.
    for name in ["plots/mine.svg", "plots/mine.png", "plots/heat-1.svg", "notes.txt"] {
        fs::write(out.join(name), "mine").unwrap();
    }
    let stay = || {
        for name in ["plots/mine.svg", "plots/mine.png", "plots/heat-1.svg", "notes.txt"] {
            assert_eq!(text(name), "mine", "{name}");
        }
    };
    write(&simulation(&many, 90), &out, Existing::Resume).unwrap();
    stay();
    assert!(out.join("plots/seats.svg").exists());
    write(&simulation(&one, 50), &out, Existing::Replace).unwrap();
    stay();
    assert!(!out.join("plots/seats.svg").exists(), "of the earlier results");
    // Results of a lone player have no plot of seats, so this file is foreign.
    fs::write(out.join("plots/seats.svg"), "mine").unwrap();
    let error = write(&simulation(&one, 90), &out, Existing::Resume).err().unwrap();
    assert!(
        error.to_string().contains("found 'plots/seats.svg', which is not part of the earlier results"),
        "{error}"
    );
    assert_eq!(text("plots/seats.svg"), "mine");
    fs::remove_file(out.join("plots/seats.svg")).unwrap();
    write(&simulation(&one, 90), &out, Existing::Resume).unwrap();

    // Results of a version that did not store the names of its files.
    let sums: serde_json::Value = serde_json::from_str(&text("checksums.json")).unwrap();
    let old =
        serde_json::json!({ "tally.json": sums["tally.json"], "episodes.parquet": sums["episodes.parquet"] });
    fs::write(out.join("checksums.json"), old.to_string()).unwrap();
    fs::write(out.join("plots/seats.png"), "of the older version").unwrap();
    write(&simulation(&one, 120), &out, Existing::Resume).unwrap();
    stay();
    assert!(!out.join("plots/seats.png").exists());

    // Foreign files have names of results.
    let mine = scratch.path("mine");
    fs::create_dir(&mine).unwrap();
    for name in ["summary.json", "plan.json", "tally.json"] {
        fs::write(mine.join(name), "{}").unwrap();
    }
    for existing in [Existing::Refuse, Existing::Resume] {
        assert!(write(&simulation(&one, 50), &mine, existing).is_err());
        assert_eq!(files(&mine), ["plan.json", "summary.json", "tally.json"]);
    }
    let error = write(&simulation(&one, 50), &mine, Existing::Refuse).err().unwrap().to_string();
    assert!(!error.contains("earlier results") && error.contains("--force, which may replace '"), "{error}");
    write(&simulation(&one, 50), &mine, Existing::Replace).unwrap();
    assert!(fs::read_to_string(mine.join("summary.json")).unwrap().contains("toy"));
    // A sweep has no episodes.parquet, so a foreign one stays.
    fs::create_dir(scratch.path("other")).unwrap();
    fs::write(scratch.path("other/episodes.parquet"), "mine").unwrap();
    let it = Sweep::new(&*toy::entry(), None, &[], &words("solo at-least:1..2")).unwrap();
    let options = SweepOptions { seed: 3, episodes: 20, seating: Seating::Rotate, threads: 1 };
    let output = OutputOptions { existing: Existing::Replace, command: String::new() };
    sweep_into(&it, &options, &scratch.path("other"), &output, &mut NoProgress, &StopFlag::new())
        .unwrap()
        .into_result()
        .unwrap();
    assert_eq!(fs::read_to_string(scratch.path("other/episodes.parquet")).unwrap(), "mine");
}

/// Calls a function once all episodes are played, while the run still works in its directory.
struct Watch<'a>(&'a mut dyn FnMut());

impl Progress for Watch<'_> {
    fn update(&mut self, done: u64, total: u64, _label: &str) {
        if done == total {
            (self.0)();
        }
    }
}

#[test]
fn earlier_results_are_whole_until_the_new_ones_are() {
    let scratch = Scratch::new();
    let table = set_up("", "coin at-least:4");
    let out = scratch.path("out");
    write(&simulation(&table, 300), &out, Existing::Refuse).unwrap();
    copy(&out, &scratch.path("before"));
    for existing in [Existing::Resume, Existing::Replace] {
        // The copy has the state of a run that was killed after playing.
        let mut killed = || copy(&out, &scratch.path("killed"));
        let output = OutputOptions { existing, command: "meeple sim toy".into() };
        let stop = StopFlag::new();
        simulate_into(&simulation(&table, 500), &out, &output, &mut Watch(&mut killed), &stop)
            .unwrap()
            .into_result()
            .unwrap();
        assert!(files(&scratch.path("killed")).contains(&".meeple.tmp".to_owned()));
        assert_same(&scratch.path("killed"), &scratch.path("before"));
        let run = write(&simulation(&table, 500), &scratch.path("killed"), Existing::Resume).unwrap();
        assert_eq!(run.timing.episodes, 200);
        assert_same(&scratch.path("killed"), &out);
        fs::remove_dir_all(&out).unwrap();
        copy(&scratch.path("before"), &out);
        fs::remove_dir_all(scratch.path("killed")).unwrap();
    }
    // A failed write changes nothing, and leaves nothing behind.
    let mut spoil = || {
        fs::remove_file(out.join(".meeple.tmp/episodes.parquet")).unwrap();
        fs::create_dir(out.join(".meeple.tmp/report.html")).unwrap();
    };
    let output = OutputOptions { existing: Existing::Replace, command: String::new() };
    let stop = StopFlag::new();
    let filed =
        simulate_into(&simulation(&table, 500), &out, &output, &mut Watch(&mut spoil), &stop).unwrap();
    assert!(matches!(filed.written, Err(LabError::Write { .. })));
    assert_eq!(filed.played.summary, play(&simulation(&table, 500)).summary, "what was played is not lost");
    assert!(!stop.is_writing());
    assert_same(&out, &scratch.path("before"));
    assert_eq!(files(&out), files(&scratch.path("before")));
    // Directories that a failed run created are removed.
    let new = scratch.path("new/inner");
    let mut spoil = || fs::create_dir(new.join(".meeple.tmp/report.html")).unwrap();
    let filed = simulate_into(&simulation(&table, 50), &new, &output, &mut Watch(&mut spoil), &stop).unwrap();
    assert!(filed.written.is_err() && !scratch.path("new").exists());
    fs::create_dir(scratch.path("there")).unwrap();
    let there = scratch.path("there");
    let mut spoil = || fs::create_dir(there.join(".meeple.tmp/report.html")).unwrap();
    let filed =
        simulate_into(&simulation(&table, 50), &there, &output, &mut Watch(&mut spoil), &stop).unwrap();
    assert!(filed.written.is_err() && files(&there).is_empty());
}

#[test]
fn remains_of_a_killed_first_run_are_no_obstacle() {
    let scratch = Scratch::new();
    let table = set_up("", "coin coin");
    for existing in [Existing::Refuse, Existing::Resume, Existing::Replace] {
        let out = scratch.path("out");
        let mut killed = || copy(&out, &scratch.path("killed"));
        let output = OutputOptions { existing, command: "meeple sim toy".into() };
        let stop = StopFlag::new();
        simulate_into(&simulation(&table, 50), &out, &output, &mut Watch(&mut killed), &stop)
            .unwrap()
            .into_result()
            .unwrap();
        fs::create_dir(scratch.path("killed/.meeple.tmp/plots")).unwrap();
        fs::write(scratch.path("killed/.meeple.tmp/plots/scores.svg"), "<sv").unwrap();
        write(&simulation(&table, 50), &scratch.path("killed"), existing).unwrap();
        assert_same(&out, &scratch.path("killed"));
        assert_eq!(files(&out), files(&scratch.path("killed")));
        fs::remove_dir_all(out).unwrap();
        fs::remove_dir_all(scratch.path("killed")).unwrap();
    }
}

#[test]
fn a_second_run_into_the_same_directory_is_refused() {
    let scratch = Scratch::new();
    let table = set_up("", "coin coin");
    let out = scratch.path("out");
    let mut tried = 0;
    let mut second = || {
        for existing in [Existing::Refuse, Existing::Resume, Existing::Replace] {
            let error = write(&simulation(&table, 70), &out, existing).err().unwrap();
            let process = format!("another run (process {})", std::process::id());
            assert!(error.to_string().contains(&process), "{error}");
            tried += 1;
        }
    };
    let output = OutputOptions { existing: Existing::Refuse, command: "meeple sim toy".into() };
    let stop = StopFlag::new();
    simulate_into(&simulation(&table, 50), &out, &output, &mut Watch(&mut second), &stop)
        .unwrap()
        .into_result()
        .unwrap();
    assert_eq!(tried, 3);
    write(&simulation(&table, 50), &scratch.path("alone"), Existing::Refuse).unwrap();
    assert_same(&out, &scratch.path("alone"));
    assert!(!out.join(".meeple.lock").exists());
}

#[test]
fn one_changed_byte_is_noticed_wherever_it_is() {
    let scratch = Scratch::new();
    let table = set_up("", "coin at-least:4");
    let out = scratch.path("out");
    let output = OutputOptions { existing: Existing::Refuse, command: String::new() };
    simulate_into(&simulation(&table, 200), &out, &output, &mut NoProgress, &StopFlag::new())
        .unwrap()
        .into_result()
        .unwrap();
    for name in ["episodes.parquet", "tally.json"] {
        let sound = fs::read(out.join(name)).unwrap();
        for at in (0..sound.len()).step_by(1 + sound.len() / 40) {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            fs::write(out.join(name), &damaged).unwrap();
            let error = write(&simulation(&table, 300), &out, Existing::Resume).err().unwrap();
            let text = error.to_string();
            assert!(text.contains(name) && text.contains("changed or damaged"), "{at}: {text}");
            assert_eq!(fs::read(out.join(name)).unwrap(), damaged);
        }
        fs::write(out.join(name), &sound).unwrap();
    }
    // Files of two runs, each sound, do not belong together.
    write(&simulation(&table, 300), &scratch.path("other"), Existing::Refuse).unwrap();
    let sound = fs::read(out.join("episodes.parquet")).unwrap();
    fs::copy(scratch.path("other/episodes.parquet"), out.join("episodes.parquet")).unwrap();
    let error = write(&simulation(&table, 300), &out, Existing::Resume).err().unwrap();
    assert!(error.to_string().contains("--force"), "{error}");
    fs::write(out.join("episodes.parquet"), sound).unwrap();
    write(&simulation(&table, 300), &out, Existing::Resume).unwrap();
}
