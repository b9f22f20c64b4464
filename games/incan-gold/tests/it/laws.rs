//! The conformance laws, golden playthroughs and the signature.

use meeple_core::{ChanceStreams, Encoding, EpisodeSeed, Game as _, NoEvents, Phase, Seat, Stream, Viewer};
use meeple_incan_gold::{Card, IncanGold, State, Variant};
use meeple_testkit::encodings::{SeatRotation, turned_encodings};
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
    // Best play and equilibria need tables of all multisets of gems, too large for most random rules.
    meeple_testkit::fuzz::<IncanGold>(|fuzz| {
        fuzz.agent_if("optimal-solo", |variant| variant.gems.len() <= 6)
            .agent_if("nash-share", |variant| variant.gems.len() <= 2)
            .combinations(400)
    });
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/reference/encodings.md");
    meeple_testkit::encodings::<IncanGold>(format!("{manifest}/encodings"), table);
}

/// Seats are equivalent apart from chance.
#[test]
fn encodings_turn_with_the_seats() {
    let turned = SeatRotation::<IncanGold> { chance: |card, _| *card, action: |action, _| *action };
    for seed in 0..20 {
        let game = IncanGold::new(Variant::default(), 2 + seed as usize % 4).unwrap();
        turned_encodings(&game, Encoding::of_game(), &turned, seed).unwrap();
    }
}

#[test]
fn kinds_of_hazards_are_alike() {
    let game = IncanGold::new(Variant::default(), 3).unwrap();
    let encoding = Encoding::of_game();
    let observed = |state: &State, seat| {
        let mut numbers = vec![0.0; encoding.size(&game)];
        (encoding.write)(&game, &game.observe(state, Viewer::Seat(seat)), seat, &mut numbers);
        numbers
    };
    let mut draws = Stream::from_seed(5);
    for index in 0..50 {
        let mut kinds = [0, 1, 2, 3, 4];
        draws.shuffle(&mut kinds);
        let mut streams = ChanceStreams::new(EpisodeSeed::new(5, index));
        // The same episode is played twice, once with the kinds renamed.
        let (mut one, mut other) = (game.initial_state(), game.initial_state());
        loop {
            match game.phase(&one) {
                Phase::Over => break,
                Phase::Chance => {
                    let card = game.sample_chance(&one, &mut streams);
                    let renamed = match card {
                        Card::Hazard(kind) => Card::Hazard(kinds[usize::from(kind)]),
                        same => same,
                    };
                    game.apply_chance(&mut one, &card, &mut NoEvents);
                    game.apply_chance(&mut other, &renamed, &mut NoEvents);
                }
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = game.sample_action(&one, seat, &mut draws, &mut Vec::new());
                        game.apply(&mut one, seat, &action, &mut NoEvents).unwrap();
                        game.apply(&mut other, seat, &action, &mut NoEvents).unwrap();
                    }
                }
            }
            for seat in Seat::all(game.seats()) {
                let (mut expected, found) = (observed(&one, seat), observed(&other, seat));
                let mut begin = 0;
                for field in (encoding.fields)(&game) {
                    if field.name == "hazard_seen" || field.name == "hazard_left" {
                        let named = expected[begin..][..field.size].to_vec();
                        kinds
                            .iter()
                            .zip(named)
                            .for_each(|(kind, what)| expected[begin + usize::from(*kind)] = what);
                    }
                    begin += field.size;
                }
                assert_eq!(expected, found, "{kinds:?}");
            }
        }
        let tents =
            |state: &State| Seat::all(game.seats()).map(|seat| game.score(state, seat)).collect::<Vec<_>>();
        assert_eq!(tents(&one), tents(&other));
    }
}
