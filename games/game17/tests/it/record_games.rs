//! Whatever game is played, its record is read back and taken as one that can have happened.

use meeple_core::{AgentSpec, Episode, EpisodeSeed, Game, Playable, build_agents};
use meeple_game17::{Game17, Record};

use crate::table::game;

/// A finished game: this line-up, zombies on all other seats.
fn played(set: &[(&str, &str)], players: &[&str], seed: u64) -> Episode<Game17> {
    let game = game(set);
    let mut line_up: Vec<AgentSpec> = players.iter().map(|player| AgentSpec::parse(player)).collect();
    line_up.truncate(game.seats());
    line_up.resize(game.seats(), AgentSpec::parse("zombie"));
    let mut agents = build_agents(&game, &Game17::agents(), &line_up).unwrap();
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(seed, 0));
    episode.finish(&mut agents).unwrap();
    episode
}

/// Exports the game and imports the text; fails with the turn that is refused.
fn check(set: &[(&str, &str)], players: &[&str], seed: u64) {
    let episode = played(set, players, seed);
    let record = Record::from_events(episode.events().entries().iter().map(|(_, event)| event)).unwrap();
    let read = Record::parse(&record.to_text()).unwrap();
    let taken = read.check().map(|summary| summary.turns);
    assert_eq!(taken, Ok(record.turns().len()), "{set:?} {players:?}, seed {seed}");
}

#[test]
fn games_of_hunter_against_t800() {
    // Two that think keep more and more pieces on squares that are left and refilled in the same turn.
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
fn games_with_many_pieces_and_of_agents_that_move_at_random() {
    for (seed, pieces) in ["1", "2", "9", "100"].into_iter().enumerate() {
        check(&[("size", "6"), ("pieces", pieces)], &["random", "hunter", "random", "t800"], seed as u64);
    }
}
