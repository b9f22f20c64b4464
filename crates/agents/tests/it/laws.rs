//! The agents keep the laws in every toy game: legal actions, nothing carried over, same seed same bytes.

use meeple_agents::general;
use meeple_core::{AgentSpec, Defined, Game, find_agent};
use meeple_testkit::toys::{Hands, Nim, Posts};
use meeple_testkit::{Laws, for_every_preset};

fn check<G: Defined>() {
    for_every_preset::<G>(|laws: Laws<G>| laws.agents(general()).episodes(2).positions(2).agent_episodes(2));
}

#[test]
fn hidden_simultaneous_game() {
    check::<Hands>();
}

#[test]
fn perfect_information_game() {
    check::<Nim>();
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
        let known = general::<Nim>();
        find_agent(nim.info(), &known, &spec)
            .and_then(|info| info.build(&nim, &spec))
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        message("flat:playouts=0"),
        "agent 'flat:playouts=0': playouts: expected a whole number from 1 to 1000000, found '0'"
    );
    assert!(message("flat:goal=glory").contains("expected one of win, score, found 'glory'"));
    assert!(message("greedy:world=3").contains("hint: did you mean 'worlds'?"));
    assert!(message("greed").contains("did you mean 'greedy'?"));
    assert!(message("random:0.5").contains("it takes no parameters"));
}
