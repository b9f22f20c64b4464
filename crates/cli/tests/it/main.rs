//! The binary, as a user runs it.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod arena;
mod bad_input;
mod bots;
mod examples;
mod play;
mod secrets;
mod signals;
mod sim;
mod tools;

use assert_cmd::Command;

/// `meeple` with these words.
pub fn meeple(words: &str) -> Command {
    let mut command = Command::cargo_bin("meeple").expect("the binary is built with its tests");
    command.env("NO_COLOR", "1").args(words.split_whitespace());
    command
}

/// What `meeple` with these words prints; it must succeed.
pub fn stdout(words: &str) -> String {
    let output = meeple(words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "meeple {words}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What `meeple` with these words prints, as JSON.
pub fn json(words: &str) -> serde_json::Value {
    serde_json::from_str(&stdout(words)).unwrap()
}
