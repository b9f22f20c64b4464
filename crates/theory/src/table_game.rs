use std::sync::Arc;

use crate::square::Square;

/// All multisets of strategies on the seats of a table, in lexicographic order of their sorted members. The
/// multiset of the first strategy alone comes first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compositions {
    seats: usize,
    strategies: usize,
    counts: Vec<u16>,
}

impl Compositions {
    /// Number of multisets; `None` if it overflows a `usize`.
    pub fn count(seats: usize, strategies: usize) -> Option<usize> {
        if strategies == 0 {
            return Some(usize::from(seats == 0));
        }
        // C(seats + strategies - 1, seats). Each partial product is itself a binomial coefficient.
        let mut count: usize = 1;
        let (few, many) = (seats.min(strategies - 1), seats.max(strategies - 1));
        for step in 1..=few {
            count = count.checked_mul(many + step)? / step;
        }
        Some(count)
    }

    /// # Panics
    /// If there are no strategies, or more seats than a `u16` holds.
    pub fn new(seats: usize, strategies: usize) -> Self {
        assert!(
            strategies > 0 && seats <= usize::from(u16::MAX),
            "a strategy, and seats that can be counted"
        );
        let mut counts = Vec::new();
        let mut row = vec![0; strategies];
        row[0] = seats as u16;
        loop {
            counts.extend_from_slice(&row);
            // The successor: one seat moves to the next strategy, together with all seats of the last
            // strategy.
            let Some(from) = (0..strategies - 1).rev().find(|place| row[*place] > 0) else {
                return Self { seats, strategies, counts };
            };
            let behind = std::mem::take(&mut row[strategies - 1]);
            row[from] -= 1;
            row[from + 1] += behind + 1;
        }
    }

    pub fn seats(&self) -> usize {
        self.seats
    }

    pub fn strategies(&self) -> usize {
        self.strategies
    }

    pub fn len(&self) -> usize {
        self.counts.len() / self.strategies
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Number of seats of each strategy, in the multiset with this index.
    pub fn counts(&self, index: usize) -> &[u16] {
        &self.counts[index * self.strategies..][..self.strategies]
    }

    /// # Panics
    /// If there is no such table.
    pub fn index(&self, counts: &[u16]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            // Tables with more seats of the first strategy come earlier.
            if self.counts(middle) > counts { low = middle + 1 } else { high = middle }
        }
        assert_eq!(self.counts(low), counts, "a table of this game");
        low
    }
}

/// Structure that all games with these tables share.
#[derive(Clone, PartialEq, Debug)]
pub struct TableStructure {
    compositions: Compositions,
    others: Drawn,
    /// `[opponents, strategy]`: index of the table at which one player of this strategy meets these
    /// opponents.
    tables: Vec<usize>,
    /// Multisets with one opponent fewer; `None` for one seat.
    but_one: Option<Drawn>,
    /// `[opponents but one, strategy]`: index of the opponents after a player of this strategy joins.
    with: Vec<usize>,
}

#[derive(Clone, PartialEq, Debug)]
struct Drawn {
    count: usize,
    /// Number of orderings of each multiset (multinomial coefficient).
    orders: Vec<f64>,
    /// Pairs (strategy, multiplicity) of all multisets. Multiset i has the pairs `first[i]..first[i + 1]`.
    players: Vec<(u16, u16)>,
    first: Vec<usize>,
}

impl Drawn {
    fn new(compositions: &Compositions) -> Self {
        let count = compositions.len();
        let mut drawn = Self { count, orders: Vec::new(), players: Vec::new(), first: vec![0] };
        for index in 0..count {
            let (mut orders, mut all) = (1.0, 0.0);
            for (strategy, own) in compositions.counts(index).iter().enumerate().filter(|(_, own)| **own > 0)
            {
                for place in 1..=*own {
                    all += 1.0;
                    orders *= all / f64::from(place);
                }
                drawn.players.push((strategy as u16, *own));
            }
            drawn.orders.push(orders);
            drawn.first.push(drawn.players.len());
        }
        drawn
    }

    fn chances(&self, shares: &[f64]) -> Vec<f64> {
        let chance = |index: usize| {
            let players = &self.players[self.first[index]..self.first[index + 1]];
            let each =
                players.iter().map(|(strategy, own)| shares[usize::from(*strategy)].powi(i32::from(*own)));
            self.orders[index] * each.product::<f64>()
        };
        (0..self.count).map(chance).collect()
    }
}

impl TableStructure {
    /// # Panics
    /// If a table has no seat.
    pub fn new(compositions: Compositions) -> Self {
        let (seats, strategies) = (compositions.seats(), compositions.strategies());
        assert!(seats > 0, "a seat at least");
        // Indices in `more`, which has one more seat, of each multiset of `fewer` plus one player of each
        // strategy.
        let joined = |fewer: &Compositions, more: &Compositions| -> Vec<usize> {
            let mut found = Vec::with_capacity(fewer.len() * strategies);
            for index in 0..fewer.len() {
                let mut counts = fewer.counts(index).to_vec();
                for strategy in 0..strategies {
                    counts[strategy] += 1;
                    found.push(more.index(&counts));
                    counts[strategy] -= 1;
                }
            }
            found
        };
        let others = Compositions::new(seats - 1, strategies);
        let but_one = seats.checked_sub(2).map(|seats| Compositions::new(seats, strategies));
        Self {
            tables: joined(&others, &compositions),
            with: but_one.as_ref().map(|but_one| joined(but_one, &others)).unwrap_or_default(),
            but_one: but_one.as_ref().map(Drawn::new),
            others: Drawn::new(&others),
            compositions,
        }
    }

    pub fn compositions(&self) -> &Compositions {
        &self.compositions
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct TableGame {
    shape: Arc<TableStructure>,
    pay_offs: Vec<f64>,
    /// `[strategy, opponents]`: pay-off of the strategy among these opponents.
    gains: Vec<f64>,
}

impl TableGame {
    /// The game with pay-offs indexed `[composition, strategy]`. Entries of strategies that are absent from a
    /// composition are ignored.
    ///
    /// # Panics
    /// If the number of pay-offs is not compositions times strategies.
    pub fn new(compositions: Compositions, pay_offs: Vec<f64>) -> Self {
        Self::of(&Arc::new(TableStructure::new(compositions)), pay_offs)
    }

    /// As [`new`](Self::new), for several games with the same tables, which share their structure.
    ///
    /// # Panics
    /// If the number of pay-offs is not compositions times strategies.
    pub fn of(shape: &Arc<TableStructure>, pay_offs: Vec<f64>) -> Self {
        let strategies = shape.compositions.strategies();
        assert_eq!(
            pay_offs.len(),
            shape.compositions.len() * strategies,
            "a pay-off by composition and strategy"
        );
        let mut gains = Vec::with_capacity(shape.tables.len());
        for strategy in 0..strategies {
            let tables = shape.tables.iter().skip(strategy).step_by(strategies);
            gains.extend(tables.map(|table| pay_offs[table * strategies + strategy]));
        }
        Self { shape: Arc::clone(shape), pay_offs, gains }
    }

    pub fn strategies(&self) -> usize {
        self.shape.compositions.strategies()
    }

    /// Approximate number of multiplications in one call of [`against`](Self::against).
    pub fn work(&self) -> usize {
        self.gains.len()
    }

    pub fn pay_off(&self, composition: usize, strategy: usize) -> f64 {
        self.pay_offs[composition * self.strategies() + strategy]
    }

    /// Expected pay-off of each strategy at a table whose other seats draw independently from `shares`.
    pub fn against(&self, shares: &[f64], pay_offs: &mut [f64]) {
        let chances = self.shape.others.chances(shares);
        for (gained, gains) in pay_offs.iter_mut().zip(self.gains.chunks_exact(chances.len())) {
            *gained = gains.iter().zip(&chances).map(|(gain, chance)| gain * chance).sum();
        }
    }

    /// Jacobian of [`against`](Self::against): `[pay-off, share]`.
    pub(crate) fn slopes(&self, shares: &[f64]) -> Square {
        let strategies = self.strategies();
        let mut slopes = Square::new(strategies);
        let Some(but_one) = &self.shape.but_one else { return slopes };
        let chances = but_one.chances(shares);
        let others = self.shape.others.count;
        let orders = (self.shape.compositions.seats() - 1) as f64;
        for (row, gains) in self.gains.chunks_exact(others).enumerate() {
            for (chance, with) in chances.iter().zip(self.shape.with.chunks_exact(strategies)) {
                for (column, others) in with.iter().enumerate() {
                    slopes.set(row, column, slopes.at(row, column) + orders * chance * gains[*others]);
                }
            }
        }
        slopes
    }

    /// Pay-off of a strategy with `own` seats minus that of the other, which has all other seats.
    fn margin(&self, strategy: usize, other: usize, own: usize) -> f64 {
        let mut counts = vec![0; self.strategies()];
        counts[strategy] = own as u16;
        counts[other] = (self.shape.compositions.seats() - own) as u16;
        let table = self.shape.compositions.index(&counts);
        self.pay_off(table, strategy) - self.pay_off(table, other)
    }

    /// `[row, column]`: mean pay-off difference at tables of these two strategies, over all divisions of the
    /// seats. The matrix is antisymmetric.
    pub fn margins(&self) -> Square {
        let (size, seats) = (self.strategies(), self.shape.compositions.seats());
        let mut margins = Square::new(size);
        for row in 0..size {
            for column in row + 1..size {
                let sum: f64 = (1..seats).map(|own| self.margin(row, column, own)).sum();
                let mean = if seats > 1 { sum / (seats - 1) as f64 } else { 0.0 };
                margins.set(row, column, mean);
                margins.set(column, row, -mean);
            }
        }
        margins
    }

    /// `[row, column]`: pay-off of a single player of the row's strategy minus that of the others, who all
    /// have the column's.
    pub fn invasion(&self) -> Square {
        let size = self.strategies();
        let mut invasion = Square::new(size);
        for row in 0..size {
            for column in (0..size).filter(|column| *column != row) {
                invasion.set(row, column, self.margin(row, column, 1));
            }
        }
        invasion
    }
}
