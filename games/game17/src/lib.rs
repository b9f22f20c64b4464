//! game17: as many owners as squares, all on a torus, and everybody wants the squares of the others.
//!
//! The rules, clause by clause, are in `RULES.md`; [`Game17`] implements them. Every owner is a seat, and
//! seats that no player takes belong to zombies.

mod action;
mod agents;
mod board;
mod chance;
mod draw;
mod engine;
mod event;
mod flow;
mod foreign;
mod look;
mod news;
mod observe;
mod present;
mod record;
mod record_tool;
mod rules;
mod screen;
mod state;
mod typed;
mod variant;

pub use action::{Action, Departure};
pub use board::{Direction, Square};
pub use chance::{Chance, Coin};
pub use draw::board_scene;
pub use event::{Change, Event};
pub use look::{Look, ZOMBIE_COLOR, parse_color};
pub use observe::Observation;
pub use record::{Record, RecordError, RecordSummary, RecordedTurn};
pub use rules::Game17;
pub use screen::{Picture, board_screen};
pub use state::State;
pub use variant::{MAX_SIZE, MAX_SQUARES, Variant};

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

/// The facts of the game.
pub(crate) const INFO: GameInfo = GameInfo {
    summary: "hundreds of owners move their pieces on a torus; who holds most squares in the end wins",
    seats: 1..=MAX_SQUARES,
    actions: ActionKind::Structured,
    information: Information::Perfect,
    simultaneous: false,
    presets: &[Preset {
        name: "original",
        doc: "The original's defaults: 14 x 14 squares with 4 pieces each, 50 rounds.",
        set: &[],
    }],
    score_unit: "squares",
    length_unit: "rounds",
    ends: &["one side", "last round"],
    episode_figures: &[
        Figure::count("sides", "owners", "Owners that have pieces at the end."),
        Figure::count("owners", "owners", "Owners that have squares at the end."),
        Figure::count("most_squares", "squares", "Squares of the owner with the most."),
        Figure::count("winners", "owners", "Owners that share the first place."),
        Figure::amount(
            "winner_turn",
            "places",
            "Place of the winner in the turn order, from 1; the mean if several share.",
        ),
        Figure::amount(
            "win_first_quarter",
            "share",
            "Share of the win that goes to the first quarter of the turn order.",
        ),
        Figure::amount(
            "win_second_quarter",
            "share",
            "Share of the win that goes to the second quarter of the turn order.",
        ),
        Figure::amount(
            "win_third_quarter",
            "share",
            "Share of the win that goes to the third quarter of the turn order.",
        ),
        Figure::amount(
            "win_last_quarter",
            "share",
            "Share of the win that goes to the last quarter of the turn order.",
        ),
    ],
    seat_figures: &[
        Figure::count("pieces", "pieces", "Pieces at the end."),
        Figure::count("turn", "places", "Place in the turn order, from 1."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "hunter",
    demo: &["t800"],
    filler: Some("zombie"),
    input_help: "Name squares by row and column, both from 0 at the top left, and say\n\
                 where their pieces go: '3,4 north' sends all of them, '3,4 north 2 east 1'\n\
                 three, '3,4 n2; 5,6 up' pieces of two squares, 'all west' everything.\n\
                 Directions are north (n, up), south (s, down), east (e, right), west\n\
                 (w, left). Pieces you do not name stay; 'stay' (or just Enter) moves\n\
                 nothing. One move that is not allowed makes the whole turn illegal.\n\
                 Bots write 3,4:n2e1.",
    ..GameInfo::new("game17", "game17", include_str!("../RULES.md"))
};

use meeple_core::{AgentInfo, ForeignRecord, ForeignRecordError, Playable, Tool};

impl Playable for Game17 {
    fn agents() -> Vec<AgentInfo<Self>> {
        agents::all()
    }

    fn tools() -> Vec<Tool<Self>> {
        vec![record_tool::tool()]
    }

    fn foreign_record(text: &str, looks: &[String]) -> Option<Result<ForeignRecord, ForeignRecordError>> {
        foreign::foreign_record(text, looks)
    }
}
