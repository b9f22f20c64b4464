//! Text forms.

use meeple_core::{Defined as _, Game, Present, Viewer};
use meeple_privateers::{Action, Chance, Class, Heading, Privateers, Product};

use crate::bench::{game, seat};
use crate::laws::all_actions;

#[test]
fn actions_print_as_they_parse_with_distinct_ids() {
    let mut ids = Vec::new();
    for action in all_actions() {
        assert_eq!(action.to_string().parse::<Action>(), Ok(action));
        assert_eq!(Action::of_id(action.id()), Some(action));
        ids.push(action.id());
    }
    ids.dedup();
    assert_eq!(ids.len(), 60, "44 and 16 seats");
    assert!(ids.is_sorted() && *ids.last().unwrap() == 59);
    assert_eq!(Action::of_id(60), None);
}

#[test]
fn ids_are_those_of_the_rules() {
    let check = |action: Action, id| assert_eq!(action.id(), id, "{action}");
    check(Action::EndTurn, 0);
    check(Action::Move(Heading::North), 1);
    check(Action::Move(Heading::East), 4);
    check(Action::Buy(Product::Lumber), 5);
    check(Action::Sell(Product::Cannon), 18);
    check(Action::BuyShip(Class::Galleon), 19);
    check(Action::BuyShip(Class::Frigate), 20);
    check(Action::Discard(Product::Lumber), 21);
    check(Action::Respawn, 28);
    check(Action::Retire, 29);
    check(Action::BuyMax(Product::Lumber), 30);
    check(Action::SellAll(Product::Cannon), 43);
    check(Action::Attack(seat(0)), 44);
    assert_eq!(game(16, &[]).action_bound(), 60);
}

/// Parses an action typed by seat 0.
fn read(typed: &str) -> Result<Action, String> {
    let game = game(2, &[]);
    let state = game.initial_state();
    game.read_input(&game.observe(&state, Viewer::Seat(seat(0))), typed)
}

#[test]
fn people_may_type_less() {
    let check = |typed: &str, expected: &str| {
        let action = read(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(action.to_string(), expected, "{typed}");
    };
    check(".", "end");
    check(" E ", "move east");
    check("n", "move north");
    check("S", "move south");
    check("east", "move east");
    check("m w", "move west");
    check("s ru", "sell rum");
    check("b spice", "buy spice");
    check("b sp", "buy spice");
    check("bb te", "buy-max textile");
    check("ss su", "sell-all sugar");
    check("buy galleon", "buy galleon");
    check("b frigate", "buy frigate");
    check("a 1", "attack 1");
    check("d can", "discard cannon");
    check("y", "respawn");
    check("move north", "move north");
    check("sell-all rum", "sell-all rum");
    let refused = |typed: &str| read(typed).unwrap_err();
    assert!(refused(" ").contains("empty line"));
    assert!(refused("b s").contains("several"));
    assert!(refused("b gold").contains("lumber"));
    assert!(refused("fly").contains("expected one of"));
    assert!(refused("a x").contains("seat"));
}

#[test]
fn a_misspelt_word_is_answered_with_all_that_fit() {
    let error = "buy rumm".parse::<Action>().unwrap_err();
    for word in [Product::WORDS, Class::WORDS].concat() {
        assert!(error.contains(word), "{word}: {error}");
    }
}

#[test]
fn junk_is_no_action_and_no_chance() {
    for text in ["", "end turn", "move", "move up", "attack -1", "attack 16", "buy", "buy  rum", "Buy rum"] {
        assert!(text.parse::<Action>().is_err(), "'{text}'");
    }
    for text in
        ["", "order 0,0", "order 1", "wind north 7", "wind north 0", "roll 1", "port 52", "prices gold 0,1"]
    {
        assert!(text.parse::<Chance>().is_err(), "'{text}'");
    }
}

#[test]
fn help_names_every_kind_of_action() {
    let help = Privateers::definition().info.input_help;
    for line in
        ["n", "e", "buy rum", "bb rum", "s rum", "buy galleon", "a 2", "end", "d rum", "respawn", "retire"]
    {
        assert!(help.contains(line), "help should name '{line}'");
        if !line.contains('2') {
            assert!(read(line).is_ok(), "'{line}'");
        }
    }
}

#[test]
fn observations_before_the_game_has_begun_serialise() {
    let game = game(3, &[]);
    let state = game.initial_state();
    for viewer in [Viewer::Public, Viewer::Seat(seat(1)), Viewer::Everything] {
        let value = serde_json::to_value(game.observe(&state, viewer)).unwrap();
        assert_eq!(value["stage"], "order");
    }
}
