//! Layout of the values of a round for several players, by number of remaining explorers.

use super::super::policy::GemTable;
use super::super::rules::Rules;

pub(super) const MOST_PLAYERS: usize = 6;

/// Positions of a round that differ in gems, backpacks and spare gems only, by number of explorers.
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
}

/// The positions with one number of explorers. The block of a multiset has a row for each number of
/// spare gems, and a row has a cell for each backpack, from the least. A lone explorer has one row:
/// backpack and spare gems are worth the same. Until somebody leaves, a block is one cell.
pub(super) struct Level {
    /// By multiset, and one more at the end: where its block begins.
    pub(super) starts: Vec<usize>,
    /// By multiset: the cells in a row.
    pub(super) widths: Vec<usize>,
    /// By value of a gem: how many cells further along its row, and how many rows further down it leads.
    pub(super) shifts: Vec<(usize, usize)>,
    /// By cell: true if some play leads there.
    pub(super) reached: Vec<bool>,
}

impl Level {
    pub(super) fn cells(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The rows of a block.
    #[inline]
    pub(super) fn rows(&self, multiset: usize) -> usize {
        (self.starts[multiset + 1] - self.starts[multiset]) / self.widths[multiset]
    }

    fn new(
        table: &GemTable,
        blocks: impl Iterator<Item = (u32, u32)>,
        shift: impl Fn(u32) -> (u32, u32),
    ) -> Self {
        let (mut starts, mut widths, mut end) = (vec![0], Vec::new(), 0);
        for (width, rows) in blocks {
            end += (width * rows) as usize;
            starts.push(end);
            widths.push(width as usize);
        }
        let shifts = table.values.iter().map(|&value| shift(value));
        let shifts = shifts.map(|(right, down)| (right as usize, down as usize)).collect();
        Self { starts, widths, shifts, reached: vec![false; end] }
    }
}

impl Party {
    /// `players` is from 2 to [`MOST_PLAYERS`].
    pub(super) fn new(rules: &Rules, players: usize) -> Self {
        let table = GemTable::new(&rules.gems);
        let all = players as u32;
        let total = |of: &dyn Fn(u32) -> u32| sums(&table, of);
        let (least, spare) = (total(&|value| value / all), total(&|value| value % all));
        let level = |explorers: u32| {
            if explorers == all {
                return Level::new(&table, least.iter().map(|_| (1, 1)), |_| (0, 0));
            }
            // The remainder after the leavers have shared the spare gems: fewer than their number.
            let odd = (all - explorers).saturating_sub(1);
            let most = total(&|value| value / explorers);
            let spare = total(&|value| value % explorers);
            let backpacks = most.iter().zip(&least).map(|(most, least)| most - least + 1);
            let further = |value: u32| value / explorers - value / all;
            match explorers {
                1 => Level::new(&table, backpacks.map(|width| (width + odd, 1)), |value| (further(value), 0)),
                _ => {
                    let rows = spare.iter().map(|spare| spare + odd + 1);
                    let shift = |value: u32| (further(value), value % explorers);
                    Level::new(&table, backpacks.zip(rows), shift)
                }
            }
        };
        let levels = (1..=all).map(level).collect();
        let mut party = Self { players, table, least, spare, levels };
        party.mark();
        party
    }

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

    #[inline]
    pub(super) fn left(&self, multiset: usize) -> u32 {
        self.table.sums.last().copied().unwrap_or(0) - self.table.sums[multiset]
    }

    /// Marks the positions that players reach by cards, and by leaving after them.
    fn mark(&mut self) {
        if let Some(first) = self.levels[self.players - 1].reached.first_mut() {
            *first = true;
        }
        for multiset in 0..self.table.sums.len() {
            for explorers in (1..=self.players).rev() {
                for cell in self.levels[explorers - 1].starts[multiset]
                    ..self.levels[explorers - 1].starts[multiset + 1]
                {
                    if self.levels[explorers - 1].reached[cell] {
                        self.mark_after(explorers, multiset, cell);
                    }
                }
            }
        }
    }

    fn mark_after(&mut self, explorers: usize, multiset: usize, cell: usize) {
        let level = &self.levels[explorers - 1];
        let width = level.widths[multiset];
        let (row, more) = ((cell - level.starts[multiset]) / width, (cell - level.starts[multiset]) % width);
        let next: Vec<usize> = self
            .table
            .more(multiset)
            .zip(&level.shifts)
            .filter(|((_, left), _)| *left > 0.0)
            .map(|((next, _), (right, down))| {
                level.starts[next] + (row + down) * level.widths[next] + more + right
            })
            .collect();
        for next in next {
            self.levels[explorers - 1].reached[next] = true;
        }
        let spare = if explorers == self.players { self.spare[multiset] as usize } else { row };
        for leavers in 1..explorers {
            let after = self.cell(explorers - leavers, multiset, more, spare % leavers);
            self.levels[explorers - leavers - 1].reached[after] = true;
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
