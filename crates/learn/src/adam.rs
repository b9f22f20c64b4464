//! The optimiser Adam (Kingma and Ba 2015).

use crate::network::Network;

/// Decay rates β₁ and β₂ of the moments.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Running mean of the gradient, `[n_weights]`.
    pub(crate) first_moment: Vec<f32>,
    /// Running mean of the squared gradient, `[n_weights]`.
    pub(crate) second_moment: Vec<f32>,
    /// β₁ᵗ and β₂ᵗ, for bias correction.
    pub(crate) beta_powers: [f32; 2],
}

impl Adam {
    pub fn new(weights: usize) -> Self {
        Self { first_moment: vec![0.0; weights], second_moment: vec![0.0; weights], beta_powers: [1.0; 2] }
    }

    /// Steps against the gradient, by about `rate` for each weight.
    pub fn step(&mut self, network: &mut Network, gradient: &[f32], rate: f32) {
        self.beta_powers.iter_mut().zip(BETAS).for_each(|(power, beta)| *power *= beta);
        let [first_bias, second_bias] = self.beta_powers.map(|power| 1.0 - power);
        let moments = self.first_moment.iter_mut().zip(&mut self.second_moment);
        for ((weight, gradient), (first, second)) in network.weights.iter_mut().zip(gradient).zip(moments) {
            *first = BETAS[0] * *first + (1.0 - BETAS[0]) * gradient;
            *second = BETAS[1] * *second + (1.0 - BETAS[1]) * gradient * gradient;
            *weight -= rate * (*first / first_bias) / ((*second / second_bias).sqrt() + EPSILON);
        }
    }
}
