//! The merchant: knows what ways cost, and goes where a move earns most.
//!
//! Every errand (a trade, an own Agent's wealth, an unknown cell, a pirate to arrest, somebody to rob) has a
//! value and a cost in moves: the way there, plus what the way home grows by. The merchant runs the errand
//! whose value most exceeds its cost at the going rate, and banks when none does.

use meeple_core::{Agent, AgentInfo, Seat, Turn, params};

use crate::action::Action;
use crate::agents::gait::{FAR, Gaits, Lead, Ways};
use crate::map::{CellId, Crossing, Ground, NO_AGENT};
use crate::observe::Observation;
use crate::rules::Cartolan;
use crate::rules::options;
use crate::state::Step;
use crate::tiles::{Back, Dir, Mark};

params! {
    /// What the merchant can be told.
    pub struct Ledger {
        /// Wealth that a move is worth.
        pub rate: f64 = 0.05 => "rate", real(0.0, 5.0);
        /// Value of an explored tile beside what may stand on it.
        pub chart: f64 = 0.0 => "chart", real(0.0, 5.0);
        /// Part of the Chest that a move under way puts at risk.
        pub risk: f64 = 0.01 => "risk", real(0.0, 1.0);
        /// Vault from which it hires no more Adventurers.
        pub thrift: u16 = 0 => "thrift", int(0, 1000);
        /// Whether it robs others.
        pub robs: bool = true => "robs", switch();
        /// Least prize for which it turns pirate.
        pub prize: u16 = 4 => "prize", int(1, 100);
        /// Chest from which it places Agents on wonders; 0 for never.
        pub settle: u16 = 0 => "settle", int(0, 1000);
    }
}

/// The player.
struct Merchant {
    ledger: Ledger,
    seat: usize,
    /// One for every set of limits that has come up.
    gaits: Vec<Gaits>,
    /// Which of them holds now.
    gait: usize,
    ways: Ways,
}

impl Agent<Cartolan> for Merchant {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.seat = seat.index();
        self.ways.forget();
    }

    fn act(&mut self, turn: Turn<'_, Cartolan>) -> Action {
        let observation = turn.observe();
        match observation.step() {
            Step::Move => self.sail(&observation),
            Step::Act => self.act_here(&observation),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(&observation),
            Step::Pick => {
                let player = &observation.players()[self.seat];
                let moved = observation.turn().moved;
                let ready = |number: &u8| {
                    moved >> number & 1 == 0
                        && player.adventurer[usize::from(*number)].moves_from <= observation.round()
                };
                Action::Pick((0..player.adventurers).find(ready).unwrap_or(0))
            }
            Step::TryChart(dir) => {
                let fits = |which: &u8| {
                    observation.fitting_wind(dir, observation.chart(observation.hero(), *which)).is_some()
                };
                (0..observation.hero().charts).find(fits).map_or(Action::Draw, Action::Chart)
            }
            Step::Reward => Action::Wealth,
            Step::Equip => {
                let mask = observation.equippable();
                match observation.hero().gear {
                    None => Action::Equip(crate::cards::Effect::ALL[mask.trailing_zeros() as usize]),
                    Some(_) => Action::Keep,
                }
            }
            Step::ChoosePerson(_, _, low, _) => Action::Name(low),
            Step::Relocate(..) => Action::Relocate(observation.players()[self.seat].placed_agents()[0]),
            Step::Send(_) => Action::Send(1),
            _ => Action::Done,
        }
    }
}

/// What to do for an errand once its way is behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errand {
    /// Go there.
    Visit,
    /// From there, go over this side into the unknown.
    Explore(Dir),
    /// Stay there and wait.
    Wait,
    /// Go to a city.
    Home,
}

impl Merchant {
    /// How far the own Vault is ahead of the best other, or behind.
    fn ahead(&self, observation: &Observation<'_>) -> i64 {
        let players = observation.players();
        let others = players.iter().enumerate().filter(|(seat, _)| *seat != self.seat);
        let best = others.map(|(_, player)| i64::from(player.vault)).max().unwrap_or(0);
        i64::from(players[self.seat].vault) - best
    }

    fn sail(&mut self, observation: &Observation<'_>) -> Action {
        if observation.turn().overtime {
            return Action::End;
        }
        let limits = observation.limits();
        let known = self.gaits.iter().position(|gaits| gaits.fits(limits));
        self.gait = known.unwrap_or_else(|| {
            self.gaits.push(Gaits::new(observation.variant(), limits));
            self.gaits.len() - 1
        });
        let gaits = &self.gaits[self.gait];
        self.ways.look(observation, gaits, self.seat);
        let (target, errand) = self.choose(observation);
        let (go, _) = observation.ways();
        let here = observation.here();
        let action = if target == here {
            match errand {
                Errand::Explore(dir) if go & dir.bit() != 0 => Action::Go(dir),
                Errand::Explore(_) | Errand::Visit | Errand::Wait | Errand::Home => Action::Wait,
            }
        } else {
            match self.ways.lead[usize::from(target)] {
                Lead::Go(dir) if go & dir.bit() != 0 => Action::Go(dir),
                _ => Action::Wait,
            }
        };
        if action == Action::Wait && !self.wait_pays(observation, errand) && !self.scripted(observation) {
            return self.drift(observation).unwrap_or(Action::End);
        }
        action
    }

    fn scripted(&self, observation: &Observation<'_>) -> bool {
        observation.variant().act_order == crate::variant::ActOrder::Scripted
    }

    /// Whether a wait here does anything.
    fn wait_pays(&self, observation: &Observation<'_>, errand: Errand) -> bool {
        let here = observation.here();
        let cell = observation.map().cell(here);
        errand == Errand::Wait || (errand == Errand::Home && cell.ground == Ground::City)
    }

    /// A roll for a gust where the way home is upwind and the rest of the turn would be lost.
    fn drift(&self, observation: &Observation<'_>) -> Option<Action> {
        let (_, gust) = observation.ways();
        let here = observation.here();
        let now = self.ways.home_from(here);
        let better = |dir: &Dir| {
            let to = observation.map().neighbour(here, *dir);
            gust & dir.bit() != 0
                && observation.map().cell(to).is_placed()
                && self.ways.home_from(to).saturating_add(2) < now
                && observation.hero().chest > 0
        };
        Dir::ALL.iter().copied().find(better).map(Action::Gust)
    }

    fn choose(&self, observation: &Observation<'_>) -> (CellId, Errand) {
        let hero = observation.hero();
        let map = observation.map();
        let variant = observation.variant();
        let here = observation.here();
        let home = self.home(observation);
        let chest = f64::from(hero.chest);
        let ahead = self.ahead(observation);
        // The game is won by banking this.
        if ahead + i64::from(hero.chest) > i64::from(variant.margin) && hero.chest > 0 {
            return home;
        }
        // The tiles run out: what is not banked is lost.
        let water = observation.pile(Back::Water);
        let land = observation.pile(Back::Land);
        let left = match variant.inland {
            true => (water.left() + water.discards_sum).min(land.left() + land.discards_sum),
            false => water.left() + water.discards_sum,
        };
        let home_cost = self.ways.home_after(here);
        if hero.chest > 0 && u32::from(left) < u32::from(home_cost) / 2 + 2 {
            return home;
        }
        let mut best = (0.0, home);
        let mut any = (f64::MIN, home);
        let price = self.ledger.rate + self.ledger.risk * chest;
        let now = f64::from(home_cost.min(200));
        let mut offer = |value: f64, cell: CellId, errand: Errand, extra: f64| {
            let there = self.ways.cost[usize::from(cell)];
            if there == FAR || value <= 0.0 {
                return;
            }
            let back = f64::from(self.ways.home_after(cell).min(200));
            let detour = f64::from(there) + extra;
            let gain = value - price * (detour + back - now).max(detour * 0.25);
            if gain > best.0 {
                best = (gain, (cell, errand));
            }
            let rate = value / (detour + 0.5);
            if rate > any.0 {
                any = (rate, (cell, errand));
            }
        };
        let odds = |back: Back| {
            let pile = observation.pile(back);
            let mut wonders = 0.0;
            let mut all = 0.0;
            for (kind, index) in observation.kinds(back).iter().zip(0..) {
                let count = f64::from(pile.fresh[index]) + f64::from(pile.known[index]);
                let count = count + if pile.left() < 5 { f64::from(pile.discards[index]) } else { 0.0 };
                all += count;
                if kind.mark == Mark::Wonder {
                    wonders += count;
                }
            }
            if all > 0.0 { wonders / all } else { 0.0 }
        };
        let (water_odds, land_odds) = (odds(Back::Water), odds(Back::Land));
        for (id, cell) in map.cells().iter().enumerate() {
            let id = id as CellId;
            if !cell.is_placed() || self.ways.cost[usize::from(id)] == FAR {
                continue;
            }
            let mut value = 0.0;
            if cell.ground == Ground::Wonder && hero.used >> cell.wonder & 1 == 0 && !hero.pirate {
                value += f64::from(variant.trade);
            }
            if cell.agent != NO_AGENT && usize::from(cell.agent >> 3) == self.seat {
                let agent = &observation.players()[self.seat].agent[usize::from(cell.agent & 7)];
                value += f64::from(agent.wealth);
            }
            if id != here {
                offer(value, id, Errand::Visit, 0.0);
            }
            if cell.ground == Ground::City {
                continue;
            }
            for dir in Dir::ALL.iter().copied() {
                let to = cell.neighbours[dir.index()];
                let target = map.cell(to);
                if target.is_placed() {
                    continue;
                }
                let crossing = observation.crossing(id, dir);
                let wait = self.wait_for(observation, id, crossing);
                let (odds, reward) = match (crossing == Crossing::Land && variant.inland, target.in_domain) {
                    (true, false) => (land_odds, variant.reward_land),
                    (false, false) => (water_odds, variant.reward_water),
                    (true, true) => (land_odds, variant.trade),
                    (false, true) => (water_odds, variant.trade),
                };
                let (water, land) = target.gap(dir.opposite());
                let gap = water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land);
                let value = odds * f64::from(reward) + f64::from(gap) + self.ledger.chart;
                offer(value, id, Errand::Explore(dir), 1.0 + wait);
            }
        }
        if variant.inland {
            self.offer_prey(observation, &mut offer);
        }
        if hero.chest > 0 || best.0 > 0.0 { best.1 } else { any.1 }
    }

    /// Moves lost before this crossing is possible from a cell, given the state of the turn there.
    fn wait_for(&self, observation: &Observation<'_>, cell: CellId, crossing: Crossing) -> f64 {
        let gaits = &self.gaits[self.gait];
        f64::from(gaits.delay(usize::from(self.ways.state[usize::from(cell)]), crossing))
            + if observation.here() == cell { 0.0 } else { 0.01 }
    }

    /// Pirates to arrest, and Adventurers to rob.
    fn offer_prey(&self, observation: &Observation<'_>, offer: &mut impl FnMut(f64, CellId, Errand, f64)) {
        let hero = observation.hero();
        let here = observation.here();
        let chance = observation.variant().conflict_probability();
        for (seat, player) in observation.players().iter().enumerate() {
            if seat == self.seat {
                continue;
            }
            for number in 0..usize::from(player.adventurers) {
                let other = &player.adventurer[number];
                let cell = player.at[number];
                if observation.map().cell(cell).ground == Ground::City {
                    continue;
                }
                let prize = if other.pirate {
                    f64::from(observation.variant().arrest_reward) + f64::from(other.chest) * 0.3
                } else if self.would_rob(hero.chest, other.chest) {
                    f64::from(other.chest.div_ceil(2)) * 1.3
                } else {
                    continue;
                };
                let errand = if cell == here { Errand::Wait } else { Errand::Visit };
                let extra = if cell == here { 1.0 } else { 0.0 };
                offer(prize * chance, cell, errand, extra);
            }
        }
    }

    fn would_rob(&self, own: u16, other: u16) -> bool {
        self.ledger.robs && other.div_ceil(2) >= self.ledger.prize && own <= other
    }

    fn home(&self, observation: &Observation<'_>) -> (CellId, Errand) {
        let cities = [Some(0), observation.second_city()];
        let nearest = cities
            .into_iter()
            .flatten()
            .filter(|city| self.ways.cost[usize::from(*city)] != FAR)
            .min_by_key(|city| self.ways.cost[usize::from(*city)]);
        (nearest.unwrap_or(observation.here()), Errand::Home)
    }

    fn act_here(&self, observation: &Observation<'_>) -> Action {
        let mut left = observation.offered();
        while left != 0 {
            let option = left.trailing_zeros() as u8;
            left &= left - 1;
            if self.wants(observation, option) {
                return options::action(option);
            }
        }
        Action::Done
    }

    fn wants(&self, observation: &Observation<'_>, option: u8) -> bool {
        let hero = observation.hero();
        let cell = observation.map().cell(observation.here());
        let turn = observation.turn();
        match option {
            options::TRADE | options::COLLECT => true,
            options::RESTORE => hero.chest > 2,
            options::REST if usize::from(cell.agent >> 3) == self.seat => turn.total() > 0,
            options::REST => turn.total() + 1 >= observation.limits().moves && hero.chest > 1,
            options::ATTACK_AGENT => false,
            options::COURT => {
                let won = 1.0 - observation.variant().conflict_probability();
                won * f64::from(cell.dropped.div_ceil(2)) > (1.0 - won) * f64::from(hero.chest)
            }
            options::PLACE => {
                let player = &observation.players()[self.seat];
                self.ledger.settle > 0
                    && hero.chest >= self.ledger.settle
                    && player.agents_placed < observation.variant().agents
                    && cell.ground == Ground::Wonder
            }
            options::COURIER.. => false,
            _ => {
                let (seat, number) = options::attacked(option);
                let other = &observation.players()[usize::from(seat)].adventurer[usize::from(number)];
                other.pirate || self.would_rob(hero.chest, other.chest)
            }
        }
    }

    fn shop(&self, observation: &Observation<'_>) -> Action {
        let player = &observation.players()[self.seat];
        let price = u32::from(observation.variant().price_adventurer);
        let thrifty = player.vault >= u32::from(self.ledger.thrift);
        let ahead = self.ahead(observation);
        let margin = i64::from(observation.variant().margin);
        // Nobody else may win by what is spent, and a lead that is nearly enough is kept.
        let players = observation.players();
        let others = players.iter().enumerate().filter(|(seat, _)| *seat != self.seat);
        let best = others.map(|(_, other)| i64::from(other.vault + other.chests())).max().unwrap_or(0);
        let safe = best - (i64::from(player.vault) - i64::from(price)) < margin;
        if observation.can_hire_adventurer() && !thrifty && safe && ahead * 2 < margin + i64::from(price) {
            return Action::HireAdventurer;
        }
        Action::Done
    }
}

pub(crate) fn info() -> AgentInfo<Cartolan> {
    AgentInfo::new(
        "merchant",
        "Weighs every errand against its way there and home, arrests pirates, and banks in time.",
        |_: &Cartolan, ledger: Ledger| Ok(Merchant { ledger, seat: 0, gaits: Vec::new(), gait: 0, ways: Ways::new() }),
    )
}
