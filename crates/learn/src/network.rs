//! Small networks: layers of numbers, forward and backward.
//!
//! Sums are made in an order that the code says, by additions and multiplications alone, so that a network says the same to
//! the last bit on every machine. Libraries for matrices choose their order by the processor.

use meeple_core::Stream;

/// Numbers that are added side by side in a sum of products.
const LANES: usize = 8;

/// A feed-forward network with one output: every hidden layer cuts off at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Numbers in, hidden ones, and 1.
    sizes: Vec<usize>,
    /// By layer: for every input the weights to all outputs, then the biases of the outputs.
    pub(crate) weights: Vec<f32>,
    /// What an output of 0 stands for, in units of the goal,
    pub(crate) middle: f32,
    /// and how much 1 is more.
    pub(crate) scale: f32,
}

/// Memory that a network needs to say something.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// By layer: what goes in, and at the end what comes out.
    activations: Vec<Vec<f32>>,
    /// What the loss asks of the layer at hand, and of the one before.
    wanted: Vec<f32>,
    before: Vec<f32>,
}

impl Network {
    /// A network that knows nothing, with weights drawn at random.
    pub fn new(inputs: usize, hidden: &[usize], rng: &mut Stream) -> Self {
        let sizes: Vec<usize> = [inputs].into_iter().chain(hidden.iter().copied()).chain([1]).collect();
        let mut weights = Vec::with_capacity(count(&sizes));
        for (layer, pair) in sizes.windows(2).enumerate() {
            let last = layer + 2 == sizes.len();
            // He et al. 2015, so that no layer makes its numbers larger or smaller; the last begins near 0.
            let spread = if last { 0.01 } else { (6.0 / pair[0].max(1) as f64).sqrt() };
            weights.extend((0..pair[0] * pair[1]).map(|_| ((rng.unit() * 2.0 - 1.0) * spread) as f32));
            weights.extend((0..pair[1]).map(|_| 0.0));
        }
        Self { sizes, weights, middle: 0.0, scale: 1.0 }
    }

    /// A network of these weights.
    pub(crate) fn from_parts(sizes: Vec<usize>, weights: Vec<f32>, middle: f32, scale: f32) -> Option<Self> {
        let fits = sizes.len() >= 2 && sizes.last() == Some(&1) && weights.len() == count(&sizes);
        let sound = weights.iter().chain([&middle, &scale]).all(|number| number.is_finite());
        (fits && sound).then_some(Self { sizes, weights, middle, scale })
    }

    /// Numbers that go in.
    pub fn inputs(&self) -> usize {
        self.sizes[0]
    }

    /// Numbers in, hidden ones, and 1.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many weights it has.
    pub fn weights(&self) -> usize {
        self.weights.len()
    }

    /// The same network, but for a weight that is so much more.
    #[must_use]
    pub fn nudged(&self, weight: usize, more: f32) -> Self {
        let mut other = self.clone();
        other.weights[weight] += more;
        other
    }

    /// Gives no weight to these inputs. They keep having none as long as all that is learned from has 0 there.
    pub(crate) fn ignore(&mut self, inputs: &[usize]) {
        let width = self.sizes[1];
        for input in inputs {
            self.weights[input * width..][..width].fill(0.0);
        }
    }

    /// What it says of `input`, in units of the goal.
    pub fn value(&self, input: &[f32], scratch: &mut Scratch) -> f32 {
        self.middle + self.scale * self.forward(input, scratch)
    }

    /// What comes out, on the network's own scale.
    fn forward(&self, input: &[f32], scratch: &mut Scratch) -> f32 {
        scratch.activations.resize(self.sizes.len(), Vec::new());
        scratch.activations[0].clear();
        scratch.activations[0].extend_from_slice(input);
        let (mut rest, last) = (self.weights.as_slice(), self.sizes.len() - 2);
        for (layer, pair) in self.sizes.windows(2).enumerate() {
            let (weights, biases, behind) = split(rest, pair);
            rest = behind;
            let (before, after) = scratch.activations.split_at_mut(layer + 1);
            let (from, to) = (&before[layer], &mut after[0]);
            to.clear();
            to.extend_from_slice(biases);
            // Most of what goes in is 0.
            for (number, row) in
                from.iter().zip(weights.chunks_exact(pair[1])).filter(|(number, _)| **number != 0.0)
            {
                add(to, *number, row);
            }
            if layer < last {
                to.iter_mut().for_each(|number| *number = number.max(0.0));
            }
        }
        scratch.activations[last + 1][0]
    }

    /// Adds to `slope` how half the squared error at `input` grows with every weight, and returns the error.
    /// `target` is in units of the goal.
    pub fn add_slope(&self, input: &[f32], target: f32, slope: &mut [f32], scratch: &mut Scratch) -> f32 {
        let error = self.forward(input, scratch) - (target - self.middle) / self.scale;
        self.backward(error, slope, scratch);
        error
    }

    /// Adds to `slope` how a loss grows with every weight that grows by `own` with what comes out at `input`, on the network's
    /// own scale.
    pub(crate) fn add_slope_of(&self, input: &[f32], own: f32, slope: &mut [f32], scratch: &mut Scratch) {
        self.forward(input, scratch);
        self.backward(own, slope, scratch);
    }

    /// The same at the input that it has been told last.
    fn backward(&self, own: f32, slope: &mut [f32], scratch: &mut Scratch) {
        scratch.wanted.clear();
        scratch.wanted.push(own);
        let mut end = self.weights.len();
        for (layer, pair) in self.sizes.windows(2).enumerate().rev() {
            let begin = end - (pair[0] + 1) * pair[1];
            let (weights, _, _) = split(&self.weights[begin..end], pair);
            let (slopes, biases) = slope[begin..end].split_at_mut(pair[0] * pair[1]);
            biases.iter_mut().zip(&scratch.wanted).for_each(|(slope, wanted)| *slope += wanted);
            let from = &scratch.activations[layer];
            let rows = slopes.chunks_exact_mut(pair[1]);
            for (number, slopes) in from.iter().zip(rows).filter(|(number, _)| **number != 0.0) {
                add(slopes, *number, &scratch.wanted);
            }
            if layer > 0 {
                let rows = weights.chunks_exact(pair[1]);
                let asked = from.iter().zip(rows);
                let asked = asked
                    .map(|(number, row)| if *number > 0.0 { product(row, &scratch.wanted) } else { 0.0 });
                scratch.before.clear();
                scratch.before.extend(asked);
                std::mem::swap(&mut scratch.wanted, &mut scratch.before);
            }
            end = begin;
        }
    }
}

/// Weights of a network of these sizes.
pub(crate) fn count(sizes: &[usize]) -> usize {
    sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum()
}

/// The weights and biases of a layer, and what comes behind them.
fn split<'a>(weights: &'a [f32], pair: &[usize]) -> (&'a [f32], &'a [f32], &'a [f32]) {
    let (layer, rest) = weights.split_at((pair[0] + 1) * pair[1]);
    let (weights, biases) = layer.split_at(pair[0] * pair[1]);
    (weights, biases, rest)
}

/// Adds so many times `row` to `sums`.
#[inline]
fn add(sums: &mut [f32], times: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += times * number);
}

/// The sum of products.
#[inline]
fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (one, rest) = one.as_chunks::<LANES>();
    let (other, others) = other.as_chunks::<LANES>();
    for (one, other) in one.iter().zip(other) {
        for ((lane, one), other) in lanes.iter_mut().zip(one).zip(other) {
            *lane += one * other;
        }
    }
    let rest: f32 = rest.iter().zip(others).map(|(one, other)| one * other).sum();
    lanes.iter().sum::<f32>() + rest
}
