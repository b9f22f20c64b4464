//! The plots of a game's own figures: sheets of small panels.

use plotters::prelude::*;

use super::Plot;
use super::frame::{
    Area, AxisText, Drawn, Key, LABEL, SMALL, Sheet, WIDTH, axes, bold, fitted, line_color, padded,
    point_across,
};
use super::simulation::{MOST_BARS, episodes_note, shown_note};
use crate::measure::{Measure, Measured};
use crate::summary::{AgentSummary, Summary};
use crate::text::spaced;
use crate::{LabError, Run};

/// Panels on one sheet.
const PER_SHEET: usize = 12;
/// Sheets of one kind at most; what is beyond them is in the tables.
pub(crate) const MOST_SHEETS: usize = 16;
/// Room above a panel for its title.
const HEAD: u32 = 24;

/// The words on sheets of panels, and how panels stand on them.
pub(super) struct Sheets {
    /// File name of the first sheet; others have their number behind it.
    pub name: &'static str,
    pub title: String,
    pub note: String,
    /// What the panels show; their titles follow.
    pub alt: String,
    /// Panels beside each other.
    pub columns: usize,
    /// Height of a panel.
    pub height: u32,
}

impl Sheets {
    /// Draws panels with these titles on as many sheets as they need.
    pub fn draw<T>(
        &self,
        legend: &dyn Fn() -> Vec<Key>,
        panels: &[(String, T)],
        draw: &dyn Fn(&T, &Area<'_>) -> Drawn,
    ) -> Result<Vec<Plot>, LabError> {
        let count = panels.len().div_ceil(PER_SHEET);
        let mut plots = Vec::new();
        for (index, panels) in panels.chunks(PER_SHEET).enumerate().take(MOST_SHEETS) {
            let number = index + 1;
            let columns = panels.len().min(self.columns);
            let lines = panels.len().div_ceil(columns);
            let titles: Vec<&str> = panels.iter().map(|(title, _)| title.as_str()).collect();
            let sheet = Sheet {
                name: sheet_name(self.name, number),
                title: match count {
                    1 => self.title.clone(),
                    _ => format!("{} ({number} of {count})", self.title),
                },
                note: self.note.clone(),
                alt: format!("{} {}.", self.alt, titles.join("; ")),
                legend: legend(),
                height: (HEAD + self.height) * lines as u32,
            };
            plots.push(sheet.draw(&|area| {
                for ((title, panel), area) in panels.iter().zip(area.split_evenly((lines, columns))) {
                    let room = f64::from(WIDTH / columns as u32) - 40.0;
                    let title = fitted(title, LABEL, true, room);
                    area.draw(&Text::new(title, (18, 8), bold(LABEL)))?;
                    let (_, body) = area.split_vertically(HEAD);
                    draw(panel, &body)?;
                }
                Ok(())
            })?);
        }
        Ok(plots)
    }
}

/// File name of a sheet, counted from 1.
pub(crate) fn sheet_name(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}-{number}") }
}

/// What stands above the panel of a measure.
pub(super) fn measure_title(measure: &Measure) -> String {
    if measure.label == measure.unit {
        measure.label.clone()
    } else {
        format!("{}, in {}", measure.label, measure.unit)
    }
}

/// The figures of a seat by agent.
pub(super) fn figures_by_agent(summary: &Summary) -> Result<Vec<Plot>, LabError> {
    let names: Vec<String> = summary.agents.iter().map(|agent| agent.name.clone()).collect();
    let shown = names.len().min(MOST_BARS);
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
            shown_note(names.len(), MOST_BARS)
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
    let low = ends.clone().map(|ends| ends[0]).fold(0.0, f64::min);
    let high = ends.map(|ends| ends[1]).fold(0.0, f64::max);
    let words: Vec<String> =
        agents.iter().rev().map(|agent| fitted(&agent.name, SMALL, false, 130.0)).collect();
    let (_, end) = padded(low, high);
    let mut chart = axes(
        area,
        (if low < 0.0 { padded(low, high).0 } else { 0.0 }, end),
        (-0.6, agents.len() as f64 - 0.4),
        &AxisText::numbers(""),
        &AxisText::words("", &words),
    )?;
    for (index, found) in values.into_iter().enumerate() {
        let row = (agents.len() - 1 - index) as f64;
        point_across(&mut chart, row, found.value, found.interval, line_color(index))?;
    }
    Ok(())
}

/// How a figure of the episode is spread.
enum Spread {
    /// Shares of 0, 1, 2, …
    Numbers(Vec<f64>),
    /// Shares of words.
    Words(Vec<(String, f64)>),
}

/// How the figures of an episode are spread: those that count a few things, and categories.
pub(super) fn distributions(run: &Run) -> Result<Vec<Plot>, LabError> {
    let summary = &run.summary;
    let share = |count: u64| count as f64 / summary.episodes.max(1) as f64;
    let mut panels = Vec::new();
    for ((key, meaning), sums) in summary.figures.0.iter().zip(run.tally.episode_figures()) {
        let spread = match summary.categories.get(key) {
            Some(counts) => {
                Spread::Words(counts.0.iter().map(|(word, count)| (word.clone(), share(*count))).collect())
            }
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
            }
        }
        Spread::Words(shares) => {
            let words: Vec<String> = shares.iter().rev().map(|(word, _)| word.clone()).collect();
            let most = 106.0 * shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
            let y = (-0.6, words.len() as f64 - 0.4);
            let x_text = AxisText::numbers("");
            let mut chart = axes(area, (0.0, most.max(1.0)), y, &x_text, &AxisText::words("", &words))?;
            for (row, (_, share)) in shares.iter().rev().enumerate() {
                let corners = [(0.0, row as f64 - 0.36), (100.0 * share, row as f64 + 0.36)];
                chart.draw_series(std::iter::once(Rectangle::new(corners, color.filled())))?;
            }
        }
    }
    Ok(())
}
