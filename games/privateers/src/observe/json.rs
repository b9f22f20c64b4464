//! An observation as data: everything that the viewer may know, and nothing else.

use meeple_core::Seat;
use serde::{Serialize, Serializer};

use super::{FightView, Observation, Sighting};
use crate::goods::{PRODUCTS, Products};
use crate::knowledge::Knowledge;
use crate::map::{Cell, SeaMap};
use crate::ship::Class;
use crate::state::{Books, Deeds, Stage};
use crate::wind::Wind;

struct PortLetters<'a>(&'a SeaMap, u64);

impl Serialize for PortLetters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ports = (0..self.0.ports()).filter(|port| self.1 >> port & 1 == 1);
        serializer.collect_seq(ports.map(|port| self.0.label(port)))
    }
}

#[derive(Serialize)]
struct ShipView<'a> {
    seat: Seat,
    lives: bool,
    cell: Cell,
    port: Option<char>,
    class: Class,
    fresh: bool,
    since: u32,
    changed: u32,
    traded: u32,
    out: u8,
    known_ports: PortLetters<'a>,
    deeds: &'a Deeds,
    #[serde(skip_serializing_if = "Option::is_none")]
    money: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<[u16; PRODUCTS]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bought: Option<Products>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sold: Option<Products>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mounted: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    books: Option<&'a Books>,
    /// What the viewer remembers of this ship.
    #[serde(skip_serializing_if = "Option::is_none")]
    sighting: Option<Sighting>,
    /// What the viewer has concluded about its hold since it was last in a port.
    #[serde(skip_serializing_if = "Option::is_none")]
    conclusions: Option<Knowledge>,
    /// Most that money and cargo can be worth.
    ceiling: i64,
    /// Clocks at which this seat was sunk, by the winner's seat; 0 is never, or the winner has sunk since.
    sunk_at: Vec<u32>,
}

#[derive(Serialize)]
struct PortView {
    port: char,
    cell: Cell,
    /// By product; `None` if the viewer does not know them.
    prices: Option<[u16; PRODUCTS]>,
}

#[derive(Serialize)]
struct ChartView {
    name: String,
    width: usize,
    height: usize,
    /// As in a map file, north first: `.` sea, `#` land, letters are ports.
    rows: Vec<String>,
}

#[derive(Serialize)]
struct Everything<'a> {
    map: ChartView,
    stage: Stage,
    order: &'a [u8],
    current: Seat,
    round: u32,
    rounds_left: Option<u32>,
    turns: u32,
    clock: u32,
    rolls: u32,
    decisions: u32,
    wind: Wind,
    power: u8,
    budget: u8,
    moves_left: u8,
    fought: Vec<Seat>,
    fight: Option<FightView>,
    fight_start: Option<[u8; 2]>,
    initiator_won: bool,
    ships: Vec<ShipView<'a>>,
    ports: Vec<PortView>,
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (state, map) = (self.state, &self.game.map);
        let ship = |seat: Seat| {
            let ship = state.ship(seat);
            let hold = self.hold(seat);
            ShipView {
                seat,
                lives: state.lives(seat),
                cell: ship.cell,
                port: map.port_at(ship.cell).map(|port| map.label(port)),
                class: ship.class,
                fresh: ship.fresh,
                since: ship.since,
                changed: ship.changed,
                traded: ship.traded,
                out: ship.out,
                known_ports: PortLetters(map, ship.known),
                deeds: self.deeds(seat),
                money: self.money(seat),
                units: hold.map(|hold| std::array::from_fn(|product| hold.count(product))),
                bought: hold.map(|hold| hold.bought),
                sold: hold.map(|hold| hold.sold),
                mounted: self.mounted(seat),
                value: self.value(seat),
                books: self.books(seat),
                sighting: self.sighting(seat),
                conclusions: self.conclusions(seat),
                ceiling: ship.ceiling,
                sunk_at: state.memories[seat.index()][..self.seats()]
                    .iter()
                    .map(|memory| memory.clock)
                    .collect(),
            }
        };
        let port = |port: usize| PortView {
            port: map.label(port),
            cell: map.port_cell(port),
            prices: self.sees_port(port).then(|| state.prices[port]),
        };
        let fight = self.fight();
        let sees_fight = fight.is_some_and(|fight| fight.points.is_some());
        Everything {
            map: ChartView {
                name: map.name().to_owned(),
                width: map.width(),
                height: map.height(),
                rows: (0..map.height()).map(|row| map.row(row)).collect(),
            },
            stage: self.stage(),
            order: self.order(),
            current: self.current(),
            round: self.round(),
            rounds_left: self.rounds_left(),
            turns: self.turns(),
            clock: state.clock,
            rolls: state.rolls,
            decisions: self.public_decisions(),
            wind: self.wind(),
            power: self.power(),
            budget: self.budget(),
            moves_left: self.moves_left(),
            fought: Seat::all(self.seats()).filter(|seat| self.fought(*seat)).collect(),
            fight,
            fight_start: sees_fight.then_some(state.fight.start),
            initiator_won: state.fight.initiator_won,
            ships: Seat::all(self.seats()).map(ship).collect(),
            ports: (0..map.ports()).map(port).collect(),
        }
        .serialize(serializer)
    }
}
