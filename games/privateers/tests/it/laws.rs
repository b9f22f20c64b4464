//! Laws that hold in every position: random episodes on the built-in and on generated maps.

use meeple_core::{ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, SeatSet, Stream, Viewer};
use meeple_privateers::{Action, Chance, Class, Heading, Privateers, Product, Stage, Wish, generate};

use crate::bench::{Count, game};

pub fn all_actions() -> Vec<Action> {
    let mut all = vec![Action::EndTurn, Action::Respawn, Action::Retire];
    all.extend(Heading::ALL.iter().copied().map(Action::Move));
    for make in [Action::Buy, Action::Sell, Action::Discard, Action::BuyMax, Action::SellAll] {
        all.extend(Product::ALL.iter().copied().map(make));
    }
    all.extend([Class::Galleon, Class::Frigate].map(Action::BuyShip));
    all.extend(Seat::all(meeple_privateers::MAX_SEATS).map(Action::Attack));
    all.sort();
    all
}

/// Plays one random episode and checks every position of it; returns its number of decisions.
pub fn check_episode(game: &Privateers, index: u64, decisions: usize) -> usize {
    let every = all_actions();
    let seed = EpisodeSeed::new(11, index);
    let mut streams = ChanceStreams::new(seed);
    let mut rng = Stream::from_seed(seed.bits());
    let mut state = game.initial_state();
    let (mut legal, mut count) = (Vec::new(), 0);
    while count < decisions {
        if let Some(fault) = game.find_fault(&state) {
            panic!("episode {index}, decision {count}: {fault}\n{state:?}");
        }
        let seats = match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => {
                let chance = game.sample_chance(&state, &mut streams);
                game.check_chance(&state, &chance).unwrap();
                assert_eq!(chance.to_string().parse::<Chance>(), Ok(chance));
                // Orders of the seats and prices of a product may be too many to list.
                let few = game.seats() <= 4 && game.map().ports() <= 4;
                let many = matches!(chance, Chance::Order(_) | Chance::Prices(..)) && !few;
                assert_eq!(game.chance_outcomes(&state).is_none(), many, "{chance}");
                if let Some(outcomes) = game.chance_outcomes(&state) {
                    let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
                    assert!((total - 1.0).abs() < 1e-9);
                    assert!(outcomes.iter().any(|(outcome, _)| *outcome == chance));
                }
                game.apply_chance(&mut state, &chance, &mut Count(0));
                continue;
            }
            Phase::Decide(seats) => seats,
        };
        assert_eq!(seats.len(), 1);
        let seat = seats.lowest().unwrap();
        legal.clear();
        game.legal_actions(&state, seat, &mut legal);
        assert!(!legal.is_empty() && legal.is_sorted() && legal.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(legal.windows(2).all(|pair| pair[0].id() < pair[1].id()), "ids in order: {legal:?}");
        assert!(legal.iter().all(|action| action.id() < game.action_bound()));
        let obs = game.observe(&state, Viewer::Everything);
        let is_veiled = obs.port(seat).is_some() || obs.stage() == Stage::Loot;
        assert!(legal != [Action::EndTurn] || is_veiled, "turns without a choice pass by themselves at sea");
        let before = state.clone();
        for action in &every {
            let listed = legal.contains(action);
            assert_eq!(game.check(&state, seat, action).is_ok(), listed, "{action} among {legal:?}");
            if !listed {
                assert!(game.apply(&mut state, seat, action, &mut NoEvents).is_err());
            }
        }
        assert_eq!(state, before, "refused actions change nothing");
        for other in SeatSet::first(game.seats()).filter(|other| *other != seat) {
            assert!(game.apply(&mut state, other, &legal[0], &mut NoEvents).is_err());
        }
        let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
        game.apply(&mut state, seat, &action, &mut Count(0)).unwrap();
        count += 1;
    }
    count
}

#[test]
fn random_episodes_on_the_built_in_maps() {
    for (map, seats) in [("pocket", 1), ("pocket", 3), ("peninsula", 5), ("archipelago", 16)] {
        for mode in ["infinite", "survival"] {
            let game = game(seats, &[("map", map), ("mode", mode), ("max_rounds", "30")]);
            for index in 0..3 {
                check_episode(&game, index, 1500);
            }
        }
    }
}

#[test]
fn random_episodes_with_every_option() {
    let sets: [&[(&str, &str)]; 6] = [
        &[("closing", "physical"), ("distance", "straight")],
        &[("ports_block", "off"), ("wind_name", "from"), ("ranges", "1,2,3"), ("closing", "physical")],
        &[("bulk", "off"), ("value_money", "off"), ("start_money", "3000")],
        &[("max_moves", "2"), ("half_points", "1"), ("cost_fickle", "3")],
        &[("target_value", "900"), ("start_money", "600"), ("start_cannons", "6")],
        &[("start_cannons", "0"), ("mounts", "0,1,2"), ("max_rolls", "3"), ("price_spread", "0")],
    ];
    for set in sets {
        let game = game(4, &[&[("map", "pocket"), ("max_rounds", "20")], set].concat());
        for index in 0..4 {
            check_episode(&game, index, 1200);
        }
    }
}

#[test]
fn random_episodes_on_generated_maps() {
    for seed in 0..12 {
        let wish = Wish { width: 10 + seed as usize, height: 22 - seed as usize, ports: 4, land: 25 };
        let map = generate(seed, &wish).unwrap().to_string();
        let game = game(4, &[("map", &map), ("max_rounds", "10")]);
        check_episode(&game, seed, 600);
    }
}

#[test]
fn every_turn_is_finite() {
    // The longest turn of random play stays far below the bound of moves, fights and trades.
    let game = game(3, &[("map", "pocket"), ("start_money", "5000"), ("max_rounds", "5")]);
    let (mut decisions, mut turns) = (0, 0);
    for index in 0..20 {
        decisions += check_episode(&game, index, 100_000);
        turns += 15;
    }
    assert!(decisions < turns * 200, "{decisions} decisions in {turns} turns");
}

#[test]
fn winds_and_deals_do_not_depend_on_what_players_do() {
    let game = game(3, &[("map", "pocket"), ("max_rounds", "12")]);
    let winds = |agent: u64| {
        let mut streams = ChanceStreams::new(EpisodeSeed::new(3, 4));
        let mut rng = Stream::from_seed(agent);
        let mut state = game.initial_state();
        let mut drawn = Vec::new();
        loop {
            match game.phase(&state) {
                Phase::Over => return drawn,
                Phase::Chance => {
                    let chance = game.sample_chance(&state, &mut streams);
                    if !matches!(chance, Chance::Roll(..)) && !format!("{state:?}").contains("stage: Place") {
                        drawn.push(chance.to_string());
                    }
                    game.apply_chance(&mut state, &chance, &mut NoEvents);
                }
                Phase::Decide(seats) => {
                    let seat = seats.lowest().unwrap();
                    let mut scratch = Vec::new();
                    let mut action = game.sample_action(&state, seat, &mut rng, &mut scratch);
                    if action == Action::Retire {
                        // Seats respawn instead, because a seat that retires has no more turns, and only the
                        // winds of turns are compared.
                        action = Action::Respawn;
                    }
                    game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                }
            }
        }
    };
    assert_eq!(winds(1), winds(2));
}

#[test]
fn laws() {
    // Episodes are thousands of steps long. The first of each table is sampled as if it had forty,
    // so one position requested is hundreds inspected.
    meeple_testkit::for_every_preset::<Privateers>(|laws| laws.episodes(1).positions(1).agent_episodes(1));
}

/// The laws on all maps, in short games; `examples/generated_maps.rs` checks them on 200 generated maps.
#[test]
fn laws_on_built_in_and_generated_maps() {
    let mut maps: Vec<String> =
        meeple_privateers::BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
    for seed in 0..4 {
        let wish = Wish { width: 9 + 11 * seed as usize, height: 30 - 6 * seed as usize, ports: 4, land: 20 };
        maps.push(generate(seed, &wish).unwrap().to_string());
    }
    for map in maps {
        for mode in ["infinite", "survival"] {
            let game = game(3, &[("map", &map), ("mode", mode), ("max_rounds", "5")]);
            meeple_testkit::Laws::new(game).episodes(2).positions(2).agent_episodes(0).check();
        }
    }
}

#[test]
fn playthroughs() {
    meeple_testkit::playthroughs::<Privateers>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
}

#[test]
fn signature() {
    meeple_testkit::signature::<Privateers>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
}

#[test]
fn table_of_parameters() {
    meeple_testkit::parameters::rules_table::<Privateers>(concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md"));
}

#[test]
fn fuzz() {
    let maps: Vec<&str> = meeple_privateers::BUILT_IN.iter().map(|(name, _)| *name).collect();
    meeple_testkit::fuzz::<Privateers>(|fuzz| {
        fuzz.short(&[("max_rounds", "8")])
            .texts("map", &maps)
            // The tests in `extremes` play these agents with dearer fickle winds.
            .agent_if("coward", |variant| variant.cost_fickle <= 2)
            .agent_if("admiral", |variant| variant.cost_fickle <= 2)
    });
}

#[test]
fn encodings() {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let table = format!("{manifest}/../../docs/reference/encodings.md");
    meeple_testkit::encodings::<Privateers>(format!("{manifest}/encodings"), table);
}
