//! Which Python files are bots of the original.

use meeple_cartolan::Cartolan;
use meeple_core::Playable;

#[test]
fn bots_of_the_original_are_recognised() {
    let recognises = Cartolan::adapters()[0].recognises;
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
