//! Tests of the balance laboratory, on games with known answers.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod answers;
mod courses;
mod files;
mod hands;
mod refusals;
mod trials;

use meeple_balance::{Answers, Balance, BalanceOptions, PlayedTables, TablePayoff, answer, play};
use meeple_lab::{NoProgress, StopFlag};

const ALL: [&str; 3] = ["throws:rock", "throws:paper", "throws:scissors"];

fn options() -> BalanceOptions {
    BalanceOptions { seats: 2, episodes: 600, seed: 1, pay_off: TablePayoff::Win, threads: 2 }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn settings(set: &[(&str, &str)]) -> Vec<(String, String)> {
    set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn played(
    set: &[(&str, &str)],
    strategies: &[&str],
    options: &BalanceOptions,
) -> (Balance, PlayedTables, Answers) {
    let balance = Balance::new(&hands::entry(), None, &settings(set), &words(strategies), options).unwrap();
    let played = play(&balance, &mut NoProgress, &StopFlag::new()).unwrap().expect("nobody stops it");
    let answers = answer(&balance, &played).unwrap();
    (balance, played, answers)
}

fn asked(set: &[(&str, &str)], strategies: &[&str], options: &BalanceOptions) -> Answers {
    played(set, strategies, options).2
}

fn near(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() <= error, "expected {expected}, found {found}");
}
