//! The value of an Adventurer's errands and of positions, in wealth.
//!
//! Agents, hints and encodings share these values. Agents compute with 64 bits, encodings with 32.

use std::ops::{Add, Div, Mul, Sub};

use meeple_core::params;

use crate::map::{Cell, CellId, Ground};
use crate::observe::Observation;
use crate::odds::OddsTable;
use crate::rules::options;
use crate::state::{Adventurer, half_taken};
use crate::tiles::{Back, Dir};
use crate::variant::Variant;
use crate::ways::MAX_HOME;

params! {
    pub struct Weights {
        /// Value of a move, in wealth.
        pub rate: f64 = 0.05 => "rate", real(0.0, 5.0);
        /// Value of a placed tile to a player who is ahead, apart from what stands on it.
        pub chart: f64 = 0.1 => "chart", real(0.0, 5.0);
        /// Value of a placed tile to everybody, per round played.
        pub boredom: f64 = 0.003 => "boredom", real(0.0, 1.0);
        /// Assumed number of tiles that each rival places in a turn when the end is near.
        pub fear: f64 = 1.5 => "fear", real(0.0, 10.0);
        /// Cost of a move on the outward journey, relative to one on the way home.
        pub haste: f64 = 1.25 => "haste", real(0.1, 10.0);
        /// Share of the Chest put at risk by each move.
        pub risk: f64 = 0.01 => "risk", real(0.0, 1.0);
        /// Rounds after which the fear of the end is halved.
        pub patience: u16 = 200 => "patience", int(1, 10000);
        /// Smallest Chest with which the agent hurries home; every `patience` rounds add as much again.
        pub trifle: f64 = 1.0 => "trifle", real(0.0, 100.0);
        /// Value of placing the last tile of a colour to a player who is ahead; its cost to one who is
        /// behind.
        pub finish: f64 = 60.0 => "finish", real(0.0, 1000.0);
        /// Minimal Vault for hiring Adventurers.
        pub wealthy: u16 = 40 => "wealthy", int(0, 10000);
        /// Lets the agent rob others.
        pub robs: bool = true => "robs", switch();
        /// Minimal prize for turning pirate.
        pub prize: u16 = 4 => "prize", int(1, 100);
        /// Minimal Chest for placing Agents on wonders; 0 for never.
        pub settle: u16 = 0 => "settle", int(0, 1000);
    }
}

/// Weights of the tuned merchant, found by the second Cartolan command in docs/internals/learning.md. That
/// search continued from the result of the first command.
pub(crate) const TUNED: &str = "rate=0.278,chart=0.0219,boredom=0,fear=0.515,haste=0.67,risk=0,patience=84,trifle=0.939,\
    finish=37.8,wealthy=1,prize=4,settle=0";

/// Weights of encodings, close to those of the tuned merchant. They do not change within a version.
pub(crate) const ENCODED: Weights = Weights {
    rate: 0.28,
    chart: 0.0,
    boredom: 0.0,
    fear: 0.5,
    haste: 0.19 / 0.28,
    risk: 0.0,
    patience: 84,
    trifle: 1.0,
    finish: 38.0,
    wealthy: 1,
    robs: true,
    prize: 4,
    settle: 0,
};

/// Value of a robbery relative to its prize. It exceeds 1 because the victim loses the wealth.
const ROBBED: f64 = 1.3;
/// Value of seizing a pirate's Chest, relative to its wealth.
const SEIZED: f64 = 0.3;
/// Number of tiles that should be left on arrival at home when the end is near.
const RESERVE: f64 = 2.0;

/// The number type of a computation: `f64` for agents, `f32` for encodings.
pub(crate) trait Number:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn of(value: impl Into<f64>) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn of(value: impl Into<f64>) -> Self {
        value.into() as f32
    }
}

impl Number for f64 {
    #[inline(always)]
    fn of(value: impl Into<f64>) -> Self {
        value.into()
    }
}

/// Terms that all errands of an Adventurer share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<F> {
    /// Value of a placed tile to this seat, apart from its wonder or disaster.
    chart: F,
    /// By colour: additional value of a placed tile, which grows as the tiles run out.
    finish: [F; 2],
    /// Wealth that a disaster takes.
    at_risk: F,
    /// Cost of a move.
    pub price: F,
}

impl Weights {
    /// The terms for an Adventurer with this Chest. `lead` is the seat's lead, `at_risk` the wealth that a
    /// disaster takes.
    pub fn terms<F: Number>(&self, seen: &Observation<'_>, lead: i64, chest: u16, at_risk: u16) -> Terms<F> {
        // Placed tiles help the leader, who wins when they run out. `boredom`, added below, favours them in a
        // long game, which needs new wonders.
        let chart = F::of(if lead > 0 { self.chart } else { 0.0 });
        // The last tiles of a colour decide the game, in favour of the leader.
        let finish = F::of(self.finish) * F::of(lead.signum() as i8);
        let finish = [Back::Water, Back::Land].map(|back| {
            let left = F::of(seen.pile(back).remaining().max(1));
            finish / (left * left)
        });
        Terms {
            chart: chart + F::of(self.boredom) * F::of(seen.round()),
            finish,
            at_risk: F::of(at_risk),
            price: F::of(self.rate) + F::of(self.risk) * F::of(chest),
        }
    }

    /// Returns true if an Adventurer should bring its Chest home, in `home` moves, because the tiles run out.
    /// If the return `was_due` before, it stays due while the Chest is large enough.
    pub fn fears_end<F: Number>(&self, seen: &Observation<'_>, chest: u16, home: u16, was_due: bool) -> bool {
        let variant = seen.variant();
        let left = match variant.inland {
            true => seen.pile(Back::Water).remaining().min(seen.pile(Back::Land).remaining()),
            false => seen.pile(Back::Water).remaining(),
        };
        let crews: u8 = seen.players().iter().map(|player| player.adventurers).sum();
        let turns = F::of(home.min(MAX_HOME)) / F::of(variant.moves);
        // In a long game the end of the tiles is less likely to be near.
        let patience = F::of(self.patience);
        let near = patience / (patience + F::of(seen.round()));
        let gone = near * (F::of(self.fear) * turns * F::of(crews - 1) + F::of(RESERVE));
        // A small Chest decides nothing when Vaults are large.
        chest > 0 && F::of(chest) * near >= F::of(self.trifle) && (was_due || F::of(left) < gone)
    }

    /// The gain from a won conflict with another Adventurer; 0 if an attack is not worthwhile.
    pub fn prize<F: Number>(&self, seen: &Observation<'_>, own: &Adventurer, other: &Adventurer) -> F {
        if other.pirate {
            F::of(seen.variant().arrest_reward) + F::of(other.chest) * F::of(SEIZED)
        } else if self.would_rob(own.chest, other.chest) {
            F::of(half_taken(other.chest)) * F::of(ROBBED)
        } else {
            F::of(0.0)
        }
    }

    /// Returns true if a robbery is worthwhile, given both Chests.
    pub fn would_rob(&self, own: u16, other: u16) -> bool {
        self.robs && half_taken(other) >= self.prize && own <= other
    }
}

/// Returns true if a seat wins when it banks this Chest.
pub(crate) fn wins_by_banking(seen: &Observation<'_>, lead: i64, chest: u16) -> bool {
    chest > 0 && lead + i64::from(chest) >= i64::from(seen.variant().winning_lead())
}

/// The wealth that a seat's Adventurer gets by a visit to a cell.
#[inline]
pub(crate) fn visit(seen: &Observation<'_>, seat: usize, adventurer: &Adventurer, cell: &Cell) -> u16 {
    let trades = cell.ground == Ground::Wonder && options::can_trade(adventurer, cell);
    let agent = cell.agent_of(seat).map_or(0, |number| seen.players()[seat].agent_numbered(number).wealth);
    if trades { seen.variant().trade + agent } else { agent }
}

/// The reward for a discovered wonder.
#[inline]
fn reward(variant: &Variant, back: Back, target: &Cell, is_pirate: bool) -> u16 {
    match target.in_domain {
        true if is_pirate => 0,
        true => variant.trade,
        false if is_pirate && !variant.pirate_rewards => 0,
        false => variant.reward(back),
    }
}

/// The prospects of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prospect<F> {
    /// The reward for a wonder times its probability.
    wonder: F,
    /// Probability that a tile is placed.
    placed: F,
    /// Probability that a disaster is placed.
    disaster: F,
    /// Wealth for the edges that the tile meets.
    gap: F,
}

impl<F: Number> Prospect<F> {
    /// The prospects of an exploration over a side of a cell that draws a tile of this colour.
    #[inline]
    pub fn of<const PLACES: usize>(
        seen: &Observation<'_>,
        odds: &mut OddsTable<PLACES>,
        is_pirate: bool,
        (cell, side): (CellId, Dir),
        back: Back,
    ) -> Self {
        let (map, variant) = (seen.map(), seen.variant());
        let target = map.cell(map.neighbour(cell, side));
        let odds = odds.of(seen, back, map.cell(cell).wind, side, target);
        Self {
            wonder: F::of(odds.wonder) * F::of(reward(variant, back, target, is_pirate)),
            placed: F::of(odds.placed),
            disaster: F::of(odds.disaster),
            gap: F::of(target.gap_wealth(side.opposite(), variant)),
        }
    }

    #[inline(always)]
    pub fn value(self, back: Back, terms: &Terms<F>) -> F {
        let Self { wonder, placed, disaster, gap } = self;
        wonder + placed * (gap + terms.chart + terms.finish[back as usize]) - disaster * terms.at_risk
    }
}

// Weights of positions, in wealth of a Vault. Source: a logistic regression of the win on the differences
// between two merchants at the start of turns, rounded.

const CHEST: f64 = 1.1;
/// Share of the Chest that each move of the path home costs.
const MOVE_HOME: f64 = 0.025;
/// Value of a pirate, which cannot trade and may be arrested.
const PIRATE: f64 = -3.0;
/// Value of a wonder at distance 0 where the Adventurer can trade.
const WONDER: f64 = 0.5;
/// Value per rival that may soon rob the Chest.
const PREY: f64 = -0.15;
/// Value of being on turn.
const MOVE: f64 = 0.7;

/// Distance in steps at which a wonder has lost its value.
const WONDER_DISTANCE: f64 = 10.0;
/// Distance in steps within which another Adventurer may rob.
const ROBBER_DISTANCE: u32 = 3;
/// Upper bound on the counted moves of the path home.
const MAX_COUNTED_HOME: u16 = 40;

/// The expected final wealth of a seat, assuming that the game ends soon. `home` gives the cost of the path
/// home from a cell.
pub(crate) fn final_wealth(seen: &Observation<'_>, seat: usize, home: impl Fn(CellId) -> u16) -> f64 {
    let map = seen.map();
    let player = &seen.players()[seat];
    let mut value = f64::from(player.vault);
    for (one, at) in player.crew() {
        let chest = f64::from(one.chest);
        let here = map.cell(at);
        let home = f64::from(home(at).min(MAX_COUNTED_HOME));
        value += chest * (CHEST - MOVE_HOME * home);
        if one.pirate {
            value += PIRATE;
        } else {
            let cells = map.cells().iter();
            let fresh = cells.filter(|cell| cell.ground == Ground::Wonder && options::can_trade(one, cell));
            let near = fresh.map(|cell| (1.0 - f64::from(cell.distance(here)) / WONDER_DISTANCE).max(0.0));
            value += WONDER * near.sum::<f64>();
        }
        let others = seen.others(seat).flat_map(|other| other.crew());
        let may_rob = others.filter(|(other, cell)| {
            other.chest <= one.chest && map.cell(*cell).distance(here) <= ROBBER_DISTANCE
        });
        value += PREY * chest * may_rob.count() as f64;
    }
    if usize::from(seen.turn().seat) == seat {
        value += MOVE;
    }
    value
}
