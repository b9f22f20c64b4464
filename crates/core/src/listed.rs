//! Lists that are serialised without being collected.

use serde::{Serialize, Serializer};

/// Serialises as the list of an iterator's items; the function returns a new iterator for each call. A list
/// in memory would cost one allocation per decision.
pub struct Listed<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
