//! Shortest paths under the movement rules, measured in moves.
//!
//! Paths are cached by start while the map is unchanged, because Adventurers return to the same places.

use super::FAR;
use crate::map::{CellId, Ground};
use crate::observe::Observation;
use crate::tiles::Dir;
use crate::ways::chart::{Charted, ENDS, Leg, Net, Scratch};
use crate::ways::turn_states::TurnStates;

pub(crate) const NOWHERE: u16 = u16::MAX;

/// The code of an empty path, which has no first move.
const HERE: u8 = ENDS + 1;

/// The first move of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FirstMove {
    Go(Dir),
    End,
    /// The path is empty.
    Here,
}

impl FirstMove {
    #[inline]
    fn of(taken: u8) -> Self {
        match taken {
            HERE => Self::Here,
            ENDS => Self::End,
            side => Self::Go(Dir::from_index(usize::from(side))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub from: CellId,
    /// The side that is crossed, or the end of the turn.
    pub taken: FirstMove,
}

/// Maximal length of a path, in moves.
pub(crate) const MAX_PATH: usize = 64;

/// Number of cost buckets in the queue. It exceeds the largest cost of a leg.
const RING: usize = 32;

/// A bucket queue of positions by cost: a ring of rows, each with room for all positions.
#[derive(Clone, Debug, Default)]
struct Queue {
    positions: Vec<u16>,
    row: usize,
    counts: [usize; RING],
}

impl Queue {
    fn begin(&mut self, positions: usize) {
        self.row = positions;
        self.counts = [0; RING];
        if self.positions.len() < RING * positions {
            self.positions.resize(RING * positions, 0);
        }
    }

    #[inline]
    fn push(&mut self, cost: usize, position: u16) {
        let count = &mut self.counts[cost % RING];
        self.positions[cost % RING * self.row + *count] = position;
        *count += 1;
    }
}

/// The last leg to a position.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// The previous position.
    from: u16,
    /// The side crossed from there, or [`ENDS`].
    taken: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// The version of the net.
    net: u64,
    /// The start, as a position.
    start: u16,
    states: usize,
    /// All paths that cost less than this number of moves are known.
    looked: usize,
    /// Cost of each position.
    cost: Vec<u16>,
    /// Last leg to each position.
    arrivals: Vec<Arrival>,
    /// The first position reached, by cell.
    first: Vec<u16>,
    /// The version of the errands in `ends`.
    pub sites: u64,
    /// Per errand, the position on arrival and the cost of the paths there and home. The cost is NaN if there
    /// is no path.
    pub ends: Vec<(u16, f64)>,
}

impl Ways {
    const NONE: Self = Self {
        net: 0,
        start: 0,
        states: 1,
        looked: 0,
        cost: Vec::new(),
        arrivals: Vec::new(),
        first: Vec::new(),
        sites: 0,
        ends: Vec::new(),
    };

    /// Finds all paths cheaper than `below` by Dijkstra's algorithm. Among equal costs the first path found
    /// is kept.
    ///
    /// `visit` receives every position with its cell, its cost, and a flag for the first position of the
    /// cell. It may return a new bound: above the current cost, and at most the old bound.
    #[inline]
    fn find(
        &mut self,
        net: &Net,
        start: u16,
        mut below: usize,
        queue: &mut Queue,
        mut visit: impl FnMut(u16, CellId, usize, bool) -> Option<usize>,
    ) {
        (self.net, self.start, self.states, self.sites) = (net.stamp, start, net.states, 0);
        let positions = net.legs.len();
        self.cost.clear();
        self.cost.resize(positions, FAR);
        self.arrivals.resize(positions, Arrival { from: 0, taken: HERE });
        self.first.clear();
        self.first.resize(positions / net.states, NOWHERE);
        queue.begin(positions);
        let (cost, arrivals) = (&mut self.cost[..positions], &mut self.arrivals[..positions]);
        cost[usize::from(start)] = 0;
        arrivals[usize::from(start)] = Arrival { from: start, taken: HERE };
        queue.push(0, start);
        let mut waiting = 1usize;
        let mut now = 0;
        while waiting > 0 && now < below {
            let row = now % RING;
            let mut index = 0;
            while index < queue.counts[row] {
                let position = queue.positions[row * queue.row + index];
                index += 1;
                if usize::from(cost[usize::from(position)]) != now {
                    continue;
                }
                let legs = &net.legs[usize::from(position)];
                let first = &mut self.first[usize::from(legs.cell)];
                let is_first = *first == NOWHERE;
                if is_first {
                    *first = position;
                }
                if let Some(nearer) = visit(position, legs.cell, now, is_first) {
                    below = nearer;
                }
                for leg in legs.iter() {
                    let at = now + usize::from(leg.price);
                    let known = &mut cost[usize::from(leg.to)];
                    if usize::from(*known) > at && at < below {
                        *known = at as u16;
                        arrivals[usize::from(leg.to)] = Arrival { from: position, taken: leg.taken };
                        queue.push(at, leg.to);
                        waiting += 1;
                    }
                }
            }
            waiting -= queue.counts[row];
            queue.counts[row] = 0;
            now += 1;
        }
        self.looked = below;
    }

    /// The first position in which a cell is reached; [`NOWHERE`] if it is unreachable.
    #[inline]
    pub fn first_of(&self, cell: CellId) -> u16 {
        self.first[usize::from(cell)]
    }

    /// The cheapest position of a cell in one of these states, or [`NOWHERE`].
    #[inline]
    pub fn cheapest_of(&self, cell: CellId, may: u64) -> u16 {
        let first = usize::from(cell) * self.states;
        let (mut least, mut best) = (FAR, NOWHERE);
        for (state, cost) in self.cost[first..first + self.states].iter().enumerate() {
            if *cost < least && may >> state & 1 == 1 {
                (least, best) = (*cost, (first + state) as u16);
            }
        }
        best
    }

    #[inline]
    pub fn cost_to(&self, position: u16) -> u16 {
        self.cost[usize::from(position)]
    }

    /// The first move of the path to a position.
    pub fn first_move_to(&self, position: u16) -> FirstMove {
        let Arrival { mut from, mut taken } = self.arrivals[usize::from(position)];
        while from != self.start {
            Arrival { from, taken } = self.arrivals[usize::from(from)];
        }
        FirstMove::of(taken)
    }

    /// The state of the turn in a position on a cell.
    #[inline]
    pub fn state_at(&self, cell: CellId, position: u16) -> usize {
        usize::from(position) - usize::from(cell) * self.states
    }

    /// Appends the steps of the path to a position, the last step first.
    pub fn retrace(&self, position: u16, steps: &mut Vec<Step>) {
        let mut position = usize::from(position);
        loop {
            let Arrival { from, taken } = self.arrivals[position];
            if taken == HERE {
                return;
            }
            let cell = (usize::from(from) / self.states) as CellId;
            steps.push(Step { from: cell, taken: FirstMove::of(taken) });
            position = usize::from(from);
        }
    }
}

/// Capacity of the cache of starts, once for non-pirates and once for pirates.
const CACHED_STARTS: usize = 256;

/// Costs of paths from the acting Adventurer's cell, and from every cell to a city.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// Knowledge of the map, for non-pirates and pirates.
    charted: [Charted; 2],
    /// Index of the current entry of `charted`.
    now: usize,
    /// Index of the current set of limits.
    limits: usize,
    scratch: Scratch,
    queue: Queue,
    /// Cached paths by start. The last entry holds the paths of an uncached search.
    kept: [Vec<Ways>; 2],
    here: usize,
}

impl Routes {
    pub fn new() -> Self {
        Self {
            charted: [Charted::new(), Charted::new()],
            now: 0,
            limits: 0,
            scratch: Scratch::default(),
            queue: Queue::default(),
            kept: [vec![Ways::NONE; CACHED_STARTS + 1], vec![Ways::NONE; CACHED_STARTS + 1]],
            here: 0,
        }
    }

    pub fn charted_mut(&mut self) -> &mut [Charted; 2] {
        &mut self.charted
    }

    /// The index and version of the current knowledge of the map.
    #[inline]
    pub fn chart_now(&self) -> (usize, u64) {
        (self.now, self.charted[self.now].stamp)
    }

    /// The cost from a cell to the nearest city, in a state of the turn.
    #[inline]
    pub fn home_in(&self, cell: CellId, state: usize) -> u16 {
        self.charted[self.now].net(self.limits).map_or(FAR, |net| net.home_in(cell, state))
    }

    /// Brings the knowledge of the map up to date for this set of limits.
    pub fn chart(
        &mut self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        limits: usize,
        seat: usize,
    ) {
        self.now = usize::from(observation.hero().pirate);
        self.limits = limits;
        self.charted[self.now].update(observation, turn_states, limits, seat, &mut self.scratch);
    }

    pub fn look(&mut self, cell: CellId, state: usize) -> (&mut Ways, &Net) {
        self.look_below(cell, state, MAX_PATH)
    }

    /// The paths from a cell that cost at most as much as the path home. Cached results may hold longer
    /// paths, too.
    pub fn look_home(&mut self, cell: CellId, state: usize) -> &Ways {
        let home = usize::from(self.home_in(cell, state));
        self.look_below(cell, state, MAX_PATH.min(home + 1)).0
    }

    fn look_below(&mut self, cell: CellId, state: usize, below: usize) -> (&mut Ways, &Net) {
        let net =
            self.charted[self.now].net(self.limits).expect("the map is charted before ways are looked at");
        let start = usize::from(cell) * net.states + state;
        self.here = (start + self.limits * 61) % CACHED_STARTS;
        let ways = &mut self.kept[self.now][self.here];
        if (ways.net, usize::from(ways.start)) != (net.stamp, start) || ways.looked < below {
            ways.find(net, start as u16, below, &mut self.queue, |_, _, _, _| None);
        }
        (ways, net)
    }

    /// Searches from a cell in a state of the turn, without the cache; see [`Ways::find`]. `visit` also
    /// receives the state of the turn and the cost of the path home from each position.
    #[inline]
    pub fn look_about(
        &mut self,
        cell: CellId,
        state: usize,
        mut visit: impl FnMut(u16, CellId, usize, usize, u16, bool) -> Option<usize>,
    ) {
        let net =
            self.charted[self.now].net(self.limits).expect("the map is charted before ways are looked at");
        let start = usize::from(cell) * net.states + state;
        self.here = CACHED_STARTS;
        self.kept[self.now][CACHED_STARTS].find(
            net,
            start as u16,
            MAX_PATH,
            &mut self.queue,
            |position, cell, cost, is_first| {
                let state = usize::from(position) - usize::from(cell) * net.states;
                visit(position, cell, state, cost, net.home_at(position), is_first)
            },
        );
    }

    pub fn ways(&self) -> &Ways {
        &self.kept[self.now][self.here]
    }

    /// Appends the steps of a path home, the last step first. Returns false if there is none.
    pub fn find_way_home(
        &self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        steps: &mut Vec<Step>,
    ) -> bool {
        let map = observation.map();
        let Some(net) = self.charted[self.now].net(self.limits) else { return false };
        let (mut cell, mut state) =
            (observation.here(), turn_states.current(observation.turn(), observation.variant().movement));
        while map.cell(cell).ground != Ground::City {
            let home = self.home_in(cell, state);
            let is_best = |leg: &Leg| {
                let after = net.home_in(leg.to / net.states as u16, usize::from(leg.to) % net.states);
                leg.taken != ENDS && home != FAR && after.saturating_add(u16::from(leg.price)) == home
            };
            let best = net.legs[usize::from(cell) * net.states + state].iter().find(is_best);
            let (taken, to, next) = match best {
                Some(leg) => {
                    let to = usize::from(leg.to);
                    (FirstMove::of(leg.taken), (to / net.states) as CellId, to % net.states)
                }
                None if home == FAR || state == 0 => return false,
                None => (FirstMove::End, cell, 0),
            };
            steps.push(Step { from: cell, taken });
            (cell, state) = (to, next);
        }
        steps.reverse();
        true
    }
}
