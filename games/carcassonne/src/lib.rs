//! Carcassonne, bot-battle edition: a landscape of tiles with river, roads, cities, monasteries, farms and
//! towers, for two to six players.
//!
//! The rules, clause by clause, are in `RULES.md`; [`Carcassonne`] implements them. The tiles are data
//! (`data/tiles.txt`), read once into [`tables`]. Everything on the [`Board`] is public; hidden are only the
//! hands and the deck, which is a multiset and has no order until a tile is drawn.

mod action;
mod agents;
mod board;
mod draw;
mod event;
mod explain;
mod feature;
mod geometry;
mod input;
mod legal;
mod observe;
mod position;
mod present;
mod rules;
mod scoring;
mod screen;
mod state;
mod tiles;
mod turn;
mod variant;

pub use action::{Action, FieldSpot, Post, Spot};
pub use board::{
    Board, Content, MAX_FRONTIER, MAX_TILES, Node, Placed, Tower, around, node_of, segment_of, tile_of,
};
pub use event::{Chance, Event, TurnOrder};
pub use feature::{Feature, Members};
pub use geometry::{Cell, Half, REACH, Side};
pub use observe::Observation;
pub use position::Position;
pub use rules::Carcassonne;
pub use scoring::Progress;
pub use state::{Hand, RiverEnd, Source, Stack, Stage, State};
pub use tiles::{
    KINDS, Kind, LAND_KINDS, MAX_SEGMENTS, NONE, Piece, Segment, SegmentKind, Set, Tables, Terrain, Tile,
    fits, tables,
};
pub use variant::{Lake, MAX_HAND, MAX_SEATS, Uturn, Variant};

use meeple_core::{ActionKind, Figure, GameInfo, Information};

/// The facts of the game.
pub(crate) const INFO: GameInfo = GameInfo {
    summary: "lay tiles, claim roads, cities, monasteries and fields, and capture meeples from towers",
    seats: 2..=MAX_SEATS,
    actions: ActionKind::Listed,
    information: Information::Hidden,
    simultaneous: false,
    presets: variant::PRESETS,
    profiles: variant::PROFILES,
    score_unit: "points",
    length_unit: "turns",
    ends: &rules::ends::NAMES,
    episode_figures: &[
        Figure::count("tiles", "tiles", "Tiles on the board in the end, spring and lake included."),
        Figure::count("discards", "tiles", "Tiles put out of the game because nothing in a hand fitted."),
        Figure::amount("placements", "placements", "Legal placements of the tile that was laid, on average."),
        Figure::count("captures", "meeples", "Meeples captured from towers, own ones aside."),
    ],
    seat_figures: &[
        Figure::count("road_points", "points", "Points from roads."),
        Figure::count("city_points", "points", "Points from cities."),
        Figure::count("monastery_points", "points", "Points from monasteries."),
        Figure::count("farm_points", "points", "Points from fields."),
        Figure::count("ransom_points", "points", "Ransoms received less ransoms paid."),
        Figure::count("meeples_left", "meeples", "Meeples in the supply in the end."),
        Figure::count("captured", "meeples", "Meeples this seat captured."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "builder",
    demo: &["builder", "greedy"],
    input_help: include_str!("../data/help.txt"),
    ..GameInfo::new("carcassonne", "Carcassonne", include_str!("../RULES.md"))
};

use meeple_core::{AgentInfo, Playable};

impl Playable for Carcassonne {
    fn agents() -> Vec<AgentInfo<Self>> {
        agents::all()
    }
}
