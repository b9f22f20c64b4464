//! The tables of a simulation as data, shared by terminal and report.

use crate::figures::FigureDefinition;
use crate::intervals::mean_interval;
use crate::measure::{Measure, Measured, independent_units};
use crate::summary::{LengthSummary, Results, Summary};
use crate::text::{grouped, ordinal, percent_with_half, spread, with_half};

/// Maximum rows of a table; the JSON form has all rows.
pub(crate) const MAX_ROWS: usize = 40;

/// Width that most terminals can show, in columns of text.
pub(crate) const WIDE: usize = 120;
/// Heads of the columns, in the order of [`Quantiles::all`](crate::summary::Quantiles::all).
const QUANTILES: [&str; 5] = ["min", "10 %", "median", "90 %", "max"];
pub(crate) const NOTHING: &str = "–";

/// A table of texts, for the terminal and for reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Title above the table; may be empty.
    pub title: String,
    /// Heads of the columns.
    pub header: Vec<String>,
    /// Rows of cells, each as long as the header.
    pub rows: Vec<Vec<String>>,
    /// Index of the first column of numbers; the columns before it hold words.
    pub numbers: usize,
    /// Note below the table; may be empty.
    pub note: String,
}

impl Grid {
    /// A table without a note.
    pub fn new(
        title: impl Into<String>,
        header: Vec<String>,
        rows: impl IntoIterator<Item = Vec<String>>,
        numbers: usize,
    ) -> Self {
        let rows = rows.into_iter().collect();
        Self { title: title.into(), header, rows, numbers, note: String::new() }
    }

    /// The same table with a note.
    pub fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

/// Owned texts of a row or of the column heads.
pub fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

pub(crate) fn simulation_grids(summary: &Summary) -> Vec<Grid> {
    let mut grids = vec![by_agent(summary)];
    if !summary.turns.is_empty() {
        // Results by seat are omitted: the same seat moves first in one episode and last in the next.
        let note =
            "The order of turns is drawn in every episode; results by seat are in the JSON form (--json).";
        let turns = summary.turns.iter().map(|turn| (ordinal(turn.turn), &turn.results));
        grids.push(by_spot(summary, ["By order of turns", "turn", note], turns.collect()));
    } else if has_rivals(summary) {
        let seats = summary.seats.iter().map(|seat| (seat.seat.to_string(), &seat.results));
        grids.push(by_spot(summary, ["By seat", "seat", ""], seats.collect()));
    }
    grids.extend([by_end(summary), length(summary)]);
    let names: Vec<String> = summary.agents.iter().map(|agent| agent.name.clone()).collect();
    grids.extend(figures(summary, &names));
    let of_seats = Measure::of_seats(summary, &names);
    if summary.agents.len() > 1 && !of_seats.is_empty() {
        grids.push(figures_by_agent(summary, &of_seats));
    }
    grids
}

/// True with several seats. A lone player always wins, so its win rate is meaningless.
pub(crate) fn has_rivals(summary: &Summary) -> bool {
    summary.seats.len() > 1
}

pub(crate) fn results_header(summary: &Summary, rivals: bool) -> Vec<String> {
    let mut header =
        if rivals { texts(["wins %", "draws %", "losses %", "win share %"]) } else { Vec::new() };
    header.push(format!("mean {}", summary.score_unit));
    header.push("sd".to_owned());
    header
}

/// Cells below [`results_header`]. Without `rivals` there are no win columns; with `rivals`, those of a lone
/// player are dashes.
pub(crate) fn results_cells(summary: &Summary, results: &Results, rivals: bool) -> Vec<String> {
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
    match count.checked_sub(MAX_ROWS) {
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
    header.extend(results_header(summary, has_rivals(summary)));
    if summary.seats.len() == 1 {
        header.extend(texts(QUANTILES));
    }
    let rows = summary.agents.iter().take(MAX_ROWS).map(|agent| {
        let mut row = vec![agent.name.clone()];
        if several {
            row.push(agent.seats_per_episode.to_string());
        }
        row.extend(results_cells(summary, &agent.results, has_rivals(summary)));
        if summary.seats.len() == 1 {
            row.extend(agent.score.all().map(|value| value.to_string()));
        }
        row
    });
    Grid::new("By agent", header, rows, 1).noted(left_out(summary.agents.len(), "agents"))
}

/// Results over all players by spot, which is a seat or a turn position.
fn by_spot(summary: &Summary, [title, head, note]: [&str; 3], spots: Vec<(String, &Results)>) -> Grid {
    let header = [texts([head]), results_header(summary, true)].concat();
    let left_out = left_out(spots.len(), &format!("{head}s"));
    let row = |(name, results)| [vec![name], results_cells(summary, results, true)].concat();
    let rows = spots.into_iter().take(MAX_ROWS).map(row);
    Grid::new(title, header, rows, 1).noted([&left_out, note].join("\n").trim())
}

fn by_end(summary: &Summary) -> Grid {
    let ends = summary.ends.0.iter().filter(|(_, count)| *count > 0);
    let rows = ends.map(|(end, count)| {
        let share = 100.0 * *count as f64 / summary.episodes as f64;
        vec![end.to_string(), grouped(*count), format!("{share:.1}")]
    });
    Grid::new("Ended by", texts(["end", "episodes", "%"]), rows, 1)
}

fn length(summary: &Summary) -> Grid {
    let mut header = texts(["length in"]);
    header.extend(length_header());
    let mut row = vec![summary.length_unit.to_owned()];
    row.extend(length_cells(summary));
    Grid::new("Length", header, [row], 1)
}

pub(crate) fn length_header() -> Vec<String> {
    [texts(["mean", "sd"]), texts(QUANTILES)].concat()
}

/// Cells below [`length_header`].
pub(crate) fn length_cells(summary: &Summary) -> Vec<String> {
    let LengthSummary { mean, sd, quantiles } = &summary.length;
    let interval = sd.and_then(|sd| mean_interval(*mean, sd, independent_units(summary)));
    let mut cells = vec![with_half(*mean, interval), spread(*sd)];
    cells.extend(quantiles.all().map(|value| value.to_string()));
    cells
}

/// Figures of an episode, then of a seat over all players. Their meanings are in the glossary: a sentence in
/// every row would crowd out the numbers.
fn figures(summary: &Summary, names: &[String]) -> Vec<Grid> {
    let (of_seats, of_episodes): (Vec<_>, Vec<_>) =
        Measure::all(summary, names).into_iter().partition(|measure| measure.meaning.of == "seat");
    let row = |measure: Measure| {
        let found = measure.of_table(summary);
        let cells = [measured(found), spread(found.and_then(|found| found.sd))];
        [measure.label, measure.unit].into_iter().chain(cells).collect()
    };
    let grid = |of: &str, measures: Vec<Measure>| {
        let header = texts([&format!("figure of {of}"), "unit", "mean", "sd"]);
        (!measures.is_empty())
            .then(|| Grid::new(format!("Figures of {of}"), header, measures.into_iter().map(row), 2))
    };
    grid("an episode", of_episodes).into_iter().chain(grid("a seat", of_seats)).collect()
}

pub(crate) fn measured(value: Option<Measured>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| with_half(value.value, value.interval))
}

pub(crate) fn glossary(summary: &Summary) -> Option<Grid> {
    let rows = summary
        .figures
        .0
        .iter()
        .map(|(key, FigureDefinition { figure, of })| texts([key, of, figure.unit, figure.doc]));
    let header = texts(["figure", "of each", "unit", "what it says"]);
    (!summary.figures.is_empty()).then(|| Grid::new("What the figures mean", header, rows, 4))
}

/// One row per agent, or one per figure if agents as rows would be too wide.
fn figures_by_agent(summary: &Summary, of_seats: &[Measure]) -> Grid {
    let mut header = texts(["mean per seat"]);
    header.extend(of_seats.iter().map(|measure| measure.label.clone()));
    let rows = summary.agents.iter().take(MAX_ROWS).map(|agent| {
        let means = of_seats.iter().map(|measure| measured(measure.of_agent(summary, agent)));
        std::iter::once(agent.name.clone()).chain(means).collect()
    });
    let mut lines = vec![header];
    lines.extend(rows);
    if width(&lines) > WIDE {
        let across = turned(&lines);
        if width(&across) < width(&lines) {
            lines = across;
        }
    }
    let header = lines.remove(0);
    Grid::new("Figures by agent", header, lines, 1).noted(left_out(summary.agents.len(), "agents"))
}

pub(crate) fn turned(lines: &[Vec<String>]) -> Vec<Vec<String>> {
    let columns = 0..lines.first().map_or(0, Vec::len);
    columns.map(|column| lines.iter().map(|line| line[column].clone()).collect()).collect()
}

/// Width in columns of text.
pub(crate) fn width(lines: &[Vec<String>]) -> usize {
    let widest = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    (0..lines[0].len()).map(|column| widest(column) + 2).sum()
}
