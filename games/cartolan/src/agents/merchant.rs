//! The merchant: knows what ways cost, and goes where a move earns most.
//!
//! Every errand (a trade, an own Agent's wealth, an unknown cell, a pirate to arrest, somebody to rob) has a
//! value and a cost in moves: the way there, plus what the way home grows by. The merchant runs the errand
//! whose value most exceeds its cost at the going rate, and banks when none does.

use meeple_core::{Agent, AgentInfo, Seat, Turn, params};

use crate::action::Action;
use crate::agents::plain::{first_wanted, plain_choice};
use crate::agents::routes::{Charted, FAR, FirstMove, HORIZON, Routes, Step as WayStep, TurnStates};
use crate::game::Cartolan;
use crate::map::{Cell, CellId, Crossing, Ground, NO_AGENT};
use crate::observe::Observation;
use crate::pile::{MAX_KINDS, Pile};
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
pub(crate) struct Merchant {
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
    offers: Vec<Offer>,
    /// Where it goes, and the state of the turn on arrival; none if there is no way.
    goal: Option<(CellId, usize)>,
    /// What it does there.
    errand: Errand,
    /// The way home, in haste; the last step first.
    steps: Vec<WayStep>,
    looks: Looks,
}

impl Agent<Cartolan> for Merchant {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.seat = seat.index();
        self.forget();
    }

    fn act(&mut self, turn: Turn<'_, Cartolan>) -> Action {
        self.decide(&turn.observe())
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
#[derive(Clone)]
pub(crate) struct OddsTable {
    /// With the number of the state of its pile at which each was found.
    known: Vec<(u32, Odds)>,
    /// The piles that they are for, and how often each has changed.
    piles: [Pile; 2],
    changes: [u32; 2],
    /// The chance of every kind of tile to be drawn, by colour, at this state of the pile.
    shares: [(u32, [f64; MAX_KINDS]); 2],
    /// By colour, wind left and turn: for every kind, the patterns of land that its orientations have, by bit.
    patterns: Vec<[u16; MAX_KINDS]>,
}

impl OddsTable {
    pub(crate) fn new() -> Self {
        Self {
            known: vec![(0, Odds::default()); 2 * 4 * 2 * 256],
            piles: [Pile::EMPTY; 2],
            changes: [1; 2],
            shares: [(0, [0.0; MAX_KINDS]); 2],
            patterns: Vec::new(),
        }
    }

    /// Nothing is known any more.
    fn forget(&mut self) {
        self.known.fill((0, Odds::default()));
        self.changes = [1; 2];
        self.shares = [(0, [0.0; MAX_KINDS]); 2];
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

    /// Finds out which patterns of land the orientations have in which a tile is tried.
    fn prepare(&mut self, observation: &Observation<'_>) {
        for back in [Back::Water, Back::Land] {
            for wind in Wind::ALL.iter().copied() {
                for turn in 0..2 {
                    let winds = match (observation.variant().exploration, turn) {
                        (Exploration::Clockwise, _) => [wind, wind.turned(1), wind.turned(3)],
                        (Exploration::Continuous, 1) => [wind, wind.turned(1), wind.turned(1)],
                        (Exploration::Continuous, _) => [wind, wind.turned(3), wind.turned(3)],
                    };
                    let mut patterns = [0; MAX_KINDS];
                    for (pattern, kind) in patterns.iter_mut().zip(observation.kinds(back)) {
                        *pattern = winds.iter().fold(0, |all, wind| all | 1 << wind.land_sides(kind.edges));
                    }
                    self.patterns.push(patterns);
                }
            }
        }
    }

    #[inline]
    fn of(&mut self, observation: &Observation<'_>, back: Back, wind: Wind, dir: Dir, target: &Cell) -> Odds {
        let land = usize::from(target.land & target.known);
        let turn = usize::from((wind as u8 & 1) != (dir as u8 & 1));
        let tried = (back as usize * 4 + wind as usize) * 2 + turn;
        let key = tried * 256 + usize::from(target.known) * 16 + land;
        let changes = self.changes[back as usize];
        if self.known[key].0 == changes {
            return self.known[key].1;
        }
        let odds = self.find(observation, back, tried, target);
        self.known[key] = (changes, odds);
        odds
    }

    fn find(&mut self, observation: &Observation<'_>, back: Back, tried: usize, target: &Cell) -> Odds {
        if self.patterns.is_empty() {
            self.prepare(observation);
        }
        let pile = observation.pile(back);
        let kinds = observation.kinds(back);
        let changes = self.changes[back as usize];
        let (at, shares) = &mut self.shares[back as usize];
        if *at != changes {
            *at = changes;
            for (index, share) in shares[..kinds.len()].iter_mut().enumerate() {
                *share = match pile.left() {
                    0 => f64::from(pile.discards[index]) / f64::from(pile.discards_sum.max(1)),
                    _ => pile.probability(index, false) + pile.probability(index, true),
                };
            }
        }
        let fitting = (0..16).filter(|land| target.fits(*land)).fold(0u16, |all, land| all | 1 << land);
        let [mut all, mut placed, mut wonder, mut disaster] = [0.0; 4];
        for ((kind, share), pattern) in kinds.iter().zip(&*shares).zip(&self.patterns[tried]) {
            all += share;
            if pattern & fitting == 0 {
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
            odds.placed = 1.0 - (1.0 - (placed / all).min(1.0)).powi(i32::from(observation.variant().tries));
            odds.wonder = odds.placed * wonder / placed;
            odds.disaster = odds.placed * disaster / placed;
        }
        odds
    }
}

/// What to do for an errand once its way is behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errand {
    /// Go there.
    Visit,
    /// From there, go over this side into the unknown.
    Explore(Dir),
    /// Stay there and wait.
    Wait,
    /// Go to a city.
    Home,
}

/// When it looks at the piles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Before every decision.
    Always,
    /// When it is told to.
    Never,
}

/// Something to do.
#[derive(Clone, Copy)]
struct Offer {
    /// Where it begins.
    cell: CellId,
    value: f64,
    /// [`Errand::Wait`]: a visit, or a wait for whoever is there already.
    errand: Errand,
    /// How the tile is left to explore.
    crossing: Crossing,
    /// Steps to there if nothing were in the way.
    distance: u32,
}

/// The offer that gains most.
#[derive(Clone, Copy)]
struct Best {
    gain: f64,
    cell: CellId,
    /// The state of the turn on arrival.
    state: usize,
    first_move: FirstMove,
    errand: Errand,
}

impl Merchant {
    pub(crate) fn new(ledger: Ledger) -> Self {
        Self {
            ledger,
            seat: 0,
            turn_states: Vec::new(),
            current: 0,
            routes: Routes::new(),
            odds: OddsTable::new(),
            due: [false; MAX_ADVENTURERS],
            offers: Vec::new(),
            goal: None,
            errand: Errand::Home,
            steps: Vec::new(),
            looks: Looks::Always,
        }
    }

    /// Decides for this seat from now on.
    pub(crate) fn sit_down(&mut self, seat: usize) {
        self.seat = seat;
    }

    /// Exchanges what it remembers of Adventurers on their way home.
    pub(crate) fn swap_due(&mut self, due: &mut [bool; MAX_ADVENTURERS]) {
        std::mem::swap(&mut self.due, due);
    }

    /// What it knows of the map.
    pub(crate) fn charted_mut(&mut self) -> &mut [Charted; 2] {
        self.routes.charted_mut()
    }

    /// The ways that it has looked at.
    pub(crate) fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The way on which it has just set out, the last step first.
    pub(crate) fn retrace(&self, steps: &mut Vec<WayStep>) {
        match self.goal {
            Some((cell, state)) => self.routes.retrace(cell, state, steps),
            None => steps.extend_from_slice(&self.steps),
        }
    }

    /// What it does there.
    pub(crate) fn errand(&self) -> Errand {
        self.errand
    }

    /// Looks at the piles now, and never again unless it is told to.
    pub(crate) fn look_once(&mut self, observation: &Observation<'_>) {
        self.odds.look(observation);
        self.looks = Looks::Never;
    }

    /// Says when it looks at the piles; returns what was said before.
    pub(crate) fn look(&mut self, looks: Looks) -> Looks {
        std::mem::replace(&mut self.looks, looks)
    }

    /// Exchanges what it thinks of explorations.
    pub(crate) fn swap_odds(&mut self, odds: &mut OddsTable) {
        std::mem::swap(&mut self.odds, odds);
    }

    /// What it does.
    pub(crate) fn decide(&mut self, observation: &Observation<'_>) -> Action {
        match observation.step() {
            Step::Move => self.sail(observation),
            Step::Act => first_wanted(observation, |option| self.wants(observation, option)),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(observation),
            _ => plain_choice(observation),
        }
    }

    /// How far the own Vault is ahead of the best other, or behind.
    fn ahead(&self, observation: &Observation<'_>) -> i64 {
        let best = observation.others(self.seat).map(|player| i64::from(player.vault)).max().unwrap_or(0);
        i64::from(observation.players()[self.seat].vault) - best
    }

    fn sail(&mut self, observation: &Observation<'_>) -> Action {
        if observation.turn().overtime {
            return Action::End;
        }
        self.find_turn_states(observation);
        self.steps.clear();
        self.routes.begin(observation, &self.turn_states[self.current], self.seat);
        if self.looks == Looks::Always {
            self.odds.look(observation);
        }
        let (first_move, errand) = self.choose(observation);
        self.errand = errand;
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

    /// Finds the states of a turn with the limits that hold now.
    fn find_turn_states(&mut self, observation: &Observation<'_>) {
        let limits = observation.limits();
        let known = self.turn_states.iter().position(|turn_states| turn_states.limits == limits);
        self.current = known.unwrap_or_else(|| {
            self.turn_states.push(TurnStates::new(observation.variant(), limits));
            self.turn_states.len() - 1
        });
    }

    /// Brings what it knows of the map up to date.
    pub(crate) fn chart(&mut self, observation: &Observation<'_>) {
        self.find_turn_states(observation);
        self.routes.chart(observation, &self.turn_states[self.current], self.seat);
    }

    /// Nothing that it remembers holds any more.
    pub(crate) fn forget(&mut self) {
        self.charted_mut().iter_mut().for_each(Charted::forget);
        self.odds.forget();
        self.due = [false; MAX_ADVENTURERS];
    }

    /// Whether a wait here does anything.
    fn wait_pays(&self, observation: &Observation<'_>, errand: Errand) -> bool {
        let here = observation.here();
        let cell = observation.map().cell(here);
        errand == Errand::Wait || (errand == Errand::Home && cell.ground == Ground::City)
    }

    /// A roll for a gust where the way home is upwind and the rest of the turn would be lost.
    pub(crate) fn drift(&self, observation: &Observation<'_>) -> Option<Action> {
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
        let variant = observation.variant();
        let here = observation.here();
        let chest = f64::from(hero.chest);
        let ahead = self.ahead(observation);
        // The game is won by banking this.
        if ahead + i64::from(hero.chest) > i64::from(variant.margin) && hero.chest > 0 {
            return self.home(observation);
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
            return self.home(observation);
        }
        let price = self.ledger.rate + self.ledger.risk * chest;
        let now = f64::from(home_cost.min(200));
        // Going home is an errand too: it is worth nothing beside what waits there, and it is all there is
        // to do with a full Chest. An empty one has no business there.
        let none = match hero.chest {
            0 => f64::MIN,
            _ => -price * self.ledger.haste * now,
        };
        self.find_offers(observation, ahead, &left_of);
        let mut horizon = 6;
        let best = loop {
            self.routes.look(&self.turn_states[self.current], horizon);
            let (best, bound) = self.best_offer(observation.here(), price, none, horizon);
            let gain = best.map_or(none, |best| best.gain);
            if horizon >= HORIZON || gain > bound + 1e-6 {
                break best;
            }
            horizon += horizon / 2 + 1;
        };
        match best {
            Some(best) => {
                self.goal = Some((best.cell, best.state));
                (best.first_move, best.errand)
            }
            None => self.home(observation),
        }
    }

    /// The offer that gains most, the first of equal ones, of those whose ways cost less than the horizon; none if nothing
    /// gains more than `none`. And what all others gain at most.
    fn best_offer(&self, here: CellId, price: f64, none: f64, horizon: usize) -> (Option<Best>, f64) {
        let mut gain = none;
        let mut bound = f64::MIN;
        let mut best = None;
        let turn_states = &self.turn_states[self.current];
        for offer in &self.offers {
            let (cell, place) = (offer.cell, usize::from(offer.cell));
            // Farther away than it lies and than anybody has looked.
            let least = f64::from(offer.distance.max(horizon as u32));
            let (there, state, first_move, errand) = match offer.errand {
                Errand::Explore(_) => match self.routes.reach(turn_states, cell, offer.crossing) {
                    Some((there, state, first_move)) => (there + 1, state, first_move, offer.errand),
                    None => {
                        bound = bound.max(offer.value - price * self.ledger.haste * least);
                        continue;
                    }
                },
                Errand::Wait if cell == here => {
                    let there = self.routes.cost[place].saturating_add(1);
                    (
                        there,
                        usize::from(self.routes.state[place]),
                        self.routes.first_move[place],
                        Errand::Wait,
                    )
                }
                _ => {
                    let there = self.routes.cost[place];
                    (
                        there,
                        usize::from(self.routes.state[place]),
                        self.routes.first_move[place],
                        Errand::Visit,
                    )
                }
            };
            if there == FAR {
                bound = bound.max(offer.value - price * self.ledger.haste * least);
                continue;
            }
            // Each move brings the errand chosen nearer by one and no other by more, so that none is given up
            // for another only because of where the way leads.
            let back = self.routes.home_in(cell, state).min(200);
            let cost = self.ledger.haste * f64::from(there) + f64::from(back);
            let this = offer.value - price * cost;
            if this > gain {
                gain = this;
                best = Some(Best { gain, cell, state, first_move, errand });
            }
        }
        (best, bound)
    }

    /// Writes down what there is to do anywhere.
    fn find_offers(&mut self, observation: &Observation<'_>, ahead: i64, left_of: &impl Fn(Back) -> f64) {
        let (hero, map, variant, here) =
            (observation.hero(), observation.map(), observation.variant(), observation.here());
        let chest = f64::from(hero.chest);
        // Whoever is ahead wins by running out of tiles; and a game that drags on needs new wonders.
        let chart = if ahead > 0 { self.ledger.chart } else { 0.0 };
        let chart = chart + self.ledger.boredom * f64::from(observation.round());
        // The last tiles of a colour decide: for whoever is ahead.
        let finish = self.ledger.finish * ahead.signum() as f64;
        let finish = [Back::Water, Back::Land].map(|back| finish / left_of(back).max(1.0).powi(2));
        let stays = hero.pirate && variant.pirate_at_disaster == PirateAtDisaster::Stays;
        self.offers.clear();
        let start = map.cell(here);
        for (id, cell) in map.cells().iter().enumerate() {
            let id = id as CellId;
            if !cell.is_placed() {
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
            if id != here && value > 0.0 {
                let (errand, crossing) = (Errand::Visit, Crossing::Downwind);
                self.offers.push(Offer { cell: id, value, errand, crossing, distance: cell.distance(start) });
            }
            if cell.ground == Ground::City || cell.open == 0 {
                continue;
            }
            for dir in Dir::ALL.iter().copied().filter(|dir| cell.open & dir.bit() != 0) {
                let target = map.cell(cell.neighbours[dir.index()]);
                let crossing = observation.crossing(id, dir);
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
                    + odds.placed * (f64::from(gap) + chart + finish[back as usize])
                    - odds.disaster * if stays { 0.0 } else { chest };
                if value > 0.0 {
                    let errand = Errand::Explore(dir);
                    self.offers.push(Offer {
                        cell: id,
                        value,
                        errand,
                        crossing,
                        distance: cell.distance(start),
                    });
                }
            }
        }
        if variant.inland {
            self.offer_prey(observation);
        }
    }

    /// Pirates to arrest, and Adventurers to rob.
    fn offer_prey(&mut self, observation: &Observation<'_>) {
        let hero = observation.hero();
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
                let value = prize * chance;
                if value > 0.0 {
                    // Who is already there waits; others come.
                    let (errand, crossing) = (Errand::Wait, Crossing::Downwind);
                    self.offers.push(Offer { cell, value, errand, crossing, distance: 0 });
                }
            }
        }
    }

    fn would_rob(&self, own: u16, other: u16) -> bool {
        self.ledger.robs && other.div_ceil(2) >= self.ledger.prize && own <= other
    }

    fn home(&mut self, observation: &Observation<'_>) -> (FirstMove, Errand) {
        if self.looks == Looks::Never {
            self.steps.clear();
            self.goal = None;
            let turn_states = &self.turn_states[self.current];
            if self.routes.find_way_home(observation, turn_states, &mut self.steps) {
                let first = self.steps.last().map_or(FirstMove::Here, |step| step.taken);
                return (first, Errand::Home);
            }
        }
        let cities = [Some(0), observation.second_city()];
        let mut horizon = 6;
        while horizon < 2 * HORIZON {
            self.routes.look(&self.turn_states[self.current], horizon);
            if cities.iter().flatten().any(|city| self.routes.cost[usize::from(*city)] != FAR) {
                break;
            }
            horizon += horizon / 2 + 1;
        }
        let nearest = cities
            .into_iter()
            .flatten()
            .filter(|city| self.routes.cost[usize::from(*city)] != FAR)
            .min_by_key(|city| self.routes.cost[usize::from(*city)]);
        self.goal = nearest.map(|city| (city, usize::from(self.routes.state[usize::from(city)])));
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
        |_: &Cartolan, ledger: Ledger| Ok(Merchant::new(ledger)),
    )
}
