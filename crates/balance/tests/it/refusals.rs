use meeple_balance::{Balance, BalanceOptions, MAX_EPISODES, Rules, TrialPlan};

use crate::{hands, options, words};

fn refusal(strategies: &[&str], options: &BalanceOptions) -> String {
    let found = Balance::new(&hands::entry(), None, &[], &words(strategies), options);
    found.err().expect("it is refused").to_string()
}

#[test]
fn bad_input_gets_a_hint() {
    let cases: [(&[&str], BalanceOptions, &[&str]); 8] = [
        (
            &["random"],
            BalanceOptions { seats: 1, ..options() },
            &["at least 2 seats", "found 1", "meeple sweep"],
        ),
        (&["random"], BalanceOptions { seats: 9, ..options() }, &["2 to 6", "9"]),
        (&["random"], BalanceOptions { episodes: 0, ..options() }, &["at least 1 episode"]),
        (&["random"], BalanceOptions { episodes: MAX_EPISODES + 1, ..options() }, &["at most"]),
        (&["random*2"], options(), &["each strategy once", "--seats"]),
        (&["radnom"], options(), &["radnom", "random"]),
        (&["throws:stone"], options(), &["stone", "rock"]),
        (&["random", "throws:1..2"], options(), &["1..2"]),
    ];
    for (strategies, options, parts) in cases {
        let error = refusal(strategies, &options);
        assert!(parts.iter().all(|part| error.contains(part)), "{parts:?}: {error}");
    }
}

#[test]
fn too_many_tables_are_counted_before_they_are_played() {
    let many = vec!["random"; 60];
    let error = refusal(&many, &BalanceOptions { seats: 4, ..options() });
    assert!(error.contains("595665 of 60 strategies on 4 seats"), "{error}");
}

#[test]
fn bad_sweeps_are_refused() {
    let entry = hands::entry();
    let rules = Rules { entry: &entry, preset: None, set: &[] };
    for (range, part) in [
        ("rounds", "KEY=RANGE"),
        ("rouns=1..3", "rounds"),
        ("rounds=3..1", "3..1"),
        ("rounds=2", "--set"),
        ("rounds=1..500", "100"),
    ] {
        let error =
            TrialPlan::of_values(rules, range, &words(&["random"]), &options()).err().unwrap().to_string();
        assert!(error.contains(part), "{range}: {error}");
    }
}
