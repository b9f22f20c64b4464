//! Every parameter at both ends of its domain, with every agent and number of players: nothing
//! panics, and every game ends.

use std::sync::Arc;

use meeple_core::{AgentSpec, Defined as _, Domain, Episode, EpisodeSeed, Params, build_agents};
use meeple_privateers::{Privateers, Variant};

const AGENTS: [&str; 6] = ["random", "trader", "pirate", "mixed", "coward", "admiral"];

/// Both ends of a domain, and values between.
fn values(domain: &Domain) -> Vec<String> {
    match domain {
        Domain::Int { min, max } => {
            let mut values = vec![*min, min + 1, min + (max - min) / 4, min + (max - min) / 2, *max];
            values.retain(|value| value <= max);
            values.dedup();
            values.iter().map(i64::to_string).collect()
        }
        Domain::Real { .. } => Vec::new(),
        Domain::Switch => vec!["on".into(), "off".into()],
        Domain::Choice(words) | Domain::ChoiceOrFile(words) => {
            words.iter().map(|word| (*word).to_owned()).collect()
        }
        Domain::IntList { min, max, fewest, .. } => {
            let all = |value: &i64| vec![value.to_string(); *fewest].join(",");
            let rising: Vec<String> = (0..*fewest as i64)
                .map(|index| (min + (max - min) * index / (*fewest as i64 - 1)).to_string())
                .collect();
            vec![all(min), all(&(min + (max - min) / 2)), all(max), rising.join(",")]
        }
        Domain::Text | Domain::File => Vec::new(),
    }
}

/// Plays checked games of a few rounds with every agent at all seats, and with all agents together.
/// Returns the number of games; set-up refuses contradictory variants.
fn play(name: &str, value: &str, base: &[(&str, &str)], tables: &[usize]) -> usize {
    let mut played = 0;
    for seats in tables {
        let mut variant = Variant::default();
        for (name, value) in base {
            variant.set(name, value).unwrap();
        }
        variant.set(name, value).unwrap_or_else(|error| panic!("{name}={value}: {error}"));
        if variant.max_rounds == 0 || variant.max_rounds > 6 {
            // The number of decisions is limited, so that no game runs on to a far cap.
            variant.max_decisions = variant.max_decisions.min(200 * *seats as u32);
        }
        let Ok(game) = Privateers::new(variant, *seats) else { continue };
        let game = Arc::new(game);
        let line_ups = AGENTS.map(|agent| vec![agent; *seats]);
        let mixed = (0..*seats).map(|seat| AGENTS[(seat + 2) % AGENTS.len()]).collect();
        for line_up in line_ups.into_iter().chain([mixed]) {
            let specs: Vec<AgentSpec> = line_up.iter().map(|name| AgentSpec::parse(name)).collect();
            let mut agents = build_agents(&*game, &Privateers::definition().agents, &specs).unwrap();
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(3, played as u64));
            episode
                .finish(&mut agents)
                .unwrap_or_else(|(seat, error)| panic!("{name}={value}, {line_up:?}, seat {seat}: {error}"));
            if let Some(fault) = game.find_fault(episode.state()) {
                panic!("{name}={value}, {line_up:?}: {fault}");
            }
            played += 1;
        }
    }
    played
}

#[test]
fn every_agent_plays_at_the_ends_of_every_parameter() {
    let mut played = 0;
    for spec in Variant::default().specs() {
        for value in values(&spec.domain) {
            let base = [("map", "pocket"), ("max_rounds", "6")];
            played += play(spec.name, &value, &base, &[1, 2, 5, 16]);
        }
    }
    assert!(played > 1_000, "{played}");
}

#[test]
fn expensive_winds_keep_ships_where_they_are() {
    for value in 3..=12 {
        let base = [("map", "pocket"), ("max_rounds", "25"), ("mode", "survival")];
        for name in ["cost_fickle", "cost_across", "cost_with"] {
            assert_eq!(play(name, &value.to_string(), &base, &[3]), 7);
        }
    }
}
