//! Numbers that are worth keeping until something changes.

/// Numbers by index, all of which are forgotten at once, at no cost.
pub(super) struct Memo {
    /// When each was kept, and what.
    kept: Box<[(u32, f64)]>,
    round: u32,
}

impl Memo {
    /// With room for indices below `size`.
    pub(super) fn new(size: usize) -> Self {
        Self { kept: vec![(0, 0.0); size].into(), round: 1 }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.kept.fill((0, 0.0));
            self.round = 1;
        }
    }

    /// What was kept here since the last time that everything was forgotten.
    #[inline]
    pub(super) fn find(&self, index: usize) -> Option<f64> {
        let (round, value) = self.kept[index];
        (round == self.round).then_some(value)
    }

    /// Keeps a value here, and returns it.
    #[inline]
    pub(super) fn keep(&mut self, index: usize, value: f64) -> f64 {
        self.kept[index] = (self.round, value);
        value
    }
}
