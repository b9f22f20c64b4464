//! Plots of lengths, endings and the game's own figures by swept parameter.

use meeple_scene::text_width;
use plotters::prelude::*;

use super::frame::{
    Area, AxisText, Drawn, Key, Mark, SMALL, Sheet, axes, ink, line, line_color, padded, point, span, tell,
};
use super::heat::HeatMap;
use super::notes::{MAX_AGENTS, sweep_note};
use super::plot::{Plot, Show};
use super::scale::{Scale, axis_name};
use super::sheets::{Sheets, measure_title};
use crate::error::LabError;
use crate::intervals::mean_interval;
use crate::measure::{Measure, Measured, independent_units};
use crate::summary::Summary;
use crate::sweep::SweepResult;
use crate::sweep::{Axis, Cell};

fn end_percent(summary: &Summary, end: usize) -> f64 {
    100.0 * summary.ends.0[end].1 as f64 / summary.episodes as f64
}

pub(super) fn by_value(result: &SweepResult, axis: &Axis, show: Show<'_>) -> Result<(), LabError> {
    show(lengths(result, axis)?)?;
    show(endings(result, axis)?)?;
    figures(result, axis, show)
}

fn lengths(result: &SweepResult, axis: &Axis) -> Result<Plot, LabError> {
    let scale = Scale::new(axis);
    let unit = result.cells[0].run.summary.length_unit;
    let color = line_color(0);
    let sheet = Sheet {
        name: "lengths".into(),
        title: format!("How long an episode is, by {}", axis.name),
        note: sweep_note(result),
        alt: result.cells.iter().take(16).fold("Mean length of an episode:".to_owned(), |text, cell| {
            text + &format!(" {} {:.1} {unit}.", result.label(cell), cell.run.summary.length.mean)
        }),
        legend: vec![
            Key::new("mean with 95 % interval", Mark::Point, color),
            Key::new("from 10 % to 90 % of episodes", Mark::Band, color),
            Key::new("median", Mark::Line, ink()),
        ],
        height: 340,
    };
    sheet.draw(&|area| {
        let of = |cell: &Cell| cell.run.summary.length.clone();
        let mean = |cell: &Cell| {
            let (summary, length) = (&cell.run.summary, of(cell));
            let interval =
                length.sd.and_then(|sd| mean_interval(length.mean, sd, independent_units(summary)));
            Measured { value: length.mean, interval, sd: length.sd }
        };
        let ends = result.cells.iter().flat_map(|cell| {
            let (quantiles, mean) = (of(cell).quantiles, mean(cell));
            let quantiles = [quantiles.p10 as f64, quantiles.p90 as f64];
            [quantiles, mean.interval.unwrap_or([mean.value; 2])]
        });
        let (low, high) = span(ends);
        let name = format!("length in {unit}");
        let (x_name, y_text) = (axis_name(axis), AxisText::numbers(&name));
        let mut chart = axes(area, scale.range(), padded(low, high), &scale.text(&x_name), &y_text)?;
        let upper = result.cells.iter().map(|cell| (scale.of(cell), of(cell).quantiles.p90 as f64));
        let lower = result.cells.iter().rev().map(|cell| (scale.of(cell), of(cell).quantiles.p10 as f64));
        let band: Vec<(f64, f64)> = upper.chain(lower).collect();
        chart.draw_series(std::iter::once(Polygon::new(band, color.mix(0.22))))?;
        let medians = result.cells.iter().map(|cell| (scale.of(cell), of(cell).quantiles.p50 as f64));
        line(&mut chart, medians.collect(), ink(), 1)?;
        let means = result.cells.iter().map(|cell| (scale.of(cell), of(cell).mean));
        line(&mut chart, means.collect(), color, 2)?;
        for cell in &result.cells {
            let mean = mean(cell);
            point(&mut chart, &result.label(cell), (scale.of(cell), mean.value), mean.interval, color)?;
        }
        Ok(())
    })
}

fn endings(result: &SweepResult, axis: &Axis) -> Result<Plot, LabError> {
    let ends = result.ends();
    let key =
        |(index, (_, name)): (usize, &(usize, String))| Key::new(name.clone(), Mark::Bar, line_color(index));
    let sheet = Sheet {
        name: "endings".into(),
        title: format!("What ends an episode, by {}", axis.name),
        note: sweep_note(result),
        alt: result.cells.iter().take(16).fold(
            "Share of episodes by what ended them.".to_owned(),
            |text, cell| {
                let shares: Vec<String> = ends
                    .iter()
                    .map(|(end, name)| format!("{name} {:.1} %", end_percent(&cell.run.summary, *end)))
                    .collect();
                text + &format!(" {}: {}.", result.label(cell), shares.join(", "))
            },
        ),
        legend: ends.iter().enumerate().map(key).collect(),
        height: 320,
    };
    sheet.draw(&|area| {
        // Bars need equal room, so the axis shows numbers as words.
        let name = axis_name(axis);
        let x = (-0.6, axis.values.len() as f64 - 0.4);
        let x_text = AxisText::words(&name, &axis.values);
        let y_text = AxisText::numbers("share of episodes in %");
        let mut chart = axes(area, x, (0.0, 100.0), &x_text, &y_text)?;
        for cell in &result.cells {
            let at = cell.at[0] as f64;
            let mut below = 0.0;
            for (index, (end, _)) in ends.iter().enumerate() {
                let top = below + end_percent(&cell.run.summary, *end);
                if top > below {
                    let corners = [(at - 0.38, below), (at + 0.38, top)];
                    let bar = Rectangle::new(corners, line_color(index).filled());
                    chart.draw_series(std::iter::once(bar))?;
                    let text = format!("{}, {}: {:.1} %", result.label(cell), ends[index].1, top - below);
                    tell(&mut chart, (at, (below + top) / 2.0), text)?;
                }
                below = top;
            }
        }
        Ok(())
    })
}

/// One panel per figure: a line for the table, or one per agent.
fn figures(result: &SweepResult, axis: &Axis, show: Show<'_>) -> Result<(), LabError> {
    let scale = Scale::new(axis);
    let names = result.agent_names();
    let shown = names.len().min(MAX_AGENTS);
    let measures = Measure::all(&result.cells[0].run.summary, &names);
    let panels: Vec<(String, Measure)> =
        measures.into_iter().map(|measure| (measure_title(&measure), measure)).collect();
    let legend = || {
        let mut keys = vec![Key::new("of the episode", Mark::Point, ink())];
        let agents = names[..shown].iter().enumerate();
        keys.extend(agents.map(|(index, name)| Key::new(name.clone(), Mark::Point, line_color(index))));
        keys
    };
    let sheets = Sheets {
        name: "figures",
        title: format!("Figures of the game by {}", axis.name),
        note: format!("{} Means with 95 % intervals.", sweep_note(result)),
        alt: format!("Lines by {} of", axis.name),
        columns: 2,
        height: 176,
    };
    let panel = |measure: &Measure, area: &Area<'_>| {
        let series = |value: &dyn Fn(&Summary) -> Option<Measured>| -> Vec<Spot> {
            let found = |cell: &Cell| Some((result.label(cell), scale.of(cell), value(&cell.run.summary)?));
            result.cells.iter().filter_map(found).collect()
        };
        let lines: Vec<(RGBColor, Vec<Spot>)> = if measure.meaning.of == "seat" {
            let of_agent = |agent: usize| {
                let value = |summary: &Summary| measure.of_agent(summary, &summary.agents[agent]);
                (line_color(agent), series(&value))
            };
            (0..shown).map(of_agent).collect()
        } else {
            vec![(ink(), series(&|summary| measure.of_table(summary)))]
        };
        lines_panel(&scale, &lines, area)
    };
    sheets.each(&legend, &panels, &panel, show)
}

/// Label of a cell, its place on the axis and the measured value.
type Spot = (String, f64, Measured);

fn lines_panel(scale: &Scale, lines: &[(RGBColor, Vec<Spot>)], area: &Area<'_>) -> Drawn {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let (low, high) = span(points().map(|(_, _, found)| found.interval.unwrap_or([found.value; 2])));
    if points().next().is_none() {
        return Ok(());
    }
    let mut chart = axes(area, scale.range(), padded(low, high), &scale.text(""), &AxisText::numbers(""))?;
    for (color, points) in lines {
        line(&mut chart, points.iter().map(|(_, x, found)| (*x, found.value)).collect(), *color, 2)?;
        for (cell, x, found) in points {
            point(&mut chart, cell, (*x, found.value), found.interval, *color)?;
        }
    }
    Ok(())
}

pub(super) fn by_axes(
    result: &SweepResult,
    rows: &Axis,
    columns: &Axis,
    show: Show<'_>,
) -> Result<(), LabError> {
    let first = &result.cells[0].run.summary;
    let by = format!("by {} and {}", rows.name, columns.name);
    let lengths = vec![(format!("mean length in {}", first.length_unit), Value::Length)];
    let endings: Vec<(String, Value)> = result
        .ends()
        .into_iter()
        .map(|(end, name)| (format!("ended by {name}, in %"), Value::End(end)))
        .collect();
    let measures = Measure::all(first, &result.agent_names()).into_iter();
    let figures: Vec<(String, Value)> =
        measures.map(|measure| (measure_title(&measure), Value::Figure(measure))).collect();
    let kinds = [
        ("lengths", format!("How long an episode is, {by}"), lengths),
        ("endings", format!("What ends an episode, {by}"), endings),
        ("figures", format!("Figures of the game {by}"), figures),
    ];
    for (name, title, panels) in kinds {
        // Crowded numbers need the whole width.
        let wide = panels.len() == 1 || is_crowded(rows, columns);
        let alt = "Heat maps of".into();
        let (columns_of, height) = if wide { (1, 480) } else { (2, 320) };
        let sheets = Sheets { name, title, note: sweep_note(result), alt, columns: columns_of, height };
        let panel = |value: &Value, area: &Area<'_>| {
            let map = HeatMap {
                scale: matches!(value, Value::End(_)).then_some((0.0, 100.0)),
                decimals: value.decimals(&result.cells[0].run.summary),
                ..HeatMap::of_cells(result, [rows, columns], &|summary| value.of(summary))
            };
            map.draw(area)
        };
        sheets.each(&Vec::new, &panels, &panel, show)?;
    }
    Ok(())
}

/// True if the maps of these axes are too large to stand side by side.
pub(super) fn is_crowded(rows: &Axis, columns: &Axis) -> bool {
    let widest = columns.values.iter().map(|value| text_width(value, SMALL, false)).fold(30.0, f64::max);
    rows.values.len() > 12 || columns.values.len() > 12 || widest * columns.values.len() as f64 > 420.0
}

enum Value {
    Length,
    End(usize),
    Figure(Measure),
}

impl Value {
    fn of(&self, summary: &Summary) -> Option<f64> {
        match self {
            Self::Length => Some(summary.length.mean),
            Self::End(end) => Some(end_percent(summary, *end)),
            Self::Figure(measure) => measure.of_table(summary).map(|found| found.value),
        }
    }

    fn decimals(&self, summary: &Summary) -> usize {
        match self.of(summary) {
            Some(value) if value.abs() < 10.0 => 2,
            Some(value) if value.abs() < 1000.0 => 1,
            _ => 0,
        }
    }
}
