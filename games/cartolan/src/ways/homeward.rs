//! Shortest paths home and from a cell, found by breadth-first search without allocations.

use super::{Arrival, FAR, MAX_HOME, Passage};
use crate::map::{Cell, CellId, Crossing, Ground, MAX_CELLS};
use crate::observe::Observation;
use crate::tiles::Dir;
use crate::ways::turn_states::{TurnStates, bits};

/// Upper bound on positions. If there are more, all states of a turn are merged into one.
const MAX_POSITIONS: usize = 4096;

const _: () = assert!(MAX_CELLS <= MAX_POSITIONS, "there is room for one state of a turn");

/// Paths home under one set of limits, for a pirate or another Adventurer.
pub(crate) struct Homeward<'a> {
    pub turn: &'a TurnStates,
    is_pirate: bool,
    /// Cells with tiles, in order.
    placed: [CellId; MAX_CELLS],
    count: usize,
    /// The passages of each cell.
    passages: [[Passage; 4]; MAX_CELLS],
    /// Moves to the nearest city, by position; at most [`MAX_HOME`].
    home: [u8; MAX_POSITIONS],
}

/// Paths from a cell.
pub(crate) struct Distances {
    /// Number of moves to each position that is reached.
    moves: [u16; MAX_POSITIONS],
    /// Bits of the states of the turn in which each cell is reached.
    reached: [u64; MAX_CELLS],
    states: usize,
}

/// The frontier of a search: cells, and bits of the states in which each is reached.
struct Frontier {
    cells: [CellId; MAX_CELLS],
    count: usize,
    states: [u64; MAX_CELLS],
}

impl Frontier {
    fn new() -> Self {
        Self { cells: [0; MAX_CELLS], count: 0, states: [0; MAX_CELLS] }
    }

    /// Adds states of a cell, given as bits.
    #[inline]
    fn add(&mut self, cell: usize, states: u64) {
        if states != 0 {
            if self.states[cell] == 0 {
                self.cells[self.count] = cell as CellId;
                self.count += 1;
            }
            self.states[cell] |= states;
        }
    }

    /// Removes all entries, and passes each cell with its states to `each`.
    #[inline]
    fn drain(&mut self, mut each: impl FnMut(usize, u64)) {
        for cell in &self.cells[..std::mem::take(&mut self.count)] {
            each(usize::from(*cell), std::mem::take(&mut self.states[usize::from(*cell)]));
        }
    }
}

impl<'a> Homeward<'a> {
    /// A value without paths; call [`find`](Self::find) to compute them.
    pub fn new(seen: &Observation<'a>, has_empty_chest: bool, is_pirate: bool) -> Self {
        let [apart, merged] = seen.turn_states(has_empty_chest);
        let fits = seen.map().cells().len() * apart.count() <= MAX_POSITIONS;
        Self {
            turn: if fits { apart } else { merged },
            is_pirate,
            placed: [0; MAX_CELLS],
            count: 0,
            passages: [[Passage::CLOSED; 4]; MAX_CELLS],
            home: [MAX_HOME as u8; MAX_POSITIONS],
        }
    }

    /// Returns true if the paths are valid for an Adventurer with these properties.
    pub fn serves(&self, seen: &Observation<'a>, has_empty_chest: bool, is_pirate: bool) -> bool {
        self.turn.limits == seen.turn_states(has_empty_chest)[0].limits && self.is_pirate == is_pirate
    }

    #[inline]
    pub fn states(&self) -> usize {
        self.turn.count()
    }

    /// The number of moves from a cell to the nearest city, in a state of the turn.
    #[inline]
    pub fn home(&self, cell: usize, state: usize) -> u16 {
        self.home[cell * self.states() + state].into()
    }

    /// Finds the paths home for a seat's Adventurers.
    pub fn find(&mut self, seen: &Observation<'_>, seat: usize) {
        self.find_passages(seen, seat);
        self.find_homes(seen.map().cells());
    }

    fn find_passages(&mut self, seen: &Observation<'_>, seat: usize) {
        let (map, player) = (seen.map(), &seen.players()[seat]);
        let is_barred = seen.variant().bars_from_disasters(self.is_pirate);
        for (id, from) in map.cells().iter().enumerate().filter(|(_, cell)| cell.is_placed()) {
            self.placed[self.count] = id as CellId;
            self.count += 1;
            for dir in Dir::ALL.iter().copied().filter(|dir| from.open & dir.bit() == 0) {
                let to = from.neighbours[dir.index()];
                let arrival = Arrival::on(map.cell(to), seat, player, is_barred);
                self.passages[id][dir.index()] = Passage { to, crossing: from.crossing(dir), arrival };
            }
        }
    }

    /// Finds the paths home from all positions, shortest first.
    fn find_homes(&mut self, cells: &[Cell]) {
        let (turn, states) = (self.turn, self.states());
        let all = u64::MAX >> (64 - states);
        // States of each cell without a path home so far.
        let mut left = [0; MAX_CELLS];
        // Cells with a path home from the start of a turn.
        let (mut begun, mut first, mut last) = ([0; MAX_CELLS], 0, 0);
        // Cells beside a city, with the crossing to it.
        let (mut beside, mut count) = ([(0, Crossing::Land); MAX_CELLS], 0);
        for id in self.placed[..self.count].iter().copied().map(usize::from) {
            if cells[id].ground == Ground::City {
                self.home[id * states..(id + 1) * states].fill(0);
                continue;
            }
            left[id] = all;
            for passage in self.passages[id].iter().filter(|passage| passage.arrival == Arrival::City) {
                beside[count] = (id, passage.crossing);
                count += 1;
            }
        }
        let (mut now, mut next) = (Frontier::new(), Frontier::new());
        let longest = turn.by_waste().last().map_or(0, |(waste, _)| *waste);
        for moves in 1..MAX_HOME {
            // An end of the turn, in a city or on the present cell, costs the moves that it wastes.
            for (waste, given_up) in turn.by_waste() {
                if moves == waste + 1 {
                    for (id, crossing) in &beside[..count] {
                        next.add(*id, turn.all_before(*crossing, *given_up) & left[*id]);
                    }
                }
                for id in begun[first..last].iter().copied().map(usize::from) {
                    if u16::from(self.home[id * states]) + waste == moves {
                        next.add(id, given_up & left[id]);
                    }
                }
            }
            now.drain(|id, reached| {
                for dir in Dir::ALL.iter().copied() {
                    let from = usize::from(cells[id].neighbours[dir.opposite().index()]);
                    let Some(passage) = self.passages.get(from).map(|passages| passages[dir.index()]) else {
                        continue;
                    };
                    let before = match passage.arrival {
                        Arrival::On => turn.all_before(passage.crossing, reached),
                        Arrival::Rest if reached & 1 == 1 => turn.leaves(passage.crossing),
                        _ => continue,
                    };
                    next.add(from, before & left[from]);
                }
            });
            next.drain(|id, reached| {
                left[id] &= !reached;
                bits(reached).for_each(|state| self.home[id * states + state] = moves as u8);
                if reached & 1 == 1 {
                    begun[last] = id as CellId;
                    last += 1;
                }
                now.add(id, reached);
            });
            while first < last && u16::from(self.home[usize::from(begun[first]) * states]) + longest <= moves
            {
                first += 1;
            }
            if now.count == 0 && first == last && moves > longest {
                break;
            }
        }
    }
}

impl Distances {
    pub const NONE: Self = Self { moves: [0; MAX_POSITIONS], reached: [0; MAX_CELLS], states: 1 };

    /// The bits of the states in which a cell is reached, and the number of moves by state.
    #[inline]
    pub fn to(&self, cell: usize) -> (u64, &[u16]) {
        (self.reached[cell], &self.moves[cell * self.states..(cell + 1) * self.states])
    }

    /// Finds the paths from a cell in a state of the turn, shortest first.
    pub fn find(&mut self, ways: &Homeward<'_>, at: CellId, state: usize) {
        let (turn, states) = (ways.turn, ways.states());
        self.states = states;
        let (distance, reached) = (&mut self.moves, &mut self.reached);
        reached.fill(0);
        // Cells reached at the start of a turn, and the number of moves until then.
        let (mut waiting, mut count, mut begins) = ([0; MAX_CELLS], 0, [FAR; MAX_CELLS]);
        let (mut now, mut next) = (Frontier::new(), Frontier::new());
        next.add(usize::from(at), 1 << state);
        for moves in 0..FAR {
            next.drain(|id, new| {
                let new = new & !reached[id];
                reached[id] |= new;
                bits(new).for_each(|state| distance[id * states + state] = moves);
                now.add(id, new);
            });
            let mut begin = |id: usize, at: u16| {
                if at < begins[id] {
                    if begins[id] == FAR {
                        waiting[count] = id as CellId;
                        count += 1;
                    }
                    begins[id] = at;
                }
            };
            // The fewest moves lost by ending the turn in one of these states.
            let waste = |states: u64| turn.by_waste().iter().find(|(_, of)| of & states != 0);
            now.drain(|id, new| {
                if let Some((waste, _)) = waste(new & !1).filter(|_| reached[id] & 1 == 0) {
                    begin(id, moves + waste);
                }
                for passage in ways.passages[id].iter().filter(|passage| passage.arrival != Arrival::Never) {
                    let after = turn.all_after(passage.crossing, new);
                    let to = usize::from(passage.to);
                    match (passage.arrival, waste(after)) {
                        (Arrival::City, Some((waste, _))) => begin(to, moves + 1 + waste),
                        (Arrival::Rest, Some(_)) => next.add(to, 1),
                        _ => next.add(to, after),
                    }
                }
            });
            let mut kept = 0;
            for place in 0..count {
                let id = usize::from(waiting[place]);
                if begins[id] == moves + 1 {
                    next.add(id, 1);
                } else if begins[id] > moves {
                    waiting[kept] = waiting[place];
                    kept += 1;
                }
            }
            count = kept;
            if next.count == 0 && count == 0 {
                break;
            }
        }
    }
}
