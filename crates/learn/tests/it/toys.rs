//! Games that are small enough to know what every position is worth.

use meeple_core::{AnyEntry, Defined as _, GameEntry};
use meeple_lab::StopFlag;
use meeple_learn::{Scratch, Training, environment};
use meeple_testkit::toys::Nim;

use crate::plan;

/// Nim of four sticks, of which one or two are taken: leaving three wins, and leaving any other number loses.
/// Some decisions in training are random, so that no win is certain: values are a little nearer to 0.
#[test]
fn nim_is_learned_to_its_exact_values() {
    let set = [("sticks", "4"), ("most", "2")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let game = GameEntry::new(Nim::definition(), Vec::new()).set_up(None, &set, 2).unwrap();
    let environment = environment::<Nim>(&*game).unwrap();
    let plan = plan(
        "goal = \"win\"\nhidden = [32, 32]\nrounds = 150\nepisodes = 200\nlambda = 0.5\nexplore = [1, 0.02]\n\
         rate = [0.005, 0.0005]\nminibatch = 32\n",
    );
    let mut training = Training::new(&*environment, plan).unwrap();
    training.run(1, &StopFlag::new(), |_, _| Ok(true)).unwrap();
    let network = training.checkpoint().network;
    let mut scratch = Scratch::default();
    // The features are the sticks left, and 0 for the other seat's turn.
    let values = [3, 2, 1].map(|left: u8| network.value(&[f32::from(left) / 100.0, 0.0], &mut scratch));
    for (value, exact) in values.iter().zip([1.0, -1.0, -1.0]) {
        assert!((value - exact).abs() < 0.15, "3, 2 and 1 left: {values:?}");
    }
}
