//! The random streams: their output is fixed for ever and uniform.

use meeple_core::{ChanceStreams, EpisodeSeed, MemberDraws, Odds, Purpose, Seat, Stream};

fn bits(seed: u64, count: usize) -> Vec<u64> {
    let mut stream = Stream::from_seed(seed);
    (0..count).map(|_| stream.bits()).collect()
}

/// Asserts that Pearson's chi-squared statistic stays below its mean plus ten standard deviations.
fn check_uniform(what: &str, counts: &[u32]) {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    let statistic: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    assert!(
        statistic < freedom + 10.0 * (2.0 * freedom).sqrt(),
        "{what}: {counts:?}, chi-square {statistic}"
    );
}

/// The published test vector of SplitMix64 for this seed.
#[test]
fn generator_is_splitmix64() {
    let expected = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(bits(1_234_567, 5), expected);
}

/// Values computed independently of this code, from the definitions in the docs. If one of them changes,
/// every user's seeds give other episodes.
#[test]
fn seeds_and_streams_have_fixed_values() {
    for (root, index, expected) in [
        (0, 0, 0xa706_dd2f_4d19_7e6f),
        (0, 1, 0x08b4_fda8_c892_b50e),
        (1, 0, 0x5e41_ab08_7439_611e),
        (u64::MAX, u64::MAX, 0x6309_143e_67a4_7936_u64),
    ] {
        assert_eq!(EpisodeSeed::new(root, index).bits(), expected, "root {root}, index {index}");
    }
    let seed = EpisodeSeed::new(1, 0);
    for (seat, expected) in [
        (0, [0x5df1_c9b7_0662_771c, 0xae3d_20e1_2ba5_71af]),
        (1, [0x7fae_1c2b_468f_9624, 0xf851_a5e3_7182_3f48]),
        (195, [0x60cc_5deb_2a4a_0e0c, 0x7006_4c67_dd47_de15_u64]),
    ] {
        let mut stream = seed.agent(Seat::new(seat));
        assert_eq!([stream.bits(), stream.bits()], expected, "agent at seat {seat}");
    }
    for (purpose, key, expected) in [
        (Purpose::Deal, 0, 0x3026_aa97_b36c_6067),
        (Purpose::Deal, 1, 0xff68_ace0_15f4_dfd7),
        (Purpose::Deal, u32::MAX, 0x894a_ef75_cf1a_e2e8),
        (Purpose::Play, 0, 0x6270_2f71_c64f_f643),
        (Purpose::Play, 1, 0xc1da_438d_666f_fc1e),
        (Purpose::Ties, 0, 0xa10f_d3dd_18c1_90af_u64),
    ] {
        let mut streams = ChanceStreams::new(seed);
        assert_eq!(streams.stream(purpose, key).bits(), expected, "{purpose:?} {key}");
    }
}

#[test]
fn draws_have_fixed_values() {
    let mut stream = Stream::from_seed(42);
    let dice: Vec<u32> = (0..12).map(|_| stream.below(6)).collect();
    assert_eq!(dice, [4, 0, 1, 2, 0, 5, 1, 4, 2, 3, 1, 2]);

    let mut stream = Stream::from_seed(42);
    assert_eq!(stream.unit(), 0.741_564_878_771_823_3);

    let mut stream = Stream::from_seed(42);
    let mut items: Vec<u32> = (0..10).collect();
    stream.shuffle(&mut items);
    assert_eq!(items, [7, 2, 4, 5, 1, 9, 6, 3, 8, 0]);

    let mut stream = Stream::from_seed(42);
    let coins: Vec<bool> = (0..4).map(|_| stream.coin()).collect();
    assert_eq!(coins, [true, false, false, false]);

    let mut stream = Stream::from_seed(42);
    let members: Vec<u32> = (0..10).map(|_| stream.member(0b1011_0010, 8)).collect();
    assert_eq!(members, [1, 1, 4, 7, 5, 7, 5, 5, 7, 1]);
}

#[test]
fn bounded_draws_are_uniform() {
    let mut stream = Stream::from_seed(7);
    for bound in [2_u32, 3, 6, 10, 52, 1000] {
        let mut counts = vec![0; bound as usize];
        for _ in 0..200 * bound {
            counts[stream.below(bound) as usize] += 1;
        }
        check_uniform(&format!("below({bound})"), &counts);
    }
    assert!((0..1000).all(|_| stream.below(1) == 0), "one outcome is certain");
    assert!((0..1000).all(|_| stream.index(3) < 3), "an index stays in its slice");
}

#[test]
fn members_are_uniform() {
    let mut stream = Stream::from_seed(8);
    for (set, span) in
        [(0b1011_0010, 8), (0b1, 1), (u64::MAX, 64), (0b1_0001, 64), (0x8000_0000_0000_0001, 64)]
    {
        let set: u64 = set;
        let mut counts = vec![0; 64];
        for _ in 0..400 * set.count_ones() {
            counts[stream.member(set, span) as usize] += 1;
        }
        let of_members: Vec<u32> =
            (0..64).filter(|bit| set >> bit & 1 == 1).map(|bit| counts[bit as usize]).collect();
        assert_eq!(of_members.iter().sum::<u32>(), 400 * set.count_ones(), "{set:b}: members only");
        if of_members.len() > 1 {
            check_uniform(&format!("member of {set:b}"), &of_members);
        }
    }
}

#[test]
fn prepared_draws_are_the_same_draws() {
    const SPAN: u32 = 12;
    for seed in 0..200 {
        let mut plain = Stream::from_seed(seed);
        let mut prepared = MemberDraws::new(plain.clone(), SPAN);
        let mut set = (1_u64 << SPAN) - 1;
        while set != 0 {
            let member = plain.member(set, SPAN);
            assert_eq!(prepared.draw(set), Some(member), "seed {seed}, set {set:b}");
            set &= !(1 << member);
        }
        assert_eq!(prepared.draw(set), None, "nothing is left to draw");
    }
}

#[test]
#[should_panic(expected = "at least one member")]
fn nothing_is_drawn_from_an_empty_set() {
    Stream::from_seed(1).member(0, 8);
}

#[test]
fn first_draws_of_neighbouring_streams_are_uniform_and_unrelated() {
    let mut faces = vec![0; 6];
    let mut pairs = vec![0; 36];
    let mut agents = vec![0; 36];
    for index in 0..36_000 {
        let seed = EpisodeSeed::new(3, index);
        let mut streams = ChanceStreams::new(seed);
        let first = streams.stream(Purpose::Deal, 0).below(6);
        let second = streams.stream(Purpose::Deal, 1).below(6);
        faces[first as usize] += 1;
        pairs[(first * 6 + second) as usize] += 1;
        let left = seed.agent(Seat::new(0)).below(6);
        agents[(left * 6 + seed.agent(Seat::new(1)).below(6)) as usize] += 1;
    }
    check_uniform("first die of an episode", &faces);
    check_uniform("first dice of neighbouring keys", &pairs);
    check_uniform("first dice of neighbouring seats", &agents);
}

#[test]
fn shuffles_are_uniform() {
    let mut stream = Stream::from_seed(9);
    let mut counts = vec![0; 24];
    for _ in 0..24_000 {
        let mut items = [0_usize, 1, 2, 3];
        stream.shuffle(&mut items);
        let rank = |at: usize| items[at + 1..].iter().filter(|other| **other < items[at]).count();
        counts[rank(0) * 6 + rank(1) * 2 + rank(2)] += 1;
    }
    check_uniform("permutations of four", &counts);
}

#[test]
fn probabilities_hold_at_their_ends_and_between() {
    let mut stream = Stream::from_seed(10);
    for _ in 0..1000 {
        assert!(!stream.chance(0.0) && !stream.hits(Odds::new(0.0)), "never");
        assert!(stream.chance(1.0) && stream.hits(Odds::new(1.0)), "always");
        let unit = stream.unit();
        assert!((0.0..1.0).contains(&unit), "{unit}");
    }
    let hits = (0..100_000).filter(|_| stream.chance(0.2)).count();
    assert!((19_200..20_800).contains(&hits), "{hits} of 100000 at 0.2: six standard deviations");
    let coins = (0..100_000).filter(|_| stream.coin()).count();
    assert!((49_000..51_000).contains(&coins), "{coins} of 100000: six standard deviations");
}

#[test]
fn odds_hold_and_neighbouring_draws_are_unrelated() {
    const DRAWS: usize = 200_000;
    for probability in [0.05, 1.0 / 3.0, 0.5, 0.999] {
        let mut stream = Stream::from_seed(11);
        let odds = Odds::new(probability);
        let hits: Vec<bool> = (0..DRAWS).map(|_| stream.hits(odds)).collect();
        for lag in [0, 1, 2, 3, 7] {
            // With lag 0 a draw is compared with itself.
            let both = (lag..DRAWS).filter(|at| hits[*at] && hits[*at - lag]).count() as f64;
            let expected = if lag == 0 { probability } else { probability * probability };
            let sd = (expected * (1.0 - expected) / DRAWS as f64).sqrt();
            let share = both / (DRAWS - lag) as f64;
            // Pairs overlap, which at most doubles the deviation.
            assert!((share - expected).abs() < 10.0 * sd, "{probability}, lag {lag}: {share}");
        }
    }
}

#[test]
fn cards_of_neighbouring_streams_and_draws_are_unrelated() {
    // Six members of ten positions. `serial` counts pairs of the first and the second draw of a stream,
    // `across` counts pairs of the first draws of neighbouring streams.
    const SET: u64 = 0b10_1101_0110;
    let rank = |position: u32| (SET & ((1 << position) - 1)).count_ones();
    let (mut serial, mut across) = (vec![0; 36], vec![0; 36]);
    let mut last = 0;
    for index in 0..18_000 {
        let mut streams = ChanceStreams::new(EpisodeSeed::new(4, index));
        let stream = streams.stream(Purpose::Deal, 1);
        let first = rank(stream.member(SET, 10));
        let second = rank(stream.member(SET, 10));
        serial[(first * 6 + second) as usize] += 1;
        if index > 0 {
            across[(last * 6 + first) as usize] += 1;
        }
        last = first;
    }
    check_uniform("two cards of a stream", &serial);
    check_uniform("first cards of neighbouring streams", &across);
}

#[test]
fn weights_are_respected() {
    let mut stream = Stream::from_seed(12);
    let mut counts = [0; 4];
    for _ in 0..10_000 {
        counts[stream.weighted(&[1.0, 0.0, 3.0, -2.0]).unwrap()] += 1;
    }
    assert!(counts[1] == 0 && counts[3] == 0, "{counts:?}");
    assert!((2_200..2_800).contains(&counts[0]), "{counts:?}: a quarter, six standard deviations");
    assert_eq!(stream.weighted(&[]), None);
    assert_eq!(stream.weighted(&[0.0, -1.0]), None);
}

/// Without the restart, the first draws of an episode would continue those of the previous one.
#[test]
fn restarted_chance_streams_are_those_of_the_episode() {
    let mut streams = ChanceStreams::new(EpisodeSeed::new(5, 9));
    for purpose in [Purpose::Deal, Purpose::Play, Purpose::Ties] {
        streams.stream(purpose, 3).bits();
    }
    let next = EpisodeSeed::new(5, 10);
    streams.restart(next);
    for purpose in [Purpose::Deal, Purpose::Play, Purpose::Ties] {
        let expected = ChanceStreams::new(next).stream(purpose, 3).bits();
        assert_eq!(streams.stream(purpose, 3).bits(), expected, "{purpose:?}");
        assert_eq!(streams.fresh_stream(purpose, 3).bits(), expected, "{purpose:?}");
    }
}

#[test]
fn chance_streams_go_on_with_the_same_key_and_restart_with_another() {
    let seed = EpisodeSeed::new(5, 9);
    let mut streams = ChanceStreams::new(seed);
    let first = streams.stream(Purpose::Deal, 3).bits();
    let second = streams.stream(Purpose::Deal, 3).bits();
    assert_ne!(first, second);
    assert_eq!(streams.fresh_stream(Purpose::Deal, 3).bits(), first);
    // Draws for another purpose do not change the draws of this key.
    streams.stream(Purpose::Play, 3).bits();
    let other = streams.stream(Purpose::Deal, 4).bits();
    let mut fresh = ChanceStreams::new(seed);
    assert_eq!(fresh.stream(Purpose::Deal, 4).bits(), other);
    // After a restart with another seed and back, nothing of the other seed remains.
    streams.restart(EpisodeSeed::new(5, 10));
    assert_ne!(streams.stream(Purpose::Deal, 4).bits(), other);
    streams.restart(seed);
    assert_eq!(streams.stream(Purpose::Deal, 3).bits(), first);
}
