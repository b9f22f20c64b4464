//! Hints for search agents: the merchant's advice, and an evaluation of positions.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::Action;
use crate::agents::hasty::Hasty;
use crate::game::Cartolan;
use crate::map::Ground;
use crate::observe::Observation;
use crate::state::Step;

/// Search settings: each sensible action, then the merchant's play for some turns of everybody,
/// with common random numbers because luck is large. An action other than the tuned merchant's must
/// be much better: the evaluation is too imprecise for less (docs/internals/strength.md). The tree is only
/// its root.
pub(crate) const SETTINGS: &str = "rollout=hints,epsilon=0,value=hints,tree=self,halving=4,common=on,rescale=on,prior=300,\
    entries=4,depth=24,iterations=40";

pub(crate) fn hints() -> Box<dyn Hints<Cartolan>> {
    Box::new(Advice { hasty: Hasty::new() })
}

struct Advice {
    hasty: Hasty,
}

/// Weights of the evaluation, in wealth of a Vault. Source: a logistic regression of the win on the
/// differences between two merchants, at the starts of turns; rounded.
mod worth {
    pub const CHEST: f64 = 1.1;
    /// Part of the Chest that each move of the path home deducts.
    pub const WAY_HOME: f64 = 0.025;
    /// Being a pirate: it excludes trades and allows arrests.
    pub const PIRATE: f64 = -3.0;
    /// A nearby wonder to trade at.
    pub const WONDER: f64 = 0.5;
    /// A Chest that others may rob soon, for each of them.
    pub const PREY: f64 = -0.15;
    /// Being the player to move.
    pub const MOVE: f64 = 0.7;
}

/// Distance in steps from which a wonder is not near.
const FAR_OFF: f64 = 10.0;
/// Distance in steps within which another Adventurer may rob.
const CLOSE: u32 = 3;
/// Upper bound on the counted moves of the path home.
const LONGEST_WAY: u16 = 40;
/// Spread of the margin's future change, in wealth.
const SPREAD: f64 = 12.0;

impl Advice {
    /// The expected final wealth of a seat if the game ended soon.
    fn value(&self, observation: &Observation<'_>, seat: usize) -> f64 {
        let map = observation.map();
        let player = &observation.players()[seat];
        let mut value = f64::from(player.vault);
        for (one, at) in player.crew() {
            let chest = f64::from(one.chest);
            let here = map.cell(at);
            let home = f64::from(self.hasty.home_from(at).min(LONGEST_WAY));
            value += chest * (worth::CHEST - worth::WAY_HOME * home);
            if one.pirate {
                value += worth::PIRATE;
            } else {
                let is_fresh = |number: u8| one.used >> number & 1 == 0;
                let fresh =
                    map.cells().iter().filter(|cell| cell.ground == Ground::Wonder && is_fresh(cell.wonder));
                let near = fresh.map(|cell| (1.0 - f64::from(cell.distance(here)) / FAR_OFF).max(0.0));
                value += worth::WONDER * near.sum::<f64>();
            }
            let others = observation.others(seat).flat_map(|other| other.crew());
            let may_rob = others
                .filter(|(other, cell)| other.chest <= one.chest && map.cell(*cell).distance(here) <= CLOSE);
            value += worth::PREY * chest * may_rob.count() as f64;
        }
        if usize::from(observation.turn().seat) == seat {
            value += worth::MOVE;
        }
        value
    }
}

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
            // A lower bound, so that every action is explored.
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
        scores.extend((0..observation.seats()).map(|seat| self.value(&observation, seat)));
        Some(SPREAD)
    }

    fn act(&mut self, position: &Position<'_, Cartolan>, seat: Seat, _rng: &mut Stream) -> Option<Action> {
        Some(self.hasty.decide(&position.observe(Viewer::Seat(seat)), seat))
    }
}

/// The weight of an action that the merchant would not choose. Amounts to bank or send and hiring places of
/// Agents are too many to explore.
fn promise(step: Step, action: &Action) -> f64 {
    match (step, action) {
        (_, Action::Go(_)) => 0.2,
        (_, Action::Gust(_) | Action::Wait) => 0.05,
        (Step::Act | Step::Buy, Action::Done) | (Step::Buy, Action::HireAdventurer) => 0.2,
        (Step::Act, Action::Courier(_)) | (Step::Bank | Step::Buy | Step::Send(_), _) => 0.0,
        _ => 0.1,
    }
}
