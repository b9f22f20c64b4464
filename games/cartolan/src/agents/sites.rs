//! Errands at fixed places: wonders, own Agents, and sides to explore.

use crate::map::{CellId, Crossing, Ground, NO_CELL};
use crate::observe::Observation;
use crate::odds::AllOdds;
use crate::state::Agent;
use crate::tiles::{Back, Dir};
use crate::variant::MAX_AGENTS;
use crate::ways::MAX_HOME;
use crate::ways::chart::Net;
use crate::ways::routes::{NOWHERE, Ways};
use crate::ways::turn_states::TurnStates;
use crate::worth::{Prospect, Terms, visit};

#[derive(Clone, Copy, Debug)]
struct Site {
    cell: CellId,
    /// The side to explore, and its crossing.
    side: Dir,
    crossing: Crossing,
    /// The order of sites: cells, then the visit, then sides.
    place: u16,
}

/// Sites of one kind, with the parts of their values that are independent of the decision; arrays by site.
#[derive(Clone, Debug, Default)]
struct Group {
    sites: Vec<Site>,
    /// The reward of a wonder times its probability.
    wonder: Vec<f64>,
    placed: Vec<f64>,
    disaster: Vec<f64>,
    /// Wealth for edges that the tile meets.
    gap: Vec<f64>,
}

impl Group {
    fn clear(&mut self) {
        let Self { sites, wonder, placed, disaster, gap } = self;
        sites.clear();
        [wonder, placed, disaster, gap].into_iter().for_each(Vec::clear);
    }
}

/// The errand with the largest gain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    pub gain: f64,
    /// The position on arrival.
    pub position: u16,
    /// `None` for a visit.
    pub explores: Option<Dir>,
}

#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// The version, and the data that it was computed from: the chart and the cells of own Agents.
    stamp: u64,
    chart: u64,
    agents: [CellId; MAX_AGENTS],
    /// Sides to explore, by colour of the tiles drawn.
    explored: [Group; 2],
    visits: Vec<Site>,
    /// The states of the piles that the values belong to; `None` before they are computed.
    piles: Option<[u32; 2]>,
    /// The gains of a group; scratch.
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

    /// Call it when the chances have changed.
    pub fn forget_odds(&mut self) {
        self.piles = None;
    }

    /// `chart` is the chart's version, `stamp` the last version of sites.
    pub fn update(
        &mut self,
        observation: &Observation<'_>,
        seat: usize,
        chart: u64,
        odds: &mut AllOdds,
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
            if tile.ground == Ground::Wonder || tile.agent_of(seat).is_some() {
                let (side, crossing) = (Dir::North, Crossing::Downwind);
                self.visits.push(Site { cell, side, crossing, place });
                place += 1;
            }
            if tile.ground == Ground::City {
                continue;
            }
            for side in Dir::ALL.iter().copied().filter(|side| tile.open & side.bit() != 0) {
                let crossing = observation.crossing(cell, side);
                self.explored[crossing.draws(inland) as usize].sites.push(Site {
                    cell,
                    side,
                    crossing,
                    place,
                });
                place += 1;
            }
        }
    }

    fn weigh(&mut self, observation: &Observation<'_>, odds: &mut AllOdds) {
        let is_pirate = observation.hero().pirate;
        for (back, group) in Back::ALL.iter().copied().zip(&mut self.explored) {
            let sites = std::mem::take(&mut group.sites);
            group.clear();
            for Site { cell, side, .. } in sites.iter().copied() {
                let prospect = Prospect::of(observation, odds, is_pirate, (cell, side), back);
                group.wonder.push(prospect.wonder);
                group.placed.push(prospect.placed);
                group.disaster.push(prospect.disaster);
                group.gap.push(prospect.gap);
            }
            group.sites = sites;
        }
    }

    /// Stores with the paths the position on arrival at each site, and the cost of the paths there and home.
    pub fn follow(&self, here: CellId, ways: &mut Ways, net: &Net, turn_states: &TurnStates, haste: f64) {
        if ways.sites == self.stamp {
            return;
        }
        ways.sites = self.stamp;
        let mut ends = std::mem::take(&mut ways.ends);
        let mut costs = std::mem::take(&mut ways.costs);
        ends.clear();
        costs.clear();
        // Each move brings the chosen errand nearer by one and no other by more, so the path's
        // direction drops no errand.
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

    /// The first site with the largest gain above `least`.
    pub fn best(
        &mut self,
        observation: &Observation<'_>,
        seat: usize,
        ways: &Ways,
        terms: &Terms<f64>,
        least: f64,
    ) -> Option<Gain> {
        let (hero, price) = (observation.hero(), terms.price);
        // Gain, place, index among the arrivals, and side. No place is below 0.
        let mut best = (least, 0, usize::MAX, None);
        // Missing paths have the cost NaN, and comparisons with NaN are false.
        let (costs, others) = ways.costs.split_at(self.visits.len());
        for (index, (site, cost)) in self.visits.iter().zip(costs).enumerate() {
            let value = f64::from(visit(observation, seat, hero, observation.map().cell(site.cell)));
            let this = value - price * cost;
            if this > best.0 && value > 0.0 {
                best = (this, site.place, index, None);
            }
        }
        let mut first = self.visits.len();
        let (water, land) = others.split_at(self.explored[0].sites.len());
        let groups = self.explored.iter().zip([water, land]).zip(Back::ALL.iter().copied());
        for ((group, costs), back) in groups {
            self.gains.clear();
            let Group { sites, wonder, placed, disaster, gap } = group;
            let worth = wonder.iter().zip(placed).zip(disaster).zip(gap).zip(costs);
            self.gains.extend(worth.map(|((((&wonder, &placed), &disaster), &gap), cost)| {
                let value = Prospect { wonder, placed, disaster, gap }.value(back, terms);
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

/// The cost of a path of `there` moves and a path home of `home` moves.
#[inline]
pub(crate) fn cost(haste: f64, there: u16, home: u16) -> f64 {
    haste * f64::from(there) + f64::from(home.min(MAX_HOME))
}
