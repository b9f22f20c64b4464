//! Actions and chance outcomes, each with one text form.

use meeple_core::{choice, wording};

use crate::cards::{Card, Effect, MAX_CHARTS};
use crate::tiles::{Dir, Kind};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_DEALT, MAX_MYTHICAL_DISTANCE, MAX_SEATS};

/// Upper bound on the coordinates of a hired Agent's place: all tiles in a row beyond the farthest city.
const REACH: i16 = MAX_MYTHICAL_DISTANCE + 1 + MAX_DEALT as i16;

wording! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        /// The choice of the player's next Adventurer.
        Pick(adventurer: u8 [..MAX_ADVENTURERS as u8]) = "pick {adventurer}",
        /// A move over this side of the tile.
        Go(dir: Dir) = "go {dir}",
        Gust(dir: Dir) = "gust {dir}",
        Wait = "wait",
        #[default]
        End = "end",
        Chart(chart: u8 [..MAX_CHARTS as u8]) = "chart {chart}",
        Draw = "draw",
        Wealth = "wealth",
        Card = "card",
        Trade = "trade",
        Collect = "collect",
        Rest = "rest",
        AttackAgent = "attack agent",
        Restore = "restore",
        /// An attack on an Adventurer of another player.
        Attack { seat: u8 [..MAX_SEATS as u8], adventurer: u8 [..MAX_ADVENTURERS as u8] }
            = "attack adventurer {seat}.{adventurer}",
        Court = "court",
        /// Placement of an Agent on this tile.
        Place = "place",
        /// The choice of the own Agent that receives wealth.
        Courier(agent: u8 [..MAX_AGENTS as u8]) = "courier {agent}",
        Done = "done",
        /// The amount that the courier takes.
        Send(wealth: u16 [..=MAX_CHEST]) = "send {wealth}",
        /// The choice of the own Agent that is moved.
        Relocate(agent: u8 [..MAX_AGENTS as u8]) = "relocate {agent}",
        /// Wealth moved from the Chest to the Vault.
        Bank(wealth: u16 [..=MAX_CHEST]) = "bank {wealth}",
        /// Hire of an Adventurer at this city.
        HireAdventurer = "hire adventurer",
        /// Hire of an Agent for the tile this far east and north of the Capital.
        HireAgent { x: i16 [-REACH..=REACH], y: i16 [-REACH..=REACH] } = "hire agent {x} {y}",
        Equip(effect: Effect) = "equip {effect}",
        Keep = "keep",
        Drop(chart: u8 [..MAX_CHARTS as u8]) = "drop {chart}",
        /// The choice of one of the two cards drawn.
        Name(effect: Effect) = "name {effect}",
    }
}

choice! {
    pub enum WindDie {
        /// The die lets the Adventurer move against the wind.
        Gust = "gust",
        Calm = "calm",
    }
    /// The result of a conflict for the attacker.
    pub enum Conflict {
        Won = "won",
        Lost = "lost",
    }
}

wording! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Chance {
        Start(seat: u8 [..MAX_SEATS as u8]) = "start {seat}",
        Gust(die: WindDie) = "{die}",
        /// A draw of a tile that had been put back into the pile.
        TileAgain(kind: Kind) = "tile {kind} again",
        /// A draw of a tile that is drawn for the first time.
        Tile(kind: Kind) = "tile {kind}",
        Conflict(conflict: Conflict) = "{conflict}",
        Person(effect: Effect) = "person {effect}",
        Card(card: Card) = "card {card}",
    }
}

impl Chance {
    /// A drawn tile; `again` is true if the tile had been put back before.
    pub const fn tile(kind: Kind, again: bool) -> Self {
        if again { Self::TileAgain(kind) } else { Self::Tile(kind) }
    }
}
