//! Results as tables for terminals.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::grid::{Grid, simulation_grids};
use crate::run::Run;
use crate::sweep::SweepResult;
use crate::sweep_grid::{Detail, each_sweep_grid};
use crate::text::grouped;

/// Legend below tables with intervals.
pub const LEGEND: &str =
    "± is half of the 95 % interval (its wider side); sd is the standard deviation of single episodes.";

/// The tables printed by `sim`, at most `width` columns wide if the terminal's width is known.
pub fn simulation_tables(run: &Run, width: Option<u16>) -> String {
    let summary = &run.summary;
    let seats = summary.seats.len();
    let seating = if seats == 1 { String::new() } else { format!(", {} seating", summary.seating) };
    let mut text = format!(
        "{}: {} episode{}, {seats} seat{}{seating}, seed {}\n",
        summary.game,
        grouped(summary.episodes),
        plural(summary.episodes),
        plural(seats as u64),
        summary.seed,
    );
    for grid in simulation_grids(summary) {
        text.push('\n');
        text.push_str(&print(&grid, width));
    }
    text.push_str(&format!("\n{LEGEND}\n{}\n", pace(run)));
    text
}

fn pace(run: &Run) -> String {
    let timing = &run.timing;
    if timing.episodes == 0 {
        return "nothing was left to play".to_owned();
    }
    format!(
        "{} episode{} in {:.2} s: {} per second on {} thread{}{}",
        grouped(timing.episodes),
        plural(timing.episodes),
        timing.seconds,
        grouped(timing.episodes_per_second as u64),
        timing.threads,
        plural(timing.threads as u64),
        if run.stopped { "; stopped before the end" } else { "" },
    )
}

/// The tables printed by `sweep`: every cell, the best three per agent, lengths, endings and figures.
pub fn sweep_tables(result: &SweepResult, width: Option<u16>) -> String {
    let Some(first) = result.cells.first() else { return String::new() };
    let summary = &first.run.summary;
    let values = |count: usize| format!("{count} value{}", plural(count as u64));
    let axes: Vec<String> =
        result.axes.iter().map(|axis| format!("{} ({})", axis.name, values(axis.values.len()))).collect();
    let mut text = format!(
        "{}: {}, {} episode{} per cell, seed {}; every cell sees the same deals\n",
        summary.game,
        axes.join(" x "),
        result.episodes_per_cell(),
        plural(summary.episodes),
        result.seed,
    );
    each_sweep_grid(result, Detail::Brief, &mut |grid| {
        let title = if grid.title == "By value" { String::new() } else { format!("{}\n", grid.title) };
        text.push_str(&format!("\n{title}{}", print(&grid, width)));
    });
    text.push_str(&format!("\n{LEGEND}\n"));
    if result.stopped {
        text.push_str("stopped before the end\n");
    }
    text
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A table as text, at most `width` columns wide if the terminal's width is known.
pub fn print(grid: &Grid, width: Option<u16>) -> String {
    let mut text = draw(
        &grid.header,
        &grid.rows,
        &|column| column >= grid.numbers,
        &Look { rule: '─', padding: 2, width },
    );
    if !grid.note.is_empty() {
        text.push_str(&grid.note);
        text.push('\n');
    }
    text
}

/// A table at natural width without notes; columns of numbers or percentages are right-aligned.
///
/// ```
/// use meeple_lab::table::plain;
/// let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let text = plain(&words("name share of"), &[words("Ann 9.5% all"), words("Bob 12% -")]);
/// assert_eq!(text, "name  share  of\n----------------\nAnn    9.5%  all\nBob     12%  -\n");
/// ```
pub fn plain(columns: &[String], rows: &[Vec<String>]) -> String {
    let is_number = |cell: &String| {
        cell.is_empty() || cell == "-" || cell.trim_end_matches('%').trim().parse::<f64>().is_ok()
    };
    let is_numeric =
        |column: usize| !rows.is_empty() && rows.iter().all(|row| row.get(column).is_none_or(is_number));
    draw(columns, rows, &is_numeric, &Look { rule: '-', padding: 1, width: None })
}

struct Look {
    /// Character of the line below the heads.
    rule: char,
    /// Blanks after a column, besides the separator between columns.
    padding: u16,
    /// Columns of the terminal, if known.
    width: Option<u16>,
}

fn draw(header: &[String], rows: &[Vec<String>], is_numeric: &dyn Fn(usize) -> bool, look: &Look) -> String {
    let rule = look.rule;
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill(rule).junction(rule)));
    match look.width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.max(40));
        }
        // Without a width, the output goes to a file or pipe.
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    table.set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index + 1 < header.len() { look.padding } else { 0 }));
        if is_numeric(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(rows);
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
