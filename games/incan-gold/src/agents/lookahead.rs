//! One card ahead.

use meeple_core::{Agent, Turn};

use crate::action::Action;
use crate::card::Card;
use crate::game::IncanGold;
use crate::observe::Observation;

/// Leaves when seeing one more card and leaving then is not better, in expectation.
pub(crate) struct Lookahead;

impl Agent<IncanGold> for Lookahead {
    fn act(&mut self, turn: Turn<'_, IncanGold>) -> Action {
        let observation = turn.observe();
        let now = f64::from(observation.backpack() + observation.spare() + observation.artifact_worth(0));
        if next_card_then_leave(&observation) > now { Action::Stay } else { Action::Leave }
    }
}

/// Expected points of who sees one more card and then leaves alone; the others stay both times.
fn next_card_then_leave(observation: &Observation<'_>) -> f64 {
    let explorers = observation.explorers().max(1);
    let held = observation.backpack() + observation.spare();
    let mut total = 0.0;
    for (card, count) in observation.deck() {
        let points = match card {
            Card::Hazard(kind) if observation.hazard_seen(kind) => 0,
            Card::Hazard(_) => held + observation.artifact_worth(0),
            Card::Artifact => held + observation.artifact_worth(1),
            Card::Gem(value) => {
                let value = u32::from(value);
                held + value / explorers + value % explorers + observation.artifact_worth(0)
            }
        };
        total += f64::from(count) * f64::from(points);
    }
    total / f64::from(observation.deck_size().max(1))
}
