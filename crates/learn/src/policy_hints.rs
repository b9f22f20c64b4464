//! Policies as priors of a search.

use meeple_core::{ActionKind, Hints, Playable, Position, Seat, Stream, Viewer};

use crate::agent::{fitting, read};
use crate::plan::TrainingPlan;
use crate::play_settings::PlaySettings;
use crate::policy::{Decision, Policy};

/// Lowest prior relative to the likeliest action: a search still tries actions that the policy never learned.
const MIN_RELATIVE_PRIOR: f64 = 1e-3;

/// `hints` of a game, with priors by the policy in `file`.
///
/// # Errors
/// If the file cannot be read, is no policy or does not fit, or if the game's actions cannot be listed.
pub fn policy_hints<G: Playable>(
    game: &G,
    file: &str,
    hints: Box<dyn Hints<G>>,
) -> Result<Box<dyn Hints<G>>, String> {
    if game.info().actions == ActionKind::Structured {
        return Err(format!(
            "expected a game whose actions can be listed, found {}\n\
             hint: there the search uses the game's own hints",
            game.info().id
        ));
    }
    let learned = read(file).map_err(|error| error.to_string())?;
    let encoding = fitting(game, &learned, file).map_err(|error| error.to_string())?;
    if learned.critic.is_none() {
        return Err(format!(
            "{file}: expected a policy, found a network that says what positions are worth\n\
             hint: value={file} searches with it; learns = \"policy\" in a plan makes the other"
        ));
    }
    let plan: Option<TrainingPlan> = serde_json::from_value(learned.about.plan.clone()).ok();
    let goal = learned.about.goal;
    let is_advised = plan.is_some_and(|plan| plan.advice);
    // The search lists the actions, so the policy samples none.
    let settings = PlaySettings { goal, samples: 1, doubt: None, temperature: 1.0 };
    let policy = Policy::new(game, learned.into_model().into(), encoding, settings);
    Ok(Box::new(LearnedPrior { hints, policy, is_advised, advised: Vec::new() }))
}

struct LearnedPrior<G: Playable> {
    hints: Box<dyn Hints<G>>,
    policy: Policy<G>,
    /// True if the policy was trained on advised actions alone.
    is_advised: bool,
    advised: Vec<f64>,
}

impl<G: Playable> Hints<G> for LearnedPrior<G> {
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        Some(&mut *self.hints)
    }

    fn prior(
        &mut self,
        position: &Position<'_, G>,
        seat: Seat,
        actions: &[G::Action],
        weights: &mut Vec<f64>,
    ) {
        self.advised.clear();
        if self.is_advised {
            self.hints.prior(position, seat, actions, &mut self.advised);
        } else {
            self.advised.resize(actions.len(), 1.0);
        }
        let game = position.game();
        let candidates = actions.iter().zip(&self.advised).filter(|(_, weight)| **weight > 0.0);
        let seen = position.observe(Viewer::Seat(seat));
        // A fixed seed makes the determinization a function of the position.
        let mut rng = Stream::from_seed(0);
        self.policy.set_actions(
            Decision { game, seat, seen: &seen },
            &mut rng,
            candidates.map(|(action, _)| action),
        );
        self.policy.score(game, seat);
        let highest = self.policy.probabilities().iter().copied().fold(0.0, f64::max);
        let mut probabilities = self.policy.probabilities().iter();
        weights.extend(self.advised.iter().map(|weight| match *weight > 0.0 {
            true => probabilities.next().expect("one for each candidate").max(MIN_RELATIVE_PRIOR * highest),
            false => 0.0,
        }));
    }

    fn know_only_wins(&self) -> bool {
        self.hints.know_only_wins()
    }
}
