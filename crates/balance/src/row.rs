//! Statistics of every deal of a table: means over the deal's episodes, of which there is one per rotation of
//! the seats.

use meeple_core::{Course, EpisodeReport};

use crate::plan::Balance;

/// The layout of a row: the pay-offs of the strategies, then columns that are the same at all tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Number of seats of strategies, which is also the number of episodes of a deal.
    pub seats: usize,
    /// Number of spots; 0 if fillers have seats, too.
    pub spots: usize,
    pub ends: usize,
}

/// A column of an episode, beside the pay-offs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Length,
    Decisions,
    /// Decisions with one legal action; 0 where that is unknown.
    Forced,
    Turns,
    LeadChanges,
    /// 1 if a single seat won, and another one led alone at half of the decisions.
    Comeback,
    /// 1 if a single seat won, and any seat led alone at half of the decisions.
    Led,
    /// 1 if the episode ended for this reason.
    End(usize),
    /// Gain at this spot: a seat, or a place in a drawn order of turns.
    Spot(usize),
}

const FIXED: usize = 7;

impl Layout {
    pub fn new(balance: &Balance) -> Self {
        let spots = if balance.filler.is_some() { 0 } else { balance.seats };
        Self { seats: balance.seats, spots, ends: balance.game.info().ends.len() }
    }

    /// Width for a table of `strategies` strategies.
    pub fn width(self, strategies: usize) -> usize {
        strategies + FIXED + self.ends + self.spots
    }

    /// Offset of a column from the end of the pay-offs.
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

/// The row of a deal in progress.
pub(crate) struct Row<'a> {
    layout: Layout,
    sizes: &'a [u16],
    sums: Vec<f64>,
}

impl<'a> Row<'a> {
    pub fn new(layout: Layout, sizes: &'a [u16]) -> Self {
        Self { layout, sizes, sums: vec![0.0; layout.width(sizes.len())] }
    }

    /// Adds an episode, with the gain of each seat. `slots` has the index of each player's strategy at the
    /// table; players beyond its end are fillers.
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

    pub fn finish(&mut self, rows: &mut Vec<f32>) {
        let episodes = self.layout.seats as f64;
        rows.extend(self.sums.iter().map(|sum| (sum / episodes) as f32));
        self.sums.fill(0.0);
    }
}
