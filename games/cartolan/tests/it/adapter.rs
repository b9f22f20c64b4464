//! Recognition of the original's Python bots.

use meeple_cartolan::Cartolan;
use meeple_core::Defined as _;

#[test]
fn bots_of_the_original_are_recognised() {
    let recognises = Cartolan::definition().adapters[0].recognises;
    for (text, expected, comment) in [
        ("class Mine:\n    def continue_move(self, adventurer):\n", true, "a class with a hook"),
        ("class Mine:\n\tdef check_rest(self, agent):\n", true, "another one, behind a tab"),
        ("def check_rest(agent):\n", false, "a function of that name at top level"),
        ("class Mine:\n    def check_resting(self):\n", false, "the name goes on"),
        ("class Mine:\n    def check(self):\n", false, "no hook"),
        ("from players_heuristical import PlayerRegularExplorer\n", true, "a module of the original"),
        ("import cartolan.players.heuristical as h\n", true, "its package"),
        ("", false, "an empty file"),
    ] {
        assert_eq!(recognises(text), expected, "{comment}: {text}");
    }
}

/// Python looks up a class's hooks at run time, and Rust searches for them in its text.
#[test]
fn every_hook_marks_a_player() {
    let adapter = &Cartolan::definition().adapters[0];
    let python = adapter.files[0].1;
    // All requests of the adapter to a player, by name.
    let is_name = |text: &&str| {
        let begins = text.starts_with("check_") || text.starts_with("continue_");
        begins && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let names: Vec<&str> = python.split('"').filter(is_name).collect();
    assert!(names.len() > 15, "they are listed and asked for: {names:?}");
    for name in names {
        let class = format!("class Mine:\n    def {name}(self):\n");
        assert!((adapter.recognises)(&class), "{name}");
    }
}
