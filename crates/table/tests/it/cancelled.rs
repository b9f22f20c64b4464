//! A decision that is cancelled comes at once, and is one that the rules allow.

use std::sync::mpsc;
use std::time::Duration;

use meeple_core::{AgentDoc, AgentSpec, CancelToken, Domain, EpisodeSeed};
use meeple_games::games;
use meeple_table::{Holder, Table};

use crate::late;

/// Agents of every game that would decide for hours.
const ENDLESS: [&str; 5] = [
    "mcts:iterations=100000000,entries=1000",
    "mcts:iterations=100000000,entries=1000,tree=multi,trees=2",
    "mcts:iterations=1,depth=1000000,epsilon=1,entries=1000",
    "flat:playouts=1000000",
    "greedy:worlds=1000,samples=10000",
];

#[test]
fn agents_that_would_think_for_ever_decide_when_they_are_cancelled() {
    for entry in games() {
        let info = entry.info();
        let named = info.demo.len().clamp(*info.seats.start(), *info.seats.end());
        let game = entry.set_up(Some(info.presets[0].name), &[], named).expect("a preset plays");
        let person = |seat| Holder::Person { name: format!("p{seat}").into() };
        let holders: Vec<_> = (0..game.seats()).map(person).collect();
        let mut table = Table::open(&*game, EpisodeSeed::new(7, 0), holders).expect("people play");
        let cancel = CancelToken::new();
        cancel.cancel();
        for agent in ENDLESS {
            // A game's own greedy has no worlds.
            if game.check_line_up(&[AgentSpec::parse(agent)]).is_err() {
                assert!(agent.starts_with("greedy"), "{}: {agent}", info.id);
                continue;
            }
            let seat = (0..game.seats()).find(|seat| table.question(*seat).is_some()).expect("one is asked");
            let agent = AgentSpec::parse(agent);
            let thought = table.stand_in(seat, &agent).expect("it is asked");
            let (question, action) = (thought.question(), thought.decide(&cancel).expect("it plays"));
            let opinion = table.stand_in(seat, &agent).expect("it is asked");
            opinion.analyse(Some(&action), &cancel).expect("it says what it thinks");
            let taken = table.take_stand_in(question, &action, &agent, late());
            taken.unwrap_or_else(|error| panic!("{agent}: {error}"));
        }
    }
}

/// Upper bound on trees of a search. After its cancellation a decision takes one iteration for each tree, or
/// for each action that it compares.
const MAX_TREES: u64 = 64;
/// Upper bound on waits for another thread.
const LIMIT: Duration = Duration::from_secs(120);

/// The agent with every whole number of its parameters at the maximum, except sizes of memory.
fn longest(agent: &AgentDoc) -> AgentSpec {
    let values = agent.params.iter().filter_map(|param| match param.domain {
        Domain::Int { .. } if param.name == "entries" => Some("entries=1000".to_owned()),
        Domain::Int { max, .. } => Some(format!("{}={max}", param.name)),
        _ => None,
    });
    let values: Vec<String> = values.collect();
    match values.is_empty() {
        true => AgentSpec::parse(agent.name),
        false => AgentSpec::parse(&format!("{}:{}", agent.name, values.join(","))),
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "an agent that never returns needs a thread of its own")]
fn every_registered_agent_answers_within_few_iterations_of_its_cancellation() {
    let mut asked = 0;
    for entry in games() {
        let info = entry.info();
        let named = info.demo.len().clamp(*info.seats.start(), *info.seats.end());
        let game = entry.set_up(Some(info.presets[0].name), &[], named).expect("a preset plays");
        let holders = (0..game.seats()).map(|_| Holder::Person { name: "Ann".into() }).collect();
        let table = Table::open(&*game, EpisodeSeed::new(7, 0), holders).expect("people play");
        let seat = (0..game.seats()).find(|seat| table.question(*seat).is_some()).expect("one is asked");
        for doc in entry.agents() {
            // Agents that need a file, such as `net` and `onnx`, are skipped.
            let specs = [AgentSpec::parse(doc.name), longest(&doc)];
            for agent in
                specs.into_iter().filter(|spec| game.check_line_up(std::slice::from_ref(spec)).is_ok())
            {
                let thoughts = [(); 2].map(|()| table.stand_in(seat, &agent).expect("it is asked"));
                let (sender, answers) = mpsc::channel();
                // A separate thread runs the agent, so that one that does not answer is reported by its name.
                std::thread::spawn(move || {
                    let cancel = CancelToken::new();
                    cancel.cancel();
                    let [decision, opinion] = thoughts;
                    let action = decision.decide(&cancel).expect("it plays");
                    let (_, analysis) = opinion.analyse(Some(&action), &cancel).expect("it plays");
                    // The receiver is gone only after the test has failed.
                    let _ = sender.send((analysis.iterations, analysis.actions.len() as u64));
                });
                let name = format!("{}: {agent}", info.id);
                let answer = answers.recv_timeout(LIMIT);
                let (iterations, compared) =
                    answer.unwrap_or_else(|_| panic!("{name}: no answer in {LIMIT:?}"));
                let bound = MAX_TREES.max(compared);
                assert!(iterations <= bound, "{name}: {iterations} iterations, expected at most {bound}");
                asked += 1;
            }
        }
    }
    assert!(asked > 60, "{asked} agents were asked");
}
