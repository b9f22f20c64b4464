//! The likelihood behind ratings, and the chance of noise: laws and published tables.

use meeple_arena::rating::{
    Entrant, FitOptions, Likelihood, Matchups, Orders, SeatEffects, chi_squared_above, cycles, likelihood,
};
use meeple_core::Stream;

/// Orders of random tables of 2 to 7 among 8, everybody at every seat, with `places` places to be shared.
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

/// Finite differences: gradient against value, curvature against gradient. With and without ties, prior and
/// seat effects.
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
                // Without a prior the flat directions are made regular.
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
    // The square of a standard normal: both tails.
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
    // No noise explains nothing less than nothing, and no degrees leave nothing to explain.
    assert_eq!((chi_squared_above(0.0, 3), chi_squared_above(5.0, 0)), (1.0, 1.0));
    // Many degrees: the mean is near the median, and far out is far out.
    assert!((chi_squared_above(100_000.0, 100_000) - 0.5).abs() < 0.001);
    assert!(chi_squared_above(103_000.0, 100_000) < 1e-10);
    // It falls everywhere, also where the series hands over to the fraction.
    for degrees in [1, 2, 7, 40] {
        let values: Vec<f64> =
            (0..400).map(|step| chi_squared_above(f64::from(step) / 4.0, degrees)).collect();
        assert!(values.is_sorted_by(|a, b| a >= b) && values[399] < 0.01, "{degrees}");
    }
}

/// Duels of three, each pair with these wins of the first and ties, in a hundred.
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

/// Three who are level beat nobody, so they are no cycle; one duel more each way makes one.
#[test]
fn level_competitors_are_no_cycle() {
    for (wins, ties, is_cycle) in
        [(50, 0, false), (0, 100, false), (40, 20, false), (51, 0, true), (40, 22, true), (49, 0, true)]
    {
        let found = cycles(&three(wins, ties)).unwrap();
        assert_eq!(found.clearest.is_some(), is_cycle, "{wins} wins and {ties} ties of 100: {found:?}");
    }
}

/// The p-value follows the law it is named after: where ratings say everything, one in twenty is below 0.05.
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
    // Binomial with mean 20 and standard deviation 4.4.
    assert!((7..=34).contains(&below), "{below} of {runs}");
}
