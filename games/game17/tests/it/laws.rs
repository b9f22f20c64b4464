//! The conformance laws, golden playthroughs and the signature.

use meeple_core::Encoding;
use meeple_game17::{Chance, Game17, Variant};
use meeple_testkit::encodings::{SeatRotation, turned_encodings};
use meeple_testkit::{Laws, for_every_preset};

use crate::table::game;

#[test]
fn laws() {
    // Agents have their episodes on the small boards.
    for_every_preset::<Game17>(|laws| laws.episodes(1).positions(3).agent_episodes(0));
}

#[test]
fn laws_on_small_boards() {
    for (size, rounds) in [("1", "3"), ("2", "20"), ("3", "20"), ("5", "30"), ("9", "10")] {
        let game = game(&[("size", size), ("rounds", rounds)]);
        Laws::new(game).episodes(8).positions(10).agent_episodes(2).check();
    }
}

#[test]
fn laws_on_other_numbers() {
    Laws::new(game(&[("size", "4"), ("pieces", "1"), ("rounds", "15")])).episodes(8).check();
    Laws::new(game(&[("size", "3"), ("pieces", "70"), ("rounds", "6")])).episodes(8).check();
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<Game17>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<Game17>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn fuzz() {
    meeple_testkit::fuzz::<Game17>(|fuzz| {
        fuzz.short(&[("size", "4"), ("rounds", "12"), ("pieces", "4")]).combinations(300)
    });
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/reference/encodings.md");
    meeple_testkit::encodings::<Game17>(format!("{manifest}/encodings"), table);
}

/// All seats are equivalent apart from chance.
#[test]
fn encodings_turn_with_the_seats() {
    let turned = SeatRotation::<Game17> {
        chance: |chance, seats| {
            let next = |owner: u16| (owner + 1) % seats as u16;
            match *chance {
                Chance::Place(owner) => Chance::Place(next(owner)),
                Chance::Next(owner) => Chance::Next(next(owner)),
                coin @ Chance::Coin(_) => coin,
            }
        },
        action: |action, _| action.clone(),
    };
    for seed in 0..6 {
        let variant = Variant { size: 4, rounds: 6, ..Variant::default() };
        let game = Game17::new(variant, 16).unwrap();
        turned_encodings(&game, Encoding::of_game(), &turned, seed).unwrap();
    }
}
