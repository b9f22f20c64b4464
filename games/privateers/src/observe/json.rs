//! An observation as data: exactly the information that the viewer may know.

use meeple_core::{Listed, Seat};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Observation;
use crate::goods::PRODUCTS;
use crate::map::Cell;

struct ShownShip<'a>(Observation<'a>, Seat);

impl Serialize for ShownShip<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(observation, seat) = *self;
        let Observation { game, state, .. } = observation;
        let (map, ship) = (&game.map, state.ship(seat));
        let known =
            || (0..map.ports()).filter(|port| ship.known >> port & 1 == 1).map(|port| map.label(port));
        let memories = &state.memories[seat.index()][..game.seats];
        let mut shown = serializer.serialize_map(None)?;
        shown.serialize_entry("seat", &seat)?;
        shown.serialize_entry("lives", &state.lives(seat))?;
        shown.serialize_entry("cell", &ship.cell)?;
        shown.serialize_entry("port", &map.port_at(ship.cell).map(|port| map.label(port)))?;
        shown.serialize_entry("class", &ship.class)?;
        shown.serialize_entry("fresh", &ship.fresh)?;
        shown.serialize_entry("since", &ship.since)?;
        shown.serialize_entry("changed", &ship.changed)?;
        shown.serialize_entry("traded", &ship.traded)?;
        shown.serialize_entry("out", &ship.out)?;
        shown.serialize_entry("known_ports", &Listed(known))?;
        shown.serialize_entry("deeds", &ship.tally)?;
        if let Some(hold) = observation.hold(seat) {
            let units: [u16; PRODUCTS] = std::array::from_fn(|product| hold.count(product));
            shown.serialize_entry("money", &hold.money)?;
            shown.serialize_entry("units", &units)?;
            shown.serialize_entry("bought", &hold.bought)?;
            shown.serialize_entry("sold", &hold.sold)?;
            shown.serialize_entry("mounted", &game.mounted(ship.class, hold.cannons))?;
            shown.serialize_entry("value", &game.value(state, seat))?;
            shown.serialize_entry("books", &ship.books)?;
        }
        if let Some(sighting) = observation.sighting(seat) {
            shown.serialize_entry("sighting", &sighting)?;
        }
        if let Some(conclusions) = observation.conclusions(seat) {
            shown.serialize_entry("conclusions", &conclusions)?;
        }
        shown.serialize_entry("ceiling", &ship.ceiling)?;
        // The clock at which each other seat sank this one last; 0 if it never did, or has been sunk since.
        shown.serialize_entry("sunk_at", &Listed(|| memories.iter().map(|memory| memory.clock)))?;
        shown.end()
    }
}

#[derive(Serialize)]
struct ShownPort {
    port: char,
    cell: Cell,
    /// Prices by product, if known.
    prices: Option<[u16; PRODUCTS]>,
}

#[derive(Serialize)]
struct ShownMap<'a> {
    name: &'a str,
    width: usize,
    height: usize,
    rows: &'a [String],
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (state, map) = (self.state, &self.game.map);
        let port = |port: usize| ShownPort {
            port: map.label(port),
            cell: map.port_cell(port),
            prices: self.sees_port(port).then(|| state.prices[port]),
        };
        let fight = self.fight();
        let sees_fight = fight.is_some_and(|fight| fight.points.is_some());
        let seats = || Seat::all(self.seats());
        let mut shown = serializer.serialize_map(None)?;
        let (width, height) = (map.width(), map.height());
        shown.serialize_entry("map", &ShownMap { name: map.name(), width, height, rows: map.rows() })?;
        shown.serialize_entry("stage", &self.stage())?;
        shown.serialize_entry("order", self.order())?;
        shown.serialize_entry("current", &self.current())?;
        shown.serialize_entry("round", &self.round())?;
        shown.serialize_entry("rounds_left", &self.rounds_left())?;
        shown.serialize_entry("turns", &self.turns())?;
        shown.serialize_entry("clock", &state.clock)?;
        shown.serialize_entry("rolls", &state.rolls)?;
        shown.serialize_entry("decisions", &self.public_decisions())?;
        shown.serialize_entry("wind", &self.wind())?;
        shown.serialize_entry("power", &self.power())?;
        shown.serialize_entry("budget", &self.budget())?;
        shown.serialize_entry("moves_left", &self.moves_left())?;
        shown.serialize_entry("fought", &Listed(|| seats().filter(|seat| self.fought(*seat))))?;
        shown.serialize_entry("fight", &fight)?;
        shown.serialize_entry("fight_start", &sees_fight.then_some(state.fight.start))?;
        shown.serialize_entry("initiator_won", &state.fight.initiator_won)?;
        shown.serialize_entry("ships", &Listed(|| seats().map(|seat| ShownShip(*self, seat))))?;
        shown.serialize_entry("ports", &Listed(|| (0..map.ports()).map(port)))?;
        shown.end()
    }
}
