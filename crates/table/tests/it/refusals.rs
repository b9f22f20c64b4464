//! Invalid requests are refused with a reason, and change nothing.

use meeple_core::{AgentSpec, AnyGame, EpisodeSeed};
use meeple_games::find_game;
use meeple_table::{Entry, Reply, Table};

use crate::{mixed, table};

fn game() -> Box<dyn AnyGame> {
    find_game("incan-gold").expect("it is registered").set_up(None, &[], 3).expect("three can play")
}

#[test]
fn reasons() {
    let game = game();
    let mut table = table(&*game, 2);
    let before = (table.record().to_vec(), table.frame(Some(0)));
    let check = |found: Result<(), meeple_table::Refused>, expected: &str| {
        let found = found.expect_err(expected).to_string();
        assert!(found.contains(expected), "expected '{expected}' in '{found}'");
    };
    check(table.act(0, 9, "a", Reply::Index(0)).map(drop), "question 9 of seat 0 is not open");
    check(table.act(0, 0, "a", Reply::Index(99)).map(drop), "found 99");
    check(table.act(0, 0, "a", Reply::Text("fly")).map(drop), "fly");
    check(table.act(1, 0, "a", Reply::Index(0)).map(drop), "nobody sits at seat 1");
    check(table.act(2, 0, "a", Reply::Index(0)).map(drop), "nobody sits at seat 2");
    check(table.act(7, 0, "a", Reply::Index(0)).map(drop), "expected a seat from 0 to 2, found 7");
    check(table.join(0, "Eve"), "seat 0 is taken");
    check(table.leave(1, &AgentSpec::parse("random")), "nobody sits at seat 1");
    check(table.leave(0, &AgentSpec::parse("nonesuch")), "nonesuch");
    assert_eq!((table.record().to_vec(), table.frame(Some(0))), before);
}

#[test]
fn a_record_that_does_not_fit_names_the_entry() {
    let game = game();
    let wrong = Entry::Decision { seat: 0, action: "fly".to_owned(), id: None };
    let joined = Entry::Seated { seat: 1, holder: meeple_table::Holder::Person { name: "Bob".into() } };
    let seed = EpisodeSeed::new(2, 0);
    let Err(broken) = Table::rebuild(&*game, seed, mixed(&*game), &[], &[joined, wrong]) else {
        panic!("no such action")
    };
    assert_eq!(broken.index, 1);
}
