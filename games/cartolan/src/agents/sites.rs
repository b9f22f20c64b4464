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
    /// The side to explore, and its crossing; `None` for a visit of the cell.
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
    /// The additional moves and the errand of meeting an Adventurer on this cell.
    #[inline]
    pub fn to_meet(cell: CellId, here: CellId) -> (u16, Self) {
        if cell == here { (1, Self::Wait) } else { (0, Self::Visit) }
    }
}

/// The errand with the largest gain so far. Among equals the first is kept.
pub(crate) struct Best {
    gain: f64,
    /// The position on arrival, and the errand.
    pub errand: Option<(u16, Errand)>,
}

impl Best {
    pub fn above(gain: f64) -> Self {
        Self { gain, errand: None }
    }

    /// Keeps this errand if it is worthwhile and its gain is larger. Returns true if it is kept.
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
    /// The version of these sites.
    stamp: u64,
    /// The version of the chart from which the sites were computed.
    chart: u64,
    /// The cells of the own Agents from which the sites were computed.
    agents: [CellId; MAX_AGENTS],
    /// Sites by cell; each cell has its visit first, then its sides.
    sites: Vec<Site>,
    /// The versions of the piles from which the prospects were computed; `None` if they are outdated.
    piles: Option<[u32; 2]>,
    /// Prospects by site; blank for visits.
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

    /// Marks the prospects as outdated. Call this when the probabilities have changed.
    pub fn forget_odds(&mut self) {
        self.piles = None;
    }

    /// Brings the sites up to date. `chart` is the chart's version; `stamp` is the last version used for
    /// sites.
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

    /// Stores in `ways` the position on arrival at each site, and the cost of the paths there and home.
    pub fn follow(&self, here: CellId, ways: &mut Ways, net: &Net, turn_states: &TurnStates, haste: f64) {
        if ways.sites == self.stamp {
            return;
        }
        ways.sites = self.stamp;
        let mut ends = std::mem::take(&mut ways.ends);
        ends.clear();
        // Each step of the path brings the chosen errand nearer by one move, and no other errand by more. So
        // a step never makes another errand preferable.
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

    /// Offers every site to `best`.
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
            // A site without a path has the cost NaN; comparisons with NaN are false.
            best.offer(value, terms.price * cost, *position, errand);
        }
    }
}

/// The weighted cost in moves of a path of `there` moves and a path home of `home` moves. The moves out are
/// weighted by `haste`, and at most [`MAX_HOME`] moves home count.
#[inline]
pub(crate) fn cost(haste: f64, there: u16, home: u16) -> f64 {
    haste * f64::from(there) + f64::from(home.min(MAX_HOME))
}
