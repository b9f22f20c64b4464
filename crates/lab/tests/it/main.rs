//! Tests of the laboratory's guarantees, on a toy game.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // tests read and write files

mod deals;
mod figures;
mod new_files;
mod pool;
mod results;
mod reviews;
mod safety;
mod shards;
mod shown;
mod simulation;
mod sweep;
mod toy;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use meeple_core::Seating;
use meeple_lab::{NoProgress, Run, SetUp, Simulation, StopFlag, simulate};

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn settings(text: &str) -> Vec<(String, String)> {
    let pair = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    text.split_whitespace().map(|word| pair(word).expect("key=value")).collect()
}

fn set_up(set: &str, line_up: &str) -> SetUp {
    SetUp::new(&*toy::entry(), None, &settings(set), &words(line_up)).unwrap()
}

/// A simulation with rotating seats on two threads.
fn simulation(set_up: &SetUp, episodes: u64) -> Simulation<'_> {
    Simulation {
        game: &*set_up.game,
        line_up: set_up.line_up.clone(),
        seed: 7,
        episodes,
        seating: Seating::Rotate,
        threads: 2,
    }
}

fn play(simulation: &Simulation<'_>) -> Run {
    simulate(simulation, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// A directory of one test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("meeple-lab-test-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
