//! The sequential test: its statistic by hand, its error rates by simulation.

use meeple_arena::report::tables;
use meeple_arena::sprt::{MIN_GROUPS, Sprt, SprtVerdict, bounds};
use meeple_arena::{Bots, Compare, SprtMatch, SprtResult};
use meeple_core::Stream;

use crate::{play, request};

#[test]
fn the_statistic_is_that_of_the_formula() {
    let plan = SprtMatch { low: 0.0, high: 0.5, alpha: 0.05, beta: 0.05, by: Compare::Place };
    let mut test = Sprt::new();
    for difference in [1.0, -1.0, 1.0, 1.0] {
        test.add(&plan, difference);
    }
    // Mean 1/2, standard deviation sqrt(3)/2.
    let effect = 0.5 / 0.75f64.sqrt();
    let expected = 2.0 * ((1.0 + effect * effect) / (1.0 + (effect - 0.5) * (effect - 0.5))).ln();
    assert!((test.log_ratio(&plan) - expected).abs() < 1e-12);
    assert!((test.effect() - effect).abs() < 1e-12);
    assert_eq!(test.verdict(), SprtVerdict::Open);
    assert!((bounds(&plan)[1] - 19f64.ln()).abs() < 1e-12);
}

#[test]
fn groups_that_all_go_alike_decide_once_there_are_enough() {
    let plan = SprtMatch::default();
    for (difference, expected) in
        [(1.0, SprtVerdict::High), (-1.0, SprtVerdict::Low), (0.0, SprtVerdict::Open)]
    {
        let mut test = Sprt::new();
        for group in 1..=MIN_GROUPS {
            test.add(&plan, difference);
            assert_eq!(test.verdict() == SprtVerdict::Open, group < MIN_GROUPS || difference == 0.0);
        }
        assert_eq!(test.verdict(), expected);
    }
}

#[test]
fn plans_that_make_no_test_are_refused() {
    for (low, high, alpha, beta) in [
        (0.1, 0.1, 0.05, 0.05),
        (0.2, 0.1, 0.05, 0.05),
        (0.0, f64::NAN, 0.05, 0.05),
        (0.0, 0.1, 0.0, 0.05),
        (0.0, 0.1, 0.05, 0.5),
    ] {
        assert!(
            SprtMatch { low, high, alpha, beta, by: Compare::Place }.check().is_err(),
            "{low} {high} {alpha} {beta}"
        );
    }
    assert_eq!(SprtMatch::default().check(), Ok(()));
}

/// Share of verdicts for H1, and mean number of groups, over `runs` tests at a true effect. The differences
/// are drawn by `draw` (mean 0, standard deviation 1) and moved by the effect.
fn verdicts(plan: &SprtMatch, effect: f64, runs: u32, draw: fn(&mut Stream) -> f64) -> (f64, f64) {
    let (mut high, mut groups) = (0u32, 0);
    for run in 0..runs {
        let mut stream = Stream::from_seed(77_000 + u64::from(run));
        let mut test = Sprt::new();
        while test.verdict() == SprtVerdict::Open {
            test.add(plan, draw(&mut stream) + effect);
            assert!(test.groups() < 200_000, "the test ends");
        }
        high += u32::from(test.verdict() == SprtVerdict::High);
        groups += test.groups();
    }
    (f64::from(high) / f64::from(runs), groups as f64 / f64::from(runs))
}

fn normal(stream: &mut Stream) -> f64 {
    (-2.0 * (1.0 - stream.unit()).ln()).sqrt() * (std::f64::consts::TAU * stream.unit()).cos()
}

/// The mean of two duels, each won, lost or drawn: what a deal group of two rotations gives.
fn pair_of_duels(stream: &mut Stream) -> f64 {
    let duel = |stream: &mut Stream| f64::from(stream.below(3)) - 1.0;
    (duel(stream) + duel(stream)) / 2.0 / (1.0f64 / 3.0).sqrt()
}

/// A skewed score: exponential.
fn skewed(stream: &mut Stream) -> f64 {
    -(1.0 - stream.unit()).ln() - 1.0
}

#[test]
fn error_rates_are_as_stated() {
    // 2,000 tests each; a rate of 0.05 has a standard error of 0.005. Wald's bounds promise 0.05, and 0.065
    // leaves three standard errors. The skewed score is far from normal, so 0.08 is allowed.
    let plan = SprtMatch { low: 0.0, high: 0.2, alpha: 0.05, beta: 0.05, by: Compare::Place };
    for (name, draw, most) in [
        ("normal", normal as fn(&mut Stream) -> f64, 0.065),
        ("duels", pair_of_duels, 0.065),
        ("skewed", skewed, 0.08),
    ] {
        let (false_high, null_groups) = verdicts(&plan, 0.0, 2000, draw);
        assert!(false_high <= most, "{name}: H1 taken in {false_high} of tests without a difference");
        let (true_high, groups) = verdicts(&plan, 0.2, 2000, draw);
        assert!(
            1.0 - true_high <= most,
            "{name}: H0 taken in {} of tests at the difference",
            1.0 - true_high
        );
        // A test of fixed size with these rates needs (1.645 + 1.645)² / 0.2² = 271 groups.
        assert!(groups < 200.0 && null_groups < 200.0, "{name}: {null_groups} and {groups} groups");
    }
}

#[test]
fn the_test_is_described_in_whole_sentences() {
    let mut request = request("incan-gold", "a=turn:7 b=turn:8");
    request.deals = Some(1);
    let directory = tempfile::tempdir().unwrap();
    let (_, mut standings) = play(&request.plan().unwrap(), directory.path(), Bots::none(), 1, u64::MAX);
    let plan = SprtMatch { low: 0.0, high: 0.1, alpha: 0.05, beta: 0.05, by: Compare::Place };
    let mut sentence = |differences: &[f64]| {
        let mut test = Sprt::new();
        for difference in differences {
            test.add(&plan, *difference);
        }
        let (mean, deviation) = test.mean_and_deviation();
        standings.sprt = Some(SprtResult {
            of: ["a".into(), "b".into()],
            plan,
            verdict: test.verdict(),
            groups: test.groups(),
            mean,
            deviation,
            effect: test.effect(),
            log_ratio: Some(test.log_ratio(&plan)).filter(|ratio| ratio.is_finite()),
            bounds: bounds(&plan),
        });
        let text = tables(&standings, &meeple_arena::CompetitorTimes::default(), None);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let begin = words.find("sequential test: ").expect("it is printed");
        words[begin..].to_owned()
    };
    let alike = "every group came out the same";
    for (differences, expected) in [
        (vec![], "undecided, no whole deal group yet (".to_owned()),
        (vec![1.0], format!("undecided after 1 group; {alike}, a ahead by 1.000 (")),
        (vec![0.0; 500], format!("undecided after 500 groups; {alike}, no difference (")),
        (vec![1.0; 24], format!("a is ahead of b after 24 groups; {alike}, a ahead by 1.000 (")),
        (vec![-0.5; 24], format!("a is not ahead of b after 24 groups; {alike}, b ahead by 0.500 (")),
        (
            vec![1.0, 0.0, 1.0, 0.0],
            "undecided after 4 groups (found 1.000 standard deviations of a deal group, a mean difference of \
             0.500; log ratio 0.20, "
                .to_owned(),
        ),
    ] {
        let expected = format!(
            "sequential test: {expected}bounds -2.94 and 2.94; error rates 0.05 and 0.05)."
        );
        let found = sentence(&differences);
        assert!(found.starts_with(&expected), "expected {expected}\nfound {found}");
    }
    let found = sentence(&[1.0, 1.0, 0.0].repeat(40));
    let expected =
        "a is ahead of b by more than 0 standard deviations of a deal group after 120 groups (found 1.414";
    assert!(found.contains(expected), "{found}");
}

/// The statistic by hand: 24 groups of mean 0.6 and standard deviation 0.2.
#[test]
fn a_test_of_means_is_that_of_the_formula() {
    use meeple_lab::sprt::MeanTest;

    let plan = MeanTest { low: 0.5, high: 0.55, alpha: 0.05, beta: 0.05 };
    let mut test = Sprt::new();
    (0..12).for_each(|_| [0.4, 0.8].into_iter().for_each(|share| test.add_mean(&plan, share)));
    let expected = 12.0 * ((0.04f64 + 0.01) / (0.04 + 0.0025)).ln();
    assert!((test.log_ratio_of_means(&plan) - expected).abs() < 1e-9, "{}", test.log_ratio_of_means(&plan));
    assert_eq!(test.verdict(), SprtVerdict::Open);
    // If all groups are alike, the nearer bound is taken as soon as there are enough groups.
    for (share, expected) in [(0.5, SprtVerdict::Low), (0.6, SprtVerdict::High), (0.3, SprtVerdict::Low)] {
        let mut test = Sprt::new();
        for group in 1..=MIN_GROUPS {
            assert_eq!(test.verdict(), SprtVerdict::Open, "{share}, group {group}");
            test.add_mean(&plan, share);
        }
        assert_eq!(test.verdict(), expected, "{share}");
    }
}
