//! What it costs to get somewhere: shortest ways under the movement rules, in moves.
//!
//! Ways are kept by where they begin, as long as the map stays as it is: Adventurers come to the same places again
//! and again.

use crate::agents::chart::{Charted, Desk, ENDS, FAR, Net};
use crate::map::{CellId, Ground};
use crate::observe::Observation;
use crate::tiles::Dir;
use crate::turn_states::TurnStates;

/// No position.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// How a way begins, where no side is taken: already there.
const HERE: u8 = ENDS + 1;

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

/// A step of a way: where it begins, and what is done there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Where.
    pub from: CellId,
    /// Over which side, or that the turn ends.
    pub taken: FirstMove,
}

/// Farthest way looked at, in moves.
pub(crate) const HORIZON: usize = 64;

/// Costs that positions may have which are still to be looked at: more than the dearest leg.
const RING: usize = 32;

/// The positions to be looked at, by cost: rows in a ring, each as long as there are positions.
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

/// How a position is reached.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// The position before.
    from: u16,
    /// What is done there.
    taken: u8,
}

/// All ways from one position.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// The map that they are for, and where they begin.
    net: u64,
    start: u16,
    states: usize,
    /// All ways that cost less have been looked at.
    looked: usize,
    /// By position.
    cost: Vec<u16>,
    arrivals: Vec<Arrival>,
    /// The first position of a cell to be reached.
    first: Vec<u16>,
    /// What else is kept with them: for which errands, and by errand the position on arrival and the cost of the way
    /// there and home, not a number if there is none.
    pub sites: u64,
    pub ends: Vec<u16>,
    pub costs: Vec<f64>,
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
        costs: Vec::new(),
    };

    /// Looks at all ways that cost less than this, the cheapest first, and of equal ones that which was found first.
    /// `visit` is told of every position with its cell, what the way there costs, and whether it is the first one of its
    /// cell, and says how far to look from then on: farther than there, and no farther than before.
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

    /// The first position in which a cell is reached; [`NOWHERE`] if it is not.
    #[inline]
    pub fn first_of(&self, cell: CellId) -> u16 {
        self.first[usize::from(cell)]
    }

    /// The cheapest position of a cell, of those in which the turn is in one of these states, by bit; [`NOWHERE`] if there
    /// is none.
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

    /// What the way to a position costs that is reached.
    #[inline]
    pub fn cost_to(&self, position: u16) -> u16 {
        self.cost[usize::from(position)]
    }

    /// How the way to it begins.
    pub fn first_move_to(&self, position: u16) -> FirstMove {
        let Arrival { mut from, mut taken } = self.arrivals[usize::from(position)];
        while from != self.start {
            Arrival { from, taken } = self.arrivals[usize::from(from)];
        }
        FirstMove::of(taken)
    }

    /// The state of the turn in a position of a cell.
    #[inline]
    pub fn state_at(&self, cell: CellId, position: u16) -> usize {
        usize::from(position) - usize::from(cell) * self.states
    }

    /// The steps of the way to a position, the last one first.
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

/// Starts whose ways are kept, for those who are no pirates and for pirates each.
const KEPT: usize = 256;

/// Costs of ways from the acting Adventurer's place, and back to a city from everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// What is known of the map by those who are no pirates, and by pirates; which holds now, and with which limits.
    charted: [Charted; 2],
    now: usize,
    limits: usize,
    desk: Desk,
    queue: Queue,
    /// By where they begin; and last, those that are looked at once.
    kept: [Vec<Ways>; 2],
    /// Which of them begin at the acting Adventurer's place.
    here: usize,
}

impl Routes {
    pub fn new() -> Self {
        Self {
            charted: [Charted::new(), Charted::new()],
            now: 0,
            limits: 0,
            desk: Desk::default(),
            queue: Queue::default(),
            kept: [vec![Ways::NONE; KEPT + 1], vec![Ways::NONE; KEPT + 1]],
            here: 0,
        }
    }

    /// What is known of the map by those who are no pirates, and by pirates.
    pub fn charted_mut(&mut self) -> &mut [Charted; 2] {
        &mut self.charted
    }

    /// Which of the two holds now, and its number.
    #[inline]
    pub fn chart_now(&self) -> (usize, u64) {
        (self.now, self.charted[self.now].stamp)
    }

    /// Cost from a cell to the nearest city in this state of the turn.
    #[inline]
    pub fn home_in(&self, cell: CellId, state: usize) -> u16 {
        self.charted[self.now].net(self.limits).map_or(FAR, |net| net.home_in(cell, state))
    }

    /// Brings what is known of the map up to date, for turns with the limits of this number.
    pub fn chart(
        &mut self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        limits: usize,
        seat: usize,
    ) {
        self.now = usize::from(observation.hero().pirate);
        self.limits = limits;
        self.charted[self.now].update(observation, turn_states, limits, seat, &mut self.desk);
    }

    /// The ways from a cell in this state of the turn, and what ways home cost.
    pub fn look(&mut self, cell: CellId, state: usize) -> (&mut Ways, &Net) {
        self.look_below(cell, state, HORIZON)
    }

    /// The same; of those that lead to no city, only as many as cost no more than the way home.
    pub fn look_home(&mut self, cell: CellId, state: usize) -> &Ways {
        let home = usize::from(self.home_in(cell, state));
        self.look_below(cell, state, HORIZON.min(home + 1)).0
    }

    fn look_below(&mut self, cell: CellId, state: usize, below: usize) -> (&mut Ways, &Net) {
        let net =
            self.charted[self.now].net(self.limits).expect("the map is charted before ways are looked at");
        let start = usize::from(cell) * net.states + state;
        self.here = (start + self.limits * 61) % KEPT;
        let ways = &mut self.kept[self.now][self.here];
        if (ways.net, usize::from(ways.start)) != (net.stamp, start) || ways.looked < below {
            ways.find(net, start as u16, below, &mut self.queue, |_, _, _, _| None);
        }
        (ways, net)
    }

    /// Looks about from a cell in this state of the turn, anew: see [`Ways::find`]. What ways home cost is told with every
    /// position.
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
        self.here = KEPT;
        self.kept[self.now][KEPT].find(
            net,
            start as u16,
            HORIZON,
            &mut self.queue,
            |position, cell, cost, is_first| {
                let state = usize::from(position) - usize::from(cell) * net.states;
                visit(position, cell, state, cost, net.home_at(position), is_first)
            },
        );
    }

    /// The ways that were looked at last.
    pub fn ways(&self) -> &Ways {
        &self.kept[self.now][self.here]
    }

    /// A way home from the acting Adventurer's place, the last step first; `false` if there is none.
    pub fn find_way_home(
        &self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        steps: &mut Vec<Step>,
    ) -> bool {
        let map = observation.map();
        let Some(net) = self.charted[self.now].net(self.limits) else { return false };
        let (mut cell, mut state) = (observation.here(), turn_states.current(observation));
        while map.cell(cell).ground != Ground::City {
            let home = self.home_in(cell, state);
            let is_best = |leg: &crate::agents::chart::Leg| {
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
