//! The conformance laws, golden playthroughs and the signature.

use meeple_core::{Encoding, Game as _};
use meeple_incan_gold::{IncanGold, Variant};
use meeple_testkit::encodings::{Turned, turned_encodings};
use meeple_testkit::for_every_preset;

#[test]
fn laws() {
    for_every_preset::<IncanGold>(|laws| laws.episodes(30));
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<IncanGold>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<IncanGold>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn fuzz() {
    // Best play and equilibria need tables of all multisets of gems, which is too much for most rules that are drawn.
    meeple_testkit::fuzz::<IncanGold>(|fuzz| {
        fuzz.agent_if("optimal-solo", |variant| variant.gems.len() <= 6)
            .agent_if("nash-share", |variant| variant.gems.len() <= 2)
            .combinations(400)
    });
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/encodings.md");
    meeple_testkit::encodings::<IncanGold>(format!("{manifest}/encodings"), table);
}

/// Nobody is special but by what chance draws.
#[test]
fn encodings_turn_with_the_seats() {
    let turned = Turned::<IncanGold> { chance: |card, _| *card, action: |action, _| *action };
    for seed in 0..20 {
        let game = IncanGold::new(Variant::default(), 2 + seed as usize % 4).unwrap();
        turned_encodings(&game, Encoding::of_game(), &turned, seed).unwrap();
    }
}
