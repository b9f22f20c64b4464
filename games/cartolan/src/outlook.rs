//! Paths home and to worthwhile visits, and their values net of the moves they cost.
//!
//! It serves encodings, so it is computed from the position alone and allocates nothing on the heap.

use crate::map::{Cell, CellId, Crossing, Ground, MAX_CELLS, NO_AGENT};
use crate::observe::Observation;
use crate::odds::{FreshOdds, reward};
use crate::state::{Adventurer, Player, Step};
use crate::tiles::{Back, Dir};
use crate::turn_states::{TurnStates, bits};
use crate::variant::DisasterEntry;

/// Cost of a move on the path home and on the path there, in wealth: about the tuned values of the merchant.
const PRICE: f32 = 0.28;
const PRICE_THERE: f32 = 0.19;
/// Upper bound on the counted moves of the path home.
const FAR_HOME: u16 = 200;
/// Least prize that justifies a robbery.
const PRIZE: u16 = 4;
/// Value of a robbery relative to its prize, as the victim loses it, too; and value of a pirate's Chest
/// relative to its wealth.
const ROBBED: f32 = 1.3;
const SEIZED: f32 = 0.3;
/// Value of the last tile of a colour to the leader, and its cost to others.
const FINISH: f32 = 38.0;
/// Rounds after which the end is feared half as much; tiles that another Adventurer places per turn near the
/// end, and a reserve of tiles.
const PATIENCE: f32 = 84.0;
const FEAR: f32 = 0.5;
const RESERVE: f32 = 2.0;

/// The cost of an unreachable target.
const FAR: u16 = u16::MAX;
/// Upper bound on positions (cells times states of a turn) for path search. Above it all states of a turn
/// count as one.
const MAX_POSITIONS: usize = 4096;

const _: () = assert!(MAX_CELLS <= MAX_POSITIONS, "there is room for one state of a turn");

/// The outlook of an Adventurer, in wealth net of the cost of moves, including the spent moves of this turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ahead {
    pub home: f32,
    pub visit: f32,
    pub explore: f32,
    pub meet: f32,
    /// The best of all, or `home` if it is due.
    pub best: f32,
    /// True if the Adventurer should go home: this wins the game, or the tiles run out.
    pub is_due: bool,
}

pub(crate) struct Outlook<'a> {
    seen: &'a Observation<'a>,
    seat: usize,
    odds: FreshOdds,
    /// The ways home are for a turn of these limits, and a pirate or none.
    ways: Option<Ways<'a>>,
    /// By position that is reached, the moves there; and the states of a turn in which each cell is.
    distance: [u16; MAX_POSITIONS],
    reached: [u64; MAX_CELLS],
}

struct Ways<'a> {
    turn: &'a TurnStates,
    is_pirate: bool,
    /// Cells with tiles, in order; and the passages of each cell.
    placed: [CellId; MAX_CELLS],
    count: usize,
    passages: [[Passage; 4]; MAX_CELLS],
    /// By position, moves to the nearest city, [`FAR_HOME`] at most.
    home: [u8; MAX_POSITIONS],
}

/// The result of a move over a side of a cell: target, crossing, and effect of the arrival.
#[derive(Clone, Copy)]
struct Passage {
    to: CellId,
    crossing: Crossing,
    arrival: Arrival,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Never,
    /// The turn continues.
    On,
    /// The turn restarts.
    Rest,
    /// The turn ends.
    City,
}

/// The frontier of a search: cells, and by cell the states of a turn in which it is reached.
struct Reach {
    cells: [CellId; MAX_CELLS],
    count: usize,
    states: [u64; MAX_CELLS],
}

impl Reach {
    fn new() -> Self {
        Self { cells: [0; MAX_CELLS], count: 0, states: [0; MAX_CELLS] }
    }

    /// Adds states of a cell.
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

    /// Takes all of them out, cell by cell.
    #[inline]
    fn drain(&mut self, mut each: impl FnMut(usize, u64)) {
        for cell in &self.cells[..std::mem::take(&mut self.count)] {
            each(usize::from(*cell), std::mem::take(&mut self.states[usize::from(*cell)]));
        }
    }
}

impl Ways<'_> {
    #[inline]
    fn states(&self) -> usize {
        self.turn.count()
    }

    fn find_passages(&mut self, seen: &Observation<'_>, seat: usize) {
        let (map, player) = (seen.map(), &seen.players()[seat]);
        let keeps_off = !self.is_pirate && seen.variant().disaster_entry != DisasterEntry::Anyone;
        for (id, from) in map.cells().iter().enumerate().filter(|(_, cell)| cell.is_placed()) {
            self.placed[self.count] = id as CellId;
            self.count += 1;
            for dir in Dir::ALL.iter().copied().filter(|dir| from.open & dir.bit() == 0) {
                let to = from.neighbours[dir.index()];
                let cell = map.cell(to);
                let is_own = cell.agent != NO_AGENT && usize::from(cell.agent.seat()) == seat;
                let arrival = match cell.ground {
                    Ground::Empty => continue,
                    Ground::Disaster if keeps_off => continue,
                    Ground::City => Arrival::City,
                    _ if is_own && !player.agent_numbered(cell.agent.number()).dispossessed => Arrival::Rest,
                    _ => Arrival::On,
                };
                self.passages[id][dir.index()] = Passage { to, crossing: from.crossing(dir), arrival };
            }
        }
    }

    /// Finds the ways home from all positions, in the order of their length.
    fn find_homes(&mut self, cells: &[Cell]) {
        let (turn, states) = (self.turn, self.states());
        let all = u64::MAX >> (64 - states);
        // States of a turn without a known way home, and cells with one at the beginning of a turn.
        let mut left = [0; MAX_CELLS];
        let (mut begun, mut first, mut last) = ([0; MAX_CELLS], 0, 0);
        // Cells beside a city, and how they are left to it.
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
        let (mut now, mut next) = (Reach::new(), Reach::new());
        let longest = turn.by_waste().last().map_or(0, |(waste, _)| *waste);
        for moves in 1..FAR_HOME {
            // What is given up by ending the turn in a city, or where one stands.
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

    fn home(&self, cell: usize, state: usize) -> u16 {
        self.home[cell * self.states() + state].into()
    }
}

impl<'a> Outlook<'a> {
    pub(crate) fn new(seen: &'a Observation<'a>, seat: usize) -> Self {
        let (odds, ways) = (FreshOdds::new(seen), None);
        Self { seen, seat, odds, ways, distance: [0; MAX_POSITIONS], reached: [0; MAX_CELLS] }
    }

    /// The outlook of an own Adventurer.
    pub(crate) fn of(&mut self, number: usize) -> Ahead {
        let (seen, seat) = (self.seen, self.seat);
        let player = &seen.players()[seat];
        let (adventurer, at) = (&player.adventurer[number], player.at[number]);
        self.find_ways_home(adventurer);
        let ways = self.ways.as_ref().expect("they were found");
        let turn = seen.turn();
        let is_own_turn = usize::from(turn.seat) == seat;
        let acts = is_own_turn && usize::from(turn.adventurer) == number && is_under_way(seen);
        let moves = u16::from(ways.turn.limits.moves);
        let (state, spent) = match acts {
            true if ways.states() == 1 => (0, u16::from(turn.total())),
            true => (ways.turn.current(turn, seen.variant().movement), u16::from(turn.total())),
            false
                if is_own_turn && turn.moved >> number & 1 == 0 && usize::from(turn.adventurer) != number =>
            {
                (0, 0)
            }
            false => (0, moves),
        };
        let spent = PRICE_THERE * f32::from(spent);
        let home = -spent - PRICE * f32::from(ways.home(usize::from(at), state));
        let chest = f32::from(adventurer.chest);
        let is_due = self.is_due(adventurer, ways.home(usize::from(at), state));
        let going = if acts { self.going(adventurer, at) } else { None };
        if let Some(explore) = going {
            let explore = home + explore;
            return Ahead { home, visit: home, explore, meet: home, best: explore, is_due };
        }
        let mut ahead = self.errands(adventurer, at, state, acts && seen.step() == Step::Act);
        for gain in [&mut ahead.visit, &mut ahead.explore, &mut ahead.meet] {
            *gain -= spent;
        }
        let errand = ahead.visit.max(ahead.explore).max(ahead.meet);
        let best = if is_due && chest > 0.0 {
            home
        } else if chest > 0.0 {
            errand.max(home)
        } else {
            errand
        };
        Ahead { home, best, is_due, ..ahead }
    }

    /// The value of the exploration that the acting Adventurer is about to make, cost of moves apart.
    fn going(&mut self, adventurer: &Adventurer, at: CellId) -> Option<f32> {
        let (Step::Explore(dir, ..) | Step::TryChart(dir)) = self.seen.step() else { return None };
        let lead = self.lead();
        Some(worth_of(&mut self.odds, (self.seen, lead), adventurer, at, dir))
    }

    fn lead(&self) -> i64 {
        let best = self.seen.others(self.seat).map(|player| i64::from(player.vault)).max().unwrap_or(0);
        i64::from(self.seen.players()[self.seat].vault) - best
    }

    /// Returns true if the Adventurer should go home, which takes `home` moves.
    fn is_due(&self, adventurer: &Adventurer, home: u16) -> bool {
        let (seen, variant) = (self.seen, self.seen.variant());
        let chest = i64::from(adventurer.chest);
        if chest > 0 && self.lead() + chest > i64::from(variant.margin) {
            return true;
        }
        let left_of = |back: Back| f32::from(seen.pile(back).left() + seen.pile(back).discards_sum);
        let left = match variant.inland {
            true => left_of(Back::Water).min(left_of(Back::Land)),
            false => left_of(Back::Water),
        };
        let crews: u8 = seen.players().iter().map(|player| player.adventurers).sum();
        let turns = f32::from(home) / f32::from(variant.moves.max(1));
        let near = PATIENCE / (PATIENCE + f32::from(seen.round()));
        let gone = near * (FEAR * turns * f32::from(crews.saturating_sub(1)) + RESERVE);
        chest as f32 * near >= 1.0 && left < gone
    }

    /// The best errands of an Adventurer from a cell; errands on that cell count if it `acts` there.
    fn errands(&mut self, adventurer: &Adventurer, at: CellId, state: usize, acts: bool) -> Ahead {
        self.find_ways(at, state);
        let (seen, seat) = (self.seen, self.seat);
        let ways = self.ways.as_ref().expect("they were found");
        let (map, variant, states) = (seen.map(), seen.variant(), ways.states());
        let worst = -PRICE * f32::from(FAR_HOME);
        let mut ahead = Ahead { visit: worst, explore: worst, meet: worst, ..Ahead::default() };
        let (chance, lead) = (variant.conflict_probability() as f32, self.lead());
        for (id, cell) in map.cells().iter().enumerate().filter(|(_, cell)| cell.is_placed()) {
            let reached = self.reached[id];
            let distances = &self.distance[id * states..(id + 1) * states];
            // The least cost of the paths there and home that arrive in one of these states of the turn.
            let cost = |may: u64, more: u16| {
                let costs = bits(reached & may).map(|state| {
                    let there = f32::from(distances[state] + more);
                    PRICE_THERE * there + PRICE * f32::from(ways.home(id, state))
                });
                costs.fold(f32::INFINITY, f32::min)
            };
            let is_own = cell.agent != NO_AGENT && usize::from(cell.agent.seat()) == seat;
            let is_wonder = cell.ground == Ground::Wonder
                && adventurer.used.checked_shr(cell.wonder.into()).unwrap_or(0) & 1 == 0
                && !adventurer.pirate;
            if (is_wonder || is_own) && (acts || usize::from(at) != id) {
                let trade = if is_wonder { f32::from(variant.trade) } else { 0.0 };
                let agent = || seen.players()[seat].agent_numbered(cell.agent.number());
                let value = trade + if is_own { f32::from(agent().wealth) } else { 0.0 };
                if value > 0.0 {
                    ahead.visit = ahead.visit.max(value - cost(u64::MAX, 0));
                }
            }
            if cell.ground == Ground::City {
                continue;
            }
            if cell.ships > 0 && variant.inland {
                let others = seen.others(seat).flat_map(Player::crew);
                for (other, _) in others.filter(|(_, place)| usize::from(*place) == id) {
                    let prize = prize_of(seen, adventurer, other);
                    if prize > 0.0 {
                        let more = u16::from(usize::from(at) == id);
                        ahead.meet = ahead.meet.max(prize * chance - cost(u64::MAX, more));
                    }
                }
            }
            for dir in Dir::ALL.iter().copied().filter(|dir| cell.open & dir.bit() != 0) {
                let may = ways.turn.may(cell.crossing(dir));
                let cost = cost(may, 1);
                if cost == f32::INFINITY {
                    continue;
                }
                let value = worth_of(&mut self.odds, (seen, lead), adventurer, id as CellId, dir);
                if value > 0.0 {
                    ahead.explore = ahead.explore.max(value - cost);
                }
            }
        }
        ahead
    }

    /// Computes the paths home for this Adventurer, unless they are cached.
    fn find_ways_home(&mut self, adventurer: &Adventurer) {
        let seen = self.seen;
        let [apart, merged] = seen.turn_states(adventurer.chest == 0);
        let is_pirate = adventurer.pirate;
        let is_known = |ways: &Ways<'_>| ways.turn.limits == apart.limits && ways.is_pirate == is_pirate;
        if self.ways.as_ref().is_some_and(is_known) {
            return;
        }
        let cells = seen.map().cells();
        const CLOSED: Passage = Passage { to: 0, crossing: Crossing::Land, arrival: Arrival::Never };
        let ways = self.ways.insert(Ways {
            turn: if cells.len() * apart.count() <= MAX_POSITIONS { apart } else { merged },
            is_pirate,
            placed: [0; MAX_CELLS],
            count: 0,
            passages: [[CLOSED; 4]; MAX_CELLS],
            home: [FAR_HOME as u8; MAX_POSITIONS],
        });
        ways.find_passages(seen, self.seat);
        ways.find_homes(cells);
    }

    /// Finds the ways from a cell in this state of the turn, in the order of their length.
    fn find_ways(&mut self, at: CellId, state: usize) {
        let ways = self.ways.as_ref().expect("they were found");
        let (turn, states) = (ways.turn, ways.states());
        let (distance, reached) = (&mut self.distance, &mut self.reached);
        reached.fill(0);
        // Cells that are reached at the beginning of a turn, and after how many moves.
        let (mut waiting, mut count, mut begins) = ([0; MAX_CELLS], 0, [FAR; MAX_CELLS]);
        let (mut now, mut next) = (Reach::new(), Reach::new());
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
            // What is given up by ending the turn.
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

/// Returns true while the acting Adventurer's turn goes on.
fn is_under_way(seen: &Observation<'_>) -> bool {
    let is_in_city =
        seen.map().cells().get(usize::from(seen.here())).is_some_and(|cell| cell.ground == Ground::City);
    let began = seen.turn().total() > 0;
    let of_a_turn = !matches!(seen.step(), Step::Start | Step::Pick | Step::Over(_));
    of_a_turn && !seen.turn().over && !(is_in_city && (began || seen.step() != Step::Move))
}

/// The expected gain from an encounter with another Adventurer; 0 if it is left alone.
fn prize_of(seen: &Observation<'_>, own: &Adventurer, other: &Adventurer) -> f32 {
    let half = other.chest.div_ceil(2);
    if other.pirate {
        f32::from(seen.variant().arrest_reward) + f32::from(other.chest) * SEIZED
    } else if half >= PRIZE && own.chest <= other.chest {
        f32::from(half) * ROBBED
    } else {
        0.0
    }
}

/// The value of an exploration from a cell over a side, for a seat with this lead, cost of moves apart.
fn worth_of(
    found: &mut FreshOdds,
    (seen, lead): (&Observation<'_>, i64),
    adventurer: &Adventurer,
    at: CellId,
    dir: Dir,
) -> f32 {
    let (map, variant) = (seen.map(), seen.variant());
    let cell = map.cell(at);
    let crossing = cell.crossing(dir);
    let back = if crossing == Crossing::Land && variant.inland { Back::Land } else { Back::Water };
    let target = map.cell(map.neighbour(at, dir));
    let odds = found.of(seen, back, cell.wind, dir, target);
    let (water, land) = target.gap(dir.opposite());
    let gap = water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land);
    let pile = seen.pile(back);
    let left = f32::from(pile.left() + pile.discards_sum).max(1.0);
    let finish = FINISH * lead.signum() as f32 / (left * left);
    let wonder = f32::from(reward(variant, back, target, adventurer.pirate));
    let at_risk = if adventurer.pirate { 0.0 } else { f32::from(adventurer.chest) };
    odds.wonder as f32 * wonder + odds.placed as f32 * (gap as f32 + finish) - odds.disaster as f32 * at_risk
}
