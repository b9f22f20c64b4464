//! Play of all tables on all cores. Results do not depend on the number of cores.

use std::ops::Range;
use std::sync::Arc;

use meeple_core::{AgentSpec, AnyCourseRunner, Course, EpisodeReport};
use meeple_lab::pool::{self, Panicked, PoolWorker};
use meeple_lab::{Histogram, LabError, Progress, StopFlag};
use meeple_theory::TableStructure;

use crate::deal_cells::DealCells;
use crate::plan::{Balance, TablePayoff};
use crate::row::{Layout, Row};

#[derive(Clone, Debug)]
pub struct PlayedTable {
    /// Strategies with their numbers of seats, in the order of strategies.
    pub sitting: Vec<(usize, u16)>,
    /// Rows of numbers, by deal; see [`Layout`].
    pub(crate) rows: Vec<f32>,
}

pub struct PlayedTables {
    /// All tables, in the order of the compositions.
    pub tables: Vec<PlayedTable>,
    pub shape: Arc<TableStructure>,
    /// Lengths of all episodes.
    pub lengths: Histogram,
    /// Sums of pay-offs by deal and seat, over all players of the seat. Tables of one strategy do not count.
    pub(crate) deal_cells: DealCells,
    pub(crate) layout: Layout,
    /// Number of deals of every table.
    pub deals: usize,
}

/// Consecutive deals of a table.
struct Ticket {
    table: usize,
    deals: Range<u64>,
}

/// The result of a ticket. Parts are merged in the order of tickets, so results do not depend on the number
/// of threads.
struct Part {
    rows: Vec<f32>,
    /// `[deal, seat]`: sums of the seat's pay-offs over all rotations, and of their squares. Empty with
    /// fillers.
    cells: Vec<[f64; 2]>,
    lengths: Histogram,
}

struct Kept {
    table: usize,
    runner: Box<dyn AnyCourseRunner>,
}

/// Plays all tables. A stopped run returns nothing: missing tables would favour some strategies.
///
/// # Errors
/// If an agent cannot play, or panics.
pub fn play(
    balance: &Balance,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Option<PlayedTables>, LabError> {
    let compositions = balance.tables();
    let layout = Layout::new(balance);
    let sitting = |index: usize| -> Vec<(usize, u16)> {
        let counts = compositions.counts(index).iter().copied().enumerate();
        counts.filter(|(_, count)| *count > 0).collect()
    };
    let mut tables: Vec<PlayedTable> = (0..compositions.len())
        .map(|index| PlayedTable { sitting: sitting(index), rows: Vec::new() })
        .collect();
    let seatings: Vec<Seats> = tables.iter().map(|table| Seats::new(balance, &table.sitting)).collect();
    let (seats, total) = (balance.seats, balance.episodes());
    let mut deal_cells = DealCells::new(balance.deals as usize, layout.spots);
    let mut lengths = Histogram::new();
    let threads = pool::threads(balance.threads);
    // The number of deals of a ticket is small enough to keep all cores busy and progress moving. It is large
    // enough to make handing out cheap.
    let at_once = (balance.deals * tables.len() as u64 / (32 * threads as u64)).clamp(1, 256);
    let work = |worker: &mut PoolWorker<'_, usize, Option<Kept>>, ticket| {
        work(balance, layout, &seatings, worker, ticket)
    };
    let tickets = (0..tables.len()).flat_map(|table| {
        let starts = (0..balance.deals).step_by(at_once as usize);
        starts.map(move |from| Ticket { table, deals: from..(from + at_once).min(balance.deals) })
    });
    let mut done = 0;
    progress.update(0, total, "");
    let named = tickets.map(|ticket| ((ticket.table, ticket.deals.clone()), ticket));
    pool::in_order(balance.threads, named, stop, work, |(table, deals), part| {
        let (first, end) = (deals.start * seats as u64, deals.end * seats as u64);
        let panic = |Panicked { message }| LabError::Panic { first, last: end - 1, message };
        let part = part.map_err(panic)??;
        lengths.merge(&part.lengths);
        if tables[table].sitting.len() > 1 {
            deal_cells.add(deals.start as usize, &part.cells, seats as f64);
        }
        tables[table].rows.extend_from_slice(&part.rows);
        done += end - first;
        progress.update(done, total, "");
        Ok::<_, LabError>(())
    })?;
    let deals = balance.deals as usize;
    let shape = Arc::new(TableStructure::new(compositions));
    Ok((done == total).then_some(PlayedTables { tables, shape, lengths, deal_cells, layout, deals }))
}

struct Seats {
    players: Vec<AgentSpec>,
    /// Index into the strategies of the table, by player; fillers have none.
    slots: Vec<usize>,
    sizes: Vec<u16>,
}

impl Seats {
    fn new(balance: &Balance, sitting: &[(usize, u16)]) -> Self {
        let each = |(slot, (strategy, count)): (usize, &(usize, u16))| {
            let spec = &balance.strategies[*strategy].spec;
            std::iter::repeat_n((slot, spec.clone()), usize::from(*count))
        };
        let (slots, mut players): (_, Vec<AgentSpec>) = sitting.iter().enumerate().flat_map(each).unzip();
        if let Some(filler) = &balance.filler {
            players.resize(balance.game.seats(), filler.clone());
        }
        Self { players, slots, sizes: sitting.iter().map(|(_, count)| *count).collect() }
    }
}

fn work(
    balance: &Balance,
    layout: Layout,
    seatings: &[Seats],
    worker: &mut PoolWorker<'_, usize, Option<Kept>>,
    Ticket { table, deals }: Ticket,
) -> Result<Part, LabError> {
    let Seats { players, slots, sizes } = &seatings[table];
    let kept = match worker.kept.take().filter(|kept| kept.table == table) {
        Some(kept) => kept,
        None => Kept { table, runner: balance.game.course_runner(players)? },
    };
    let Kept { runner, .. } = worker.kept.insert(kept);
    let seats = balance.seats;
    let mut part = Part { rows: Vec::new(), cells: Vec::new(), lengths: Histogram::new() };
    let mut row = Row::new(layout, sizes);
    let mut cells = vec![[0.0; 2]; layout.spots];
    let mut pay_offs = vec![0.0; balance.game.seats()];
    let (first, end) = (deals.start * seats as u64, deals.end * seats as u64);
    let mut each = |report: &EpisodeReport<'_>, course: &Course| {
        write_pay_offs(balance.pay_off, report, &mut pay_offs);
        row.add(report, course, &pay_offs, slots);
        for (cell, pay_off) in cells.iter_mut().zip(&pay_offs) {
            cell[0] += pay_off;
            cell[1] += pay_off * pay_off;
        }
        part.lengths.add(report.length.cast_signed());
        if (report.index + 1).is_multiple_of(seats as u64) {
            row.finish(&mut part.rows);
            part.cells.extend_from_slice(&cells);
            cells.fill([0.0; 2]);
        }
        !worker.over.is_stopped()
    };
    runner.run(balance.seed, balance.seating(), first..end, &mut each);
    Ok(part)
}

fn write_pay_offs(pay_off: TablePayoff, report: &EpisodeReport<'_>, pay_offs: &mut [f64]) {
    let outcome = report.outcome;
    match pay_off {
        TablePayoff::Win => {
            let winners = outcome.winners() as f64;
            for (gained, place) in pay_offs.iter_mut().zip(&outcome.places) {
                *gained = if *place == 1 { 1.0 / winners } else { 0.0 };
            }
        }
        TablePayoff::Score => {
            let mean = outcome.scores.iter().sum::<i64>() as f64 / pay_offs.len() as f64;
            for (gained, score) in pay_offs.iter_mut().zip(&outcome.scores) {
                *gained = *score as f64 - mean;
            }
        }
    }
}
