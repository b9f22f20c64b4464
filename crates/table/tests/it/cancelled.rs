//! A decision that is cancelled comes at once, and is one that the rules allow.

use meeple_core::{AgentSpec, CancelToken, EpisodeSeed};
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
