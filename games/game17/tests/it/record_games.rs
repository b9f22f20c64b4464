//! Records of played games: each is parsed back and passes the check.

use meeple_core::{AgentSpec, Defined as _, Episode, EpisodeSeed, Game, Phase, build_agents};
use meeple_game17::{Game17, Record};

use crate::table::game;

/// A finished game: this line-up, zombies on all other seats.
fn played(set: &[(&str, &str)], players: &[&str], seed: u64) -> Episode<Game17> {
    let game = game(set);
    let mut line_up: Vec<AgentSpec> = players.iter().map(|player| AgentSpec::parse(player)).collect();
    line_up.truncate(game.seats());
    line_up.resize(game.seats(), AgentSpec::parse("zombie"));
    let mut agents = build_agents(&game, &Game17::definition().agents, &line_up).unwrap();
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(seed, 0));
    episode.finish(&mut agents).unwrap();
    episode
}

/// A finished game of random legal moves.
fn random(set: &[(&str, &str)], seed: u64) -> Episode<Game17> {
    let mut episode = Episode::new(game(set).into(), EpisodeSeed::new(seed, 0));
    loop {
        match episode.phase() {
            Phase::Chance => episode.settle_chance(),
            Phase::Over => return episode,
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                let action = episode.sample_action(seat);
                episode.act(seat, &action).unwrap();
            }
        }
    }
}

fn check(set: &[(&str, &str)], players: &[&str], seed: u64) {
    check_record(&played(set, players, seed), &format!("{set:?} {players:?}, seed {seed}"));
}

/// Exports the game and imports the text; fails with the turn that is refused.
fn check_record(episode: &Episode<Game17>, what: &str) {
    let record = Record::from_events(episode.events().entries().iter().map(|(_, event)| event)).unwrap();
    let read = Record::parse(&record.to_text()).unwrap();
    let taken = read.check().map(|summary| summary.turns);
    assert_eq!(taken, Ok(record.turns().len()), "{what}");
}

#[test]
fn games_of_hunter_against_t800() {
    // Two stronger agents collect more and more pieces on squares that are left and refilled in the same
    // turn.
    for seed in 0..20 {
        check(&[("rounds", "30")], &["hunter", "t800"], seed);
    }
}

#[test]
fn games_of_all_sizes() {
    for size in 1..=12 {
        let text = size.to_string();
        for (seed, players) in [
            ["hunter", "t800", "hunter"].as_slice(),
            &["hunter"; 200],
            &["t800", "zombie", "still", "hunter"],
            &[],
        ]
        .into_iter()
        .enumerate()
        {
            for repeat in 0..3 {
                check(&[("size", &text)], players, 100 * size + 10 * seed as u64 + repeat);
            }
        }
    }
}

#[test]
fn games_with_other_pieces_and_of_moves_at_random() {
    for (seed, pieces) in (0..).zip(["1", "2", "9", "100"]) {
        let set = [("size", "6"), ("pieces", pieces)];
        check(&set, &["hunter", "t800", "hunter"], seed);
        for size in ["1", "2", "3", "7"] {
            let set = [("size", size), ("pieces", pieces)];
            check_record(&random(&set, seed), &format!("{set:?} at random, seed {seed}"));
        }
    }
}
