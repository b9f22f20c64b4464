//! The metadata of the game: description, presets and figures.

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

use crate::variant::MAX_SEATS;

pub(crate) static INFO: GameInfo = GameInfo {
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
            doc: "Artifacts left on the path leave the game; they are worth 5, 7, 8, 10, 12.",
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
    strengths: include_str!("../strength.txt"),
    demo: &["lookahead", "turn:7", "backpack:20"],
    input_help: "stay (or y, yes, or just Enter): go on to the next card.\n\
                 leave (or n, no): walk out; your backpack is safe in your tent.\n\
                 Leaving alone you also take the spare gems and all artifacts on the path;\n\
                 leaving together you share the gems. A second hazard of a kind costs\n\
                 everybody in the temple the whole backpack.",
    ..GameInfo::new("incan-gold", "Incan Gold", include_str!("../RULES.md"))
};
