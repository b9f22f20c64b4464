//! Hashes for change detection: equal hashes are taken for equal values.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The 64-bit hash of a value, equal in every process of one build.
pub fn mark(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The [`mark`] of each value, in order.
pub fn marks(all: impl IntoIterator<Item = impl Hash>) -> Box<[u64]> {
    all.into_iter().map(|one| mark(&one)).collect()
}
