//! Network files, validated before use.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use meeple_core::{ActionKind, Encoding, EpisodeSeed, Field, Playable, Seat};
use meeple_learn::{CheckpointInfo, Goal, LearnError, read_agent_file, required_info};
use rten::{DataType, Dimension, ModelOptions, NodeId, RunOptions, ThreadPool, ValueType, ValueView};

use crate::wire::is_whole;

const INPUT: &str = "encoding";
/// Number of rows on which a network is tried before it plays.
const TRIED: usize = 16;
const HINT: &str =
    "docs/reference/learning.md tells what such a file must have; `meeple learn export` writes one";

thread_local! {
    /// One thread: games are evaluated in parallel anyway, and sums then have one order.
    static WORKER: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelOutput {
    /// Values of positions, in units of the goal: one number per row.
    Value,
    /// Scores of actions, by their ids: per row as many numbers as the game has ids.
    Policy,
}

impl ModelOutput {
    fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Policy => "policy",
        }
    }
}

/// A network of another program that can play a game.
pub struct Model {
    model: rten::Model,
    input: NodeId,
    value: Option<NodeId>,
    policy: Option<NodeId>,
    /// Numbers in an input row.
    size: usize,
    actions: usize,
    goal: Goal,
    spread: f64,
}

#[derive(Clone, Debug)]
pub struct Wanted {
    pub about: CheckpointInfo,
    pub fields: Vec<Field>,
    /// Bound of the action ids, which are all smaller; 0 if actions have no ids.
    pub actions: usize,
}

impl Wanted {
    pub fn by<G: Playable>(game: &G, encoding: &Encoding<G>) -> Self {
        let listed = game.info().actions == ActionKind::Listed;
        let actions = if listed { game.action_bound() as usize } else { 0 };
        Self { about: required_info(game, encoding), fields: (encoding.fields)(game), actions }
    }
}

impl Model {
    /// Reads the network in a file.
    ///
    /// # Errors
    /// If there is no such file, or its network fails [`from_bytes`](Self::from_bytes).
    pub fn read(wanted: &Wanted, file: &str) -> Result<Self, LearnError> {
        Self::from_bytes(wanted, read_agent_file(file)?, file)
    }

    /// Reads the network in these bytes; `what` is its name in messages.
    ///
    /// # Errors
    /// If the bytes are no network, the network is for another game or setting, or an output is not finite.
    pub fn from_bytes(wanted: &Wanted, bytes: Vec<u8>, what: &str) -> Result<Self, LearnError> {
        if !is_whole(&bytes) {
            return Err(wrong(what, "a file of ONNX", "another or a truncated file".to_owned()));
        }
        // A malformed network may make the library panic.
        let made = catch_unwind(AssertUnwindSafe(|| Self::of(wanted, bytes, what)));
        made.unwrap_or_else(|_| {
            Err(wrong(what, "a network that can be run", "one that crashes the runtime".to_owned()))
        })
    }

    fn of(wanted: &Wanted, bytes: Vec<u8>, what: &str) -> Result<Self, LearnError> {
        let wrong = |expected: &str, found: String| wrong(what, expected, found);
        let model = ModelOptions::with_all_ops().prepack_weights(true).load(bytes);
        let model = model.map_err(|error| wrong("a file of ONNX", error.to_string()))?;
        let (size, actions) = (wanted.about.sizes[0], wanted.actions);
        let (goal, spread) = facts(&model, &wanted.about, what)?;
        let find = |names: &[NodeId], name: &str| {
            let mut names = names.iter().copied();
            names.find(|id| model.node_info(*id).is_some_and(|info| info.name() == Some(name)))
        };
        let names = |ids: &[NodeId]| -> String {
            let known: Vec<String> =
                ids.iter().filter_map(|id| Some(format!("`{}`", model.node_info(*id)?.name()?))).collect();
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        };
        let input = find(model.input_ids(), INPUT).filter(|_| model.input_ids().len() == 1);
        let input = input.ok_or_else(|| wrong("one input, `encoding`", names(model.input_ids())))?;
        let shape = format!("float numbers [n, {size}] for `encoding`");
        let info = model.node_info(input).expect("it was found");
        let fits = |shape: &[Dimension]| matches!(shape, [_, columns] if !matches!(columns, Dimension::Fixed(other) if *other != size));
        if info.dtype().is_some_and(|kind| kind != ValueType::Tensor(DataType::Float))
            || info.shape().is_some_and(|shape| !fits(&shape))
        {
            return Err(wrong(&shape, shape_text(info.dtype(), info.shape())));
        }
        let [value, policy] =
            [ModelOutput::Value, ModelOutput::Policy].map(|output| find(model.output_ids(), output.name()));
        if value.is_none() && policy.is_none() {
            return Err(wrong("an output `value` or `policy`", names(model.output_ids())));
        }
        if policy.is_some() && actions == 0 {
            let found = format!("a policy for {}, whose actions have none", wanted.about.game);
            return Err(wrong("actions with ids", found));
        }
        let model = Self { model, input, value, policy, size, actions, goal, spread };
        model.try_out(&wanted.fields).map_err(|(expected, found)| wrong(&expected, found))?;
        Ok(model)
    }

    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Spread of the predicted results, in units of the goal; 1 if the file does not give it.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn tells(&self, output: ModelOutput) -> bool {
        self.node(output).is_some()
    }

    /// Replaces `outputs` by the output for rows of numbers, concatenated. NaN becomes negative infinity.
    ///
    /// # Panics
    /// If the network does not have this output, or `rows` is not a multiple of the row length.
    pub fn ask(&self, output: ModelOutput, rows: &[f32], outputs: &mut Vec<f32>) {
        outputs.clear();
        let columns = self.columns(output);
        match self.run(output, rows) {
            Ok(numbers) => {
                outputs.extend(
                    numbers
                        .into_iter()
                        .map(|number| if number.is_nan() { f32::NEG_INFINITY } else { number }),
                );
            }
            // The network worked when it was tried; after a failure now, no action is preferred.
            Err(_) => outputs.resize(rows.len() / self.size * columns, f32::NEG_INFINITY),
        }
    }

    fn node(&self, output: ModelOutput) -> Option<NodeId> {
        match output {
            ModelOutput::Value => self.value,
            ModelOutput::Policy => self.policy,
        }
    }

    /// Numbers in an output row.
    fn columns(&self, output: ModelOutput) -> usize {
        match output {
            ModelOutput::Value => 1,
            ModelOutput::Policy => self.actions,
        }
    }

    /// Returns the output, or what was expected and what was found instead.
    fn run(&self, output: ModelOutput, rows: &[f32]) -> Result<Vec<f32>, (String, String)> {
        let node = self.node(output).expect("it tells this");
        let (name, count) = (output.name(), rows.len() / self.size);
        let expected = || format!("float numbers [{count}, {}] from `{name}`", self.columns(output));
        let input = ValueView::from_shape([count, self.size], rows).expect("rows are whole");
        let options = RunOptions::default().with_thread_pool(Some(WORKER.with(Arc::clone)));
        let ran = self.model.run_n(vec![(self.input, input.into())], [node], Some(options));
        let [found] = ran.map_err(|error| (expected(), error.to_string()))?;
        let (shape, numbers) =
            found.into_shape_vec::<f32, 2>().map_err(|error| (expected(), error.to_string()))?;
        if shape != [count, self.columns(output)] {
            return Err((expected(), format!("{shape:?}")));
        }
        Ok(numbers)
    }

    /// Runs plausible rows: one alone, and many together.
    fn try_out(&self, fields: &[Field]) -> Result<(), (String, String)> {
        let mut draws = EpisodeSeed::new(0, 0).agent(Seat::new(0));
        let mut rows = Vec::with_capacity(TRIED * self.size);
        for row in 0..TRIED {
            for field in fields {
                let mut number = || match row {
                    0 => field.low,
                    1 => field.high,
                    _ => field.low + (field.high - field.low) * draws.unit() as f32,
                };
                rows.extend((0..field.size).map(|_| number()));
            }
        }
        for output in
            [ModelOutput::Value, ModelOutput::Policy].into_iter().filter(|output| self.tells(*output))
        {
            for rows in [&rows[..self.size], &rows] {
                if let Some(wrong) = self.run(output, rows)?.iter().find(|number| !number.is_finite()) {
                    let expected = format!("finite numbers from `{}`", output.name());
                    return Err((expected, format!("{wrong} for numbers within the bounds of the encoding")));
                }
            }
        }
        Ok(())
    }
}

/// Checks the file's metadata; returns the goal and the spread of results.
fn facts(model: &rten::Model, wanted: &CheckpointInfo, what: &str) -> Result<(Goal, f64), LearnError> {
    let metadata = model.metadata();
    let text = |key: &str| {
        let text = metadata.get(key).filter(|text| !text.is_empty());
        text.ok_or_else(|| wrong(what, &format!("`{key}` in the metadata"), "none".to_owned()))
    };
    let number = |key: &str| {
        let text = text(key)?;
        text.parse::<u32>().map_err(|_| {
            wrong(what, &format!("a whole number for `{key}` in the metadata"), format!("'{text}'"))
        })
    };
    let goal = text("goal")?;
    let parsed = serde_json::from_value::<Goal>(goal.into());
    let goal = parsed
        .map_err(|_| wrong(what, "win, score or margin for `goal` in the metadata", format!("'{goal}'")))?;
    let own = CheckpointInfo {
        game: text("game")?.to_owned(),
        rules_version: number("rules_version")?,
        encoding_version: number("encoding_version")?,
        seats: number("seats")? as usize,
        goal,
        ..wanted.clone()
    };
    own.check(what, wanted)?;
    let spread = match metadata.get("spread") {
        None => 1.0,
        Some(text) => {
            let spread = text.parse::<f64>().ok().filter(|spread| spread.is_finite() && *spread > 0.0);
            spread.ok_or_else(|| {
                wrong(what, "a number above 0 for `spread` in the metadata", format!("'{text}'"))
            })?
        }
    };
    Ok((goal, spread))
}

fn wrong(what: &str, expected: &str, found: String) -> LearnError {
    let (what, expected) = (what.to_owned(), expected.to_owned());
    LearnError::Network { what, expected, found, hint: HINT }
}

fn shape_text(kind: Option<ValueType>, shape: Option<Vec<Dimension>>) -> String {
    let kind = match kind {
        Some(ValueType::Tensor(kind)) => format!("{kind:?}").to_lowercase(),
        _ => "other".to_owned(),
    };
    let sizes = shape.unwrap_or_default().into_iter().map(|size| match size {
        Dimension::Fixed(size) => size.to_string(),
        Dimension::Symbolic(name) => name,
    });
    format!("{kind} numbers [{}]", sizes.collect::<Vec<_>>().join(", "))
}
