//! The conformance laws, golden playthroughs and the signature.

use meeple_incan_gold::IncanGold;
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
