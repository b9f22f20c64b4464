use meeple_testkit::for_every_preset;
use meeple_testkit::toys::{Goofspiel, Hands, Matrix, Nim, Poker, Posts};

use crate::toys::dice::Dice;
use crate::toys::pockets::Pockets;

#[test]
fn hands_keeps_the_laws() {
    for_every_preset::<Hands>(|laws| laws.episodes(30));
}

#[test]
fn nim_keeps_the_laws() {
    for_every_preset::<Nim>(|laws| laws.episodes(30));
}

#[test]
fn goofspiel_keeps_the_laws() {
    for_every_preset::<Goofspiel>(|laws| laws.episodes(30));
}

#[test]
fn matrix_keeps_the_laws() {
    for_every_preset::<Matrix>(|laws| laws.episodes(30));
}

#[test]
fn poker_keeps_the_laws() {
    for_every_preset::<Poker>(|laws| laws.episodes(60));
}

#[test]
fn posts_keeps_the_laws() {
    for_every_preset::<Posts>(|laws| laws.episodes(30));
}

#[test]
fn pockets_keeps_the_laws() {
    for_every_preset::<Pockets>(|laws| laws.episodes(30));
}

#[test]
fn dice_keeps_the_laws() {
    for_every_preset::<Dice>(|laws| laws.episodes(30));
}
