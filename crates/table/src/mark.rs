//! Hashes, by which things are known again.

use std::hash::{DefaultHasher, Hash, Hasher};

/// By what something is known again. It is the same in every process of one build.
pub fn mark(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The same of each.
pub fn marks(all: impl IntoIterator<Item = impl Hash>) -> Box<[u64]> {
    all.into_iter().map(|one| mark(&one)).collect()
}
