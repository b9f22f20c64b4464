//! Actions and chance outcomes, each with one text form.

use meeple_core::{choice, wording};

use crate::cards::{Card, Effect, MAX_CHARTS};
use crate::tiles::{Dir, Kind};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_DEALT, MAX_MYTHICAL_DISTANCE, MAX_SEATS};

/// Reach of the places that an Agent can be hired for: all tiles in a row beyond the farthest city.
const REACH: i16 = MAX_MYTHICAL_DISTANCE + 1 + MAX_DEALT as i16;

wording! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        /// The player's next Adventurer.
        Pick(adventurer: u8 [..MAX_ADVENTURERS as u8]) = "pick {adventurer}",
        /// Leave the tile over this side.
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
        /// Attack an Adventurer of another player.
        Attack { seat: u8 [..MAX_SEATS as u8], adventurer: u8 [..MAX_ADVENTURERS as u8] }
            = "attack adventurer {seat}.{adventurer}",
        Court = "court",
        /// Put an Agent on this tile.
        Place = "place",
        /// Send wealth to this own Agent.
        Courier(agent: u8 [..MAX_AGENTS as u8]) = "courier {agent}",
        Done = "done",
        /// Send this amount by courier.
        Send(wealth: u16 [..=MAX_CHEST]) = "send {wealth}",
        /// Take this own Agent from where it is.
        Relocate(agent: u8 [..MAX_AGENTS as u8]) = "relocate {agent}",
        /// Move wealth from Chest to Vault.
        Bank(wealth: u16 [..=MAX_CHEST]) = "bank {wealth}",
        /// Hire an Adventurer at this city.
        HireAdventurer = "hire adventurer",
        /// Hire an Agent for the tile this far east and north.
        HireAgent { x: i16 [-REACH..=REACH], y: i16 [-REACH..=REACH] } = "hire agent {x} {y}",
        Equip(effect: Effect) = "equip {effect}",
        Keep = "keep",
        Drop(chart: u8 [..MAX_CHARTS as u8]) = "drop {chart}",
        /// Choose one of the two cards drawn.
        Name(effect: Effect) = "name {effect}",
    }
}

choice! {
    pub enum WindDie {
        /// The way against the wind is free.
        Gust = "gust",
        Calm = "calm",
    }
    /// Seen from the attacker's side.
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
        /// A tile of those that had been put back into the pile is drawn.
        TileAgain(kind: Kind) = "tile {kind} again",
        /// A tile is drawn for the first time.
        Tile(kind: Kind) = "tile {kind}",
        Conflict(conflict: Conflict) = "{conflict}",
        Person(effect: Effect) = "person {effect}",
        Card(card: Card) = "card {card}",
    }
}

impl Chance {
    /// `again`: the tile had been put back.
    pub const fn tile(kind: Kind, again: bool) -> Self {
        if again { Self::TileAgain(kind) } else { Self::Tile(kind) }
    }
}
