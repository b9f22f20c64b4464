//! The heuristic players of the original: explorer, trader, router and pirate, as the guide describes them
//! (first generation) and as its program of October 2020 plays them (second).
//!
//! A turn is a loop of steps. A step tries moves one after another until one changes the place; tries that
//! are not even possible cost nothing. Because every try that is possible is a decision of its own, a captain
//! remembers what is left of its step.

mod deeds;

use meeple_core::Stream;

use crate::action::Action;
use crate::agents::plan::{CellSet, Last, Plan, away_order, toward_order};
use crate::map::{CellId, Ground};
use crate::observe::Observation;
use crate::state::Step;
use crate::tiles::Dir;
use crate::variant::MAX_ADVENTURERS;

/// What a captain lives for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Exploring.
    Explorer,
    /// Agents at wonders.
    Trader,
    /// Agents along a route.
    Router,
    /// Other people's wealth.
    Pirate,
}

/// Which of the two sets of decision trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// As the guide describes them.
    First,
    /// As the program of October 2020 plays them.
    Second,
}

/// What a captain tries next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Try {
    /// A move, possible or not.
    Go(Dir),
    /// A wait.
    Wait,
}

/// Where in its step a try stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first of its step.
    First,
    /// A later one.
    Later,
    /// A later one in a random direction.
    Random,
}

/// Where in a step a captain is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The Adventurer's turn begins.
    Begin,
    /// A step begins.
    Fresh,
    /// The first look for somebody to attack is over.
    Looked,
    /// The second look is over.
    LookedTwice,
    /// Working through the plan.
    Trying,
}

/// A try whose effect is not known yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    what: Try,
    adventurer: usize,
    from: CellId,
    to: CellId,
    /// The cell that goes onto the avoid-list if the try fails.
    blame: Option<CellId>,
    /// Whether the tile was there before.
    known: bool,
}

/// Probability of a random step.
const WHIM: f64 = 0.1;

/// Steps without any possible try after which a captain waits instead.
const PATIENCE: u32 = 16;

/// A heuristic player.
#[derive(Clone, Debug)]
pub struct Captain {
    role: Role,
    generation: Generation,
    seat: usize,
    /// Index of the own Agent to visit next, by Adventurer.
    next: [u8; MAX_ADVENTURERS],
    avoid: CellSet,
    stage: Stage,
    plan: Plan,
    /// Added to the avoid-list if the only try of a gap-filling step fails.
    blame: Option<CellId>,
    pending: Option<Pending>,
    /// Round and Adventurer of the turn at hand.
    turn: (u16, u8),
    /// Odds of a random step.
    whim: f64,
}

impl Captain {
    /// A captain.
    pub fn new(role: Role, generation: Generation) -> Self {
        Self {
            role,
            generation,
            seat: 0,
            next: [0; MAX_ADVENTURERS],
            avoid: CellSet::EMPTY,
            stage: Stage::Begin,
            plan: Plan::NOTHING,
            blame: None,
            pending: None,
            turn: (0, 0),
            whim: WHIM,
        }
    }

    /// The same captain without random steps.
    pub fn steady(mut self) -> Self {
        self.whim = 0.0;
        self
    }

    /// A new episode at this seat.
    pub fn begin(&mut self, seat: usize) {
        self.seat = seat;
        self.next = [0; MAX_ADVENTURERS];
        self.avoid.clear();
        self.stage = Stage::Begin;
        self.plan = Plan::NOTHING;
        self.pending = None;
        self.turn = (0, 0);
    }

    /// Decides.
    #[inline]
    pub fn decide(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Action {
        match observation.step() {
            Step::Move => self.sail(observation, rng),
            Step::Act => self.act_here(observation),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(observation),
            Step::Pick => {
                let player = &observation.players()[self.seat];
                let moved = observation.turn().moved;
                let ready = |number: &u8| {
                    moved >> number & 1 == 0
                        && player.adventurer[usize::from(*number)].moves_from <= observation.round()
                };
                Action::Pick((0..player.adventurers).find(ready).unwrap_or(0))
            }
            Step::TryChart(dir) => {
                let fits = |which: &u8| {
                    observation.fitting_wind(dir, observation.chart(observation.hero(), *which)).is_some()
                };
                (0..observation.hero().charts).find(fits).map_or(Action::Draw, Action::Chart)
            }
            Step::Reward => Action::Wealth,
            Step::Equip => {
                let mask = observation.equippable();
                // Whoever has nothing takes what there is.
                match observation.hero().gear {
                    None => Action::Equip(crate::cards::Effect::ALL[mask.trailing_zeros() as usize]),
                    Some(_) => Action::Keep,
                }
            }
            Step::ChoosePerson(_, _, low, _) => Action::Name(low),
            Step::Relocate(..) => Action::Relocate(observation.players()[self.seat].placed_agents()[0]),
            Step::Send(_) => Action::Send(1),
            _ => Action::Done,
        }
    }

    /// The next try of a move, and where in its step it stands; none if the turn is over.
    #[inline]
    pub fn next_try(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Option<(Try, Order)> {
        self.look_around(observation);
        self.pick_try(observation, observation.passable(), rng)
    }

    /// Takes note of what has become of the last try, and of a new turn.
    #[inline]
    fn look_around(&mut self, observation: &Observation<'_>) {
        self.settle(observation);
        let turn = (observation.round(), observation.turn().adventurer);
        if turn != self.turn {
            self.turn = turn;
            self.begin_turn(observation);
        }
    }

    /// Says what is really tried, before it happens. If it is not what [`next_try`](Self::next_try) said,
    /// the step is over after it.
    pub fn tell(&mut self, observation: &Observation<'_>, said: Option<Try>, what: Try) {
        let mut blame = None;
        if said == Some(what) {
            blame = self.blame;
        } else {
            self.stage = Stage::Trying;
            self.plan = Plan::NOTHING;
        }
        self.note(observation, what, blame);
    }

    #[inline]
    fn begin_turn(&mut self, observation: &Observation<'_>) {
        self.stage = Stage::Begin;
        self.plan = Plan::NOTHING;
        if self.generation == Generation::Second {
            self.avoid.clear();
            for cell in observation.map().disaster_cells() {
                self.avoid.insert(*cell);
            }
        }
    }

    /// The first generation counts the stations of all its Adventurers together, the second each one's alone.
    #[inline]
    fn slot(&self, adventurer: usize) -> usize {
        match (self.role, self.generation) {
            (_, Generation::Second) => adventurer,
            _ => 0,
        }
    }

    #[inline]
    fn note(&mut self, observation: &Observation<'_>, what: Try, blame: Option<CellId>) {
        let here = observation.here();
        let (mut to, mut known) = (here, false);
        if matches!(self.role, Role::Trader | Role::Router) {
            if let Try::Go(dir) = what {
                to = observation.map().neighbour(here, dir);
            }
            known = observation.map().cell(to).is_placed();
        }
        let adventurer = usize::from(observation.turn().adventurer);
        self.pending = Some(Pending { what, adventurer, from: here, to, blame, known });
    }

    /// What has become of the last try.
    #[inline]
    fn settle(&mut self, observation: &Observation<'_>) {
        let Some(pending) = self.pending.take() else { return };
        let player = &observation.players()[self.seat];
        let here = player.at[pending.adventurer];
        let moved = here != pending.from;
        let slot = self.slot(pending.adventurer);
        if pending.known && here == pending.to {
            if observation.map().cell(here).ground == Ground::City {
                self.next[slot] = 0;
            } else if let Some(number) = player.placed_agents().get(usize::from(self.next[slot])) {
                // A rest at the next Agent was offered, taken or not.
                let agent = &player.agent[usize::from(*number)];
                if agent.cell == here && !agent.dispossessed {
                    self.next[slot] += 1;
                }
            }
        }
        if let Try::Go(_) = pending.what {
            if moved {
                self.stage = Stage::Fresh;
            } else if let Some(cell) = pending.blame {
                self.avoid.insert(cell);
            }
        }
    }

    /// Moves, or ends a turn that is over.
    #[inline]
    fn sail(&mut self, observation: &Observation<'_>, rng: &mut Stream) -> Action {
        let passable = observation.passable();
        let here = observation.here();
        let overtime = observation.turn().overtime;
        let mut patience = PATIENCE;
        self.look_around(observation);
        loop {
            let Some((what, _)) = self.pick_try(observation, passable, rng) else {
                if overtime {
                    return Action::End;
                }
                continue;
            };
            match what {
                Try::Wait => {
                    self.note(observation, what, None);
                    return Action::Wait;
                }
                Try::Go(dir)
                    if passable & dir.bit() != 0
                        && observation.may_enter(observation.map().neighbour(here, dir)) =>
                {
                    let blame = self.blame;
                    self.note(observation, what, blame);
                    return Action::Go(dir);
                }
                Try::Go(_) => {
                    if let Some(cell) = self.blame {
                        self.avoid.insert(cell);
                    }
                    if overtime {
                        return Action::End;
                    }
                    patience -= 1;
                    if patience == 0 {
                        // No way at all: a wait is always possible.
                        self.note(observation, Try::Wait, None);
                        return Action::Wait;
                    }
                }
            }
        }
    }

    /// The next try, or none where a turn that is over has no business going on.
    #[inline]
    fn pick_try(
        &mut self,
        observation: &Observation<'_>,
        passable: u8,
        rng: &mut Stream,
    ) -> Option<(Try, Order)> {
        let overtime = observation.turn().overtime;
        let inland = observation.variant().inland;
        let hunts = self.role == Role::Pirate && self.generation == Generation::Second && inland;
        loop {
            if self.stage == Stage::Trying {
                if let Some((later, random)) = self.next_of_plan(observation, passable, rng) {
                    return Some((later, if random { Order::Random } else { Order::Later }));
                }
                self.stage = Stage::Fresh;
            }
            if self.stage == Stage::Begin {
                self.stage = Stage::Fresh;
                if inland && self.sees_prey(observation) {
                    return Some((Try::Wait, Order::First));
                }
            }
            if self.stage == Stage::Fresh {
                if overtime {
                    return None;
                }
                self.blame = None;
                self.stage = Stage::Looked;
                if hunts && self.sees_prey(observation) {
                    return Some((Try::Wait, Order::First));
                }
            }
            if self.stage == Stage::Looked {
                self.stage = Stage::LookedTwice;
                if self.generation == Generation::Second {
                    self.avoid.insert(observation.here());
                }
                if rng.chance(self.whim) {
                    self.stage = Stage::Trying;
                    self.plan = Plan::NOTHING;
                    return Some((Try::Go(Dir::from_index(rng.index(4))), Order::First));
                }
                if hunts && self.sees_prey(observation) {
                    return Some((Try::Wait, Order::First));
                }
            }
            self.stage = Stage::Trying;
            self.plan = self.make_plan(observation, passable);
            if let Some((first, random)) = self.next_of_plan(observation, passable, rng) {
                return Some((first, if random { Order::Random } else { Order::First }));
            }
        }
    }

    /// The next try of the plan, and whether its direction is random.
    #[inline]
    fn next_of_plan(
        &mut self,
        observation: &Observation<'_>,
        passable: u8,
        rng: &mut Stream,
    ) -> Option<(Try, bool)> {
        let cell = observation.map().cell(observation.here());
        while let Some(attempt) = self.plan.pop() {
            let to = cell.neighbours[attempt.dir.index()];
            if attempt.avoiding && self.avoid.contains(to) {
                continue;
            }
            let is_new = || passable & attempt.dir.bit() != 0 && !observation.map().cell(to).is_placed();
            if attempt.empty_only && !is_new() {
                continue;
            }
            if attempt.avoiding {
                self.blame = Some(to);
            }
            return Some((Try::Go(attempt.dir), false));
        }
        match std::mem::replace(&mut self.plan.last, Last::Nothing) {
            Last::Wait => {
                self.stage = Stage::Fresh;
                Some((Try::Wait, false))
            }
            Last::Random => {
                self.blame = None;
                Some((Try::Go(Dir::from_index(rng.index(4))), true))
            }
            Last::Nothing => None,
        }
    }

    /// The decision tree.
    #[inline]
    fn make_plan(&mut self, observation: &Observation<'_>, passable: u8) -> Plan {
        let player = &observation.players()[self.seat];
        let hero = observation.hero();
        let home = hero.last_city;
        let ahead = u32::from(hero.chest) > observation.lead();
        let agents = player.placed_agents();
        let next = self.next[self.slot(usize::from(observation.turn().adventurer))];
        let next = agents.get(usize::from(next)).map(|number| player.agent[usize::from(*number)].cell);
        match self.role {
            Role::Explorer if ahead => self.toward(observation, home),
            Role::Explorer => self.explore(observation, passable, home),
            Role::Trader => match next {
                None if !ahead && agents.len() < usize::from(observation.variant().agents) => {
                    self.explore(observation, passable, home)
                }
                Some(agent) if !ahead => self.toward(observation, agent),
                _ => self.toward(observation, home),
            },
            Role::Router => match next {
                None if !ahead => self.explore(observation, passable, home),
                None => self.toward(observation, home),
                Some(agent) => self.toward(observation, agent),
            },
            Role::Pirate if ahead => self.toward(observation, home),
            Role::Pirate => match self.prey(observation) {
                Some(target) => self.toward(observation, target),
                None => self.explore(observation, passable, home),
            },
        }
    }

    fn offset(observation: &Observation<'_>, target: CellId) -> (i16, i16) {
        let here = observation.map().cell(observation.here());
        let target = observation.map().cell(target);
        (here.x - target.x, here.y - target.y)
    }

    #[inline]
    fn toward(&mut self, observation: &Observation<'_>, target: CellId) -> Plan {
        let (dx, dy) = Self::offset(observation, target);
        let [first, second] = toward_order(dx, dy);
        let plan = Plan::only(Last::Wait);
        match self.generation {
            Generation::First => {
                let wind = observation.map().cell(observation.here()).wind;
                plan.then(first).then(second).then(wind.downwind_clockwise())
            }
            Generation::Second => {
                plan.then_avoiding(first).then_avoiding(second).then_avoiding(second.opposite())
            }
        }
    }

    #[inline]
    fn explore(&mut self, observation: &Observation<'_>, passable: u8, home: CellId) -> Plan {
        let (dx, dy) = Self::offset(observation, home);
        let [first, second] = away_order(dx, dy);
        match self.generation {
            Generation::First => {
                let wind = observation.map().cell(observation.here()).wind;
                let plan = Plan::only(Last::Wait).then_empty(first).then_empty(second);
                plan.then(first).then(second).then(wind.downwind_anticlockwise())
            }
            Generation::Second => match self.best_gap(observation, passable) {
                Some(best) => Plan::NOTHING.then(best),
                None => Plan::only(Last::Random).then_avoiding(first).then_avoiding(second),
            },
        }
    }

    /// The way into the empty cell that pays most.
    fn best_gap(&mut self, observation: &Observation<'_>, passable: u8) -> Option<Dir> {
        let variant = observation.variant();
        let cell = observation.map().cell(observation.here());
        let wind = cell.wind;
        let (clockwise, anticlockwise) = (wind.downwind_clockwise(), wind.downwind_anticlockwise());
        let mut best = None;
        let mut reward = 0;
        let mut examined = None;
        for dir in [clockwise, anticlockwise, clockwise.opposite(), anticlockwise.opposite()] {
            let to = cell.neighbours[dir.index()];
            let target = observation.map().cell(to);
            if passable & dir.bit() == 0 {
                continue;
            }
            examined = Some(to);
            if target.is_placed() || self.avoid.contains(to) {
                continue;
            }
            let (water, land) = target.gap(dir.opposite());
            let wealth = water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land);
            if wealth > reward {
                reward = wealth;
                best = Some(dir);
            }
        }
        if best.is_some() {
            // The cell looked at last, not the one tried: so did the original.
            self.blame = examined;
        }
        best
    }
}
