//! The game value: the variant compiled into tables, set-up, and the contract of every game.

use meeple_core::{
    Audience, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Outcome, Phase, Purpose, Seat,
    SetupError, Stream, Viewer,
};

use crate::action::{Action, FIRST_ATTACK};
use crate::chance::{Chance, Permutation};
use crate::compile::{compile_builds, compile_costs, compile_ranges, parse_prices};
use crate::event::Event;
use crate::fight::{FightTable, Fighter};
use crate::goods::{PRODUCTS, PriceRange, Product};
use crate::knowledge::{GROWTH_UNIT, Knowledge, ROWS};
use crate::map::{Cell, MAX_PORTS, SeaMap};
use crate::observe::Observation;
use crate::range::RangeTable;
use crate::ship::{Build, CLASSES, Class};
use crate::state::{Books, Deeds, Fight, Hold, Memory, Sail, Ship, Stage, State};
use crate::variant::{DIE, MAX_SEATS, Mode, Variant};
use crate::wind::Wind;

/// The rules of Privateers with one variant and number of seats.
pub struct Privateers {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    pub(crate) map: SeaMap,
    pub(crate) builds: [Build; CLASSES],
    /// By product, with the spread applied.
    pub(crate) ranges: [PriceRange; PRODUCTS],
    /// Sorted prices by product and rank.
    price_lists: [[u16; MAX_PORTS]; PRODUCTS],
    /// Prices by port, if the variant fixes them.
    fixed_prices: Option<Box<[[u16; PRODUCTS]; MAX_PORTS]>>,
    /// Half points for a cell, by class, wind and heading.
    costs: [[[u8; 4]; 6]; CLASSES],
    pub(crate) attack_range: RangeTable,
    pub(crate) fights: FightTable,
    /// What trade between two ports brings at most: per money, in parts of [`GROWTH_UNIT`], and per unit.
    pub(crate) growth: [i64; 2],
}

impl Privateers {
    /// The map.
    pub fn map(&self) -> &SeaMap {
        &self.map
    }

    /// What a class can do.
    #[inline]
    pub fn build(&self, class: Class) -> &Build {
        &self.builds[class.index()]
    }

    /// Smallest, average and largest price of a product.
    #[inline]
    pub fn price_range(&self, product: Product) -> PriceRange {
        self.ranges[product.index()]
    }

    /// The prices of a product over all ports, from the smallest to the largest.
    #[inline]
    pub fn price_list(&self, product: Product) -> &[u16] {
        &self.price_lists[product.index()][..self.map.ports()]
    }

    /// Whether the variant fixes the prices, so that everybody knows them.
    #[inline]
    pub fn prices_are_fixed(&self) -> bool {
        self.fixed_prices.is_some()
    }

    /// Half points for one cell in each heading; [`IMPOSSIBLE`](crate::IMPOSSIBLE) if it cannot be sailed.
    #[inline]
    pub fn costs(&self, class: Class, wind: Wind) -> [u8; 4] {
        self.costs[class.index()][wind.index()]
    }

    /// Half points that a wind gives.
    #[inline]
    pub fn budget(&self, wind: Wind, power: u8) -> u8 {
        // R4.2: no wind, no movement, whatever the power die shows.
        if wind == Wind::Calm { 0 } else { power * self.variant.half_points }
    }

    /// Distance of an attack between two cells, if it is at most the largest range of any class.
    #[inline]
    pub fn attack_distance(&self, from: Cell, to: Cell) -> Option<u8> {
        self.attack_range.distance(from, to)
    }

    /// Rolls of a fight in which the defender's range does not reach the initiator.
    #[inline]
    pub fn free_rolls(&self, defender: Class, distance: u8) -> u8 {
        distance.saturating_sub(self.build(defender).range)
    }

    /// Exact probability that the initiator wins, with mounted cannons as given.
    #[inline]
    pub fn win_probability(&self, initiator: Fighter, defender: Fighter, distance: u8) -> f64 {
        let free = self.free_rolls(defender.class, distance);
        self.fights.win(usize::from(initiator.mounted), usize::from(defender.mounted), usize::from(free))
    }

    /// Money for an upgrade; `None` if `to` is not a higher class.
    #[inline]
    pub fn upgrade_price(&self, from: Class, to: Class) -> Option<u32> {
        (to > from).then(|| self.build(to).price.saturating_sub(self.build(from).price))
    }

    /// Cannons that are mounted if a ship of this class has so many.
    #[inline]
    pub fn mounted(&self, class: Class, cannons: u16) -> u16 {
        cannons.min(self.build(class).mounts)
    }

    /// All ports, as bits.
    #[inline]
    pub(crate) fn all_ports(&self) -> u64 {
        (1 << self.map.ports()) - 1
    }

    /// R3.2: units in the hold; mounted cannons take no room.
    #[inline]
    pub(crate) fn load(&self, class: Class, hold: &Hold) -> u16 {
        hold.units() + hold.cannons.saturating_sub(self.build(class).mounts)
    }

    /// A fresh ship in a port.
    pub(crate) fn fit_out(&self, ship: &mut Ship, port: usize, round: u32, clock: u32) {
        ship.cell = self.map.port_cell(port);
        ship.class = Class::Schooner;
        ship.fresh = true;
        ship.since = round;
        ship.changed = clock;
        ship.traded = clock;
        ship.known |= 1 << port;
        ship.hold = self.fresh_hold();
        ship.ceiling = self.most_worth(&ship.hold);
    }

    pub(crate) fn fresh_hold(&self) -> Hold {
        Hold {
            money: i64::from(self.variant.start_money),
            cannons: self.variant.start_cannons,
            ..Hold::default()
        }
    }

    /// The smallest price of a product in any port.
    #[inline]
    pub(crate) fn smallest_price(&self, product: usize) -> i64 {
        i64::from(self.price_lists[product][0])
    }

    /// Money and cargo, every unit at the largest price of any port.
    pub(crate) fn most_worth(&self, hold: &Hold) -> i64 {
        let largest = |product: usize| i64::from(self.price_lists[product][self.map.ports() - 1]);
        hold.money
            + (0..PRODUCTS).map(|product| i64::from(hold.count(product)) * largest(product)).sum::<i64>()
    }

    /// Tells a seat the prices of the port it has just come to know.
    pub(crate) fn tell_prices(
        &self,
        state: &State,
        seat: Seat,
        port: usize,
        events: &mut impl EventSink<Event>,
    ) {
        events.emit(Audience::only(seat), || Event::Prices {
            seat,
            port: self.map.label(port),
            prices: state.prices[port],
        });
    }

    fn after_order(&self) -> Stage {
        if self.fixed_prices.is_some() { Stage::Spawn(0) } else { Stage::Prices(0) }
    }
}

impl Game for Privateers {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    const INFO: GameInfo = crate::INFO;

    fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        if seats == 1 && variant.max_rounds == 0 && variant.target_value == 0 {
            return Err(SetupError::new(
                "one player needs an end\nhint: set max_rounds or target_value above 0",
            ));
        }
        let map = SeaMap::load(&variant.map).map_err(|error| SetupError::new(format!("map: {error}")))?;
        let builds = compile_builds(&variant)?;
        let mut ranges = compile_ranges(&variant)?;
        let fixed_prices = match variant.prices.trim() {
            "random" => None,
            text => Some(parse_prices(text, &map)?),
        };
        let mut price_lists = [[0; MAX_PORTS]; PRODUCTS];
        for (product, list) in price_lists.iter_mut().enumerate() {
            match &fixed_prices {
                None => list[..map.ports()].copy_from_slice(&ranges[product].list(map.ports())),
                Some(prices) => {
                    for (port, price) in list[..map.ports()].iter_mut().enumerate() {
                        *price = prices[port][product];
                    }
                    list[..map.ports()].sort_unstable();
                    // R8.1: what the file says counts, not what prices are like otherwise.
                    ranges[product] = PriceRange::of(&list[..map.ports()]);
                }
            }
        }
        let start = u32::from(builds[0].hold) + u32::from(builds[0].mounts);
        if u32::from(variant.start_cannons) > start {
            let cannons = variant.start_cannons;
            return Err(SetupError::new(format!(
                "start_cannons: expected at most {start}, what a schooner holds, found {cannons}"
            )));
        }
        let map_ports = map.ports();
        let reach = builds.iter().map(|build| build.range).max().unwrap_or(0);
        let mounts = builds.iter().map(|build| build.mounts).max().unwrap_or(0);
        Ok(Self {
            costs: compile_costs(&variant, &builds),
            attack_range: RangeTable::new(&map, &variant, reach),
            fights: FightTable::new(usize::from(mounts), usize::from(reach)),
            variant,
            seats,
            map,
            builds,
            ranges,
            growth: growth(&price_lists, map_ports),
            price_lists,
            fixed_prices,
        })
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    #[inline]
    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        let ship = Ship {
            cell: self.map.port_cell(0),
            class: Class::Schooner,
            fresh: true,
            since: 0,
            changed: 0,
            traded: 0,
            ceiling: 0,
            known: if self.fixed_prices.is_some() { self.all_ports() } else { 0 },
            out: 0,
            hold: Hold::default(),
            deeds: Deeds::default(),
            books: Books::default(),
        };
        let nobody = Ship { known: 0, ..ship };
        let mut ships = [nobody; MAX_SEATS];
        ships[..self.seats].fill(ship);
        State {
            stage: Stage::Order,
            order: [0; MAX_SEATS],
            place: 0,
            round: 0,
            turns: 0,
            clock: 0,
            living: 0,
            eliminated: 0,
            sail: Sail::CALM,
            fight: Fight::NONE,
            decisions: 0,
            rolls: 0,
            ships,
            prices: match &self.fixed_prices {
                Some(prices) => **prices,
                None => [[0; PRODUCTS]; MAX_PORTS],
            },
            memories: [[Memory::default(); MAX_SEATS]; MAX_SEATS],
            knowledge: [[Knowledge::default(); MAX_SEATS]; ROWS],
        }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.stage {
            Stage::Act => Phase::turn(state.current()),
            Stage::Wind | Stage::Roll | Stage::Place | Stage::Order | Stage::Prices(_) | Stage::Spawn(_) => {
                Phase::Chance
            }
            Stage::Loot => Phase::turn(state.fight.winner()),
            Stage::Respawn => Phase::turn(state.fight.loser()),
            Stage::Over(_) => Phase::Over,
        }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        match state.stage {
            Stage::Act if seat == state.current() => self.list_turn(state, seat, actions),
            Stage::Loot if seat == state.fight.winner() => {
                let ship = state.ship(seat);
                for product in Product::ALL {
                    if self.discardable(ship, *product) > 0 {
                        actions.push(Action::Discard(*product));
                    }
                }
            }
            Stage::Respawn if seat == state.fight.loser() => {
                actions.extend([Action::Respawn, Action::Retire]);
            }
            _ => {}
        }
    }

    fn action_bound(&self) -> u32 {
        FIRST_ATTACK + self.seats as u32
    }

    #[inline]
    fn action_id(&self, _state: &State, _seat: Seat, action: &Action) -> u32 {
        action.id()
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Illegal> {
        self.explain(state, seat, *action).map_err(Illegal::new)
    }

    #[inline]
    fn apply_unchecked(
        &self,
        state: &mut State,
        seat: Seat,
        action: &Action,
        events: &mut impl EventSink<Event>,
    ) {
        state.decisions += 1;
        match *action {
            Action::Move(heading) => self.sail(state, seat, heading, events),
            Action::EndTurn => {
                state.ship_mut(seat).books.decisions += 1;
                self.end_turn(state, events);
            }
            Action::Buy(product) => self.buy(state, seat, product, 1, events),
            Action::Sell(product) => self.sell(state, seat, product, 1, events),
            Action::BuyMax(product) => {
                let units = self.buyable(state, seat, product);
                self.buy(state, seat, product, units, events);
            }
            Action::SellAll(product) => {
                let units = self.sellable(state, seat, product);
                self.sell(state, seat, product, units, events);
            }
            Action::BuyShip(class) => self.upgrade(state, seat, class, events),
            Action::Attack(defender) => self.attack(state, seat, defender, events),
            Action::Discard(product) => self.discard(state, seat, product, events),
            Action::Respawn => self.respawn(state, seat, events),
            Action::Retire => self.retire(state, seat, events),
        }
        self.end_by_decisions(state, events);
    }

    /// R9.1: what is traded and thrown overboard, and how a turn ends, is nobody else's to know.
    fn decision_audience(&self, _state: &State, seat: Seat, action: &Action) -> Audience {
        match action {
            Action::EndTurn
            | Action::Buy(_)
            | Action::Sell(_)
            | Action::BuyMax(_)
            | Action::SellAll(_)
            | Action::Discard(_) => Audience::only(seat),
            Action::Move(_) | Action::BuyShip(_) | Action::Attack(_) | Action::Respawn | Action::Retire => {
                Audience::All
            }
        }
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        // The key of a turn: the same wind for the same round and place, whatever happened before.
        let turn = state.round * MAX_SEATS as u32 + u32::from(state.place);
        match state.stage {
            Stage::Order => {
                let mut order = Permutation::identity(self.seats);
                streams.stream(Purpose::Deal, 0).shuffle(order.items_mut());
                Chance::Order(order)
            }
            Stage::Prices(product) => {
                let mut ranks = Permutation::identity(self.map.ports());
                streams.stream(Purpose::Deal, 1 + u32::from(product)).shuffle(ranks.items_mut());
                Chance::Prices(Product::new(usize::from(product)), ranks)
            }
            Stage::Spawn(seat) => {
                let stream = streams.stream(Purpose::Deal, 100 + u32::from(seat));
                Chance::Port(stream.index(self.map.ports()) as u8)
            }
            Stage::Place => {
                let mut ports = self.respawn_ports(state);
                let pick = streams.stream(Purpose::Ties, turn).below(ports.count_ones());
                for _ in 0..pick {
                    ports &= ports - 1;
                }
                Chance::Port(ports.trailing_zeros() as u8)
            }
            Stage::Wind => {
                let stream = streams.stream(Purpose::Play, turn);
                let faces = stream.below(6 * u32::from(DIE));
                Chance::Wind(Wind::ALL[faces as usize % 6], 1 + (faces / 6) as u8)
            }
            _ => {
                let stream = streams.stream(Purpose::Play, turn);
                let faces = stream.below(u32::from(DIE) * u32::from(DIE)) as u8;
                Chance::Roll(1 + faces % DIE, 1 + faces / DIE)
            }
        }
    }

    #[inline]
    fn apply_chance(&self, state: &mut State, chance: &Chance, events: &mut impl EventSink<Event>) {
        match (*chance, state.stage) {
            (Chance::Wind(wind, power), _) => self.begin_turn(state, wind, power, events),
            (Chance::Roll(initiator, defender), _) => {
                self.roll(state, [initiator, defender], events);
                self.end_by_decisions(state, events);
            }
            (Chance::Port(port), Stage::Place) => {
                self.place(state, usize::from(port), events);
                self.end_by_decisions(state, events);
            }
            (Chance::Port(port), Stage::Spawn(seat)) => {
                self.spawn(state, Seat::new(usize::from(seat)), usize::from(port), events);
            }
            (Chance::Prices(product, ranks), _) => {
                for (port, rank) in ranks.items().iter().enumerate() {
                    state.prices[port][product.index()] =
                        self.price_lists[product.index()][usize::from(*rank)];
                }
                state.stage = match product {
                    Product::Cannon => Stage::Spawn(0),
                    _ => Stage::Prices(product as u8 + 1),
                };
            }
            (Chance::Order(order), _) => {
                state.order[..order.items().len()].copy_from_slice(order.items());
                state.stage = self.after_order();
                events.emit(Audience::All, || Event::Order {
                    seats: order.items().iter().map(|seat| Seat::new(usize::from(*seat))).collect(),
                });
            }
            (Chance::Port(_), _) => {}
        }
    }

    fn chance_outcomes(&self, state: &State) -> Option<Vec<(Chance, f64)>> {
        let both = |make: fn(u8, u8) -> Chance| {
            let faces = (0..DIE).flat_map(move |first| (1..=DIE).map(move |second| make(first, second)));
            Some(faces.map(|chance| (chance, 1.0 / 36.0)).collect())
        };
        let ports = |ports: u64| {
            let probability = 1.0 / f64::from(ports.count_ones());
            let all = (0..MAX_PORTS as u8).filter(|port| ports >> port & 1 == 1);
            Some(all.map(|port| (Chance::Port(port), probability)).collect())
        };
        match state.stage {
            Stage::Wind => both(|wind, power| Chance::Wind(Wind::ALL[usize::from(wind)], power)),
            Stage::Roll => both(|initiator, defender| Chance::Roll(initiator + 1, defender)),
            Stage::Spawn(_) => ports(self.all_ports()),
            Stage::Place => ports(self.respawn_ports(state)),
            _ => None,
        }
    }

    fn check_chance(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        let fits = match (state.stage, chance) {
            (Stage::Order, Chance::Order(order)) => order.items().len() == self.seats,
            (Stage::Prices(due), Chance::Prices(product, ranks)) => {
                usize::from(due) == product.index() && ranks.items().len() == self.map.ports()
            }
            (Stage::Wind, Chance::Wind(_, power)) => (1..=DIE).contains(power),
            (Stage::Roll, Chance::Roll(a, b)) => (1..=DIE).contains(a) && (1..=DIE).contains(b),
            (Stage::Spawn(_), Chance::Port(port)) => usize::from(*port) < self.map.ports(),
            (Stage::Place, Chance::Port(port)) => self.respawn_ports(state) >> (port & 63) & 1 == 1,
            _ => false,
        };
        if fits { Ok(()) } else { Err(Illegal::new(format!("chance cannot draw {chance} here"))) }
    }

    #[inline]
    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation<'a> {
        Observation::new(self, state, viewer)
    }

    fn determinize(&self, observation: &Observation<'_>, rng: &mut Stream, state: &mut State) {
        crate::determinize::determinize(self, observation, rng, state);
    }

    #[inline]
    fn score(&self, state: &State, seat: Seat) -> i64 {
        self.value(state, seat)
    }

    fn outcome(&self, state: &State, outcome: &mut Outcome) {
        self.rank(state, outcome);
    }

    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.round)
    }

    fn draws_turn_order(&self) -> bool {
        true
    }

    fn turn_place(&self, state: &State, seat: Seat) -> usize {
        let order = &state.order[..self.seats];
        order.iter().position(|other| usize::from(*other) == seat.index()).unwrap_or(seat.index())
    }

    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        self.fill_figures(state, sheet);
    }
}

impl Privateers {
    /// Whether a sunk ship comes back.
    #[inline]
    pub(crate) fn respawns(&self) -> bool {
        self.variant.mode == Mode::Infinite
    }
}

/// The largest gain between two ports, per money in parts of [`GROWTH_UNIT`] rounded up, and per unit.
fn growth(lists: &[[u16; MAX_PORTS]; PRODUCTS], ports: usize) -> [i64; 2] {
    let mut growth = [0, 0];
    for list in lists {
        let (least, most) = (i64::from(list[0]), i64::from(list[ports - 1]));
        growth[0] = growth[0].max(((most - least) * GROWTH_UNIT + least - 1) / least.max(1));
        growth[1] = growth[1].max(most - least);
    }
    growth
}
