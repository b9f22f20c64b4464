//! Cartolan – Trade Winds: explore a sea and its shores, trade at wonders, settle Agents, bank it all.
//!
//! The rules, clause by clause, are in `RULES.md`; [`Cartolan`] implements them: one engine with a switch or a
//! number for everything that editions of the game do differently (see [`Variant`]). Piles are drawn lazily: a
//! state holds which tiles are left, never an order. Only hands of Technologies are hidden.

mod action;
mod agents;
mod cards;
mod draw;
mod event;
mod figures;
mod game;
mod map;
mod observe;
mod pile;
mod present;
mod rules;
mod screen;
mod state;
mod tiles;
mod variant;

pub use action::{Action, Chance};
pub use agents::captain::{Captain, Generation, Order, Origin, Role, Temper, Try};
pub use cards::{CARDS, Card, EFFECTS, Effect};
pub use event::{Event, Place, Target, Who};
pub use map::{Cell, CellId, Crossing, Ground, MAX_CELLS, MAX_DEALT, Map, NO_AGENT, NO_CELL};
pub use observe::Observation;
pub use pile::{Counts, MAX_KINDS, Pile};
pub use rules::Cartolan;
pub use rules::moves::{Allowed, Limits};
pub use state::{Adventurer, Agent, Done, Player, State, Step, SubTurn, Tally};
pub use tiles::{Back, CSV_TILES, Dir, Edges, GUIDE_TILES, Kind, Mark, Stock, Wind, parse_catalogue};
pub use variant::*;

/// End reasons.
pub const ENDS: &[&str] = &["margin", "water exhausted", "land exhausted", "round cap"];

use meeple_core::{AgentInfo, ChanceStreams, Playable, Table};

impl Playable for Cartolan {
    fn agents() -> Vec<AgentInfo<Self>> {
        agents::all()
    }

    #[inline]
    fn play_out(&self, state: &mut State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
        self.play_fast(state, table, streams);
    }
}
