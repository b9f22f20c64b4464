//! Hints for search agents: the merchant's advice, and an evaluation of positions.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::Action;
use crate::agents::hasty::Hasty;
use crate::game::Cartolan;
use crate::observe::Observation;
use crate::state::Step;
use crate::worth::final_wealth;

/// Search settings. The search tries each sensible action, then lets every seat play like the merchant for
/// some turns, with common random numbers because luck is large. Another action must be much better to
/// replace the tuned merchant's, because the evaluation is imprecise (docs/internals/strength.md). The tree
/// has only its root.
pub(crate) const SETTINGS: &str = "rollout=hints,epsilon=0,value=hints,tree=self,halving=4,common=on,rescale=on,prior=300,\
    entries=4,depth=24,iterations=40";

pub(crate) fn hints() -> Box<dyn Hints<Cartolan>> {
    Box::new(Advice { hasty: Hasty::new() })
}

struct Advice {
    hasty: Hasty,
}

/// Assumed standard deviation of the margin's future change, in wealth.
const MARGIN_SPREAD: f64 = 12.0;

impl Hints<Cartolan> for Advice {
    fn begin(&mut self, _game: &Cartolan, observation: &Observation<'_>, _seat: Seat) {
        self.hasty.begin(observation);
    }

    fn imagine(&mut self, _game: &Cartolan) {
        self.hasty.imagine();
    }

    fn prior(
        &mut self,
        position: &Position<'_, Cartolan>,
        seat: Seat,
        actions: &[Action],
        weights: &mut Vec<f64>,
    ) {
        let observation = position.observe(Viewer::Seat(seat));
        let first = self.hasty.decide_well(&observation, seat);
        let step = observation.step();
        weights
            .extend(actions.iter().map(|action| if *action == first { 1.0 } else { promise(step, action) }));
        if !actions.contains(&first) {
            // If the merchant's action is not listed, this lower bound lets the search explore every action.
            weights.iter_mut().for_each(|weight| *weight = weight.max(0.05));
        }
    }

    fn is_settled(&mut self, position: &Position<'_, Cartolan>) -> bool {
        let observation = position.observe(Viewer::Public);
        match observation.step() {
            Step::Pick => true,
            Step::Move => observation.turn().total() == 0,
            _ => false,
        }
    }

    fn scores(&mut self, position: &Position<'_, Cartolan>, scores: &mut Vec<f64>) -> Option<f64> {
        let observation = position.observe(Viewer::Public);
        self.hasty.chart(&observation);
        let home = |cell| self.hasty.home_from(cell);
        scores.extend((0..observation.seats()).map(|seat| final_wealth(&observation, seat, home)));
        Some(MARGIN_SPREAD)
    }

    fn act(&mut self, position: &Position<'_, Cartolan>, seat: Seat, _rng: &mut Stream) -> Option<Action> {
        Some(self.hasty.decide(&position.observe(Viewer::Seat(seat)), seat))
    }
}

/// The weight of an action that the merchant would not choose. It is 0 for options that are too many to
/// explore: Agents and amounts to send, amounts to bank, and places of Agents to hire.
fn promise(step: Step, action: &Action) -> f64 {
    match (step, action) {
        (_, Action::Go(_)) => 0.2,
        (_, Action::Gust(_) | Action::Wait) => 0.05,
        (Step::Act | Step::Buy, Action::Done) | (Step::Buy, Action::HireAdventurer) => 0.2,
        (Step::Act, Action::Courier(_)) | (Step::Bank | Step::Buy | Step::Send(_), _) => 0.0,
        _ => 0.1,
    }
}
