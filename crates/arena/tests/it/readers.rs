//! Records that are read, proved and copied while another program plays.

use std::path::Path;

use meeple_arena::{
    Bots, DATABASE, REPLAYS, RecordStore, ReplayRetention, RunOptions, TournamentPlan, run, verify,
    write_results,
};
use meeple_lab::{NoProgress, Progress, StopFlag};

use crate::{go_on, play, play_all, request, results};

fn plan() -> TournamentPlan {
    let mut request = request("incan-gold", "turn:7 random:0.5 never");
    (request.deals, request.replays) = (Some(40), Some(ReplayRetention::All));
    request.plan().unwrap()
}

fn files(directory: &Path) -> Vec<String> {
    let names = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The names of SQLite's files beside an open database, which a kill leaves behind.
fn open_files(directory: &Path) -> Vec<String> {
    files(directory).into_iter().filter(|name| name.starts_with(DATABASE) && name != DATABASE).collect()
}

fn proved(directory: &Path) -> meeple_arena::Verification {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Progress that verifies the record at each update.
struct Looks<'p> {
    directory: &'p Path,
    /// Copies of the record, as a kill at that moment would have left it.
    copies: Vec<tempfile::TempDir>,
    /// Number of verified episodes at each update.
    proved: Vec<u64>,
}

impl Progress for Looks<'_> {
    fn update(&mut self, _done: u64, _total: u64, _label: &str) {
        let found = proved(self.directory);
        assert!(found.is_proved() && found.being_played, "{found:?}");
        assert_eq!(found.by_replay, found.episodes);
        self.proved.push(found.episodes);
        if self.copies.len() < 4 {
            let copy = tempfile::tempdir().unwrap();
            for name in files(self.directory) {
                std::fs::copy(self.directory.join(&name), copy.path().join(&name)).unwrap();
            }
            self.copies.push(copy);
        }
        let second = RecordStore::open(self.directory).err().unwrap().to_string();
        assert!(second.contains("expected to be the only one at work on this tournament"), "{second}");
    }
}

#[test]
fn records_are_read_and_copied_while_they_are_played() {
    let plan = plan();
    let whole = tempfile::tempdir().unwrap();
    play_all(&plan, whole.path());
    assert_eq!(open_files(whole.path()), [""; 0], "a clean end leaves one file");

    let directory = tempfile::tempdir().unwrap();
    let mut looks = Looks { directory: directory.path(), copies: Vec::new(), proved: Vec::new() };
    let mut store = RecordStore::create(directory.path(), &plan, "meeple test").unwrap();
    let stop = StopFlag::new();
    let mut options = RunOptions { threads: 1, progress: &mut looks, stop: &stop };
    run(&plan, &mut store, &mut Bots::none(), &mut options).unwrap();
    assert!(looks.proved.is_sorted() && looks.proved.last() > looks.proved.first(), "{:?}", looks.proved);

    // A reader is still open when the tournament ends: the last to close folds the log in.
    let reader = RecordStore::open_read_only(directory.path()).unwrap();
    write_results(&plan, &store, Some(directory.path()), 2).unwrap();
    let found = proved(directory.path());
    assert!(found.is_proved() && found.being_played, "{found:?}");
    store.close().unwrap();
    let mut rows = 0;
    reader.each(&mut |_| rows += 1).unwrap();
    assert_eq!(rows, plan.schedule.episodes());
    drop(reader);
    let found = proved(directory.path());
    assert!(found.is_proved() && !found.being_played && found.complete, "{found:?}");
    assert_eq!(open_files(directory.path()), [""; 0]);
    assert!(results(directory.path()) == results(whole.path()));

    // A copy looks like the remains of a killed run: it can be verified and resumed.
    for copy in looks.copies {
        assert!(!open_files(copy.path()).is_empty());
        let found = proved(copy.path());
        assert!(found.is_proved() && !found.being_played && !found.complete, "{found:?}");
        go_on(&plan, copy.path(), Bots::none(), 1, u64::MAX);
        play_all(&plan, copy.path());
        assert_eq!(open_files(copy.path()), [""; 0]);
        assert!(results(copy.path()) == results(whole.path()));
    }
}

/// A verification covers the episodes stored at its start, and none stored meanwhile.
#[test]
fn proofs_are_of_the_moment_at_which_they_began() {
    /// Ends the tournament while it is verified.
    struct EndsIt<'p> {
        plan: &'p TournamentPlan,
        directory: &'p Path,
    }
    impl Progress for EndsIt<'_> {
        fn update(&mut self, done: u64, _total: u64, _label: &str) {
            if done == 0 {
                play_all(self.plan, self.directory);
            }
        }
    }
    let plan = plan();
    let directory = tempfile::tempdir().unwrap();
    go_on(&plan, directory.path(), Bots::none(), 1, 48);
    let begun = RecordStore::open_read_only(directory.path()).unwrap().next();
    assert!(begun < plan.schedule.episodes());
    // The log exists, as after a kill, so the run that continues need not wait for readers.
    let mut ends_it = EndsIt { plan: &plan, directory: directory.path() };
    let found = verify(directory.path(), &mut ends_it, &StopFlag::new()).unwrap();
    assert!(found.is_proved() && found.being_played && found.episodes == begun, "{found:?}");
    let found = proved(directory.path());
    assert!(found.is_proved() && found.complete && !found.being_played, "{found:?}");
}

/// A tournament that was stopped cleanly has no log, and can be continued while it is verified.
#[test]
fn a_proof_keeps_nobody_from_going_on() {
    /// Continues the tournament while it is verified.
    struct GoesOn<'p> {
        plan: &'p TournamentPlan,
        directory: &'p Path,
    }
    impl Progress for GoesOn<'_> {
        fn update(&mut self, done: u64, _total: u64, _label: &str) {
            if done == 0 {
                play_all(self.plan, self.directory);
            }
        }
    }
    let plan = plan();
    let directory = tempfile::tempdir().unwrap();
    // A stop at the first report leaves the last chunk of episodes unplayed on any machine.
    play(&plan, directory.path(), Bots::none(), 1, 1);
    assert_eq!(open_files(directory.path()), [""; 0], "it was stopped cleanly");
    let before = std::fs::read(directory.path().join(DATABASE)).unwrap();
    let begun = proved(directory.path());
    assert!(begun.is_proved() && !begun.complete, "{begun:?}");
    assert!(std::fs::read(directory.path().join(DATABASE)).unwrap() == before, "a proof changes nothing");
    let mut goes_on = GoesOn { plan: &plan, directory: directory.path() };
    let found = verify(directory.path(), &mut goes_on, &StopFlag::new()).unwrap();
    assert_eq!((found.episodes, found.by_replay, found.unproved), (begun.episodes, begun.by_replay, 0));
    let found = proved(directory.path());
    assert!(found.is_proved() && found.complete, "{found:?}");
}

/// A record and a replay file of different moments, as from a careless copy, are not proved.
#[test]
fn pieces_of_different_moments_are_noticed() {
    let plan = plan();
    let directory = tempfile::tempdir().unwrap();
    go_on(&plan, directory.path(), Bots::none(), 1, 100);
    let late = directory.path().join(REPLAYS);
    let bytes = std::fs::read(&late).unwrap();
    std::fs::write(&late, &bytes[..bytes.len() / 2]).unwrap();
    let found = proved(directory.path());
    assert!(!found.is_proved() && found.unproved > 0, "{found:?}");
    assert!(found.problems[0].contains(REPLAYS), "{found:?}");
}
