//! Output without a reader: messages on stderr are lost, and requested output gives an error. Neither is a
//! crash.

use std::fs::File;
use std::process::{Output, Stdio};

use assert_cmd::cargo::cargo_bin;

/// Runs the program with these words and these two streams; stdin is empty.
fn run(words: &str, out: Stdio, errors: Stdio) -> Output {
    let mut command = std::process::Command::new(cargo_bin("meeple"));
    command.env("NO_COLOR", "1").args(words.split_whitespace()).stdin(Stdio::null());
    command.stdout(out).stderr(errors).spawn().unwrap().wait_with_output().unwrap()
}

/// A full disk.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// A pipe whose reader has gone.
fn closed() -> Stdio {
    let (_, writer) = std::io::pipe().unwrap();
    writer.into()
}

/// Commands that write to stderr.
const SAYING: &[&str] = &[
    "sim nosuch",
    "nosuch",
    "sim incan-gold turn:7 -n 5 -v --no-times --json",
    "sim incan-gold turn:7 turn:8 turn:9 -n 5 --json --no-times --out OUT/run",
    "sweep incan-gold turn:7..8 -n 5 -v --json --no-times",
    "match incan-gold turn:7 -n 2 --seed 3 --json",
    "match incan-gold turn:7 turn:8 -n 2 --json --seed 3 --out OUT",
    "play incan-gold human turn:7 --seed 4",
    "play incan-gold turn:7 turn:8 --seed 4 --save OUT/game.json",
    "render OUT/game.json -o OUT/game.svg",
    "man --out OUT",
];

#[test]
fn what_cannot_be_said_changes_nothing_else() {
    for words in SAYING {
        // Each run has a folder of its own, with the replay that `render` needs.
        let in_folder = |errors: Stdio| {
            let folder = tempfile::tempdir().unwrap();
            let shown = folder.path().to_str().unwrap();
            if words.starts_with("render") {
                let replay = format!("play incan-gold turn:7 turn:8 --save {shown}/game.json");
                assert!(run(&replay, Stdio::null(), Stdio::null()).status.success());
            }
            run(&words.replace("OUT", shown), Stdio::piped(), errors)
        };
        let heard = in_folder(Stdio::piped());
        assert!(!heard.stderr.is_empty(), "meeple {words} says something");
        for (why, errors) in [("full", full()), ("closed", closed())] {
            let unheard = in_folder(errors);
            assert_eq!(unheard.status.code(), heard.status.code(), "meeple {words} with stderr {why}");
            assert_eq!(unheard.stdout, heard.stdout, "meeple {words} with stderr {why}");
        }
    }
}

/// Commands that write to stdout.
const PRINTING: &[&str] = &[
    "--help",
    "sim --help",
    "help exact",
    "exact --help",
    "--version",
    "games",
    "games incan-gold --json",
    "agents incan-gold",
    "rules incan-gold",
    "guide incan-gold",
    "sim incan-gold turn:7 -n 5 -q",
    "sweep incan-gold turn:7..8 -n 5 -q",
    "match incan-gold turn:7 turn:8 -n 2 -q --seed 3",
    "exact incan-gold solo turn:7",
    "play incan-gold turn:7 turn:8",
    "play incan-gold turn:7 turn:8 --level totals -n 2",
    "completions bash",
    "man",
    "doctor",
];

#[test]
fn what_was_asked_for_and_cannot_be_printed_is_an_error() {
    for words in PRINTING {
        let output = run(words, full(), Stdio::piped());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "meeple {words}\n{errors}");
        assert!(errors.contains("No space left on device"), "meeple {words}\n{errors}");
        assert!(!errors.contains("panicked"), "meeple {words}\n{errors}");
    }
}

#[test]
fn a_reader_that_has_gone_ends_every_verb_quietly_and_without_success() {
    for words in PRINTING {
        let output = run(words, closed(), Stdio::piped());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "meeple {words}\n{errors}");
        assert!(!errors.contains("pipe") && !errors.contains("panicked"), "meeple {words}\n{errors}");
    }
}

#[test]
fn no_output_steers_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let printed = |words: &[&str]| {
        let mut command = std::process::Command::new(cargo_bin("meeple"));
        let output = command.current_dir(&folder).args(words).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let saved = printed(&["play", "incan-gold", "turn:7", "--save", "a\x1b[2J.json"]);
    let drawn = printed(&["render", "a\x1b[2J.json", "-o", "b\x1b]0;x\x07.svg"]);
    let played = printed(&["sim", "incan-gold", "turn:7", "-n", "5", "--out", "c\x1bc", "-v"]);
    for errors in [saved, drawn, played] {
        assert!(errors.contains("wrote"), "{errors:?}");
        assert!(!errors.contains(['\x1b', '\x07']), "{errors:?}");
    }
}
