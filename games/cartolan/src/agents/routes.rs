//! What it costs to get somewhere: shortest ways under the movement rules, in moves.
//!
//! A position is a cell and what is left of the turn. Moves count 1; ending a turn early costs the moves that
//! are given up. A rest at an own Agent begins the turn anew, and arriving in a city ends it.

use crate::map::{CellId, Crossing, Ground, MAX_CELLS, Map, NO_AGENT};
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
///
/// Ways are looked at as far as somebody asks: [`begin`](Self::begin), then [`look`](Self::look) farther and farther.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// Cost to reach a cell from here.
    pub cost: Vec<u16>,
    /// The state of the turn on arrival.
    pub state: Vec<u8>,
    /// How the way begins.
    pub first_move: Vec<FirstMove>,
    /// For every state of arrival (cell * states + state): how its way begins, and its last step.
    first_moves: Vec<FirstMove>,
    last_steps: Vec<Step>,
    /// Number of states in `best`, `first_moves` and `last_steps`.
    turn_states: usize,
    /// All ways that cost less have been looked at.
    looked: usize,
    /// What is known of the map by those who are no pirates, and by pirates; and which holds now.
    charted: [Charted; 2],
    now: usize,
    /// Cells whose ways home may have become shorter.
    shorter: Vec<CellId>,
    /// Cells that have been added to the chart last.
    added: Vec<CellId>,
    buckets: Vec<Vec<(CellId, u8, FirstMove, Step)>>,
    best: Vec<u16>,
}

/// What is known of a map, wherever a way begins.
#[derive(Clone, Debug)]
pub(crate) struct Charted {
    /// Cost from a cell to the nearest city: cell * states + state.
    home: Vec<u16>,
    states: usize,
    home_key: (usize, u64, Limits),
    /// What lies over each side of each cell, and what it was made from.
    passages: Vec<[Passage; 4]>,
    passages_key: (usize, u64, u8),
    /// Cells that have passages.
    is_known: Vec<bool>,
}

impl Charted {
    /// Nothing is known.
    pub fn new() -> Self {
        Self {
            home: Vec::new(),
            states: 1,
            home_key: (0, 0, Limits { moves: 0, land: 0, upwind: 0 }),
            passages: Vec::new(),
            passages_key: (0, 0, 0),
            is_known: Vec::new(),
        }
    }

    /// Another map: nothing is known of it.
    pub fn forget(&mut self) {
        self.home_key.0 = 0;
        self.passages_key.0 = 0;
    }

    /// How many tiles the map has that all this is known of.
    pub fn placed(&self) -> usize {
        self.passages_key.0.min(self.home_key.0)
    }

    /// Knows the same as another one.
    pub fn copy(&mut self, other: &Self) {
        let Self { home, states, home_key, passages, passages_key, is_known } = other;
        self.home.clone_from(home);
        self.passages.clone_from(passages);
        self.is_known.clone_from(is_known);
        (self.states, self.home_key, self.passages_key) = (*states, *home_key, *passages_key);
    }
}

/// A step of a way: where it begins, and what is done there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Where.
    pub from: CellId,
    /// The state of the turn there.
    state: u8,
    /// Over which side, or that the turn ends.
    pub taken: FirstMove,
}

/// No step: already there.
const START: Step = Step { from: 0, state: 0, taken: FirstMove::Here };

/// Farthest way looked at, in moves.
pub(crate) const HORIZON: usize = 64;

impl Routes {
    pub fn new() -> Self {
        Self {
            cost: vec![FAR; MAX_CELLS],
            state: vec![0; MAX_CELLS],
            first_move: vec![FirstMove::Here; MAX_CELLS],
            first_moves: vec![FirstMove::Here; MAX_CELLS * MAX_TURN_STATES],
            last_steps: vec![START; MAX_CELLS * MAX_TURN_STATES],
            turn_states: 1,
            looked: 0,
            charted: [Charted::new(), Charted::new()],
            now: 0,
            shorter: Vec::new(),
            added: Vec::new(),
            buckets: vec![Vec::new(); HORIZON + 1],
            best: vec![FAR; MAX_CELLS * MAX_TURN_STATES],
        }
    }

    /// What is known of the map by those who are no pirates, and by pirates.
    pub fn charted_mut(&mut self) -> &mut [Charted; 2] {
        &mut self.charted
    }

    /// The cheapest way to stand on a cell with a crossing of this kind still allowed: its cost, the state
    /// on arrival and how it begins.
    #[inline]
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
        self.charted[self.now]
            .home
            .get(usize::from(cell) * self.charted[self.now].states + state)
            .copied()
            .unwrap_or(FAR)
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
        self.added.clear();
        if self.charted[self.now].passages_key == key {
            return key.1;
        }
        let (placed, ways, disasters) = self.charted[self.now].passages_key;
        let has_only_grown = placed > 0 && placed < key.0 && (ways, disasters) == (key.1, key.2);
        self.charted[self.now].passages_key = key;
        if !has_only_grown {
            self.charted[self.now].is_known.fill(false);
        }
        self.charted[self.now].is_known.resize(map.cells().len(), false);
        self.charted[self.now].passages.resize(map.cells().len(), [CLOSED; 4]);
        for (id, cell) in (0..).zip(map.cells()) {
            if cell.is_placed() && !self.charted[self.now].is_known[usize::from(id)] {
                self.charted[self.now].is_known[usize::from(id)] = true;
                self.added.push(id);
                let passage = |dir: usize| Self::passage(observation, seat, id, Dir::ALL[dir]);
                self.charted[self.now].passages[usize::from(id)] = std::array::from_fn(passage);
            }
        }
        if has_only_grown {
            // Those beside a new tile lead somewhere now.
            for id in &self.added {
                for dir in Dir::ALL.iter().copied() {
                    let beside = map.neighbour(*id, dir);
                    if map.cell(beside).is_placed() {
                        let back = dir.opposite();
                        self.charted[self.now].passages[usize::from(beside)][back.index()] =
                            Self::passage(observation, seat, beside, back);
                    }
                }
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

    /// Brings what is known of the map up to date: passages, and costs of ways home.
    pub fn chart(&mut self, observation: &Observation<'_>, turn_states: &TurnStates, seat: usize) {
        self.now = usize::from(observation.hero().pirate);
        let ways = self.find_passages(observation, seat);
        self.find_home(observation, turn_states, ways);
    }

    /// Begins to look at ways from the acting Adventurer's place, and finds all ways home.
    pub fn begin(&mut self, observation: &Observation<'_>, turn_states: &TurnStates, seat: usize) {
        self.chart(observation, turn_states, seat);
        let cells = observation.map().cells().len();
        let states = turn_states.counts.len();
        self.turn_states = states;
        self.looked = 0;
        self.cost[..cells].fill(FAR);
        self.best[..cells * states].fill(FAR);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        let (start, state) = (observation.here(), turn_states.current(observation) as u8);
        // What lies beyond where nobody has looked is as if there were no way; here is here.
        self.state[usize::from(start)] = state;
        self.buckets[0].push((start, state, FirstMove::Here, START));
    }

    /// Looks at all ways that cost less than this, and not more than [`HORIZON`].
    pub fn look(&mut self, turn_states: &TurnStates, below: usize) {
        let below = below.min(HORIZON);
        let states = self.turn_states;
        for cost in self.looked..below {
            let mut index = 0;
            while let Some((cell, state, first_move, last)) = self.buckets[cost].get(index).copied() {
                index += 1;
                let node = usize::from(cell) * states + usize::from(state);
                if self.best[node] <= cost as u16 {
                    continue;
                }
                self.best[node] = cost as u16;
                self.first_moves[node] = first_move;
                self.last_steps[node] = last;
                if self.cost[usize::from(cell)] == FAR {
                    self.cost[usize::from(cell)] = cost as u16;
                    self.state[usize::from(cell)] = state;
                    self.first_move[usize::from(cell)] = first_move;
                }
                let passages = self.charted[self.now].passages[usize::from(cell)];
                for (dir, passage) in Dir::ALL.iter().copied().zip(passages) {
                    let step = Self::step(passage, turn_states, usize::from(state));
                    let Some((to, next, price)) = step else { continue };
                    let taken = FirstMove::Go(dir);
                    let first_move = if first_move == FirstMove::Here { taken } else { first_move };
                    let at = cost + usize::from(price);
                    if at < HORIZON && self.best[usize::from(to) * states + next] > at as u16 {
                        self.buckets[at].push((
                            to,
                            next as u8,
                            first_move,
                            Step { from: cell, state, taken },
                        ));
                    }
                }
                let wasted = usize::from(turn_states.wasted[usize::from(state)]);
                if wasted > 0 && cost + wasted < HORIZON {
                    let taken = FirstMove::End;
                    let first_move = if first_move == FirstMove::Here { taken } else { first_move };
                    self.buckets[cost + wasted].push((
                        cell,
                        0,
                        first_move,
                        Step { from: cell, state, taken },
                    ));
                }
            }
        }
        self.looked = self.looked.max(below);
    }

    /// The steps of the way to a cell, to be there in this state of the turn, the last one first. It must have been
    /// looked at.
    pub fn retrace(&self, cell: CellId, state: usize, steps: &mut Vec<Step>) {
        let mut node = usize::from(cell) * self.turn_states + state;
        loop {
            let step = self.last_steps[node];
            if step.taken == FirstMove::Here {
                return;
            }
            steps.push(step);
            node = usize::from(step.from) * self.turn_states + usize::from(step.state);
        }
    }

    /// A way home from the acting Adventurer's place, the last step first; `false` if there is none.
    pub fn find_way_home(
        &self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        steps: &mut Vec<Step>,
    ) -> bool {
        let map = observation.map();
        let (mut cell, mut state) = (observation.here(), turn_states.current(observation));
        while map.cell(cell).ground != Ground::City {
            let home = self.home_in(cell, state);
            let taken = Dir::ALL.iter().copied().find_map(|dir| {
                let passage = self.charted[self.now].passages[usize::from(cell)][dir.index()];
                let (to, next, price) = Self::step(passage, turn_states, state)?;
                let is_best = home != FAR && self.home_in(to, next).saturating_add(price) == home;
                is_best.then_some((FirstMove::Go(dir), to, next))
            });
            let (taken, to, next) = match taken {
                Some(taken) => taken,
                None if home == FAR || state == 0 => return false,
                None => (FirstMove::End, cell, 0),
            };
            steps.push(Step { from: cell, state: state as u8, taken });
            (cell, state) = (to, next);
        }
        steps.reverse();
        true
    }

    /// Brings the costs of ways home up to date.
    fn find_home(&mut self, observation: &Observation<'_>, turn_states: &TurnStates, ways: u64) {
        let map = observation.map();
        let key = (map.placed(), ways, turn_states.limits);
        if self.charted[self.now].home_key == key {
            return;
        }
        // More tiles make ways shorter and never longer, so that what is known is where to begin.
        let (placed, old_ways, limits) = self.charted[self.now].home_key;
        let has_only_grown = placed > 0
            && placed + self.added.len() == key.0
            && (old_ways, limits) == (ways, turn_states.limits);
        self.charted[self.now].home_key = key;
        let states = turn_states.counts.len();
        self.charted[self.now].states = states;
        let cells = map.cells().len();
        self.shorter.clear();
        if has_only_grown {
            self.charted[self.now].home.resize(cells * states, FAR);
        } else {
            self.charted[self.now].home.clear();
            self.charted[self.now].home.resize(cells * states, FAR);
            self.added.clear();
            self.added.push(0);
            self.added.extend(observation.second_city());
        }
        for id in self.added.iter().copied() {
            if map.cell(id).ground == Ground::City {
                let first = usize::from(id) * states;
                self.charted[self.now].home[first..first + states].fill(0);
            }
            self.shorter.push(id);
            self.shorter.extend(placed_beside(map, id));
        }
        // Relaxation from there until nothing changes: ways are short.
        let mut at = 0;
        while let Some(id) = self.shorter.get(at).copied() {
            at += 1;
            if map.cell(id).ground == Ground::City {
                continue;
            }
            let first = usize::from(id) * states;
            let mut changed = false;
            for state in 0..states {
                let mut best = self.charted[self.now].home[first + state];
                if state > 0 {
                    best = best
                        .min(self.charted[self.now].home[first].saturating_add(turn_states.wasted[state]));
                }
                for passage in self.charted[self.now].passages[usize::from(id)] {
                    if let Some((to, next, price)) = Self::step(passage, turn_states, state) {
                        let home = self.charted[self.now].home[usize::from(to) * states + next];
                        best = best.min(home.saturating_add(price));
                    }
                }
                if best < self.charted[self.now].home[first + state] {
                    self.charted[self.now].home[first + state] = best;
                    changed = true;
                }
            }
            if changed {
                self.shorter.extend(placed_beside(map, id));
            }
        }
    }
}

/// The tiles beside a tile.
fn placed_beside(map: &Map, id: CellId) -> impl Iterator<Item = CellId> + '_ {
    Dir::ALL.iter().map(move |dir| map.neighbour(id, *dir)).filter(|beside| map.cell(*beside).is_placed())
}
