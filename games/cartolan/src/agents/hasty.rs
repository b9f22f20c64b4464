//! The fast merchant for rollouts, where decisions are many and none matters much.
//!
//! The fast merchant decides like the tuned merchant, but only once per path. It follows the path over
//! several turns, until the path ends or the Adventurer's Chest changes. It searches little farther than the
//! first errand that pays; a search as wide as the merchant's won less. All exploration chances are those at
//! the start of an imagined episode, and all seats share knowledge of the map.

use meeple_core::Seat;

use crate::action::Action;
use crate::agents::merchant::{Looks, Merchant};
use crate::agents::sites::Errand;
use crate::map::CellId;
use crate::observe::Observation;
use crate::odds::AllOdds;
use crate::state::Step;
use crate::tiles::Dir;
use crate::variant::{MAX_ADVENTURERS, MAX_SEATS};
use crate::ways::chart::Charted;
use crate::ways::routes::{FirstMove, Step as WayStep};

/// The player, for all seats in turn.
pub(crate) struct Hasty {
    merchant: Merchant,
    /// Chances with the current piles. The merchant keeps the chances at the start of imagined episodes.
    odds: Box<AllOdds>,
    /// Adventurers on their way home because tiles run out, by seat.
    due: [[bool; MAX_ADVENTURERS]; MAX_SEATS],
    /// Knowledge of the map at the start of imagined episodes, and its number of tiles.
    charted: [Charted; 2],
    placed: usize,
    ways: [[Way; MAX_ADVENTURERS]; MAX_SEATS],
    /// A cache of decisions on the map at the start of imagined episodes, which resemble each other.
    decided: Vec<Decided>,
}

const CACHED_DECISIONS: usize = 512;

#[derive(Clone, Default)]
struct Decided {
    question: Option<Question>,
    action: Action,
    way: Way,
    is_due: bool,
}

/// The situation of a cached decision, on the map at the start of imagined episodes. Piles and the round are
/// left out, because they change little during an imagined episode.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Question {
    seat: u8,
    adventurer: u8,
    here: CellId,
    moves: [u8; 3],
    chest: u16,
    is_pirate: bool,
    used: u64,
    is_due: bool,
    /// Own Vault minus the fullest Vault of the other seats.
    ahead: i64,
    /// A hash of all Adventurers' places and the others' Chests.
    others: u64,
}

impl Question {
    fn new(observation: &Observation<'_>, is_due: bool) -> Self {
        let (turn, hero) = (observation.turn(), observation.hero());
        let seat = usize::from(turn.seat);
        let mut others = 0u64;
        for player in observation.others(seat) {
            for (other, cell) in player.crew() {
                let all = u64::from(cell) << 32 | u64::from(other.chest) << 1 | u64::from(other.pirate);
                others = (others ^ all).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        Self {
            seat: turn.seat,
            adventurer: turn.adventurer,
            here: observation.here(),
            moves: [turn.land, turn.upwind, turn.downwind],
            chest: hero.chest,
            is_pirate: hero.pirate,
            used: hero.used,
            is_due,
            ahead: observation.lead_of(seat),
            others,
        }
    }

    fn place(&self) -> usize {
        let [land, upwind, downwind] = self.moves.map(u64::from);
        let all = u64::from(self.here) << 40
            ^ u64::from(self.chest) << 24
            ^ land << 20
            ^ upwind << 16
            ^ downwind << 12
            ^ u64::from(self.seat) << 8
            ^ u64::from(self.adventurer) << 4
            ^ self.used
            ^ self.others;
        (all.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize
    }
}

#[derive(Clone, Default)]
struct Way {
    /// The remaining steps, next one last.
    steps: Vec<WayStep>,
    /// The side to explore at the end.
    explores: Option<Dir>,
    /// The expected cell and Chest. If they differ, the path is discarded.
    here: CellId,
    chest: u16,
}

impl Way {
    fn clear(&mut self) {
        self.steps.clear();
        self.explores = None;
    }

    fn copy(&mut self, other: &Self) {
        self.steps.clone_from(&other.steps);
        (self.explores, self.here, self.chest) = (other.explores, other.here, other.chest);
    }
}

impl Hasty {
    pub(crate) fn new() -> Self {
        Self {
            merchant: Merchant::tuned(),
            odds: Box::new(AllOdds::new()),
            due: Default::default(),
            charted: [Charted::new(), Charted::new()],
            placed: 0,
            ways: Default::default(),
            decided: vec![Decided::default(); CACHED_DECISIONS],
        }
    }

    pub(crate) fn begin(&mut self, observation: &Observation<'_>) {
        self.merchant.forget();
        self.merchant.look_once(observation);
        self.charted.iter_mut().for_each(Charted::forget);
        self.placed = observation.map().placed();
        self.decided.iter_mut().for_each(|decided| decided.question = None);
    }

    pub(crate) fn imagine(&mut self) {
        self.due = Default::default();
        self.ways.iter_mut().flatten().for_each(Way::clear);
        for (now, first) in self.merchant.charted_mut().iter_mut().zip(&self.charted) {
            if now.placed() != self.placed {
                now.copy(first);
            }
        }
    }

    pub(crate) fn decide(&mut self, observation: &Observation<'_>, seat: Seat) -> Action {
        let at = seat.index();
        self.merchant.sit_down(at);
        if observation.step() != Step::Move || observation.turn().overtime {
            return self.merchant.decide(observation);
        }
        let way = &mut self.ways[at][usize::from(observation.turn().adventurer)];
        if let Some(action) = go_on(way, &mut self.merchant, observation) {
            return action;
        }
        way.clear();
        let adventurer = usize::from(observation.turn().adventurer);
        let is_first_map = observation.map().placed() == self.placed;
        let question = is_first_map.then(|| Question::new(observation, self.due[at][adventurer]));
        let mut known = question.map(|question| &mut self.decided[question.place()]);
        if let Some(known) = &mut known
            && known.question == question
        {
            way.copy(&known.way);
            self.due[at][adventurer] = known.is_due;
            return known.action;
        }
        self.merchant.swap_due(&mut self.due[at]);
        let action = self.merchant.decide(observation);
        self.merchant.swap_due(&mut self.due[at]);
        if let Action::Go(dir) = action {
            self.merchant.retrace(&mut way.steps);
            let explored = match self.merchant.errand() {
                Errand::Explore(dir) => Some(dir),
                _ => None,
            };
            // If no step precedes the exploration, this action explores, and no exploration remains.
            if way.steps.pop().is_some() {
                way.explores = explored;
            }
            way.here = observation.map().neighbour(observation.here(), dir);
            way.chest = observation.hero().chest;
        }
        if let Some(known) = known {
            (known.question, known.action, known.is_due) = (question, action, self.due[at][adventurer]);
            known.way.copy(way);
            for (now, first) in self.merchant.charted_mut().iter().zip(&mut self.charted) {
                if now.placed() == self.placed && first.placed() != self.placed {
                    first.copy(now);
                }
            }
        }
        action
    }

    /// The decision of the regular merchant, as if no Adventurer were on its way home.
    pub(crate) fn decide_well(&mut self, observation: &Observation<'_>, seat: Seat) -> Action {
        self.merchant.sit_down(seat.index());
        let mut due = Default::default();
        self.merchant.swap_due(&mut due);
        self.merchant.swap_odds(&mut self.odds);
        let looks = self.merchant.look(Looks::Always);
        let action = self.merchant.decide(observation);
        self.merchant.look(looks);
        self.merchant.swap_odds(&mut self.odds);
        self.merchant.swap_due(&mut due);
        action
    }

    pub(crate) fn chart(&mut self, observation: &Observation<'_>) {
        self.merchant.chart(observation);
    }

    /// The cost of the path home from a cell, at the start of a turn.
    pub(crate) fn home_from(&self, cell: CellId) -> u16 {
        self.merchant.routes().home_in(cell, 0)
    }
}

/// The next step of a path; `None` if it is finished or the situation has changed.
fn go_on(way: &mut Way, merchant: &mut Merchant, observation: &Observation<'_>) -> Option<Action> {
    let is_over = way.steps.is_empty() && way.explores.is_none();
    if is_over || (way.here, way.chest) != (observation.here(), observation.hero().chest) {
        return None;
    }
    let (go, _) = observation.ways();
    let may = |dir: Dir| (go & dir.bit() != 0).then_some(Action::Go(dir));
    let action = match way.steps.pop() {
        Some(WayStep { taken: FirstMove::Go(dir), .. }) => may(dir),
        // The path ends the turn here, unless a gust home can use the rest of the turn.
        Some(_) => {
            merchant.chart(observation);
            Some(merchant.stop(observation))
        }
        None => way.explores.take().and_then(may),
    }?;
    if let Action::Go(dir) = action {
        way.here = observation.map().neighbour(way.here, dir);
    }
    Some(action)
}
