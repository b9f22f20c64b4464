//! Policies as what a search finds promising.

use meeple_core::{ActionKind, Hints, Playable, Position, Seat, Stream, Viewer};

use crate::agent::{fitting, read};
use crate::choosing::Choosing;
use crate::plan::Plan;
use crate::policy::Policy;

/// How promising the least likely action is against the likeliest: what a policy has never been taught is still looked at.
const LEAST: f64 = 1e-3;

/// These hints of a game, but that the policy in `file` says how promising actions are.
///
/// # Errors
/// If there is no such file, if it is of something else or no policy, or if the game's actions cannot be listed; in words.
pub fn policy_hints<G: Playable>(
    game: &G,
    file: &str,
    hints: Box<dyn Hints<G>>,
) -> Result<Box<dyn Hints<G>>, String> {
    if game.info().actions == ActionKind::Structured {
        return Err(format!(
            "expected a game whose actions can be listed, found {}\n\
             hint: there the game's own hints say what is looked at",
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
    let plan: Option<Plan> = serde_json::from_value(learned.about.plan.clone()).ok();
    let goal = learned.about.goal;
    let is_advised = plan.is_some_and(|plan| plan.advice);
    // The actions come from the search, so that no advice of its own is needed.
    let choosing = Choosing { goal, samples: 1, doubt: None, temperature: 1.0 };
    let policy = Policy::new(game, learned.into_mind().into(), encoding, choosing);
    Ok(Box::new(LearnedPrior { hints, policy, is_advised, advised: Vec::new() }))
}

struct LearnedPrior<G: Playable> {
    hints: Box<dyn Hints<G>>,
    policy: Policy<G>,
    /// Whether it has only learned of actions that the game advises.
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
        let looked_at = actions.iter().zip(&self.advised).filter(|(_, weight)| **weight > 0.0);
        let seen = position.observe(Viewer::Seat(seat));
        // What the seat cannot know is drawn anew, and in the same way for the same position.
        let mut draws = Stream::from_seed(0);
        self.policy.set((game, seat, &seen), &mut draws, looked_at.map(|(action, _)| action));
        self.policy.weigh(game, seat);
        let most = self.policy.chances().iter().copied().fold(0.0, f64::max);
        let mut chances = self.policy.chances().iter();
        weights.extend(self.advised.iter().map(|weight| match *weight > 0.0 {
            true => chances.next().expect("one for each that is looked at").max(LEAST * most),
            false => 0.0,
        }));
    }

    fn know_only_wins(&self) -> bool {
        self.hints.know_only_wins()
    }
}
