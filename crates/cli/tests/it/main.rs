//! The binary, as a user runs it.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod analyse;
mod arena;
mod bad_input;
mod balance;
mod bots;
mod docs;
mod examples;
mod files;
mod gate;
mod guides;
mod kept;
mod learn;
#[cfg(feature = "load")]
mod load;
mod memory;
mod new_game;
mod odd_bots;
mod onnx;
mod packaging;
mod play;
mod pty;
mod repeat;
mod secrets;
mod shard;
mod signals;
mod sim;
mod simulator;
mod solve;
mod stored;
mod streams;
mod terminal;
mod tools;

use assert_cmd::Command;

/// `meeple` with these words.
pub fn meeple(words: &str) -> Command {
    let mut command = Command::cargo_bin("meeple").expect("the binary is built with its tests");
    command.env("NO_COLOR", "1").args(words.split_whitespace());
    command
}

/// Stdout of `meeple` with these words; it must succeed.
pub fn stdout(words: &str) -> String {
    let output = meeple(words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "meeple {words}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Stdout of `meeple` with these words, as JSON.
pub fn json(words: &str) -> serde_json::Value {
    serde_json::from_str(&stdout(words)).unwrap()
}

/// True if Python is installed. Otherwise prints a note; in continuous integration fails instead.
pub fn has_python() -> bool {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join("python3").is_file());
    if !found {
        let everything = std::env::var("CI").is_ok_and(|value| !["", "0", "false"].contains(&&*value));
        assert!(!everything, "python3 is not on PATH (scripts/test-tools installs it)");
        // The note goes straight to stderr, because the test harness would hide it.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"SKIPPED: python3 is not on PATH\n");
    }
    found
}
