//! The numbers that are kept of every deal of a table: means over its episodes, one for each rotation of the
//! seats.

use meeple_core::{Course, EpisodeReport};

use crate::plan::Balance;

/// The layout of a row. The pay-offs of the strategies at the table come first, one each; the rest is the
/// same at all tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Seats of the strategies, and episodes of a deal.
    pub seats: usize,
    /// Number of spots that are distinguished: 0 where others have seats, too.
    pub spots: usize,
    pub ends: usize,
}

/// A number of an episode, beside the pay-offs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// In the game's unit.
    Length,
    Decisions,
    /// Decisions with one legal action; 0 where that is not known.
    Forced,
    Turns,
    /// Number of changes of the lead.
    LeadChanges,
    /// 1 where a single winner had another in the lead at half of the decisions.
    Comeback,
    /// 1 if a single winner won, and somebody led at half of the decisions.
    Led,
    /// 1 where the episode ended for this reason.
    End(usize),
    /// The gain at this spot: a seat, or a place in the order of turns where that is drawn.
    Spot(usize),
}

const FIXED: usize = 7;

impl Layout {
    pub fn new(balance: &Balance) -> Self {
        let spots = if balance.filler.is_some() { 0 } else { balance.seats };
        Self { seats: balance.seats, spots, ends: balance.game.info().ends.len() }
    }

    /// Numbers in a row of a table with `strategies` strategies.
    pub fn width(self, strategies: usize) -> usize {
        strategies + FIXED + self.ends + self.spots
    }

    /// Offset of a number behind the pay-offs.
    pub fn offset(self, column: Column) -> usize {
        match column {
            Column::Length => 0,
            Column::Decisions => 1,
            Column::Forced => 2,
            Column::Turns => 3,
            Column::LeadChanges => 4,
            Column::Comeback => 5,
            Column::Led => 6,
            Column::End(end) => FIXED + end,
            Column::Spot(spot) => FIXED + self.ends + spot,
        }
    }
}

/// The row of a deal while it is played.
pub(crate) struct Row<'a> {
    layout: Layout,
    /// Seats of each strategy.
    sizes: &'a [u16],
    sums: Vec<f64>,
}

impl<'a> Row<'a> {
    pub fn new(layout: Layout, sizes: &'a [u16]) -> Self {
        Self { layout, sizes, sums: vec![0.0; layout.width(sizes.len())] }
    }

    /// Adds an episode, with the gain of each seat. `slots` gives the slot of the strategy by player; players
    /// behind them are others.
    pub fn add(&mut self, report: &EpisodeReport<'_>, course: &Course, pay_offs: &[f64], slots: &[usize]) {
        let (strategies, layout) = self.sums.split_at_mut(self.sizes.len());
        let mut add = |column, value: f64| layout[self.layout.offset(column)] += value;
        for (seat, pay_off) in pay_offs.iter().enumerate() {
            let Some(slot) = slots.get(usize::from(report.player_at[seat])).copied() else { continue };
            strategies[slot] += pay_off / f64::from(self.sizes[slot]);
            let spot = report.turn_places.get(seat).map_or(seat, |place| usize::from(*place));
            if spot < self.layout.spots {
                add(Column::Spot(spot), *pay_off);
            }
        }
        add(Column::Length, report.length as f64);
        add(Column::Decisions, report.decisions as f64);
        add(Column::Forced, course.forced().unwrap_or(0) as f64);
        add(Column::Turns, course.turns() as f64);
        add(Column::LeadChanges, course.lead_changes() as f64);
        add(Column::End(report.outcome.end), 1.0);
        let mut first = report.outcome.places.iter().enumerate().filter(|(_, place)| **place == 1);
        if let (Some((winner, _)), None, Some(leader)) =
            (first.next(), first.next(), course.leader_after(report.decisions / 2))
        {
            add(Column::Led, 1.0);
            add(Column::Comeback, f64::from(leader.index() != winner));
        }
    }

    /// Appends the means over the deal's episodes, and begins the next deal.
    pub fn finish(&mut self, rows: &mut Vec<f32>) {
        let episodes = self.layout.seats as f64;
        rows.extend(self.sums.iter().map(|sum| (sum / episodes) as f32));
        self.sums.fill(0.0);
    }
}
