//! The rules: set-up, phases, chance, and the [`Game`] implementation. Clause numbers are those of RULES.md.

mod combat;
mod determinize;
mod turn;

use meeple_core::{
    Audience, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, Illegal, Outcome, Permutation, Phase,
    Purpose, Seat, Stream, TextWriter, Viewer, WriteText,
};

use crate::action::{Action, FIRST_ATTACK};
use crate::chance::Chance;
use crate::event::{Event, Events};
use crate::game::Privateers;
use crate::goods::{PRODUCTS, Product};
use crate::info::INFO;
use crate::knowledge::{Knowledge, ROWS};
use crate::map::MAX_PORTS;
use crate::menu::Menu;
use crate::observe::Observation;
use crate::state::{Fight, Memory, Sail, Ship, Stage, State};
use crate::variant::{DIE, MAX_SEATS, Variant};
use crate::wind::Wind;

/// Largest length of a permutation whose outcomes are listed.
const MAX_ORDERED: usize = 4;

impl Privateers {
    /// Returns true if the initial chance outcomes are listed. Either all are listed or none, so the game
    /// stays of one kind.
    fn lists_orders(&self) -> bool {
        self.seats <= MAX_ORDERED && (self.prices_are_fixed() || self.map.ports() <= MAX_ORDERED)
    }

    /// Sends a seat the prices of a port that it sees for the first time.
    pub(crate) fn tell_prices(&self, state: &State, seat: Seat, port: usize, events: &mut impl Events) {
        events.tell_only(seat, || Event::Prices {
            seat,
            port: self.map.label(port),
            prices: state.prices[port],
        });
    }
}

impl Game for Privateers {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    #[inline]
    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        let nobody = Ship { cell: self.map.port_cell(0), fresh: true, ..Ship::default() };
        let known = if self.prices_are_fixed() { self.all_ports() } else { 0 };
        let mut ships = [nobody; MAX_SEATS];
        ships[..self.seats].fill(Ship { known, ..nobody });
        State {
            stage: Stage::Order,
            order: [0; MAX_SEATS],
            place: 0,
            round: 0,
            turns: 0,
            clock: 0,
            living: 0,
            eliminated: 0,
            sail: Sail::default(),
            fight: Fight::default(),
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
        actions.extend(self.menu(state, seat).actions());
    }

    #[inline]
    fn sample_action(
        &self,
        state: &State,
        seat: Seat,
        rng: &mut Stream,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        let menu = self.menu(state, seat);
        menu.nth(rng.index(menu.len()))
    }

    fn action_bound(&self) -> u32 {
        FIRST_ATTACK + self.seats as u32
    }

    #[inline]
    fn action_id(&self, _state: &State, _seat: Seat, action: &Action) -> u32 {
        action.id()
    }

    fn mark_ids(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>, mask: &mut [u8]) {
        self.menu(state, seat).ids().for_each(|id| mask[id as usize] = 1);
    }

    fn action_of(&self, state: &State, seat: Seat, id: u32) -> Option<Action> {
        self.menu(state, seat).actions().find(|action| action.id() == id)
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
                match state.stage {
                    Stage::Loot => self.after_loot(state, events),
                    _ => self.end_turn(state, events),
                }
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

    /// R9.1: trades, discarded units, and the end of a turn are private.
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

    fn write_action(action: &Action, text: &mut TextWriter<'_>) {
        action.write_text(text);
    }

    fn write_chance(chance: &Chance, text: &mut TextWriter<'_>) {
        chance.write_text(text);
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        // The key of a turn. The same round and place have the same wind, whatever happened before.
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
                    state.prices[port][product.index()] = self.price_list(product)[usize::from(*rank)];
                }
                state.stage = match product {
                    Product::Cannon => Stage::Spawn(0),
                    _ => Stage::Prices(product as u8 + 1),
                };
            }
            (Chance::Order(order), _) => {
                state.order[..order.items().len()].copy_from_slice(order.items());
                state.stage = if self.prices_are_fixed() { Stage::Spawn(0) } else { Stage::Prices(0) };
                events.tell(|| Event::Order {
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
            Stage::Order if self.lists_orders() => {
                let orders = Permutation::all(self.seats);
                let share = 1.0 / orders.len() as f64;
                Some(orders.into_iter().map(|order| (Chance::Order(order), share)).collect())
            }
            Stage::Prices(due) if self.lists_orders() => {
                let product = Product::ALL[usize::from(due)];
                let orders = Permutation::all(self.map.ports());
                let share = 1.0 / orders.len() as f64;
                Some(orders.into_iter().map(|ranks| (Chance::Prices(product, ranks), share)).collect())
            }
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
        determinize::determinize(self, observation, rng, state);
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
    /// The legal actions of a seat; empty if it owes no decision.
    #[inline]
    pub(crate) fn menu(&self, state: &State, seat: Seat) -> Menu {
        let mut menu = Menu::default();
        match state.stage {
            Stage::Act if seat == state.current() => return self.turn_menu(state, seat),
            Stage::Loot if seat == state.fight.winner() => {
                let ship = state.ship(seat);
                let overfull = self.is_overfull(ship);
                menu.insert_if(!overfull, Action::EndTurn);
                for product in Product::ALL {
                    let legal = overfull && self.discardable(ship, *product) > 0;
                    menu.insert_if(legal, Action::Discard(*product));
                }
            }
            Stage::Respawn if seat == state.fight.loser() => {
                menu.insert(Action::Respawn);
                menu.insert(Action::Retire);
            }
            _ => {}
        }
        menu
    }
}
