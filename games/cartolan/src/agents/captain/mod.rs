//! The heuristic players of the original: explorer, trader, router and pirate. The first generation follows
//! the guide, the second the program of October 2020.
//!
//! A turn is a loop of steps. In a step, the captain tries moves until one changes the Adventurer's place.
//! Each legal try is a decision of its own, so the captain stores the remaining tries between decisions.

mod on_tile;

use meeple_core::{Agent, Seat, Stream, Turn, choice, params};

use crate::action::Action;
use crate::agents::plain::{first_wanted, plain_choice};
use crate::agents::plan::{Attempt, CellSet, Last, Plan, away_order, toward_order};
use crate::game::Cartolan;
use crate::map::{CAPITAL, Cell, CellId, Ground, Map, NO_CELL};
use crate::observe::Observation;
use crate::state::{Adventurer, Player, Step};
use crate::tiles::Dir;
use crate::variant::MAX_ADVENTURERS;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Explorer,
    /// Places Agents at wonders.
    Trader,
    /// Places Agents along a route.
    Router,
    Pirate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// The decision trees of the guide.
    First,
    /// The decision trees of the program of October 2020.
    Second,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Try {
    /// A move over this side, possible or not.
    Go(Dir),
    Wait,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    First,
    Later,
    /// A later try in a random direction.
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Begin,
    Fresh,
    /// The first search for prey is over.
    Looked,
    /// The second search for prey is over.
    LookedTwice,
    Trying,
}

/// A try whose result is not known yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    what: Try,
    adventurer: u8,
    from: CellId,
    to: CellId,
    /// The cell that goes onto the avoid-list if the try fails; [`NO_CELL`] for none.
    blame: CellId,
    /// True if the target had a tile before the try.
    known: bool,
}

/// Values of the observation that a move needs repeatedly.
#[derive(Clone, Copy)]
struct Situation<'o, 'a> {
    observation: &'o Observation<'a>,
    map: &'a Map,
    player: &'a Player,
    hero: &'a Adventurer,
    here: CellId,
    cell: &'a Cell,
    passable: u8,
}

impl<'o, 'a> Situation<'o, 'a> {
    #[inline(always)]
    fn new(observation: &'o Observation<'a>) -> Self {
        let (map, here) = (observation.map(), observation.here());
        Self {
            observation,
            map,
            player: observation.owner(),
            hero: observation.hero(),
            here,
            cell: map.cell(here),
            passable: observation.passable(),
        }
    }
}

choice! {
    /// The city that a captain explores away from.
    pub enum Origin { LastCity = "last_city", Capital = "capital" }
}

params! {
    pub struct Temper {
        /// Probability that a step goes in a random direction.
        pub whim: f64 = 0.1 => "whim", real(0.0, 1.0);
        /// City from which the agent explores away: the last one visited, or the Capital.
        pub away: Origin = Origin::LastCity => "away", choice(Origin::WORDS);
    }
}

/// Number of failed tries in one decision after which a captain waits.
const MAX_FAILED_TRIES: u32 = 16;

#[derive(Clone, Debug)]
pub struct Captain {
    role: Role,
    generation: Generation,
    seat: usize,
    /// By slot, the index of the own Agent to visit next; see [`slot`](Self::slot).
    next: [u8; MAX_ADVENTURERS],
    avoid: CellSet,
    stage: Stage,
    plan: Plan,
    /// The cell that goes onto the avoid-list if the try fails; [`NO_CELL`] for none.
    blame: CellId,
    pending: Option<Pending>,
    /// Round and Adventurer of the last turn seen.
    turn: (u16, u8),
    whim: f64,
    away: Origin,
}

impl Agent<Cartolan> for Captain {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.begin(seat.index());
    }

    #[inline]
    fn act(&mut self, mut turn: Turn<'_, Cartolan>) -> Action {
        let observation = turn.observe();
        self.decide(&observation, turn.rng())
    }
}

impl Captain {
    pub fn new(role: Role, generation: Generation, temper: &Temper) -> Self {
        Self {
            role,
            generation,
            seat: 0,
            next: [0; MAX_ADVENTURERS],
            avoid: CellSet::EMPTY,
            stage: Stage::Begin,
            plan: Plan::NOTHING,
            blame: NO_CELL,
            pending: None,
            turn: (0, 0),
            whim: temper.whim,
            away: temper.away,
        }
    }

    pub fn begin(&mut self, seat: usize) {
        self.seat = seat;
        self.next = [0; MAX_ADVENTURERS];
        self.avoid.clear();
        self.stage = Stage::Begin;
        self.plan = Plan::NOTHING;
        self.pending = None;
        self.turn = (0, 0);
    }

    #[inline]
    pub fn decide(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Action {
        match observation.step() {
            Step::Move => self.sail(observation, rng),
            Step::Act => first_wanted(observation, |option| self.wants(observation, option)),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(observation),
            _ => plain_choice(observation),
        }
    }

    /// The next try and its order within the step; `None` if the turn is over.
    #[inline]
    pub fn next_try(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Option<(Try, Order)> {
        let situation = Situation::new(observation);
        self.take_note(&situation);
        self.pick_try(&situation, rng)
    }

    #[inline(always)]
    fn take_note(&mut self, situation: &Situation<'_, '_>) {
        self.settle(situation);
        let turn = (situation.observation.round(), situation.observation.turn().adventurer);
        if turn != self.turn {
            self.turn = turn;
            self.begin_turn(situation);
        }
    }

    /// Records the try that is really made, `what`, after [`next_try`](Self::next_try) returned `said`. If
    /// the two differ, the step ends after this try.
    pub fn tell(&mut self, observation: &Observation<'_>, said: Option<Try>, what: Try) {
        let mut blame = NO_CELL;
        if said == Some(what) {
            blame = self.blame;
        } else {
            self.stage = Stage::Trying;
            self.plan = Plan::NOTHING;
        }
        self.note(&Situation::new(observation), what, blame);
    }

    #[inline]
    fn begin_turn(&mut self, situation: &Situation<'_, '_>) {
        self.stage = Stage::Begin;
        self.plan = Plan::NOTHING;
        if self.generation == Generation::Second {
            self.avoid.clear();
            for cell in situation.map.disaster_cells() {
                self.avoid.insert(*cell);
            }
        }
    }

    /// The index into `next`. In the first generation all Adventurers share one entry.
    #[inline]
    fn slot(&self, adventurer: u8) -> usize {
        match self.generation {
            Generation::Second => usize::from(adventurer) & (MAX_ADVENTURERS - 1),
            Generation::First => 0,
        }
    }

    #[inline(always)]
    fn note(&mut self, situation: &Situation<'_, '_>, what: Try, blame: CellId) {
        let (mut to, mut known) = (situation.here, false);
        if matches!(self.role, Role::Trader | Role::Router) {
            known = true;
            if let Try::Go(dir) = what {
                to = situation.cell.neighbours[dir.index()];
                known = situation.cell.open & dir.bit() == 0;
            }
        }
        let adventurer = situation.observation.turn().adventurer;
        self.pending = Some(Pending { what, adventurer, from: situation.here, to, blame, known });
    }

    /// Processes the outcome of the last try.
    #[inline(always)]
    fn settle(&mut self, situation: &Situation<'_, '_>) {
        let Some(pending) = self.pending.take() else { return };
        let player = situation.player;
        let here = player.at[usize::from(pending.adventurer) & (MAX_ADVENTURERS - 1)];
        if pending.known && here == pending.to {
            let slot = self.slot(pending.adventurer);
            if situation.map.cell(here).ground == Ground::City {
                self.next[slot] = 0;
            } else if let Some(agent) = player.placed_agent(self.next[slot]) {
                // This Agent, the next to visit, offered a rest. It counts as visited even if the rest was
                // declined.
                if agent.cell == here && !agent.dispossessed {
                    self.next[slot] += 1;
                }
            }
        }
        if let Try::Go(_) = pending.what {
            if here != pending.from {
                self.stage = Stage::Fresh;
            } else {
                self.avoid.insert(pending.blame);
            }
        }
    }

    /// Returns the next move, or ends a turn that is over.
    #[inline]
    fn sail(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Action {
        let situation = Situation::new(observation);
        let overtime = observation.turn().overtime;
        let mut failed = 0;
        self.take_note(&situation);
        while let Some((what, _)) = self.pick_try(&situation, rng) {
            let Try::Go(dir) = what else {
                self.note(&situation, what, NO_CELL);
                return Action::Wait;
            };
            if situation.passable & dir.bit() != 0
                && observation.may_enter(situation.cell.neighbours[dir.index()])
            {
                self.note(&situation, what, self.blame);
                return Action::Go(dir);
            }
            self.avoid.insert(self.blame);
            if overtime {
                break;
            }
            failed += 1;
            if failed == MAX_FAILED_TRIES {
                // No try is possible, but a wait always is.
                self.note(&situation, Try::Wait, NO_CELL);
                return Action::Wait;
            }
        }
        Action::End
    }

    /// The next try; `None` ends a turn in overtime.
    #[inline(always)]
    fn pick_try(&mut self, situation: &Situation<'_, '_>, rng: &mut Stream) -> Option<(Try, Order)> {
        if self.stage == Stage::Trying {
            if let Some((later, random)) = self.next_of_plan(situation, rng) {
                return Some((later, if random { Order::Random } else { Order::Later }));
            }
            self.stage = Stage::Fresh;
        }
        loop {
            if self.stage != Stage::LookedTwice
                && let Some(first) = self.begin_step(situation, rng)
            {
                return first;
            }
            self.stage = Stage::Trying;
            self.plan = self.make_plan(situation);
            if let Some((first, random)) = self.next_of_plan(situation, rng) {
                return Some((first, if random { Order::Random } else { Order::First }));
            }
            self.stage = Stage::Fresh;
        }
    }

    /// Decides before the decision tree: an attack, a random direction, or `Some(None)` to end a turn in
    /// overtime. Returns `None` if the tree has to decide.
    #[inline(always)]
    fn begin_step(
        &mut self,
        situation: &Situation<'_, '_>,
        rng: &mut Stream,
    ) -> Option<Option<(Try, Order)>> {
        const ATTACK: Option<Option<(Try, Order)>> = Some(Some((Try::Wait, Order::First)));
        let inland = situation.observation.variant().inland;
        let hunts = self.role == Role::Pirate && self.generation == Generation::Second && inland;
        if self.stage == Stage::Begin {
            self.stage = Stage::Fresh;
            if inland && self.sees_prey(situation) {
                return ATTACK;
            }
        }
        if self.stage == Stage::Fresh {
            if situation.observation.turn().overtime {
                return Some(None);
            }
            self.blame = NO_CELL;
            self.stage = Stage::Looked;
            if hunts && self.sees_prey(situation) {
                return ATTACK;
            }
        }
        self.stage = Stage::LookedTwice;
        if self.generation == Generation::Second {
            self.avoid.insert(situation.here);
        }
        if rng.chance(self.whim) {
            self.stage = Stage::Trying;
            self.plan = Plan::NOTHING;
            return Some(Some((Try::Go(Dir::from_index(rng.index(4))), Order::First)));
        }
        if hunts && self.sees_prey(situation) {
            return ATTACK;
        }
        None
    }

    /// The next try of the plan; the flag is true if its direction is random.
    #[inline(always)]
    fn next_of_plan(&mut self, situation: &Situation<'_, '_>, rng: &mut Stream) -> Option<(Try, bool)> {
        while let Some(attempt) = self.plan.pop() {
            let to = situation.cell.neighbours[attempt.dir().index()];
            if attempt.is_avoiding() && self.avoid.contains(to) {
                continue;
            }
            if attempt.is_empty_only() && situation.passable & situation.cell.open & attempt.dir().bit() == 0
            {
                continue;
            }
            if attempt.is_avoiding() {
                self.blame = to;
            }
            return Some((Try::Go(attempt.dir()), false));
        }
        match std::mem::replace(&mut self.plan.last, Last::Nothing) {
            Last::Wait => {
                self.stage = Stage::Fresh;
                Some((Try::Wait, false))
            }
            Last::Random => {
                self.blame = NO_CELL;
                Some((Try::Go(Dir::from_index(rng.index(4))), true))
            }
            Last::Nothing => None,
        }
    }

    /// Evaluates the decision tree.
    #[inline(always)]
    fn make_plan(&mut self, situation: &Situation<'_, '_>) -> Plan {
        let player = situation.player;
        let home = situation.hero.last_city;
        let ahead = u32::from(situation.hero.chest) > situation.observation.lead();
        let next = || player.placed_agent(self.next[self.slot(situation.observation.turn().adventurer)]);
        let target = match self.role {
            Role::Explorer => ahead.then_some(home),
            Role::Trader => match next() {
                None if !ahead && player.agents_placed < situation.observation.variant().agents => None,
                Some(agent) if !ahead => Some(agent.cell),
                _ => Some(home),
            },
            Role::Router => match next() {
                None => ahead.then_some(home),
                Some(agent) => Some(agent.cell),
            },
            Role::Pirate if ahead => Some(home),
            Role::Pirate => self.prey(situation.observation),
        };
        match target {
            Some(target) => self.toward(situation, target),
            // R45: the origin to explore away from is a parameter.
            None => match self.away {
                Origin::LastCity => self.explore(situation, home),
                Origin::Capital => self.explore(situation, CAPITAL),
            },
        }
    }

    #[inline(always)]
    fn offset(situation: &Situation<'_, '_>, target: CellId) -> (i32, i32) {
        let target = situation.map.cell(target);
        (i32::from(situation.cell.x) - i32::from(target.x), i32::from(situation.cell.y) - i32::from(target.y))
    }

    #[inline(always)]
    fn toward(&self, situation: &Situation<'_, '_>, target: CellId) -> Plan {
        let (dx, dy) = Self::offset(situation, target);
        let [first, second] = toward_order(dx, dy);
        match self.generation {
            Generation::First => {
                let third = situation.cell.wind.downwind_clockwise();
                Plan::new([Attempt::to(first), Attempt::to(second), Attempt::to(third)], Last::Wait)
            }
            Generation::Second => {
                Plan::new([first, second, second.opposite()].map(Attempt::avoiding), Last::Wait)
            }
        }
    }

    #[inline(always)]
    fn explore(&mut self, situation: &Situation<'_, '_>, home: CellId) -> Plan {
        let (dx, dy) = Self::offset(situation, home);
        let [first, second] = away_order(dx, dy);
        match self.generation {
            Generation::First => {
                let left = Attempt::to(situation.cell.wind.downwind_anticlockwise());
                let [new, other_new] = [first, second].map(Attempt::into_empty);
                Plan::new([new, other_new, Attempt::to(first), Attempt::to(second), left], Last::Wait)
            }
            Generation::Second => match self.best_gap(situation) {
                Some(best) => Plan::new([Attempt::to(best)], Last::Nothing),
                None => Plan::new([first, second].map(Attempt::avoiding), Last::Random),
            },
        }
    }

    /// The direction of the empty cell whose gap pays the most wealth.
    #[inline(always)]
    fn best_gap(&mut self, situation: &Situation<'_, '_>) -> Option<Dir> {
        let ways = situation.passable & situation.cell.open;
        if ways == 0 {
            return None;
        }
        let variant = situation.observation.variant();
        let wind = situation.cell.wind;
        let (clockwise, anticlockwise) = (wind.downwind_clockwise(), wind.downwind_anticlockwise());
        let sides = [clockwise, anticlockwise, clockwise.opposite(), anticlockwise.opposite()];
        let mut best = None;
        let mut reward = 0;
        for dir in sides.iter().copied() {
            let to = situation.cell.neighbours[dir.index()];
            if ways & dir.bit() == 0 || self.avoid.contains(to) {
                continue;
            }
            let wealth = situation.map.cell(to).gap_wealth(dir.opposite(), variant);
            if wealth > reward {
                reward = wealth;
                best = Some(dir);
            }
        }
        if best.is_some() {
            // The original puts the cell inspected last, not the cell tried, onto the avoid-list.
            let last = sides.iter().rev().find(|dir| situation.passable & dir.bit() != 0);
            self.blame = last.map_or(NO_CELL, |dir| situation.cell.neighbours[dir.index()]);
        }
        best
    }
}
