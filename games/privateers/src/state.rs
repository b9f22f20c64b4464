//! A position.

use meeple_core::Seat;
use serde::{Serialize, Serializer};

use crate::goods::{GOODS, PRODUCTS, Product, Products};
use crate::knowledge::{Knowledge, ROWS};
use crate::map::{Cell, MAX_PORTS};
use crate::ship::Class;
use crate::variant::MAX_SEATS;
use crate::wind::Wind;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Order,
    /// Chance deals the prices of the product with this index.
    Prices(u8),
    /// Chance draws the first port of this seat.
    Spawn(u8),
    Wind,
    /// Decision of the acting seat.
    Act,
    Roll,
    /// The winner of a fight makes room.
    Loot,
    /// The loser of a fight decides about a fresh ship.
    Respawn,
    /// Chance draws the port of a fresh ship among several.
    Place,
    Over(End),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    LastShip,
    Rounds,
    Target,
    Decisions,
}

impl End {
    /// By index.
    pub(crate) const NAMES: &'static [&'static str] =
        &["last ship", "round limit", "target value", "decision limit"];
}

/// Wind, and what is left of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Sail {
    pub(crate) wind: Wind,
    pub(crate) power: u8,
    /// Half points left.
    pub(crate) budget: u8,
    pub(crate) moves: u8,
    /// Bit set of seats.
    pub(crate) fought: u16,
}

/// The current fight, until its loser has decided. Index 0 is the initiator, 1 the defender.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Fight {
    pub(crate) seats: [u8; 2],
    pub(crate) distance: u8,
    /// Fight points left. Private to both.
    pub(crate) points: [u8; 2],
    /// Fight points at the beginning: mounted cannons. Private to both.
    pub(crate) start: [u8; 2],
    pub(crate) lost: [u8; 2],
    pub(crate) dice: [u8; 2],
    pub(crate) rolls: u16,
    /// Known at the end of the fight.
    pub(crate) initiator_won: bool,
}

impl Fight {
    #[inline]
    pub(crate) fn winner(&self) -> Seat {
        Seat::new(usize::from(self.seats[usize::from(!self.initiator_won)]))
    }

    #[inline]
    pub(crate) fn loser(&self) -> Seat {
        Seat::new(usize::from(self.seats[usize::from(self.initiator_won)]))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Ship {
    pub(crate) cell: Cell,
    pub(crate) class: Class,
    /// Set until its first turn: its cargo is public.
    pub(crate) fresh: bool,
    /// Round in which it was fitted out.
    pub(crate) since: u32,
    /// Clock when its cargo may have changed last.
    pub(crate) changed: u32,
    /// Clock of the last own turn in a port: since then only fights have changed its cargo.
    pub(crate) traded: u32,
    /// Upper bound on money and cargo; public.
    pub(crate) ceiling: i64,
    /// Ports seen, as bits. Public, as positions are.
    pub(crate) known: u64,
    /// Place among the eliminated, from 1; 0 for others.
    pub(crate) out: u8,
    /// Private.
    pub(crate) hold: Hold,
    #[serde(rename = "deeds")]
    pub(crate) tally: Tally,
    /// Private.
    pub(crate) books: Books,
}

impl Ship {
    /// Adds the money of a trade, negative for a purchase, and books it.
    #[inline]
    pub(crate) fn pay(&mut self, product: Product, total: i64) {
        self.hold.money += total;
        self.books.profit[product.index()] += total;
        self.books.profit_in[self.class.index()] += total;
        self.books.decisions += 1;
    }
}

/// Money and cargo, private to the seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Hold {
    pub(crate) money: i64,
    pub(crate) goods: [u16; GOODS],
    /// All cannons; as many as fit are mounted.
    pub(crate) cannons: u16,
    /// Products bought during this stay: since the ship moved or fought.
    pub(crate) bought: Products,
    /// Products sold during this stay.
    pub(crate) sold: Products,
}

impl Hold {
    /// Cannons do not count.
    #[inline]
    pub(crate) fn units(&self) -> u16 {
        self.goods.iter().sum()
    }

    /// R5.4: a stay ends.
    #[inline]
    pub(crate) fn end_stay(&mut self) {
        self.bought = Products::default();
        self.sold = Products::default();
    }

    /// Units of the product with this index.
    #[inline]
    pub(crate) fn count(&self, product: usize) -> u16 {
        if product < GOODS { self.goods[product] } else { self.cannons }
    }

    #[inline]
    pub(crate) fn count_mut(&mut self, product: usize) -> &mut u16 {
        if product < GOODS { &mut self.goods[product] } else { &mut self.cannons }
    }
}

/// Public counters of a seat's actions, for the figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Tally {
    pub(crate) moves: u32,
    pub(crate) attacks: u16,
    pub(crate) attacks_won: u16,
    pub(crate) defences: u16,
    pub(crate) defences_won: u16,
    /// Turns begun, by own class.
    pub(crate) turns: [u32; 3],
    /// Fights begun, by own class.
    pub(crate) attacks_in: [u16; 3],
    /// Fights begun and won, by own class.
    pub(crate) attacks_won_in: [u16; 3],
    /// Ships sunk, by their class.
    pub(crate) sank: [u16; 3],
    /// Times sunk, by class of the winner.
    pub(crate) sunk_by: [u16; 3],
    /// Seat that sank it last, from 1; 0 for none.
    pub(crate) sunk_last_by: u8,
    pub(crate) respawns: u16,
}

/// Private counters of a seat, for the figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Books {
    pub(crate) bought: u32,
    pub(crate) sold: u32,
    /// Sales less purchases by product.
    pub(crate) profit: [i64; PRODUCTS],
    /// Sales less purchases by own class.
    pub(crate) profit_in: [i64; 3],
    /// Money and goods at smallest prices taken from beaten ships.
    pub(crate) loot: i64,
    pub(crate) discarded: u32,
    pub(crate) decisions: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Memory {
    /// Clock of the fight; 0 for none.
    pub(crate) clock: u32,
    /// After the fight.
    pub(crate) mounted: u16,
    /// Taken by the winner.
    pub(crate) money: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct State {
    pub(crate) stage: Stage,
    pub(crate) order: [u8; MAX_SEATS],
    /// Index of the current seat in `order`.
    pub(crate) place: u8,
    pub(crate) round: u32,
    pub(crate) turns: u32,
    /// Number of public events that matter for memories.
    pub(crate) clock: u32,
    /// Bit set of seats with a ship.
    pub(crate) living: u16,
    pub(crate) eliminated: u8,
    pub(crate) sail: Sail,
    pub(crate) fight: Fight,
    /// Includes private ones.
    pub(crate) decisions: u32,
    pub(crate) rolls: u32,
    pub(crate) ships: [Ship; MAX_SEATS],
    /// By port and product.
    #[serde(serialize_with = "as_list")]
    pub(crate) prices: [[u16; PRODUCTS]; MAX_PORTS],
    /// By remembering seat, then remembered seat.
    pub(crate) memories: [[Memory; MAX_SEATS]; MAX_SEATS],
    /// By viewer and of whom.
    pub(crate) knowledge: [[Knowledge; MAX_SEATS]; ROWS],
}

fn as_list<S: Serializer>(prices: &[[u16; PRODUCTS]; MAX_PORTS], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(prices)
}

impl State {
    #[inline]
    pub(crate) fn current(&self) -> Seat {
        Seat::new(usize::from(self.order[usize::from(self.place) % MAX_SEATS]))
    }

    #[inline]
    pub(crate) fn ship(&self, seat: Seat) -> &Ship {
        &self.ships[seat.index()]
    }

    #[inline]
    pub(crate) fn ship_mut(&mut self, seat: Seat) -> &mut Ship {
        &mut self.ships[seat.index()]
    }

    #[inline]
    pub(crate) fn lives(&self, seat: Seat) -> bool {
        self.living >> seat.index() & 1 == 1
    }

    #[inline]
    pub(crate) fn living(&self) -> meeple_core::SeatSet {
        meeple_core::SeatSet::from_mask(u64::from(self.living))
    }

    #[inline]
    pub(crate) fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }
}
