use meeple_core::{EpisodeSeed, Seating};

/// The player of each seat and the deal, for the first episodes.
fn arrange(seating: Seating, seats: usize, episodes: u64) -> Vec<(Vec<u16>, EpisodeSeed)> {
    let one = |index| {
        let mut player_at = vec![99; seats];
        let seed = seating.arrange(5, index, &mut player_at);
        (player_at, seed)
    };
    (0..episodes).map(one).collect()
}

fn tables(seating: Seating, seats: usize, episodes: u64) -> Vec<Vec<u16>> {
    arrange(seating, seats, episodes).into_iter().map(|(table, _)| table).collect()
}

#[test]
fn fixed_seats_never_change() {
    assert_eq!(tables(Seating::Fixed, 3, 3), vec![vec![0, 1, 2]; 3]);
}

/// Player p sits at seat (p + index) mod n.
#[test]
fn rotation_moves_everybody_one_seat_on() {
    assert_eq!(tables(Seating::Rotate, 3, 4), [vec![0, 1, 2], vec![2, 0, 1], vec![1, 2, 0], vec![0, 1, 2]]);
    assert_eq!(tables(Seating::Rotate, 1, 2), [vec![0], vec![0]]);
}

#[test]
fn only_deal_groups_share_a_deal() {
    for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle] {
        for (index, (_, seed)) in arrange(seating, 3, 9).into_iter().enumerate() {
            assert_eq!(seed, EpisodeSeed::new(5, index as u64), "{seating:?} {index}");
        }
    }
    let groups = arrange(Seating::DealGroups, 3, 7);
    for (index, (table, seed)) in groups.iter().enumerate() {
        assert_eq!(*seed, EpisodeSeed::new(5, index as u64 / 3), "episode {index}");
        assert_eq!(*table, tables(Seating::Rotate, 3, 7)[index], "seats go round within a group");
    }
}

/// Values computed independently of this code.
#[test]
fn shuffles_are_drawn_from_the_seed() {
    assert_eq!(
        tables(Seating::Shuffle, 4, 6),
        [
            vec![1, 0, 3, 2],
            vec![1, 0, 2, 3],
            vec![1, 2, 0, 3],
            vec![2, 1, 3, 0],
            vec![0, 3, 2, 1],
            vec![3, 1, 0, 2]
        ]
    );
}

#[test]
fn shuffles_are_fair() {
    let mut counts = [[0_u32; 3]; 3];
    for table in tables(Seating::Shuffle, 3, 9_000) {
        for (seat, player) in table.iter().enumerate() {
            counts[seat][usize::from(*player)] += 1;
        }
    }
    for count in counts.as_flattened() {
        assert!((2_730..3_270).contains(count), "{counts:?}: a third of 9000, six standard deviations");
    }
}

#[test]
fn every_table_is_a_permutation() {
    for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups] {
        for seats in [1, 2, 5, 196] {
            for mut table in tables(seating, seats, 10) {
                table.sort_unstable();
                assert_eq!(table, (0..seats as u16).collect::<Vec<_>>(), "{seating:?}, {seats} seats");
            }
        }
    }
}
