//! Ratings against closed forms, published values, and by coverage.

use meeple_arena::rating::{
    Entrant, FitOptions, Matchups, Orders, POINTS, RateOptions, RatingError, SeatEffects, cycles, fit,
    likelihood, rate,
};
use meeple_core::Stream;

const EXACT: FitOptions = FitOptions { prior: 0.0, seats: SeatEffects::None };

fn order(places: &[(u16, u32)]) -> Vec<Entrant> {
    let entrant = |(seat, (competitor, place)): (usize, &(u16, u32))| Entrant {
        competitor: *competitor,
        seat: seat as u16,
        place: *place,
    };
    places.iter().enumerate().map(entrant).collect()
}

fn add(orders: &mut Orders, times: usize, places: &[(u16, u32)]) {
    for _ in 0..times {
        orders.add(orders.groups() as u64, &order(places));
    }
}

fn close(found: f64, expected: f64, within: f64, what: &str) {
    assert!((found - expected).abs() <= within, "{what}: expected {expected} ± {within}, found {found}");
}

#[test]
fn two_players_are_the_logit_of_their_share() {
    for (wins, draws, losses) in [(3, 0, 1), (60, 30, 10), (7, 5, 7), (1, 8, 0)] {
        let mut orders = Orders::new(2);
        add(&mut orders, wins, &[(0, 1), (1, 2)]);
        add(&mut orders, draws, &[(0, 1), (1, 1)]);
        add(&mut orders, losses, &[(0, 2), (1, 1)]);
        let found = fit(&orders, EXACT).unwrap();
        let share = (wins as f64 + 0.5 * draws as f64) / (wins + draws + losses) as f64;
        let expected = 400.0 * (share / (1.0 - share)).log10();
        close(POINTS * (found.strengths[0] - found.strengths[1]), expected, 1e-6, "points");
        close(found.strengths[0] + found.strengths[1], 0.0, 1e-9, "sum");
    }
}

#[test]
fn the_expected_counts_of_known_strengths_give_them_back() {
    // Strengths 3 : 2 : 1; the six orders in sixtieths.
    let mut orders = Orders::new(3);
    for (times, [first, second, third]) in
        [(20, [0, 1, 2]), (10, [0, 2, 1]), (15, [1, 0, 2]), (5, [1, 2, 0]), (6, [2, 0, 1]), (4, [2, 1, 0])]
    {
        add(&mut orders, times, &[(first, 1), (second, 2), (third, 3)]);
    }
    let found = fit(&orders, EXACT).unwrap();
    close((found.strengths[0] - found.strengths[2]).exp(), 3.0, 1e-8, "first over third");
    close((found.strengths[1] - found.strengths[2]).exp(), 2.0, 1e-8, "second over third");
}

#[test]
fn published_baseball_of_1987() {
    // American League, eastern division, 1987 (Agresti 1990): home team, guest, home wins, guest's wins.
    // Expected: Turner and Firth, "Bradley-Terry models in R" (2012), without and with a home effect;
    // Baltimore is 0.
    let teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto"];
    let (ba, bo, cl, de, mi, ny, to) = (0, 1, 2, 3, 4, 5, 6);
    let games: [(u16, u16, usize, usize); 42] = [
        (mi, de, 4, 3),
        (mi, to, 4, 2),
        (mi, ny, 4, 3),
        (mi, bo, 6, 1),
        (mi, cl, 4, 2),
        (mi, ba, 6, 0),
        (de, mi, 3, 3),
        (de, to, 4, 2),
        (de, ny, 4, 3),
        (de, bo, 6, 0),
        (de, cl, 6, 1),
        (de, ba, 4, 3),
        (to, mi, 2, 5),
        (to, de, 4, 3),
        (to, ny, 2, 4),
        (to, bo, 4, 3),
        (to, cl, 4, 2),
        (to, ba, 6, 0),
        (ny, mi, 3, 3),
        (ny, de, 5, 1),
        (ny, to, 2, 5),
        (ny, bo, 4, 3),
        (ny, cl, 4, 2),
        (ny, ba, 6, 1),
        (bo, mi, 5, 1),
        (bo, de, 2, 5),
        (bo, to, 3, 3),
        (bo, ny, 4, 2),
        (bo, cl, 5, 2),
        (bo, ba, 6, 0),
        (cl, mi, 2, 5),
        (cl, de, 3, 3),
        (cl, to, 3, 4),
        (cl, ny, 4, 3),
        (cl, bo, 4, 2),
        (cl, ba, 2, 4),
        (ba, mi, 2, 5),
        (ba, de, 1, 5),
        (ba, to, 1, 6),
        (ba, ny, 2, 4),
        (ba, bo, 1, 6),
        (ba, cl, 3, 4),
    ];
    let mut orders = Orders::new(7);
    for (home, guest, won, lost) in games {
        add(&mut orders, won, &[(home, 1), (guest, 2)]);
        add(&mut orders, lost, &[(home, 2), (guest, 1)]);
    }
    let plain = [0.0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945];
    let at_home = [0.0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271];
    for (options, expected) in
        [(EXACT, plain), (FitOptions { seats: SeatEffects::WhereMixed, ..EXACT }, at_home)]
    {
        let found = fit(&orders, options).unwrap();
        for (team, expected) in teams.iter().zip(expected).enumerate().map(|(i, (t, e))| ((i, t), e)) {
            close(found.strengths[team.0] - found.strengths[0], expected, 6e-5, team.1);
        }
        if let [home, guest] = found.seats[..] {
            close(home - guest, 0.3023, 6e-5, "playing at home");
        } else {
            assert_eq!(options.seats, SeatEffects::None);
        }
    }
}

#[test]
fn a_cycle_of_three_is_all_zero_and_all_cyclic() {
    let mut orders = Orders::new(3);
    let mut matchups = Matchups::new(3);
    for (winner, loser) in [(0u16, 1u16), (1, 2), (2, 0)] {
        for (times, first, second) in [(70, winner, loser), (30, loser, winner)] {
            for _ in 0..times {
                let group = orders.groups() as u64;
                orders.add(group, &order(&[(first, 1), (second, 2)]));
                matchups.add(group, &[(first, 1, 10), (second, 2, 7)]);
            }
        }
    }
    for strength in fit(&orders, EXACT).unwrap().strengths {
        close(strength, 0.0, 1e-9, "strength");
    }
    let found = cycles(&matchups).unwrap();
    close(found.share, 1.0, 1e-9, "cyclic share");
    close(found.share_beyond_noise, 1.0, 1e-9, "beyond noise");
    assert!(found.p_value < 1e-6, "{found:?}");
    assert_eq!(found.degrees, 1);
    let clearest = found.clearest.unwrap();
    assert_eq!(clearest.competitors, [0, 1, 2]);
    close(clearest.shares[2], 0.7, 1e-12, "share");
}

#[test]
fn the_clearest_of_two_cycles_is_reported() {
    // Competitors 0, 1 and 2 form a cycle with 60 wins of 100; 3, 4 and 5 form one with 90. The two never
    // meet.
    let mut matchups = Matchups::new(6);
    let mut group = 0;
    for (first, wins) in [(0u16, 60), (3, 90)] {
        for (own, other) in [(first, first + 1), (first + 1, first + 2), (first + 2, first)] {
            for game in 0..100 {
                group += 1;
                let (own_place, other_place) = if game < wins { (1, 2) } else { (2, 1) };
                matchups.add(group, &[(own, own_place, 0), (other, other_place, 0)]);
            }
        }
    }
    let found = cycles(&matchups).unwrap();
    assert_eq!(found.clearest.unwrap().competitors, [3, 4, 5]);
    assert_eq!(found.degrees, 2);
}

#[test]
fn the_clearest_cycle_is_that_of_all_triples() {
    for seed in 0..40u64 {
        let mut stream = Stream::from_seed(seed);
        let size = 3 + seed as u16 % 70;
        let mut matchups = Matchups::new(usize::from(size));
        for group in 0..u64::from(size) * u64::from(size) {
            let (own, other) = (stream.below(size.into()) as u16, stream.below(size.into()) as u16);
            // The strong mostly win, so that cycles are rare.
            let upset = stream.below(12) == 0;
            let places = if (own < other) != upset { (1, 2) } else { (2, 1) };
            matchups.add(group, &[(own, places.0, 0), (other, places.1, 0)]);
        }
        let share =
            |own: u16, other: u16| matchups.of(own.into(), other.into()).map_or(f64::NAN, |pair| pair.share);
        let mut best: Option<(f64, [usize; 3])> = None;
        for first in 0..size {
            for (second, third) in (first + 1..size).flat_map(|a| (a + 1..size).map(move |b| (a, b))) {
                for [a, b, c] in [[first, second, third], [first, third, second]] {
                    let shares = [share(a, b), share(b, c), share(c, a)];
                    let least = shares.iter().copied().fold(1.0, f64::min);
                    if shares.iter().all(|share| *share > 0.5) && best.is_none_or(|(clear, _)| least > clear)
                    {
                        best = Some((least, [a, b, c].map(usize::from)));
                    }
                }
            }
        }
        let found = cycles(&matchups).and_then(|cycles| cycles.clearest);
        assert_eq!(found.as_ref().map(|cycle| cycle.competitors), best.map(|(_, who)| who), "seed {seed}");
        if let (Some(cycle), Some((least, _))) = (found, best) {
            assert_eq!(cycle.shares.into_iter().fold(1.0, f64::min), least, "seed {seed}");
        }
    }
}

#[test]
fn where_no_cycle_can_be_nothing_is_cyclic() {
    // In a chain of pairs, ratings can match the odds of every pair, so no result contradicts them.
    let mut matchups = Matchups::new(4);
    let mut group = 0;
    for (own, wins) in [(0u16, 61), (1, 73), (2, 57)] {
        for game in 0..100 {
            group += 1;
            let (own_place, other_place) = if game < wins { (1, 2) } else { (2, 1) };
            matchups.add(group, &[(own, own_place, 0), (own + 1, other_place, 0)]);
        }
    }
    let found = cycles(&matchups).unwrap();
    assert_eq!((found.degrees, found.share, found.share_beyond_noise), (0, 0.0, 0.0), "exactly: {found:?}");
}

#[test]
fn exact_odds_are_not_cyclic() {
    // Strengths 4 : 2 : 1 give odds 2 : 1, 2 : 1 and 4 : 1, which 30,000 games per pair match exactly.
    let mut matchups = Matchups::new(3);
    let mut group = 0;
    for (own, other, wins) in [(0u16, 1u16, 20_000), (1, 2, 20_000), (0, 2, 24_000)] {
        for game in 0..30_000 {
            group += 1;
            let (own_place, other_place) = if game < wins { (1, 2) } else { (2, 1) };
            matchups.add(group, &[(own, own_place, 0), (other, other_place, 0)]);
        }
    }
    let found = cycles(&matchups).unwrap();
    assert!(found.share < 1e-6, "{found:?}");
    assert_eq!(found.share_beyond_noise, 0.0);
    assert!(found.p_value > 0.5, "{found:?}");
    assert_eq!(found.clearest, None);
}

#[test]
fn matchups_count_ties_scores_and_groups() {
    let mut matchups = Matchups::new(3);
    matchups.add(0, &[(0, 1, 9), (2, 2, 4)]);
    matchups.add(0, &[(2, 1, 6), (0, 1, 6)]);
    matchups.add(1, &[(2, 1, 8), (0, 2, 1)]);
    let own = matchups.of(0, 2).unwrap();
    assert_eq!((own.episodes, own.before, own.tied), (3, 1, 1));
    close(own.mean_difference, (5.0 + 0.0 - 7.0) / 3.0, 1e-12, "difference");
    close(own.share, 0.5, 1e-12, "share");
    // Groups: 1.5 of 2 and 0 of 1; residuals from a half: 0.5 and -0.5.
    close(own.share_error, (0.5f64 * 2.0).sqrt() / 3.0, 1e-12, "error");
    let other = matchups.of(2, 0).unwrap();
    assert_eq!((other.before, other.tied), (1, 1));
    close(other.mean_difference, 2.0 / 3.0, 1e-12, "difference");
    assert_eq!(matchups.of(0, 1), None);
}

#[test]
fn the_sequence_of_episodes_does_not_matter() {
    let mut stream = Stream::from_seed(5);
    let mut episodes: Vec<Vec<(u16, u32)>> = Vec::new();
    for _ in 0..300 {
        let mut who = [0u16, 1, 2, 3, 4];
        stream.shuffle(&mut who);
        episodes.push(who[..4].iter().enumerate().map(|(place, who)| (*who, 1 + place as u32 / 2)).collect());
    }
    let strengths = |episodes: &[Vec<(u16, u32)>]| {
        let mut orders = Orders::new(5);
        for episode in episodes {
            add(&mut orders, 1, episode);
        }
        fit(&orders, FitOptions::default()).unwrap().strengths
    };
    let first = strengths(&episodes);
    stream.shuffle(&mut episodes);
    for (own, other) in first.iter().zip(strengths(&episodes)) {
        close(*own, other, 1e-9, "strength");
    }
}

#[test]
fn ties_of_many_are_symmetric_and_finite() {
    // Efron's approximation is used from six tied entrants on: equal treatment stays equal.
    let mut orders = Orders::new(8);
    for shift in 0..8u16 {
        let places: Vec<(u16, u32)> =
            (0..8).map(|index| ((index + shift) % 8, if index == 0 { 1 } else { 2 })).collect();
        add(&mut orders, 3, &places);
    }
    for strength in fit(&orders, EXACT).unwrap().strengths {
        close(strength, 0.0, 1e-9, "strength");
    }
}

#[test]
fn a_clean_sheet_is_finite_with_a_prior_and_an_error_without() {
    let mut orders = Orders::new(2);
    add(&mut orders, 50, &[(0, 1), (1, 2)]);
    assert_eq!(fit(&orders, EXACT), Err(RatingError::NoMaximum));
    let ratings = rate(&orders, &RateOptions { anchor: 1, ..RateOptions::default() }).unwrap();
    let best = &ratings.competitors[0];
    assert!((300.0..1500.0).contains(&best.points), "{best:?}");
    assert!(
        best.interval.is_some_and(|[low, high]| high - low > 20.0),
        "nobody is sure how much better: {best:?}"
    );
    assert_eq!(ratings.competitors[1].interval, None, "the anchor's points are no estimate");
    assert_eq!((best.rank, best.band, best.rank_range), (1, 1, [1, 1]));
    assert_eq!(ratings.competitors[1].band, 2);
    assert_eq!(ratings.better(0, 1), 1.0);
    assert_eq!(best.rank_at_most, [1.0, 1.0]);
}

#[test]
fn nothing_to_rate_is_an_error() {
    let mut orders = Orders::new(2);
    orders.add(0, &order(&[(0, 1)]));
    assert_eq!(rate(&orders, &RateOptions::default()), Err(RatingError::Empty));
}

#[test]
fn equal_competitors_share_a_band() {
    let mut orders = Orders::new(4);
    let mut stream = Stream::from_seed(11);
    for group in 0..100 {
        let mut who = [0u16, 1, 2, 3];
        stream.shuffle(&mut who);
        // Competitor 3 is always last; the others are equal.
        who.sort_by_key(|who| *who == 3);
        let places: Vec<(u16, u32)> = (0..4).map(|place| (who[place as usize], place)).collect();
        orders.add(group, &order(&places));
    }
    let ratings = rate(&orders, &RateOptions::default()).unwrap();
    let bands: Vec<usize> = ratings.competitors.iter().map(|rated| rated.band).collect();
    assert_eq!(bands, [1, 1, 1, 2]);
    assert_eq!(ratings.competitors[3].rank_range, [4, 4]);
    assert_eq!(ratings.competitors[0].rank_range[1], 3);
}

/// Bands, rank ranges and intervals agree, also for few deal groups, which tell little.
#[test]
fn bands_and_ranks_agree_with_the_intervals() {
    let mut shared = 0;
    for (groups, rotations) in [(1, 1), (1, 2), (1, 6), (2, 1), (2, 2), (2, 6), (3, 2), (5, 2), (60, 2)] {
        // The first competitor always beats the second, or loses one rotation of each deal.
        for lost in [0, 1] {
            let mut orders = Orders::new(2);
            for group in 0..groups {
                for rotation in 0..rotations {
                    let places = if rotation < lost { [(0, 2), (1, 1)] } else { [(0, 1), (1, 2)] };
                    orders.add(group, &order(&places));
                }
            }
            let ratings = rate(&orders, &RateOptions::default()).unwrap();
            let [first, second] = &ratings.competitors[..] else { panic!("two were rated") };
            let interval = second.interval.unwrap();
            let apart = interval[0] > 0.0 || interval[1] < 0.0;
            shared += usize::from(!apart);
            let what = format!("{groups} groups, {rotations} rotations, {lost} lost: {interval:?}");
            assert_eq!(first.band != second.band, apart, "{what}");
            for own in [first, second] {
                let expected = if apart { [own.rank, own.rank] } else { [1, 2] };
                assert_eq!(own.rank_range, expected, "{what}");
            }
            if groups <= 2 && rotations <= 2 {
                assert!(!apart, "{what}");
            }
            if groups == 60 && lost == 0 {
                assert!(apart, "{what}");
            }
        }
    }
    assert!(shared >= 8, "{shared}");
}

#[test]
fn exact_ties_share_their_rank() {
    let mut orders = Orders::new(3);
    for _ in 0..10 {
        add(&mut orders, 1, &[(0, 1), (1, 1), (2, 2)]);
    }
    let ratings = rate(&orders, &RateOptions::default()).unwrap();
    let ranks: Vec<usize> = ratings.competitors.iter().map(|own| own.rank).collect();
    assert_eq!(ranks, [1, 1, 3]);
}

/// Orders of `groups` deal groups with seat effects. A group is one table of four in four seatings, with
/// independent results.
fn simulated(stream: &mut Stream, strengths: &[f64], groups: u64) -> Orders {
    let competitors = strengths.len();
    let seats = [0.3, 0.1, -0.1, -0.3];
    let mut orders = Orders::new(competitors);
    let mut all: Vec<u16> = (0..competitors as u16).collect();
    for group in 0..groups {
        stream.shuffle(&mut all);
        let table = &all[..4];
        for rotation in 0..4usize {
            let who: Vec<u16> = (0..4).map(|seat| table[(seat + rotation) % 4]).collect();
            // Exponential races: the smallest of Exp(1)/λ is first (Plackett and Luce's model).
            let mut race: Vec<(f64, usize)> = (0..4)
                .map(|seat| {
                    let lambda: f64 = (strengths[usize::from(who[seat])] + seats[seat]).exp();
                    (-(1.0 - stream.unit()).ln() / lambda, seat)
                })
                .collect();
            race.sort_by(|a, b| a.0.total_cmp(&b.0));
            let entrants: Vec<Entrant> = race
                .iter()
                .enumerate()
                .map(|(place, (_, seat))| Entrant {
                    competitor: who[*seat],
                    seat: *seat as u16,
                    place: place as u32,
                })
                .collect();
            orders.add(group, &entrants);
        }
    }
    orders
}

#[test]
fn intervals_cover_the_truth() {
    // 60 runs of 8 competitors: 420 intervals (the anchor has none), true strengths 0.15 apart. At 95 % the
    // expected share is 0.95, with a standard error below 0.02 (the intervals of one run are correlated).
    let strengths: Vec<f64> = (0..8).map(|index| 0.15 * f64::from(index)).collect();
    for (groups, low, high) in [(60u64, 0.90, 0.99), (12, 0.89, 0.995)] {
        let mut stream = Stream::from_seed(2024 + groups);
        let (mut covered, mut all) = (0, 0);
        for run in 0..60 {
            let orders = simulated(&mut stream, &strengths, groups);
            let options = RateOptions { resamples: 120, seed: run, ..RateOptions::default() };
            let ratings = rate(&orders, &options).unwrap();
            for (index, rated) in ratings.competitors.iter().enumerate().skip(1) {
                let truth = POINTS * (strengths[index] - strengths[0]);
                covered += usize::from(holds(rated, truth));
                all += 1;
            }
        }
        let share = f64::from(covered as u32) / f64::from(all);
        assert!(
            (low..=high).contains(&share),
            "{groups} groups: {covered} of {all} intervals hold the truth"
        );
    }
}

#[test]
fn the_range_of_ranks_says_what_the_intervals_say() {
    let strengths: Vec<f64> = (0..12).map(|index| 0.2 * f64::from(index)).collect();
    let mut stream = Stream::from_seed(31);
    let mut apart = 0;
    for (groups, resamples) in [(10, 1), (10, 3), (10, 41), (40, 100), (160, 500)] {
        let orders = simulated(&mut stream, &strengths, groups);
        for anchor in 0..12 {
            let options = RateOptions { resamples, anchor, ..RateOptions::default() };
            let rated = rate(&orders, &options).unwrap().competitors;
            let better = rated.iter().filter(|own| own.interval.is_some_and(|[low, _]| low > 0.0)).count();
            let worse = rated.iter().filter(|own| own.interval.is_some_and(|[_, high]| high < 0.0)).count();
            assert_eq!(
                rated[anchor].rank_range,
                [1 + better, 12 - worse],
                "{groups} groups, {resamples} resamples"
            );
            apart += better + worse;
        }
    }
    assert!(apart > 100, "{apart}");
}

#[test]
fn threads_make_no_difference() {
    let mut stream = Stream::from_seed(12);
    let strengths: Vec<f64> = (0..150).map(|index| 0.02 * f64::from(index)).collect();
    for competitors in [7, 150] {
        let orders = simulated(&mut stream, &strengths[..competitors], 200);
        let rated = |threads| {
            rate(&orders, &RateOptions { resamples: 33, threads, ..RateOptions::default() }).unwrap()
        };
        let one = rated(1);
        assert!(one.competitors.iter().skip(1).all(|own| own.interval.is_some_and(|[low, high]| low < high)));
        for threads in [2, 5, 64] {
            assert!(one == rated(threads), "{competitors} competitors, {threads} threads");
        }
    }
}

#[test]
fn where_few_have_met_the_top_is_found_without_a_matrix() {
    // Tables of 2 to 9 among 300, with ties of all sizes.
    let mut stream = Stream::from_seed(77);
    let mut orders = Orders::new(300);
    let mut all: Vec<u16> = (0..300).collect();
    for group in 0..400u64 {
        stream.shuffle(&mut all);
        let size = 2 + group as usize % 8;
        let places: Vec<(u16, u32)> = all[..size]
            .iter()
            .map(|own| (*own, stream.below(1 + group as u32 / 8 % 9) + u32::from(*own > 200)))
            .collect();
        orders.add(group, &order(&places));
    }
    for (prior, seats) in
        [(1.0, SeatEffects::WhereMixed), (1.0, SeatEffects::None), (1e-3, SeatEffects::None)]
    {
        let options = FitOptions { prior, seats };
        let found = fit(&orders, options).unwrap();
        let at: Vec<f64> = found.strengths.iter().chain(&found.seats).copied().collect();
        assert!(found.steps <= 20, "as fast as with the matrix: {} steps", found.steps);
        if found.seats.is_empty() {
            let slope = likelihood(&orders, options, &at).gradient;
            let steepest = slope.iter().fold(0.0f64, |steepest, own| steepest.max(own.abs()));
            assert!(steepest < 1e-9, "prior {prior}: {steepest}");
        }
    }
}

#[test]
fn seat_effects_are_found() {
    let mut stream = Stream::from_seed(9);
    let orders = simulated(&mut stream, &[0.0; 6], 800);
    let ratings = rate(&orders, &RateOptions { resamples: 200, ..RateOptions::default() }).unwrap();
    for (seat, expected) in [0.3, 0.1, -0.1, -0.3].into_iter().enumerate() {
        let found = &ratings.seats[seat];
        close(found.points, POINTS * expected, 20.0, "seat effect");
        let [low, high] = found.interval.unwrap();
        assert!((low..=high).contains(&(POINTS * expected)), "{found:?}");
    }
}

/// The strength t at which the prior holds back a competitor that won all of `games` against one other. It
/// solves games · σ(−2t) = prior · (σ(t) − ½), by bisection.
fn held_back(games: f64, prior: f64) -> f64 {
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..200 {
        let middle: f64 = (low + high) / 2.0;
        // Unlike 1 − σ(2t), σ(−2t) loses nothing to rounding.
        if games * logistic(-2.0 * middle) > prior * (logistic(middle) - 0.5) {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

#[test]
fn small_priors_are_fitted_too() {
    for prior in [100.0, 1.0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        for games in [1, 40, 5_000] {
            let mut orders = Orders::new(2);
            add(&mut orders, games, &[(0, 1), (1, 2)]);
            let found = fit(&orders, FitOptions { prior, seats: SeatEffects::None })
                .unwrap_or_else(|error| panic!("prior {prior}, {games} games: {error}"));
            let expected = held_back(games as f64, prior);
            // A small prior hardly holds the sum of both strengths, so their difference is compared, to a
            // hundredth of a point.
            let difference = found.strengths[0] - found.strengths[1];
            close(difference, 2.0 * expected, 6e-5, &format!("prior {prior}, {games} games"));
        }
    }
}

#[test]
fn small_priors_have_intervals_whatever_the_results() {
    let ladder = |orders: &mut Orders| {
        // Every competitor always beats those with higher numbers, from every seat: only the prior bounds
        // strengths.
        for group in 0..30 {
            for seats in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [3, 4, 0], [0, 3, 4], [4, 0, 3]] {
                let places: Vec<(u16, u32)> = seats.iter().map(|own| (*own, u32::from(*own))).collect();
                orders.add(group, &order(&places));
            }
        }
    };
    let mixed = |orders: &mut Orders| {
        let mut stream = Stream::from_seed(5);
        for group in 0..200 {
            let mut seats = [0, 1, 2, 3, 4];
            stream.shuffle(&mut seats);
            let places: Vec<(u16, u32)> =
                seats[..3].iter().map(|own| (*own, stream.below(3) + u32::from(*own == 4))).collect();
            orders.add(group, &order(&places));
        }
    };
    for prior in [1.0, 1e-3, 1e-4, 1e-6] {
        for (name, fill) in [("ladder", &ladder as &dyn Fn(&mut Orders)), ("mixed", &mixed)] {
            let mut orders = Orders::new(5);
            fill(&mut orders);
            let fit = FitOptions { prior, seats: SeatEffects::WhereMixed };
            let options = RateOptions { fit, resamples: 100, ..RateOptions::default() };
            let rated = rate(&orders, &options).unwrap_or_else(|error| panic!("{name}, {prior}: {error}"));
            for own in &rated.competitors {
                let [low, high] = own.interval.unwrap_or([own.points; 2]);
                assert!(own.points.is_finite() && low.is_finite() && high.is_finite(), "{own:?}");
                assert!(low <= own.points && own.points <= high, "{own:?}");
            }
            if name == "ladder" {
                let points: Vec<f64> = rated.competitors.iter().map(|own| own.points).collect();
                assert!(
                    points[0] > points[1] && points[1] > points[2] && points[3] > points[4],
                    "{points:?}"
                );
            }
        }
    }
}

#[test]
fn a_curvature_that_is_lost_in_rounding_is_damped() {
    // Two pairs that never meet: only the prior determines their distance, and a very small prior is rounded
    // away.
    let mut orders = Orders::new(4);
    for game in 0..4 {
        let (own, other) = if game > 0 { (1, 2) } else { (2, 1) };
        for first in [0, 2] {
            let entrants = [(first, 0, own), (first + 1, 1, other)];
            let entrants = entrants.map(|(competitor, seat, place)| Entrant { competitor, seat, place });
            orders.add(2 * game + u64::from(first) / 2, &entrants);
        }
    }
    assert_eq!(fit(&orders, EXACT), Err(RatingError::NoMaximum));
    let found = fit(&orders, FitOptions { prior: 1e-15, seats: SeatEffects::None }).unwrap();
    for pair in found.strengths.chunks(2) {
        close(pair[0] - pair[1], 3f64.ln(), 1e-9, "odds of three to one");
    }
    // Damping is as small as possible, so the iteration is as fast as Newton's method.
    assert!(found.steps <= 8, "{} steps", found.steps);
}

/// True if the interval of a rating contains this number.
fn holds(rated: &meeple_arena::rating::Rated, truth: f64) -> bool {
    rated.interval.is_some_and(|[low, high]| (low..=high).contains(&truth))
}
