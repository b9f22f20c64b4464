//! Cartolan – Trade Winds: explore a sea and its shores, trade at wonders, settle Agents, bank it all.
//!
//! The rules, clause by clause, are in `RULES.md`. [`Cartolan`] implements them in one engine, with a
//! parameter for each difference between editions (see [`Variant`]). Piles are drawn lazily: a state holds
//! the remaining tiles, never an order. Only hands of Technologies are hidden.

mod action;
mod adapter;
mod agents;
mod allowed;
mod cards;
mod draw;
mod encode;
mod event;
mod game;
mod hints;
mod info;
mod input;
mod map;
mod movement;
mod observe;
mod odds;
mod outlook;
mod parts;
mod patterns;
mod pile;
mod present;
mod rules;
mod screen;
mod state;
mod tiles;
mod variant;
mod ways;
mod worth;

pub use action::{Action, Chance, Conflict, WindDie};
pub use agents::captain::{Captain, Generation, Order, Origin, Role, Temper, Try};
pub use allowed::Allowed;
pub use cards::{CARDS, Card, Cards, EFFECTS, Effect};
pub use event::{Event, Place, Target, Who};
pub use game::Cartolan;
pub use info::ENDS;
pub use map::{AgentId, AgentSet, Cell, CellId, Crossing, Ground, MAX_CELLS, Map, NO_AGENT, NO_CELL};
pub use observe::Observation;
pub use pile::{Counts, MAX_KINDS, Pile};
pub use state::{Adventurer, Agent, Done, Player, State, Step, SubTurn, Tally};
pub use tiles::{Back, CSV_TILES, Dir, Edges, GUIDE_TILES, Kind, Mark, Stock, Wind, parse_catalogue};
pub use variant::*;

use meeple_core::{
    AgentInfo, ChanceStreams, Defined, Definition, Encoding, Game, Hints, LearnedPlayer, NoEvents, Phase,
    Playable, PlayoutTable, Seat,
};

/// The merchant without caches, for tests: it recomputes all data before each decision.
#[doc(hidden)]
pub fn forgetful_merchant() -> AgentInfo<Cartolan> {
    agents::merchant::forgetful()
}

impl Playable for Cartolan {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        hints::hints()
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(Encoding::of_game())
    }

    #[inline]
    fn play_out(&self, state: &mut State, table: &mut PlayoutTable<Self>, streams: &mut ChanceStreams) {
        loop {
            let seat = match state.step {
                // These steps are the most frequent, so they are tested first.
                Step::Move | Step::Act | Step::Bank | Step::Buy => Seat::new(usize::from(state.turn.seat)),
                Step::Explore(..) => {
                    self.resolve(state, streams, &mut NoEvents);
                    continue;
                }
                _ => match state.phase() {
                    Phase::Chance => {
                        self.resolve(state, streams, &mut NoEvents);
                        continue;
                    }
                    Phase::Decide(seats) => seats.lowest().expect("somebody decides"),
                    Phase::Over => return,
                },
            };
            let action = table.ask(self, state, seat);
            debug_assert_eq!(self.check(state, seat, &action), Ok(()), "agents play legally");
            self.take(state, action, &mut NoEvents);
            table.recycle(seat, action);
        }
    }
}

impl Defined for Cartolan {
    fn definition() -> Definition<Self> {
        Definition {
            agents: agents::all(),
            search_settings: hints::SETTINGS,
            learned: LEARNED,
            adapters: adapter::ADAPTERS,
            ..Definition::new(&info::INFO, Default::default(), Self::new)
        }
    }
}

const LEARNED: &[LearnedPlayer] = {
    const TWO: &[u8] = include_bytes!("../learned/feedforward-2.safetensors");
    const DOC: &str = "a feed-forward network that the tuned merchant has taught, for two seats (docs/reference/learning.md)";
    const SORN: &str = "a self-organising recurrent network that learned from rewards, for two seats (docs/reference/learning.md)";
    // The network has two names: that of the original's players, and the name common to all games.
    &[
        LearnedPlayer { name: "feedforward", doc: DOC, file: TWO },
        LearnedPlayer { name: "net", doc: DOC, file: TWO },
        LearnedPlayer { name: "sorn", doc: SORN, file: include_bytes!("../learned/sorn-2.safetensors") },
    ]
};
