//! Caches of numbers that are cleared together.

/// A cache of numbers by index. Clearing it takes constant time.
pub(super) struct Memo {
    /// The round of each entry, and its value.
    kept: Box<[(u32, f64)]>,
    round: u32,
}

impl Memo {
    pub(super) fn new(size: usize) -> Self {
        Self { kept: vec![(0, 0.0); size].into(), round: 1 }
    }

    pub(super) fn forget(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.kept.fill((0, 0.0));
            self.round = 1;
        }
    }

    #[inline]
    pub(super) fn find(&self, index: usize) -> Option<f64> {
        let (round, value) = self.kept[index];
        (round == self.round).then_some(value)
    }

    /// Stores a value and returns it.
    #[inline]
    pub(super) fn keep(&mut self, index: usize, value: f64) -> f64 {
        self.kept[index] = (self.round, value);
        value
    }
}
