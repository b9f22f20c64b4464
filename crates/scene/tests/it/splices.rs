//! Differences between two lists.

use meeple_scene::{Splice, splices};

/// A pseudo-random list, equal at every run.
fn list(seed: u64, length: u64, kinds: u64) -> Vec<u64> {
    let word = |at: u64| (seed + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    (0..length).map(|at| word(at) % kinds).collect()
}

/// Asserts that the splices turn `old` into `new`, and send at most `most` members.
fn check(old: &[u64], new: &[u64], most: usize) {
    let (mut made, mut before, mut sent) = (old.to_vec(), old.len(), 0);
    for Splice { at, gone, come } in splices(old, new) {
        assert!(at + gone <= before, "the last change stands first, and none touches another");
        before = at;
        sent += come.len();
        made.splice(at..at + gone, new[come].iter().copied());
    }
    assert!(made == new, "{} to {}", old.len(), new.len());
    assert!(sent <= most, "{sent} were sent, of {}", new.len());
}

#[test]
fn small_lists() {
    check(&[], &[], 0);
    check(&[], &[1, 2], 2);
    check(&[1, 2], &[], 0);
    check(&[1, 2, 3], &[1, 2, 3], 0);
    check(&[1, 1, 1], &[1, 1], 0);
    for seed in 0..50 {
        check(&list(seed, 20, 5), &list(seed + 99, 24, 5), 24);
    }
}

#[test]
fn long_lists_are_cut_where_they_have_something_in_common() {
    let old: Vec<u64> = (0..5_000).collect();
    // Every tenth member differs, and some members come and go: all changes are found.
    let mut new: Vec<u64> = old.iter().map(|one| if one % 10 == 0 { one + 10_000 } else { *one }).collect();
    new.splice(100..103, []);
    new.splice(4_000..4_000, 20_000..20_050);
    check(&old, &new, 550);
    // The members moved forward are sent, the others are kept.
    let moved: Vec<u64> = (3_000..4_000).chain(0..3_000).chain(4_000..5_000).collect();
    check(&old, &moved, 1_000);
    // Without common members, or without unique ones, the list is sent as a whole.
    check(&old, &(5_000..10_000).collect::<Vec<_>>(), 5_000);
    check(&list(1, 5_000, 7), &list(5, 4_000, 7), 4_000);
}
