//! Events, and their audiences.

use std::fmt;

use meeple_core::{Permutation, Seat, wording};
use serde::Serialize;

use crate::action::Post;
use crate::geometry::{Cell, Spot};
use crate::state::Source;
use crate::tiles::Kind;
use crate::variant::MAX_SEATS;

wording! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Chance {
        Order(seats: Permutation<MAX_SEATS>) = "order {seats}",
        Draw(tile: Kind) = "draw {tile}",
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The turn order was drawn: seats, first to last.
    TurnOrder { order: Vec<u8> },
    /// A tile was laid at the start of the game.
    Started { tile: Kind },
    /// A seat drew a hidden tile.
    Drew { seat: Seat },
    /// A seat drew this tile; visible only to those who may know it.
    DrewTile { seat: Seat, tile: Kind },
    /// A seat laid a tile, turned clockwise by quarter turns.
    Placed { seat: Seat, tile: Kind, cell: Cell, turns: u8 },
    /// The lake was laid automatically.
    Lake { cell: Cell, turns: u8 },
    /// The river was blocked and ends without a lake: this cell stays empty.
    RiverBroken { cell: Cell },
    /// A seat removed a tile that fits nowhere from the game.
    Discarded { seat: Seat, tile: Kind },
    /// A seat put a meeple on a feature.
    Claimed { seat: Seat, cell: Cell, spot: Spot },
    /// A seat added a floor to a tower. `height` is the new height.
    Floor { seat: Seat, cell: Cell, height: u8 },
    /// A seat closed a tower with a guard.
    Closed { seat: Seat, cell: Cell },
    /// A seat captured a meeple from a post (in text form). If the meeple is its own, it goes home.
    Captured { seat: Seat, owner: Seat, cell: Cell, post: String },
    /// Two seats exchanged one prisoner each.
    Exchanged { seats: [Seat; 2] },
    /// A seat bought a prisoner back; `points` is the price.
    Ransomed { seat: Seat, captor: Seat, points: i32 },
    /// A seat scored a feature that includes this tile. `end` is true in the final scoring.
    Scored { seat: Seat, source: &'static str, cell: Cell, points: i32, end: bool },
    /// Meeples went home from a scored feature that includes this tile.
    Returned { seat: Seat, meeples: u8, cell: Cell },
    /// The game ended; final scoring follows.
    Ended { reason: &'static str },
}

impl Event {
    pub(crate) fn captured(seat: Seat, owner: Seat, cell: Cell, post: Post) -> Self {
        Self::Captured { seat, owner, cell, post: post.to_string() }
    }

    pub(crate) fn scored(seat: Seat, source: Source, cell: Cell, points: i32, end: bool) -> Self {
        Self::Scored { seat, source: source.word(), cell, points, end }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnOrder { order } => {
                let order: Vec<String> = order.iter().map(u8::to_string).collect();
                write!(f, "turn order: {}", order.join(", "))
            }
            Self::Started { tile } => write!(f, "{tile} lies at 0,0"),
            Self::Drew { seat } => write!(f, "seat {seat} draws a tile"),
            Self::DrewTile { seat, tile } => write!(f, "seat {seat} draws {tile}"),
            Self::Placed { seat, tile, cell, turns } => {
                write!(f, "seat {seat} lays {tile} on {cell} r{turns}")
            }
            Self::Lake { cell, turns } => write!(f, "the lake lies on {cell} r{turns}"),
            Self::RiverBroken { cell } => write!(f, "the river ends at {cell} without a lake"),
            Self::Discarded { seat, tile } => write!(f, "seat {seat} discards {tile}, which fits nowhere"),
            Self::Claimed { seat, cell, spot } => write!(f, "seat {seat} claims {spot} of {cell}"),
            Self::Floor { seat, cell, height } => {
                write!(f, "seat {seat} builds the tower on {cell} up to {height}")
            }
            Self::Closed { seat, cell } => write!(f, "seat {seat} closes the tower on {cell}"),
            Self::Captured { seat, owner, cell, post } if seat == owner => {
                write!(f, "seat {seat} takes its own meeple home from {post} of {cell}")
            }
            Self::Captured { seat, owner, cell, post } => {
                write!(f, "seat {seat} captures the meeple of seat {owner} on {post} of {cell}")
            }
            Self::Exchanged { seats } => write!(f, "seats {} and {} exchange prisoners", seats[0], seats[1]),
            Self::Ransomed { seat, captor, points } => {
                write!(f, "seat {seat} pays seat {captor} a ransom of {points}")
            }
            Self::Scored { seat, source, cell, points, end } => {
                let when = if *end { ", in the end" } else { "" };
                write!(f, "seat {seat} scores {points} for the {source} at {cell}{when}")
            }
            Self::Returned { seat, meeples, cell } => {
                write!(f, "{meeples} of seat {seat} go home from {cell}")
            }
            Self::Ended { reason } => write!(f, "the game ends: {reason}"),
        }
    }
}
