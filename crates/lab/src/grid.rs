//! The tables of runs and sweeps as data: the terminal and the report show the same.

use crate::summary::{Results, Summary};
use crate::text::{grouped, number, optional, percent_with_half, spaced, spread, with_half};
use crate::{Axis, SweepResult};

/// Rows of a table by agent or seat at most; the rest is in the JSON form.
const MOST_ROWS: usize = 40;

/// Columns of text that most terminals can show.
const WIDE: usize = 120;
/// Where there is no value.
const NOTHING: &str = "–";

/// A table of texts, for the terminal and for reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Shown above it; may be empty.
    pub title: String,
    /// Heads of the columns.
    pub header: Vec<String>,
    /// Rows of cells, as many each as there are heads.
    pub rows: Vec<Vec<String>>,
    /// The columns before this one hold words, the others numbers.
    pub numbers: usize,
    /// Shown below it; may be empty.
    pub note: String,
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

/// The tables of a simulation.
pub(crate) fn simulation_grids(summary: &Summary) -> Vec<Grid> {
    let mut grids = vec![by_agent(summary)];
    if summary.seats.len() > 1 {
        grids.push(by_seat(summary));
    }
    grids.push(by_end(summary));
    grids.push(figures(summary));
    let with_stats = summary.agents.first().is_some_and(|agent| !agent.stats.0.is_empty());
    if summary.agents.len() > 1 && with_stats {
        grids.push(figures_by_agent(summary));
    }
    grids
}

/// Whether a table has players who can win or lose against others. Alone, one always wins, which says nothing.
fn has_rivals(summary: &Summary) -> bool {
    summary.seats.len() > 1
}

fn standing_header(summary: &Summary, rivals: bool) -> Vec<String> {
    let mut header =
        if rivals { texts(["wins %", "draws %", "losses %", "win share %"]) } else { Vec::new() };
    header.push(format!("mean {}", summary.score_unit));
    header.push("sd".to_owned());
    header
}

/// The cells below [`standing_header`]; of a lone player in a table with `rivals` those of wins are empty.
fn standing(summary: &Summary, results: &Results, rivals: bool) -> Vec<String> {
    let share = |count: u64| count as f64 / results.episodes as f64;
    let mut cells = Vec::new();
    if rivals && !has_rivals(summary) {
        cells.extend(texts([NOTHING; 4]));
    } else if rivals {
        cells.push(percent_with_half(share(results.wins), results.win_ci));
        cells.push(percent_with_half(share(results.draws), results.draw_ci));
        cells.push(percent_with_half(share(results.losses), results.loss_ci));
        cells.push(percent_with_half(results.win_share, results.win_share_ci));
    }
    cells.push(with_half(results.mean_score, results.mean_score_ci));
    cells.push(spread(results.sd_score));
    cells
}

fn left_out(count: usize, what: &str) -> String {
    match count.checked_sub(MOST_ROWS) {
        Some(more) if more > 0 => format!("… and {more} more {what}: see --json"),
        _ => String::new(),
    }
}

fn by_agent(summary: &Summary) -> Grid {
    let several = summary.agents.iter().any(|agent| agent.seats_per_episode > 1);
    let mut header = texts(["agent"]);
    if several {
        header.push("seats".into());
    }
    header.extend(standing_header(summary, has_rivals(summary)));
    if summary.seats.len() == 1 {
        header.extend(texts(["min", "10 %", "median", "90 %", "max"]));
    }
    let rows = summary.agents.iter().take(MOST_ROWS).map(|agent| {
        let mut row = vec![agent.name.clone()];
        if several {
            row.push(agent.seats_per_episode.to_string());
        }
        row.extend(standing(summary, &agent.results, has_rivals(summary)));
        if summary.seats.len() == 1 {
            let score = &agent.score;
            row.extend(
                [score.min, score.p10, score.p50, score.p90, score.max].map(|value| value.to_string()),
            );
        }
        row
    });
    Grid {
        title: "By agent".into(),
        header,
        rows: rows.collect(),
        numbers: 1,
        note: left_out(summary.agents.len(), "agents"),
    }
}

fn by_seat(summary: &Summary) -> Grid {
    let mut header = texts(["seat"]);
    header.extend(standing_header(summary, has_rivals(summary)));
    let rows = summary.seats.iter().take(MOST_ROWS).map(|seat| {
        let mut row = vec![seat.seat.to_string()];
        row.extend(standing(summary, &seat.results, has_rivals(summary)));
        row
    });
    Grid {
        title: "By seat".into(),
        header,
        rows: rows.collect(),
        numbers: 1,
        note: left_out(summary.seats.len(), "seats"),
    }
}

fn by_end(summary: &Summary) -> Grid {
    let ends = summary.ends.0.iter().filter(|(_, count)| *count > 0);
    let rows = ends.map(|(end, count)| {
        let share = 100.0 * *count as f64 / summary.episodes as f64;
        vec![end.clone(), grouped(*count), format!("{share:.1}")]
    });
    Grid {
        title: "Ended by".into(),
        header: texts(["end", "episodes", "%"]),
        rows: rows.collect(),
        numbers: 1,
        note: String::new(),
    }
}

/// A figure's name; where an episode and a seat have one of the same name, with whose it is.
fn figure_label(summary: &Summary, key: &str) -> String {
    let known = |key: &str| summary.stats.get(key).is_some();
    match key.strip_prefix("figure_") {
        Some(name) if known(name) => format!("{} (per episode)", spaced(name)),
        _ if known(&format!("figure_{key}")) => format!("{} (per seat)", spaced(key)),
        _ => spaced(key),
    }
}

fn figures(summary: &Summary) -> Grid {
    let length = &summary.length;
    let quantiles = &length.quantiles;
    let mut row = vec!["length".into(), summary.length_unit.into(), number(length.mean), spread(length.sd)];
    let ends = [quantiles.min, quantiles.p10, quantiles.p50, quantiles.p90, quantiles.max];
    row.extend(ends.map(|value| value.to_string()));
    let mut rows = vec![row];
    for (name, sums) in &summary.stats.0 {
        let unit = summary.units.get(name).copied().unwrap_or_default().to_owned();
        let mut row = vec![figure_label(summary, name), unit, optional(sums.mean), spread(sums.sd)];
        row.resize(9, String::new());
        rows.push(row);
    }
    Grid {
        title: "Figures".into(),
        header: texts(["figure", "unit", "mean", "sd", "min", "10 %", "median", "90 %", "max"]),
        rows,
        numbers: 2,
        note: String::new(),
    }
}

/// A row per agent, or per figure where that would be too wide for most terminals.
fn figures_by_agent(summary: &Summary) -> Grid {
    let mut header = texts(["mean per seat"]);
    header.extend(summary.agents[0].stats.0.iter().map(|(name, _)| spaced(name)));
    let rows = summary.agents.iter().take(MOST_ROWS).map(|agent| {
        let means = agent.stats.0.iter().map(|(_, spread)| optional(spread.mean));
        std::iter::once(agent.name.clone()).chain(means).collect()
    });
    let mut lines = vec![header];
    lines.extend(rows);
    let turned: Vec<Vec<String>> =
        (0..lines[0].len()).map(|column| lines.iter().map(|line| line[column].clone()).collect()).collect();
    if width(&lines) > WIDE && width(&turned) < width(&lines) {
        lines = turned;
    }
    Grid {
        title: "Figures by agent".into(),
        header: lines.remove(0),
        rows: lines,
        numbers: 1,
        note: left_out(summary.agents.len(), "agents"),
    }
}

/// Columns that a table takes as text.
fn width(lines: &[Vec<String>]) -> usize {
    let widest = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    (0..lines[0].len()).map(|column| widest(column) + 2).sum()
}

/// The tables of a sweep: all cells, then the best of every agent.
pub(crate) fn sweep_grids(result: &SweepResult) -> Vec<Grid> {
    if result.cells.is_empty() {
        return Vec::new();
    }
    let mut grids = Vec::new();
    match &result.axes[..] {
        [rows, columns] => {
            for agent in 0..result.agents() {
                matrices(result, agent, rows, columns, &mut grids);
            }
        }
        _ => grids.push(cells(result)),
    }
    grids.push(best(result));
    grids
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
    header.extend(standing_header(summary, rivals));
    header.extend(texts(["min", "median", "max"]));
    let mut rows = Vec::new();
    for cell in &result.cells {
        for (index, agent) in cell.run.summary.agents.iter().enumerate().take(MOST_ROWS) {
            let coordinate = |(axis, at): (&Axis, &usize)| axis.values[*at].clone();
            let mut row: Vec<String> = result.axes.iter().zip(&cell.at).map(coordinate).collect();
            if index > 0 {
                row.iter_mut().for_each(String::clear);
            }
            if rivals {
                row.push(agent.name.clone());
            }
            row.extend(standing(&cell.run.summary, &agent.results, rivals));
            let score = &agent.score;
            row.extend([score.min, score.p50, score.max].map(|value| value.to_string()));
            rows.push(row);
        }
    }
    Grid { title: "By value".into(), header, rows, numbers, note: String::new() }
}

/// Win % and mean score of one agent, by both axes.
fn matrices(result: &SweepResult, agent: usize, rows: &Axis, columns: &Axis, grids: &mut Vec<Grid>) {
    let summary = &result.cells[0].run.summary;
    let name = result.agent_name(agent);
    let mut matrix = |title: String, value: &dyn Fn(&Summary, &Results) -> Option<f64>| {
        let mut header = vec![format!("{} \\ {}", rows.name, columns.name)];
        header.extend(columns.values.iter().cloned());
        let lines = rows.values.iter().enumerate().map(|(row, name)| {
            let mut line = vec![name.clone()];
            line.resize(columns.values.len() + 1, NOTHING.to_owned());
            for cell in result.cells.iter().filter(|cell| cell.at[0] == row) {
                let summary = &cell.run.summary;
                if let Some(value) = value(summary, &summary.agents[agent].results) {
                    line[cell.at[1] + 1] = format!("{value:.1}");
                }
            }
            line
        });
        grids.push(Grid { title, header, rows: lines.collect(), numbers: 1, note: String::new() });
    };
    if result.cells.iter().any(|cell| has_rivals(&cell.run.summary)) {
        matrix(format!("{name}: wins %"), &|summary, results| {
            has_rivals(summary).then(|| 100.0 * results.wins as f64 / results.episodes as f64)
        });
    }
    matrix(format!("{name}: mean {}", summary.score_unit), &|_, results| Some(results.mean_score));
}

fn best(result: &SweepResult) -> Grid {
    let summary = &result.cells[0].run.summary;
    let rivals = result.cells.iter().any(|cell| has_rivals(&cell.run.summary));
    let mut header = texts(["agent", "place"]);
    header.extend(result.axes.iter().map(|axis| axis.name.clone()));
    let numbers = 1;
    if rivals {
        header.push("win share %".into());
    }
    header.extend([format!("mean {}", summary.score_unit), "sd".into()]);
    let mut rows = Vec::new();
    for agent in 0..result.agents().min(MOST_ROWS) {
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
    Grid { title: format!("Best three by {by}"), header, rows, numbers, note: String::new() }
}
