//! The observation of a viewer; clause R9.1 lists its contents.

mod json;

use meeple_core::{Seat, SeatSet, Viewer};
use serde::Serialize;

use crate::fight::Fighter;
use crate::game::Privateers;
use crate::goods::{PRODUCTS, Product, Products};
use crate::knowledge::{Knowledge, PUBLIC, ROWS, row_of, rows};
use crate::map::{Cell, SeaMap};
use crate::menu::Menu;
use crate::reach::Reach;
use crate::ship::Class;
use crate::state::{Books, Fight, Hold, Memory, Ship, Stage, State, Tally};
use crate::variant::{MAX_SEATS, Variant};
use crate::wind::Wind;

/// The observation of a viewer. Methods return `None` for information hidden from the viewer.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    game: &'a Privateers,
    state: &'a State,
    viewer: Viewer,
}

/// The public view of the current fight, with the points for the fighters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FightView {
    /// Initiator and defender.
    pub seats: [Seat; 2],
    pub distance: u8,
    /// Fight points that each side has lost.
    pub lost: [u8; 2],
    pub rolls: u16,
    /// The dice of the last roll; zeros before it.
    pub dice: [u8; 2],
    /// Fight points left, visible to the fighters.
    pub points: Option<[u8; 2]>,
}

/// A seat's memory of a ship that sank it and still sails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Sighting {
    /// Mounted cannons after the fight.
    pub mounted: u16,
    /// Money that the ship took as loot.
    pub money: u32,
    /// True if the cannons cannot have changed since: the ship was in no port on its turn and won no fight.
    pub exact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CargoView {
    pub money: i64,
    /// Units by product, including mounted cannons.
    pub units: [u16; PRODUCTS],
    /// Products bought during this stay, which may not be sold.
    pub bought: Products,
    /// Products sold during this stay, which may not be bought.
    pub sold: Products,
}

impl<'a> Observation<'a> {
    #[inline]
    pub(crate) fn new(game: &'a Privateers, state: &'a State, viewer: Viewer) -> Self {
        Self { game, state, viewer }
    }

    #[inline]
    pub fn game(&self) -> &'a Privateers {
        self.game
    }

    #[inline]
    pub fn variant(&self) -> &'a Variant {
        &self.game.variant
    }

    #[inline]
    pub fn map(&self) -> &'a SeaMap {
        &self.game.map
    }

    #[inline]
    pub fn seats(&self) -> usize {
        self.game.seats
    }

    #[inline]
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The stage, as far as the viewer may know it. A winner makes room in secret (R9.1). For all other
    /// viewers the finished fight already waits for its loser.
    #[inline]
    pub fn stage(&self) -> Stage {
        match self.state.stage {
            // If the winner always decides when play goes on, the stage reveals nothing, so it is not hidden.
            Stage::Loot if !self.game.confirms_fights() && !self.viewer.sees(self.state.fight.winner()) => {
                Stage::Respawn
            }
            stage => stage,
        }
    }

    /// The stage of sampled worlds. A sunk seat that is not asked about a fresh ship knows that the winner
    /// makes room.
    pub(crate) fn stage_of_worlds(&self) -> Stage {
        let fight = &self.state.fight;
        let waits = !self.game.respawns() || self.viewer.sees(fight.loser());
        if self.state.stage == Stage::Loot && waits { Stage::Loot } else { self.stage() }
    }

    /// Returns true once seats and ships have been drawn. [`current`](Self::current) and the ships are valid
    /// from then on.
    pub fn has_begun(&self) -> bool {
        !matches!(self.state.stage, Stage::Order | Stage::Prices(_) | Stage::Spawn(_))
    }

    /// Seats in the order of play; empty before the order is drawn.
    pub fn order(&self) -> &'a [u8] {
        let drawn = self.state.stage != Stage::Order;
        &self.state.order[..if drawn { self.game.seats } else { 0 }]
    }

    /// The seat that has the turn. Before the wind is rolled it is the seat of the next turn.
    #[inline]
    pub fn current(&self) -> Seat {
        self.state.current()
    }

    #[inline]
    pub fn round(&self) -> u32 {
        self.state.round
    }

    #[inline]
    pub fn turns(&self) -> u32 {
        self.state.turns
    }

    /// Number of rounds left; `None` without a limit.
    #[inline]
    pub fn rounds_left(&self) -> Option<u32> {
        let cap = self.game.variant.max_rounds;
        (cap > 0).then(|| cap.saturating_sub(self.state.round))
    }

    #[inline]
    pub fn wind(&self) -> Wind {
        self.state.sail.wind
    }

    #[inline]
    pub fn power(&self) -> u8 {
        self.state.sail.power
    }

    /// Half points left in this turn.
    #[inline]
    pub fn budget(&self) -> u8 {
        self.state.sail.budget
    }

    #[inline]
    pub fn moves_left(&self) -> u8 {
        self.game.variant.max_moves.saturating_sub(self.state.sail.moves)
    }

    #[inline]
    pub fn lives(&self, seat: Seat) -> bool {
        self.state.lives(seat)
    }

    #[inline]
    pub fn living(&self) -> SeatSet {
        self.state.living()
    }

    /// The ship's cell. For a sunk ship it is the cell where it sank.
    #[inline]
    pub fn cell(&self, seat: Seat) -> Cell {
        self.state.ship(seat).cell
    }

    #[inline]
    pub fn class(&self, seat: Seat) -> Class {
        self.state.ship(seat).class
    }

    /// Returns true until the ship's first turn. The contents of a fresh ship are public.
    #[inline]
    pub fn is_fresh(&self, seat: Seat) -> bool {
        self.state.ship(seat).fresh
    }

    /// Round in which the ship was fitted out, from 0.
    #[inline]
    pub fn fitted_in_round(&self, seat: Seat) -> u32 {
        self.state.ship(seat).since
    }

    /// Ports that the seat has seen, as bits. They are public, because positions are.
    #[inline]
    pub fn known_ports(&self, seat: Seat) -> u64 {
        self.state.ship(seat).known
    }

    /// Returns true if the acting seat attacked this seat in this turn.
    #[inline]
    pub fn fought(&self, seat: Seat) -> bool {
        self.state.sail.fought >> seat.index() & 1 == 1
    }

    #[inline]
    pub fn port(&self, seat: Seat) -> Option<usize> {
        self.game.map.port_at(self.state.ship(seat).cell)
    }

    /// The price of a product in a port, if the viewer has seen it.
    #[inline]
    pub fn price(&self, port: usize, product: Product) -> Option<u16> {
        self.sees_port(port).then(|| self.state.prices[port][product.index()])
    }

    #[inline]
    pub fn sees_port(&self, port: usize) -> bool {
        match self.viewer {
            Viewer::Seat(seat) => self.state.ship(seat).known >> port & 1 == 1,
            Viewer::Public => self.game.prices_are_fixed(),
            Viewer::Everything => true,
        }
    }

    #[inline]
    fn hold(&self, seat: Seat) -> Option<&'a Hold> {
        let ship = self.state.ship(seat);
        (self.viewer.sees(seat)).then_some(&ship.hold)
    }

    #[inline]
    pub fn money(&self, seat: Seat) -> Option<i64> {
        self.hold(seat).map(|hold| hold.money)
    }

    /// Units of a product, including mounted cannons.
    #[inline]
    pub fn units(&self, seat: Seat, product: Product) -> Option<u16> {
        self.hold(seat).map(|hold| hold.count(product.index()))
    }

    /// All contents at once, if the viewer sees them.
    #[inline]
    pub fn cargo(&self, seat: Seat) -> Option<CargoView> {
        let hold = self.hold(seat)?;
        let [a, b, c, d, e, f] = hold.goods;
        Some(CargoView {
            money: hold.money,
            units: [a, b, c, d, e, f, hold.cannons],
            bought: hold.bought,
            sold: hold.sold,
        })
    }

    #[inline]
    pub fn mounted(&self, seat: Seat) -> Option<u16> {
        self.hold(seat).map(|hold| self.game.mounted(self.class(seat), hold.cannons))
    }

    /// Used room in the hold.
    #[inline]
    pub fn load(&self, seat: Seat) -> Option<u16> {
        self.hold(seat).map(|hold| self.game.load(self.class(seat), hold))
    }

    #[inline]
    pub fn value(&self, seat: Seat) -> Option<i64> {
        self.viewer.sees(seat).then(|| self.game.value(self.state, seat))
    }

    /// The viewer's memory of the last fight in which this ship sank the viewer's.
    #[inline]
    pub fn sighting(&self, of: Seat) -> Option<Sighting> {
        let Viewer::Seat(seat) = self.viewer else { return None };
        let memory = self.state.memories[seat.index()][of.index()];
        (memory.clock > 0).then(|| Sighting {
            mounted: memory.mounted,
            money: memory.money,
            exact: memory.clock > self.state.ship(of).changed,
        })
    }

    /// The viewer's conclusions about another ship's hold, if they are still valid.
    pub(crate) fn conclusions(&self, of: Seat) -> Option<Knowledge> {
        let knowledge = self.state.knowledge[row_of(self.viewer)][of.index()];
        let holds = knowledge.clock > self.state.ship(of).traded && self.lives(of);
        (holds && !self.viewer.sees(of)).then_some(knowledge)
    }

    /// The current fight, until its loser has decided.
    pub fn fight(&self) -> Option<FightView> {
        let fight = &self.state.fight;
        if !matches!(self.state.stage, Stage::Roll | Stage::Loot | Stage::Respawn | Stage::Place) {
            return None;
        }
        let seats = fight.seats.map(|seat| Seat::new(usize::from(seat)));
        let sees = seats.iter().any(|seat| self.viewer.sees(*seat));
        Some(FightView {
            seats,
            distance: fight.distance,
            lost: fight.lost,
            rolls: fight.rolls,
            dice: fight.dice,
            points: sees.then_some(fight.points),
        })
    }

    #[inline]
    pub fn is_overfull(&self) -> bool {
        matches!(self.viewer, Viewer::Seat(seat) if self.game.is_overfull(self.state.ship(seat)))
    }

    /// Upper limit on the units that the viewer may buy in its own turn.
    #[inline]
    pub fn buyable(&self, product: Product) -> u16 {
        self.own_turn().map_or(0, |seat| self.game.buyable(self.state, seat, product))
    }

    /// Upper limit on the units that the viewer may sell in its own turn.
    #[inline]
    pub fn sellable(&self, product: Product) -> u16 {
        self.own_turn().map_or(0, |seat| self.game.sellable(self.state, seat, product))
    }

    /// The number of a ship's moves, fights and fresh starts. It is constant during a stay.
    #[inline]
    pub fn stay(&self, seat: Seat) -> u32 {
        let tally = &self.state.ship(seat).tally;
        let fights = u32::from(tally.attacks) + u32::from(tally.defences);
        tally.moves + fights + u32::from(tally.respawns)
    }

    /// Returns true if the viewer may buy this class in its own turn.
    #[inline]
    pub fn may_upgrade(&self, class: Class) -> bool {
        self.own_turn().is_some_and(|seat| self.game.may_upgrade(self.state, seat, class))
    }

    /// The seats that the viewer may attack in its own turn.
    #[inline]
    pub fn targets(&self) -> SeatSet {
        // No closure here: the compiler would not inline it, and the set should stay in registers.
        match self.own_turn() {
            Some(seat) => self.game.targets(self.state, seat),
            None => SeatSet::EMPTY,
        }
    }

    #[inline]
    pub(crate) fn menu(&self) -> Menu {
        match self.viewer {
            Viewer::Seat(seat) => self.game.menu(self.state, seat),
            _ => Menu::default(),
        }
    }

    #[inline]
    fn own_turn(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) if self.state.stage == Stage::Act && seat == self.state.current() => {
                Some(seat)
            }
            _ => None,
        }
    }

    /// Cost of a cell in half points, by heading, for the acting ship in this turn's wind.
    #[inline]
    pub fn costs(&self) -> [u8; 4] {
        self.game.costs(self.class(self.current()), self.state.sail.wind)
    }

    /// Computes the reachable cells of the acting ship for the rest of its turn.
    #[inline]
    pub fn reach(&self, reach: &mut Reach) {
        let cell = self.cell(self.current());
        reach.find(&self.game.map, cell, self.costs(), self.budget(), self.moves_left());
    }

    /// Probability that the viewer's ship wins an attack on `other` with `mounted` cannons.
    #[inline]
    pub fn win_probability(&self, other: Seat, mounted: u16, distance: u8) -> f64 {
        let Viewer::Seat(seat) = self.viewer else { return 0.5 };
        let own = Fighter::new(self.class(seat), self.mounted(seat).unwrap_or(0));
        self.game.win_probability(own, Fighter::new(self.class(other), mounted), distance)
    }

    pub(crate) fn tally(&self, seat: Seat) -> &'a Tally {
        &self.state.ship(seat).tally
    }

    /// Copies the public part to a state, for `determinize`.
    pub(crate) fn public_part(&self, state: &mut State) {
        let full = self.state;
        state.stage = self.stage_of_worlds();
        state.order = full.order;
        state.place = full.place;
        state.round = full.round;
        state.turns = full.turns;
        state.clock = full.clock;
        state.living = full.living;
        state.eliminated = full.eliminated;
        state.sail = full.sail;
        let (points, start) = ([0; 2], [0; 2]);
        state.fight = Fight { points, start, ..full.fight };
        state.rolls = full.rolls;
        state.decisions = self.public_decisions();
        for (ship, seen) in state.ships.iter_mut().zip(&full.ships) {
            *ship = Ship { hold: Hold::default(), books: Books::default(), ..*seen };
        }
        for (row, seen) in state.memories.iter_mut().zip(&full.memories) {
            for (memory, seen) in row.iter_mut().zip(seen) {
                *memory = Memory { clock: seen.clock, ..Memory::default() };
            }
        }
        state.knowledge = [[Knowledge::default(); MAX_SEATS]; ROWS];
        for row in rows(self.game.seats) {
            state.knowledge[row] = full.knowledge[PUBLIC];
        }
        for (port, prices) in state.prices.iter_mut().enumerate() {
            let seen = port < self.game.map.ports() && self.sees_port(port);
            *prices = if seen { full.prices[port] } else { [0; PRODUCTS] };
        }
    }

    /// Copies the viewer's private part to a state that has the public part.
    pub(crate) fn private_part(&self, state: &mut State) {
        for seat in Seat::all(self.game.seats).filter(|seat| self.viewer.sees(*seat)) {
            let seen = self.state.ship(seat);
            let ship = state.ship_mut(seat);
            ship.hold = seen.hold;
            ship.books = seen.books;
            state.decisions += seen.books.decisions;
            state.memories[seat.index()] = self.state.memories[seat.index()];
            state.knowledge[seat.index()] = self.state.knowledge[seat.index()];
        }
        if let Some(FightView { points: Some(points), .. }) = self.fight() {
            state.fight.points = points;
            state.fight.start = self.state.fight.start;
        }
    }

    fn public_decisions(&self) -> u32 {
        let private: u32 = self.state.ships.iter().map(|ship| ship.books.decisions).sum();
        self.state.decisions - private
    }
}
