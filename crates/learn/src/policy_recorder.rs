use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{Agent, Analysis, Playable, Seat, Stream, Turn};

use crate::afterstate::Evaluation;
use crate::batch::{PolicyTarget, PolicyTrajectory};
use crate::policy::{Decision, Policy};

/// Plays a policy, and records its decisions with an expert's targets or with its own sampled actions.
pub(crate) struct PolicyRecorder<G: Playable> {
    pub(crate) policy: Policy<G>,
    pub(crate) expert: Option<Expert<G>>,
    pub(crate) trajectory: Arc<Mutex<PolicyTrajectory>>,
    /// Target probabilities, `[n_actions]`.
    pub(crate) target: Vec<f32>,
}

/// The expert that sets the targets (DAgger; Ross, Gordon and Bagnell 2011).
pub(crate) struct Expert<G: Playable> {
    pub(crate) agent: Box<dyn Agent<G>>,
    /// Share of decisions in which the expert's action is played.
    pub(crate) guided: f64,
    /// Random stream apart from those of the episode.
    pub(crate) rng: Stream,
}

impl<G: Playable> Agent<G> for PolicyRecorder<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.policy.begin_episode(game, seat);
        if let Some(expert) = &mut self.expert {
            expert.agent.begin_episode(game, seat);
        }
        self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        let decision = Decision { game, seat, seen: &seen };
        let Self { policy, expert, trajectory, target } = self;
        target.clear();
        let (action, behaviour) = match expert {
            None => {
                if policy.list(decision, turn.rng(), None) == 1 {
                    return policy.take(0);
                }
                policy.score(game, seat);
                let sampled = policy.sample(turn.rng());
                target
                    .extend((0..policy.actions().len()).map(|action| f32::from(u8::from(action == sampled))));
                (sampled, Some(policy.probabilities()[sampled] as f32))
            }
            Some(Expert { agent, guided, rng }) => {
                let (action, analysis) = turn.overhear(&mut **agent);
                if policy.list(decision, rng, Some(&action)) == 1 {
                    return action;
                }
                policy.score(game, seat);
                let decided = policy.actions().iter().position(|other| *other == action);
                let decided = decided.expect("it was added if it was not there");
                expert_target(policy.actions(), decided, &analysis, target);
                (if rng.chance(*guided) { decided } else { policy.sample(rng) }, None)
            }
        };
        let (value, state_features) = policy.evaluate(decision);
        let mut recorded = trajectory.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.trajectory.add(Evaluation { value, features: state_features });
        let features = policy.features();
        recorded.decisions.add(PolicyTarget { features, probabilities: target, behaviour }, 0.0);
        drop(recorded);
        policy.take(action)
    }
}

/// Writes the expert's target, `[n_actions]`: the visit shares of a search; for other agents 1 for the chosen
/// action.
fn expert_target<A: PartialEq>(actions: &[A], decided: usize, analysis: &Analysis<A>, target: &mut Vec<f32>) {
    let visits =
        |action: &A| if analysis.iterations > 0 { analysis.of(action).map_or(0, |of| of.visits) } else { 0 };
    let sum: u64 = actions.iter().map(visits).sum();
    target.extend(actions.iter().enumerate().map(|(index, action)| match sum {
        0 => f32::from(u8::from(index == decided)),
        _ => visits(action) as f32 / sum as f32,
    }));
}
