//! Fights, loot and fresh ships.

use meeple_core::{Audience, Seat, SeatSet};

use crate::event::{Event, Events};
use crate::fight::hit;
use crate::game::Privateers;
use crate::goods::{PRODUCTS, Product};
use crate::map::Cell;
use crate::state::{End, Fight, Memory, Ship, Stage, State, Tally};
use crate::variant::{Closing, MAX_SEATS};
use crate::wind::Heading;

impl Privateers {
    /// R6.1: the seats that a seat may attack now. Their ships are in range, and it has not attacked them in
    /// this turn.
    #[inline]
    pub(crate) fn targets(&self, state: &State, seat: Seat) -> SeatSet {
        SeatSet::from_mask(u64::from(self.targets_of(state, seat)))
    }

    #[inline]
    pub(crate) fn targets_of(&self, state: &State, seat: Seat) -> u16 {
        let own = state.ship(seat);
        let range = self.build(own.class).range;
        let mut near = 0;
        for (other, ship) in state.ships[..self.seats].iter().enumerate() {
            near |= u16::from(self.is_in_range(own.cell, ship.cell, range)) << other;
        }
        near & state.living & !state.sail.fought & !(1 << seat.index())
    }

    #[inline]
    fn is_in_range(&self, from: Cell, to: Cell, range: u8) -> bool {
        // Cheap tests come first. Most ships are far away or must share the cell, and the distance over sea
        // is at least the Manhattan distance.
        from == to
            || (range > 0
                && from.manhattan(to) <= u16::from(range)
                && self.attack_distance(from, to).is_some_and(|distance| distance <= range))
    }

    pub(crate) fn attack(&self, state: &mut State, seat: Seat, defender: Seat, events: &mut impl Events) {
        let (own, theirs) = (*state.ship(seat), *state.ship(defender));
        let Some(distance) = self.attack_distance(own.cell, theirs.cell) else { return };
        // R6.2: fight points are the mounted cannons.
        let points = [
            self.mounted(own.class, own.hold.cannons) as u8,
            self.mounted(theirs.class, theirs.hold.cannons) as u8,
        ];
        state.fight = Fight {
            seats: [seat.index() as u8, defender.index() as u8],
            distance,
            points,
            start: points,
            ..Fight::default()
        };
        state.sail.fought |= 1 << defender.index();
        // R5.4: a fight ends the stay of both ships.
        let own = state.ship_mut(seat);
        own.tally.attacks += 1;
        own.tally.attacks_in[own.class.index()] += 1;
        own.hold.end_stay();
        let theirs = state.ship_mut(defender);
        theirs.tally.defences += 1;
        theirs.hold.end_stay();
        state.stage = Stage::Roll;
        events.tell(|| Event::Attacked { seat, defender, distance });
        let seats = [seat, defender];
        events.emit(both(seats), || Event::FightPoints { seats, points });
    }

    /// R6.3: one roll of both dice.
    #[inline]
    pub(crate) fn roll(&self, state: &mut State, dice: [u8; 2], events: &mut impl Events) {
        state.rolls += 1;
        let range = self.build(state.ships[usize::from(state.fight.seats[1])].class).range;
        let fight = &mut state.fight;
        fight.rolls += 1;
        fight.dice = dice;
        let lost = hit(dice[0], dice[1], fight.distance <= range);
        let beaten = [0, 1].map(|side| lost[side] > fight.points[side]);
        for (side, loss) in lost.iter().enumerate() {
            fight.points[side] = fight.points[side].saturating_sub(*loss);
            fight.lost[side] = fight.lost[side].saturating_add(*loss);
        }
        let over = beaten[0] || beaten[1] || fight.rolls >= self.variant.max_rolls;
        let closes = !over && fight.distance > range;
        if closes {
            fight.distance -= 1;
        }
        let distance = fight.distance;
        events.tell(|| Event::Rolled { dice, lost, distance });
        if over {
            // R6.9: the side with more points wins a fight that is broken off; at equal points it is the
            // defender.
            let ahead = state.fight.points[0] > state.fight.points[1];
            state.fight.initiator_won = beaten[1] || (!beaten[0] && ahead);
            self.sink(state, events);
        } else if closes && self.variant.closing == Closing::Physical {
            self.close_up(state, events);
        }
    }

    /// R6.4, `closing=physical`: the defender sails one cell along a shortest way. Among several ways, the
    /// first heading of north, west, south, east counts.
    fn close_up(&self, state: &mut State, events: &mut impl Events) {
        let [initiator, defender] = state.fight.seats.map(|seat| Seat::new(usize::from(seat)));
        let (target, from) = (state.ship(initiator).cell, state.ship(defender).cell);
        let nearer = |cell: Cell| self.attack_distance(cell, target) == Some(state.fight.distance);
        let open =
            |cell: Cell| cell == target || !self.variant.ports_block || self.map.port_at(cell).is_none();
        let step = Heading::ALL.iter().find_map(|heading| {
            let cell = self.map.next(from, *heading)?;
            (nearer(cell) && open(cell)).then_some((*heading, cell))
        });
        if let Some((heading, cell)) = step {
            state.ship_mut(defender).cell = cell;
            events.tell(|| Event::ClosedUp { seat: defender, heading });
        }
    }

    /// R6.5: the loser sinks, and the winner takes money and cargo.
    fn sink(&self, state: &mut State, events: &mut impl Events) {
        let (winner, loser) = (state.fight.winner(), state.fight.loser());
        let initiator_won = state.fight.initiator_won;
        let armed = state.fight.start[usize::from(!initiator_won)] > 0;
        let class = state.ship(winner).class;
        let prize = state.ship(loser).class;
        events.tell(|| Event::Sunk { seat: loser, winner });
        let sunk = std::mem::take(&mut state.ship_mut(loser).hold);
        let clock = state.tick();
        let ship = state.ship_mut(winner);
        ship.changed = clock;
        let mut money = 0;
        // R6.5: a winner without a mounted cannon takes nothing.
        if armed {
            money = sunk.money;
            ship.hold.money += sunk.money;
            for product in 0..PRODUCTS {
                *ship.hold.count_mut(product) += sunk.count(product);
            }
            ship.books.loot += sunk.money + self.cargo_worth(&sunk);
            let units = std::array::from_fn(|product| sunk.count(product));
            let event = || Event::Looted { seat: winner, loser, money: sunk.money, units };
            events.emit(both([winner, loser]), event);
        }
        ship.tally.sank[prize.index()] += 1;
        if initiator_won {
            ship.tally.attacks_won += 1;
            ship.tally.attacks_won_in[class.index()] += 1;
        } else {
            ship.tally.defences_won += 1;
        }
        let mounted = self.mounted(class, ship.hold.cannons);
        let overfull = self.is_overfull(ship);
        let taken = self.ceiling_in_port(class.max(prize), state.ship(loser).ceiling);
        let ship = state.ship_mut(winner);
        ship.ceiling = ship.ceiling.saturating_add(taken);
        self.conclude(state, &sunk);
        state.ship_mut(winner).fresh = false;
        let Tally { sunk_by, sunk_last_by, .. } = &mut state.ship_mut(loser).tally;
        sunk_by[class.index()] += 1;
        *sunk_last_by = winner.index() as u8 + 1;
        // Memories of the sunk ship are outdated. The loser remembers the winner.
        for memories in &mut state.memories {
            memories[loser.index()] = Memory::default();
        }
        state.living &= !(1 << loser.index());
        state.memories[loser.index()][winner.index()] =
            Memory { clock: state.tick(), mounted, money: money.clamp(0, i64::from(u32::MAX)) as u32 };
        if !self.respawns() {
            // R7.1: the elimination is announced with the sinking, before the winner makes room. Otherwise
            // the order of events would reveal that room was made.
            self.put_out(state, loser, events);
        }
        self.make_room_or_go_on(state, overfull, events);
    }

    /// R6.6: asks the winner while the hold is overfull, and once more in `survival` (`asks_at_end`). The
    /// last question always separates consecutive public events, so others cannot see if room was made.
    fn make_room_or_go_on(&self, state: &mut State, overfull: bool, events: &mut impl Events) {
        if overfull || self.confirms_fights() {
            state.stage = Stage::Loot;
        } else {
            self.after_loot(state, events);
        }
    }

    /// Returns true if the winner of a fight always decides when play goes on.
    #[inline]
    pub(crate) fn confirms_fights(&self) -> bool {
        self.variant.asks_at_end && !self.respawns()
    }

    pub(crate) fn is_won_by(&self, state: &State, seat: Seat) -> bool {
        state.stage == Stage::Loot && seat == state.fight.winner()
    }

    /// R6.6: returns true if a ship carries more than its hold has room for.
    #[inline]
    pub(crate) fn is_overfull(&self, ship: &Ship) -> bool {
        self.load(ship.class, &ship.hold) > self.build(ship.class).hold
    }

    /// R6.6: throws one unit overboard.
    pub(crate) fn discard(&self, state: &mut State, seat: Seat, product: Product, events: &mut impl Events) {
        let ship = state.ship_mut(seat);
        let count = ship.hold.count_mut(product.index());
        *count = count.saturating_sub(1);
        ship.books.discarded += 1;
        ship.books.decisions += 1;
        events.tell_only(seat, || Event::Discarded { seat, product });
        let overfull = self.is_overfull(state.ship(seat));
        self.make_room_or_go_on(state, overfull, events);
    }

    /// R8.2: the limit on decisions. Pending chance events are resolved first, and no seat is asked any more.
    #[inline]
    pub(crate) fn end_by_decisions(&self, state: &mut State, events: &mut impl Events) {
        if state.decisions >= self.variant.max_decisions && !matches!(state.stage, Stage::Roll | Stage::Place)
        {
            if state.stage == Stage::Loot {
                self.throw_surplus(state, state.fight.winner(), events);
            }
            // R8.2: if a fight has left one ship, it has decided the game, even if the winner had no time to
            // make room.
            let is_decided = state.stage == Stage::Loot && !self.respawns() && self.is_last_ship(state);
            self.finish(state, if is_decided { End::LastShip } else { End::Decisions }, events);
        }
    }

    /// R6.6 without a question: throws the least valuable units overboard until the rest fits.
    fn throw_surplus(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        let ship = state.ship(seat);
        let mut surplus = self.load(ship.class, &ship.hold).saturating_sub(self.build(ship.class).hold);
        while surplus > 0 {
            let ship = state.ship(seat);
            let there = Product::ALL.iter().filter(|product| self.discardable(ship, **product) > 0);
            let Some(product) = there.min_by_key(|product| self.smallest_price(product.index())) else {
                return;
            };
            *state.ship_mut(seat).hold.count_mut(product.index()) -= 1;
            state.ship_mut(seat).books.discarded += 1;
            events.tell_only(seat, || Event::Discarded { seat, product: *product });
            surplus -= 1;
        }
    }

    pub(crate) fn after_loot(&self, state: &mut State, events: &mut impl Events) {
        if self.respawns() {
            state.stage = Stage::Respawn;
        } else {
            self.after_elimination(state, events);
        }
    }

    /// R7.3: a seat leaves the game by its own decision.
    pub(crate) fn retire(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        self.put_out(state, seat, events);
        self.after_elimination(state, events);
    }

    fn put_out(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        state.eliminated += 1;
        let ship = &mut state.ships[seat.index()];
        ship.out = state.eliminated;
        ship.fresh = false;
        events.tell(|| Event::Out { seat });
    }

    fn after_elimination(&self, state: &mut State, events: &mut impl Events) {
        if self.is_last_ship(state) {
            return self.finish(state, End::LastShip, events);
        }
        self.after_fight(state, events);
    }

    fn is_last_ship(&self, state: &State) -> bool {
        state.living.count_ones() <= 1
    }

    /// R7.2: a seat returns with a fresh ship.
    pub(crate) fn respawn(&self, state: &mut State, seat: Seat, events: &mut impl Events) {
        state.ship_mut(seat).tally.respawns += 1;
        let ports = self.respawn_ports(state);
        if ports.is_power_of_two() {
            self.place(state, ports.trailing_zeros() as usize, events);
        } else {
            state.stage = Stage::Place;
        }
    }

    /// R7.2: the ports where the loser's fresh ship may appear, as bits. They are the ports without ships
    /// nearby that are farthest from the wreck. If there is a ship near every port, all ports qualify.
    pub(crate) fn respawn_ports(&self, state: &State) -> u64 {
        let loser = state.fight.loser();
        let wreck = state.ship(loser).cell;
        let (mut best, mut farthest) = (0u64, 0);
        for port in 0..self.map.ports() {
            let cell = self.map.port_cell(port);
            let near = |seat: Seat| state.ship(seat).cell.manhattan(cell) < self.variant.respawn_distance;
            if state.living().any(|seat| seat != loser && near(seat)) {
                continue;
            }
            let distance = cell.manhattan(wreck);
            if best == 0 || distance > farthest {
                (best, farthest) = (1 << port, distance);
            } else if distance == farthest {
                best |= 1 << port;
            }
        }
        if best == 0 { self.all_ports() } else { best }
    }

    pub(crate) fn place(&self, state: &mut State, port: usize, events: &mut impl Events) {
        let seat = state.fight.loser();
        let (round, clock) = (state.round, state.tick());
        let known = state.ship(seat).known >> port & 1 == 1;
        self.fit_out(state.ship_mut(seat), port, round, clock);
        state.living |= 1 << seat.index();
        events.tell(|| Event::Fitted { seat, port: self.map.label(port) });
        if !known {
            self.tell_prices(state, seat, port, events);
        }
        self.after_fight(state, events);
    }

    /// R6.8: the initiator continues its turn after a win; after a loss the turn passes.
    fn after_fight(&self, state: &mut State, events: &mut impl Events) {
        let won = state.fight.initiator_won;
        let seat = Seat::new(usize::from(state.fight.seats[0]) % MAX_SEATS);
        state.fight = Fight::default();
        if won {
            state.stage = Stage::Act;
            if self.map.port_at(state.ship(seat).cell).is_some() {
                // The ship may trade again, so others' memories of it may be outdated.
                let clock = state.tick();
                let ship = state.ship_mut(seat);
                ship.changed = clock;
                ship.traded = clock;
            }
            self.settle(state, seat, events);
        } else {
            self.end_turn(state, events);
        }
    }
}

fn both(seats: [Seat; 2]) -> Audience {
    Audience::Seats(SeatSet::from_mask(1 << seats[0].index() | 1 << seats[1].index()))
}
