//! The agents find the good actions.

use std::sync::Arc;

use meeple_agents::general;
use meeple_core::{
    Agent, AgentSpec, AskedSeat, Budget, Episode, EpisodeSeed, Game, Playable, Playouts, Position, Seat,
    Seating, Turn, build_agents,
};
use meeple_testkit::toys::{Hands, Nim, NimVariant, Posts, Take};

fn agents<G: Playable>(game: &G, line_up: &[&str]) -> Vec<Box<dyn Agent<G>>> {
    let line_up: Vec<AgentSpec> = line_up.iter().map(|text| AgentSpec::parse(text)).collect();
    build_agents(game, &general(), &line_up).unwrap()
}

/// The agent's actions in Nim with this many sticks, from several seeds.
fn answers(agent: &str, sticks: u8) -> Vec<Take> {
    let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
    let state = nim.initial_state();
    let seat = Seat::new(0);
    let answer = |seed: u64| {
        let mut asked = AskedSeat::new(EpisodeSeed::new(seed, 0), seat);
        agents(&nim, &[agent])[0].act(Turn::new(&Position::new(&nim, &state), &mut asked))
    };
    (0..10).map(answer).collect()
}

/// Mean share of the win and mean score of player 0.
fn play<G: Playable>(game: &G, line_up: &[&str], episodes: u64) -> (f64, f64) {
    let mut playouts = Playouts::new(game, agents(game, line_up));
    let (mut wins, mut score) = (0.0, 0.0);
    for index in 0..episodes {
        let report = playouts.play(11, Seating::Rotate, index);
        let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
        wins += report.outcome.win_share(Seat::new(seat));
        score += report.outcome.scores[seat] as f64;
    }
    (wins / episodes as f64, score / episodes as f64)
}

#[test]
fn greedy_takes_the_last_sticks() {
    assert_eq!(answers("greedy", 3), [Take(3); 10]);
    assert_eq!(answers("greedy", 2), [Take(2); 10]);
}

#[test]
fn greedy_draws_among_equals() {
    let answers = answers("greedy", 12);
    assert!(answers.iter().any(|answer| *answer != answers[0]), "{answers:?}");
}

/// Under random play the mover wins with probability 1, 1/2, 1/2, 1/3 from 1, 2, 3, 4 sticks. From five
/// sticks, taking one is therefore worth 2/3, and taking two or three 1/2. With 1,000 playouts each, these
/// values are more than seven standard errors apart.
#[test]
fn flat_leaves_four_sticks() {
    assert_eq!(answers("flat:playouts=3000", 5), [Take(1); 10]);
    assert_eq!(answers("flat:playouts=300", 3), [Take(3); 10]);
}

#[test]
fn flat_beats_random_at_nim() {
    let nim = Nim::new(NimVariant { sticks: 11, most: 3 }, 2).unwrap();
    let (wins, _) = play(&nim, &["flat:playouts=300", "random"], 200);
    assert!(wins > 0.85, "won {wins} of 200; the standard error is below 0.036");
}

#[test]
fn flat_and_greedy_beat_random_at_hidden_cards() {
    let hands = Hands::new(Default::default(), 3).unwrap();
    let (_, random) = play(&hands, &["random", "random", "random"], 2_000);
    for agent in ["greedy:worlds=20", "flat:playouts=100,goal=score", "flat:playouts=100"] {
        let (_, score) = play(&hands, &[agent, "random", "random"], 300);
        assert!(score > random + 0.3, "{agent} scored {score}, random {random}");
    }
}

#[test]
fn agents_play_structured_actions() {
    let posts = Posts::new(Default::default(), 2).unwrap();
    let (wins, _) = play(&posts, &["flat:playouts=200", "random"], 200);
    assert!(wins > 0.55, "won {wins} of 200");
}

#[test]
fn a_budget_is_kept_and_tells_how_to_repeat_it() {
    let nim = Arc::new(Nim::new(NimVariant { sticks: 9, most: 3 }, 2).unwrap());
    let seat = Seat::new(0);
    let ask = |budget: Budget| {
        let mut episode = Episode::new(Arc::clone(&nim), EpisodeSeed::new(5, 0));
        episode.analyse(seat, agents(&*nim, &["flat:playouts=60"])[0].as_mut(), budget)
    };
    let (_, own) = ask(Budget::Own);
    assert_eq!(own.iterations, 60, "20 for each of three actions");
    let (few, analysis) = ask(Budget::Iterations(7));
    assert_eq!(analysis.iterations, 9, "whole rounds over three actions");
    assert!(
        analysis.actions.iter().all(|tried| tried.visits == 3 && tried.value.abs() <= 1.0),
        "{analysis:?}"
    );
    let best = analysis.actions.iter().map(|tried| tried.value).fold(f64::MIN, f64::max);
    let chosen = analysis.actions.iter().find(|tried| tried.action == few).unwrap();
    assert_eq!(chosen.value, best);
    assert_eq!(ask(Budget::Iterations(9)), (few, analysis), "what was used gives the same again");
    // Expired time still allows one round of iterations.
    let (hurried, analysis) = ask(Budget::Until(Arc::new(true.into())));
    assert_eq!(analysis.iterations, 3);
    assert_eq!(ask(Budget::Iterations(analysis.iterations)), (hurried, analysis));
}

#[test]
fn nobody_pays_for_an_analysis_that_nobody_asks_for() {
    let nim = Nim::new(NimVariant { sticks: 9, most: 3 }, 2).unwrap();
    let state = nim.initial_state();
    let mut asked = AskedSeat::new(EpisodeSeed::new(5, 0), Seat::new(0));
    agents(&nim, &["flat:playouts=60"])[0].act(Turn::new(&Position::new(&nim, &state), &mut asked));
    assert_eq!(asked.take_analysis(), None);
}
