//! Recognition of the original's Python bots.

use meeple_core::Defined as _;
use meeple_incan_gold::IncanGold;

#[test]
fn bots_of_the_original_are_recognised() {
    let recognises = IncanGold::definition().adapters[0].recognises;
    for (text, expected, comment) in [
        ("def careful(name, turn, backpack):\n    return turn > 3\n", true, "a strategy"),
        ("def careful(turn, backpack):\n", true, "of the earlier form"),
        ("def careful(name: str, turn: int, backpack: int) -> bool:\n", true, "with types"),
        ("def careful(name, backpack, turn):\n", false, "in another order"),
        ("    def careful(name, turn, backpack):\n", true, "what a factory makes"),
        ("    def strat(self, turn, backpack):\n", true, "a method"),
        ("strat = lambda name, turn, backpack: turn > 3\n", true, "without a name"),
        ("strat = partial(lambda limit, turn, backpack: turn > limit, 3)\n", true, "filled in"),
        ("def careful(name, turn, backpack=0, verbose=False):\n", true, "with defaults"),
        (
            "def careful(\n    name: str,\n    turn: int,\n    backpack: int,\n) -> bool:\n",
            true,
            "over several lines",
        ),
        ("def careful(name, turn, backpack, /):\n", true, "by place alone"),
        ("def careful(name, turn, backpack=0, *, verbose=False):\n", true, "with more by name"),
        ("def careful(name, turn, backpack, *others, **more):\n", true, "whatever else is given"),
        ("def f(table: dict[str, int] = {}):\n    pass\ndef g(turn, backpack):\n", true, "the second one"),
        ("def careful(name, turn, backpack, *, tent):\n", false, "with more to be told by name"),
        ("def careful(name, turn, backpack, tent):\n", false, "with more to be told"),
        ("strategy = make(3)\n", true, "a variable that holds one"),
        ("strategy.play()\n", false, "only used"),
        ("from strategies import make_turn_strat\n", true, "a module of the original"),
        ("import game_mechanics as g\n", true, "the other one"),
        ("import strategies_of_mine\n", false, "the name goes on"),
        ("", false, "an empty file"),
    ] {
        assert_eq!(recognises(text), expected, "{comment}: {text}");
    }
}
