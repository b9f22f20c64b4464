//! The metadata of the game: description, presets and figures.

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

use crate::variant::MAX_SEATS;

pub(crate) static INFO: GameInfo = GameInfo {
    summary: "explore the sea tile by tile, sail with the wind, trade at wonders, bank the lead",
    seats: 2..=MAX_SEATS,
    actions: ActionKind::Listed,
    information: Information::Hidden,
    simultaneous: false,
    presets: PRESETS,
    profiles: PROFILES,
    score_unit: "wealth",
    length_unit: "rounds",
    ends: ENDS,
    episode_figures: EPISODE_FIGURES,
    seat_figures: SEAT_FIGURES,
    guide: include_str!("../GUIDE.md"),
    advisor: "merchant",
    strengths: include_str!("../strength.txt"),
    demo: &["merchant-tuned", "explorer", "trader", "pirate"],
    input_help: include_str!("../data/help.txt"),
    ..GameInfo::new("cartolan", "Cartolan – Trade Winds", include_str!("../RULES.md"))
};

pub const ENDS: &[&str] = &["margin", "water exhausted", "land exhausted", "round cap"];

/// Indices into [`ENDS`].
pub(crate) mod end {
    pub const MARGIN: u8 = 0;
    pub const WATER: u8 = 1;
    pub const ROUNDS: u8 = 3;
}

const PRESETS: &[Preset] = &[
    Preset {
        name: "regular",
        doc: "Trade and explore by sea and land; rob, arrest and court disasters.",
        set: &[],
    },
    Preset {
        name: "beginner",
        doc: "Water-backed tiles only; no disasters, attacks or second city.",
        set: &[("inland", "off"), ("mythical", "none"), ("gust", "off")],
    },
    Preset {
        name: "advanced",
        doc: "Regular with named Adventurers, Technologies, sickness, seasons and wider domains.",
        set: &[
            ("cards", "on"),
            ("trading", "decision"),
            ("domain", "5"),
            ("unburdened_land_moves", "3"),
            ("unburdened_upwind_moves", "2"),
        ],
    },
];

const PROFILES: &[Preset] = &[
    Preset { name: "guide", doc: "The printed guide with the rulings of RULES.md.", set: &[] },
    Preset {
        name: "oct-2020",
        doc: "The original program of October 2020, move for move; Advanced was Regular there.",
        set: &[
            ("cards", "off"),
            ("budget", "land_after_upwind"),
            ("catalogue", "csv"),
            ("supply", "fixed"),
            ("water_tiles", "60"),
            ("land_tiles", "40"),
            ("mythical", "none"),
            ("start", "first_seat"),
            ("disaster_edges", "all_land"),
            ("disaster_entry", "anyone"),
            ("courted_wealth", "copied"),
            ("gust", "off"),
            ("conflict", "flat"),
            ("numbers_matter", "off"),
            ("arrest_to", "chest"),
            ("city_attacks", "on"),
            ("attack_poor", "off"),
            ("placed_agent_rest", "next_turn"),
            ("hire_moves", "next_round"),
            ("act_order", "scripted"),
            ("purchase_before_margin_check", "yes"),
            ("city_order", "purchases_first"),
            ("tie", "first_seat"),
            ("margin", "15"),
            ("reward_water", "1"),
            ("reward_land", "1"),
            ("trade", "1"),
            ("trade_bonus", "0"),
            ("gap_water", "2"),
            ("gap_land", "3"),
            ("trading", "decision"),
            ("price_adventurer", "15"),
            ("price_place", "1"),
            ("price_hire", "3"),
            ("tries", "1"),
            ("upwind_moves", "2"),
            ("unburdened_land_moves", "2"),
            ("unburdened_upwind_moves", "2"),
            ("domain", "0"),
        ],
    },
];

/// A figure of left-over tiles with one pattern of edges. Of tiles dealt face down it counts the expected
/// number.
macro_rules! left_over {
    ($name:literal, $what:literal, $edges:literal) => {
        Figure::amount(
            concat!("left_over_", $name),
            "tiles",
            concat!("Tiles left over with ", $what, " (", $edges, " as uc ua dc da)."),
        )
    };
}

const EPISODE_FIGURES: &[Figure] = &[
    Figure::count("lead", "wealth", "Lead of the first Vault over the second."),
    Figure::amount("winner_vault_share", "share", "The winner's part of the wealth in all Vaults."),
    Figure::amount("winner_distance_share", "share", "The winner's part of all tiles travelled."),
    Figure::amount("winner_agents", "agents", "The winner's Agents on the map."),
    Figure::amount("winner_adventurers", "adventurers", "The winner's Adventurers."),
    Figure::count("water_left", "tiles", "Water-backed tiles in pile and discards."),
    Figure::count("land_left", "tiles", "Land-backed tiles in pile and discards."),
    Figure::count("discards", "tiles", "Tiles drawn that did not fit."),
    Figure::count("failed_explorations", "explorations", "Explorations in which no tile fitted."),
    Figure::count("placed", "tiles", "Tiles placed while exploring."),
    left_over!("all_water", "water on all edges", "WWWW"),
    left_over!("land_downwind_anticlockwise", "land on the downwind anticlockwise edge alone", "WWWL"),
    left_over!("land_downwind_clockwise", "land on the downwind clockwise edge alone", "WWLW"),
    left_over!("land_downwind", "land on both downwind edges", "WWLL"),
    left_over!("land_upwind_anticlockwise", "land on the upwind anticlockwise edge alone", "WLWW"),
    left_over!("land_anticlockwise", "land on both anticlockwise edges, which lie opposite", "WLWL"),
    left_over!("land_starboard", "land on the two edges on the right of where the wind blows to", "WLLW"),
    left_over!("water_upwind_clockwise", "water on the upwind clockwise edge alone", "WLLL"),
    left_over!("land_upwind_clockwise", "land on the upwind clockwise edge alone", "LWWW"),
    left_over!("land_port", "land on the two edges on the left of where the wind blows to", "LWWL"),
    left_over!("land_clockwise", "land on both clockwise edges, which lie opposite", "LWLW"),
    left_over!("water_upwind_anticlockwise", "water on the upwind anticlockwise edge alone", "LWLL"),
    left_over!("land_upwind", "land on both upwind edges", "LLWW"),
    left_over!("water_downwind_clockwise", "water on the downwind clockwise edge alone", "LLWL"),
    left_over!("water_downwind_anticlockwise", "water on the downwind anticlockwise edge alone", "LLLW"),
    left_over!("all_land", "land on all edges", "LLLL"),
];

const SEAT_FIGURES: &[Figure] = &[
    Figure::count("chests", "wealth", "Wealth left in the Chests."),
    Figure::count("adventurers", "adventurers", "Adventurers in play."),
    Figure::count("agents", "agents", "Agents on the map."),
    Figure::count("distance", "tiles", "Tiles travelled."),
    Figure::amount("mean_range", "tiles", "Mean distance to the Capital after a move."),
    Figure::count("trades", "trades", "Trades at wonders."),
    Figure::count("wonders", "wonders", "Wonders discovered."),
    Figure::count("explored", "tiles", "Tiles placed."),
    Figure::count("failed", "explorations", "Explorations in which no tile fitted."),
    Figure::count("attacks", "attacks", "Attacks and arrests tried."),
    Figure::count("attacks_won", "attacks", "Attacks and arrests that succeeded."),
];
