//! Recognition of the original's Python bots.

use meeple_carcassonne::Carcassonne;
use meeple_core::Defined as _;

#[test]
fn bots_of_the_original_are_recognised() {
    let recognises = Carcassonne::definition().adapters[0].recognises;
    for (text, expected, comment) in [
        ("from helper.game import Game\n", true, "as in its examples"),
        ("import helper.game\n", true, "the module itself"),
        ("from helper import game\n", true, "the module out of its package"),
        ("def main():\n    from helper.game import Game\n", true, "wherever it stands"),
        ("import helper\nimport helper.utils\n", false, "another module of the package"),
        ("# from helper.game import Game\n", false, "a comment"),
        ("", false, "an empty file"),
    ] {
        assert_eq!(recognises(text), expected, "{comment}: {text}");
    }
}
