#![allow(clippy::disallowed_methods)] // tests read and write files

mod advice;
mod bytes;
mod files;
mod gate;
mod network;
mod people;
mod plans;
mod policies;
mod shipped;
mod sorn;
mod toys;
mod training;
mod tuning;
mod value;

use meeple_core::AnyGame;
use meeple_games::parse_game;
use meeple_lab::StopFlag;
use meeple_learn::{Checkpoint, Environment, Training, TrainingPlan, TrainingRound};

fn plan(text: &str) -> TrainingPlan {
    TrainingPlan::parse(text).unwrap()
}

fn game(name: &str, plan: &TrainingPlan) -> Box<dyn AnyGame> {
    let name = parse_game(name).unwrap();
    let set: Vec<(String, String)> = plan.set.clone().into_iter().collect();
    name.entry.set_up(name.preset, &set, plan.seats).unwrap()
}

fn trained(name: &str, plan: &TrainingPlan, threads: usize) -> (Checkpoint, Vec<TrainingRound>) {
    let environment = meeple_games::environment(&*game(name, plan)).unwrap();
    let mut training = Training::new(&*environment, plan.clone()).unwrap();
    let mut rounds = Vec::new();
    let each = |_: &Training<'_>, round| {
        rounds.push(round);
        Ok(true)
    };
    training.run(threads, &StopFlag::new(), each).unwrap();
    (training.checkpoint(), rounds)
}

/// Checks that a training stopped after any of its rounds, written, read and resumed ends like the whole one.
fn breaks_change_nothing(environment: &dyn Environment, plan: &TrainingPlan, whole: &Checkpoint) {
    for end in 1..plan.rounds {
        let mut training = Training::new(environment, plan.clone()).unwrap();
        training.run(1, &StopFlag::new(), |_, round| Ok(round.round < end)).unwrap();
        assert_eq!(training.round(), end);
        let kept = Checkpoint::from_bytes(&training.checkpoint().to_bytes(), "it").unwrap();
        let mut training = Training::resume(environment, plan.clone(), kept).unwrap();
        training.run(2, &StopFlag::new(), |_, _| Ok(true)).unwrap();
        assert_eq!(training.checkpoint().to_bytes(), whole.to_bytes(), "broken off after {end}");
    }
}
