//! The conformance laws, golden playthroughs, the signature, and the generated part of RULES.md.

use meeple_carcassonne::{Action, Carcassonne, Chance, Variant};
use meeple_core::{
    ChanceStreams, Defined as _, Encoding, EpisodeSeed, Game, NoEvents, Params, Phase, Stream,
};
use meeple_testkit::encodings::{SeatRotation, turned_encodings};
use meeple_testkit::{Laws, for_every_preset, ids_lead_back};

use crate::support::game;

#[test]
fn laws() {
    for_every_preset::<Carcassonne>(|laws| laws.episodes(1).positions(4).agent_episodes(1));
}

#[test]
fn laws_of_other_variants() {
    let variants: [(usize, &[(&str, &str)]); 6] = [
        (
            3,
            &[
                ("order", "score-first"),
                ("pays", "everybody"),
                ("claimed-banners", "off"),
                ("point-limit", "0"),
            ],
        ),
        (6, &[("hand", "2"), ("lake", "player"), ("ransoms", "3"), ("ransom", "0")]),
        (2, &[("uturn", "two-curves"), ("meeples", "0"), ("hand", "2")]),
        (3, &[("uturn", "two-cells"), ("meeples", "2"), ("farms", "off"), ("point-limit", "0")]),
        (5, &[("river", "off"), ("point-limit", "1")]),
        (4, &[("towers", "off"), ("lake", "player"), ("farm", "0"), ("road", "0"), ("meeples", "20")]),
    ];
    for (seats, set) in variants {
        let mut variant = meeple_carcassonne::Variant::default();
        set.iter().for_each(|(name, value)| variant.set(name, value).unwrap());
        let game = Carcassonne::new(variant, seats).unwrap();
        Laws::new(game).episodes(1).positions(4).agent_episodes(0).check();
    }
}

/// A policy vector has one entry for every id, whatever the preset and the number of seats.
#[test]
fn ids_are_few() {
    let largest = (2..=6).flat_map(|seats| {
        let bound = move |preset: &meeple_core::Preset| {
            let mut variant = meeple_carcassonne::Variant::default();
            preset.set.iter().for_each(|(name, value)| variant.set(name, value).unwrap());
            (preset.name, Carcassonne::new(variant, seats).unwrap().action_bound())
        };
        Carcassonne::definition().info.presets.iter().map(bound)
    });
    for (preset, bound) in largest {
        assert!((100..=meeple_core::MAX_IDS).contains(&bound), "{preset} has {bound} ids");
    }
}

/// In whole games, every legal action has a distinct id that leads back to it. The laws cover few positions,
/// and the longest lists come late.
#[test]
fn ids_lead_back_in_whole_games() {
    for (game, most) in [(game("towers", &[], 6), 100), (game("classic", &[], 2), 30)] {
        assert!(ids_lead_back(game, |_| None) > most);
    }
}

/// R5.2: after a tile is laid, nobody is asked a question with a single answer. Players ransom, close a tower
/// or raise it whenever possible, in this order. So soon all towers are closed and prisoners remain.
#[test]
fn questions_about_a_laid_tile_have_two_answers() {
    let set =
        [("farms", "off"), ("floors", "1,1,1,1,1"), ("meeples", "12"), ("point-limit", "0"), ("ransom", "0")];
    let game = game("towers", &set, 4);
    let rank = |action: &Action| match action {
        Action::Ransom(_) => 4,
        Action::Close(_) => 3,
        Action::Floor(_) => 2,
        Action::Take { .. } | Action::Claim(_) => 1,
        _ => 0,
    };
    let (mut ransoms, mut went_on) = (0, 0);
    for index in 0..60 {
        let mut streams = ChanceStreams::new(EpisodeSeed::new(25, index));
        let (mut state, mut rng) = (game.initial_state(), Stream::from_seed(index));
        let mut actions = Vec::new();
        while !matches!(game.phase(&state), Phase::Over) {
            let Phase::Decide(seats) = game.phase(&state) else {
                let chance = game.sample_chance(&state, &mut streams);
                game.apply_chance(&mut state, &chance, &mut NoEvents);
                continue;
            };
            let seat = seats.lowest().expect("somebody decides");
            actions.clear();
            game.legal_actions(&state, seat, &mut actions);
            if matches!(actions[0], Action::Place { .. } | Action::Discard { .. }) {
                actions.retain(|action| !matches!(action, Action::Ransom(_)));
            } else {
                assert!(actions.len() > 1, "episode {index}: {actions:?}");
                let best = actions.iter().map(rank).max();
                actions.retain(|action| Some(rank(action)) == best);
            }
            let action = actions[rng.index(actions.len())];
            game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
            let paid = matches!(action, Action::Ransom(_));
            ransoms += u32::from(paid);
            went_on += u32::from(paid && !game.phase(&state).owes(seat));
        }
    }
    assert!(went_on > 0, "{ransoms} ransoms were paid, after {went_on} the turn went on by itself");
}

#[test]
fn table_of_parameters() {
    meeple_testkit::rules_table::<Carcassonne>(concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md"));
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<Carcassonne>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<Carcassonne>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn fuzz() {
    meeple_testkit::fuzz::<Carcassonne>(|fuzz| fuzz.episodes(2));
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/reference/encodings.md");
    meeple_testkit::encodings::<Carcassonne>(format!("{manifest}/encodings"), table);
}

/// All seats are equivalent apart from chance.
#[test]
fn encodings_turn_with_the_seats() {
    let turned = SeatRotation::<Carcassonne> {
        chance: |chance, seats| match *chance {
            Chance::Order(mut order) => {
                order.items_mut().iter_mut().for_each(|seat| *seat = (*seat + 1) % seats as u8);
                Chance::Order(order)
            }
            tile @ Chance::Draw(_) => tile,
        },
        action: |action, seats| match *action {
            Action::Ransom(seat) => Action::Ransom(seat.next(seats)),
            other => other,
        },
    };
    for (seed, preset) in (0..).zip(Carcassonne::definition().info.presets) {
        let mut variant = Variant::default();
        for (name, value) in preset.set {
            variant.set(name, value).unwrap();
        }
        // First hands are dealt seat by seat; without them nothing depends on seat numbers.
        variant.hand = 1;
        let game = Carcassonne::new(variant, 3).unwrap();
        turned_encodings(&game, Encoding::of_game(), &turned, seed).unwrap();
    }
}
