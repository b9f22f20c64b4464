//! A viewer's conclusions about a hold that it does not see.
//!
//! Trades are hidden, but fights reveal something. The fight points that a winner has lost are public, and
//! they bound the number of cannons from below. If a fresh ship was sunk, the loot is public. The loser knows
//! the winner's fight points and all of the loot.
//!
//! Nobody sees whether the winner made room. If room may have been made, the winner has all known contents,
//! or else a full hold.
//!
//! Conclusions are valid until the ship is in a port in its own turn. They follow only from events that the
//! viewer saw. The state keeps them, and sampled worlds agree with them.

use meeple_core::Viewer;
use serde::Serialize;

use crate::goods::GOODS;
use crate::ship::Build;
use crate::variant::MAX_SEATS;

/// Number of rows of conclusions: one for every seat, and one for the public.
pub(crate) const ROWS: usize = MAX_SEATS + 1;
pub(crate) const PUBLIC: usize = MAX_SEATS;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Knowledge {
    /// Clock at the last conclusion; 0 if there is none.
    pub(crate) clock: u32,
    /// Lower bound on the money.
    pub(crate) money: u32,
    /// Lower bounds on the goods by product, unless `trimmed`.
    pub(crate) goods: [u16; GOODS],
    /// Upper bound on the units of goods beyond `goods`.
    pub(crate) more: u16,
    /// Lower bound on the cannons. Cannons beyond the mounts count only unless `trimmed`.
    pub(crate) cannons: u16,
    pub(crate) all_money: bool,
    pub(crate) all_cannons: bool,
    /// True if room may have been made. Then some of the units above may be gone, but only if the hold is
    /// full.
    pub(crate) trimmed: bool,
}

impl Knowledge {
    /// The knowledge of the hold's size alone.
    pub(crate) fn nothing(build: &Build) -> Self {
        Self { more: build.hold, ..Self::default() }
    }

    /// Lower bound on the cannons, even if some were thrown overboard.
    pub(crate) fn sure_cannons(&self, build: &Build) -> u16 {
        if self.trimmed { self.cannons.min(build.mounts) } else { self.cannons }
    }

    /// Upper bound on the cannons, if known.
    pub(crate) fn most_cannons(&self) -> Option<u16> {
        self.all_cannons.then_some(self.cannons)
    }

    pub(crate) fn units(&self) -> u16 {
        self.goods.iter().sum()
    }

    /// Reduces the cannons to the lower bound, if some may have been thrown overboard.
    fn settle_cannons(&mut self, build: &Build) {
        self.all_cannons &= !self.trimmed || self.cannons <= build.mounts;
        self.cannons = self.sure_cannons(build);
    }

    /// R6.5, R6.6: adds the known contents of the loser to those of the winner, who may have to make room.
    pub(crate) fn take(&mut self, mut loot: Self, builds: [&Build; 2]) {
        let [own, theirs] = builds;
        self.settle_cannons(own);
        loot.settle_cannons(theirs);
        let money = self.money.checked_add(loot.money);
        self.money = money.unwrap_or(u32::MAX);
        self.all_money &= loot.all_money && money.is_some();
        self.cannons += loot.cannons;
        self.all_cannons &= loot.all_cannons;
        if loot.trimmed {
            // The loser's hold may have been full of other goods.
            loot.goods = [0; GOODS];
            loot.more = theirs.hold;
        }
        for (count, taken) in self.goods.iter_mut().zip(loot.goods) {
            *count += taken;
        }
        self.more = self.more.saturating_add(loot.more);
        let stowed = self.most_cannons().map(|most| most.saturating_sub(own.mounts));
        let fits = stowed
            .is_some_and(|stowed| self.units().saturating_add(self.more).saturating_add(stowed) <= own.hold);
        self.trimmed |= !fits;
    }

    /// Learns that exactly `mounted` cannons are mounted. With a free mount there are no stowed cannons.
    pub(crate) fn learn_points(&mut self, mounted: u16, build: &Build) {
        if mounted < build.mounts {
            (self.cannons, self.all_cannons) = (mounted, true);
        } else {
            self.learn_at_least(mounted);
        }
    }

    pub(crate) fn learn_at_least(&mut self, mounted: u16) {
        self.cannons = self.cannons.max(mounted);
    }
}

pub(crate) fn rows(seats: usize) -> impl Iterator<Item = usize> {
    (0..seats).chain([PUBLIC])
}

pub(crate) fn row_of(viewer: Viewer) -> usize {
    match viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Public | Viewer::Everything => PUBLIC,
    }
}
