//! Symmetric games of any number of players, as tables of pay-offs.

use crate::square::Square;

/// All multisets of strategies on the seats of a table, in lexicographic order: at the first table everybody plays the first
/// strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compositions {
    seats: usize,
    strategies: usize,
    counts: Vec<u16>,
}

impl Compositions {
    /// How many there are; `None` if more than a `usize` holds.
    pub fn count(seats: usize, strategies: usize) -> Option<usize> {
        if strategies == 0 {
            return Some(usize::from(seats == 0));
        }
        // C(seats + strategies - 1, seats), each partial product a binomial itself.
        let mut count: usize = 1;
        let (few, many) = (seats.min(strategies - 1), seats.max(strategies - 1));
        for step in 1..=few {
            count = count.checked_mul(many + step)? / step;
        }
        Some(count)
    }

    /// All of them.
    ///
    /// # Panics
    /// If there is no strategy, or more seats than a `u16` holds.
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
            // The next: one less where it can be moved on, all that stood behind goes right after it.
            let Some(from) = (0..strategies - 1).rev().find(|place| row[*place] > 0) else {
                return Self { seats, strategies, counts };
            };
            let behind = std::mem::take(&mut row[strategies - 1]);
            row[from] -= 1;
            row[from + 1] += behind + 1;
        }
    }

    /// Seats of a table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Number of strategies.
    pub fn strategies(&self) -> usize {
        self.strategies
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.len() / self.strategies
    }

    /// Never: there is a table at least.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many seats each strategy has at a table.
    pub fn counts(&self, index: usize) -> &[u16] {
        &self.counts[index * self.strategies..][..self.strategies]
    }

    /// Where a table stands.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn index(&self, counts: &[u16]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            // Earlier tables have more of the first strategies.
            if self.counts(middle) > counts { low = middle + 1 } else { high = middle }
        }
        assert_eq!(self.counts(low), counts, "a table of this game");
        low
    }
}

/// A symmetric game: what everybody gains at every table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableGame {
    compositions: Compositions,
    pay_offs: Vec<f64>,
    /// By strategy: the tables where it sits, as it sees them.
    seen: Vec<Vec<Seen>>,
    /// By strategy, then place in `seen`: the others there, as (strategy, seats).
    others: Vec<Vec<Vec<(u16, u16)>>>,
    /// Of two seats: what the row's strategy gains against the column's.
    pairs: Option<Square>,
}

/// A table in the eyes of one who sits there.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen {
    pay_off: f64,
    /// In how many orders the others may be drawn.
    orders: f64,
}

impl TableGame {
    /// The game with these pay-offs: by composition, then strategy; what stands at a strategy that does not sit there is
    /// ignored.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn new(compositions: Compositions, pay_offs: Vec<f64>) -> Self {
        let strategies = compositions.strategies();
        assert_eq!(pay_offs.len(), compositions.len() * strategies, "a pay-off by composition and strategy");
        let mut seen = vec![Vec::new(); strategies];
        let mut others = vec![Vec::new(); strategies];
        for index in 0..compositions.len() {
            let counts = compositions.counts(index);
            for strategy in (0..strategies).filter(|strategy| counts[*strategy] > 0) {
                let mut rest: Vec<(u16, u16)> = Vec::new();
                let (mut orders, mut drawn) = (1.0, 0.0);
                for (other, count) in counts.iter().enumerate() {
                    let count = count - u16::from(other == strategy);
                    for place in 1..=count {
                        drawn += 1.0;
                        orders *= drawn / f64::from(place);
                    }
                    if count > 0 {
                        rest.push((other as u16, count));
                    }
                }
                seen[strategy].push(Seen { pay_off: pay_offs[index * strategies + strategy], orders });
                others[strategy].push(rest);
            }
        }
        let mut pairs = (compositions.seats() == 2).then(|| Square::new(strategies));
        for (strategy, (seen, others)) in seen.iter().zip(&others).enumerate() {
            for (seen, others) in seen.iter().zip(others) {
                if let (Some(pairs), [(other, 1)]) = (&mut pairs, &others[..]) {
                    pairs.set(strategy, usize::from(*other), seen.pay_off);
                }
            }
        }
        Self { compositions, pay_offs, seen, others, pairs }
    }

    /// Number of strategies.
    pub fn strategies(&self) -> usize {
        self.compositions.strategies()
    }

    /// What a strategy gains at a table.
    pub fn pay_off(&self, composition: usize, strategy: usize) -> f64 {
        self.pay_offs[composition * self.strategies() + strategy]
    }

    /// What each strategy gains at a table whose other seats are drawn from `shares`, one by one.
    pub fn against(&self, shares: &[f64], pay_offs: &mut [f64]) {
        if let Some(pairs) = &self.pairs {
            return pay_offs.copy_from_slice(&pairs.times(shares));
        }
        for (strategy, gained) in pay_offs.iter_mut().enumerate() {
            let tables = self.seen[strategy].iter().zip(&self.others[strategy]);
            *gained = tables
                .map(|(seen, others)| {
                    let each = others.iter();
                    let drawn =
                        each.map(|(other, count)| shares[usize::from(*other)].powi(i32::from(*count)));
                    seen.pay_off * seen.orders * drawn.product::<f64>()
                })
                .sum();
        }
    }

    /// What a strategy with `own` seats gains at the table of these two, minus what the other gains there.
    fn margin(&self, strategy: usize, other: usize, own: usize) -> f64 {
        let mut counts = vec![0; self.strategies()];
        counts[strategy] = own as u16;
        counts[other] = (self.compositions.seats() - own) as u16;
        let table = self.compositions.index(&counts);
        self.pay_off(table, strategy) - self.pay_off(table, other)
    }

    /// By row and column: what the row's strategy gains more than the column's at tables of only these two, the mean over the
    /// number of their seats. Antisymmetric.
    pub fn margins(&self) -> Square {
        let (size, seats) = (self.strategies(), self.compositions.seats());
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

    /// By row and column: what one player of the row's strategy gains more than the others, who all play the column's.
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
