//! Schedules: what they promise, by counting.

use std::collections::BTreeMap;

use meeple_arena::schedule::{Kind, Pairing, Schedule};

fn schedule(kind: Kind, competitors: u16, table: u16) -> Schedule {
    Schedule {
        kind,
        competitors,
        table,
        rotations: table,
        deals: 6,
        anchors: Vec::new(),
        fixed: false,
        seed: 3,
    }
}

fn all(schedule: &Schedule) -> Vec<Pairing> {
    schedule.check().unwrap();
    (0..schedule.episodes()).map(|index| schedule.pairing(index)).collect()
}

/// How often each competitor sat at each seat.
fn seatings(pairings: &[Pairing]) -> BTreeMap<(u16, usize), usize> {
    let mut counts = BTreeMap::new();
    for pairing in pairings {
        for (seat, competitor) in pairing.seats.iter().enumerate() {
            *counts.entry((*competitor, seat)).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn a_deal_group_is_one_deal_from_every_seat() {
    for kind in [Kind::Single, Kind::RoundRobin, Kind::BattleRoyale] {
        let pairings = all(&schedule(kind, if kind == Kind::Single { 4 } else { 7 }, 4));
        for group in pairings.chunk_by(|a, b| a.group == b.group) {
            assert_eq!(group.len(), 4, "{kind:?}");
            assert_eq!(seatings(group).len(), 16, "{kind:?}: four competitors at four seats each");
        }
        assert!(pairings.iter().enumerate().all(|(index, pairing)| pairing.index == index as u64));
        assert!(pairings.is_sorted_by_key(|pairing| pairing.group));
    }
}

#[test]
fn a_round_robin_plays_every_table_equally_often() {
    let schedule = schedule(Kind::RoundRobin, 7, 3);
    let pairings = all(&schedule);
    assert_eq!(schedule.groups(), 35 * 6);
    let mut tables = BTreeMap::new();
    for pairing in &pairings {
        let mut table = pairing.seats.clone();
        table.sort_unstable();
        *tables.entry(table).or_insert(0) += 1;
    }
    assert_eq!(tables.len(), 35);
    assert!(tables.values().all(|times| *times == 3 * 6));
    assert!(seatings(&pairings).values().all(|times| *times == 15 * 6));
    // A run that stops after any cycle is balanced: the first 35 groups hold all tables.
    assert!(pairings[..35 * 3].iter().all(|pairing| pairing.group < 35));
}

#[test]
fn a_battle_royale_seats_everybody_in_every_round() {
    for competitors in [4, 7, 8, 9] {
        let schedule = schedule(Kind::BattleRoyale, competitors, 4);
        let pairings = all(&schedule);
        let per_round = usize::from(competitors.div_ceil(4)) * 4;
        for round in pairings.chunks(per_round) {
            let present: std::collections::BTreeSet<u16> =
                round.iter().flat_map(|pairing| pairing.seats.clone()).collect();
            assert_eq!(present.len(), usize::from(competitors));
            for pairing in round {
                let mut seats = pairing.seats.clone();
                seats.sort_unstable();
                seats.dedup();
                assert_eq!(seats.len(), 4, "nobody sits twice at a table");
            }
        }
    }
}

#[test]
fn a_gauntlet_keeps_candidates_apart() {
    let schedule = Schedule { anchors: vec![1, 4, 5], ..schedule(Kind::Gauntlet, 6, 3) };
    let pairings = all(&schedule);
    assert_eq!(schedule.groups(), 3 * 3 * 6, "three candidates, three pairs of anchors");
    for pairing in &pairings {
        let candidates = pairing.seats.iter().filter(|own| ![1, 4, 5].contains(*own)).count();
        assert_eq!(candidates, 1);
    }
}

#[test]
fn zombies_meet_everybody_in_the_same_deals() {
    let schedule = Schedule { rotations: 1, ..schedule(Kind::VsZombies, 5, 1) };
    let pairings = all(&schedule);
    assert_eq!((pairings.len(), schedule.groups()), (30, 6));
    for (index, pairing) in pairings.iter().enumerate() {
        assert_eq!((pairing.group, &pairing.seats[..]), (index as u64 / 5, &[index as u16 % 5][..]));
    }
}

#[test]
fn fewer_rotations_still_move_people_about() {
    let schedule = Schedule { rotations: 1, deals: 2000, ..schedule(Kind::RoundRobin, 3, 2) };
    for ((competitor, seat), times) in seatings(&all(&schedule)) {
        // Binomial with mean 2,000 and standard deviation 32.
        assert!((1850..2150).contains(&times), "{competitor} sat {times} times at {seat}");
    }
}

#[test]
fn a_fixed_order_is_kept() {
    let schedule = Schedule { rotations: 1, fixed: true, ..schedule(Kind::Single, 4, 4) };
    assert!(all(&schedule).iter().all(|pairing| pairing.seats == [0, 1, 2, 3]));
}

#[test]
fn schedules_that_are_none_are_refused() {
    let good = schedule(Kind::RoundRobin, 6, 3);
    for (wrong, expected) in [
        (Schedule { competitors: 1, ..good.clone() }, "at least 2 competitors, found 1"),
        (Schedule { table: 1, rotations: 1, ..good.clone() }, "at least 2"),
        (Schedule { table: 7, ..good.clone() }, "1 to 6 competitors, found 7"),
        (Schedule { rotations: 4, ..good.clone() }, "1 to 3 seat rotations, found 4"),
        (Schedule { deals: 0, ..good.clone() }, "at least 1 deal"),
        (Schedule { kind: Kind::Single, ..good.clone() }, "all 6 competitors, found 3"),
        (Schedule { kind: Kind::VsZombies, ..good.clone() }, "table of 1"),
        (Schedule { kind: Kind::Gauntlet, anchors: vec![0], ..good.clone() }, "needs 2 anchors, found 1"),
        (Schedule { competitors: 400, table: 100, rotations: 1, ..good.clone() }, "fewer than 2^48"),
        (Schedule { deals: u64::MAX, ..good }, "fewer than 2^48"),
    ] {
        let found = wrong.check().unwrap_err();
        assert!(found.contains(expected), "expected '{expected}' in '{found}'");
    }
}
