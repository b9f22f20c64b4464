//! The metadata of the game: description, presets and figures.

use meeple_core::{ActionKind, Figure, GameInfo, Information, Preset};

use crate::state::End;
use crate::variant::MAX_SEATS;

pub(crate) static INFO: GameInfo = GameInfo {
    rules_version: 2,
    summary: "trade and piracy under sail: wind by the dice, hidden cargo, everything at stake in every fight",
    seats: 1..=MAX_SEATS,
    seats_advice: "best with 5; one player only trades; with more players than the map has ports it becomes endless \
                   piracy",
    actions: ActionKind::Listed,
    information: Information::Hidden,
    presets: &[
        // In the default preset nobody is eliminated, and all episodes have the same length. So figures of
        // different strategies are comparable.
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
        Figure::count("rounds", "rounds", "Finished rounds."),
        Figure::count("turns", "turns", "Turns of all seats."),
        Figure::count("fights", "fights", "Fights."),
        Figure::count("fights_won", "fights", "Fights won by who began them."),
        Figure::count("rolls", "rolls", "Rolls of the fight dice."),
        Figure::count("respawns", "ships", "Fresh ships after defeats."),
        Figure::count("eliminated", "seats", "Seats out for good."),
        Figure::count("traded", "units", "Units bought and sold."),
        Figure::count("profit", "$", "Sales less purchases of all seats."),
    ],
    seat_figures: &[
        Figure::count("alive", "share", "1 if the seat has a ship at the end, else 0: the mean is a share."),
        Figure::category(
            "class",
            "classes",
            "Class of its ship at the end.",
            &["schooner", "galleon", "frigate", "none"],
        ),
        Figure::count("money", "$", "Its money."),
        Figure::count("ports_known", "ports", "Ports whose prices it has seen."),
        Figure::count("moves", "cells", "Cells sailed."),
        Figure::count("bought", "units", "Units bought."),
        Figure::count("sold", "units", "Units sold."),
        Figure::count("profit", "$", "Sales less purchases."),
        Figure::count("profit_lumber", "$", "Sales less purchases of lumber."),
        Figure::count("profit_sugar", "$", "Sales less purchases of sugar."),
        Figure::count("profit_tobacco", "$", "Sales less purchases of tobacco."),
        Figure::count("profit_rum", "$", "Sales less purchases of rum."),
        Figure::count("profit_textile", "$", "Sales less purchases of textile."),
        Figure::count("profit_spice", "$", "Sales less purchases of spice."),
        Figure::count("profit_cannon", "$", "Sales less purchases of cannons."),
        Figure::count("turns_in_schooner", "turns", "Turns begun in a schooner."),
        Figure::count("turns_in_galleon", "turns", "Turns begun in a galleon."),
        Figure::count("turns_in_frigate", "turns", "Turns begun in a frigate."),
        Figure::count("profit_in_schooner", "$", "Sales less purchases while it was a schooner."),
        Figure::count("profit_in_galleon", "$", "Sales less purchases while it was a galleon."),
        Figure::count("profit_in_frigate", "$", "Sales less purchases while it was a frigate."),
        Figure::count("attacks", "fights", "Fights it began."),
        Figure::count("attacks_won", "fights", "Fights it began and won."),
        Figure::count("defences", "fights", "Fights that others began with it."),
        Figure::count("defences_won", "fights", "Fights that others began with it and lost."),
        Figure::count("attacks_in_schooner", "fights", "Fights it began in a schooner."),
        Figure::count("attacks_in_galleon", "fights", "Fights it began in a galleon."),
        Figure::count("attacks_in_frigate", "fights", "Fights it began in a frigate."),
        Figure::count("attacks_won_in_schooner", "fights", "Fights it began in a schooner and won."),
        Figure::count("attacks_won_in_galleon", "fights", "Fights it began in a galleon and won."),
        Figure::count("attacks_won_in_frigate", "fights", "Fights it began in a frigate and won."),
        Figure::count("sank_schooners", "ships", "Schooners that it sank."),
        Figure::count("sank_galleons", "ships", "Galleons that it sank."),
        Figure::count("sank_frigates", "ships", "Frigates that it sank."),
        Figure::count("loot", "$", "Money and cargo at smallest prices taken from beaten ships."),
        Figure::count("discarded", "units", "Units thrown overboard."),
        Figure::count("sunk", "times", "Times it was sunk."),
        Figure::count("sunk_by_schooner", "times", "Times it was sunk by a schooner."),
        Figure::count("sunk_by_galleon", "times", "Times it was sunk by a galleon."),
        Figure::count("sunk_by_frigate", "times", "Times it was sunk by a frigate."),
        Figure::seat("sunk_last_by", "Who sank it last."),
        Figure::count("respawns", "ships", "Fresh ships after defeats."),
    ],
    guide: include_str!("../GUIDE.md"),
    advisor: "admiral",
    strengths: include_str!("../strength.txt"),
    demo: &["admiral", "trader", "pirate", "mixed", "coward"],
    input_help: include_str!("../data/help.txt"),
    ..GameInfo::new("privateers", "Privateers", include_str!("../RULES.md"))
};
