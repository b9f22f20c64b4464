use crate::grid::{
    Grid, MAX_ROWS, NOTHING, WIDE, has_rivals, length_cells, length_header, measured, results_cells,
    results_header, texts, turned, width,
};
use crate::intervals::wilson_interval;
use crate::measure::{Measure, independent_units};
use crate::plots::MAX_AGENTS;
use crate::summary::{Results, Summary};
use crate::sweep::{Axis, Cell, SweepResult};
use crate::text::{percent_with_half, spread, with_half};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// Fits a terminal: no figures of agents, and a few figures over two axes.
    Brief,
    Full,
}

/// Maximum figures shown as matrices on a terminal.
const MAX_MATRICES: usize = 8;

type Show<'s> = &'s mut dyn FnMut(Grid);

/// Shows all cells, the best of every agent, then the course of episodes. The tables come one at a time:
/// there may be hundreds with a number for each of thousands of cells.
pub(crate) fn each_sweep_grid(result: &SweepResult, detail: Detail, show: Show<'_>) {
    if result.cells.is_empty() {
        return;
    }
    match &result.axes[..] {
        [rows, columns] => {
            for agent in 0..result.agents() {
                results_by_axes(result, agent, [rows, columns], show);
            }
            show(best(result));
            play_by_axes(result, [rows, columns], detail, show);
        }
        [axis, ..] => {
            show(cells(result));
            show(best(result));
            play_by_value(result, axis, detail, show);
        }
        [] => show(best(result)),
    }
}

/// One row per cell and agent.
fn cells(result: &SweepResult) -> Grid {
    let summary = &result.cells[0].run.summary;
    let rivals = result.cells.iter().any(|cell| has_rivals(&cell.run.summary));
    let mut header: Vec<String> = result.axes.iter().map(|axis| axis.name.clone()).collect();
    if rivals {
        header.push("agent".into());
    }
    let numbers = header.len();
    header.extend(results_header(summary, rivals));
    header.extend(texts(["min", "median", "max"]));
    let mut rows = Vec::new();
    for cell in &result.cells {
        for (index, agent) in cell.run.summary.agents.iter().enumerate().take(MAX_ROWS) {
            let coordinate = |(axis, at): (&Axis, &usize)| axis.values[*at].clone();
            let mut row: Vec<String> = result.axes.iter().zip(&cell.at).map(coordinate).collect();
            if index > 0 {
                row.iter_mut().for_each(String::clear);
            }
            if rivals {
                row.push(agent.name.clone());
            }
            row.extend(results_cells(&cell.run.summary, &agent.results, rivals));
            let score = &agent.score;
            row.extend([score.min, score.p50, score.max].map(|value| value.to_string()));
            rows.push(row);
        }
    }
    Grid::new("By value", header, rows, numbers)
}

fn results_by_axes(result: &SweepResult, agent: usize, axes: [&Axis; 2], show: Show<'_>) {
    let name = result.agent_name(agent);
    let own = |summary: &Summary| summary.agents[agent].results.clone();
    if result.cells.iter().any(|cell| has_rivals(&cell.run.summary)) {
        show(matrix(result, axes, format!("{name}: wins %"), &|summary| {
            let Results { wins, episodes, .. } = own(summary);
            has_rivals(summary).then(|| 100.0 * wins as f64 / episodes as f64)
        }));
    }
    let unit = result.cells[0].run.summary.score_unit;
    let title = format!("{name}: mean {unit}");
    show(matrix(result, axes, title, &|summary| Some(own(summary).mean_score)));
}

/// A matrix with the first axis down and the second across.
fn matrix(
    result: &SweepResult,
    [rows, columns]: [&Axis; 2],
    title: String,
    value: &dyn Fn(&Summary) -> Option<f64>,
) -> Grid {
    let mut header = vec![format!("{} \\ {}", rows.name, columns.name)];
    header.extend(columns.values.iter().cloned());
    let lines = rows.values.iter().enumerate().map(|(row, name)| {
        let mut line = vec![name.clone()];
        line.resize(columns.values.len() + 1, NOTHING.to_owned());
        for cell in result.cells.iter().filter(|cell| cell.at[0] == row) {
            if let Some(value) = value(&cell.run.summary) {
                line[cell.at[1] + 1] = short(value);
            }
        }
        line
    });
    Grid::new(title, header, lines, 1)
}

/// A number in a matrix: one decimal, or two if it is below 10.
fn short(value: f64) -> String {
    let places = if value == 0.0 || value.abs() >= 10.0 { 1 } else { 2 };
    format!("{value:.places$}")
}

fn end_share(summary: &Summary, end: usize) -> f64 {
    summary.ends.0[end].1 as f64 / summary.episodes as f64
}

fn play_by_value(result: &SweepResult, axis: &Axis, detail: Detail, show: Show<'_>) {
    let first = &result.cells[0].run.summary;
    let value = |cell: &Cell| axis.values[cell.at[0]].clone();
    let table = |title: &str, heads: Vec<String>, cells: &dyn Fn(&Summary) -> Vec<String>| {
        let rows = result.cells.iter().map(|cell| [vec![value(cell)], cells(&cell.run.summary)].concat());
        Grid::new(title, [vec![axis.name.clone()], heads].concat(), rows, 1)
    };
    show(table(&format!("Length in {}", first.length_unit), length_header(), &length_cells));
    let (ends, heads): (Vec<usize>, Vec<String>) = result.ends().into_iter().unzip();
    show(table("Ended by, % of episodes", heads, &|summary| {
        let share = |end: &usize| {
            let share = end_share(summary, *end);
            percent_with_half(share, wilson_interval(share, independent_units(summary)))
        };
        ends.iter().map(share).collect()
    }));
    let names = result.agent_names();
    let all = Measure::all(first, &names);
    by_measure(result, axis, "Figures", &all, &|measure, summary| measured(measure.of_table(summary)), show);
    if detail == Detail::Brief || names.len() < 2 {
        return;
    }
    let of_seats = Measure::of_seats(first, &names);
    for (agent, name) in names.iter().enumerate().take(MAX_AGENTS) {
        let title = format!("Figures of {name}, mean per seat");
        let value = |measure: &Measure, summary: &Summary| {
            measured(measure.of_agent(summary, &summary.agents[agent]))
        };
        by_measure(result, axis, &title, &of_seats, &value, show);
    }
}

/// A table of measures by value, split where too wide. The longer dimension goes down.
fn by_measure(
    result: &SweepResult,
    axis: &Axis,
    title: &str,
    measures: &[Measure],
    value: &dyn Fn(&Measure, &Summary) -> String,
    show: Show<'_>,
) {
    if measures.is_empty() {
        return;
    }
    let head = |measure: &Measure| format!("{} ({})", measure.label, measure.unit);
    let mut lines: Vec<Vec<String>> =
        vec![std::iter::once(axis.name.clone()).chain(measures.iter().map(head)).collect()];
    lines.extend(result.cells.iter().map(|cell| {
        let cells = measures.iter().map(|measure| value(measure, &cell.run.summary));
        std::iter::once(axis.values[cell.at[0]].clone()).chain(cells).collect()
    }));
    if measures.len() > result.cells.len() || width(&lines) > WIDE {
        lines = turned(&lines);
        lines[0][0] = format!("figure \\ {}", axis.name);
    }
    let parts = parts(&lines);
    let count = parts.len();
    for (index, mut part) in parts.into_iter().enumerate() {
        let title = if count > 1 { format!("{title} ({} of {count})", index + 1) } else { title.to_owned() };
        let header = part.remove(0);
        show(Grid::new(title, header, part, 1));
    }
}

/// The fewest parts that fit the width, about equally wide. Each part repeats the first column.
fn parts(lines: &[Vec<String>]) -> Vec<Vec<Vec<String>>> {
    let columns = lines[0].len() - 1;
    let split = |count: usize| -> Vec<Vec<Vec<String>>> {
        let each = columns.div_ceil(count).max(1);
        let part = |from: usize| {
            let to = (from + each).min(columns + 1);
            let row = |line: &Vec<String>| [&line[..1], &line[from..to]].concat();
            lines.iter().map(row).collect()
        };
        (1..=columns).step_by(each).map(part).collect()
    };
    let fits = |parts: &Vec<Vec<Vec<String>>>| parts.iter().all(|part| width(part) <= WIDE);
    (1..columns).map(split).find(fits).unwrap_or_else(|| split(columns.max(1)))
}

/// Lengths, endings and figures by two axes, one matrix each.
fn play_by_axes(result: &SweepResult, axes: [&Axis; 2], detail: Detail, show: Show<'_>) {
    let first = &result.cells[0].run.summary;
    let title = format!("Length: mean {}", first.length_unit);
    show(matrix(result, axes, title, &|summary| Some(summary.length.mean)));
    let ends = result.ends();
    // A single end reason in all cells carries no information.
    for (end, name) in ends.iter().filter(|_| ends.len() > 1) {
        let title = format!("Ended by {name}: % of episodes");
        show(matrix(result, axes, title, &|summary| Some(100.0 * end_share(summary, *end))));
    }
    let measures = Measure::all(first, &result.agent_names());
    let shown = if detail == Detail::Full { measures.len() } else { measures.len().min(MAX_MATRICES) };
    for (index, measure) in measures[..shown].iter().enumerate() {
        let title = format!("{}: mean {}", measure.label, measure.unit);
        let value = |summary: &Summary| measure.of_table(summary).map(|measured| measured.value);
        let grid = matrix(result, axes, title, &value);
        show(match measures.len() - shown {
            more @ 1.. if index + 1 == shown => {
                let places = "see --json, or the report and plots of --out DIR";
                grid.noted(format!("… and {more} more figures: {places}"))
            }
            _ => grid,
        });
    }
}

fn best(result: &SweepResult) -> Grid {
    let summary = &result.cells[0].run.summary;
    let rivals = result.cells.iter().any(|cell| has_rivals(&cell.run.summary));
    let mut header = texts(["agent", "place"]);
    header.extend(result.axes.iter().map(|axis| axis.name.clone()));
    if rivals {
        header.push("win share %".into());
    }
    header.extend([format!("mean {}", summary.score_unit), "sd".into()]);
    let mut rows = Vec::new();
    for agent in 0..result.agents().min(MAX_ROWS) {
        for (place, cell) in result.best(agent, 3).into_iter().enumerate() {
            let results = &cell.run.summary.agents[agent].results;
            let name = if place == 0 { result.agent_name(agent) } else { String::new() };
            let mut row = vec![name, (place + 1).to_string()];
            row.extend(result.axes.iter().zip(&cell.at).map(|(axis, at)| axis.values[*at].clone()));
            if has_rivals(&cell.run.summary) {
                row.push(percent_with_half(results.win_share, results.win_share_ci));
            } else if rivals {
                row.push(NOTHING.to_owned());
            }
            row.push(with_half(results.mean_score, results.mean_score_ci));
            row.push(spread(results.sd_score));
            rows.push(row);
        }
    }
    let by = if result.ranks_by_score() { "mean score" } else { "share of the win" };
    Grid::new(format!("Best three by {by}"), header, rows, 1)
}
