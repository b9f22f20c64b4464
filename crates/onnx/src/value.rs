//! Networks of other programs as the value of positions, for searches.

use meeple_core::{Hints, Playable};
use meeple_learn::{Evaluator, Goal, LearnError, evaluator_hints};

use crate::model::{Model, ModelOutput, Wanted};

/// The hints of a game, with position values by the network in `file`.
///
/// # Errors
/// If there is no such file, or its network is for something else or has no value output; the error names the
/// reason.
pub fn value_hints<G: Playable>(game: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
    let encoding =
        game.encoding().ok_or(LearnError::NoEncoding(game.info().id)).map_err(|error| error.to_string())?;
    let model = Model::read(&Wanted::by(game, &encoding), file).map_err(|error| error.to_string())?;
    if !model.tells(ModelOutput::Value) {
        return Err(format!(
            "{file}: expected an output `value`, found `policy` alone\nhint: onnx:{file} plays by the policy"
        ));
    }
    Ok(evaluator_hints(game, encoding, Box::new(Valued { model, outputs: Vec::new() })))
}

struct Valued {
    model: Model,
    outputs: Vec<f32>,
}

impl Evaluator for Valued {
    fn goal(&self) -> Goal {
        self.model.goal()
    }

    fn spread(&self) -> f64 {
        self.model.spread()
    }

    /// Counts a value that is not finite as 0: it would spoil every mean.
    fn value(&mut self, numbers: &[f32]) -> f32 {
        self.model.ask(ModelOutput::Value, numbers, &mut self.outputs);
        if self.outputs[0].is_finite() { self.outputs[0] } else { 0.0 }
    }
}
