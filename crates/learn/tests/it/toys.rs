//! Games that are small enough to know what every position is worth.

use meeple_core::{AnyEntry, Entry};
use meeple_lab::StopFlag;
use meeple_learn::{Scratch, Training, school};
use meeple_testkit::toys::Nim;

use crate::plan;

/// Nim of five sticks, of which one or two are taken: who leaves three has won, and who leaves any other number has lost.
#[test]
fn nim_is_learned_to_its_exact_values() {
    let set = [("sticks", "5"), ("most", "2")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let game = Entry::<Nim>::new(Vec::new()).set_up(None, &set, 2).unwrap();
    let school = school::<Nim>(&*game, Vec::new()).unwrap();
    // Numbers that go in are hundredths: steps are large.
    let plan = plan(
        "goal = \"win\"\nhidden = [32]\nrounds = 60\nepisodes = 200\nlambda = 0.5\nexplore = [0.5, 0.02]\n\
         rate = [0.05, 0.002]\nminibatch = 32\n",
    );
    let mut training = Training::new(&*school, plan).unwrap();
    training.run(1, &StopFlag::new(), |_, _| Ok(true)).unwrap();
    let network = training.learned().network;
    let mut scratch = Scratch::default();
    for (left, exact) in [(4, -1.0), (3, 1.0), (2, -1.0), (1, -1.0)] {
        // The sticks that are left, and that it is the other's turn.
        let value = network.value(&[f32::from(left as u8) / 100.0, 0.0], &mut scratch);
        assert!((value - exact).abs() < 0.15, "{left} left: {value}, exactly {exact}");
    }
}
