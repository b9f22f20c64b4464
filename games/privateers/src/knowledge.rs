//! A viewer's conclusions about a hold that it does not see.
//!
//! Trades are hidden, but fights reveal something. The fight points that a winner has lost are
//! public and bound his cannons from below. If a fresh ship was sunk, his loot is public, too. The
//! loser knows the winner's fight points and all of the loot. Nobody sees if the winner had to make
//! room: where that is possible, he has all of that, or else a full hold. Conclusions hold until
//! the ship is in a port in its own turn, and follow only from the events that the viewer saw. The
//! state keeps them, and sampled worlds agree with them.

use meeple_core::Viewer;
use serde::Serialize;

use crate::goods::GOODS;
use crate::ship::Build;
use crate::variant::MAX_SEATS;

/// One row for every seat, and one for the public.
pub(crate) const ROWS: usize = MAX_SEATS + 1;
pub(crate) const PUBLIC: usize = MAX_SEATS;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Knowledge {
    /// Clock of the last conclusion; 0 for none.
    pub(crate) clock: u32,
    /// Lower bound.
    pub(crate) money: u32,
    /// Lower bounds by product, unless `trimmed`.
    pub(crate) goods: [u16; GOODS],
    /// Upper bound on further units of goods.
    pub(crate) more: u16,
    /// Lower bound; those above the mounts unless `trimmed`.
    pub(crate) cannons: u16,
    pub(crate) all_money: bool,
    pub(crate) all_cannons: bool,
    /// Room may have been made: then some of these units may be gone, but only from a full hold.
    pub(crate) trimmed: bool,
}

impl Knowledge {
    /// Only the size of the hold is known.
    pub(crate) fn nothing(build: &Build) -> Self {
        Self { more: build.hold, ..Self::default() }
    }

    /// Lower bound, even if some were thrown overboard.
    pub(crate) fn sure_cannons(&self, build: &Build) -> u16 {
        if self.trimmed { self.cannons.min(build.mounts) } else { self.cannons }
    }

    /// Upper bound, if known.
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

    /// R6.5, R6.6: a winner takes the loser's contents, both as far as known, and may have to make
    /// room.
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
            // Its hold may have been full of anything.
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

    /// Exactly `mounted` cannons are mounted; others are stowed only if there are no free mounts.
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
