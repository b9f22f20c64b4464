//! Lists that serialise without being collected.

use serde::{Serialize, Serializer};

/// Serialises as the list of what an iterator gives, which the function begins anew each time: for what is hashed at
/// every decision, where a list in memory would cost an allocation.
pub struct Listed<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
