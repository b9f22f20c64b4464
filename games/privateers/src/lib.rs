//! Privateers: trade and piracy under sail.
//!
//! Ships sail a chart of square cells by the dice's wind, buy goods where they are cheap and sell them where
//! they are dear, and take everything from each other in fights. Cargo, money and most prices are hidden.
//! The rules, clause by clause, are in `RULES.md`; [`Privateers`] implements them. All arithmetic is
//! integer; movement is counted in half points.

mod action;
pub mod agents;
mod chance;
mod combat;
mod compile;
mod determinize;
mod draw;
mod event;
pub mod fight;
mod generate;
mod goods;
mod knowledge;
mod map;
mod observe;
mod range;
mod reach;
mod rules;
mod scoring;
mod screen;
mod setup;
mod ship;
mod state;
mod tools;
mod turn;
mod variant;
mod wind;

pub use action::{Action, FIRST_ATTACK};
pub use chance::{Chance, Permutation};
pub use event::Event;
pub use generate::{ATTEMPTS, Wish, generate};
pub use goods::{GOODS, PRODUCTS, PriceRange, Product};
pub use map::{BUILT_IN, Cell, Distances, MAX_PORTS, MapError, PORTS, SIDES, SeaMap, UNREACHABLE};
pub use observe::{CargoView, FightView, Observation, Sighting};
pub use reach::{IMPOSSIBLE, Reach};
pub use rules::Privateers;
pub use setup::{Setup, ShipSetup};
pub use ship::{Build, CLASSES, Class};
pub use state::{End, Stage, State};
pub use variant::{Closing, DIE, Distance, MAX_BUDGET, MAX_SEATS, Mode, Variant, WindName};
pub use wind::{Heading, Wind};

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

const fn figure(name: &'static str, unit: &'static str, doc: &'static str) -> Figure {
    Figure { name, unit, doc }
}

/// The facts of the game.
pub(crate) const INFO: GameInfo = GameInfo {
    rules_version: 2,
    summary: "trade and piracy under sail: wind by the dice, hidden cargo, everything at stake in every fight",
    seats: 1..=MAX_SEATS,
    seats_advice: "best with 5; one player only trades; with more players than the map has ports it becomes endless \
                   piracy",
    actions: ActionKind::Listed,
    information: Information::Hidden,
    presets: &[
        // The default: nobody sits out, and episodes of all line-ups have the same length, so that figures
        // of different strategies can be compared.
        Preset {
            name: "infinite",
            doc: "Who is sunk comes back with a fresh ship; the highest value after 200 rounds wins.",
            set: &[],
        },
        Preset {
            name: "survival",
            doc: "Who is sunk is out; the last ship wins, or the highest value after 200 rounds.",
            set: &[("mode", "survival")],
        },
    ],
    score_unit: "$",
    length_unit: "rounds",
    ends: End::NAMES,
    episode_figures: &[
        figure("rounds", "rounds", "Finished rounds."),
        figure("turns", "turns", "Turns of all seats."),
        figure("fights", "fights", "Fights."),
        figure("fights_won", "fights", "Fights won by who began them."),
        figure("rolls", "rolls", "Rolls of the fight dice."),
        figure("respawns", "ships", "Fresh ships after defeats."),
        figure("eliminated", "seats", "Seats out for good."),
        figure("traded", "units", "Units bought and sold."),
        figure("profit", "$", "Sales less purchases of all seats."),
    ],
    seat_figures: &[
        figure("alive", "share", "Whether the seat has a ship at the end."),
        figure("class", "class", "Class of its ship: 0 schooner, 1 galleon, 2 frigate, -1 none."),
        figure("money", "$", "Its money."),
        figure("ports_known", "ports", "Ports whose prices it has seen."),
        figure("moves", "cells", "Cells sailed."),
        figure("bought", "units", "Units bought."),
        figure("sold", "units", "Units sold."),
        figure("profit", "$", "Sales less purchases."),
        figure("profit_lumber", "$", "Sales less purchases of lumber."),
        figure("profit_sugar", "$", "Sales less purchases of sugar."),
        figure("profit_tobacco", "$", "Sales less purchases of tobacco."),
        figure("profit_rum", "$", "Sales less purchases of rum."),
        figure("profit_textile", "$", "Sales less purchases of textile."),
        figure("profit_spice", "$", "Sales less purchases of spice."),
        figure("profit_cannon", "$", "Sales less purchases of cannons."),
        figure("turns_in_schooner", "turns", "Turns begun in a schooner."),
        figure("turns_in_galleon", "turns", "Turns begun in a galleon."),
        figure("turns_in_frigate", "turns", "Turns begun in a frigate."),
        figure("profit_in_schooner", "$", "Sales less purchases while it was a schooner."),
        figure("profit_in_galleon", "$", "Sales less purchases while it was a galleon."),
        figure("profit_in_frigate", "$", "Sales less purchases while it was a frigate."),
        figure("attacks", "fights", "Fights it began."),
        figure("attacks_won", "fights", "Fights it began and won."),
        figure("defences", "fights", "Fights that others began with it."),
        figure("defences_won", "fights", "Fights that others began with it and lost."),
        figure("attacks_in_schooner", "fights", "Fights it began in a schooner."),
        figure("attacks_in_galleon", "fights", "Fights it began in a galleon."),
        figure("attacks_in_frigate", "fights", "Fights it began in a frigate."),
        figure("attacks_won_in_schooner", "fights", "Fights it began in a schooner and won."),
        figure("attacks_won_in_galleon", "fights", "Fights it began in a galleon and won."),
        figure("attacks_won_in_frigate", "fights", "Fights it began in a frigate and won."),
        figure("sank_schooners", "ships", "Schooners that it sank."),
        figure("sank_galleons", "ships", "Galleons that it sank."),
        figure("sank_frigates", "ships", "Frigates that it sank."),
        figure("loot", "$", "Money and cargo at smallest prices taken from beaten ships."),
        figure("discarded", "units", "Units thrown overboard."),
        figure("sunk", "times", "Times it was sunk."),
        figure("sunk_by_schooner", "times", "Times it was sunk by a schooner."),
        figure("sunk_by_galleon", "times", "Times it was sunk by a galleon."),
        figure("sunk_by_frigate", "times", "Times it was sunk by a frigate."),
        figure("sunk_last_by", "seat", "Seat that sank it last; -1 is nobody."),
        figure("respawns", "ships", "Fresh ships after defeats."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "admiral",
    demo: &["admiral", "trader", "pirate", "mixed", "coward"],
    input_help: include_str!("../data/help.txt"),
    ..GameInfo::new("privateers", "Privateers", include_str!("../RULES.md"))
};
