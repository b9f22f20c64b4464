//! The same seed gives the same bytes.

use std::ops::ControlFlow;

use meeple_solve::{Profile, Settings, solve};

use crate::support::{kuhn, learned, leduc, tree};

/// A profile to the last bit.
fn bits(tree: &meeple_solve::Tree, profile: &Profile) -> Vec<u64> {
    (0..tree.sets()).flat_map(|set| profile.at(tree, set)).map(|share| share.to_bits()).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let [one, again] = [tree(&leduc()), tree(&leduc())];
    let of = |tree, seed| bits(tree, &learned(tree, 500, seed).profile);
    assert_eq!(of(&one, 1), of(&again, 1));
    assert_ne!(of(&one, 1), of(&one, 2));
}

#[test]
fn what_is_broken_off_is_what_fewer_iterations_give() {
    let tree = tree(&kuhn());
    let settings = Settings { iterations: 100_000, seed: 4 };
    let mut reports = Vec::new();
    let broken = solve(&tree, &settings, |done, curve| {
        reports.push((done, curve.len()));
        if reports.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let broken = broken.unwrap();
    assert!(reports.is_sorted() && broken.iterations == reports[2].0, "{reports:?}");
    assert!(broken.iterations < settings.iterations);
    let whole = learned(&tree, broken.iterations, 4);
    assert_eq!(bits(&tree, &broken.profile), bits(&tree, &whole.profile));
    assert_eq!((&broken.values, &broken.regrets), (&whole.values, &whole.regrets));
}

#[test]
fn milestones_halve_to_the_end() {
    let tree = tree(&kuhn());
    let done = |iterations| -> Vec<u64> {
        learned(&tree, iterations, 1).curve.iter().map(|milestone| milestone.iterations).collect()
    };
    assert_eq!(done(12), [3, 6, 12]);
    assert_eq!(done(1), [1]);
    assert_eq!(done(1 << 12).len(), 11);
}
