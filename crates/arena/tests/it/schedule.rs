//! Schedules: their promises, checked by counting.

use std::collections::{BTreeMap, BTreeSet};

use meeple_arena::RootSeed;
use meeple_arena::schedule::{Kind, Pairing, Schedule};
use meeple_core::{EpisodeSeed, Stream};

fn schedule(kind: Kind, competitors: u16, table: u16) -> Schedule {
    Schedule {
        kind,
        competitors,
        table,
        rotations: table,
        deals: 6,
        anchors: Vec::new(),
        fixed: false,
        block: 1,
        own_deals: false,
        seed: 3.into(),
    }
}

fn all(schedule: &Schedule) -> Vec<Pairing> {
    schedule.check().unwrap();
    (0..schedule.episodes()).map(|index| schedule.pairing(index)).collect()
}

/// Number of times each competitor sat at each seat.
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
    // A run that stops after a whole cycle is balanced: the first 35 groups hold all tables.
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
    let schedule = Schedule { rotations: 1, ..schedule(Kind::Alone, 5, 1) };
    let pairings = all(&schedule);
    assert_eq!((pairings.len(), schedule.groups()), (30, 6));
    for (index, pairing) in pairings.iter().enumerate() {
        assert_eq!((pairing.group, &pairing.seats[..]), (index as u64 / 5, &[index as u16 % 5][..]));
    }
    // In blocks, one competitor after the other plays all deals of a block.
    let pairings = all(&Schedule { block: 4, ..schedule });
    let first: Vec<(u64, u16)> = pairings.iter().take(9).map(|own| (own.group, own.seats[0])).collect();
    assert_eq!(first, [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (0, 2)]);
    assert_eq!((pairings[20].group, pairings[20].seats[0]), (4, 0), "the second block");
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
        (Schedule { kind: Kind::Alone, ..good.clone() }, "table of 1"),
        (Schedule { kind: Kind::Gauntlet, anchors: vec![0], ..good.clone() }, "needs 2 anchors, found 1"),
        (Schedule { competitors: 400, table: 100, rotations: 1, ..good.clone() }, "fewer than 2^48"),
        (Schedule { deals: u64::MAX, ..good }, "fewer than 2^48"),
    ] {
        let found = wrong.check().unwrap_err();
        assert!(found.contains(expected), "expected '{expected}' in '{found}'");
    }
}

/// A schedule of this kind with random numbers; `None` if they form none, or one of 3,000 episodes or more.
fn random(kind: Kind, stream: &mut Stream) -> Option<Schedule> {
    let competitors = 1 + stream.below(9) as u16;
    let table = match kind {
        Kind::Single => competitors,
        Kind::Alone => 1,
        _ => 1 + stream.below(u32::from(competitors)) as u16,
    };
    let anchors = match kind {
        Kind::Gauntlet => (0..stream.below(u32::from(competitors)) as u16).collect(),
        _ => Vec::new(),
    };
    let schedule = Schedule {
        kind,
        competitors,
        table,
        rotations: 1 + stream.below(u32::from(table)) as u16,
        deals: 1 + u64::from(stream.below(6)),
        anchors,
        fixed: stream.coin(),
        block: 1 + u64::from(stream.below(30)),
        seed: u64::from(stream.below(1 << 20)).into(),
        own_deals: kind == Kind::Alone && stream.coin(),
    };
    (schedule.check().is_ok() && schedule.episodes() < 3000).then_some(schedule)
}

/// Invariants of every schedule: every rotation of every deal comes once; blocks follow each other, complete,
/// rotation by rotation. A bot that restarts before a repeated deal does so at most once per block and
/// rotation.
#[test]
fn blocks_keep_the_rotations_of_a_deal_apart() {
    let mut stream = Stream::from_seed(44);
    let mut tried = 0;
    for round in 0..900 {
        let kind = Kind::ALL[round % 5];
        let Some(schedule) = random(kind, &mut stream) else { continue };
        tried += 1;
        let what = format!("{schedule:?}");
        let pairings = all(&schedule);
        let rotations = u64::from(schedule.rotations);
        let mut episodes = BTreeMap::new();
        for (index, pairing) in pairings.iter().enumerate() {
            assert_eq!(pairing.index, index as u64, "{what}");
            assert!(pairing.group < schedule.groups() && u64::from(pairing.rotation) < rotations, "{what}");
            *episodes.entry(pairing.group).or_insert(0) += 1;
        }
        assert_eq!(episodes.len() as u64, schedule.groups(), "{what}");
        assert!(episodes.values().all(|count| *count == schedule.group_episodes()), "{what}");
        // Blocks follow each other without gaps, and hold whole groups.
        let mut begin = 0;
        while begin < schedule.episodes() {
            let block = schedule.block_of(begin);
            assert_eq!(block.start, begin, "{what}");
            let own = &pairings[block.start as usize..block.end as usize];
            assert!(block.clone().all(|index| schedule.block_of(index) == block), "{what}");
            let is_shared = kind == Kind::Alone && !schedule.own_deals;
            let alone = |pairing: &Pairing| is_shared.then(|| pairing.seats[0]);
            let key = |pairing: &Pairing| (pairing.rotation, alone(pairing), pairing.group);
            assert!(own.is_sorted_by_key(key), "{what}");
            let groups: std::collections::BTreeSet<u64> = own.iter().map(|pairing| pairing.group).collect();
            assert_eq!(own.len() as u64, groups.len() as u64 * schedule.group_episodes(), "whole: {what}");
            assert!(schedule.ends_block(block.end), "{what}");
            assert!((begin + 1..block.end).all(|episodes| !schedule.ends_block(episodes)), "{what}");
            begin = block.end;
        }
        assert_eq!(begin, schedule.episodes(), "{what}");
        // Restart boundaries of all bots: no deal repeats before one, and there one does.
        let mut begin = 0;
        while begin < schedule.episodes() {
            let end = schedule.next_repeat(begin);
            assert!((begin..end).all(|index| schedule.next_repeat(index) == end), "{what}");
            let own = &pairings[begin as usize..end as usize];
            let groups: std::collections::BTreeSet<u64> = own.iter().map(|pairing| pairing.group).collect();
            assert_eq!(groups.len(), own.len(), "{what}");
            assert!(pairings.get(end as usize).is_none_or(|next| groups.contains(&next.group)), "{what}");
            begin = end;
        }
        // A bot that restarts before each repeated deal restarts at most once per block and later rotation.
        let blocks = schedule.groups().div_ceil(schedule.block.min(schedule.groups()));
        for competitor in 0..schedule.competitors {
            let (mut shown, mut starts) = (std::collections::BTreeSet::new(), 0);
            for pairing in pairings.iter().filter(|pairing| pairing.seats.contains(&competitor)) {
                if !shown.insert(pairing.group) {
                    starts += 1;
                    shown = std::collections::BTreeSet::from([pairing.group]);
                }
            }
            assert!(starts <= blocks * (rotations - 1), "{starts} starts of {competitor}: {what}");
        }
        // The rotations of a group seat the same people, each time moved on by one.
        for pairing in &pairings {
            let seats = pairing.seats.len();
            let first = pairings.iter().find(|own| own.group == pairing.group && own.rotation == 0).unwrap();
            if kind != Kind::Alone {
                let moved: Vec<u16> = (0..seats)
                    .map(|seat| first.seats[(seat + seats - usize::from(pairing.rotation)) % seats])
                    .collect();
                assert_eq!(pairing.seats, moved, "{what}");
            }
        }
    }
    assert!(tried > 400, "{tried} schedules");
}

/// One seed does not reveal another, neither of the next deal nor of other purposes, and every bit of the
/// root counts.
#[test]
fn seeds_are_unlike_each_other() {
    let root = |text: &str| text.parse::<RootSeed>().unwrap();
    let plain = root("0x9f3c0a6512e4d7b8000000000000002a");
    let mut seen = std::collections::BTreeSet::new();
    let mut ones = 0;
    for group in 0..2000 {
        let seed = plain.deal(group).bits();
        assert!(seen.insert(seed));
        ones += seed.count_ones();
    }
    // 128,000 coins: standard deviation 179.
    assert!((63_000..65_000).contains(&ones), "{ones} of 128,000 bits");
    for bit in 0..128 {
        let other = RootSeed::from_bits(plain.bits() ^ 1 << bit);
        let changed = (other.deal(0).bits() ^ plain.deal(0).bits()).count_ones();
        assert!((12..=52).contains(&changed), "bit {bit} of the root changes {changed} of 64");
        assert!(seen.insert(other.deal(0).bits()));
    }
    // Earlier releases derived seeds by a permutation that anybody can invert.
    assert_ne!(RootSeed::from(1).deal(0), EpisodeSeed::new(1, 0));
}

#[test]
fn seeds_have_one_text() {
    for (text, usual) in [
        ("0", "0"),
        ("1", "1"),
        ("18446744073709551615", "18446744073709551615"),
        ("0x2a", "42"),
        ("18446744073709551616", "0x00000000000000010000000000000000"),
        ("0x9f3c0a6512e4d7b8000000000000002A", "0x9f3c0a6512e4d7b8000000000000002a"),
        ("340282366920938463463374607431768211455", "0xffffffffffffffffffffffffffffffff"),
    ] {
        let seed: RootSeed = text.parse().unwrap();
        assert_eq!(seed.to_string(), usual);
        assert_eq!(usual.parse(), Ok(seed));
        let json = serde_json::to_string(&seed).unwrap();
        assert_eq!(json, format!("\"{usual}\""));
        assert_eq!(serde_json::from_str::<RootSeed>(&json).unwrap(), seed);
    }
    for text in
        ["", "-1", "+1", "0x", "0x+1", "1.5", "0xg", "x", "340282366920938463463374607431768211456", " 1"]
    {
        let error = text.parse::<RootSeed>().unwrap_err();
        assert!(error.contains("expected a whole number") && error.contains(text), "{text}: {error}");
    }
    let guessable = |text: &str| text.parse::<RootSeed>().unwrap().is_guessable();
    assert!(guessable("1099511627775") && !guessable("1099511627776"));
    let (one, other) = (RootSeed::draw().unwrap(), RootSeed::draw().unwrap());
    assert!(one != other && !one.is_guessable() && !other.is_guessable(), "{one} {other}");
}

/// Processes of bots leave traces of a deal for their successors: by default no deal is played twice.
#[test]
fn where_bots_play_no_deal_comes_twice() {
    for (words, asked, rotations) in [
        ("cmd:true turn:7", None, 1),
        ("cmd:true turn:7", Some(2), 2),
        ("turn:8 turn:7", None, 2),
        ("turn:8 turn:7", Some(1), 1),
    ] {
        let mut request = crate::request("incan-gold", words);
        request.rotations = asked;
        let plan = request.plan().unwrap();
        assert_eq!(plan.schedule.rotations, rotations, "{words} {asked:?}");
        let has_reason = plan.rotations_reason.is_some();
        assert_eq!(has_reason, asked.is_none() && rotations == 1, "{words} {asked:?}");
        let pairings = all(&plan.schedule);
        let deals: BTreeSet<u64> = pairings.iter().map(|pairing| pairing.group).collect();
        assert_eq!(deals.len() * usize::from(rotations), pairings.len(), "{words} {asked:?}");
    }
}

/// A bot that plays alone could leave notes of a deal for the next competitor.
#[test]
fn bots_that_play_alone_share_no_deal() {
    for (words, own_deals) in
        [("a=cmd:true b=cmd:true turn:7", true), ("cmd:true", false), ("turn:7 turn:8", false)]
    {
        let mut request = crate::request("incan-gold", words);
        (request.schedule, request.deals) = (Some(Kind::Alone), Some(5));
        let plan = request.plan().unwrap();
        let schedule = &plan.schedule;
        assert_eq!((schedule.own_deals, plan.rotations_reason.is_some()), (own_deals, own_deals), "{words}");
        let pairings = all(schedule);
        let deals: BTreeSet<u64> = pairings.iter().map(|pairing| pairing.group).collect();
        let is_native = words.starts_with("turn");
        assert_eq!(schedule.repeats_deals(), is_native, "{words}");
        assert_eq!(deals.len() == pairings.len(), !is_native, "{words}");
        for competitor in 0..schedule.competitors {
            let own = pairings.iter().filter(|pairing| pairing.seats == [competitor]).count();
            assert_eq!(own, 5, "{words}: competitor {competitor}");
        }
        // Plans of earlier releases lack the field, and their competitors share deals.
        let text = serde_json::to_string(schedule).unwrap();
        assert_eq!(text.contains("own_deals"), own_deals, "{text}");
        let stored: Schedule = serde_json::from_str(&text.replace(",\"own_deals\":true", "")).unwrap();
        assert_eq!(stored, Schedule { own_deals: false, ..schedule.clone() }, "{text}");
        assert_eq!(stored.repeats_deals(), schedule.competitors > 1, "{text}");
    }
}
