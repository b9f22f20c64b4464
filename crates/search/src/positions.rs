use crate::tree::NONE;

/// Moments of positions, by the information key of public knowledge. A hash table with linear probing.
#[derive(Default)]
pub(crate) struct Positions {
    slots: Vec<(u128, u32)>,
    used: usize,
}

/// Number of slots of the first table. All sizes are powers of two.
const FIRST: usize = 1 << 10;

impl Positions {
    pub(crate) fn restart(&mut self) {
        self.slots.fill((0, NONE));
        self.used = 0;
    }

    pub(crate) fn find_or_insert(&mut self, key: u128, make: impl FnOnce() -> u32) -> u32 {
        // Half of the slots stay free, so that probes are short.
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

    /// Slot of this key, or the free slot where the key belongs.
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
