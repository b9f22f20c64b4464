//! Incan Gold: a temple, five rounds, and the same decision after every card: stay, or leave with the loot.
//!
//! The rules, clause by clause, are in `RULES.md`; [`IncanGold`] implements them. Decisions are simultaneous.
//! Only the order of the deck is hidden. The deck is drawn lazily: a state holds the cards that are left,
//! never an order.

mod action;
mod adapter;
mod agents;
mod card;
mod draw;
mod encode;
mod event;
pub mod exact;
mod exploit;
mod game;
mod hints;
mod info;
mod input;
mod observe;
mod parts;
mod present;
mod rules;
mod screen;
mod sight;
mod state;
mod table;
mod variant;

pub use action::Action;
pub use card::Card;
pub use event::Event;
pub use game::IncanGold;
pub use observe::Observation;
pub use state::State;
pub use variant::{Leftovers, MAX_CARDS, MAX_SEATS, Removed, Ties, Unclaimed, Variant, Worth};

use meeple_core::{
    ChanceStreams, Defined, Definition, Encoding, Game as _, Hints, LearnedPlayer, Playable, PlayoutTable,
    Tool,
};

impl Playable for IncanGold {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        hints::hints()
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }

    #[inline(never)]
    fn play_out(&self, state: &mut State, table: &mut PlayoutTable<Self>, streams: &mut ChanceStreams) {
        self.play_fast(state, table, streams);
    }
}

impl Defined for IncanGold {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents::all(),
            search_settings: hints::SETTINGS,
            learned: LEARNED,
            tools: vec![Tool {
                name: "exact",
                usage: exact::tool::USAGE,
                doc: exact::tool::DOC,
                run: |call| match call.arguments.split_first() {
                    Some((word, rest)) if word == "exploit" => exploit::run(
                        call.game,
                        rest,
                        &mut exact::Listener { host: call.host, tell: call.tell },
                    ),
                    _ => {
                        let rules = exact::Rules::from(call.game.variant());
                        exact::tool::run(&rules, call.arguments, call.tell, call.host)
                    }
                },
            }],
            adapters: adapter::ADAPTERS,
            ..Definition::new(&info::INFO, Default::default(), Self::new)
        }
    }
}

const LEARNED: &[LearnedPlayer] = {
    const DOC: &str =
        "a network that has played against itself, for one and two seats (docs/reference/learning.md)";
    const fn player(file: &'static [u8]) -> LearnedPlayer {
        LearnedPlayer { name: "net", doc: DOC, file }
    }
    &[
        player(include_bytes!("../learned/net-1.safetensors")),
        player(include_bytes!("../learned/net-2.safetensors")),
    ]
};
