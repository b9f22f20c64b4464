//! Carcassonne, bot-battle edition: a landscape of tiles with river, roads, cities, monasteries, farms and
//! towers, for two to six players.
//!
//! The rules, clause by clause, are in `RULES.md`; [`Carcassonne`] implements them. The tiles are data
//! (`data/tiles.txt`), read once into [`tables`]. Everything on the [`Board`] is public. Only the hands and
//! the deck are hidden. The deck is a multiset: an order arises only when tiles are drawn.

mod action;
mod adapter;
mod agents;
mod board;
mod closing;
mod draw;
mod encode;
mod event;
mod feature;
mod form;
mod game;
mod geometry;
mod hints;
mod info;
mod input;
mod observe;
mod parts;
mod position;
mod present;
mod prospects;
mod rules;
mod screen;
mod state;
mod survey;
mod syncs;
mod tiles;
mod variant;

pub use action::{Action, Post};
pub use board::{
    Board, Content, Fields, MAX_FRONTIER, MAX_TILES, Node, Placed, Tower, node_of, segment_of, tile_of,
};
pub use closing::{Hole, Holes};
pub use event::{Chance, Event};
pub use feature::{Feature, Members};
pub use game::Carcassonne;
pub use geometry::{Cell, FieldSpot, Half, REACH, Side, Spot};
pub use observe::Observation;
pub use position::Position;
pub use state::{Hand, RiverEnd, Source, Stack, Stage, State};
pub use survey::{Look, Survey};
pub use tiles::{
    Fit, KINDS, Kind, LAND_KINDS, MAX_SEGMENTS, NONE, Piece, Segment, SegmentKind, Set, Tables, Terrain,
    Tile, fits, tables,
};
pub use variant::{Lake, MAX_HAND, MAX_SEATS, Order, Pays, Progress, Uturn, Variant};

use meeple_core::{Defined, Definition, Encoding, Hints, LearnedPlayer, Playable};

impl Playable for Carcassonne {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        hints::hints(self)
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }
}

impl Defined for Carcassonne {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents::all(),
            search_settings: hints::SETTINGS,
            learned: LEARNED,
            tools: vec![syncs::tool()],
            adapters: adapter::ADAPTERS,
            ..Definition::new(&info::INFO, Default::default(), Self::new)
        }
    }
}

const LEARNED: &[LearnedPlayer] = {
    const DOC: &str = "a weighted sum of the table's features, learned from builders, for two seats (docs/reference/learning.md)";
    const fn player(file: &'static [u8]) -> LearnedPlayer {
        LearnedPlayer { name: "net", doc: DOC, file }
    }
    &[
        player(include_bytes!("../learned/net-2-towers.safetensors")),
        player(include_bytes!("../learned/net-2-classic.safetensors")),
    ]
};
