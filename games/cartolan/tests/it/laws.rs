//! The conformance laws, golden playthroughs, the signature, and the generated part of RULES.md.

use std::sync::Arc;

use meeple_cartolan::{Action, Cartolan};
use meeple_core::{Defined as _, Game, Preset};
use meeple_testkit::{Laws, for_every_preset, ids_lead_back};

use crate::table::variant;

/// A preset, a number of seats and settings.
type Table<'t> = (&'t str, usize, &'t [(&'t str, &'t str)]);

#[test]
fn laws() {
    for_every_preset::<Cartolan>(|laws| laws.episodes(1).positions(4).agent_episodes(1));
}

/// Checks the laws. Without cards nothing is hidden, so one law about hidden information cannot be observed.
fn check(preset: &str, laws: &Laws<Cartolan>) {
    if let Err(broken) = laws.run() {
        assert!(preset != "advanced" && broken.law == "hidden-is-redrawn", "{broken}");
    }
}

#[test]
fn laws_of_other_variants() {
    let variants: [Table<'_>; 9] = [
        ("beginner", 2, &[("trading", "decision"), ("discovery_uses_trade", "off"), ("rounds", "60")]),
        (
            "advanced",
            2,
            &[
                ("trading", "automatic"),
                ("discovery_uses_trade", "off"),
                ("pirate_at_disaster", "sent_back"),
                ("pirate_rewards", "off"),
                ("domain", "0"),
                ("rounds", "60"),
            ],
        ),
        ("beginner", 3, &[("movement", "budgetted"), ("exploration", "continuous"), ("rounds", "60")]),
        ("regular", 4, &[("movement", "budgetted"), ("exploration", "continuous"), ("rounds", "40")]),
        (
            "regular",
            3,
            &[
                ("mythical", "in_land_pile"),
                ("discards", "every_subturn"),
                ("start_adventurers", "3"),
                ("rounds", "30"),
            ],
        ),
        ("regular", 2, &[("agents", "1"), ("price_place", "0"), ("city_attacks", "on"), ("rounds", "60")]),
        (
            "advanced",
            4,
            &[("card_draw", "choose_of_two"), ("domain", "0"), ("start_adventurers", "2"), ("rounds", "40")],
        ),
        ("advanced", 2, &[("movement", "budgetted"), ("margin", "200"), ("rounds", "80"), ("agents", "8")]),
        (
            "advanced",
            3,
            &[("exploration", "continuous"), ("domain", "0"), ("start_adventurers", "2"), ("rounds", "40")],
        ),
    ];
    for (preset, seats, settings) in variants {
        let game = Cartolan::new(variant(preset, settings), seats).expect("it can be set up");
        check(preset, &Laws::new(game).episodes(1).positions(4).agent_episodes(0));
    }
}

/// A policy vector has one entry for every id, whatever the preset and the number of seats.
#[test]
fn ids_are_few() {
    for preset in Cartolan::definition().info.presets {
        for seats in 2..=4 {
            let game = Cartolan::new(variant(preset.name, &[]), seats).expect("it can be set up");
            let bound = game.action_bound();
            assert!((100..=meeple_core::MAX_IDS).contains(&bound), "{} has {bound} ids", preset.name);
        }
    }
}

/// In whole games, every legal action has a distinct id that leads back to it. The laws cover few positions,
/// and the longest lists come late.
#[test]
fn ids_lead_back_in_whole_games() {
    for preset in ["regular", "advanced"] {
        let set = [("rounds", "300"), ("margin", "500"), ("price_hire", "1"), ("domain", "0")];
        let game = Cartolan::new(variant(preset, &set), 3).expect("it can be set up");
        // A player that banks everything can hire Agents for many tiles.
        let bank = |legal: &[Action]| legal.last().filter(|last| matches!(last, Action::Bank(_))).copied();
        assert!(ids_lead_back(Arc::new(game), bank) > 12, "{preset}");
    }
}

#[test]
fn laws_of_the_profile() {
    let profile =
        Cartolan::definition().info.profiles.iter().find(|known| known.name == "oct-2020").expect("there");
    for preset in ["beginner", "regular"] {
        let mut settings = profile.set.to_vec();
        settings.push(("rounds", "40"));
        let game = Cartolan::new(variant(preset, &settings), 3).expect("it can be set up");
        check(preset, &Laws::new(game).episodes(1).positions(4).agent_episodes(1));
    }
}

#[test]
fn table_of_parameters() {
    meeple_testkit::rules_table::<Cartolan>(concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md"));
}

/// Playthroughs of each preset, alone and with the other kind of movement and of exploration.
#[test]
fn playthroughs() {
    let mut others = Vec::new();
    for preset in Cartolan::definition().info.presets {
        for (key, value) in [("movement", "budgetted"), ("exploration", "continuous")] {
            let set = [preset.set, &[(key, value)]].concat();
            others.push(Preset { name: format!("{}-{value}", preset.name).leak(), doc: "", set: set.leak() });
        }
    }
    meeple_testkit::playthroughs_also::<Cartolan>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"),
        &others,
    );
}

#[test]
fn signature() {
    meeple_testkit::signature::<Cartolan>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn fuzz() {
    meeple_testkit::fuzz::<Cartolan>(|fuzz| fuzz.short(&[("rounds", "6")]));
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/reference/encodings.md");
    meeple_testkit::encodings::<Cartolan>(format!("{manifest}/encodings"), table);
}
