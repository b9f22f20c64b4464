//! Lists that serialise without being collected.

use serde::{Serialize, Serializer};

/// Serialises as the list of the items of an iterator, which the function returns fresh each time. A list in
/// memory would cost an allocation at every decision.
pub struct Listed<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
