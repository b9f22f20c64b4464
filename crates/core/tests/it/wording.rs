//! Text forms declared by `wording!`.

use meeple_core::{Permutation, wording};

wording! {
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Deed {
        /// A form that fits nearly everything is tried in order, and yields to later ones.
        Count(count: u8 [2..=9]) = "{count}",
        Rest = "rest",
        Again(count: u8 [..5]) = "take {count} again",
        Take(count: u8 [..5]) = "take {count}",
        Go { column: i8 [..], row: i8 [-3..] } = "go {column},{row} now",
    }
}

#[test]
fn texts_lead_there_and_back() {
    for (deed, text) in [
        (Deed::Count(2), "2"),
        (Deed::Count(9), "9"),
        (Deed::Rest, "rest"),
        (Deed::Take(0), "take 0"),
        (Deed::Take(4), "take 4"),
        (Deed::Again(4), "take 4 again"),
        (Deed::Go { column: -128, row: -3 }, "go -128,-3 now"),
    ] {
        assert_eq!(deed.to_string(), text);
        assert_eq!(text.parse(), Ok(deed));
        assert_eq!(serde_json::to_value(deed).unwrap(), text);
    }
}

#[test]
fn what_nobody_would_write_is_not_read() {
    let all = "expected a number for the count from 2 up to 9, found";
    let taken = "expected a number for the count below 5, found";
    for (text, error) in [
        ("", format!("{all} ''")),
        ("1", format!("{all} '1'")),
        ("10", format!("{all} '10'")),
        ("+3", "expected '3', found '+3'".to_owned()),
        ("rest ", format!("{all} 'rest '")),
        ("take 5", format!("{taken} '5'")),
        ("take  4", format!("{taken} ' 4'")),
        ("take 4 again ", format!("{taken} '4 again '")),
        ("take 9 again", format!("{taken} '9'; or {taken} '9 again'")),
        ("go 1,-4 now", "expected a number for the row from -3, found '-4'".to_owned()),
        ("go 1,1", format!("{all} 'go 1,1'")),
    ] {
        assert_eq!(text.parse::<Deed>(), Err(error), "{text}");
    }
}

#[test]
fn permutations_are_read_and_counted() {
    let all: Vec<String> = Permutation::<4>::all(3).iter().map(Permutation::to_string).collect();
    assert_eq!(all, ["0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"]);
    let order: Permutation<4> = "2,0,1".parse().unwrap();
    assert_eq!((order.items(), order.padded()), ([2, 0, 1].as_slice(), [2, 0, 1, 0]));
    assert_eq!("".parse(), Ok(Permutation::<4>::identity(0)));
    assert_eq!(Permutation::<4>::identity(0).to_string(), "");
    for wrong in [",", "+1,0", "00,1", "0,0", "1,2", "0,1,2,3,4", "0,2", "0,1,"] {
        assert!(wrong.parse::<Permutation<4>>().is_err(), "{wrong}");
    }
}
