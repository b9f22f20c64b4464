//! Lists that serialise without being collected.

use serde::{Serialize, Serializer};

/// Serialises as the list of an iterator's items. The function returns a fresh iterator each time. For data
/// hashed at every decision, where a list in memory would cost an allocation.
pub struct Listed<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
