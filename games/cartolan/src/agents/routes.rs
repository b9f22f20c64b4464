//! What it costs to get somewhere: shortest ways under the movement rules, in moves.
//!
//! A position is a cell and what is left of the turn. Moves count 1; ending a turn early costs the moves that
//! are given up. A rest at an own Agent begins the turn anew, and arriving in a city ends it.

use crate::map::{CellId, Crossing, Ground, MAX_CELLS, NO_AGENT};
use crate::movement::Allowed;
use crate::observe::Observation;
use crate::tiles::Dir;
use crate::variant::{Limits, MAX_AGENTS, Movement, Variant};

/// Most states of a turn.
const MAX_TURN_STATES: usize = 40;

/// No way there.
pub(crate) const FAR: u16 = u16::MAX;

/// No such move.
const NONE: u8 = u8::MAX;

/// The states of a turn: moves made, and as many of which kind as matters.
#[derive(Clone, Debug)]
pub(crate) struct TurnStates {
    /// The limits that they are for.
    pub limits: Limits,
    counts: Vec<[u8; 3]>,
    /// The state after a land, upwind or downwind move.
    next: Vec<[u8; 3]>,
    /// The moves given up by ending the turn in each state.
    wasted: Vec<u16>,
}

impl TurnStates {
    /// The states of a turn with these limits.
    pub fn new(variant: &Variant, limits: Limits) -> Self {
        let mut turn_states = Self { limits, counts: vec![[0; 3]], next: Vec::new(), wasted: Vec::new() };
        let mut at = 0;
        while at < turn_states.counts.len() {
            let counts = turn_states.counts[at];
            let allowed = Allowed::after(counts, limits, variant);
            let mut next = [NONE; 3];
            for crossing in Crossing::ALL.iter().copied().filter(|crossing| allowed.allows(*crossing)) {
                let kind = crossing as usize;
                // Without a budget only the sum matters.
                let counted = if variant.movement == Movement::Initial { 2 } else { kind };
                let mut after = counts;
                after[counted] += 1;
                // The turn is over: the next one begins.
                let after = if after.iter().sum::<u8>() >= limits.moves { [0; 3] } else { after };
                let known = turn_states.counts.iter().position(|other| *other == after);
                next[kind] = match known {
                    Some(index) => index as u8,
                    None if turn_states.counts.len() < MAX_TURN_STATES => {
                        turn_states.counts.push(after);
                        turn_states.counts.len() as u8 - 1
                    }
                    None => 0,
                };
            }
            turn_states.next.push(next);
            turn_states.wasted.push(match counts.iter().sum() {
                0 => 0,
                made => u16::from(limits.moves - made),
            });
            at += 1;
        }
        turn_states
    }

    /// The state of the acting Adventurer's turn.
    fn current(&self, observation: &Observation<'_>) -> usize {
        let turn = observation.turn();
        let counts = match observation.variant().movement {
            Movement::Initial => [0, 0, turn.total()],
            Movement::Budgetted => [turn.land, turn.upwind, turn.downwind],
        };
        self.counts.iter().position(|other| *other == counts).unwrap_or(0)
    }

    /// Whether a crossing of this kind is allowed in this state.
    pub fn may(&self, state: usize, crossing: Crossing) -> bool {
        self.next[state][crossing as usize] != NONE
    }
}

/// The first move of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FirstMove {
    /// Over this side.
    Go(Dir),
    /// The turn ends first.
    End,
    /// Already there.
    Here,
}

/// What a move over one side of a cell meets.
#[derive(Clone, Copy, Debug)]
struct Passage {
    to: CellId,
    crossing: Crossing,
    arrival: Arrival,
}

/// What follows an arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrival {
    /// No tile lies there, or none that may be entered.
    Never,
    /// The turn goes on.
    On,
    /// The turn begins anew.
    Rest,
    /// The turn is over.
    City,
}

const CLOSED: Passage = Passage { to: 0, crossing: Crossing::Land, arrival: Arrival::Never };

/// Costs of ways from the acting Adventurer's place, and back to a city from everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// Cost to reach a cell from here.
    pub cost: Vec<u16>,
    /// The state of the turn on arrival.
    pub state: Vec<u8>,
    /// How the way begins.
    pub first_move: Vec<FirstMove>,
    /// The same for every state of arrival: cell * states + state.
    first_moves: Vec<FirstMove>,
    /// Number of states in `best` and `first_moves`.
    turn_states: usize,
    /// Cost from a cell to the nearest city: cell * states + state.
    home: Vec<u16>,
    states: usize,
    home_key: (usize, u64, Limits),
    /// What lies over each side of each cell, and what it was made from.
    passages: Vec<[Passage; 4]>,
    passages_key: (usize, u64, u8),
    order: Vec<CellId>,
    buckets: Vec<Vec<(CellId, u8, FirstMove)>>,
    best: Vec<u16>,
}

/// Farthest way looked at, in moves.
const HORIZON: usize = 64;

impl Routes {
    pub fn new() -> Self {
        Self {
            cost: vec![FAR; MAX_CELLS],
            state: vec![0; MAX_CELLS],
            first_move: vec![FirstMove::Here; MAX_CELLS],
            first_moves: vec![FirstMove::Here; MAX_CELLS * MAX_TURN_STATES],
            turn_states: 1,
            home: Vec::new(),
            states: 1,
            home_key: (0, 0, Limits { moves: 0, land: 0, upwind: 0 }),
            passages: vec![[CLOSED; 4]; MAX_CELLS],
            passages_key: (0, 0, 0),
            order: Vec::new(),
            buckets: vec![Vec::new(); HORIZON + 1],
            best: vec![FAR; MAX_CELLS * MAX_TURN_STATES],
        }
    }

    /// Another map: nothing is known of it.
    pub fn forget(&mut self) {
        self.home_key.0 = 0;
        self.passages_key.0 = 0;
    }

    /// The cheapest way to stand on a cell with a crossing of this kind still allowed: its cost, the state
    /// on arrival and how it begins.
    pub fn reach(
        &self,
        turn_states: &TurnStates,
        cell: CellId,
        crossing: Crossing,
    ) -> Option<(u16, usize, FirstMove)> {
        let first = usize::from(cell) * self.turn_states;
        let mut best: Option<(u16, usize)> = None;
        for state in 0..self.turn_states {
            let cost = self.best[first + state];
            if cost != FAR && turn_states.may(state, crossing) && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, state));
            }
        }
        best.map(|(cost, state)| (cost, state, self.first_moves[first + state]))
    }

    /// Cost from a cell to the nearest city in this state of the turn.
    pub fn home_in(&self, cell: CellId, state: usize) -> u16 {
        self.home.get(usize::from(cell) * self.states + state).copied().unwrap_or(FAR)
    }

    /// The same with what is left of the turn after the way there.
    pub fn home_after(&self, cell: CellId) -> u16 {
        self.home_in(cell, usize::from(self.state[usize::from(cell)]))
    }

    fn rests(observation: &Observation<'_>, seat: usize, cell: CellId) -> bool {
        let agent = observation.map().cell(cell).agent;
        agent != NO_AGENT
            && usize::from(agent.seat()) == seat
            && !observation.players()[seat].agent[usize::from(agent.number())].dispossessed
    }

    /// What a move from a placed cell over one side meets.
    fn passage(observation: &Observation<'_>, seat: usize, from: CellId, dir: Dir) -> Passage {
        let map = observation.map();
        let to = map.neighbour(from, dir);
        let cell = map.cell(to);
        if !cell.is_placed() || !observation.may_enter(to) {
            return CLOSED;
        }
        let arrival = match cell.ground {
            Ground::City => Arrival::City,
            _ if Self::rests(observation, seat, to) => Arrival::Rest,
            _ => Arrival::On,
        };
        Passage { to, crossing: observation.crossing(from, dir), arrival }
    }

    /// Brings the passages up to date; returns what they follow from, beside the map's tiles.
    fn find_passages(&mut self, observation: &Observation<'_>, seat: usize) -> u64 {
        let map = observation.map();
        let player = &observation.players()[seat];
        let mut agents = 0u64;
        for number in 0..MAX_AGENTS {
            let agent = &player.agent[number];
            if agent.is_placed() && !agent.dispossessed {
                agents = agents.wrapping_mul(1_000_003).wrapping_add(u64::from(agent.cell) + 1);
            }
        }
        // Pirates see other ways, and seasons turn the wind.
        let winds = u64::from(observation.hero().pirate) << 63
            | (map.cell(map.neighbour(0, Dir::North)).wind as u64) << 61;
        let key = (map.placed(), agents ^ winds, map.disasters());
        if self.passages_key != key {
            self.passages_key = key;
            for (id, _) in (0..).zip(map.cells()).filter(|(_, cell)| cell.is_placed()) {
                let passage = |dir: usize| Self::passage(observation, seat, id, Dir::ALL[dir]);
                self.passages[usize::from(id)] = std::array::from_fn(passage);
            }
        }
        key.1
    }

    /// Where a move leads: the cell, the state after it, its cost; none if it cannot be made.
    #[inline]
    fn step(passage: Passage, turn_states: &TurnStates, state: usize) -> Option<(CellId, usize, u16)> {
        if passage.arrival == Arrival::Never {
            return None;
        }
        let next = turn_states.next[state][passage.crossing as usize];
        if next == NONE {
            return None;
        }
        Some(match passage.arrival {
            Arrival::City => (passage.to, 0, 1 + turn_states.wasted[usize::from(next)]),
            Arrival::Rest => (passage.to, 0, 1),
            _ => (passage.to, usize::from(next), 1),
        })
    }

    /// Looks at all ways from the acting Adventurer's place.
    pub fn find(&mut self, observation: &Observation<'_>, turn_states: &TurnStates, seat: usize) {
        let ways = self.find_passages(observation, seat);
        let cells = observation.map().cells().len();
        let states = turn_states.counts.len();
        self.turn_states = states;
        self.cost[..cells].fill(FAR);
        self.best[..cells * states].fill(FAR);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        let start = observation.here();
        self.buckets[0].push((start, turn_states.current(observation) as u8, FirstMove::Here));
        for cost in 0..HORIZON {
            let mut index = 0;
            while let Some((cell, state, first_move)) = self.buckets[cost].get(index).copied() {
                index += 1;
                let node = usize::from(cell) * states + usize::from(state);
                if self.best[node] <= cost as u16 {
                    continue;
                }
                self.best[node] = cost as u16;
                self.first_moves[node] = first_move;
                if self.cost[usize::from(cell)] == FAR {
                    self.cost[usize::from(cell)] = cost as u16;
                    self.state[usize::from(cell)] = state;
                    self.first_move[usize::from(cell)] = first_move;
                }
                let passages = self.passages[usize::from(cell)];
                for (dir, passage) in Dir::ALL.iter().copied().zip(passages) {
                    let step = Self::step(passage, turn_states, usize::from(state));
                    let Some((to, next, price)) = step else { continue };
                    let first_move =
                        if first_move == FirstMove::Here { FirstMove::Go(dir) } else { first_move };
                    let at = cost + usize::from(price);
                    if at < HORIZON && self.best[usize::from(to) * states + next] > at as u16 {
                        self.buckets[at].push((to, next as u8, first_move));
                    }
                }
                let wasted = usize::from(turn_states.wasted[usize::from(state)]);
                if wasted > 0 && cost + wasted < HORIZON {
                    let first_move = if first_move == FirstMove::Here { FirstMove::End } else { first_move };
                    self.buckets[cost + wasted].push((cell, 0, first_move));
                }
            }
        }
        self.find_home(observation, turn_states, ways);
    }

    /// Brings the costs of ways home up to date.
    fn find_home(&mut self, observation: &Observation<'_>, turn_states: &TurnStates, ways: u64) {
        let map = observation.map();
        let key = (map.placed(), ways, turn_states.limits);
        if self.home_key == key {
            return;
        }
        self.home_key = key;
        self.states = turn_states.counts.len();
        let cells = map.cells().len();
        self.home.clear();
        self.home.resize(cells * self.states, FAR);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..cells as CellId).filter(|id| map.cell(*id).is_placed()));
        for id in &order {
            if map.cell(*id).ground == Ground::City {
                let first = usize::from(*id) * self.states;
                self.home[first..first + self.states].fill(0);
            }
        }
        // Relaxation until nothing changes, from the cities outwards: few rounds, as ways are short.
        let nearest = |id: &CellId| {
            let cell = map.cell(*id);
            let second = observation.second_city().map_or(u32::MAX, |city| map.cell(city).distance(cell));
            second.min(map.cell(0).distance(cell))
        };
        order.sort_unstable_by_key(|id| (nearest(id), *id));
        loop {
            let mut changed = false;
            for id in order.iter().copied() {
                if map.cell(id).ground == Ground::City {
                    continue;
                }
                for state in 0..self.states {
                    let node = usize::from(id) * self.states + state;
                    let mut best = self.home[node];
                    let fresh = self.home[usize::from(id) * self.states];
                    if state > 0 {
                        best = best.min(fresh.saturating_add(turn_states.wasted[state]));
                    }
                    for passage in self.passages[usize::from(id)] {
                        if let Some((to, next, price)) = Self::step(passage, turn_states, state) {
                            let home = self.home[usize::from(to) * self.states + next];
                            best = best.min(home.saturating_add(price));
                        }
                    }
                    if best < self.home[node] {
                        self.home[node] = best;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        self.order = order;
    }
}
