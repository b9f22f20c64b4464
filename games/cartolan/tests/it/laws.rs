//! The laws of every game, for every preset and the variants of movement and exploration.

use meeple_cartolan::Cartolan;
use meeple_testkit::for_every_preset;

#[test]
fn laws() {
    for_every_preset::<Cartolan>(|laws| laws.episodes(2));
}
