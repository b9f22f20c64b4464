//! game17: a torus with as many owners as squares, and every owner wants the squares of the others.
//!
//! The rules, clause by clause, are in `RULES.md`; [`Game17`] implements them. Every owner is a seat. Zombies
//! play the seats without a player.
//!
//! `record` reads the original's game records and checks them with `max_flow`. `adapter` runs the original's
//! bots.

mod action;
mod adapter;
mod agents;
mod board;
mod briefing;
mod chance;
mod compose;
mod dangers;
mod draw;
mod encode;
mod event;
mod foreign;
mod game;
mod hints;
mod info;
mod input;
mod max_flow;
mod observe;
mod present;
mod record;
mod record_tool;
mod rules;
mod screen;
mod state;
mod style;
mod variant;

pub use action::{Action, Departure};
pub use board::{Direction, Square};
pub use chance::{Chance, Coin};
pub use draw::board_scene;
pub use event::{Change, Event, TurnEvent};
pub use game::Game17;
pub use observe::Observation;
pub use record::{CountChange, Record, RecordError, RecordSummary, RecordedTurn};
pub use screen::{Picture, board_screen};
pub use state::State;
pub use style::{BoardStyle, ZOMBIE_COLOR, parse_color};
pub use variant::{MAX_SIZE, MAX_SQUARES, Variant};

use meeple_core::{Defined, Definition, Encoding, Hints, LearnedPlayer, Playable};

impl Playable for Game17 {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        hints::hints()
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }
}

impl Defined for Game17 {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents::all(),
            search_settings: hints::SETTINGS,
            learned: LEARNED,
            tools: vec![record_tool::tool()],
            adapters: adapter::ADAPTERS,
            seats_for: |variant, _| variant.squares(),
            check_color: Some(|text| parse_color(text).map(drop)),
            foreign_record: foreign::foreign_record,
            ..Definition::new(&info::INFO, Default::default(), Self::new)
        }
    }
}

const LEARNED: &[LearnedPlayer] = {
    const DOC: &str = "chooses among the plans of several habits by a network that has learned what comes of them, for \
                       duels (docs/reference/learning.md)";
    &[LearnedPlayer { name: "net", doc: DOC, file: include_bytes!("../learned/net-2.safetensors") }]
};
