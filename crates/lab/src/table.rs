//! Text tables for people.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::summary::{Results, Summary};
use crate::text::{grouped, number, optional, percent_with_half, spaced, spread, with_half};
use crate::{Run, SweepResult};

/// Rows of a table by agent or seat at most; the rest is in the JSON form.
const MOST_ROWS: usize = 40;

/// The tables that `sim` prints, at most `width` columns wide if the terminal's width is known.
pub fn simulation_tables(run: &Run, width: Option<u16>) -> String {
    let summary = &run.summary;
    let mut text = headline(summary);
    text.push_str(&by_agent(summary, width));
    if summary.seats.len() > 1 {
        text.push('\n');
        text.push_str(&by_seat(summary, width));
    }
    text.push('\n');
    text.push_str(&figures(summary, width));
    text.push_str("± is half of the 95 % interval (its wider side); sd is the spread of single episodes.\n");
    let timing = &run.timing;
    text.push_str(&format!(
        "{} episodes in {:.2} s: {} per second on {} thread{}{}\n",
        grouped(timing.episodes),
        timing.seconds,
        grouped(timing.episodes_per_second as u64),
        timing.threads,
        if timing.threads == 1 { "" } else { "s" },
        if run.stopped { "; stopped before the end" } else { "" },
    ));
    text
}

fn headline(summary: &Summary) -> String {
    let seats = summary.seats.len();
    let seating = if seats == 1 { String::new() } else { format!(", {} seating", summary.seating) };
    format!(
        "{}: {} episode{}, {seats} seat{}{seating}, seed {}\n\n",
        summary.game,
        grouped(summary.episodes),
        if summary.episodes == 1 { "" } else { "s" },
        if seats == 1 { "" } else { "s" },
        summary.seed,
    )
}

/// A table of text columns and, from `numbers` on, right-aligned ones.
fn new_table(width: Option<u16>, header: &[String], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    match width {
        Some(width) => table.set_width(width.max(40)),
        // Not a terminal: as wide as it needs.
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table.set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index >= numbers {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn print(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    format!("{}\n", lines.join("\n"))
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

fn standing_header(summary: &Summary) -> Vec<String> {
    let mut header = if summary.seats.len() > 1 {
        texts(["wins %", "draws %", "losses %", "win share %"])
    } else {
        Vec::new()
    };
    header.push(format!("mean {}", summary.score_unit));
    header.push("sd".to_owned());
    header
}

fn standing(summary: &Summary, results: &Results) -> Vec<String> {
    let share = |count: u64| count as f64 / results.episodes as f64;
    let mut cells = Vec::new();
    if summary.seats.len() > 1 {
        cells.push(percent_with_half(share(results.wins), results.win_ci));
        cells.push(percent_with_half(share(results.draws), results.draw_ci));
        cells.push(percent_with_half(share(results.losses), results.loss_ci));
        cells.push(percent_with_half(results.win_share, results.win_share_ci));
    }
    cells.push(with_half(results.mean_score, results.mean_score_ci));
    cells.push(spread(results.sd_score));
    cells
}

fn by_agent(summary: &Summary, width: Option<u16>) -> String {
    let several = summary.agents.iter().any(|agent| agent.seats_per_episode > 1);
    let mut header = texts(["agent"]);
    if several {
        header.push("seats".into());
    }
    header.extend(standing_header(summary));
    if summary.seats.len() == 1 {
        header.extend(texts(["min", "10 %", "median", "90 %", "max"]));
    }
    let mut table = new_table(width, &header, 1);
    for agent in summary.agents.iter().take(MOST_ROWS) {
        let mut row = vec![agent.name.clone()];
        if several {
            row.push(agent.seats_per_episode.to_string());
        }
        row.extend(standing(summary, &agent.results));
        if summary.seats.len() == 1 {
            let score = &agent.score;
            let spread = [score.min, score.p10, score.p50, score.p90, score.max];
            row.extend(spread.map(|value| value.to_string()));
        }
        table.add_row(row);
    }
    print(&table) + &left_out(summary.agents.len(), "agents")
}

fn left_out(count: usize, what: &str) -> String {
    match count.checked_sub(MOST_ROWS) {
        Some(more) if more > 0 => format!("… and {more} more {what}: see --json\n"),
        _ => String::new(),
    }
}

fn by_seat(summary: &Summary, width: Option<u16>) -> String {
    let mut header = texts(["seat"]);
    header.extend(standing_header(summary));
    let mut table = new_table(width, &header, 1);
    for seat in summary.seats.iter().take(MOST_ROWS) {
        let mut row = vec![seat.seat.to_string()];
        row.extend(standing(summary, &seat.results));
        table.add_row(row);
    }
    print(&table) + &left_out(summary.seats.len(), "seats")
}

fn figures(summary: &Summary, width: Option<u16>) -> String {
    let mut text = String::new();
    let ends: Vec<String> = summary
        .ends
        .0
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(end, count)| {
            let share = 100.0 * *count as f64 / summary.episodes as f64;
            format!("{end} {} ({share:.1} %)", grouped(*count))
        })
        .collect();
    text.push_str(&format!("ended by: {}\n\n", ends.join(", ")));
    let header = texts(["figure", "mean", "sd", "min", "10 %", "median", "90 %", "max"]);
    let mut table = new_table(width, &header, 1);
    let length = &summary.length;
    let spread = &length.quantiles;
    let mut row = vec![
        format!("length ({})", summary.length_unit),
        number(length.mean),
        length.sd.map_or_else(|| "–".to_owned(), number),
    ];
    row.extend([spread.min, spread.p10, spread.p50, spread.p90, spread.max].map(|value| value.to_string()));
    table.add_row(row);
    for (name, spread) in &summary.stats.0 {
        table.add_row(vec![spaced(name), optional(spread.mean), optional(spread.sd)]);
    }
    text.push_str(&print(&table));
    let with_stats = summary.agents.first().is_some_and(|agent| !agent.stats.0.is_empty());
    if summary.agents.len() > 1 && with_stats {
        let mut header = texts(["mean per seat"]);
        header.extend(summary.agents[0].stats.0.iter().map(|(name, _)| spaced(name)));
        let mut table = new_table(width, &header, 1);
        for agent in summary.agents.iter().take(MOST_ROWS) {
            let mut row = vec![agent.name.clone()];
            row.extend(agent.stats.0.iter().map(|(_, spread)| optional(spread.mean)));
            table.add_row(row);
        }
        text.push('\n');
        text.push_str(&print(&table));
    }
    text.push('\n');
    text
}

/// The tables that `sweep` prints: every cell, and the best three per agent.
pub fn sweep_tables(result: &SweepResult, width: Option<u16>) -> String {
    let Some(first) = result.cells.first() else { return String::new() };
    let summary = &first.run.summary;
    let axes: Vec<String> =
        result.axes.iter().map(|axis| format!("{} ({} values)", axis.name, axis.values.len())).collect();
    let mut text = format!(
        "{}: {}, {} episodes per cell, seed {}; every cell sees the same deals\n\n",
        summary.game,
        axes.join(" x "),
        grouped(summary.episodes),
        result.seed,
    );
    match &result.axes[..] {
        [_, _] => {
            for agent in 0..result.agents() {
                text.push_str(&grids(result, agent, width));
            }
        }
        _ => text.push_str(&lines(result, width)),
    }
    text.push_str(&best(result));
    if result.stopped {
        text.push_str("stopped before the end\n");
    }
    text
}

/// One row per value and agent.
fn lines(result: &SweepResult, width: Option<u16>) -> String {
    let summary = &result.cells[0].run.summary;
    let solo = summary.seats.len() == 1;
    let mut header: Vec<String> = result.axes.iter().map(|axis| axis.name.clone()).collect();
    if !solo {
        header.push("agent".into());
    }
    let numbers = header.len();
    header.extend(standing_header(summary));
    header.extend(texts(["min", "median", "max"]));
    let mut table = new_table(width, &header, numbers);
    for cell in &result.cells {
        let summary = &cell.run.summary;
        for (index, agent) in summary.agents.iter().enumerate().take(MOST_ROWS) {
            let coordinate = |(axis, at): (&crate::Axis, &usize)| axis.values[*at].clone();
            let mut row: Vec<String> = result.axes.iter().zip(&cell.at).map(coordinate).collect();
            if index > 0 {
                row.iter_mut().for_each(String::clear);
            }
            if !solo {
                row.push(agent.name.clone());
            }
            row.extend(standing(summary, &agent.results));
            let score = &agent.score;
            row.extend([score.min, score.p50, score.max].map(|value| value.to_string()));
            table.add_row(row);
        }
    }
    print(&table) + "\n"
}

/// Matrices of one agent.
fn grids(result: &SweepResult, agent: usize, width: Option<u16>) -> String {
    let [rows, columns] = &result.axes[..] else { return String::new() };
    let summary = &result.cells[0].run.summary;
    let mut text = String::new();
    let mut grid = |title: String, value: &dyn Fn(&Results) -> f64| {
        let mut header = vec![format!("{} \\ {}", rows.name, columns.name)];
        header.extend(columns.values.iter().cloned());
        let mut table = new_table(width, &header, 1);
        for (row, name) in rows.values.iter().enumerate() {
            let cells = result.cells.iter().filter(|cell| cell.at[0] == row);
            let values = cells.map(|cell| format!("{:.1}", value(&cell.run.summary.agents[agent].results)));
            table.add_row(std::iter::once(name.clone()).chain(values));
        }
        text.push_str(&format!("{title}\n{}\n", print(&table)));
    };
    let name = result.agent_name(agent);
    if summary.seats.len() > 1 {
        grid(format!("{name}: wins %"), &|results| 100.0 * results.wins as f64 / results.episodes as f64);
    }
    grid(format!("{name}: mean {}", summary.score_unit), &|results| results.mean_score);
    text
}

fn best(result: &SweepResult) -> String {
    let mut text = String::new();
    let Some(first) = result.cells.first() else { return text };
    let solo = first.run.summary.seats.len() == 1;
    let unit = first.run.summary.score_unit;
    for agent in 0..result.agents().min(MOST_ROWS) {
        let by = if solo { format!("mean {unit}") } else { "win share %".to_owned() };
        text.push_str(&format!("best for {} by {by}:\n", result.agent_name(agent)));
        for (place, cell) in result.best(agent, 3).into_iter().enumerate() {
            let results = &cell.run.summary.agents[agent].results;
            let mean = with_half(results.mean_score, results.mean_score_ci);
            let value = if solo {
                format!("{mean} (sd {})", spread(results.sd_score))
            } else {
                format!("{}, mean {mean} {unit}", percent_with_half(results.win_share, results.win_share_ci))
            };
            text.push_str(&format!("  {}. {}: {value}\n", place + 1, result.label(cell)));
        }
    }
    text
}
