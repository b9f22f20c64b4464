//! Positions to start from, for tests, puzzles and studies.

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
    /// Units by product, without cannons.
    pub goods: [u16; GOODS],
    /// Mounted and stowed cannons.
    pub cannons: u16,
}

impl ShipSetup {
    /// A schooner with two cannons, without money and goods.
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

/// A position. Seats play in order, and the wind of seat 0 is rolled next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub ships: Vec<ShipSetup>,
    /// Prices by port and product. If absent, port `i` has the `i`-th smallest price of every product.
    pub prices: Option<Vec<[u16; PRODUCTS]>>,
}

impl Privateers {
    /// Builds the state without a check against the rules: loads and prices may be arbitrary. Seats know the
    /// prices of the ports where they are. Panics unless there is a ship for each seat and a price row for
    /// each port.
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
            // The history of the ship's wealth is unknown, so it is not bounded.
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

    /// The cell of a seat's ship, for tests and studies that have no viewer.
    pub fn cell_of(&self, state: &State, seat: Seat) -> Cell {
        state.ship(seat).cell
    }
}
