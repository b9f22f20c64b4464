//! Small feed-forward networks: forward and backward pass.
//!
//! Sums have a fixed order and use additions and multiplications alone, so the bits are the same on every
//! machine. Matrix libraries choose the order by processor.

use meeple_core::Stream;

/// Number of independent partial sums of a dot product.
const LANES: usize = 8;

/// A feed-forward network with ReLU layers and one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    sizes: Vec<usize>,
    /// By layer: the weight matrix `[n_in, n_out]`, then the biases `[n_out]`.
    pub(crate) weights: Vec<f32>,
    /// Value of an output of 0, in units of the goal.
    pub(crate) offset: f32,
    /// Units of the goal per 1 of the output.
    pub(crate) scale: f32,
}

#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Inputs of each layer, and the output.
    activations: Vec<Vec<f32>>,
    /// Derivatives of the loss by a layer's outputs, and by its inputs.
    delta: Vec<f32>,
    input_delta: Vec<f32>,
}

impl Network {
    /// Draws the weights (He et al. 2015); the last layer begins near 0.
    pub fn new(inputs: usize, hidden: &[usize], rng: &mut Stream) -> Self {
        let sizes: Vec<usize> = [inputs].into_iter().chain(hidden.iter().copied()).chain([1]).collect();
        let mut weights = Vec::with_capacity(weight_count(&sizes));
        for (layer, pair) in sizes.windows(2).enumerate() {
            let last = layer + 2 == sizes.len();
            let spread = if last { 0.01 } else { (6.0 / pair[0].max(1) as f64).sqrt() };
            weights.extend((0..pair[0] * pair[1]).map(|_| ((rng.unit() * 2.0 - 1.0) * spread) as f32));
            weights.extend((0..pair[1]).map(|_| 0.0));
        }
        Self { sizes, weights, offset: 0.0, scale: 1.0 }
    }

    /// A network from its parts; `None` if weights are not finite or do not fit the sizes.
    pub(crate) fn from_parts(sizes: Vec<usize>, weights: Vec<f32>, offset: f32, scale: f32) -> Option<Self> {
        let fits = sizes.len() >= 2 && sizes.last() == Some(&1) && weights.len() == weight_count(&sizes);
        let sound = weights.iter().chain([&offset, &scale]).all(|number| number.is_finite());
        (fits && sound).then_some(Self { sizes, weights, offset, scale })
    }

    pub fn inputs(&self) -> usize {
        self.sizes[0]
    }

    /// Layer sizes: inputs, hidden layers, and 1.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    pub fn weights(&self) -> usize {
        self.weights.len()
    }

    /// A copy with `more` added to one weight.
    #[must_use]
    pub fn perturbed(&self, weight: usize, more: f32) -> Self {
        let mut other = self.clone();
        other.weights[weight] += more;
        other
    }

    /// Sets the weights of these inputs to 0. They stay 0 as long as the inputs are 0 in all training data.
    pub(crate) fn zero_inputs(&mut self, inputs: &[usize]) {
        let width = self.sizes[1];
        for input in inputs {
            self.weights[input * width..][..width].fill(0.0);
        }
    }

    /// The output for `input`, `[n_inputs]`, in units of the goal.
    pub fn value(&self, input: &[f32], scratch: &mut Scratch) -> f32 {
        self.offset + self.scale * self.forward(input, scratch)
    }

    /// The output before offset and scale.
    fn forward(&self, input: &[f32], scratch: &mut Scratch) -> f32 {
        scratch.activations.resize(self.sizes.len(), Vec::new());
        scratch.activations[0].clear();
        scratch.activations[0].extend_from_slice(input);
        let (mut rest, last) = (self.weights.as_slice(), self.sizes.len() - 2);
        for (layer, pair) in self.sizes.windows(2).enumerate() {
            let (weights, biases, behind) = split_layer(rest, pair);
            rest = behind;
            let (before, after) = scratch.activations.split_at_mut(layer + 1);
            let (from, to) = (&before[layer], &mut after[0]);
            to.clear();
            to.extend_from_slice(biases);
            // Most inputs are 0 and are skipped.
            for (number, row) in
                from.iter().zip(weights.chunks_exact(pair[1])).filter(|(number, _)| **number != 0.0)
            {
                axpy(to, *number, row);
            }
            if layer < last {
                to.iter_mut().for_each(|number| *number = number.max(0.0));
            }
        }
        scratch.activations[last + 1][0]
    }

    /// Accumulates the gradient of half the squared error, `[n_weights]`, and returns the error in units of
    /// `scale`. `target` is in units of the goal.
    pub fn accumulate_gradient(
        &self,
        input: &[f32],
        target: f32,
        gradient: &mut [f32],
        scratch: &mut Scratch,
    ) -> f32 {
        let error = self.forward(input, scratch) - (target - self.offset) / self.scale;
        self.backward(error, gradient, scratch);
        error
    }

    /// Accumulates the gradient of a loss whose derivative by the unscaled output is `of_output`.
    pub(crate) fn accumulate_output_gradient(
        &self,
        input: &[f32],
        of_output: f32,
        gradient: &mut [f32],
        scratch: &mut Scratch,
    ) {
        self.forward(input, scratch);
        self.backward(of_output, gradient, scratch);
    }

    /// Backward pass for the last forward pass.
    fn backward(&self, of_output: f32, gradient: &mut [f32], scratch: &mut Scratch) {
        scratch.delta.clear();
        scratch.delta.push(of_output);
        let mut end = self.weights.len();
        for (layer, pair) in self.sizes.windows(2).enumerate().rev() {
            let begin = end - (pair[0] + 1) * pair[1];
            let (weights, _, _) = split_layer(&self.weights[begin..end], pair);
            let (matrix, biases) = gradient[begin..end].split_at_mut(pair[0] * pair[1]);
            biases.iter_mut().zip(&scratch.delta).for_each(|(gradient, delta)| *gradient += delta);
            let from = &scratch.activations[layer];
            let rows = matrix.chunks_exact_mut(pair[1]);
            for (number, row) in from.iter().zip(rows).filter(|(number, _)| **number != 0.0) {
                axpy(row, *number, &scratch.delta);
            }
            if layer > 0 {
                let rows = weights.chunks_exact(pair[1]);
                let delta = from
                    .iter()
                    .zip(rows)
                    .map(|(number, row)| if *number > 0.0 { dot(row, &scratch.delta) } else { 0.0 });
                scratch.input_delta.clear();
                scratch.input_delta.extend(delta);
                std::mem::swap(&mut scratch.delta, &mut scratch.input_delta);
            }
            end = begin;
        }
    }
}

/// Number of weights and biases.
pub(crate) fn weight_count(sizes: &[usize]) -> usize {
    sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum()
}

fn split_layer<'a>(weights: &'a [f32], pair: &[usize]) -> (&'a [f32], &'a [f32], &'a [f32]) {
    let (layer, rest) = weights.split_at((pair[0] + 1) * pair[1]);
    let (weights, biases) = layer.split_at(pair[0] * pair[1]);
    (weights, biases, rest)
}

/// `sums += factor * row`
#[inline]
fn axpy(sums: &mut [f32], factor: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
}

#[inline]
fn dot(one: &[f32], other: &[f32]) -> f32 {
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
