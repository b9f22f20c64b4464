//! Layout of the values of a round, by number of remaining explorers.

use std::sync::OnceLock;

use super::policy::GemTable;
use super::rules::Rules;

/// The most players that are solved for.
pub(super) const MAX_PLAYERS: usize = 6;

/// The positions of a round that differ in gems, backpacks and spare gems only, for each number of explorers.
#[derive(Debug)]
pub(super) struct Party {
    pub(super) players: usize,
    pub(super) table: GemTable,
    /// By multiset: the backpack of a player who was never in the temple with fewer than all players. It is
    /// the least possible.
    pub(super) least: Vec<u32>,
    /// By multiset: the spare gems if nobody has left.
    pub(super) spare: Vec<u32>,
    /// By number of explorers, less 1.
    pub(super) levels: Vec<Level>,
    reached: OnceLock<Reached>,
}

/// The positions with one number of explorers. The block of a multiset has a row for each number of spare
/// gems, and a row has a cell for each backpack, from the least. A lone explorer has one row: backpack and
/// spare gems are worth the same. Until somebody leaves, the multiset determines the position, and a block is
/// one cell.
#[derive(Debug)]
pub(super) struct Level {
    /// By multiset, and one more at the end: where its block begins.
    starts: Vec<usize>,
    /// By multiset: the cells in a row.
    pub(super) widths: Vec<usize>,
    /// By multiset: the rows of a block.
    pub(super) rows: Vec<usize>,
    /// By value of a gem: how many cells further along its row, and how many rows further down it leads.
    pub(super) shifts: Vec<(usize, usize)>,
}

/// By number of explorers, less 1, and cell: true if some play leads there.
pub(super) type Reached = Vec<Vec<bool>>;

impl Level {
    /// Blocks of `(width, rows)`, by multiset, and where gems of each value lead.
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

    /// Cells in all blocks.
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
    /// The positions of `players` players, from 1 to [`MAX_PLAYERS`].
    pub(super) fn new(rules: &Rules, players: usize) -> Self {
        let table = GemTable::new(&rules.gems);
        let all = players as u32;
        let total = |of: &dyn Fn(u32) -> u32| sums(&table, of);
        let (least, spare) = (total(&|value| value / all), total(&|value| value % all));
        let level = |explorers: u32| {
            if explorers == all {
                return Level::new(least.iter().map(|_| (1, 1)), table.values.iter().map(|_| (0, 0)));
            }
            // The remainder after the leavers have shared the spare gems: fewer than their number.
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

    /// Cells of all numbers of explorers together.
    pub(super) fn cells(&self) -> usize {
        self.levels.iter().map(Level::cells).sum()
    }

    /// The cell of explorers with `more` gems than the least, and spare gems.
    #[inline]
    pub(super) fn cell(&self, explorers: usize, multiset: usize, more: usize, spare: usize) -> usize {
        let level = &self.levels[explorers - 1];
        level.starts[multiset]
            + if explorers == 1 { more + spare } else { spare * level.widths[multiset] + more }
    }

    /// The sum of all gems.
    pub(super) fn all(&self) -> u32 {
        self.table.sums.last().copied().unwrap_or(0)
    }

    /// The gems in the deck.
    #[inline]
    pub(super) fn left(&self, multiset: usize) -> u32 {
        self.all() - self.table.sums[multiset]
    }

    /// The positions that players reach: by cards, and by leaving after them.
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

    /// Marks the successors of a cell that players reach.
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

/// By multiset: the sum of something over its cards.
fn sums(table: &GemTable, of: &dyn Fn(u32) -> u32) -> Vec<u32> {
    let mut sums = vec![0; table.sums.len()];
    // A multiset comes after all it contains.
    for multiset in 0..sums.len() {
        for (value, (next, left)) in table.more(multiset).enumerate() {
            if left > 0.0 {
                sums[next] = sums[multiset] + of(table.values[value]);
            }
        }
    }
    sums
}
