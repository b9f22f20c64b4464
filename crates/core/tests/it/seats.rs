use meeple_core::{Phase, Seat, SeatSet, Viewer};

fn members(set: SeatSet) -> Vec<usize> {
    set.map(Seat::index).collect()
}

#[test]
fn seats_go_around_the_table() {
    assert_eq!(Seat::new(0).next(3), Seat::new(1));
    assert_eq!(Seat::new(2).next(3), Seat::new(0));
    assert_eq!(Seat::new(0).next(1), Seat::new(0));
    assert_eq!(Seat::all(3).map(Seat::index).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(Seat::all(3).rev().map(Seat::index).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(Seat::all(0).len(), 0);
}

#[test]
#[should_panic(expected = "seat index out of range")]
fn seats_end_at_the_capacity() {
    let _ = Seat::new(SeatSet::CAPACITY);
}

#[test]
fn sets_know_their_members() {
    for (set, expected) in [
        (SeatSet::EMPTY, vec![]),
        (SeatSet::single(Seat::new(0)), vec![0]),
        (SeatSet::single(Seat::new(63)), vec![63]),
        (SeatSet::single(Seat::new(64)), vec![64]),
        (SeatSet::single(Seat::new(4095)), vec![4095]),
        (SeatSet::from_mask(0b1010_0001), vec![0, 5, 7]),
        (SeatSet::first(0), vec![]),
        (SeatSet::first(3), vec![0, 1, 2]),
        (SeatSet::first(64), (0..64).collect()),
    ] {
        assert_eq!(members(set), expected, "{set:?} lists its members by rising number");
        assert_eq!(set.len(), expected.len(), "{set:?}");
        assert_eq!(set.is_empty(), expected.is_empty(), "{set:?}");
        assert_eq!(set.lowest().map(Seat::index), expected.first().copied(), "{set:?}");
        for index in (0..70).chain([4095]) {
            assert_eq!(set.contains(Seat::new(index)), expected.contains(&index), "{index} in {set:?}");
        }
    }
    assert_eq!(format!("{:?}", SeatSet::from_mask(0b101)), "{Seat(0), Seat(2)}");
}

#[test]
fn phases_say_who_owes() {
    assert!(Phase::turn(Seat::new(2)).owes(Seat::new(2)));
    assert!(!Phase::turn(Seat::new(2)).owes(Seat::new(1)));
    assert!(!Phase::Chance.owes(Seat::new(0)));
    assert!(!Phase::Over.owes(Seat::new(0)));
}

#[test]
fn viewers_see_their_own() {
    let (zero, one) = (Seat::new(0), Seat::new(1));
    for (viewer, expected) in [
        (Viewer::Seat(zero), [true, false]),
        (Viewer::Public, [false, false]),
        (Viewer::Everything, [true, true]),
    ] {
        assert_eq!([viewer.sees(zero), viewer.sees(one)], expected, "{viewer:?}");
    }
}

#[test]
fn sets_read_as_words() {
    for (set, expected) in [
        (SeatSet::EMPTY, "no seat"),
        (SeatSet::single(Seat::new(4)), "seat 4"),
        (SeatSet::single(Seat::new(100)), "seat 100"),
        (SeatSet::from_mask(0b11), "seats 0 and 1"),
        (SeatSet::from_mask(0b1_0011), "seats 0, 1 and 4"),
    ] {
        assert_eq!(set.to_string(), expected);
    }
}
