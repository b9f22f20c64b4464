//! The merchant: knows what ways cost, and goes where a move earns most.
//!
//! Every errand (a trade, an own Agent's wealth, an unknown cell, a pirate to arrest, somebody to rob) has a
//! value and a cost in moves: the way there, plus what the way home grows by. The merchant runs the errand
//! whose value most exceeds its cost at the going rate, and banks when none does.

use meeple_core::{Agent, AgentInfo, Seat, Turn, params};

use crate::action::Action;
use crate::agents::plain::{first_wanted, plain_choice};
use crate::agents::routes::{FAR, FirstMove, Routes, TurnStates};
use crate::game::Cartolan;
use crate::map::{Cell, CellId, Crossing, Ground, NO_AGENT};
use crate::observe::Observation;
use crate::pile::Pile;
use crate::rules::options;
use crate::state::Step;
use crate::tiles::{Back, Dir, Mark, Wind};
use crate::variant::{ActOrder, Exploration, MAX_ADVENTURERS, PirateAtDisaster};

params! {
    /// What the merchant can be told.
    pub struct Ledger {
        /// Wealth that a move is worth.
        pub rate: f64 = 0.05 => "rate", real(0.0, 5.0);
        /// Value of a placed tile, beside what stands on it, to a player who is ahead.
        pub chart: f64 = 0.1 => "chart", real(0.0, 5.0);
        /// The same to everybody, by the round.
        pub boredom: f64 = 0.003 => "boredom", real(0.0, 1.0);
        /// Tiles that others place in a turn when the end is near.
        pub fear: f64 = 1.5 => "fear", real(0.0, 10.0);
        /// Cost of a move on the way there, if one on the way home costs 1.
        pub haste: f64 = 1.25 => "haste", real(0.1, 10.0);
        /// Part of the Chest that a move under way puts at risk.
        pub risk: f64 = 0.01 => "risk", real(0.0, 1.0);
        /// Rounds after which it fears the end half as much.
        pub patience: u16 = 200 => "patience", int(1, 10000);
        /// Chest, times the fear of the end, below which it does not hurry home.
        pub trifle: f64 = 1.0 => "trifle", real(0.0, 100.0);
        /// Value of placing the last tile of a colour, to a player who is ahead; what it costs one who is behind.
        pub finish: f64 = 60.0 => "finish", real(0.0, 1000.0);
        /// Vault from which it hires Adventurers.
        pub wealthy: u16 = 40 => "wealthy", int(0, 10000);
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
    turn_states: Vec<TurnStates>,
    /// Which of them holds now.
    current: usize,
    routes: Routes,
    odds: OddsTable,
    /// Adventurers on their way home because the tiles run out.
    due: [bool; MAX_ADVENTURERS],
}

impl Agent<Cartolan> for Merchant {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.seat = seat.index();
        self.routes.forget();
        self.odds.forget();
        self.due = [false; MAX_ADVENTURERS];
    }

    fn act(&mut self, turn: Turn<'_, Cartolan>) -> Action {
        let observation = turn.observe();
        match observation.step() {
            Step::Move => self.sail(&observation),
            Step::Act => first_wanted(&observation, |option| self.wants(&observation, option)),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(&observation),
            _ => plain_choice(&observation),
        }
    }
}

/// What an exploration may bring.
#[derive(Clone, Copy, Default)]
struct Odds {
    /// Chance that a tile is placed.
    placed: f64,
    /// Chance that it is a wonder.
    wonder: f64,
    /// Chance that it is a disaster.
    disaster: f64,
}

/// What explorations may bring, by the edges around the cell and the wind of the tile left.
struct OddsTable {
    /// With the number of the state of its pile at which each was found.
    known: Vec<(u32, Odds)>,
    /// The piles that they are for, and how often each has changed.
    piles: [Pile; 2],
    changes: [u32; 2],
}

impl OddsTable {
    fn new() -> Self {
        Self { known: vec![(0, Odds::default()); 2 * 4 * 2 * 256], piles: [Pile::EMPTY; 2], changes: [1; 2] }
    }

    /// Nothing is known any more.
    fn forget(&mut self) {
        self.known.fill((0, Odds::default()));
        self.changes = [1; 2];
    }

    /// Forgets what was found for piles that have changed since.
    fn look(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            let (old, now) = (&mut self.piles[back as usize], observation.pile(back));
            if old != now {
                *old = *now;
                self.changes[back as usize] += 1;
            }
        }
    }

    fn of(&mut self, observation: &Observation<'_>, back: Back, wind: Wind, dir: Dir, target: &Cell) -> Odds {
        let land = usize::from(target.land & target.known);
        let turn = usize::from((wind as u8 & 1) != (dir as u8 & 1));
        let key =
            ((back as usize * 4 + wind as usize) * 2 + turn) * 256 + usize::from(target.known) * 16 + land;
        let changes = self.changes[back as usize];
        if self.known[key].0 == changes {
            return self.known[key].1;
        }
        let variant = observation.variant();
        let winds = match (variant.exploration, turn) {
            (Exploration::Clockwise, _) => [wind, wind.turned(1), wind.turned(3)],
            (Exploration::Continuous, 1) => [wind, wind.turned(1), wind.turned(1)],
            (Exploration::Continuous, _) => [wind, wind.turned(3), wind.turned(3)],
        };
        let pile = observation.pile(back);
        let [mut all, mut placed, mut wonder, mut disaster] = [0.0; 4];
        for (index, kind) in observation.kinds(back).iter().enumerate() {
            let mut share = pile.probability(index, false) + pile.probability(index, true);
            if pile.left() == 0 {
                share = f64::from(pile.discards[index]) / f64::from(pile.discards_sum.max(1));
            }
            all += share;
            if !winds.iter().any(|wind| target.fits(wind.land_sides(kind.edges))) {
                continue;
            }
            placed += share;
            match kind.mark {
                Mark::Wonder => wonder += share,
                Mark::Disaster => disaster += share,
                _ => {}
            }
        }
        let mut odds = Odds::default();
        if placed > 0.0 && all > 0.0 {
            odds.placed = 1.0 - (1.0 - (placed / all).min(1.0)).powi(i32::from(variant.tries));
            odds.wonder = odds.placed * wonder / placed;
            odds.disaster = odds.placed * disaster / placed;
        }
        self.known[key] = (changes, odds);
        odds
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
        let best = observation.others(self.seat).map(|player| i64::from(player.vault)).max().unwrap_or(0);
        i64::from(observation.players()[self.seat].vault) - best
    }

    fn sail(&mut self, observation: &Observation<'_>) -> Action {
        if observation.turn().overtime {
            return Action::End;
        }
        let limits = observation.limits();
        let known = self.turn_states.iter().position(|turn_states| turn_states.limits == limits);
        self.current = known.unwrap_or_else(|| {
            self.turn_states.push(TurnStates::new(observation.variant(), limits));
            self.turn_states.len() - 1
        });
        let turn_states = &self.turn_states[self.current];
        self.routes.find(observation, turn_states, self.seat);
        self.odds.look(observation);
        let (first_move, errand) = self.choose(observation);
        let (go, _) = observation.ways();
        let action = match (first_move, errand) {
            (FirstMove::Here, Errand::Explore(dir)) | (FirstMove::Go(dir), _) if go & dir.bit() != 0 => {
                Action::Go(dir)
            }
            _ => Action::Wait,
        };
        let pays = first_move == FirstMove::Here && self.wait_pays(observation, errand);
        if action == Action::Wait && !pays && observation.variant().act_order != ActOrder::Scripted {
            return self.drift(observation).unwrap_or(Action::End);
        }
        action
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
        let now = self.routes.home_in(here, 0);
        let better = |dir: &Dir| {
            let to = observation.map().neighbour(here, *dir);
            gust & dir.bit() != 0
                && observation.map().cell(to).is_placed()
                && self.routes.home_in(to, 0).saturating_add(2) < now
                && observation.hero().chest > 0
        };
        Dir::ALL.iter().copied().find(better).map(Action::Gust)
    }

    fn choose(&mut self, observation: &Observation<'_>) -> (FirstMove, Errand) {
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
        let left_of = |back: Back| {
            let pile = observation.pile(back);
            f64::from(pile.left() + pile.discards_sum)
        };
        let left = match variant.inland {
            true => left_of(Back::Water).min(left_of(Back::Land)),
            false => left_of(Back::Water),
        };
        let home_cost = self.routes.home_after(here);
        let others = observation.players().iter().map(|player| u32::from(player.adventurers)).sum::<u32>();
        let turns = f64::from(home_cost.min(200)) / f64::from(variant.moves);
        // Where the end has not come for long, it is not so near.
        let patience = f64::from(self.ledger.patience);
        let near = patience / (patience + f64::from(observation.round()));
        let gone = near * (self.ledger.fear * turns * f64::from(others - 1) + 2.0);
        let due = &mut self.due[usize::from(observation.turn().adventurer)];
        // Where the Vaults have grown for long, a small Chest decides nothing.
        *due = hero.chest > 0 && chest * near >= self.ledger.trifle && (*due || left < gone);
        if *due {
            return home;
        }
        let price = self.ledger.rate + self.ledger.risk * chest;
        let now = f64::from(home_cost.min(200));
        // Going home is an errand too: it is worth nothing beside what waits there, and it is all there is
        // to do with a full Chest. An empty one has no business there.
        let mut best = match hero.chest {
            0 => (f64::MIN, home),
            _ => (-price * self.ledger.haste * now, home),
        };
        // Each move brings the errand chosen nearer by one and no other by more, so that none is given up
        // for another only because of where the way leads.
        let mut offer = |value: f64, there: u16, back: u16, way: (FirstMove, Errand)| {
            if there == FAR || value <= 0.0 {
                return;
            }
            let cost = self.ledger.haste * f64::from(there) + f64::from(back.min(200));
            let gain = value - price * cost;
            if gain > best.0 {
                best = (gain, way);
            }
        };
        // Whoever is ahead wins by running out of tiles; and a game that drags on needs new wonders.
        let chart = if ahead > 0 { self.ledger.chart } else { 0.0 };
        let chart = chart + self.ledger.boredom * f64::from(observation.round());
        // The last tiles of a colour decide: for whoever is ahead.
        let finish = self.ledger.finish * ahead.signum() as f64;
        let stays = hero.pirate && variant.pirate_at_disaster == PirateAtDisaster::Stays;
        for (id, cell) in map.cells().iter().enumerate() {
            let id = id as CellId;
            let cost = self.routes.cost[usize::from(id)];
            if !cell.is_placed() || cost == FAR {
                continue;
            }
            let mut value = 0.0;
            if cell.ground == Ground::Wonder && hero.used >> cell.wonder & 1 == 0 && !hero.pirate {
                value += f64::from(variant.trade);
            }
            if cell.agent != NO_AGENT && usize::from(cell.agent.seat()) == self.seat {
                let agent = &observation.players()[self.seat].agent[usize::from(cell.agent.number())];
                value += f64::from(agent.wealth);
            }
            if id != here {
                let first_move = self.routes.first_move[usize::from(id)];
                offer(value, cost, self.routes.home_after(id), (first_move, Errand::Visit));
            }
            if cell.ground == Ground::City {
                continue;
            }
            for dir in Dir::ALL.iter().copied() {
                let target = map.cell(cell.neighbours[dir.index()]);
                if target.is_placed() {
                    continue;
                }
                let crossing = observation.crossing(id, dir);
                let turn_states = &self.turn_states[self.current];
                let Some((there, state, first_move)) = self.routes.reach(turn_states, id, crossing) else {
                    continue;
                };
                let back =
                    if crossing == Crossing::Land && variant.inland { Back::Land } else { Back::Water };
                let odds = self.odds.of(observation, back, cell.wind, dir, target);
                let reward = match (back, target.in_domain) {
                    (_, true) if hero.pirate => 0,
                    (_, false) if hero.pirate && !variant.pirate_rewards => 0,
                    (Back::Land, false) => variant.reward_land,
                    (Back::Water, false) => variant.reward_water,
                    (_, true) => variant.trade,
                };
                let (water, land) = target.gap(dir.opposite());
                let gap = water * u32::from(variant.gap_water) + land * u32::from(variant.gap_land);
                let value = odds.wonder * f64::from(reward)
                    + odds.placed * (f64::from(gap) + chart + finish / left_of(back).max(1.0).powi(2))
                    - odds.disaster * if stays { 0.0 } else { chest };
                offer(value, there + 1, self.routes.home_in(id, state), (first_move, Errand::Explore(dir)));
            }
        }
        if variant.inland {
            self.offer_prey(observation, &mut offer);
        }
        best.1
    }

    /// Pirates to arrest, and Adventurers to rob.
    fn offer_prey(
        &self,
        observation: &Observation<'_>,
        offer: &mut impl FnMut(f64, u16, u16, (FirstMove, Errand)),
    ) {
        let hero = observation.hero();
        let here = observation.here();
        let chance = observation.variant().conflict_probability();
        for player in observation.others(self.seat) {
            for (other, cell) in player.crew() {
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
                let (extra, errand) = if cell == here { (1, Errand::Wait) } else { (0, Errand::Visit) };
                let there = self.routes.cost[usize::from(cell)].saturating_add(extra);
                let first_move = self.routes.first_move[usize::from(cell)];
                offer(prize * chance, there, self.routes.home_after(cell), (first_move, errand));
            }
        }
    }

    fn would_rob(&self, own: u16, other: u16) -> bool {
        self.ledger.robs && other.div_ceil(2) >= self.ledger.prize && own <= other
    }

    fn home(&self, observation: &Observation<'_>) -> (FirstMove, Errand) {
        let cities = [Some(0), observation.second_city()];
        let nearest = cities
            .into_iter()
            .flatten()
            .filter(|city| self.routes.cost[usize::from(*city)] != FAR)
            .min_by_key(|city| self.routes.cost[usize::from(*city)]);
        let nearest = nearest.unwrap_or(observation.here());
        (self.routes.first_move[usize::from(nearest)], Errand::Home)
    }

    fn wants(&self, observation: &Observation<'_>, option: u8) -> bool {
        let hero = observation.hero();
        let cell = observation.map().cell(observation.here());
        let (turn, variant) = (observation.turn(), observation.variant());
        match option {
            options::TRADE | options::COLLECT => true,
            options::RESTORE => hero.chest > variant.price_restore + 1,
            options::REST if usize::from(cell.agent.seat()) == self.seat => turn.total() > 0,
            options::REST => {
                turn.total() + 1 >= observation.limits().moves && hero.chest > variant.price_rest
            }
            options::ATTACK_AGENT => false,
            options::COURT => {
                let won = observation.variant().courting_probability();
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
                let other = observation.attacked(option);
                other.pirate || self.would_rob(hero.chest, other.chest)
            }
        }
    }

    fn shop(&self, observation: &Observation<'_>) -> Action {
        let player = &observation.players()[self.seat];
        let price = u32::from(observation.variant().price_adventurer);
        let wealthy = player.vault >= u32::from(self.ledger.wealthy);
        let ahead = self.ahead(observation);
        let margin = i64::from(observation.variant().margin);
        // Nobody else may win by what is spent, and a lead that is nearly enough is kept.
        let others = observation.others(self.seat);
        let best = others.map(|other| i64::from(other.vault + other.chests())).max().unwrap_or(0);
        let safe = best - (i64::from(player.vault) - i64::from(price)) < margin;
        if observation.can_hire_adventurer() && wealthy && safe && ahead * 2 < margin + i64::from(price) {
            return Action::HireAdventurer;
        }
        Action::Done
    }
}

pub(crate) fn info() -> AgentInfo<Cartolan> {
    AgentInfo::new(
        "merchant",
        "Weighs every errand against its way there and home, arrests pirates, and banks in time.",
        |_: &Cartolan, ledger: Ledger| {
            let (routes, odds) = (Routes::new(), OddsTable::new());
            let due = [false; MAX_ADVENTURERS];
            Ok(Merchant { ledger, seat: 0, turn_states: Vec::new(), current: 0, routes, odds, due })
        },
    )
}
