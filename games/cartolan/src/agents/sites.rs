//! Errands at fixed places: wonders, own Agents, and sides to explore.

use crate::map::{CellId, Crossing, Ground, NO_CELL};
use crate::observe::Observation;
use crate::odds::AllOdds;
use crate::state::Agent;
use crate::tiles::Dir;
use crate::variant::MAX_AGENTS;
use crate::ways::MAX_HOME;
use crate::ways::chart::Net;
use crate::ways::routes::{NOWHERE, Ways};
use crate::ways::turn_states::TurnStates;
use crate::worth::{Prospect, Terms, visit};

#[derive(Clone, Copy, Debug)]
struct Site {
    cell: CellId,
    /// The side to explore, and its crossing; `None` for a visit.
    explores: Option<(Dir, Crossing)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errand {
    Visit,
    Explore(Dir),
    Wait,
    Home,
}

impl Errand {
    /// An errand to meet somebody on this cell, and its additional moves.
    #[inline]
    pub fn to_meet(cell: CellId, here: CellId) -> (u16, Self) {
        if cell == here { (1, Self::Wait) } else { (0, Self::Visit) }
    }
}

/// The errand with the largest gain so far, first among equals.
pub(crate) struct Best {
    gain: f64,
    /// The position on arrival, and the errand.
    pub errand: Option<(u16, Errand)>,
}

impl Best {
    pub fn above(gain: f64) -> Self {
        Self { gain, errand: None }
    }

    /// Takes a worthwhile errand with a larger gain. Returns true if it did.
    #[inline(always)]
    pub fn offer(&mut self, value: f64, cost: f64, position: u16, errand: Errand) -> bool {
        let gain = value - cost;
        let is_better = value > 0.0 && gain > self.gain;
        if is_better {
            *self = Self { gain, errand: Some((position, errand)) };
        }
        is_better
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// The version, and the data that it was computed from: the chart and the cells of own Agents.
    stamp: u64,
    chart: u64,
    agents: [CellId; MAX_AGENTS],
    /// In order: cells, then the visit, then sides.
    sites: Vec<Site>,
    /// The states of the piles that the prospects belong to; `None` before they are computed.
    piles: Option<[u32; 2]>,
    /// By site; none for visits.
    prospects: Vec<Prospect<f64>>,
}

impl Sites {
    pub fn new() -> Self {
        Self {
            stamp: 0,
            chart: 0,
            agents: [0; MAX_AGENTS],
            sites: Vec::new(),
            piles: None,
            prospects: Vec::new(),
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
        self.sites.clear();
        for (cell, tile) in (0..).zip(observation.map().cells()).filter(|(_, tile)| tile.is_placed()) {
            if tile.ground == Ground::Wonder || tile.agent_of(seat).is_some() {
                self.sites.push(Site { cell, explores: None });
            }
            if tile.ground != Ground::City {
                let sides = Dir::ALL.iter().copied().filter(|side| tile.open & side.bit() != 0);
                self.sites.extend(
                    sides.map(|side| Site { cell, explores: Some((side, observation.crossing(cell, side))) }),
                );
            }
        }
    }

    fn weigh(&mut self, observation: &Observation<'_>, odds: &mut AllOdds) {
        let (inland, is_pirate) = (observation.variant().inland, observation.hero().pirate);
        self.prospects.clear();
        self.prospects.extend(self.sites.iter().map(|site| match site.explores {
            None => Prospect::default(),
            Some((side, crossing)) => {
                Prospect::of(observation, odds, is_pirate, (site.cell, side), crossing.draws(inland))
            }
        }));
    }

    /// Stores with the paths the position on arrival at each site, and the cost of the paths there and home.
    pub fn follow(&self, here: CellId, ways: &mut Ways, net: &Net, turn_states: &TurnStates, haste: f64) {
        if ways.sites == self.stamp {
            return;
        }
        ways.sites = self.stamp;
        let mut ends = std::mem::take(&mut ways.ends);
        ends.clear();
        // Each move brings the chosen errand nearer by one and no other by more, so the path's
        // direction drops no errand.
        let mut last = (NO_CELL, Crossing::Land, NOWHERE);
        ends.extend(self.sites.iter().map(|site| {
            let cell = site.cell;
            let (position, more) = match site.explores {
                None if cell == here => (NOWHERE, 0),
                None => (ways.first_of(cell), 0),
                Some((_, crossing)) => {
                    if (last.0, last.1) != (cell, crossing) {
                        last = (cell, crossing, ways.cheapest_of(cell, turn_states.may(crossing)));
                    }
                    (last.2, 1)
                }
            };
            let cost = match position {
                NOWHERE => f64::NAN,
                _ => {
                    let home = net.home_in(cell, ways.state_at(cell, position));
                    cost(haste, ways.cost_to(position) + more, home)
                }
            };
            (position, cost)
        }));
        ways.ends = ends;
    }

    /// Offers all sites.
    pub fn offer(
        &self,
        observation: &Observation<'_>,
        seat: usize,
        ways: &Ways,
        terms: &Terms<f64>,
        best: &mut Best,
    ) {
        let (map, hero, inland) = (observation.map(), observation.hero(), observation.variant().inland);
        for ((site, prospect), (position, cost)) in self.sites.iter().zip(&self.prospects).zip(&ways.ends) {
            let (value, errand) = match site.explores {
                None => (visit(observation, seat, hero, map.cell(site.cell)).into(), Errand::Visit),
                Some((side, crossing)) => {
                    (prospect.value(crossing.draws(inland), terms), Errand::Explore(side))
                }
            };
            // Missing paths have the cost NaN, and comparisons with NaN are false.
            best.offer(value, terms.price * cost, *position, errand);
        }
    }
}

/// The cost of a path of `there` moves and a path home of `home` moves.
#[inline]
pub(crate) fn cost(haste: f64, there: u16, home: u16) -> f64 {
    haste * f64::from(there) + f64::from(home.min(MAX_HOME))
}
