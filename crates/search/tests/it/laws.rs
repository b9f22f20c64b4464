//! The laws of agents at every toy game: legal actions, nothing carried over, same seed same bytes; and
//! refusals.

use meeple_core::{AgentSpec, Defined, Game, find_agent};
use meeple_search::agents;
use meeple_testkit::toys::{Goofspiel, Hands, Lines, Nim, Pig, Poker, Posts};
use meeple_testkit::{Laws, for_every_preset};

fn check<G: Defined>() {
    for_every_preset::<G>(|laws: Laws<G>| {
        laws.agents(agents(&G::definition())).episodes(2).positions(2).agent_episodes(1)
    });
}

#[test]
fn hidden_simultaneous_game() {
    check::<Hands>();
}

#[test]
fn hidden_cards_and_bets() {
    check::<Poker>();
}

#[test]
fn perfect_information_games() {
    check::<Nim>();
    check::<Lines>();
}

#[test]
fn games_of_chance_and_of_bids() {
    check::<Pig>();
    check::<Goofspiel>();
}

#[test]
fn structured_actions() {
    check::<Posts>();
}

#[test]
fn wrong_settings_are_refused_with_the_range() {
    let nim = Nim::new(Default::default(), 2).unwrap();
    let message = |text: &str| {
        let spec = AgentSpec::parse(text);
        let known = agents(&Nim::definition());
        find_agent(nim.info(), &known, &spec)
            .and_then(|info| info.build(&nim, &spec))
            .err()
            .unwrap()
            .to_string()
    };
    for (spec, expected) in [
        ("mcts:iterations=0", "iterations: expected a whole number from 1 to 100000000, found '0'"),
        ("mcts:100000001", "iterations: expected a whole number from 1 to 100000000, found '100000001'"),
        ("mcts:trees=0", "trees: expected a whole number from 1 to 64, found '0'"),
        ("mcts:trees=65", "trees: expected a whole number from 1 to 64, found '65'"),
        ("mcts:entries=0", "entries: expected a whole number from 1 to 100000000, found '0'"),
        ("mcts:c=-0.1", "c: expected a number from 0 to 10, found '-0.1'"),
        ("mcts:margin=1.5", "margin: expected a number from 0 to 1, found '1.5'"),
        ("mcts:tree=paranoia", "expected one of maxn, paranoid, self, multi, found 'paranoia'"),
        ("mcts:itteration=3", "hint: did you mean 'iterations'?"),
        ("mcts:rollout=greedy", "or 'any' for any legal action"),
    ] {
        let found = message(spec);
        assert!(found.contains(expected), "{spec}: {found}");
    }
}
