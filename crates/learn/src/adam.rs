//! Steps down a slope: Adam (Kingma and Ba 2015).

use crate::network::Network;

/// How much of the old mean slope is kept at a step, and of the mean of its squares.
const KEPT: [f32; 2] = [0.9, 0.999];
/// So that nothing is divided by 0.
const LEAST: f32 = 1e-8;

/// What is remembered of the slopes of earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub(crate) mean: Vec<f32>,
    pub(crate) square: Vec<f32>,
    /// What is left of the beginning, in each of both.
    pub(crate) left: [f32; 2],
}

impl Adam {
    /// Nothing remembered.
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], left: [1.0; 2] }
    }

    /// Changes the weights by about `rate` each, against their slope.
    pub fn step(&mut self, network: &mut Network, slope: &[f32], rate: f32) {
        self.left.iter_mut().zip(KEPT).for_each(|(left, kept)| *left *= kept);
        let [means, squares] = self.left.map(|left| 1.0 - left);
        let remembered = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in network.weights.iter_mut().zip(slope).zip(remembered) {
            *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * slope;
            *square = KEPT[1] * *square + (1.0 - KEPT[1]) * slope * slope;
            *weight -= rate * (*mean / means) / ((*square / squares).sqrt() + LEAST);
        }
    }
}
