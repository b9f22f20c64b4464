//! Incan Gold: a temple, five rounds, and one question every turn: on, or out with what you have?
//!
//! The rules, clause by clause, are in `RULES.md`; [`IncanGold`] implements them. Decisions are
//! simultaneous, all information but the order of the deck is public, and the deck is drawn lazily: a state
//! holds which cards are left, never an order.

mod action;
mod agents;
mod card;
mod draw;
pub mod exact;
mod observe;
mod present;
mod rules;
mod screen;
mod state;
mod table;
mod variant;

pub use action::Action;
pub use card::Card;
pub use observe::Observation;
pub use rules::{Event, IncanGold};
pub use state::State;
pub use variant::{MAX_CARDS, MAX_SEATS, Unclaimed, Variant};

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

/// The facts of the game.
pub(crate) const INFO: GameInfo = GameInfo {
    summary: "push your luck in a temple: everybody decides at once to go on or to leave with the loot",
    seats: 1..=MAX_SEATS,
    actions: ActionKind::Listed,
    information: Information::Public,
    simultaneous: true,
    presets: &[
        Preset {
            name: "classic",
            doc: "Artifacts nobody took go back into the deck; they are worth 5, 5, 5, 10, 10.",
            set: &[],
        },
        Preset {
            name: "boxed",
            doc: "Artifacts nobody took leave the game; they are worth 5, 7, 8, 10, 12.",
            set: &[("artifacts.unclaimed", "leave"), ("artifacts.values", "5,7,8,10,12")],
        },
    ],
    score_unit: "gems",
    length_unit: "turns",
    ends: &["last round"],
    episode_figures: &[
        Figure::count("busts", "rounds", "Rounds that ended by a second hazard of a kind."),
        Figure::count("artifacts_claimed", "artifacts", "Artifacts claimed by anybody."),
    ],
    seat_figures: &[
        Figure::count("artifacts", "artifacts", "Artifacts this seat claimed."),
        Figure::count("busted", "rounds", "Rounds in which this seat lost its backpack."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "lookahead",
    demo: &["turn:7", "backpack:20", "random:0.2"],
    input_help: "stay (or y, yes, or just Enter): go on to the next card.\n\
                 leave (or n, no): walk out; your backpack is safe in your tent.\n\
                 Leaving alone you also take the spare gems and all artifacts on the path;\n\
                 leaving together you share the gems. A second hazard of a kind costs\n\
                 everybody in the temple the whole backpack.",
    ..GameInfo::new("incan-gold", "Incan Gold", include_str!("../RULES.md"))
};

use meeple_core::{AgentInfo, ChanceStreams, Game as _, Playable, Table, Tool};

impl Playable for IncanGold {
    fn agents() -> Vec<AgentInfo<Self>> {
        agents::all()
    }

    fn tools() -> Vec<Tool<Self>> {
        vec![Tool {
            name: "exact",
            usage: exact::tool::USAGE,
            doc: exact::tool::DOC,
            run: |call| exact::tool::run(&exact::Rules::from(call.game.variant()), call.arguments),
        }]
    }

    #[inline(never)]
    fn play_out(&self, state: &mut State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
        self.play_fast(state, table, streams);
    }
}
