//! Positions and the places of the tree that stand for them: a table by key, reused from search to search.

use crate::tree::NONE;

/// The moment of each position that was met, by the key of what everybody knows of it. Open addressing: a
/// position stands in the first free slot from its own on.
#[derive(Default)]
pub(crate) struct Positions {
    slots: Vec<(u128, u32)>,
    used: usize,
}

/// Slots of the first table; a power of two, as all sizes are.
const FIRST: usize = 1 << 10;

impl Positions {
    /// Forgets everything.
    pub(crate) fn restart(&mut self) {
        self.slots.fill((0, NONE));
        self.used = 0;
    }

    /// The moment of a position, created by `make` if missing.
    pub(crate) fn find_or_insert(&mut self, key: u128, make: impl FnOnce() -> u32) -> u32 {
        // One slot in two stays free, so that ways are short.
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].1 == NONE {
            self.slots[slot] = (key, make());
            self.used += 1;
        }
        self.slots[slot].1
    }

    /// Slot of this key, or the free slot for it.
    fn slot(&self, key: u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot].1 != NONE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(FIRST);
        let old = std::mem::replace(&mut self.slots, vec![(0, NONE); size]);
        for (key, moment) in old.into_iter().filter(|(_, moment)| *moment != NONE) {
            let slot = self.slot(key);
            self.slots[slot] = (key, moment);
        }
    }
}
