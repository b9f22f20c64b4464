//! The composer of turns, move by move.

use meeple_core::{Composition, Present, Seat, Viewer};

use crate::table::TestTable;

/// The continuations of a turn of this seat.
fn compose(table: &TestTable, seat: usize, text: &str) -> Result<Option<Composition>, String> {
    let viewer = Viewer::Seat(Seat::new(seat));
    table.episode.with_view(viewer, &[], |view| table.episode.game().compose(view, text))
}

/// The composition on a board where every owner has one square with 4 pieces, and seat 0 moves at 0,0.
fn begun(text: &str) -> Composition {
    compose(&TestTable::plain(3, &[]), 0, text).expect("it is read").expect("seat 0 moves")
}

fn labels(composition: &Composition, name: &str) -> Vec<String> {
    let parts = composition.additions.iter().map(|addition| addition.parts.last().expect("it has words"));
    parts.filter(|part| part.name == name).map(|part| part.label.clone()).collect()
}

#[test]
fn a_move_is_a_square_a_direction_and_a_count() {
    let nothing = begun("");
    assert_eq!((nothing.action.as_deref(), nothing.back.as_deref()), (Some("-"), None));
    assert_eq!(labels(&nothing, "Send pieces from"), ["row 0, column 0: 4 pieces"]);
    assert_eq!(nothing.additions.last().unwrap().target.as_deref(), Some("0,0"));

    let square = begun("0,0");
    assert_eq!((square.action, square.back.as_deref(), square.chosen), (None, Some(""), vec!["0,0".into()]));
    let targets: Vec<_> =
        square.additions.iter().map(|addition| addition.target.as_deref().unwrap()).collect();
    assert_eq!(targets, ["2,0", "1,0", "0,1", "0,2"], "north, south, east and west on the torus");

    let direction = begun("0,0:e");
    assert_eq!((direction.action.as_deref(), direction.back.as_deref()), (None, Some("0,0")));
    assert_eq!(
        labels(&direction, "How many"),
        [
            "all 4 pieces: a coin decides between you and zombie 1",
            "1 piece: too few, zombie 1 keeps it and your pieces",
            "2 pieces: too few, zombie 1 keeps it and your pieces",
            "3 pieces: too few, zombie 1 keeps it and your pieces",
        ]
    );

    let moved = begun("0,0:e3");
    assert_eq!((moved.action.as_deref(), moved.back.as_deref()), (Some("0,0:e3"), Some("")));
    assert_eq!(moved.used, ["0,0", "0,1"]);
    assert_eq!(labels(&moved, "Send pieces from"), ["row 0, column 0: 1 piece"]);

    let all = begun("0,0:e3 0,0:e1");
    assert_eq!(all.lines.len(), 2);
    assert!(all.lines[1].ends_with("a coin decides between you and zombie 1"), "they come together: {all:?}");
    assert!(all.additions.is_empty(), "nobody is left");
}

#[test]
fn what_takes_a_square_is_worth_a_thought() {
    let tied = begun("");
    assert_eq!(labels(&tied, "Worth a thought").len(), 4, "all neighbours are as strong");
    // Seat 2 has sent three of its pieces away: four against one.
    let mut table = TestTable::plain(3, &[]);
    table.turns(&[(0, "-"), (1, "-"), (2, "0,2:n3"), (3, "-"), (4, "-"), (5, "-")]);
    table.turns(&[(6, "-"), (7, "-"), (8, "-")]);
    let made = compose(&table, 0, "").unwrap().unwrap();
    let best = &made.additions[0];
    assert_eq!(best.text, "0,0:w4");
    assert_eq!(best.parts[0].label, "all 4 from row 0, column 0 west: takes it from zombie 2");
}

#[test]
fn of_many_pieces_some_numbers_are_offered() {
    let owners: Vec<u16> = (0..36).collect();
    let table = TestTable::new(&owners, &owners, &[("pieces", "100")]);
    let counts = labels(&compose(&table, 0, "0,0:e").unwrap().unwrap(), "How many");
    assert!(counts.len() < 30, "{}", counts.len());
    for part in ["all 100 pieces", "1 piece:", "20 pieces", "50 pieces", "99 pieces"] {
        assert!(counts.iter().any(|label| label.starts_with(part)), "{part}: {counts:?}");
    }
}

#[test]
fn what_was_not_offered_is_refused_with_a_reason() {
    let table = TestTable::plain(3, &[]);
    for (text, part) in [
        ("0,1", "one of your squares"),
        ("3,0", "one of your squares"),
        ("-1,0", "one of your squares"),
        ("0", "one of your squares"),
        ("0,0:x", "a direction"),
        ("0,0:é", "a direction"),
        ("0,0:n0", "1 to 4 pieces"),
        ("0,0:n5", "1 to 4 pieces"),
        ("0,0:n4 0,0:e1", "one of your squares"),
        ("0,0 0,0:n1", "a move that is open"),
        ("0,0:n-1", "1 to 4 pieces"),
    ] {
        let error = compose(&table, 0, text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert_eq!(compose(&table, 1, "").unwrap(), None, "it is not its turn");
}
