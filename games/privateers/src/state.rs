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
    /// Chance draws the port of a fresh ship from several.
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
    /// Names by index.
    pub(crate) const NAMES: &'static [&'static str] =
        &["last ship", "round limit", "target value", "decision limit"];
}

/// The wind, and the remaining resources of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Sail {
    pub(crate) wind: Wind,
    pub(crate) power: u8,
    /// Half points left.
    pub(crate) budget: u8,
    pub(crate) moves: u8,
    /// Seats attacked in this turn, as bits.
    pub(crate) fought: u16,
}

/// The current fight, until its loser has decided. In pairs, index 0 is the initiator, 1 the defender.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Fight {
    pub(crate) seats: [u8; 2],
    pub(crate) distance: u8,
    /// Fight points left. Private to both fighters.
    pub(crate) points: [u8; 2],
    /// Fight points at the beginning: mounted cannons. Private to both fighters.
    pub(crate) start: [u8; 2],
    pub(crate) lost: [u8; 2],
    pub(crate) dice: [u8; 2],
    pub(crate) rolls: u16,
    /// Valid at the end of the fight.
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
    /// True until the ship's first turn. The cargo of a fresh ship is public.
    pub(crate) fresh: bool,
    /// Round in which the ship was fitted out.
    pub(crate) since: u32,
    /// Clock when the cargo may have changed last.
    pub(crate) changed: u32,
    /// Clock at the last own turn in a port. Since then only fights have changed the cargo.
    pub(crate) traded: u32,
    /// Upper bound on the worth of money and cargo. Public.
    pub(crate) ceiling: i64,
    /// Ports seen, as bits. They are public, because positions are.
    pub(crate) known: u64,
    /// Order of elimination, from 1; 0 for seats not eliminated.
    pub(crate) out: u8,
    /// Private to the seat.
    pub(crate) hold: Hold,
    #[serde(rename = "deeds")]
    pub(crate) tally: Tally,
    /// Private to the seat.
    pub(crate) books: Books,
}

impl Ship {
    /// Books a trade: adds `total` dollars, which is negative for a purchase.
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
    /// All cannons, mounted and stowed.
    pub(crate) cannons: u16,
    /// Products bought during this stay. A move or a fight ends a stay.
    pub(crate) bought: Products,
    /// Products sold during this stay.
    pub(crate) sold: Products,
}

impl Hold {
    /// Units of goods, without cannons.
    #[inline]
    pub(crate) fn units(&self) -> u16 {
        self.goods.iter().sum()
    }

    /// R5.4: ends the stay, so all products may be traded again.
    #[inline]
    pub(crate) fn end_stay(&mut self) {
        self.bought = Products::default();
        self.sold = Products::default();
    }

    /// Units of the product with this index; for cannons, mounted and stowed.
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
    /// Turns begun, by class of the own ship.
    pub(crate) turns: [u32; 3],
    /// Fights begun, by class of the own ship.
    pub(crate) attacks_in: [u16; 3],
    /// Fights begun and won, by class of the own ship.
    pub(crate) attacks_won_in: [u16; 3],
    /// Ships sunk, by class of the sunk ship.
    pub(crate) sank: [u16; 3],
    /// Times sunk, by class of the winner.
    pub(crate) sunk_by: [u16; 3],
    /// The seat that sank this one last, counted from 1; 0 for none.
    pub(crate) sunk_last_by: u8,
    pub(crate) respawns: u16,
}

/// Private counters of a seat, for the figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Books {
    pub(crate) bought: u32,
    pub(crate) sold: u32,
    /// Sales minus purchases, by product.
    pub(crate) profit: [i64; PRODUCTS],
    /// Sales minus purchases, by class of the own ship.
    pub(crate) profit_in: [i64; 3],
    /// Money taken from sunk ships, plus their cargo at smallest prices.
    pub(crate) loot: i64,
    pub(crate) discarded: u32,
    pub(crate) decisions: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Memory {
    /// Clock at the fight; 0 if there was none.
    pub(crate) clock: u32,
    /// Mounted cannons of the winner after the fight.
    pub(crate) mounted: u16,
    /// Money that the winner took.
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
    /// Number of events so far that may make memories outdated.
    pub(crate) clock: u32,
    /// Seats with a ship, as bits.
    pub(crate) living: u16,
    pub(crate) eliminated: u8,
    pub(crate) sail: Sail,
    pub(crate) fight: Fight,
    /// Number of decisions so far, including private ones.
    pub(crate) decisions: u32,
    pub(crate) rolls: u32,
    pub(crate) ships: [Ship; MAX_SEATS],
    /// Prices by port and product.
    #[serde(serialize_with = "as_list")]
    pub(crate) prices: [[u16; PRODUCTS]; MAX_PORTS],
    /// Memories by remembering seat, then by remembered seat.
    pub(crate) memories: [[Memory; MAX_SEATS]; MAX_SEATS],
    /// Conclusions by viewer's row, then by seat.
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
