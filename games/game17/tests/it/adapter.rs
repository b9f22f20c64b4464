//! Recognition of the original's Python bots.

use meeple_core::Defined as _;
use meeple_game17::Game17;

#[test]
fn bots_of_the_original_are_recognised() {
    let recognises = Game17::definition().adapters[0].recognises;
    for (text, expected, comment) in [
        ("def make_moves(owner, rounds_left, owners, numbers):\n    return []\n", true, "a basic bot"),
        ("import numpy as np\ndef get_mover(owner, *rest):\n", true, "an advanced bot"),
        ("from zombies import make_moves as zombie\n", true, "imported, whatever it is called here"),
        ("from mine import (\n    make_moves)\n", false, "not on the line that imports"),
        ("make_moves = better\n", true, "a variable"),
        ("print(make_moves)\n", false, "only used"),
        ("class Bot:\n    def make_moves(self):\n", false, "not at top level"),
        ("def make_moves_later():\n", false, "the name goes on"),
        ("# def make_moves\nimport make\n", false, "words of it"),
        ("", false, "an empty file"),
    ] {
        assert_eq!(recognises(text), expected, "{comment}: {text}");
    }
}
