//! Agents as hosts ask them that do not know the game.

use std::sync::Arc;

use meeple_core::{
    AgentSpec, AnyEntry as _, AnyGame, Budget, Driver, Due, Entry, EpisodeSeed, Question, Refusal, Rows, Seat,
};
use meeple_testkit::toys::Nim;

const FIRST: Seat = Seat::new(0);

fn nim() -> Box<dyn AnyGame> {
    let entry = Entry::<Nim>::new(meeple_agents::general());
    entry.set_up(None, &[("sticks".to_owned(), "9".to_owned())], 2).unwrap()
}

/// The questions that are open.
fn open(driver: &mut Driver) -> Vec<Question> {
    match driver.due() {
        Due::Decide(questions) => questions,
        Due::Chance | Due::Over => Vec::new(),
    }
}

#[test]
fn a_late_or_absent_agent_is_not_asked() {
    let mut driver = Driver::new(nim().episode(EpisodeSeed::new(1, 0)));
    driver.seat_agent(FIRST, &AgentSpec::parse("random")).unwrap();
    let [question] = open(&mut driver)[..] else { panic!("one seat owes a decision") };
    driver.ask_agent(question).unwrap();
    let (taken, drawn) = (driver.view().step_text(0), driver.fork().sample_action(FIRST));
    let late = Refusal::Stale { seat: FIRST, number: 0, open: None };
    assert_eq!(driver.ask_agent(question), Err(late.clone()));
    assert_eq!(driver.ask_agent_within(question, Budget::Own).unwrap_err(), late);
    assert_eq!(
        (driver.view().step_text(0), driver.fork().sample_action(FIRST)),
        (taken, drawn),
        "no draw is lost"
    );
    let [other] = open(&mut driver)[..] else { panic!("the other seat owes a decision") };
    assert_eq!(driver.ask_agent(other), Err(Refusal::NoAgent(Seat::new(1))));
}

#[test]
fn an_agent_is_given_a_budget_and_says_what_it_thinks() {
    let play = |budget: Budget| {
        let mut driver = Driver::new(nim().episode(EpisodeSeed::new(1, 0)));
        driver.seat_agent(FIRST, &AgentSpec::parse("flat:playouts=60")).unwrap();
        let [question] = open(&mut driver)[..] else { panic!("one seat owes a decision") };
        let analysis = driver.ask_agent_within(question, budget).unwrap();
        (driver.view().step_text(0), analysis)
    };
    let (taken, analysis) = play(Budget::Until(Arc::new(true.into())));
    assert_eq!(play(Budget::Iterations(analysis.iterations)), (taken.clone(), analysis.clone()));
    let best = analysis.actions.iter().max_by(|one, other| one.value.total_cmp(&other.value)).unwrap();
    assert_eq!(taken, format!("0 {}", best.action));
    assert!(play(Budget::Iterations(90)).1.iterations > analysis.iterations);
}

#[test]
fn a_batch_of_an_unknown_game_is_the_same() {
    let game = nim();
    let lane = |specs: [Option<&str>; 2]| specs.map(|spec| spec.map(AgentSpec::parse)).to_vec();
    let lanes = [lane([None, Some("random")]), lane([Some("random"), None])];
    let mut batch = game.batch(3, &lanes).unwrap();
    let (most, bound) = (batch.most_rows(), batch.action_bound());
    let (mut row_lanes, mut row_seats, mut masks) = (vec![0; most], vec![0; most], vec![0; most * bound]);
    let mut episodes = vec![0; most];
    let mut observations = vec![0.0; most * batch.observation_size()];
    for episode in 0..8 {
        let ended = loop {
            let (lanes, seats) = (row_lanes.as_mut_slice(), row_seats.as_mut_slice());
            let rows = Rows {
                lanes,
                episodes: &mut episodes,
                seats,
                masks: &mut masks,
                observations: &mut observations,
            };
            let count = batch.observe(rows).unwrap();
            assert_eq!(row_seats[..count], [0, 1], "only who has no agent is asked for");
            let ended = batch.step(&vec![0; count]).unwrap();
            if !ended.is_empty() {
                break ended;
            }
        };
        assert!(ended.iter().all(|ended| ended.episode >= episode / 2), "{ended:?}");
    }
    let refused = |lanes: &[Vec<Option<AgentSpec>>]| game.batch(3, lanes).err().unwrap().to_string();
    assert!(
        refused(&[lane([None, None]), lane([Some("random"), Some("random")])])
            .starts_with("lane 1: expected a seat")
    );
    assert!(refused(&[lane([None, Some("no-such-agent")])]).contains("no-such-agent"));
    assert_eq!(refused(&[vec![None]]), "the seats of a lane: expected 2 values, found 1");
}
