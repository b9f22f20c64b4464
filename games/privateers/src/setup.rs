//! Positions to start from: for tests, puzzles and studies.

use meeple_core::{Game, Seat};

use crate::game::Privateers;
use crate::goods::{GOODS, PRODUCTS};
use crate::map::Cell;
use crate::ship::Class;
use crate::state::{Hold, Stage, State};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShipSetup {
    pub cell: Cell,
    pub class: Class,
    pub money: i64,
    /// Units by product, cannons left out.
    pub goods: [u16; GOODS],
    /// Cannons, mounted or not.
    pub cannons: u16,
}

impl ShipSetup {
    /// A schooner with two cannons and nothing else.
    pub const fn at(cell: Cell) -> Self {
        Self { cell, class: Class::Schooner, money: 0, goods: [0; GOODS], cannons: 2 }
    }

    pub const fn class(mut self, class: Class) -> Self {
        self.class = class;
        self
    }

    pub const fn cannons(mut self, cannons: u16) -> Self {
        self.cannons = cannons;
        self
    }

    pub const fn money(mut self, money: i64) -> Self {
        self.money = money;
        self
    }

    pub const fn goods(mut self, goods: [u16; GOODS]) -> Self {
        self.goods = goods;
        self
    }
}

/// A position: seats play in order, seat 0 rolls the wind next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub ships: Vec<ShipSetup>,
    /// By port and product. Without them, port `i` has the `i`-th smallest price of every product.
    pub prices: Option<Vec<[u16; PRODUCTS]>>,
}

impl Privateers {
    /// Nothing is checked against the rules: a ship may carry too much, and prices may be any.
    /// Seats know the prices of the ports where they are. Panics unless there is a ship for each
    /// seat and a price list for each port.
    pub fn set_up(&self, setup: &Setup) -> State {
        assert_eq!(setup.ships.len(), self.seats, "one ship per seat");
        let mut state = self.initial_state();
        for (place, ship) in setup.ships.iter().enumerate() {
            state.order[place] = place as u8;
            let seat = Seat::new(place);
            state.living |= 1 << place;
            let known = self.map.port_at(ship.cell).map_or(0, |port| 1 << port);
            let own = state.ship_mut(seat);
            own.cell = ship.cell;
            own.class = ship.class;
            own.hold =
                Hold { money: ship.money, goods: ship.goods, cannons: ship.cannons, ..Hold::default() };
            own.known |= known;
            // The history of its wealth is unknown.
            own.ceiling = i64::from(u32::MAX);
            own.fresh = false;
        }
        for port in 0..self.map.ports() {
            state.prices[port] = match &setup.prices {
                Some(prices) => {
                    assert_eq!(prices.len(), self.map.ports(), "one row of prices per port");
                    prices[port]
                }
                None => {
                    std::array::from_fn(|product| self.price_list(crate::goods::Product::new(product))[port])
                }
            };
        }
        state.stage = Stage::Wind;
        state
    }

    /// Independent of the viewer, for tests and studies of positions.
    pub fn cell_of(&self, state: &State, seat: Seat) -> Cell {
        state.ship(seat).cell
    }
}
