//! Actions and chance outcomes, each with one text form.

use meeple_core::{choice, wording};

use crate::cards::{Card, Effect, MAX_CHARTS};
use crate::tiles::{Dir, Kind};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_DEALT, MAX_MYTHICAL_DISTANCE, MAX_SEATS};

/// Reach of the places that an Agent can be hired for: all tiles in a row beyond the farthest city.
const REACH: i16 = MAX_MYTHICAL_DISTANCE + 1 + MAX_DEALT as i16;

wording! {
    /// A decision.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Action {
        /// The player's next Adventurer.
        Pick(adventurer: u8 [..MAX_ADVENTURERS as u8]) = "pick {adventurer}",
        /// Leave the tile over this side.
        Go(dir: Dir) = "go {dir}",
        /// Roll the die for a way against the wind.
        Gust(dir: Dir) = "gust {dir}",
        /// Spend a move on the tile.
        Wait = "wait",
        /// End the Adventurer's turn.
        #[default]
        End = "end",
        /// Try a carried map tile.
        Chart(chart: u8 [..MAX_CHARTS as u8]) = "chart {chart}",
        /// Draw from the pile instead.
        Draw = "draw",
        /// Take the reward for a discovery.
        Wealth = "wealth",
        /// Draw a Discovery card instead.
        Card = "card",
        /// Trade at a wonder.
        Trade = "trade",
        /// Take an own Agent's wealth.
        Collect = "collect",
        /// Rest at an Agent.
        Rest = "rest",
        /// Attack the Agent on the tile.
        AttackAgent = "attack agent",
        /// Restore the own dispossessed Agent.
        Restore = "restore",
        /// Attack an Adventurer of another player.
        Attack { seat: u8 [..MAX_SEATS as u8], adventurer: u8 [..MAX_ADVENTURERS as u8] }
            = "attack adventurer {seat}.{adventurer}",
        /// Court the disaster.
        Court = "court",
        /// Put an Agent on this tile.
        Place = "place",
        /// Send wealth to this own Agent.
        Courier(agent: u8 [..MAX_AGENTS as u8]) = "courier {agent}",
        /// Do nothing (more) here.
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
        /// Use a Technology of the hand.
        Equip(effect: Effect) = "equip {effect}",
        /// Change nothing.
        Keep = "keep",
        /// Put a carried map tile away.
        Drop(chart: u8 [..MAX_CHARTS as u8]) = "drop {chart}",
        /// Choose one of the two cards drawn.
        Name(effect: Effect) = "name {effect}",
    }
}

choice! {
    /// The wind die.
    pub enum WindDie {
        /// The way against the wind is free.
        Gust = "gust",
        /// It is not.
        Calm = "calm",
    }
    /// A conflict, from the attacker's side.
    pub enum Conflict {
        /// The attacker has won.
        Won = "won",
        /// The attacker has lost.
        Lost = "lost",
    }
}

wording! {
    /// An outcome of chance.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Chance {
        /// This seat begins.
        Start(seat: u8 [..MAX_SEATS as u8]) = "start {seat}",
        /// The wind die is rolled.
        Gust(die: WindDie) = "{die}",
        /// A tile of those that had been put back into the pile is drawn.
        TileAgain(kind: Kind) = "tile {kind} again",
        /// A tile is drawn for the first time.
        Tile(kind: Kind) = "tile {kind}",
        /// The outcome of one conflict.
        Conflict(conflict: Conflict) = "{conflict}",
        /// A Named-Adventurer card.
        Person(effect: Effect) = "person {effect}",
        /// A Discovery card.
        Card(card: Card) = "card {card}",
    }
}

impl Chance {
    /// The drawing of a tile. `again` tells tiles that had been put back from fresh ones.
    pub const fn tile(kind: Kind, again: bool) -> Self {
        if again { Self::TileAgain(kind) } else { Self::Tile(kind) }
    }
}
