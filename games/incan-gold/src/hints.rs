//! Hints for search agents: a lookahead of one card, and the gems at the end of the round as the value.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::Action;
use crate::game::IncanGold;
use crate::observe::Observation;
use crate::sight::{Lookahead, Rule};

/// Search settings. In rollouts every explorer looks one card ahead until the round is over. Both decisions
/// are visited equally often, with the same cards. Later rounds are the same for all, and mostly luck. The
/// tree has only its root: deeper nodes do not distinguish cards, and would decide worse than the lookahead.
pub(crate) const SETTINGS: &str = "rollout=hints,epsilon=0,value=hints,depth=0,halving=2,common=on,rescale=on,margin=1,\
    entries=4,iterations=2000";

/// Standard deviation of the margin between two seats that a round adds, approximately. It matters only with
/// `margin` below 1, where the share of the win counts.
const SPREAD: f64 = 13.0;

/// Prior of the decision that the lookahead rejects.
const OTHER: f64 = 0.5;

pub(crate) fn hints() -> Box<dyn Hints<IncanGold>> {
    Box::new(Advice { round: 0 })
}

struct Advice {
    /// The round in which the search began.
    round: u32,
}

fn choice(observation: &Observation<'_>) -> Action {
    if Lookahead.leaves(observation) { Action::Leave } else { Action::Stay }
}

impl Hints<IncanGold> for Advice {
    fn begin(&mut self, _game: &IncanGold, observation: &Observation<'_>, _seat: Seat) {
        self.round = observation.round();
    }

    fn prior(
        &mut self,
        position: &Position<'_, IncanGold>,
        seat: Seat,
        actions: &[Action],
        weights: &mut Vec<f64>,
    ) {
        let best = choice(&position.observe(Viewer::Seat(seat)));
        weights.extend(actions.iter().map(|action| if *action == best { 1.0 } else { OTHER }));
    }

    fn is_settled(&mut self, position: &Position<'_, IncanGold>) -> bool {
        position.observe(Viewer::Public).round() > self.round
    }

    fn scores(&mut self, position: &Position<'_, IncanGold>, scores: &mut Vec<f64>) -> Option<f64> {
        let observation = position.observe(Viewer::Public);
        scores.extend(Seat::all(observation.seats()).map(|seat| f64::from(observation.tent(seat))));
        let left = u32::from(observation.variant().rounds).saturating_sub(observation.round()) + 1;
        Some(SPREAD * f64::from(left).sqrt())
    }

    fn act(&mut self, position: &Position<'_, IncanGold>, seat: Seat, _rng: &mut Stream) -> Option<Action> {
        Some(choice(&position.observe(Viewer::Seat(seat))))
    }
}
