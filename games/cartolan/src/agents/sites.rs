//! Errands that stay where they are: wonders, own Agents, and sides over which nobody has gone.

use crate::agents::chart::Net;
use crate::agents::routes::{NOWHERE, Ways};
use crate::map::{CellId, Crossing, Ground, NO_AGENT, NO_CELL};
use crate::observe::Observation;
use crate::odds::{Odds, OddsTable, reward};
use crate::state::Agent;
use crate::tiles::{Back, Dir};
use crate::turn_states::TurnStates;
use crate::variant::MAX_AGENTS;

/// A wonder or an own Agent to visit, or a side over which nobody has gone.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// Where it begins.
    cell: CellId,
    /// The side over which it goes into the unknown, and how the tile is left.
    side: Dir,
    crossing: Crossing,
    /// Sites are ordered by this: cells, then the visit, then sides.
    place: u16,
}

/// Sites of one kind, with what each is worth beside what changes with every decision; lists by site.
#[derive(Clone, Debug, Default)]
struct Group {
    sites: Vec<Site>,
    /// What a wonder brings, times its chance.
    wonder: Vec<f64>,
    placed: Vec<f64>,
    disaster: Vec<f64>,
    /// Wealth for the edges that the tile meets.
    gap: Vec<f64>,
}

impl Group {
    fn clear(&mut self) {
        let Self { sites, wonder, placed, disaster, gap } = self;
        sites.clear();
        [wonder, placed, disaster, gap].into_iter().for_each(Vec::clear);
    }
}

/// What is the same for all errands of a decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// Value of a placed tile,
    pub chart: f64,
    /// and of one of this colour when few are left.
    pub finish: [f64; 2],
    /// What a disaster takes.
    pub at_risk: f64,
    /// Wealth that a move is worth.
    pub price: f64,
}

/// An errand that gains most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    pub gain: f64,
    /// The position on arrival.
    pub position: u16,
    /// The side over which it goes into the unknown; none for a visit.
    pub explores: Option<Dir>,
}

/// All of them on a map.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// Their number, which changes when they do, and what they were found on: the chart and the cells of own Agents.
    stamp: u64,
    chart: u64,
    agents: [CellId; MAX_AGENTS],
    /// Sides over which tiles of a colour are drawn.
    explored: [Group; 2],
    visits: Vec<Site>,
    /// The states of the piles for which the worth was found, none if it was not.
    piles: Option<[u32; 2]>,
    /// What all of a group gain; scratch.
    gains: Vec<f64>,
}

impl Sites {
    pub fn new() -> Self {
        Self {
            stamp: 0,
            chart: 0,
            agents: [0; MAX_AGENTS],
            explored: Default::default(),
            visits: Vec::new(),
            piles: None,
            gains: Vec::new(),
        }
    }

    /// Other chances hold from now on.
    pub fn forget_odds(&mut self) {
        self.piles = None;
    }

    /// Brings everything up to date. The chart has this number; `stamp` is the last number given to sites.
    pub fn update(
        &mut self,
        observation: &Observation<'_>,
        seat: usize,
        chart: u64,
        odds: &mut OddsTable,
        stamp: &mut u64,
    ) {
        let agents = &observation.players()[seat].agent;
        let is_same = |(cell, agent): (&CellId, &Agent)| *cell == agent.cell;
        if self.chart != chart || !self.agents.iter().zip(agents).all(is_same) {
            *stamp += 1;
            (self.stamp, self.chart) = (*stamp, chart);
            self.agents = std::array::from_fn(|number| agents[number].cell);
            self.piles = None;
            self.find(observation, seat);
        }
        let piles = odds.changes();
        if self.piles != Some(piles) {
            self.piles = Some(piles);
            self.weigh(observation, odds);
        }
    }

    fn find(&mut self, observation: &Observation<'_>, seat: usize) {
        let (map, inland) = (observation.map(), observation.variant().inland);
        self.visits.clear();
        self.explored.iter_mut().for_each(Group::clear);
        let mut place = 0;
        for (cell, tile) in (0..).zip(map.cells()) {
            if !tile.is_placed() {
                continue;
            }
            let is_own = tile.agent != NO_AGENT && usize::from(tile.agent.seat()) == seat;
            if tile.ground == Ground::Wonder || is_own {
                let (side, crossing) = (Dir::North, Crossing::Downwind);
                self.visits.push(Site { cell, side, crossing, place });
                place += 1;
            }
            if tile.ground == Ground::City {
                continue;
            }
            for side in Dir::ALL.iter().copied().filter(|side| tile.open & side.bit() != 0) {
                let crossing = observation.crossing(cell, side);
                let back = if crossing == Crossing::Land && inland { Back::Land } else { Back::Water };
                self.explored[back as usize].sites.push(Site { cell, side, crossing, place });
                place += 1;
            }
        }
    }

    /// What explorations may bring.
    fn weigh(&mut self, observation: &Observation<'_>, odds: &mut OddsTable) {
        for (back, group) in Back::ALL.iter().copied().zip(&mut self.explored) {
            let sites = std::mem::take(&mut group.sites);
            group.clear();
            for Site { cell, side, .. } in sites.iter().copied() {
                let (odds, reward, gap) = weigh(observation, odds, back, cell, side);
                group.wonder.push(odds.wonder * reward);
                group.placed.push(odds.placed);
                group.disaster.push(odds.disaster);
                group.gap.push(gap);
            }
            group.sites = sites;
        }
    }

    /// Where the ways to all of them end, and what they cost with the way home, is kept with the ways.
    pub fn follow(&self, here: CellId, ways: &mut Ways, net: &Net, turn_states: &TurnStates, haste: f64) {
        if ways.sites == self.stamp {
            return;
        }
        ways.sites = self.stamp;
        let mut ends = std::mem::take(&mut ways.ends);
        let mut costs = std::mem::take(&mut ways.costs);
        ends.clear();
        costs.clear();
        // Each move brings the errand chosen nearer by one and no other by more, so that none is given up for
        // another only because of where the way leads.
        let mut end = |cell: CellId, position: u16, more: u16| {
            ends.push(position);
            costs.push(match position {
                NOWHERE => f64::NAN,
                _ => cost(
                    haste,
                    ways.cost_to(position) + more,
                    net.home_in(cell, ways.state_at(cell, position)),
                ),
            });
        };
        for Site { cell, .. } in self.visits.iter().copied() {
            end(cell, if cell == here { NOWHERE } else { ways.first_of(cell) }, 0);
        }
        let mut last = (NO_CELL, Crossing::Land, NOWHERE);
        for Site { cell, crossing, .. } in self.explored.iter().flat_map(|group| &group.sites).copied() {
            if (last.0, last.1) != (cell, crossing) {
                last = (cell, crossing, ways.cheapest_of(cell, turn_states.may(crossing)));
            }
            end(cell, last.2, 1);
        }
        (ways.ends, ways.costs) = (ends, costs);
    }

    /// The first of those that gain most, if one gains more than this.
    pub fn best(
        &mut self,
        observation: &Observation<'_>,
        seat: usize,
        ways: &Ways,
        terms: &Terms,
        least: f64,
    ) -> Option<Gain> {
        let Terms { chart, finish, at_risk, price } = *terms;
        // The gain, its place, its number among the ends of ways, and the side. Nothing comes before the place 0.
        let mut best = (least, 0, usize::MAX, None);
        // Ways that do not exist cost no number, which is never more.
        let (costs, others) = ways.costs.split_at(self.visits.len());
        for (index, (visit, cost)) in self.visits.iter().zip(costs).enumerate() {
            let value = value_of_visit(observation, seat, visit.cell);
            let this = value - price * cost;
            if this > best.0 && value > 0.0 {
                best = (this, visit.place, index, None);
            }
        }
        let mut first = self.visits.len();
        let (water, land) = others.split_at(self.explored[0].sites.len());
        for ((group, costs), finish) in self.explored.iter().zip([water, land]).zip(finish) {
            self.gains.clear();
            let Group { sites, wonder, placed, disaster, gap } = group;
            let worth = wonder.iter().zip(placed).zip(disaster).zip(gap).zip(costs);
            self.gains.extend(worth.map(|((((wonder, placed), disaster), gap), cost)| {
                let value = wonder + placed * (gap + chart + finish) - disaster * at_risk;
                let this = value - price * cost;
                if value > 0.0 { this } else { f64::NAN }
            }));
            for (index, this) in self.gains.iter().enumerate() {
                if *this >= best.0 && (*this > best.0 || sites[index].place < best.1) {
                    best = (*this, sites[index].place, first + index, Some(sites[index].side));
                }
            }
            first += sites.len();
        }
        let (gain, _, index, explores) = best;
        ways.ends.get(index).map(|position| Gain { gain, position: *position, explores })
    }
}

/// What a way costs of so many moves there, and so many home.
#[inline]
pub(crate) fn cost(haste: f64, there: u16, home: u16) -> f64 {
    haste * f64::from(there) + f64::from(home.min(200))
}

/// What an exploration from a cell over a side may bring: the odds, the wealth that a wonder brings, and the wealth for the
/// edges that the tile meets.
#[inline]
pub(crate) fn weigh(
    observation: &Observation<'_>,
    odds: &mut OddsTable,
    back: Back,
    cell: CellId,
    side: Dir,
) -> (Odds, f64, f64) {
    let (map, variant, is_pirate) = (observation.map(), observation.variant(), observation.hero().pirate);
    let target = map.cell(map.neighbour(cell, side));
    let odds = odds.of(observation, back, map.cell(cell).wind, side, target);
    let reward = reward(variant, back, target, is_pirate);
    let (water, land) = target.gap(side.opposite());
    let gap = water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land);
    (odds, f64::from(reward), f64::from(gap))
}

/// What a visit to a cell is worth now.
#[inline]
pub(crate) fn value_of_visit(observation: &Observation<'_>, seat: usize, cell: CellId) -> f64 {
    let (tile, hero) = (observation.map().cell(cell), observation.hero());
    let mut value = 0.0;
    if tile.ground == Ground::Wonder && hero.used >> tile.wonder & 1 == 0 && !hero.pirate {
        value += f64::from(observation.variant().trade);
    }
    if tile.agent != NO_AGENT && usize::from(tile.agent.seat()) == seat {
        let agent = &observation.players()[seat].agent[usize::from(tile.agent.number())];
        value += f64::from(agent.wealth);
    }
    value
}
