//! The equilibrium of two players who want more gems than each other.
//!
//! At the start of a round both players have the same expectation, so only the gems of the round count. While
//! both explore, staying together and leaving together are even, by symmetry. Let `x` be the backpack, spare
//! gems and artifacts of a player who leaves alone, minus the other's gain by its best play alone. Leaving
//! alone brings `x`, and staying alone brings `-x`. Both leave if `x` is above 0, and stay otherwise, so the
//! equilibrium is pure.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use super::super::alone::{Alone, Entries, MAX_ROW, Thresholds};
use super::super::induction::{Round, check, positions};
use super::super::party::Party;
use super::super::policy::Position;
use super::super::rules::{ExactError, Rules, at_most};
use super::super::start::{Start, all_starts};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub starts: u64,
    /// Number of positions of a lone explorer, over all starts.
    pub positions: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { starts, positions } = self;
        write!(f, "two players: {starts} starts of rounds, {positions} positions of who is alone")
    }
}

impl Size {
    /// Fails if the computation would be too large.
    pub fn of(rules: &Rules) -> Result<Self, ExactError> {
        Ok(Self::with_party(rules)?.0)
    }

    pub(super) fn with_party(rules: &Rules) -> Result<(Self, Party), ExactError> {
        check(rules)?;
        let starts = all_starts(rules)?;
        let party = Party::new(rules, 2);
        let rows = &party.levels[0];
        at_most("gems in a row of backpacks", rows.widest() as u64, MAX_ROW)?;
        let positions = positions(&starts, rows.cells());
        at_most("positions of who is alone", positions, 20_000_000_000)?;
        Ok((Self { starts: starts.iter().map(|starts| starts.len() as u64).sum(), positions }, party))
    }
}

/// The equilibrium of two players who want more gems than each other. No deviation gains, whatever happened
/// before. Where leaving and staying are equal, two explorers stay and a lone one leaves.
///
/// The starts of rounds are independent. Each is solved on first use, so construction is cheap.
#[derive(Debug)]
pub struct Nash {
    rules: Rules,
    party: Party,
    tables: BTreeMap<Start, OnceLock<Table>>,
}

#[derive(Debug)]
struct Table {
    alone: Thresholds,
    /// By hazards seen, then by multiset: the largest value of the artifacts on the path with which both
    /// stay. If one player leaves, it takes all artifacts, which then count as claimed before this start.
    /// Rows end with the last entry that is not negative.
    together: Vec<Box<[i16]>>,
    /// Values of the explorer left alone, computed on first use. They are a hundred times as large as the
    /// other fields.
    entries: OnceLock<Entries>,
}

impl Nash {
    pub fn new(rules: &Rules) -> Result<Self, ExactError> {
        let (_, party) = Size::with_party(rules)?;
        let starts = all_starts(rules)?;
        let tables = starts.into_iter().flatten().map(|start| (start, OnceLock::new())).collect();
        Ok(Self { rules: rules.clone(), party, tables })
    }

    /// Returns true if the explorer leaves, alone or with another. `gems` are the values of the gem cards on
    /// the path, in any order. `None` if no game of two players reaches the position.
    pub fn leave(
        &self,
        position: &Position<'_>,
        explorers: u32,
        gems: impl IntoIterator<Item = u32>,
    ) -> Option<bool> {
        let (start, seen) = position.place()?;
        let on_path = position.artifacts_on_path as usize;
        let multiset = self.party.table.index(gems)?;
        match explorers {
            1 => {
                let more = position.backpack.checked_sub(self.party.least[multiset])?;
                self.leave_alone(start, on_path, seen, multiset, more)
            }
            2 => self.leave_together(start, on_path, seen, multiset),
            _ => None,
        }
    }

    /// The expected lead in this round of one of two explorers who leaves alone now. It counts gems and
    /// artifacts, and assumes the other's best play from then on. Both explorers leave where it is above 0.
    /// `gems` and `None` are as in [`leave`](Self::leave).
    pub fn leaving_alone(&self, position: &Position<'_>, gems: impl IntoIterator<Item = u32>) -> Option<f64> {
        let (start, seen) = position.place()?;
        let (taken, worth) = self.after_leaving(start, position.artifacts_on_path as usize);
        let multiset = self.party.table.index(gems)?;
        let entries = self.table(taken)?.entries.get_or_init(|| self.solved(taken).1);
        Some(f64::from(worth + self.held(multiset)) - entries.get(seen)?.get(multiset)?)
    }

    /// Returns true if the lone explorer leaves with `more` gems than the least backpack. That backpack holds
    /// half of each gem card on the path, rounded down.
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

    pub(super) fn leave_together(
        &self,
        start: Start,
        on_path: usize,
        seen: usize,
        multiset: usize,
    ) -> Option<bool> {
        let (taken, worth) = self.after_leaving(start, on_path);
        let most = self.table(taken)?.together.get(seen)?.get(multiset).copied().unwrap_or(-1);
        Some(i64::from(worth) > most.into())
    }

    /// The start from which the remaining explorer goes on, and the value of the artifacts that the leaver
    /// takes.
    fn after_leaving(&self, start: Start, on_path: usize) -> (Start, u32) {
        (start.claimed_earlier(on_path as u8), start.worth(&self.rules, 0, on_path))
    }

    /// The gems of a player who leaves alone: its share, and the spare gems.
    fn held(&self, multiset: usize) -> u32 {
        self.party.least[multiset] + self.party.spare[multiset]
    }

    /// The table of this start, solved on first use.
    fn table(&self, start: Start) -> Option<&Table> {
        let place = self.tables.get(&start)?;
        Some(place.get_or_init(|| {
            let (alone, entries) = self.solved(start);
            Table { alone, together: self.together(&entries), entries: OnceLock::new() }
        }))
    }

    fn solved(&self, start: Start) -> (Thresholds, Entries) {
        Alone::new(&self.party).best(&Round::new(&self.rules, start, &|_| 0.0))
    }

    fn together(&self, entries: &Entries) -> Vec<Box<[i16]>> {
        let most = |(multiset, entry): (usize, &f64)| {
            let held = f64::from(self.held(multiset));
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
