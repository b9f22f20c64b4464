//! Lists in what serialises, without a buffer.

use serde::{Serialize, Serializer};

/// What an iterator gives, as a list: `Listed(|| (0..3).map(name))`. Nothing is collected, so that the key of an
/// observation costs no memory.
pub struct Listed<F>(pub F);

impl<F, I> Serialize for Listed<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
