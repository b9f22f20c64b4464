//! Training data: value targets, policy targets and updates of self-organising networks.

use meeple_core::{Outcome, Seat, Stream};

use crate::afterstate::Evaluation;
use crate::goal::Goal;
use crate::sorn::SornUpdate;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingBatch {
    /// Inputs of the value network, `[n_positions, features]`.
    pub(crate) features: Vec<f32>,
    /// TD(λ) targets in units of the goal, `[n_positions]`.
    pub(crate) targets: Vec<f32>,
    pub(crate) sorn_updates: Vec<SornUpdate>,
    pub(crate) policy: PolicyBatch,
    /// Episodes that were replays of human games.
    pub(crate) human_episodes: u64,
}

/// Decisions that a policy is trained on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PolicyBatch {
    /// By decision, `[n_actions, features]` of the afterstates.
    features: Vec<f32>,
    /// By decision, target probabilities `[n_actions]`.
    targets: Vec<f32>,
    /// By decision, the end of its rows in `targets`.
    ends: Vec<usize>,
    /// By decision, the action's probability under the policy that sampled it; 0 if an expert set the target.
    behaviour: Vec<f32>,
    /// By decision, the advantage in units of the goal.
    pub(crate) advantages: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
pub struct PolicyTarget<'a> {
    /// Afterstates, `[n_actions, features]`.
    pub features: &'a [f32],
    /// Target probabilities, `[n_actions]`.
    pub probabilities: &'a [f32],
    /// Probability of the action under the policy that sampled it; `None` if an expert set the target.
    pub behaviour: Option<f32>,
}

impl PolicyBatch {
    fn clear(&mut self) {
        let Self { features, targets, ends, behaviour, advantages } = self;
        [features, targets, behaviour, advantages].into_iter().for_each(Vec::clear);
        ends.clear();
    }

    pub(crate) fn add(&mut self, target: PolicyTarget<'_>, advantage: f32) {
        self.features.extend_from_slice(target.features);
        self.targets.extend_from_slice(target.probabilities);
        self.ends.push(self.targets.len());
        self.behaviour.push(target.behaviour.unwrap_or(0.0));
        self.advantages.push(advantage);
    }

    fn append(&mut self, others: Self) {
        let before = self.targets.len();
        self.features.extend(others.features);
        self.targets.extend(others.targets);
        self.ends.extend(others.ends.into_iter().map(|end| before + end));
        self.behaviour.extend(others.behaviour);
        self.advantages.extend(others.advantages);
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The decision at `index`; its afterstates have `size` features each.
    pub(crate) fn get(&self, index: usize, size: usize) -> PolicyTarget<'_> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let rows = begin..self.ends[index];
        let behaviour = Some(self.behaviour[index]).filter(|probability| *probability > 0.0);
        PolicyTarget {
            features: &self.features[rows.start * size..rows.end * size],
            probabilities: &self.targets[rows],
            behaviour,
        }
    }

    /// Root mean square of the advantages of sampled actions; 1 without any.
    pub(crate) fn advantage_scale(&self) -> f32 {
        let sampled = self.advantages.iter().zip(&self.behaviour).filter(|(_, behaviour)| **behaviour > 0.0);
        let (mut count, mut squares) = (0.0, 0.0);
        for (advantage, _) in sampled {
            count += 1.0;
            squares += f64::from(*advantage) * f64::from(*advantage);
        }
        if count > 0.0 && squares > 0.0 { (squares / count).sqrt() as f32 } else { 1.0 }
    }
}

pub(crate) struct Ended<'a> {
    pub(crate) goal: Goal,
    pub(crate) outcome: &'a Outcome,
    pub(crate) lambda: f32,
    /// Probability of keeping a position.
    pub(crate) keep: f64,
}

impl TrainingBatch {
    pub fn add(&mut self, features: &[f32], target: f32) {
        self.features.extend_from_slice(features);
        self.targets.push(target);
    }

    /// TD(λ) targets, one per position, in units of the goal.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    pub(crate) fn append(&mut self, others: Self) {
        self.features.extend(others.features);
        self.targets.extend(others.targets);
        self.sorn_updates.extend(others.sorn_updates);
        self.policy.append(others.policy);
        self.human_episodes += others.human_episodes;
    }

    /// Adds positions with their TD(λ) targets, last position first.
    pub(crate) fn add_trajectory(&mut self, trajectory: &Trajectory, ended: &Ended<'_>, rng: &mut Stream) {
        for (index, target) in trajectory.targets(ended) {
            if rng.chance(ended.keep) {
                self.add(trajectory.features_at(index), target);
            }
        }
    }

    /// Adds decisions with their advantages, and the critic's targets, last decision first.
    pub(crate) fn add_policy_trajectory(
        &mut self,
        PolicyTrajectory { trajectory, decisions }: &PolicyTrajectory,
        ended: &Ended<'_>,
        rng: &mut Stream,
    ) {
        for (index, target) in trajectory.targets(ended) {
            if rng.chance(ended.keep) {
                let features = trajectory.features_at(index);
                self.add(features, target);
                self.policy.add(decisions.get(index, features.len()), target - trajectory.values[index]);
            }
        }
    }

    /// Sets some of the `size` features of every position to 0.
    pub(crate) fn mask(&mut self, size: usize, features: &[usize]) {
        if features.is_empty() {
            return;
        }
        let positions =
            self.features.chunks_exact_mut(size).chain(self.policy.features.chunks_exact_mut(size));
        for position in positions {
            features.iter().for_each(|feature| position[*feature] = 0.0);
        }
    }

    /// Position, feature (`None` for a target) and value of the first number that is not finite.
    pub(crate) fn not_finite(&self, size: usize) -> Option<(usize, Option<usize>, f32)> {
        let in_features = |features: &[f32]| {
            let at = features.iter().position(|number| !number.is_finite());
            at.map(|at| (at / size, Some(at % size), features[at]))
        };
        let target = self.targets.iter().position(|target| !target.is_finite());
        let found = in_features(&self.features).or_else(|| in_features(&self.policy.features));
        found.or_else(|| target.map(|at| (at, None, self.targets[at])))
    }
}

/// Evaluated positions of a seat in an episode, in order.
#[derive(Default)]
pub(crate) struct Trajectory {
    seat: usize,
    features: Vec<f32>,
    values: Vec<f32>,
}

impl Trajectory {
    pub(crate) fn begin(&mut self, seat: Seat) {
        self.seat = seat.index();
        self.features.clear();
        self.values.clear();
    }

    pub(crate) fn add(&mut self, evaluation: Evaluation<'_>) {
        self.features.extend_from_slice(evaluation.features);
        self.values.push(evaluation.value);
    }

    fn features_at(&self, index: usize) -> &[f32] {
        let size = self.features.len() / self.values.len();
        &self.features[index * size..][..size]
    }

    /// Indices with their λ-returns (Sutton 1988), last first: the outcome mixed with later predictions.
    fn targets(&self, ended: &Ended<'_>) -> impl Iterator<Item = (usize, f32)> {
        let mut target = ended.goal.of(ended.outcome, Seat::new(self.seat));
        let lambda = ended.lambda;
        (0..self.values.len()).rev().map(move |index| {
            if let Some(next) = self.values.get(index + 1) {
                target = lambda * target + (1.0 - lambda) * next;
            }
            (index, target)
        })
    }
}

/// Decisions of a seat that trains a policy, with the critic's evaluations.
#[derive(Default)]
pub(crate) struct PolicyTrajectory {
    pub(crate) trajectory: Trajectory,
    pub(crate) decisions: PolicyBatch,
}

impl PolicyTrajectory {
    pub(crate) fn begin(&mut self, seat: Seat) {
        self.trajectory.begin(seat);
        self.decisions.clear();
    }
}
