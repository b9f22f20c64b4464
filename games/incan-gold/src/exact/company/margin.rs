//! The equilibrium of two players who want more gems than the other.
//!
//! At the start of a round both have the same to expect, whatever it is, so that only the gems of the round count.
//! While both explore, staying together and leaving together are even, by symmetry. Leaving alone brings
//! `x`, backpack, spare gems and artifacts, less what the best play of who is alone will bring the other; staying alone
//! brings `-x`. So both leave if `x` is above 0, and stay otherwise: the equilibrium is pure.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use super::super::policy::Position;
use super::super::rules::{ExactError, Rules, at_most};
use super::super::start::{Start, all_starts};
use super::alone::{Alone, Entries, LONGEST_ROW, Thresholds};
use super::rows::{Gems, Round, Rows, check, positions};

/// How much there is to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Starts of rounds.
    pub starts: u64,
    /// Positions of who is alone, of all starts together.
    pub positions: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { starts, positions } = self;
        write!(f, "two players: {starts} starts of rounds, {positions} positions of who is alone")
    }
}

impl Size {
    /// Of two players under these rules.
    ///
    /// # Errors
    /// If it is too much.
    pub fn of(rules: &Rules) -> Result<Self, ExactError> {
        check(rules)?;
        let starts = all_starts(rules)?;
        let rows = Rows::alone(&Gems::new(rules));
        at_most("gems in a row of backpacks", rows.longest() as u64, LONGEST_ROW)?;
        let positions = positions(&starts, rows.cells());
        at_most("positions of who is alone", positions, 20_000_000_000)?;
        Ok(Self { starts: starts.iter().map(|starts| starts.len() as u64).sum(), positions })
    }
}

/// The equilibrium of two players who want more gems than the other: nobody gains by playing anything else, whatever
/// the other has done before. Where leaving and staying are even, two stay and one leaves.
///
/// The starts of rounds do not depend on each other. Each is solved when it is first asked for, so that making one
/// costs nothing.
#[derive(Debug)]
pub struct Nash {
    rules: Rules,
    gems: Gems,
    tables: BTreeMap<Start, OnceLock<Table>>,
}

/// A start that is solved.
#[derive(Debug)]
struct Table {
    alone: Thresholds,
    /// By hazards seen, then multiset: if one leaves and takes all artifacts, which then count as claimed before this
    /// start, the most that they may be worth for both to stay. Rows end with the last that is not negative.
    together: Vec<Box<[i16]>>,
}

impl Nash {
    /// The equilibrium under these rules.
    ///
    /// # Errors
    /// If they are too large.
    pub fn new(rules: &Rules) -> Result<Self, ExactError> {
        Size::of(rules)?;
        let starts = all_starts(rules)?;
        let tables = starts.into_iter().flatten().map(|start| (start, OnceLock::new())).collect();
        Ok(Self { rules: rules.clone(), gems: Gems::new(rules), tables })
    }

    /// Whether to leave, alone or with another; `gems` are the values of the gem cards on the path, in any order.
    /// `None` if no game of two players comes to such a position.
    pub fn leave(
        &self,
        position: &Position<'_>,
        explorers: u32,
        gems: impl IntoIterator<Item = u32>,
    ) -> Option<bool> {
        let (start, seen) = position.place()?;
        let on_path = position.artifacts_on_path as usize;
        let multiset = self.gems.table.index(gems)?;
        match explorers {
            1 => {
                let more = position.backpack.checked_sub(self.gems.half[multiset])?;
                self.leave_alone(start, on_path, seen, multiset, more)
            }
            2 => self.leave_together(start, on_path, seen, multiset),
            _ => None,
        }
    }

    /// Whether who is alone leaves with `more` gems than half of those on the path.
    pub(super) fn leave_alone(
        &self,
        start: Start,
        on_path: usize,
        seen: usize,
        multiset: usize,
        more: u32,
    ) -> Option<bool> {
        let table = self.table(start)?;
        let thresholds = table.alone.get(on_path * table.together.len() + seen)?;
        Some(more >= thresholds.get(multiset).copied().unwrap_or(0).into())
    }

    /// Whether both leave.
    pub(super) fn leave_together(
        &self,
        start: Start,
        on_path: usize,
        seen: usize,
        multiset: usize,
    ) -> Option<bool> {
        let taken = start.claimed_earlier(on_path as u8);
        let most = self.table(taken)?.together.get(seen)?.get(multiset).copied().unwrap_or(-1);
        Some(i64::from(start.worth(&self.rules, 0, on_path)) > most.into())
    }

    /// What becomes of this start, solved now if it has not been.
    fn table(&self, start: Start) -> Option<&Table> {
        let place = self.tables.get(&start)?;
        Some(place.get_or_init(|| {
            let round = Round::new(&self.rules, start, &|_| 0.0);
            let (alone, entries) = Alone::new(&self.gems).best(&round);
            Table { alone, together: self.together(&entries) }
        }))
    }

    fn together(&self, entries: &Entries) -> Vec<Box<[i16]>> {
        let most = |(multiset, entry): (usize, &f64)| {
            let held = f64::from(self.gems.half[multiset] + self.gems.spare[multiset]);
            (entry - held).floor().clamp(-1.0, i16::MAX.into()) as i16
        };
        let row = |values: &Vec<f64>| {
            let mut row: Vec<i16> = values.iter().enumerate().map(most).collect();
            row.truncate(row.iter().rposition(|&most| most >= 0).map_or(0, |last| last + 1));
            row.into_boxed_slice()
        };
        entries.iter().map(row).collect()
    }
}
