//! Squares of what tries at the root were worth: what intervals are made of.

/// Sums of squares by the numbers of entries. Nearly all entries of a root are among the first of a tree, so
/// that the list stays short; entries elsewhere have none, and cost nothing.
#[derive(Default)]
pub(crate) struct Squares(Vec<f64>);

impl Squares {
    pub(crate) fn restart(&mut self) {
        self.0.clear();
    }

    /// Adds the square of what a try of this entry was worth.
    #[inline]
    pub(crate) fn add(&mut self, entry: u32, worth: f64) {
        let entry = entry as usize;
        if entry >= self.0.len() {
            self.0.resize(entry + 1, 0.0);
        }
        self.0[entry] += worth * worth;
    }

    pub(crate) fn of(&self, entry: u32) -> f64 {
        self.0.get(entry as usize).copied().unwrap_or(0.0)
    }
}
