//! Solution of a game within a budget of iterations.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::best_response::regrets;
use crate::error::SolveError;
use crate::learning::Learning;
use crate::profile::Profile;
use crate::tree::Tree;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Number of iterations; at least 1.
    pub iterations: u64,
    /// Seed of all draws. Equal seeds give equal bytes.
    pub seed: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Milestone {
    pub iterations: u64,
    /// Sum of the gains from best responses; see [`nash_conv`](crate::nash_conv).
    pub nash_conv: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    pub profile: Profile,
    pub iterations: u64,
    pub values: Vec<f64>,
    /// Gain of each seat from a unilateral best response.
    pub regrets: Vec<f64>,
    /// NashConv after all iterations, and after a half, a quarter, … of them where these are whole numbers;
    /// in ascending order.
    pub curve: Vec<Milestone>,
}

impl Solution {
    pub fn nash_conv(&self) -> f64 {
        self.regrets.iter().sum()
    }
}

const MILESTONES: u32 = 10;
/// Number of visited histories between two calls of the observer.
const VISITS_PER_REPORT: u64 = 200_000;

/// Learns strategies for all seats. `watch` is called at regular intervals, with the number of iterations and
/// the milestones so far. If it stops the run, the strategies so far are the solution.
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
    let mut reported = 0;
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
        if is_milestone || learning.visits() - reported >= VISITS_PER_REPORT {
            reported = learning.visits();
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
