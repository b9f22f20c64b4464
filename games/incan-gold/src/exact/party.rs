//! The layout of the values of a round, by number of remaining explorers.

use std::sync::OnceLock;

use super::policy::GemTable;
use super::rules::Rules;

/// Upper bound on the number of players.
pub(super) const MAX_PLAYERS: usize = 6;

/// The positions of a round that differ only in gems, backpacks and spare gems, for each number of explorers.
#[derive(Debug)]
pub(super) struct Party {
    pub(super) players: usize,
    pub(super) table: GemTable,
    /// By multiset: the smallest possible backpack, that of a player who always explored with all others.
    pub(super) least: Vec<u32>,
    /// By multiset: the spare gems, if no player has left.
    pub(super) spare: Vec<u32>,
    /// By number of explorers minus 1: the positions.
    pub(super) levels: Vec<Level>,
    reached: OnceLock<Reached>,
}

/// The positions with one number of explorers. The block of a multiset has a row for each number of spare
/// gems. A row has a cell for each backpack, from the least. A lone explorer has only one row, because its
/// backpack and spare gems have the same worth. Until a player leaves, the multiset determines the position,
/// so a block is one cell.
#[derive(Debug)]
pub(super) struct Level {
    /// By multiset, with one more entry at the end: the first cell of the block.
    starts: Vec<usize>,
    /// By multiset: number of cells in a row.
    pub(super) widths: Vec<usize>,
    /// By multiset: number of rows in the block.
    pub(super) rows: Vec<usize>,
    /// By value of a gem: the number of cells along the row, and the number of rows, to the position after
    /// that gem.
    pub(super) shifts: Vec<(usize, usize)>,
}

/// By number of explorers minus 1, then by cell: true if a play can reach the cell.
pub(super) type Reached = Vec<Vec<bool>>;

impl Level {
    /// A level with blocks of `(width, rows)` by multiset; `shifts` are those of the gems by value.
    pub(super) fn new(
        blocks: impl Iterator<Item = (usize, usize)>,
        shifts: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let (widths, rows): (Vec<_>, Vec<_>) = blocks.unzip();
        let ends = widths.iter().zip(&rows).scan(0, |end, (width, rows)| {
            *end += width * rows;
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Self { starts, widths, rows, shifts: shifts.collect() }
    }

    /// Number of cells in all blocks.
    pub(super) fn cells(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The cells of a multiset.
    #[inline]
    pub(super) fn block(&self, multiset: usize) -> std::ops::Range<usize> {
        self.starts[multiset]..self.starts[multiset + 1]
    }

    /// The first cell of a multiset.
    #[inline]
    pub(super) fn start(&self, multiset: usize) -> usize {
        self.starts[multiset]
    }

    /// The width of the widest row.
    pub(super) fn widest(&self) -> usize {
        self.widths.iter().copied().max().unwrap_or(0)
    }
}

impl Party {
    /// The positions of `players` players, 1 to [`MAX_PLAYERS`].
    pub(super) fn new(rules: &Rules, players: usize) -> Self {
        let table = GemTable::new(&rules.gems);
        let all = players as u32;
        let total = |of: &dyn Fn(u32) -> u32| sums(&table, of);
        let (least, spare) = (total(&|value| value / all), total(&|value| value % all));
        let level = |explorers: u32| {
            if explorers == all {
                return Level::new(least.iter().map(|_| (1, 1)), table.values.iter().map(|_| (0, 0)));
            }
            // Upper bound on the remainder after leavers have divided the spare gems: smaller than their
            // number.
            let odd = (all - explorers).saturating_sub(1);
            let most = total(&|value| value / explorers);
            let spare = total(&|value| value % explorers);
            let block = |((most, least), spare): ((&u32, &u32), &u32)| {
                let width = most - least + 1;
                let (width, rows) = if explorers == 1 { (width + odd, 1) } else { (width, spare + odd + 1) };
                (width as usize, rows as usize)
            };
            let shift =
                |value: &u32| ((value / explorers - value / all) as usize, (value % explorers) as usize);
            Level::new(most.iter().zip(&least).zip(&spare).map(block), table.values.iter().map(shift))
        };
        let levels = (1..=all).map(level).collect();
        Self { players, table, least, spare, levels, reached: OnceLock::new() }
    }

    /// Number of multisets.
    pub(super) fn multisets(&self) -> usize {
        self.least.len()
    }

    /// Number of cells over all numbers of explorers.
    pub(super) fn cells(&self) -> usize {
        self.levels.iter().map(Level::cells).sum()
    }

    /// The cell of explorers with `more` gems than the least and `spare` spare gems.
    #[inline]
    pub(super) fn cell(&self, explorers: usize, multiset: usize, more: usize, spare: usize) -> usize {
        let level = &self.levels[explorers - 1];
        level.starts[multiset]
            + if explorers == 1 { more + spare } else { spare * level.widths[multiset] + more }
    }

    /// The sum of all gem cards.
    pub(super) fn all(&self) -> u32 {
        self.table.sums.last().copied().unwrap_or(0)
    }

    /// The sum of the gem cards in the deck.
    #[inline]
    pub(super) fn left(&self, multiset: usize) -> u32 {
        self.all() - self.table.sums[multiset]
    }

    /// The cells that a play can reach, by drawing cards and by leaving after them.
    pub(super) fn reached(&self) -> &Reached {
        self.reached.get_or_init(|| self.find_reached())
    }

    fn find_reached(&self) -> Reached {
        let mut reached: Reached = self.levels.iter().map(|level| vec![false; level.cells()]).collect();
        if let Some(first) = reached[self.players - 1].first_mut() {
            *first = true;
        }
        for multiset in 0..self.multisets() {
            for explorers in (1..=self.players).rev() {
                for cell in self.levels[explorers - 1].block(multiset) {
                    if reached[explorers - 1][cell] {
                        self.mark_after(explorers, multiset, cell, &mut reached);
                    }
                }
            }
        }
        reached
    }

    /// Marks the successors of a reachable cell.
    fn mark_after(&self, explorers: usize, multiset: usize, cell: usize, reached: &mut Reached) {
        let level = &self.levels[explorers - 1];
        let width = level.widths[multiset];
        let (row, more) = ((cell - level.starts[multiset]) / width, (cell - level.starts[multiset]) % width);
        for ((next, left), (right, down)) in self.table.more(multiset).zip(&level.shifts) {
            if left > 0.0 {
                let next = level.starts[next] + (row + down) * level.widths[next] + more + right;
                reached[explorers - 1][next] = true;
            }
        }
        let spare = if explorers == self.players { self.spare[multiset] as usize } else { row };
        for leavers in 1..explorers {
            let after = self.cell(explorers - leavers, multiset, more, spare % leavers);
            reached[explorers - leavers - 1][after] = true;
        }
    }
}

/// By multiset: the sum of `of(value)` over its cards.
fn sums(table: &GemTable, of: &dyn Fn(u32) -> u32) -> Vec<u32> {
    let mut sums = vec![0; table.sums.len()];
    // Each multiset comes after its subsets.
    for multiset in 0..sums.len() {
        for (value, (next, left)) in table.more(multiset).enumerate() {
            if left > 0.0 {
                sums[next] = sums[multiset] + of(table.values[value]);
            }
        }
    }
    sums
}
