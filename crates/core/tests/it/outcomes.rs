use meeple_core::{Figure, Outcome, Seat, Standing};

fn ranked(scores: &[i64]) -> Outcome {
    let mut outcome = Outcome { scores: scores.to_vec(), ..Outcome::default() };
    outcome.rank_by_score();
    outcome
}

/// Each row has scores, places, standings, shares of the win and utilities, all by seat.
#[test]
fn places_shares_and_utilities() {
    use Standing::{Draw, Loss, Win};
    type Row<'a> = (&'a [i64], &'a [u32], &'a [Standing], &'a [f64], &'a [f64]);
    let third = 1.0 / 3.0;
    let rows: [Row<'_>; 8] = [
        (&[5], &[1], &[Win], &[1.0], &[0.0]),
        (&[5, 3], &[1, 2], &[Win, Loss], &[1.0, 0.0], &[1.0, -1.0]),
        (&[4, 4], &[1, 1], &[Draw, Draw], &[0.5, 0.5], &[0.0, 0.0]),
        (&[-4, -9], &[1, 2], &[Win, Loss], &[1.0, 0.0], &[1.0, -1.0]),
        (&[1, 9, 5], &[3, 1, 2], &[Loss, Win, Loss], &[0.0, 1.0, 0.0], &[-0.5, 1.0, -0.5]),
        (&[9, 9, 5], &[1, 1, 3], &[Draw, Draw, Loss], &[0.5, 0.5, 0.0], &[0.25, 0.25, -0.5]),
        (&[9, 5, 5], &[1, 2, 2], &[Win, Loss, Loss], &[1.0, 0.0, 0.0], &[1.0, -0.5, -0.5]),
        (&[0, 0, 0], &[1, 1, 1], &[Draw, Draw, Draw], &[third, third, third], &[0.0, 0.0, 0.0]),
    ];
    for (scores, places, standings, shares, utilities) in rows {
        let outcome = ranked(scores);
        assert_eq!(outcome.places, places, "{scores:?}");
        for seat in Seat::all(scores.len()) {
            let index = seat.index();
            assert_eq!(outcome.standing(seat), standings[index], "{scores:?}, seat {seat}");
            assert!((outcome.win_share(seat) - shares[index]).abs() < 1e-12, "{scores:?}, seat {seat}");
            assert!((outcome.utility(seat) - utilities[index]).abs() < 1e-12, "{scores:?}, seat {seat}");
        }
    }
}

#[test]
fn ranks_may_follow_other_keys_than_the_score() {
    let mut outcome = Outcome { scores: vec![7, 7, 7], ..Outcome::default() };
    outcome.rank_by(&[(7, 1), (7, 3), (7, 1)]);
    assert_eq!(outcome.places, [2, 1, 2]);
    assert_eq!(outcome.winners(), 1);
}

#[test]
fn cleared_means_empty() {
    let mut outcome = Outcome { end: 2, ..ranked(&[3, 1]) };
    outcome.clear();
    assert_eq!(outcome, Outcome::default());
}

/// A figure of each kind: values that a table of three seats can produce, and values that it cannot.
#[test]
fn figures_allow_values_of_their_kind() {
    const COUNT: Figure = Figure::count("busts", "rounds", "Rounds that ended by a hazard.");
    const AMOUNT: Figure = Figure::amount("share", "share", "A part of the whole.");
    const CLASS: Figure = Figure::category("class", "classes", "Its class.", &["small", "large"]);
    const BY: Figure = Figure::seat("sunk_by", "Who sank it.");
    let rows: [(Figure, &[f64], &[f64]); 4] = [
        (COUNT, &[0.0, 7.0, -3.0, 9e15], &[0.5, f64::NAN, f64::INFINITY, 1e300]),
        (AMOUNT, &[0.0, 0.25, -1e300], &[f64::NAN, f64::NEG_INFINITY]),
        (CLASS, &[0.0, 1.0], &[-1.0, 0.5, 2.0, f64::NAN]),
        (BY, &[Figure::NOBODY, 0.0, 2.0], &[-2.0, -0.5, 3.0, f64::NAN]),
    ];
    for (figure, allowed, refused) in rows {
        for value in allowed {
            assert!(figure.allows(*value, 3), "{} {value}", figure.name);
        }
        for value in refused {
            assert!(!figure.allows(*value, 3), "{} {value}", figure.name);
        }
    }
    let numbers = [COUNT, AMOUNT, CLASS, BY].map(|figure| figure.kind.is_number());
    assert_eq!(numbers, [true, true, false, false]);
}
