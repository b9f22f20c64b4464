//! The conformance laws, golden playthroughs, the signature, and the generated part of RULES.md.

use meeple_carcassonne::Carcassonne;
use meeple_testkit::for_every_preset;

#[test]
fn laws() {
    for_every_preset::<Carcassonne>(|laws| laws.episodes(1).positions(4).agent_episodes(1));
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<Carcassonne>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<Carcassonne>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}
