//! Outputs of networks, against those of other programs for the same rows.

use meeple_core::{EpisodeSeed, Seat};
use meeple_learn::{Scratch, to_onnx};
use meeple_onnx::{Model, ModelOutput};

use crate::{data, shipped, wanted};

/// The numbers in a file of `tests/data`.
fn numbers(name: &str) -> Vec<f32> {
    let bytes = std::fs::read(data(name)).unwrap();
    bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect()
}

#[test]
fn a_network_of_ours_says_the_same_as_a_file_of_onnx() {
    let learned = shipped();
    let model = Model::from_bytes(&wanted(), to_onnx(&learned), "it").unwrap();
    assert_eq!(model.goal(), learned.about.goal);
    let mut draws = EpisodeSeed::new(7, 0).agent(Seat::new(0));
    let size = model.size();
    // Half of the numbers are 0 in the mean: encodings have many zeros, too.
    let rows: Vec<f32> = (0..1_000 * size)
        .map(|_| if draws.coin() { 0.0 } else { (draws.unit() * 2.0 - 1.0) as f32 })
        .collect();
    let mut scratch = Scratch::default();
    let own: Vec<f32> = rows.chunks(size).map(|row| learned.network.value(row, &mut scratch)).collect();
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    model.ask(ModelOutput::Value, &rows, &mut together);
    assert_eq!(together.len(), 1_000);
    for ((row, own), together) in rows.chunks(size).zip(&own).zip(&together) {
        model.ask(ModelOutput::Value, row, &mut alone);
        let off = (own - together).abs().max((own - alone[0]).abs());
        assert!(off <= 1e-5, "{own} here, {together} there, {} alone", alone[0]);
    }
    // The values are not all the same.
    let spread = |values: &[f32]| {
        values.iter().fold(f32::MIN, |a, b| a.max(*b)) - values.iter().fold(f32::MAX, |a, b| a.min(*b))
    };
    assert!(spread(&own) > 0.1, "{}", spread(&own));
}

#[test]
fn networks_say_the_same_as_in_onnxruntime() {
    let model = Model::read(&wanted(), data("both.onnx").to_str().unwrap()).unwrap();
    let (rows, reference) = (numbers("rows.f32"), numbers("told.f32"));
    assert_eq!((rows.len(), reference.len()), (100 * model.size(), 100 * 3));
    let (mut values, mut policy) = (Vec::new(), Vec::new());
    model.ask(ModelOutput::Value, &rows, &mut values);
    model.ask(ModelOutput::Policy, &rows, &mut policy);
    for (row, reference) in reference.chunks(3).enumerate() {
        let own = [values[row], policy[2 * row], policy[2 * row + 1]];
        let off =
            own.iter().zip(reference).map(|(own, reference)| (own - reference).abs()).fold(0.0, f32::max);
        assert!(off <= 1e-5, "row {row}: {own:?} here, {reference:?} there");
    }
}
