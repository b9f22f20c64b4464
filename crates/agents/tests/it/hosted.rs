//! Agents through the type-erased interface of hosts.

use std::sync::Arc;

use meeple_core::{
    AgentSpec, AnyEntry as _, AnyGame, Budget, Defined as _, Driver, Due, EpisodeSeed, GameEntry, Question,
    Refusal, Rows, Seat,
};
use meeple_testkit::toys::Nim;

const FIRST: Seat = Seat::new(0);

fn nim() -> Box<dyn AnyGame> {
    let entry = GameEntry::new(Nim::definition(), meeple_agents::general());
    entry.set_up(None, &[("sticks".to_owned(), "9".to_owned())], 2).unwrap()
}

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

/// Time is a budget: the replay holds the iterations used, and they reproduce the decisions.
#[test]
fn iterations_of_budgets_are_in_the_replay() {
    let mut driver = Driver::new(nim().episode(EpisodeSeed::new(1, 0)));
    for (seat, spec) in [(0, "flat:playouts=60"), (1, "random")] {
        driver.seat_agent(Seat::new(seat), &AgentSpec::parse(spec)).unwrap();
    }
    for decided in 0.. {
        let [question] = open(&mut driver)[..] else { break };
        match decided {
            // The agent's own parameters need no record.
            0 => driver.ask_agent_within(question, Budget::Own).map(drop).unwrap(),
            _ => driver.ask_agent_within(question, Budget::Until(Arc::new(true.into()))).map(drop).unwrap(),
        }
    }
    let seed = EpisodeSeed::new(1, 0);
    let replay = driver.replay(&["flat:playouts=60".into(), "random".into()], Some(seed));
    let thought: Vec<usize> = replay.iterations.keys().copied().collect();
    let own: Vec<usize> =
        (2..replay.steps.len()).filter(|step| replay.steps[*step].starts_with("0 ")).collect();
    // Random agents count no iterations, and forced decisions take none.
    assert!(!thought.is_empty() && thought.iter().all(|step| own.contains(step)), "{replay:?}");
    assert_eq!(meeple_core::Replay::parse(&replay.to_text()).unwrap(), replay);

    let mut again = nim().episode(seed);
    again.seat_agent(FIRST, &AgentSpec::parse("flat:playouts=60")).unwrap();
    for (number, step) in replay.steps.iter().enumerate() {
        let (seat, action) = step.split_once(' ').unwrap();
        if seat == "0" {
            let budget =
                replay.iterations.get(&number).map_or(Budget::Own, |count| Budget::Iterations(*count));
            let (decided, _) = again.analyse(FIRST, budget, None).unwrap().unwrap();
            assert_eq!(decided, action, "step {number}");
        }
        again.act(seat.parse().unwrap(), action).unwrap();
    }
}

#[test]
fn an_action_that_is_asked_about_is_judged_and_changes_nothing() {
    let mut episode = nim().episode(EpisodeSeed::new(1, 0));
    assert_eq!(episode.analyse(FIRST, Budget::Own, None), None, "nobody sits there");
    episode.seat_agent(FIRST, &AgentSpec::parse("flat:playouts=60")).unwrap();
    let fork = |about: Option<&str>| {
        let mut fork = episode.fork();
        fork.seat_agent(FIRST, &AgentSpec::parse("flat:playouts=60")).unwrap();
        let asked = fork.analyse(FIRST, Budget::Own, about).unwrap();
        (asked, fork.sample_action(FIRST))
    };
    let (plain, next) = fork(None);
    let (choice, analysis) = plain.unwrap();
    for about in ["take 1", "take 2", "take 3"] {
        let (asked, next_now) = fork(Some(about));
        let (choice_now, reported) = asked.unwrap();
        assert_eq!((&choice_now, next_now), (&choice, next.clone()), "{about}");
        assert_eq!(reported.actions.len(), analysis.actions.len());
        let judged = reported.of(&about.to_owned()).unwrap();
        assert!(judged.error.unwrap() < 0.5 && judged.value.abs() <= 1.0, "{judged:?}");
    }
    assert!(fork(Some("take 4")).0.is_err(), "it is illegal");
    assert!(fork(Some("sing")).0.is_err(), "it is no action");
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
