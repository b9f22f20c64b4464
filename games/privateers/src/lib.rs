//! Privateers: trade and piracy under sail.
//!
//! Ships sail a chart of square cells by the wind that dice decide. They buy goods at low prices, sell them
//! at high prices, and take money and cargo from each other in fights. Cargo, money and most prices are
//! hidden. The rules, clause by clause, are in `RULES.md`; [`Privateers`] implements them. All arithmetic
//! uses integers; movement is counted in half points.

mod action;
pub mod agents;
mod chance;
mod conclusions;
mod draw;
mod encode;
mod event;
pub mod fight;
mod game;
mod generate;
mod goods;
mod hints;
mod info;
mod input;
mod knowledge;
mod map;
mod menu;
mod observe;
mod parts;
mod present;
mod prospects;
mod range;
mod reach;
mod rules;
mod scoring;
mod screen;
mod setup;
mod ship;
mod state;
mod tools;
mod variant;
mod wind;

pub use action::{Action, FIRST_ATTACK};
pub use chance::Chance;
pub use event::Event;
pub use game::Privateers;
pub use generate::{ATTEMPTS, Wish, generate};
pub use goods::{GOODS, PRODUCTS, PriceRange, Product, Products};
pub use map::{BUILT_IN, Cell, Distances, MAX_PORTS, MapError, PORTS, SIDES, SeaMap, UNREACHABLE};
pub use observe::{CargoView, FightView, Observation, Sighting};
pub use reach::{IMPOSSIBLE, Reach};
pub use setup::{Setup, ShipSetup};
pub use ship::{Build, CLASSES, Class};
pub use state::{End, Stage, State};
pub use variant::{Closing, DIE, Distance, MAX_BUDGET, MAX_SEATS, Mode, Variant, WindName};
pub use wind::{Heading, Wind};

use meeple_core::{Defined, Definition, Encoding, Hints, LearnedPlayer, Playable};

impl Playable for Privateers {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        hints::hints(self)
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }
}

impl Defined for Privateers {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents::all(),
            search_settings: hints::SETTINGS,
            learned: LEARNED,
            tools: tools::all(),
            ..Definition::new(&info::INFO, Default::default(), Self::new)
        }
    }
}

const LEARNED: &[LearnedPlayer] = {
    const DOC: &str = "chooses among what a search would look at by a network that has learned what comes of it, for two seats \
                       (docs/reference/learning.md)";
    &[LearnedPlayer { name: "net", doc: DOC, file: include_bytes!("../learned/net-2.safetensors") }]
};
