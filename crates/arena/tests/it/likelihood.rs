//! The likelihood behind ratings, and the chance of noise: laws and published tables.

use meeple_arena::rating::{
    Entrant, FitOptions, Likelihood, Matchups, Orders, SeatEffects, chi_squared_above, cycles, likelihood,
};
use meeple_core::Stream;

/// Orders of random tables with 2 to 7 of 8 competitors, at random seats and places; few `places` give ties.
fn random_orders(stream: &mut Stream, places: u32) -> Orders {
    let mut orders = Orders::new(8);
    let mut all: Vec<u16> = (0..8).collect();
    for group in 0..40 {
        stream.shuffle(&mut all);
        let size = 2 + stream.index(6);
        let entrant = |(seat, competitor): (usize, &u16)| (seat as u16, *competitor);
        let table: Vec<(u16, u16)> = all[..size].iter().enumerate().map(entrant).collect();
        let entrants: Vec<Entrant> = table
            .into_iter()
            .map(|(seat, competitor)| Entrant { competitor, seat, place: stream.below(places) })
            .collect();
        orders.add(group, &entrants);
    }
    orders
}

/// Compares derivatives with finite differences: the gradient with those of the value, the curvature with
/// those of the gradient. Covers ties, priors and seat effects.
#[test]
fn derivatives_are_differences() {
    let mut stream = Stream::from_seed(31);
    for (places, prior, seats) in [
        (1000, 0.0, SeatEffects::None),
        (1000, 1.0, SeatEffects::WhereMixed),
        (4, 0.0, SeatEffects::WhereMixed),
        (4, 0.3, SeatEffects::None),
        (2, 20.0, SeatEffects::WhereMixed),
        (1, 1.0, SeatEffects::None),
    ] {
        let orders = random_orders(&mut stream, places);
        let options = FitOptions { prior, seats };
        let size = if seats == SeatEffects::None { 8 } else { 8 + 7 };
        let at: Vec<f64> = (0..size).map(|_| 3.0 * stream.unit() - 1.5).collect();
        let step = 1e-5;
        let found = likelihood(&orders, options, &at);
        let moved = |index: usize, by: f64| {
            let mut there = at.clone();
            there[index] += by;
            likelihood(&orders, options, &there)
        };
        for row in 0..size {
            let (low, high): (Likelihood, Likelihood) = (moved(row, -step), moved(row, step));
            let what = format!("{places} places, prior {prior}, {seats:?}, parameter {row}");
            let slope = (high.value - low.value) / (2.0 * step);
            let close = |found: f64, expected: f64, what: &str| {
                assert!(
                    (found - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                    "{what}: {found}, {expected}"
                );
            };
            close(found.gradient[row], slope, &what);
            for column in 0..size {
                let bend = -(high.gradient[column] - low.gradient[column]) / (2.0 * step);
                // Without a prior, 1 / n is added to the curvature of every pair of parameters of one kind.
                let same_kind = (row < 8) == (column < 8);
                let count = if row < 8 { 8.0 } else { size as f64 - 8.0 };
                let regular = if prior == 0.0 && same_kind { 1.0 / count } else { 0.0 };
                close(found.curvature[row * size + column] - regular, bend, &format!("{what}, {column}"));
            }
        }
    }
}

/// Two players, computed by hand: ln σ(t₁ − t₂) for a win and the mean of both for a tie. The prior adds half
/// a win and half a loss against strength 0.
#[test]
fn the_value_is_that_of_the_formula() {
    let entrants = |places: [u32; 2]| {
        [0u16, 1].map(|own| Entrant { competitor: own, seat: own, place: places[usize::from(own)] })
    };
    let mut orders = Orders::new(2);
    for (group, places) in [[0, 1], [0, 1], [1, 0], [0, 0]].into_iter().enumerate() {
        orders.add(group as u64, &entrants(places));
    }
    let ln_sigma = |x: f64| -(1.0 + (-x).exp()).ln();
    let (first, second) = (0.7, -0.4);
    for prior in [0.0, 2.0] {
        let options = FitOptions { prior, seats: SeatEffects::None };
        let games = 2.5 * ln_sigma(first - second) + 1.5 * ln_sigma(second - first);
        let phantom = |own: f64| prior * 0.5 * (ln_sigma(own) + ln_sigma(-own));
        let expected = games + phantom(first) + phantom(second);
        let found = likelihood(&orders, options, &[first, second]).value;
        assert!((found - expected).abs() < 1e-12, "prior {prior}: {found}, {expected}");
    }
}

#[test]
fn chi_squared_is_that_of_the_tables() {
    for (degrees, chance, value) in [
        (1, 0.95, 0.003_932_140_000_019_522),
        (1, 0.05, 3.841_458_820_694_124),
        (1, 0.001, 10.827_566_170_662_733),
        (2, 0.05, 5.991_464_547_107_979),
        (2, 0.01, 9.210_340_371_976_18),
        (3, 0.05, 7.814_727_903_251_179),
        (5, 0.05, 11.070_497_693_516_351),
        (5, 0.01, 15.086_272_469_388_99),
        (10, 0.95, 3.940_299_136_119_060_5),
        (10, 0.5, 9.341_817_765_591_97),
        (10, 0.05, 18.307_038_053_275_146),
        (10, 0.001, 29.588_298_445_074_42),
        (30, 0.05, 43.772_971_825_742_19),
        (100, 0.05, 124.342_113_404_004_07),
        (100, 0.01, 135.806_723_171_026_76),
    ] {
        let found = chi_squared_above(value, degrees);
        assert!((found - chance).abs() < 1e-10, "{degrees} degrees, {value}: {chance}, {found}");
    }
    // The square of a standard normal variable: both tails count.
    for (z, tail) in [
        (1.0, 0.158_655_253_931_457_05),
        (2.0, 0.022_750_131_948_179_21),
        (3.0, 0.001_349_898_031_630_094_5),
        (5.0, 2.866_515_718_791_939e-7),
        (8.0, 6.220_960_574_271_785e-16),
    ] {
        let found = chi_squared_above(z * z, 1) / 2.0;
        assert!((found / tail - 1.0).abs() < 1e-10, "{z}: {tail}, {found}");
    }
    // A value of 0 and 0 degrees both give probability 1.
    assert_eq!((chi_squared_above(0.0, 3), chi_squared_above(5.0, 0)), (1.0, 1.0));
    // With many degrees the mean is near the median, and values 7 standard deviations above are unlikely.
    assert!((chi_squared_above(100_000.0, 100_000) - 0.5).abs() < 0.001);
    assert!(chi_squared_above(103_000.0, 100_000) < 1e-10);
    // The probability falls with the value, also where the series hands over to the continued fraction.
    for degrees in [1, 2, 7, 40] {
        let values: Vec<f64> =
            (0..400).map(|step| chi_squared_above(f64::from(step) / 4.0, degrees)).collect();
        assert!(values.is_sorted_by(|a, b| a >= b) && values[399] < 0.01, "{degrees}");
    }
}

/// Duels of three competitors in a circle, 100 per pair: wins of the first, ties, and losses.
fn three(wins: u64, ties: u64) -> Matchups {
    let mut matchups = Matchups::new(3);
    let mut group = 0;
    for (first, second) in [(0u16, 1u16), (1, 2), (2, 0)] {
        for game in 0..100 {
            group += 1;
            let places = if game < wins { (1, 2) } else { (2, 1) };
            let places = if game < wins + ties && game >= wins { (1, 1) } else { places };
            matchups.add(group, &[(first, places.0, 0), (second, places.1, 0)]);
        }
    }
    matchups
}

/// Three level competitors are no cycle; one more duel won or lost by the first of each pair makes one.
#[test]
fn level_competitors_are_no_cycle() {
    for (wins, ties, is_cycle) in
        [(50, 0, false), (0, 100, false), (40, 20, false), (51, 0, true), (40, 22, true), (49, 0, true)]
    {
        let found = cycles(&three(wins, ties)).unwrap();
        assert_eq!(found.clearest.is_some(), is_cycle, "{wins} wins and {ties} ties of 100: {found:?}");
    }
}

/// Without intransitivity the p-value is uniform: about one in twenty is below 0.05.
#[test]
fn p_values_of_noise_are_uniform() {
    let mut stream = Stream::from_seed(8);
    let (mut below, runs) = (0, 400);
    for _ in 0..runs {
        let mut matchups = Matchups::new(4);
        let strengths = [0.0, 0.4, 0.8, 1.2];
        let mut group = 0;
        for first in 0..4u16 {
            for second in first + 1..4 {
                for _ in 0..200 {
                    group += 1;
                    let odds = f64::exp(strengths[usize::from(first)] - strengths[usize::from(second)]);
                    let won = stream.chance(odds / (1.0 + odds));
                    let places = if won { (1, 2) } else { (2, 1) };
                    matchups.add(group, &[(first, places.0, 0), (second, places.1, 0)]);
                }
            }
        }
        below += usize::from(cycles(&matchups).unwrap().p_value < 0.05);
    }
    // Binomial with mean 20 and standard deviation 4.4, in runs.
    assert!((7..=34).contains(&below), "{below} of {runs}");
}
