//! The checks of the repository, run with all other tests.
#![allow(clippy::disallowed_methods, reason = "it runs the chores as people do")]

use std::process::Command;

/// Asserts that a chore succeeds, which means that it finds nothing wrong.
fn passes(chore: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(chore).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn who_may_know_whom() {
    passes(&["layering"]);
}

#[test]
fn tables_of_parameters_in_the_rules_texts() {
    passes(&["rules", "--check"]);
}

#[test]
fn dependencies_are_allowed() {
    passes(&["deny"]);
}

#[test]
fn wording_of_comments_and_names() {
    passes(&["words"]);
}
