//! The metadata of the game: description, presets and figures.

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

use crate::variant::MAX_SQUARES;

const WINNER_TURN: &str = "Place of the winner in the turn order, from 1; the mean if several share.";

const fn share(name: &'static str, doc: &'static str) -> Figure {
    Figure::amount(name, "share", doc)
}

pub(crate) static INFO: GameInfo = GameInfo {
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
        Figure::amount("winner_turn", "places", WINNER_TURN),
        share("win_first_quarter", "Share of the win that goes to the first quarter of the turn order."),
        share("win_second_quarter", "Share of the win that goes to the second quarter of the turn order."),
        share("win_third_quarter", "Share of the win that goes to the third quarter of the turn order."),
        share("win_last_quarter", "Share of the win that goes to the last quarter of the turn order."),
    ],
    seat_figures: &[
        Figure::count("pieces", "pieces", "Pieces at the end."),
        Figure::count("turn", "places", "Place in the turn order, from 1."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "hunter",
    strengths: include_str!("../strength.txt"),
    demo: &["hunter", "t800"],
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
