//! Notes on the episodes below the titles of plots, and the number of agents shown.

use crate::summary::Summary;
use crate::sweep::SweepResult;
use crate::text::grouped;

pub(super) const MAX_BARS: usize = 30;

pub(crate) const MAX_AGENTS: usize = 8;

pub(super) fn episodes_note(summary: &Summary) -> String {
    let s = if summary.episodes == 1 { "" } else { "s" };
    format!("{}, {} episode{s}, seed {}.", summary.game, grouped(summary.episodes), summary.seed)
}

pub(super) fn shown_note(count: usize, most: usize) -> String {
    if count > most { format!(" The first {most} of {count} agents are shown.") } else { String::new() }
}

pub(super) fn sweep_note(result: &SweepResult) -> String {
    let summary = &result.cells[0].run.summary;
    format!(
        "{}, {} episodes per value, seed {}, the same deals for every value.",
        summary.game,
        result.episodes_per_cell(),
        result.seed
    )
}
