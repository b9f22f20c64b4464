//! Text and JSON forms, and invalid moves.

use meeple_core::{Defined as _, Episode, EpisodeSeed, Game, Params as _, Phase, Present, Seat};
use meeple_game17::{Action, Chance, Departure, Direction, Game17};

use crate::table::{TestTable, game};

#[test]
fn actions_print_and_parse() {
    for (text, comment) in [
        ("-", "the empty turn"),
        ("0,3:n2", "one direction"),
        ("0,3:n2e1", "two directions"),
        ("0,3:n1s2e3w4 13,0:w12", "two squares"),
        ("0,3:n2 0,3:n1", "the same square and direction twice"),
        ("0,3:n0", "a count of 0"),
        ("-1,3:n-2", "nonsense that is refused later"),
    ] {
        let action: Action = text.parse().unwrap();
        assert_eq!(action.to_string(), text, "{comment}");
    }
    assert_eq!(" 0,3:n2   1,1:s1 ".parse::<Action>().unwrap().to_string(), "0,3:n2 1,1:s1");
    assert_eq!("0,3:n0e1".parse::<Action>().unwrap().to_string(), "0,3:e1");
}

#[test]
fn every_departure_round_trips() {
    for counts in [[0, 0, 0, 0], [1, 0, 0, 0], [0, -1, 0, 7], [i32::MAX, i32::MIN, 0, 1]] {
        for (row, column) in [(0, 0), (-5, 63), (i16::MIN, i16::MAX)] {
            let departure = Departure { row, column, counts };
            assert_eq!(departure.to_string().parse(), Ok(departure));
        }
    }
}

#[test]
fn departures_print_as_their_parts_do() {
    let numbers = [0, 1, 9, 10, 63, 99, 100, -1];
    let plain = |departure: Departure| {
        let used = departure.counts.iter().zip("nsew".chars()).filter(|(count, _)| **count != 0);
        let used: String = used.map(|(count, letter)| format!("{letter}{count}")).collect();
        format!("{},{}:{}", departure.row, departure.column, if used.is_empty() { "n0" } else { &used })
    };
    for (row, column) in numbers.iter().flat_map(|row| numbers.map(|column| (*row as i16, column as i16))) {
        for counts in
            [[0; 4], [1, 0, 0, 0], [0, 9, 0, 1], [1, 2, 3, 4], [0, 0, 10, 0], [9, 9, 9, 99], [-1, 0, 0, 0]]
        {
            let departure = Departure { row, column, counts };
            assert_eq!(departure.to_string(), plain(departure));
        }
    }
}

#[test]
fn bad_moves_do_not_parse() {
    for (text, part) in [
        ("", "found nothing"),
        ("0,3", "no ':'"),
        ("03:n1", "no ',' before the ':'"),
        ("0,3:", "no direction after the ':'"),
        ("0,3:u1", "expected one of n, s, e, w, found 'u'"),
        ("0,3:N1", "found 'N'"),
        ("0,3:n", "the count after 'n' is no whole number"),
        ("0,3:n1.5", "the count after 'n'"),
        ("0,3:nNaN", "the count after 'n'"),
        ("0,3:n99999999999", "the count after 'n'"),
        ("0,3:n+1", "the count after 'n'"),
        ("0,3:n1n1", "once each"),
        ("0,3:e1n1", "in the order n, s, e, w"),
        ("0,3:n1é", "the count after 'n'"),
        ("0,3:é1", "expected one of n, s, e, w"),
        ("x,3:n1", "the row is no number"),
        ("0,99999:n1", "the column is no number"),
        ("- 0,3:n1", "no ':'"),
    ] {
        let error = text.parse::<Action>().unwrap_err();
        assert!(error.contains(part), "{text:?}: {error}");
    }
}

#[test]
fn json_is_a_list_of_moves() {
    let action: Action = "0,3:n2e1 5,5:w4".parse().unwrap();
    let json = serde_json::to_string(&action).unwrap();
    assert_eq!(json, r#"[[0,3,"n",2],[0,3,"e",1],[5,5,"w",4]]"#);
    assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
    assert_eq!(serde_json::from_str::<Action>("[]").unwrap(), Action::default());
    for json in
        [r#"[[0,3,"x",2]]"#, r#"[[0,3,"n"]]"#, r#"[[0,3,"n",1.5]]"#, r#"{"a":1}"#, r#"[[0,3,"n",null]]"#]
    {
        assert!(serde_json::from_str::<Action>(json).is_err(), "{json}");
    }
}

#[test]
fn moves_are_listed_one_by_one() {
    let mut action = Action::default();
    action.push(1, 2, Direction::South, 3);
    action.push(1, 2, Direction::West, 1);
    action.push(1, 2, Direction::North, 1);
    assert_eq!(action.to_string(), "1,2:s3w1 1,2:n1");
    assert_eq!(action.moves().count(), 3);
}

#[test]
fn chance_prints_and_parses() {
    for text in ["place 0", "place 4095", "next 17", "coin mover", "coin owner"] {
        assert_eq!(text.parse::<Chance>().unwrap().to_string(), text);
    }
    for text in ["", "place", "place -1", "place 01", "coin heads", "next 99999", "place 1 2"] {
        assert!(text.parse::<Chance>().is_err(), "{text:?}");
    }
}

#[test]
fn chance_that_cannot_be_is_refused() {
    let mut episode = Episode::new(game(&[("size", "2")]).into(), EpisodeSeed::new(1, 1));
    for chance in ["next 0", "coin mover", "place 4"] {
        assert!(episode.force_chance(chance.parse().unwrap()).is_err(), "{chance}");
    }
    episode.force_chance(Chance::Place(2)).unwrap();
    assert!(episode.force_chance(Chance::Place(2)).is_err());
}

#[test]
fn sampled_actions_are_legal_and_round_trip() {
    let game = game(&[("size", "4"), ("rounds", "10")]);
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(8, 8));
    episode.settle_chance();
    while let Phase::Decide(seats) = episode.phase() {
        let seat = seats.lowest().unwrap();
        let action = episode.sample_action(seat);
        assert_eq!(action.to_string().parse::<Action>(), Ok(action.clone()));
        episode.act(seat, &action).unwrap();
        episode.settle_chance();
    }
}

#[test]
fn the_observation_is_compact_and_the_same_for_all() {
    let table = TestTable::new(&[3, 1, 2, 0], &[2, 0, 1, 3], &[]);
    let game = table.episode.game();
    let seen = |viewer| serde_json::to_string(&game.observe(table.episode.state(), viewer)).unwrap();
    let text = seen(meeple_core::Viewer::Public);
    assert_eq!(
        text,
        r#"{"size":2,"round":0,"rounds_left":49,"to_move":2,"owners":[3,1,2,0],"numbers":[4,4,4,4],"turn_order":[2,0,1,3],"ties":[]}"#
    );
    assert_eq!(text, seen(meeple_core::Viewer::Seat(Seat::new(3))));
}

#[test]
fn people_may_just_press_enter() {
    for text in ["", " ", "-", "stay", "pass", "Stay"] {
        assert_eq!(read(text).unwrap(), Action::default(), "{text:?}");
    }
    assert!(read("go north").is_err());
}

/// The input on a 3 x 3 board whose owner 0 has 3 pieces at 0,0 and 5 at 1,0.
fn read(typed: &str) -> Result<Action, String> {
    let mut table = TestTable::plain(3, &[]);
    table.turns(&[(0, "0,0:s4")]).coin(meeple_game17::Coin::Mover);
    for owner in [1, 2, 4, 5, 6, 7, 8] {
        table.turns(&[(owner, "-")]);
    }
    table.turns(&[(0, "1,0:n3")]);
    for owner in [1, 2, 4, 5, 6, 7, 8] {
        table.turns(&[(owner, "-")]);
    }
    assert_eq!(table.mover(), 0);
    let game = table.episode.game();
    game.read_input(&game.observe(table.episode.state(), meeple_core::Viewer::Seat(Seat::new(0))), typed)
}

#[test]
fn turns_can_be_put_in_words() {
    for (typed, expected) in [
        ("0,0 north 2", "0,0:n2"),
        ("0,0 n", "0,0:n3"),
        ("0,0 up all", "0,0:n3"),
        ("0,0 n2 e", "0,0:n2e1"),
        ("0,0 north 2, east 1", "0,0:n2e1"),
        ("0,0 east 1 north", "0,0:e1 0,0:n2"),
        ("(0,0) down 1; 1,0 left 2 and right 3", "0,0:s1 1,0:e3w2"),
        ("0,0 s1 1,0 w2", "0,0:s1 1,0:w2"),
        ("all east", "0,0:e3 1,0:e5"),
        ("ALL East 1", "0,0:e1 1,0:e1"),
        ("0,0:n2e1 1,0:w2", "0,0:n2e1 1,0:w2"),
        ("0,0: n2", "0,0:n2"),
    ] {
        let action = read(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        let moves = |action: &Action| {
            let mut moves: Vec<_> = action.moves().collect();
            moves.sort_unstable();
            moves
        };
        assert_eq!(moves(&action), moves(&expected.parse().unwrap()), "{typed}: {action}");
    }
    // Illegal moves are left to the rules.
    for typed in ["0,1 north 9", "9,9 north", "-1,0 n 1", "0,0 n -1"] {
        assert!(read(typed).is_ok(), "{typed}");
    }
    for (typed, found) in [
        ("north", "found 'north' before any square"),
        ("0,0", "found a square without a direction"),
        ("0,0 2", "found '2' where a direction was due"),
        ("0,0 1,0 n", "found '1,0' where a direction was due"),
        ("0,0 n 1 x", "found 'x'"),
        ("3 4 n", "found '3'"),
        ("0,0 n 99999999999", "found '99999999999'"),
        ("0,é n", "found '0,é'"),
    ] {
        let error = read(typed).unwrap_err();
        assert!(error.starts_with("expected") && error.ends_with(found), "{typed}: {error}");
    }
}

#[test]
fn the_info_is_complete() {
    assert_eq!(Game17::definition().info.seats, 1..=4096);
    assert_eq!(Game17::definition().info.filler, Some("zombie"));
    for spec in Game17::definition().variant.specs() {
        let start = format!("| `{}` |", spec.name);
        let row = Game17::definition().info.rules.lines().find(|line| line.starts_with(&start));
        let default = format!("| `{}` |", spec.default);
        assert!(row.is_some_and(|row| row.contains(&default)), "RULES.md lacks {start} … {default}");
    }
}
