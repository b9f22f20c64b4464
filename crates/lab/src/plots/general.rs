//! General plots: intervals below each other, a matrix with numbers, stacked bars.

use plotters::prelude::*;

use super::frame::{
    AxisText, Key, Mark, Sheet, axes, dashed, ink, line, line_color, padded, point, point_across, quiet,
    row_axes, span, tell,
};
use super::heat::HeatMap;
use super::plot::Plot;
use crate::error::LabError;
use crate::text::number;

/// The words on a plot.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// File name without its ending.
    pub name: String,
    /// Title above the plot.
    pub title: String,
    /// Note in small print between title and plot.
    pub note: String,
    /// Text alternative: a description for people who cannot see the plot.
    pub alt: String,
    /// Label of the value axis; the heading of a matrix.
    pub axis: String,
    /// Label of a matrix's columns.
    pub columns: String,
}

/// Maximum rows of a plot; tables list the rest.
const MAX_ROWS: usize = 60;
/// Maximum rows and columns of a matrix with readable numbers.
const MAX_CELLS: usize = 40;

fn sheet(caption: &Caption, shown: usize, all: usize, legend: Vec<Key>, height: u32) -> Sheet {
    let rest = if all > shown { format!(" The first {shown} of {all} are shown.") } else { String::new() };
    Sheet {
        name: caption.name.clone(),
        title: caption.title.clone(),
        note: format!("{}{rest}", caption.note),
        alt: caption.alt.clone(),
        legend,
        height,
    }
}

/// A row of a plot: name, value and interval, if there is one.
pub type ValueRow = (String, f64, Option<[f64; 2]>);

/// Values with their intervals, one row each, the first on top, and a dashed line at `mark`.
///
/// # Errors
/// If drawing fails.
pub fn intervals(caption: &Caption, rows: &[ValueRow], mark: f64) -> Result<Plot, LabError> {
    let shown = rows.len().min(MAX_ROWS);
    let sheet = sheet(caption, shown, rows.len(), Vec::new(), 74 + 26 * shown as u32);
    let rows = &rows[..shown];
    sheet.draw(&|area| {
        let (low, high) = apart(span(rows.iter().map(|row| row.2.unwrap_or([row.1; 2])).chain([[mark; 2]])));
        let (x_text, names) = (AxisText::numbers(&caption.axis), rows.iter().map(|row| row.0.clone()));
        let mut chart = row_axes(area, padded(low, high), &x_text, names)?;
        dashed(&mut chart, (mark, -0.6), (mark, shown as f64 - 0.4), quiet())?;
        for (index, (name, value, interval)) in rows.iter().enumerate() {
            let at = (*value, (shown - 1 - index) as f64);
            point_across(&mut chart, name, at, *interval, line_color(0))?;
        }
        Ok(())
    })
}

/// Widens an axis whose numbers differ only by rounding.
fn apart((low, high): (f64, f64)) -> (f64, f64) {
    if high - low > 1e-6 * high.abs().max(low.abs()) { (low, high) } else { (low - 0.5, high + 0.5) }
}

/// A line of a plot: its name and its points `(x, value, interval)`.
pub type PlotSeries = (String, Vec<(f64, f64, [f64; 2])>);

/// Values with intervals along `along`, one line for each of `courses`, and a dashed line at `mark`, if
/// given.
///
/// # Errors
/// If drawing fails.
pub fn lines(
    caption: &Caption,
    along: &str,
    courses: &[PlotSeries],
    mark: Option<f64>,
) -> Result<Plot, LabError> {
    let key = |(index, (name, _)): (usize, &PlotSeries)| Key::new(name, Mark::Point, line_color(index));
    // A single line needs no legend: the axis names it.
    let legend = if courses.len() > 1 { courses.iter().enumerate().map(key).collect() } else { Vec::new() };
    let sheet = sheet(caption, courses.len(), courses.len(), legend, 380);
    let points = || courses.iter().flat_map(|(_, points)| points);
    sheet.draw(&|area| {
        let (low, high) = apart(span(points().map(|point| point.2).chain(mark.map(|mark| [mark; 2]))));
        let (first, last) = span(points().map(|point| [point.0; 2]));
        let names = [along, &caption.axis].map(AxisText::numbers);
        let mut chart = axes(area, padded(first, last), padded(low, high), &names[0], &names[1])?;
        if let Some(mark) = mark {
            dashed(&mut chart, (first, mark), (last, mark), quiet())?;
        }
        for (index, (name, points)) in courses.iter().enumerate() {
            let color = line_color(index);
            line(&mut chart, points.iter().map(|(place, value, _)| (*place, *value)).collect(), color, 2)?;
            for (place, value, interval) in points {
                let what = format!("{along} {}, {name}", number(*place));
                point(&mut chart, &what, (*place, *value), Some(*interval), color)?;
            }
        }
        Ok(())
    })
}

/// A square matrix with a number in every cell: row against column, the first row on top. Columns are
/// numbered like the rows. `values` has `[names, names]` numbers, row by row; `scale` gives the values at
/// both ends of the colours.
///
/// # Errors
/// If drawing fails.
pub fn matrix(
    caption: &Caption,
    names: &[String],
    values: &[Option<f64>],
    scale: (f64, f64),
    decimals: usize,
) -> Result<Plot, LabError> {
    let (all, shown) = (names.len(), names.len().min(MAX_CELLS));
    let rows: Vec<String> = names[..shown]
        .iter()
        .enumerate()
        .rev()
        .map(|(index, name)| format!("{} {name}", index + 1))
        .collect();
    let columns: Vec<String> = (1..=shown).map(|number| number.to_string()).collect();
    let cells = (0..shown).rev().flat_map(|row| values[row * all..row * all + shown].iter().copied());
    let map = HeatMap {
        title: caption.axis.clone(),
        rows: &rows,
        columns: &columns,
        row_name: "",
        column_name: &caption.columns,
        values: cells.collect(),
        scale: Some(scale),
        decimals,
    };
    let height = 90 + (30 * shown as u32).clamp(60, 900);
    sheet(caption, shown, all, Vec::new(), height).draw(&|area| map.draw(area))
}

/// Stacked bars, one row each, the first on top. `parts` are the names of the stacked parts; every row has
/// one value per part.
///
/// # Errors
/// If drawing fails.
pub fn bars(caption: &Caption, parts: &[String], rows: &[(String, Vec<f64>)]) -> Result<Plot, LabError> {
    let shown = rows.len().min(MAX_ROWS);
    let key = |(index, part): (usize, &String)| Key::new(part.clone(), Mark::Bar, line_color(index));
    let legend = parts.iter().enumerate().map(key).collect();
    let sheet = sheet(caption, shown, rows.len(), legend, 74 + 30 * shown as u32);
    let rows = &rows[..shown];
    sheet.draw(&|area| {
        let sum = |row: &(String, Vec<f64>)| row.1.iter().sum::<f64>();
        let most = rows.iter().map(sum).fold(0.0, f64::max);
        let most = if most > 0.0 { 1.05 * most } else { 1.0 };
        let (x_text, names) = (AxisText::numbers(&caption.axis), rows.iter().map(|row| row.0.clone()));
        let mut chart = row_axes(area, (0.0, most), &x_text, names)?;
        for (index, row) in rows.iter().enumerate() {
            let y = (shown - 1 - index) as f64;
            let mut begin = 0.0;
            for (part, value) in row.1.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                let corners = [(begin, y - 0.32), (begin + value, y + 0.32)];
                let bar = Rectangle::new(corners, line_color(part).filled());
                chart.draw_series(std::iter::once(bar))?;
                let text = format!("{}, {}: {}", row.0, parts[part], number(*value));
                tell(&mut chart, (begin + value / 2.0, y), text)?;
                begin += value;
            }
            let edge = PathElement::new(vec![(0.0, y - 0.32), (0.0, y + 0.32)], ink().stroke_width(1));
            chart.draw_series(std::iter::once(edge))?;
        }
        Ok(())
    })
}
