//! The merchant's caches equal recomputed data.

use meeple_cartolan::{Cartolan, forgetful_merchant};
use meeple_core::{
    AgentSpec, AskedSeat, ChanceStreams, Defined as _, EpisodeSeed, Game, NoEvents, Phase, Playouts,
    Position, Seat, Seating, Turn, build_agents,
};

use crate::table::variant;

/// Plays a game and asks, for every decision, a merchant with caches and one without. Their answers must be
/// equal. If `plays` is `random`, a random player makes every third decision. Returns the number of
/// decisions.
fn compare(
    preset: &str,
    seats: usize,
    settings: &[(&str, &str)],
    merchant: &str,
    plays: &str,
    seed: u64,
) -> u64 {
    let game = Cartolan::new(variant(preset, settings), seats).unwrap();
    let others = meeple_agents::general().into_iter().chain([forgetful_merchant()]);
    let known: Vec<_> = Cartolan::definition().agents.into_iter().chain(others).collect();
    let seat_of = |name: &str| vec![AgentSpec::parse(name); seats];
    let mut kept = build_agents(&game, &known, &seat_of(&format!("merchant{merchant}"))).unwrap();
    let mut fresh = build_agents(&game, &known, &seat_of(&format!("forgetful{merchant}"))).unwrap();
    let mut others = build_agents(&game, &known, &seat_of(plays)).unwrap();
    let seed = EpisodeSeed::new(seed, 0);
    let mut asked: Vec<_> = Seat::all(seats).map(|seat| AskedSeat::new(seed, seat)).collect();
    for seat in Seat::all(seats) {
        for agents in [&mut kept, &mut fresh, &mut others] {
            agents[seat.index()].begin_episode(&game, seat);
        }
    }
    let mut chance = ChanceStreams::new(seed);
    let mut state = game.initial_state();
    let mut decisions = 0;
    loop {
        match game.phase(&state) {
            Phase::Over => return decisions,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(deciding) => {
                let seat = deciding.lowest().unwrap();
                let position = Position::new(&game, &state);
                let mut ask = |agents: &mut Vec<Box<dyn meeple_core::Agent<Cartolan>>>| {
                    agents[seat.index()].act(Turn::new(&position, &mut asked[seat.index()]))
                };
                let (found, again, other) = (ask(&mut kept), ask(&mut fresh), ask(&mut others));
                assert_eq!(
                    found, again,
                    "{preset} {seats} {settings:?} {merchant} {plays}: decision {decisions} of {seat}"
                );
                decisions += 1;
                // Random actions lead to positions that merchants never reach.
                let action = if plays == "random" && decisions % 3 == 0 { other } else { found };
                game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
            }
        }
    }
}

#[test]
fn kept_knowledge_equals_fresh_knowledge() {
    let budgetted = [("movement", "budgetted"), ("exploration", "continuous"), ("rounds", "40")];
    let unburdened = [
        ("unburdened_land_moves", "4"),
        ("unburdened_upwind_moves", "3"),
        ("start_adventurers", "2"),
        ("rounds", "40"),
    ];
    let city_in_pile = [("mythical", "in_land_pile"), ("start_adventurers", "3"), ("rounds", "40")];
    let mut decisions = 0;
    for preset in Cartolan::definition().info.presets {
        for (seats, merchant, plays, seed) in [
            (2, "", "merchant", 1),
            (4, "", "merchant", 2),
            (3, ":settle=4", "random", 3),
            (4, ":prize=1,settle=3", "random", 4),
        ] {
            decisions += compare(preset.name, seats, &[("rounds", "100")], merchant, plays, seed);
            decisions += compare(preset.name, seats, &budgetted, merchant, plays, seed);
            decisions += compare(preset.name, seats, &unburdened, merchant, plays, seed);
            if preset.name != "beginner" {
                decisions += compare(preset.name, seats, &city_in_pile, merchant, plays, seed);
            }
        }
    }
    assert!(decisions > 10_000, "only {decisions} decisions");
}

/// The same player can play one episode after another, in any order.
#[test]
fn nothing_is_kept_from_one_episode_to_the_next() {
    let game = Cartolan::new(variant("regular", &[("rounds", "50")]), 3).unwrap();
    let line_up = vec![AgentSpec::parse("merchant"); 3];
    let new = || Playouts::new(&game, build_agents(&game, &Cartolan::definition().agents, &line_up).unwrap());
    let mut used = new();
    for index in (0..9).rev() {
        let found = used.play(5, Seating::Rotate, index).decisions;
        let state = used.state().clone();
        let mut fresh = new();
        assert_eq!(fresh.play(5, Seating::Rotate, index).decisions, found);
        assert_eq!(*fresh.state(), state, "episode {index}");
    }
}
