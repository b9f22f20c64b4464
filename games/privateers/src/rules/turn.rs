//! A turn: wind, sailing and trading.

use meeple_core::Seat;

use crate::action::Action;
use crate::event::{Event, Events};
use crate::game::Privateers;
use crate::goods::{GOODS, PRODUCTS, Product, Products};
use crate::menu::Menu;
use crate::ship::Class;
use crate::state::{End, Fight, Sail, Ship, Stage, State};
use crate::variant::MAX_SEATS;
use crate::wind::{Heading, Wind};

impl Privateers {
    /// R4.1: fits out a ship before the first turn.
    pub(crate) fn spawn(&self, state: &mut State, seat: Seat, port: usize, events: &mut impl Events) {
        let (round, clock) = (state.round, state.tick());
        self.fit_out(state.ship_mut(seat), port, round, clock);
        state.living |= 1 << seat.index();
        events.tell(|| Event::Fitted { seat, port: self.map.label(port) });
        self.tell_prices(state, seat, port, events);
        if seat.index() + 1 < self.seats {
            state.stage = Stage::Spawn(seat.index() as u8 + 1);
        } else {
            state.stage = Stage::Wind;
            events.tell(|| Event::RoundBegan { round: 1 });
        }
    }

    /// R4.2: sets the wind of a turn.
    #[inline]
    pub(crate) fn begin_turn(&self, state: &mut State, wind: Wind, power: u8, events: &mut impl Events) {
        let seat = state.current();
        state.turns += 1;
        state.sail = Sail { wind, power, budget: self.budget(wind, power), ..Sail::default() };
        state.stage = Stage::Act;
        let round = state.round + 1;
        events.tell(|| Event::Wind { seat, round, wind, power });
        self.enter_port(state, seat, events);
        if state.ship(seat).fresh && self.map.port_at(state.ship(seat).cell).is_none() {
            self.remember_fresh(state, seat);
        }
        let ship = state.ship_mut(seat);
        ship.fresh = false;
        ship.tally.turns[ship.class.index()] += 1;
        self.settle(state, seat, events);
    }

    /// R5.1: in its own turn a seat sees the prices of its port, and may trade.
    #[inline]
    fn enter_port(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        if let Some(port) = self.map.port_at(state.ship(seat).cell) {
            let clock = state.tick();
            let ship = state.ship_mut(seat);
            ship.changed = clock;
            ship.traded = clock;
            if ship.known >> port & 1 == 0 {
                ship.known |= 1 << port;
                self.tell_prices(state, seat, port, events);
            }
        }
    }

    /// R4.6: passes the turn on if ending it is the only action and everybody can see that. In a port others
    /// cannot see it (`asks_at_end`).
    #[inline]
    pub(crate) fn settle(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        if !self.has_choice(state, seat) {
            self.end_turn(state, events);
        }
    }

    /// Returns true if an action other than ending the turn is legal, or if others must not learn that none
    /// is.
    #[inline]
    pub(crate) fn has_choice(&self, state: &State, seat: Seat) -> bool {
        let ship = state.ship(seat);
        self.ways(state, ship) != 0 || self.has_trade(state, seat) || !self.targets(state, seat).is_empty()
    }

    /// Returns true if a seat may trade, or must not reveal that it cannot.
    fn has_trade(&self, state: &State, seat: Seat) -> bool {
        let ship = state.ship(seat);
        self.map.port_at(ship.cell).is_some_and(|port| {
            self.variant.asks_at_end
                || !Self::sells(ship).is_empty()
                || !self.buys(ship, &state.prices[port]).is_empty()
                || self.may_upgrade(state, seat, Class::Galleon)
                || self.may_upgrade(state, seat, Class::Frigate)
        })
    }

    /// R4.4: the headings in which a ship may sail now, as bits.
    #[inline]
    fn ways(&self, state: &State, ship: &Ship) -> u8 {
        let sail = &state.sail;
        if sail.moves < self.variant.max_moves {
            self.map.ways(ship.cell) & self.payable(ship.class, sail.wind, sail.budget)
        } else {
            0
        }
    }

    /// R5.2: the number of units of a product that the ship has room for.
    #[inline]
    fn room(&self, ship: &Ship, product: Product) -> u16 {
        let build = self.build(ship.class);
        let room = build.hold.saturating_sub(self.load(ship.class, &ship.hold));
        let mounts =
            if product == Product::Cannon { build.mounts.saturating_sub(ship.hold.cannons) } else { 0 };
        room + mounts
    }

    /// R5.2: the products of which the ship may buy a unit at these prices.
    #[inline]
    fn buys(&self, ship: &Ship, prices: &[u16; PRODUCTS]) -> Products {
        let rooms = [Product::Lumber, Product::Cannon].map(|product| self.room(ship, product) > 0);
        // All goods have the same room.
        let fits = |product: usize| rooms[usize::from(product == Product::Cannon.index())];
        let pays = |product: usize| ship.hold.money >= i64::from(prices[product]);
        // R5.4: products sold during this stay may not be bought.
        Products::those(|product| fits(product) & pays(product)).without(ship.hold.sold)
    }

    /// R5.3: the products of which the ship may sell a unit in a port.
    #[inline]
    fn sells(ship: &Ship) -> Products {
        // R5.4: products bought during this stay may not be sold.
        Products::those(|product| ship.hold.count(product) > 0).without(ship.hold.bought)
    }

    /// R5.2: the largest number of units of a product that the acting seat may buy now.
    #[inline]
    pub(crate) fn buyable(&self, state: &State, seat: Seat, product: Product) -> u16 {
        let ship = state.ship(seat);
        let Some(port) = self.map.port_at(ship.cell) else { return 0 };
        let price = state.prices[port][product.index()];
        if ship.hold.sold.contains(product.index()) {
            return 0;
        }
        let affordable = (ship.hold.money / i64::from(price)).min(i64::from(u16::MAX));
        self.room(ship, product).min(affordable as u16)
    }

    /// R5.3: the largest number of units of a product that the acting seat may sell now.
    #[inline]
    pub(crate) fn sellable(&self, state: &State, seat: Seat, product: Product) -> u16 {
        let ship = state.ship(seat);
        if self.map.port_at(ship.cell).is_none() || ship.hold.bought.contains(product.index()) {
            return 0;
        }
        ship.hold.count(product.index())
    }

    /// R5.5: returns true if a seat in a port has the money for this higher class.
    #[inline]
    pub(crate) fn may_upgrade(&self, state: &State, seat: Seat, class: Class) -> bool {
        let ship = state.ship(seat);
        self.map.port_at(ship.cell).is_some()
            && self.upgrade_price(ship.class, class).is_some_and(|price| ship.hold.money >= i64::from(price))
    }

    #[inline]
    pub(crate) fn turn_menu(&self, state: &State, seat: Seat) -> Menu {
        let ship = state.ship(seat);
        let mut menu = Menu::default();
        menu.insert(Action::EndTurn);
        menu.insert_moves(self.ways(state, ship));
        if let Some(port) = self.map.port_at(ship.cell) {
            let (buys, sells) = (self.buys(ship, &state.prices[port]), Self::sells(ship));
            menu.insert_trades(buys, Action::Buy);
            menu.insert_trades(sells, Action::Sell);
            if self.variant.bulk {
                menu.insert_trades(buys, Action::BuyMax);
                menu.insert_trades(sells, Action::SellAll);
            }
            for class in [Class::Galleon, Class::Frigate] {
                menu.insert_if(self.may_upgrade(state, seat, class), Action::BuyShip(class));
            }
        }
        menu.insert_attacks(self.targets_of(state, seat));
        menu
    }

    #[inline]
    pub(crate) fn sail(&self, state: &mut State, seat: Seat, heading: Heading, events: &mut impl Events) {
        let ship = state.ship(seat);
        let cost = self.costs(ship.class, state.sail.wind)[heading.index()];
        let Some(cell) = self.map.next(ship.cell, heading) else { return };
        state.sail.budget = state.sail.budget.saturating_sub(cost);
        state.sail.moves += 1;
        let ship = state.ship_mut(seat);
        ship.cell = cell;
        ship.hold.end_stay();
        ship.tally.moves += 1;
        if self.map.port_at(cell).is_some() {
            ship.ceiling = self.ceiling_in_port(ship.class, ship.ceiling);
        }
        events.tell(|| Event::Moved { seat, heading });
        self.enter_port(state, seat, events);
        self.settle(state, seat, events);
    }

    /// R5.2: buys units of a product.
    pub(crate) fn buy(
        &self,
        state: &mut State,
        seat: Seat,
        product: Product,
        units: u16,
        events: &mut impl Events,
    ) {
        let Some(price) = self.price_here(state, seat, product) else { return };
        let ship = state.ship_mut(seat);
        *ship.hold.count_mut(product.index()) += units;
        ship.hold.bought.insert(product);
        ship.books.bought += u32::from(units);
        ship.pay(product, -i64::from(price) * i64::from(units));
        events.tell_only(seat, || Event::Bought { seat, product, units, price });
        self.settle(state, seat, events);
    }

    /// R5.3: sells units of a product.
    pub(crate) fn sell(
        &self,
        state: &mut State,
        seat: Seat,
        product: Product,
        units: u16,
        events: &mut impl Events,
    ) {
        let Some(price) = self.price_here(state, seat, product) else { return };
        let ship = state.ship_mut(seat);
        let count = ship.hold.count_mut(product.index());
        *count = count.saturating_sub(units);
        ship.hold.sold.insert(product);
        ship.books.sold += u32::from(units);
        ship.pay(product, i64::from(price) * i64::from(units));
        events.tell_only(seat, || Event::Sold { seat, product, units, price });
        self.settle(state, seat, events);
    }

    #[inline]
    fn price_here(&self, state: &State, seat: Seat, product: Product) -> Option<u16> {
        let port = self.map.port_at(state.ship(seat).cell)?;
        Some(state.prices[port][product.index()])
    }

    pub(crate) fn upgrade(&self, state: &mut State, seat: Seat, class: Class, events: &mut impl Events) {
        let ship = state.ship(seat);
        let price = self.upgrade_price(ship.class, class).unwrap_or(0);
        let ship = state.ship_mut(seat);
        ship.hold.money -= i64::from(price);
        ship.ceiling -= i64::from(price);
        ship.class = class.max(ship.class);
        events.tell(|| Event::Upgraded { seat, class });
        self.settle(state, seat, events);
    }

    /// R4.6: ends the turn and passes it on.
    pub(crate) fn end_turn(&self, state: &mut State, events: &mut impl Events) {
        let target = self.variant.target_value;
        if target > 0 && state.living().any(|seat| self.value(state, seat) >= target) {
            return self.finish(state, End::Target, events);
        }
        state.stage = Stage::Wind;
        if state.decisions >= self.variant.max_decisions {
            // R9.1: others must not learn whether the last decision ended the turn.
            return;
        }
        state.sail = Sail::default();
        let before = state.round;
        for _ in 0..MAX_SEATS {
            state.place += 1;
            if usize::from(state.place) == self.seats {
                state.place = 0;
                state.round += 1;
                if state.round == self.variant.max_rounds {
                    return self.finish(state, End::Rounds, events);
                }
            }
            if state.lives(state.current()) {
                if state.round != before {
                    let round = state.round + 1;
                    events.tell(|| Event::RoundBegan { round });
                }
                return;
            }
        }
    }

    pub(crate) fn finish(&self, state: &mut State, end: End, events: &mut impl Events) {
        if matches!(state.stage, Stage::Over(_)) {
            return;
        }
        state.stage = Stage::Over(end);
        state.fight = Fight::default();
        events.tell(|| Event::Over { end: End::NAMES[end as usize] });
    }

    /// R6.6: the units of a product that may be discarded. Mounted cannons may not.
    pub(crate) fn discardable(&self, ship: &Ship, product: Product) -> u16 {
        if product.index() < GOODS {
            ship.hold.goods[product.index()]
        } else {
            ship.hold.cannons.saturating_sub(self.build(ship.class).mounts)
        }
    }

    /// The reason why an action is illegal.
    pub(crate) fn explain(&self, state: &State, seat: Seat, action: Action) -> Result<(), String> {
        let ship = state.ship(seat);
        let turn = state.stage == Stage::Act && seat == state.current();
        match action {
            Action::Respawn | Action::Retire => {
                allow(state.stage == Stage::Respawn && seat == state.fight.loser(), || {
                    format!("{action}: no ship of seat {seat} was sunk just now")
                })
            }
            Action::Discard(product) => {
                let due = self.is_won_by(state, seat) && self.is_overfull(ship);
                allow(due, || format!("{action}: seat {seat} has won no fight that overfilled its hold"))?;
                allow(self.discardable(ship, product) > 0, || {
                    format!("{action}: there is none in the hold (mounted cannons stay)")
                })
            }
            Action::EndTurn if self.is_won_by(state, seat) && !self.is_overfull(ship) => Ok(()),
            _ if !turn => Err(match state.stage {
                Stage::Loot if self.is_won_by(state, seat) && !self.is_overfull(ship) => {
                    format!("{action}: the fight is won; go on with '{}' first", Action::EndTurn)
                }
                Stage::Loot => "the hold is too full: discard first".into(),
                Stage::Respawn => "decide to respawn or to retire first".into(),
                _ => format!("{action}: it is not the turn of seat {seat}"),
            }),
            Action::EndTurn => Ok(()),
            Action::Move(heading) => {
                let cost = self.costs(ship.class, state.sail.wind)[heading.index()];
                let (class, sail) = (ship.class, state.sail);
                allow(self.map.next(ship.cell, heading).is_some(), || {
                    format!("{action}: there is no water")
                })?;
                allow(cost != crate::reach::IMPOSSIBLE, || {
                    format!("{action}: a {class} cannot sail {heading} in this wind ({})", sail.wind)
                })?;
                allow(cost <= sail.budget, || {
                    format!("{action}: it costs {cost} half points, {} are left", sail.budget)
                })?;
                allow(sail.moves < self.variant.max_moves, || format!("{action}: no more moves this turn"))
            }
            Action::Attack(other) => {
                let other_lives = other.index() < self.seats && state.lives(other) && other != seat;
                allow(other_lives, || format!("{action}: there is no such ship"))?;
                allow(state.sail.fought >> other.index() & 1 == 0, || {
                    format!("{action}: attacked already this turn")
                })?;
                let range = self.build(ship.class).range;
                allow(self.targets(state, seat).contains(other), || {
                    format!("{action}: not within range {range} over open sea")
                })
            }
            _ if self.map.port_at(ship.cell).is_none() => Err(format!("{action}: the ship is not in a port")),
            Action::BuyShip(class) => {
                let price = self.upgrade_price(ship.class, class);
                let price = price.ok_or_else(|| format!("{action}: it is no higher class"))?;
                let money = ship.hold.money;
                allow(money >= i64::from(price), || {
                    format!("{action}: it costs {price} $, there are {money} $")
                })
            }
            Action::BuyMax(_) | Action::SellAll(_) if !self.variant.bulk => {
                Err(format!("{action}: this variant trades unit by unit"))
            }
            Action::Buy(product) | Action::BuyMax(product) => {
                allow(self.buyable(state, seat, product) > 0, || {
                    if ship.hold.sold.contains(product.index()) {
                        format!("{action}: sold during this stay")
                    } else {
                        format!("{action}: no money or no room for it")
                    }
                })
            }
            Action::Sell(product) | Action::SellAll(product) => {
                allow(self.sellable(state, seat, product) > 0, || {
                    if ship.hold.bought.contains(product.index()) {
                        format!("{action}: bought during this stay")
                    } else {
                        format!("{action}: there is none")
                    }
                })
            }
        }
    }
}

/// Returns the reason as an error unless the action is legal. The reason is computed only if needed.
fn allow(legal: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if legal { Ok(()) } else { Err(reason()) }
}
