use plotters::prelude::*;

use super::frame::{
    Area, AxisText, Drawn, SMALL, axes, fitted, line_color, padded, point_across, row_axes, span, tell,
};
use super::notes::{MAX_BARS, episodes_note, shown_note};
use super::plot::Plot;
use super::sheets::{Sheets, measure_title};
use crate::error::LabError;
use crate::measure::{Measure, Measured};
use crate::run::Run;
use crate::summary::{AgentSummary, Summary};
use crate::text::spaced;

pub(super) fn figures_by_agent(summary: &Summary) -> Result<Vec<Plot>, LabError> {
    let names: Vec<String> = summary.agents.iter().map(|agent| agent.name.clone()).collect();
    let shown = names.len().min(MAX_BARS);
    let agents = &summary.agents[..shown];
    let measures = Measure::of_seats(summary, &names);
    let panels: Vec<(String, Measure)> =
        measures.into_iter().map(|measure| (measure_title(&measure), measure)).collect();
    let sheets = Sheets {
        name: "figures",
        title: "Figures of the game, by agent".into(),
        note: format!(
            "{} Means per seat and episode with 95 % intervals.{}",
            episodes_note(summary),
            shown_note(names.len(), MAX_BARS)
        ),
        alt: "Means by agent of".into(),
        columns: 2,
        height: 60 + 26 * shown as u32,
    };
    sheets.draw(&Vec::new, &panels, &|measure, area| figure_panel(summary, agents, measure, area))
}

fn figure_panel(summary: &Summary, agents: &[AgentSummary], measure: &Measure, area: &Area<'_>) -> Drawn {
    let missing = Measured { value: 0.0, interval: None, sd: None };
    let value = |agent: &AgentSummary| measure.of_agent(summary, agent).unwrap_or(missing);
    let values: Vec<Measured> = agents.iter().map(value).collect();
    let ends = values.iter().map(|found| found.interval.unwrap_or([found.value; 2]));
    let (low, high) = span(ends.chain([[0.0; 2]]));
    let (begin, end) = padded(low, high);
    let names = agents.iter().map(|agent| fitted(&agent.name, SMALL, false, 130.0));
    let x = (if low < 0.0 { begin } else { 0.0 }, end);
    let mut chart = row_axes(area, x, &AxisText::numbers(""), names)?;
    for (index, found) in values.into_iter().enumerate() {
        let row = (agents.len() - 1 - index) as f64;
        point_across(&mut chart, &agents[index].name, (found.value, row), found.interval, line_color(index))?;
    }
    Ok(())
}

enum Spread {
    /// Shares of the values 0, 1, 2, …
    Numbers(Vec<f64>),
    Words(Vec<(String, f64)>),
}

/// Plots of the distributions of episode figures: small counts and categories.
pub(super) fn distributions(run: &Run) -> Result<Vec<Plot>, LabError> {
    let summary = &run.summary;
    let share = |count: u64| count as f64 / summary.episodes.max(1) as f64;
    let mut panels = Vec::new();
    for ((key, meaning), sums) in summary.figures.0.iter().zip(&run.tally.episode_figures) {
        let spread = match summary.categories.get(key) {
            Some(counts) => Spread::Words(
                counts.0.iter().map(|(word, count)| (word.to_string(), share(*count))).collect(),
            ),
            None => match sums.small_counts() {
                Some(counts) => Spread::Numbers(counts.iter().map(|count| share(*count)).collect()),
                None => continue,
            },
        };
        panels.push((format!("{}, in {}", spaced(key), meaning.figure.unit), spread));
    }
    let sheets = Sheets {
        name: "distributions",
        title: "How figures of the episode are spread".into(),
        note: format!(
            "{} Share of episodes in %. Figures that reach 64 are in the table alone.",
            episodes_note(summary)
        ),
        alt: "Bars of the share of episodes by".into(),
        columns: 2,
        height: 170,
    };
    sheets.draw(&Vec::new, &panels, &distribution_panel)
}

fn distribution_panel(spread: &Spread, area: &Area<'_>) -> Drawn {
    let color = line_color(0).mix(0.75);
    match spread {
        Spread::Numbers(shares) => {
            let top = 106.0 * shares.iter().copied().fold(0.0, f64::max);
            let x = (-0.6, shares.len() as f64 - 0.4);
            let mut chart = axes(area, x, (0.0, top.max(1.0)), &AxisText::whole(""), &AxisText::numbers(""))?;
            for (value, share) in shares.iter().enumerate() {
                let corners = [(value as f64 - 0.44, 0.0), (value as f64 + 0.44, 100.0 * share)];
                chart.draw_series(std::iter::once(Rectangle::new(corners, color.filled())))?;
                tell(&mut chart, (value as f64, 50.0 * share), format!("{value}: {:.1} %", 100.0 * share))?;
            }
        }
        Spread::Words(shares) => {
            let words = shares.iter().map(|(word, _)| word.clone());
            let most = 106.0 * shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
            let mut chart = row_axes(area, (0.0, most.max(1.0)), &AxisText::numbers(""), words)?;
            for (row, (word, share)) in shares.iter().rev().enumerate() {
                let corners = [(0.0, row as f64 - 0.36), (100.0 * share, row as f64 + 0.36)];
                chart.draw_series(std::iter::once(Rectangle::new(corners, color.filled())))?;
                let text = format!("{word}: {:.1} %", 100.0 * share);
                tell(&mut chart, (50.0 * share, row as f64), text)?;
            }
        }
    }
    Ok(())
}
