//! Encoding of a seat's observation as numbers, for learners.

use meeple_core::{Encode, FieldSink, Meaning, Seat, bent};

use crate::game::Privateers;
use crate::goods::{PRODUCTS, Product};
use crate::observe::Observation;
use crate::prospects::{Prospects, Rivalry};
use crate::reach::IMPOSSIBLE;
use crate::ship::{CLASSES, Class};
use crate::state::Stage;
use crate::variant::{DIE, MAX_BUDGET, MAX_SEATS};
use crate::wind::Wind;

const ROUNDS_LEFT: Meaning = Meaning::share("rounds_left", "all rounds", "Rounds left; 1 without a limit.");
const STAGE: Meaning = Meaning::flag(
    "stage",
    "The next step: set-up, wind, a turn, fight dice, the winner makes room, the loser decides, a fresh \
     ship's place, nothing.",
);
const OWN_TURN: Meaning = Meaning::flag("own_turn", "1 on the own turn.");
const TURNS_UNTIL: Meaning =
    Meaning::share("turns_until", "all seats", "Turns of others before the next own one.");
const LIVES: Meaning = Meaning::flag("lives", "Seats with a ship, from the own seat on.");
const CLASSES_OF: Meaning =
    Meaning::flag("classes", "Schooner, galleon, frigate, for every seat from the own one on.");
const MONEY: Meaning = Meaning::signed("money", "bent at the highest ship price", "The own money.");
const VALUE: Meaning = Meaning::signed("value", "bent at the highest ship price", "The own value.");
const ROOM: Meaning = Meaning::signed(
    "room",
    "the own hold",
    "Free room in the own hold; below 0 there is too much, at most -1.",
);
const UNITS: Meaning = Meaning::share(
    "units",
    "the largest hold and mounts",
    "Own units by product: lumber, sugar, tobacco, rum, textile, spice, cannons; at most 1.",
);
const MOUNTED: Meaning = Meaning::share("mounted", "most mounts", "Own mounted cannons.");
const BOUGHT: Meaning = Meaning::flag("bought", "By product: bought during this stay, so not to be sold.");
const SOLD: Meaning = Meaning::flag("sold", "By product: sold during this stay, so not to be bought.");
const BUYABLE: Meaning =
    Meaning::share("buyable", "bent at the largest hold", "By product: units that may be bought now.");
const SELLABLE: Meaning =
    Meaning::share("sellable", "bent at the largest hold", "By product: units that may be sold now.");
const UPGRADES: Meaning = Meaning::flag("upgrades", "A galleon, a frigate may be bought now.");
const WIND: Meaning = Meaning::flag("wind", "The wind: calm, north, west, south, east, fickle.");
const POWER: Meaning = Meaning::share("power", "the die", "Its power.");
const BUDGET: Meaning = Meaning::share("budget", "most half points", "Half points left in this turn.");
const MOVES: Meaning = Meaning::share("moves", "moves of a turn", "Moves left in this turn.");
const EASE: Meaning = Meaning::share(
    "ease",
    "a cell per half point",
    "Cells per half point for the ship on turn, to north, west, south, east; 0 if it cannot sail there.",
);
const PLACE: Meaning = Meaning::share("place", "the map's side", "Column and row of the own ship.");
const PORT_NEAR: Meaning =
    Meaning::share("port_near", "here", "By port: 1 / (1 + cells to sail there) for the own ship.");
const PORT_KNOWN: Meaning = Meaning::flag("port_known", "By port: its prices are known.");
const PRICES: Meaning = Meaning::signed(
    "prices",
    "the wider arm of the price range",
    "By port, then product: price less average; 0 if it is not known.",
);
const HERE: Meaning =
    Meaning::signed("prices_here", "as in prices", "By product: price in the port of the own ship.");
const LOWEST: Meaning =
    Meaning::signed("lowest", "as in prices", "By product: the lowest price that is known.");
const HIGHEST: Meaning =
    Meaning::signed("highest", "as in prices", "By product: the highest price that is known.");
const NEAR: Meaning = Meaning::share(
    "near",
    "same cell",
    "Of the others: 1 / (1 + columns and rows to their ships); 0 without one.",
);
const TARGETS: Meaning = Meaning::flag("targets", "Of the others: the own ship may attack them now.");
const FOUGHT: Meaning = Meaning::flag("fought", "Of the others: attacked in this turn.");
const FRESH: Meaning = Meaning::flag("fresh", "Of the others: whether the ship is fresh and unchanged.");
const TRAVELLED: Meaning = Meaning::share("travelled", "all ports", "Of the others: ports they have seen.");
const SEEN_MOUNTS: Meaning = Meaning::share(
    "seen_mounts",
    "most mounts",
    "Of the others: number of mounted cannons, remembered from being sunk by them.",
);
const SEEN_EXACT: Meaning =
    Meaning::flag("seen_exact", "Of the others: that number cannot have changed since.");
const FIGHTER: Meaning = Meaning::flag("fighter", "The own ship fights: it began, it defends.");
const FIGHT: Meaning = Meaning::share(
    "fight",
    "bent at 6",
    "The present fight: distance, points lost by the attacker and by the defender, remaining points of both if known.",
);

const SHARE: Meaning = Meaning::share(
    "share",
    "the whole win",
    "Estimated own share of the win, from everybody's expected final value: if no fight begins, and with the expected end \
     of the own open fight.",
);
const THEN: Meaning = Meaning::share(
    "then",
    "bent at 10,000",
    "Expected final value of the own ship, and that of a fresh one.",
);
const WINS: Meaning =
    Meaning::share("wins", "certain", "Probability to win the own fight that goes on; 0 without one.");
const RIVAL_CANNONS: Meaning =
    Meaning::share("rival_cannons", "most mounts", "Of the others: assumed number of mounted cannons.");
const RIVAL_THEN: Meaning = Meaning::signed(
    "rival_then",
    "both together",
    "Of the others: expected final value of the own ship less theirs, as a share of both together.",
);
const ODDS: Meaning = Meaning::share(
    "odds",
    "certain",
    "Of the others: probability to win a fight that the own ship begins at its longest range, and one that they begin.",
);
const MEETS: Meaning = Meaning::share(
    "meets",
    "certain",
    "Of the others: probability that the own ship gets in range of theirs in one turn, and theirs in range of the own.",
);
const HOSTILITY: Meaning =
    Meaning::share("hostility", "certain", "Of the others: probability that they attack if they can.");
const STAKES: Meaning = Meaning::signed(
    "stakes",
    "the whole win",
    "Of the others: change of the own share of the win by a fight that the own ship begins, and by one \
     that they begin; then both times the probability that the ships meet and the fight is begun.",
);

/// The final value that is encoded as one half.
const THEN_SCALE: f32 = 10_000.0;

/// The number of fight points that is encoded as one half.
const FIGHT_SCALE: f32 = 6.0;

impl Encode for Privateers {
    const VERSION: u32 = 2;

    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        self.encode_table(seen, seat, sink);
        self.encode_ship(seen, seat, sink);
        self.encode_ports(seen, seat, sink);
        self.encode_others(seen, seat, sink);
        self.encode_prospects(seen, seat, sink);
    }
}

impl Privateers {
    fn encode_table(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let variant = seen.variant();
        let begun = seen.has_begun();
        let left = seen.rounds_left().map_or(1.0, |left| left as f32 / variant.max_rounds as f32);
        sink.one(ROUNDS_LEFT, left);
        let stage = match seen.stage() {
            Stage::Order | Stage::Prices(_) | Stage::Spawn(_) => 0,
            Stage::Wind => 1,
            Stage::Act => 2,
            Stage::Roll => 3,
            Stage::Loot => 4,
            Stage::Respawn => 5,
            Stage::Place => 6,
            Stage::Over(_) => 7,
        };
        sink.one_of(STAGE, 8, Some(stage));
        sink.flags(OWN_TURN, [begun && seen.current() == seat]);
        let place =
            |of: Seat| seen.order().iter().position(|other| usize::from(*other) == of.index()).unwrap_or(0);
        let until = if begun { (place(seat) + self.seats - place(seen.current())) % self.seats } else { 0 };
        sink.one(TURNS_UNTIL, until as f32 / self.seats as f32);
        let around = || seat.around(self.seats);
        sink.flags(LIVES, around().map(|seat| begun && seen.lives(seat)));
        let classes =
            around().flat_map(|seat| Class::ALL.iter().map(move |class| begun && seen.class(seat) == *class));
        sink.flags(CLASSES_OF, classes);
        sink.one_of(WIND, Wind::ALL.len(), begun.then(|| seen.wind().index()));
        sink.one(POWER, f32::from(seen.power()) / f32::from(DIE));
        sink.one(BUDGET, f32::from(seen.budget()) / MAX_BUDGET as f32);
        sink.one(MOVES, f32::from(seen.moves_left()) / f32::from(variant.max_moves));
        let ease = |cost: u8| if cost == IMPOSSIBLE || !begun { 0.0 } else { 1.0 / f32::from(cost.max(1)) };
        sink.field(EASE, seen.costs().map(ease));
    }

    fn encode_ship(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let variant = seen.variant();
        let most = |values: &[u16]| f32::from(values.iter().copied().max().unwrap_or(0).max(1));
        let (hold, mounts) = (most(&variant.holds), most(&variant.mounts));
        let dearest = variant.ship_prices.iter().copied().max().unwrap_or(0).max(1) as f32;
        let money = |amount: Option<i64>| bent(amount.unwrap_or(0) as f32, dearest);
        sink.one(MONEY, money(seen.money(seat)));
        sink.one(VALUE, money(seen.value(seat)));
        let own_hold = f32::from(self.build(seen.class(seat)).hold);
        let load = f32::from(seen.load(seat).unwrap_or(0));
        sink.one(ROOM, ((own_hold - load) / own_hold).max(-1.0));
        let units = |product: &Product| f32::from(seen.units(seat, *product).unwrap_or(0));
        sink.field(UNITS, Product::ALL.iter().map(|product| (units(product) / (hold + mounts)).min(1.0)));
        sink.one(MOUNTED, f32::from(seen.mounted(seat).unwrap_or(0)) / mounts);
        let cargo = seen.cargo(seat);
        sink.flags(
            BOUGHT,
            (0..PRODUCTS).map(|product| cargo.is_some_and(|cargo| cargo.bought.contains(product))),
        );
        sink.flags(
            SOLD,
            (0..PRODUCTS).map(|product| cargo.is_some_and(|cargo| cargo.sold.contains(product))),
        );
        let amount = |units: u16| bent(f32::from(units), hold);
        sink.field(BUYABLE, Product::ALL.iter().map(|product| amount(seen.buyable(*product))));
        sink.field(SELLABLE, Product::ALL.iter().map(|product| amount(seen.sellable(*product))));
        sink.flags(UPGRADES, Class::ALL[1..CLASSES].iter().map(|class| seen.may_upgrade(*class)));
    }

    fn encode_ports(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let (map, begun) = (seen.map(), seen.has_begun());
        let cell = seen.cell(seat);
        let part = |of: usize, all: usize| of as f32 / all as f32;
        sink.field(PLACE, [part(cell.column(), map.width()), part(cell.row(), map.height())]);
        let near = |port| if begun { 1.0 / (1.0 + f32::from(map.port_distance(port, cell))) } else { 0.0 };
        sink.field(PORT_NEAR, (0..map.ports()).map(near));
        sink.flags(PORT_KNOWN, (0..map.ports()).map(|port| seen.sees_port(port)));
        let scaled = |price: u16, product: Product| {
            let range = self.price_range(product);
            let arm = (range.max - range.avg).max(range.avg - range.min).max(1);
            (f32::from(price) - f32::from(range.avg)) / f32::from(arm)
        };
        // Prices are drawn during the set-up; nobody sees them before the game begins.
        let price = |port, product| if begun { seen.price(port, product) } else { None };
        let scaled_at =
            move |port, product: Product| price(port, product).map_or(0.0, |price| scaled(price, product));
        let prices = (0..map.ports())
            .flat_map(|port| Product::ALL.iter().map(move |product| scaled_at(port, *product)));
        sink.field(PRICES, prices);
        let here = seen.port(seat);
        sink.field(
            HERE,
            Product::ALL.iter().map(|product| here.map_or(0.0, |port| scaled_at(port, *product))),
        );
        let known = |product: Product| (0..map.ports()).filter_map(move |port| price(port, product));
        let scaled_or_0 =
            |price: Option<u16>, product: Product| price.map_or(0.0, |price| scaled(price, product));
        sink.field(LOWEST, Product::ALL.iter().map(|product| scaled_or_0(known(*product).min(), *product)));
        sink.field(HIGHEST, Product::ALL.iter().map(|product| scaled_or_0(known(*product).max(), *product)));
    }

    fn encode_others(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let begun = seen.has_begun();
        let others = || seat.around(self.seats).skip(1);
        let own = seen.cell(seat);
        let near = |other| match begun && seen.lives(other) {
            true => 1.0 / (1.0 + f32::from(own.manhattan(seen.cell(other)))),
            false => 0.0,
        };
        sink.field(NEAR, others().map(near));
        let targets = seen.targets();
        sink.flags(TARGETS, others().map(|other| targets.contains(other)));
        sink.flags(FOUGHT, others().map(|other| seen.fought(other)));
        sink.flags(FRESH, others().map(|other| begun && seen.is_fresh(other)));
        let ports = seen.map().ports() as f32;
        sink.field(TRAVELLED, others().map(|other| seen.known_ports(other).count_ones() as f32 / ports));
        let mounts = f32::from(seen.variant().mounts.iter().copied().max().unwrap_or(0).max(1));
        let mounted =
            |other| seen.sighting(other).map_or(0.0, |sighting| f32::from(sighting.mounted) / mounts);
        sink.field(SEEN_MOUNTS, others().map(mounted));
        sink.flags(
            SEEN_EXACT,
            others().map(|other| seen.sighting(other).is_some_and(|sighting| sighting.exact)),
        );
        let fight = seen.fight();
        sink.flags(FIGHTER, [0, 1].map(|side| fight.is_some_and(|fight| fight.seats[side] == seat)));
        let numbers = fight.map_or([0; 5], |fight| {
            let ([lost, their_lost], [points, their_points]) = (fight.lost, fight.points.unwrap_or_default());
            [fight.distance, lost, their_lost, points, their_points]
        });
        sink.field(FIGHT, numbers.map(|amount| bent(f32::from(amount), FIGHT_SCALE)));
    }

    /// Encodes the estimates that hints use.
    fn encode_prospects(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let plays = seen.has_begun() && seen.lives(seat);
        let prospects = plays.then(|| Prospects::new(seen, seat));
        let share = prospects.as_ref().map_or(0.0, Prospects::share);
        let [wins, moves] = prospects.as_ref().and_then(Prospects::fight).unwrap_or_default();
        sink.field(SHARE, [share, (share + moves).clamp(0.0, 1.0)].map(|share| share as f32));
        let then = prospects.as_ref().map_or([0.0; 2], |prospects| [prospects.own, prospects.again]);
        sink.field(THEN, then.map(|worth| bent(worth as f32, THEN_SCALE)));
        sink.one(WINS, wins as f32);
        let own = then[0];
        let rivalry = |other: Seat| {
            let prospects = prospects.as_ref().filter(|_| seen.lives(other));
            prospects.map(|prospects| prospects.rivalry(other)).unwrap_or_default()
        };
        let mut rivals = [Rivalry::default(); MAX_SEATS];
        for (rival, other) in rivals.iter_mut().zip(seat.around(self.seats).skip(1)) {
            *rival = rivalry(other);
        }
        let rivals = &rivals[..self.seats - 1];
        let mounts = f32::from(seen.variant().mounts.iter().copied().max().unwrap_or(0).max(1));
        sink.field(RIVAL_CANNONS, rivals.iter().map(|rival| f32::from(rival.cannons) / mounts));
        let lead = |rival: &Rivalry| (own - rival.then) / (own + rival.then).max(1.0);
        sink.field(RIVAL_THEN, rivals.iter().map(|rival| lead(rival) as f32));
        sink.field(ODDS, rivals.iter().flat_map(|rival| [rival.begins, rival.waits].map(|odds| odds as f32)));
        sink.field(MEETS, rivals.iter().flat_map(|rival| [rival.hunts, rival.comes].map(|odds| odds as f32)));
        sink.field(HOSTILITY, rivals.iter().map(|rival| rival.hostility as f32));
        let stakes = |rival: &Rivalry| {
            let Rivalry { gain, loss, hunts, comes, hostility, .. } = *rival;
            [gain, loss, gain.max(0.0) * hunts, loss * comes * hostility].map(|moved| moved as f32)
        };
        sink.field(STAKES, rivals.iter().flat_map(stakes));
    }
}
