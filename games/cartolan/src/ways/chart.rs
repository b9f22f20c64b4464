//! Data of a map that hold for every start of a path: passages, legal legs, and costs of paths home.

use super::{Arrival, FAR, Passage};
use crate::map::{CellId, Ground, Map};
use crate::observe::Observation;
use crate::tiles::Dir;
use crate::variant::MAX_AGENTS;
use crate::ways::turn_states::{MAX_TURN_STATES, TurnStates};

/// The code of the end of a turn, used instead of a side.
pub(crate) const ENDS: u8 = 4;

/// An option in a position: a move, or the end of the turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub to: u16,
    /// The cost in moves; 0 marks the end of the list.
    pub price: u8,
    /// The side that is crossed, or [`ENDS`].
    pub taken: u8,
}

/// All options in a position: moves by side, then the end of the turn. At the start of a turn, where the end
/// would cost 0, it is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legs {
    legs: [Leg; 5],
    pub cell: CellId,
}

impl Legs {
    const NONE: Self = Self { legs: [Leg { to: 0, price: 0, taken: 0 }; 5], cell: 0 };

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Leg> + '_ {
        self.legs.iter().copied().take_while(|leg| leg.price > 0)
    }
}

/// Legs and costs of paths home under one set of limits, by position: `cell * states + state`.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    /// A unique version number.
    pub stamp: u64,
    /// The `since` of the passages from which the net was computed; 0 if it must be computed again.
    since: u64,
    /// The number of cells included.
    cells: usize,
    pub states: usize,
    home: Vec<u16>,
    pub legs: Vec<Legs>,
}

impl Net {
    const EMPTY: Self = Self { stamp: 0, since: 0, cells: 0, states: 1, home: Vec::new(), legs: Vec::new() };

    /// The cost from a cell to the nearest city, in a state of the turn.
    #[inline]
    pub fn home_in(&self, cell: CellId, state: usize) -> u16 {
        self.home.get(usize::from(cell) * self.states + state).copied().unwrap_or(FAR)
    }

    #[inline]
    pub fn home_at(&self, position: u16) -> u16 {
        self.home[usize::from(position)]
    }

    fn copy(&mut self, other: &Self) {
        let Self { stamp, since, cells, states, home, legs } = other;
        (self.stamp, self.since, self.cells, self.states) = (*stamp, *since, *cells, *states);
        self.home.clone_from(home);
        self.legs.clone_from(legs);
    }

    fn find_legs(&mut self, cell: CellId, passages: [Passage; 4], turn_states: &TurnStates) {
        let states = self.states;
        let first = usize::from(cell) * states;
        let all = &mut self.legs[first..first + states];
        let mut counts = [0u8; MAX_TURN_STATES];
        for (side, passage) in (0..).zip(passages) {
            if passage.arrival == Arrival::Never {
                continue;
            }
            let begin = usize::from(passage.to) * states;
            for ((legs, count), next) in all.iter_mut().zip(&mut counts).zip(turn_states.next()) {
                let Some(next) = TurnStates::after(next, passage.crossing) else { continue };
                // A rest restarts the turn, and a city ends it.
                let (state, price) = match passage.arrival {
                    Arrival::City => (0, 1 + turn_states.wasted(next) as u8),
                    Arrival::Rest => (0, 1),
                    _ => (next, 1),
                };
                legs.legs[usize::from(*count)] = Leg { to: (begin + state) as u16, price, taken: side };
                *count += 1;
            }
        }
        for ((legs, count), state) in all.iter_mut().zip(counts).zip(0..) {
            legs.cell = cell;
            let count = usize::from(count);
            legs.legs[count] = Leg { to: first as u16, price: turn_states.wasted(state) as u8, taken: ENDS };
            if count < 4 {
                legs.legs[count + 1].price = 0;
            }
        }
    }
}

/// The passages and nets of a map, valid for every start of a path.
#[derive(Clone, Debug)]
pub(crate) struct Charted {
    pub stamp: u64,
    /// The passages of each cell.
    passages: Vec<[Passage; 4]>,
    /// The key of the data from which the passages were computed.
    passages_key: (usize, u64, u8),
    /// Flags of cells with passages.
    is_known: Vec<bool>,
    /// Cells with passages, in order of discovery.
    order: Vec<CellId>,
    /// The version at which `order` was begun afresh; later tiles are only appended.
    since: u64,
    /// One net per set of limits.
    nets: Vec<Net>,
}

/// Scratch space and the counter of versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    stamp: u64,
    /// The queue of cells whose paths home may have become shorter.
    shorter: Vec<CellId>,
}

impl Scratch {
    fn next_stamp(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }
}

impl Charted {
    pub fn new() -> Self {
        Self {
            stamp: 0,
            passages: Vec::new(),
            passages_key: (0, 0, 0),
            is_known: Vec::new(),
            order: Vec::new(),
            since: 0,
            nets: Vec::new(),
        }
    }

    pub fn forget(&mut self) {
        self.passages_key.0 = 0;
    }

    /// Number of placed tiles at the last update.
    pub fn placed(&self) -> usize {
        self.passages_key.0
    }

    #[inline]
    pub fn net(&self, limits: usize) -> Option<&Net> {
        self.nets.get(limits)
    }

    pub fn copy(&mut self, other: &Self) {
        let Self { stamp, passages, passages_key, is_known, order, since, nets } = other;
        (self.stamp, self.passages_key, self.since) = (*stamp, *passages_key, *since);
        self.passages.clone_from(passages);
        self.is_known.clone_from(is_known);
        self.order.clone_from(order);
        self.nets.resize(nets.len().max(self.nets.len()), Net::EMPTY);
        for (net, other) in self.nets.iter_mut().zip(nets) {
            net.copy(other);
        }
        // Nets that the other one lacks must be computed again.
        self.nets[nets.len()..].iter_mut().for_each(|net| net.since = 0);
    }

    /// Brings the passages and the net of this set of limits up to date.
    pub fn update(
        &mut self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        limits: usize,
        seat: usize,
        scratch: &mut Scratch,
    ) {
        self.find_passages(observation, seat, scratch);
        if self.nets.len() <= limits {
            self.nets.resize(limits + 1, Net::EMPTY);
        }
        let net = &self.nets[limits];
        if (net.since, net.cells) != (self.since, self.order.len()) {
            self.find_net(observation, turn_states, limits, scratch);
        }
    }

    fn find_passages(&mut self, observation: &Observation<'_>, seat: usize, scratch: &mut Scratch) {
        let map = observation.map();
        let player = &observation.players()[seat];
        let mut agents = 0u64;
        if player.agents_placed > 0 {
            for number in 0..MAX_AGENTS {
                let agent = &player.agent[number];
                if agent.is_placed() && !agent.dispossessed {
                    agents = agents.wrapping_mul(1_000_003).wrapping_add(u64::from(agent.cell) + 1);
                }
            }
        }
        // Passages differ for pirates, and seasons reverse the wind.
        let winds = u64::from(observation.hero().pirate) << 63
            | (map.cell(map.neighbour(0, Dir::North)).wind as u64) << 61;
        let key = (map.placed(), agents ^ winds, map.disasters());
        if self.passages_key == key {
            return;
        }
        let (placed, ways, disasters) = self.passages_key;
        let has_only_grown = placed > 0 && placed < key.0 && (ways, disasters) == (key.1, key.2);
        self.passages_key = key;
        self.stamp = scratch.next_stamp();
        if !has_only_grown {
            self.is_known.fill(false);
            self.order.clear();
            self.since = self.stamp;
        }
        let is_barred = observation.variant().bars_from_disasters(observation.hero().pirate);
        let passage = |from: CellId, dir: Dir| {
            let to = map.neighbour(from, dir);
            let arrival = Arrival::on(map.cell(to), seat, player, is_barred);
            match arrival {
                Arrival::Never => Passage::CLOSED,
                _ => Passage { to, crossing: observation.crossing(from, dir), arrival },
            }
        };
        self.is_known.resize(map.cells().len(), false);
        self.passages.resize(map.cells().len(), [Passage::CLOSED; 4]);
        let added = self.order.len();
        for ((id, cell), is_known) in (0..).zip(map.cells()).zip(&mut self.is_known) {
            if !*is_known && cell.is_placed() {
                *is_known = true;
                self.order.push(id);
                self.passages[usize::from(id)] = std::array::from_fn(|dir| passage(id, Dir::ALL[dir]));
                if self.order.len() == map.placed() {
                    break;
                }
            }
        }
        if has_only_grown {
            // A new tile changes the passages of its neighbours.
            for id in &self.order[added..] {
                for dir in Dir::ALL.iter().copied() {
                    let beside = map.neighbour(*id, dir);
                    if map.cell(beside).is_placed() {
                        let back = dir.opposite();
                        self.passages[usize::from(beside)][back.index()] = passage(beside, back);
                    }
                }
            }
        }
    }

    #[inline(never)]
    fn find_net(
        &mut self,
        observation: &Observation<'_>,
        turn_states: &TurnStates,
        limits: usize,
        scratch: &mut Scratch,
    ) {
        let map = observation.map();
        let net = &mut self.nets[limits];
        // New tiles can only shorten paths, so the known costs serve as upper bounds.
        let has_only_grown = net.since == self.since;
        let known = if has_only_grown { net.cells } else { 0 };
        let states = turn_states.count();
        let positions = map.cells().len() * states;
        (net.since, net.cells, net.states) = (self.since, self.order.len(), states);
        net.stamp = scratch.next_stamp();
        scratch.shorter.clear();
        if !has_only_grown {
            net.home.clear();
            net.legs.clear();
        }
        net.home.resize(positions, FAR);
        net.legs.resize(positions, Legs::NONE);
        let added = &self.order[known..];
        for id in added.iter().copied() {
            net.find_legs(id, self.passages[usize::from(id)], turn_states);
            if has_only_grown {
                for beside in placed_beside(map, id) {
                    net.find_legs(beside, self.passages[usize::from(beside)], turn_states);
                }
            }
        }
        let cities = [Some(0), observation.second_city()];
        let of_cities = cities.iter().flatten().filter(|_| !has_only_grown);
        let of_added = added.iter().filter(|_| has_only_grown);
        for id in of_cities.chain(of_added).copied() {
            if map.cell(id).ground == Ground::City {
                let first = usize::from(id) * states;
                net.home[first..first + states].fill(0);
                scratch.shorter.extend(placed_beside(map, id));
            } else {
                scratch.shorter.push(id);
            }
        }
        // Repeated relaxation from a queue, until no cost changes. Paths are short, so a plain queue is fast
        // enough.
        let mut at = 0;
        while let Some(id) = scratch.shorter.get(at).copied() {
            at += 1;
            if map.cell(id).ground == Ground::City {
                continue;
            }
            let first = usize::from(id) * states;
            let mut changed = false;
            for position in first..first + states {
                let old = net.home[position];
                let through = |leg: Leg| net.home[usize::from(leg.to)].saturating_add(u16::from(leg.price));
                let best = net.legs[position].iter().map(through).fold(old, u16::min);
                if best < old {
                    net.home[position] = best;
                    changed = true;
                }
            }
            if changed {
                scratch.shorter.extend(placed_beside(map, id));
            }
        }
    }
}

/// The placed tiles beside a tile.
fn placed_beside(map: &Map, id: CellId) -> impl Iterator<Item = CellId> + '_ {
    Dir::ALL.iter().map(move |dir| map.neighbour(id, *dir)).filter(|beside| map.cell(*beside).is_placed())
}
