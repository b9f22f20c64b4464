//! The metadata of the game: description, presets and figures.

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

use crate::variant::MAX_SEATS;

pub(crate) static INFO: GameInfo = GameInfo {
    summary: "lay tiles, claim roads, cities, monasteries and fields, and capture meeples from towers",
    seats: 2..=MAX_SEATS,
    actions: ActionKind::Listed,
    information: Information::Hidden,
    simultaneous: false,
    presets: PRESETS,
    profiles: PROFILES,
    score_unit: "points",
    length_unit: "turns",
    ends: &ends::NAMES,
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
    strengths: include_str!("../strength.txt"),
    demo: &["builder", "greedy"],
    input_help: include_str!("../data/help.txt"),
    ..GameInfo::new("carcassonne", "Carcassonne", include_str!("../RULES.md"))
};

pub(crate) mod ends {
    pub const TILES: u8 = 0;
    pub const LIMIT: u8 = 1;
    pub const NAMES: [&str; 2] = ["tiles", "point limit"];
}

const PRESETS: &[Preset] = &[
    Preset { name: "towers", doc: "River, farms and towers: the whole bot-battle game.", set: &[] },
    Preset { name: "farms", doc: "River and farms, no towers.", set: &[("towers", "off")] },
    Preset {
        name: "river",
        doc: "River, roads, cities and monasteries only: the original bot battle.",
        set: &[("towers", "off"), ("farms", "off")],
    },
    Preset {
        name: "classic",
        doc: "The common base game: no river, one tile drawn and laid, farms, no point limit.",
        set: &[("river", "off"), ("towers", "off"), ("hand", "1"), ("point-limit", "0")],
    },
    Preset {
        name: "syncs",
        doc: "The original bot battle with the rules of its engine, faults included: river, and profile syncs2025.",
        set: &[
            ("towers", "off"),
            ("farms", "off"),
            ("order", "score-first"),
            ("pays", "everybody"),
            ("claimed-banners", "off"),
            ("banner-end", "2"),
        ],
    },
];

/// Rule profiles, selected on top of a preset.
const PROFILES: &[Preset] = &[
    Preset {
        name: "standard",
        doc: "The rulings of RULES.md.",
        set: &[
            ("order", "claim-first"),
            ("pays", "majority"),
            ("claimed-banners", "on"),
            ("banner-end", "1"),
        ],
    },
    Preset {
        name: "syncs2025",
        doc: "As the engine of the original bot battle scores, its faults included (R9).",
        set: &[
            ("order", "score-first"),
            ("pays", "everybody"),
            ("claimed-banners", "off"),
            ("banner-end", "2"),
        ],
    },
];
