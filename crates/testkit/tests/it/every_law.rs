//! Every law has a toy that breaks it on purpose.

#![allow(clippy::disallowed_methods, reason = "the laws are read from their code")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use crate::{agents, dice, facts, flaws, fuzz, twins};

/// Laws that no game can break, and the tests that cover them instead.
const NOT_BY_A_GAME: &[(&str, &str)] = &[
    ("agents-refuse-unknown-parameters", "core reads parameters by their declaration: its tests of agents"),
    ("drawing-well-formed", "the scene writes SVG, and escapes what a game says: its tests of markup"),
    ("noted-playouts-equal-episodes", "core notes by asking, and the other laws hold what is asked"),
    (
        "replay-notices-damage",
        "core reads only what it would write, and compares results: its tests of replays",
    ),
    (
        "replay-round-trip",
        "core writes replays as JSON; the one part of a game in them, its parameters, has 'params-round-trip'",
    ),
    ("screen-fits", "the scene fits screens into windows: its tests of rooms"),
    ("utility-bounded", "core makes utilities of places, which 'places-valid' holds: its tests of outcomes"),
    ("utility-zero-sum", "as above"),
];

thread_local! {
    static NOTICED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Records that a law detected a toy.
pub fn note(law: &'static str) {
    NOTICED.with_borrow_mut(|noticed| noticed.insert(law));
}

/// The names of all laws: the strings in the code of the laws that are words joined by hyphens.
fn laws() -> BTreeSet<String> {
    let mut laws = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/laws")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = std::fs::read_to_string(path).unwrap();
            laws.extend(code.split('"').filter(|text| is_law(text)).map(str::to_owned));
        }
    }
    laws
}

fn is_law(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text.contains('-') && text.split('-').all(is_word)
}

#[test]
fn every_law_notices_a_toy() {
    // Runs all tests that break a law on this thread, where their records are visible.
    agents::illegal_actions_of_agents_are_noticed();
    agents::agents_that_remember_are_noticed();
    agents::agents_that_depend_on_threads_are_noticed();
    agents::agents_that_depend_on_the_order_of_asking_are_noticed();
    agents::agents_may_refuse_with_a_reason_only();
    agents::agents_need_names_and_docs();
    agents::parameters_that_cannot_be_written_are_noticed();
    dice::every_flaw_of_dice_is_noticed();
    facts::names_are_well_formed_and_unique();
    facts::facts_and_docs_are_given();
    facts::presets_can_be_set_and_played();
    facts::the_demo_line_up_plays();
    facts::claims_about_play_are_held_against_play();
    facts::parameters_keep_their_declarations();
    flaws::every_flaw_is_noticed();
    flaws::a_game_that_refuses_what_it_checked_is_noticed();
    flaws::every_flaw_of_a_composer_is_noticed();
    fuzz::a_panic_at_the_end_of_a_range_is_found_and_made_small();
    fuzz::a_refusal_must_name_a_parameter();
    twins::every_leak_is_noticed_by_twins();

    let noticed: BTreeSet<String> = NOTICED.take().into_iter().map(str::to_owned).collect();
    let not_by_a_game: BTreeSet<String> = NOT_BY_A_GAME.iter().map(|(law, _)| (*law).to_owned()).collect();
    let laws = laws();
    let unknown: Vec<&String> = noticed.union(&not_by_a_game).filter(|law| !laws.contains(*law)).collect();
    assert!(unknown.is_empty(), "these are no laws, or have no names of words with hyphens: {unknown:?}");
    let both: Vec<&String> = noticed.intersection(&not_by_a_game).collect();
    assert!(both.is_empty(), "a game can break these after all: {both:?}");
    let without: Vec<&String> =
        laws.iter().filter(|law| !noticed.contains(*law) && !not_by_a_game.contains(*law)).collect();
    assert!(
        without.is_empty(),
        "no toy breaks these laws on purpose: {without:?}\nhint: a flaw of a toy and a row in its test"
    );
}
