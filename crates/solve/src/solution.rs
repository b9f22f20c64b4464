//! A game solved, as far as time is given.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::best_response::regrets;
use crate::error::SolveError;
use crate::learning::Learning;
use crate::profile::Profile;
use crate::tree::Tree;

/// How long to learn, and from where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// At least 1.
    pub iterations: u64,
    /// The same seed gives the same bytes.
    pub seed: u64,
}

/// What strategies were short of an equilibrium, on the way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Milestone {
    /// Iterations so far.
    pub iterations: u64,
    /// See [`nash_conv`](crate::nash_conv).
    pub nash_conv: f64,
}

/// Strategies with what they bring and what they are short of.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The mean strategies.
    pub profile: Profile,
    /// Iterations that they were learned in.
    pub iterations: u64,
    /// What each seat gains in the mean.
    pub values: Vec<f64>,
    /// What each seat could gain more by changing its strategy alone.
    pub regrets: Vec<f64>,
    /// What they were short of an equilibrium on the way: after all iterations, half of them, a quarter, …, in their order.
    pub curve: Vec<Milestone>,
}

impl Solution {
    /// What all seats could gain more, added up: 0 in an equilibrium.
    pub fn nash_conv(&self) -> f64 {
        self.regrets.iter().sum()
    }
}

/// Milestones before the end.
const MILESTONES: u32 = 10;
/// Histories looked at between two calls of the watcher.
const PATIENCE: u64 = 200_000;

/// Learns strategies for all seats. `watch` is told the iterations so far and the milestones, a few times a second at least,
/// and may break off; what is learned until then is the solution.
///
/// # Errors
/// If there are no iterations.
pub fn solve(
    tree: &Tree,
    settings: &Settings,
    mut watch: impl FnMut(u64, &[Milestone]) -> ControlFlow<()>,
) -> Result<Solution, SolveError> {
    if settings.iterations == 0 {
        return Err(SolveError::NoIterations);
    }
    let mut learning = Learning::new(tree, settings.seed);
    let mut curve = Vec::new();
    let mut told = 0;
    loop {
        learning.iterate();
        let done = learning.iterations();
        let is_milestone = (1..=MILESTONES).any(|half| {
            let part = settings.iterations >> half;
            part == done && part << half == settings.iterations
        });
        if is_milestone {
            let nash_conv = crate::best_response::nash_conv(tree, &learning.mean());
            curve.push(Milestone { iterations: done, nash_conv });
        }
        if done == settings.iterations {
            break;
        }
        if is_milestone || learning.visits() - told >= PATIENCE {
            told = learning.visits();
            if watch(done, &curve).is_break() {
                break;
            }
        }
    }
    let profile = learning.mean();
    let (values, regrets) = (profile.values(tree), regrets(tree, &profile));
    let iterations = learning.iterations();
    if curve.last().is_none_or(|last| last.iterations < iterations) {
        curve.push(Milestone { iterations, nash_conv: regrets.iter().sum() });
    }
    Ok(Solution { profile, iterations, values, regrets, curve })
}
