//! All statistics of a set of deals: of all deals, or of a resample.

use meeple_theory::{Square, TableGame, alpha_rank, cyclic, nash_average, symmetric_equilibrium};

use crate::play::PlayedTables;
use crate::row::Column;

/// Population size of alpha-rank.
pub(crate) const POPULATION: u32 = 50;

#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub game: TableGame,
    /// `[row, column]`: gain of the row above the column, at tables of only these two strategies.
    pub margins: Square,
    /// `[row, column]`: gain of the row above the column, as a single player among players of the column.
    pub invasion: Square,
    pub equilibrium: Vec<f64>,
    /// Gain among players of the equilibrium, above their mean.
    pub gains: Vec<f64>,
    /// Gain among players of the uniform mixture, above their mean.
    pub field: Vec<f64>,
    pub alpha_rank: Vec<f64>,
    pub cyclic: f64,
    /// Means over all tables, equally weighted.
    pub all: Games,
    /// Means over the tables of players of the equilibrium.
    pub best: Games,
    pub luck: Luck,
}

/// Means over tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Games {
    pub length: f64,
    pub decisions: f64,
    pub decisions_a_turn: f64,
    /// Share of the decisions with one legal action.
    pub forced: f64,
    pub lead_changes: f64,
    /// Share of games won by another seat than the leader at half of the decisions. Only games with a single
    /// winner and a leader at that time count.
    pub comebacks: f64,
    pub ends: Vec<f64>,
    pub spots: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Luck {
    pub agents: f64,
    pub seats: f64,
    pub deals_by_seat: f64,
    pub deals_by_strategy: f64,
    pub rest: f64,
}

pub(crate) struct Sample<'a> {
    pub played: &'a PlayedTables,
    pub weights: &'a [u16],
    pub alpha: f64,
    /// Variance between the agents due to sampling alone.
    pub noise: f64,
}

impl Sample<'_> {
    pub(crate) fn point(&self) -> Point {
        let Self { played, .. } = self;
        let (layout, strategies) = (played.layout, played.shape.compositions().strategies());
        let means: Vec<Vec<f64>> = (0..played.tables.len()).map(|table| self.means(table)).collect();
        let mut pay_offs = vec![0.0; played.tables.len() * strategies];
        for (index, (table, means)) in played.tables.iter().zip(&means).enumerate() {
            for ((strategy, _), mean) in table.sitting.iter().zip(means) {
                pay_offs[index * strategies + strategy] = *mean;
            }
        }
        let game = TableGame::of(&played.shape, pay_offs);
        let margins = game.margins();
        let equilibrium = if layout.seats == 2 {
            nash_average(&margins).shares
        } else {
            symmetric_equilibrium(&game).shares
        };
        let above = |shares: &[f64]| {
            let mut gains = vec![0.0; strategies];
            game.against(shares, &mut gains);
            let mean: f64 = gains.iter().zip(shares).map(|(gain, share)| gain * share).sum();
            gains.iter_mut().for_each(|gain| *gain -= mean);
            gains
        };
        let tables = |table: usize, means: &[f64], column: Column| {
            means[played.tables[table].sitting.len() + layout.offset(column)]
        };
        let games = |shares: &dyn Fn(usize) -> f64| {
            let mean = |column: Column| {
                let all = means.iter().enumerate();
                all.map(|(table, means)| shares(table) * tables(table, means, column)).sum::<f64>()
            };
            let part = |part: Column, whole: Column| {
                let whole = mean(whole);
                if whole > 0.0 { mean(part) / whole } else { 0.0 }
            };
            Games {
                length: mean(Column::Length),
                decisions: mean(Column::Decisions),
                decisions_a_turn: part(Column::Decisions, Column::Turns),
                forced: part(Column::Forced, Column::Decisions),
                lead_changes: mean(Column::LeadChanges),
                comebacks: part(Column::Comeback, Column::Led),
                ends: (0..layout.ends).map(|end| mean(Column::End(end))).collect(),
                spots: (0..layout.spots).map(|spot| mean(Column::Spot(spot))).collect(),
            }
        };
        let alike = 1.0 / played.tables.len() as f64;
        let all = games(&|_| alike);
        let best = games(&|table| probability(&played.tables[table].sitting, &equilibrium));
        Point {
            invasion: game.invasion(),
            gains: above(&equilibrium),
            field: above(&vec![1.0 / strategies as f64; strategies]),
            alpha_rank: alpha_rank(&margins, self.alpha, POPULATION),
            cyclic: cyclic(&margins).share,
            luck: self.luck(&means),
            game,
            margins,
            equilibrium,
            all,
            best,
        }
    }

    /// The shares of luck and skill, from the mean rows of the tables.
    fn luck(&self, means: &[Vec<f64>]) -> Luck {
        let played = self.played;
        let variance = played.deal_cells.variance(self.weights);
        if variance.total < 1e-12 {
            return Luck::default();
        }
        let agents = (agents_variance(played, means) - self.noise).clamp(0.0, variance.total);
        let deals = variance.of_deals(agents);
        // `left` has two parts: effects of the deal on a strategy, and differences between rotations of a
        // deal. A mean over n rotations has the variance of the first part, and 1/n of that of the second.
        let left = (variance.total - agents - variance.seats - deals).max(0.0);
        let n = played.layout.seats as f64;
        let rest = ((left - self.variance_of_rows()) * n / (n - 1.0)).clamp(0.0, left);
        let part = |part: f64| (part / variance.total).clamp(0.0, 1.0);
        Luck {
            agents: part(agents),
            seats: part(variance.seats),
            deals_by_seat: part(deals),
            deals_by_strategy: part(left - rest),
            rest: part(rest),
        }
    }

    /// The variance between deals of the mean over a deal's rotations, for one player among others.
    fn variance_of_rows(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for table in self.played.tables.iter().filter(|table| table.sitting.len() > 1) {
            let width = self.played.layout.width(table.sitting.len());
            for (slot, _) in table.sitting.iter().enumerate().filter(|(_, (_, seats))| *seats == 1) {
                let (mut deals, mut total, mut squares) = (0.0, 0.0, 0.0);
                for (row, weight) in table.rows.chunks_exact(width).zip(self.weights) {
                    let (weight, value) = (f64::from(*weight), f64::from(row[slot]));
                    deals += weight;
                    total += weight * value;
                    squares += weight * value * value;
                }
                sum += (squares - total * total / deals).max(0.0) / (deals - 1.0);
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    fn means(&self, table: usize) -> Vec<f64> {
        let table = &self.played.tables[table];
        let width = self.played.layout.width(table.sitting.len());
        let (mut sums, mut all) = (vec![0.0; width], 0.0);
        for (row, weight) in
            table.rows.chunks_exact(width).zip(self.weights).filter(|(_, weight)| **weight > 0)
        {
            let weight = f64::from(*weight);
            all += weight;
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += weight * f64::from(*number));
        }
        sums.iter_mut().for_each(|sum| *sum /= all);
        sums
    }
}

/// Probability of this table if each player draws a strategy from `shares`.
fn probability(sitting: &[(usize, u16)], shares: &[f64]) -> f64 {
    let mut seated = 0;
    let mut product = 1.0;
    for (strategy, count) in sitting {
        for place in 1..=*count {
            seated += 1;
            product *= shares[*strategy] * f64::from(seated) / f64::from(place);
        }
    }
    product
}

/// Variance between the players of the mean pay-offs at tables of several strategies.
fn agents_variance(played: &PlayedTables, means: &[Vec<f64>]) -> f64 {
    let seats = played.layout.seats as f64;
    let of_tables = played.tables.iter().zip(means).filter(|(table, _)| table.sitting.len() > 1);
    let (mut sum, mut count) = (0.0, 0.0);
    for (table, means) in of_tables {
        let each = || table.sitting.iter().zip(means).map(|((_, seats), mean)| (f64::from(*seats), *mean));
        let mean: f64 = each().map(|(own, mean)| own * mean / seats).sum();
        sum += each().map(|(own, gained)| own * (gained - mean).powi(2) / seats).sum::<f64>();
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Contribution of sampling alone to [`agents_variance`].
pub(crate) fn agents_noise(played: &PlayedTables) -> f64 {
    let (seats, deals) = (played.layout.seats as f64, played.deals as f64);
    let (mut sum, mut count) = (0.0, 0.0);
    for table in played.tables.iter().filter(|table| table.sitting.len() > 1) {
        let width = played.layout.width(table.sitting.len());
        for (slot, (_, own)) in table.sitting.iter().enumerate() {
            let (mut total, mut squares) = (0.0, 0.0);
            for row in table.rows.chunks_exact(width) {
                total += f64::from(row[slot]);
                squares += f64::from(row[slot]).powi(2);
            }
            let variance = (squares - total * total / deals) / (deals - 1.0);
            sum += f64::from(*own) / seats * variance.max(0.0) / deals;
        }
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
