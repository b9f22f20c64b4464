//! Sheets of small panels, one panel per figure.

use plotters::prelude::Text;

use super::frame::{Area, Drawn, Key, LABEL, Sheet, WIDTH, bold, fitted};
use super::plot::{Plot, Show};
use crate::error::LabError;
use crate::measure::Measure;

const PER_SHEET: usize = 12;
/// Maximum sheets of one kind; tables list the rest.
pub(crate) const MAX_SHEETS: usize = 16;
const HEAD: u32 = 24;

pub(super) struct Sheets {
    /// File name of the first sheet; later ones append their number.
    pub name: &'static str,
    pub title: String,
    pub note: String,
    /// Start of the text alternative; the titles of the panels follow.
    pub alt: String,
    pub columns: usize,
    pub height: u32,
}

impl Sheets {
    pub fn draw<T>(
        &self,
        legend: &dyn Fn() -> Vec<Key>,
        panels: &[(String, T)],
        draw: &dyn Fn(&T, &Area<'_>) -> Drawn,
    ) -> Result<Vec<Plot>, LabError> {
        let mut plots = Vec::new();
        self.each(legend, panels, draw, &mut |plot| {
            plots.push(plot);
            Ok(())
        })?;
        Ok(plots)
    }

    /// Draws one sheet at a time and passes it to `show`.
    pub fn each<T>(
        &self,
        legend: &dyn Fn() -> Vec<Key>,
        panels: &[(String, T)],
        draw: &dyn Fn(&T, &Area<'_>) -> Drawn,
        show: Show<'_>,
    ) -> Result<(), LabError> {
        let count = panels.len().div_ceil(PER_SHEET);
        for (index, panels) in panels.chunks(PER_SHEET).enumerate().take(MAX_SHEETS) {
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
            show(sheet.draw(&|area| {
                for ((title, panel), area) in panels.iter().zip(area.split_evenly((lines, columns))) {
                    let room = f64::from(WIDTH / columns as u32) - 40.0;
                    let title = fitted(title, LABEL, true, room);
                    area.draw(&Text::new(title, (18, 8), bold(LABEL)))?;
                    let (_, body) = area.split_vertically(HEAD);
                    draw(panel, &body)?;
                }
                Ok(())
            })?)?;
        }
        Ok(())
    }
}

/// File name of a sheet; sheets count from 1.
pub(crate) fn sheet_name(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}-{number}") }
}

pub(super) fn measure_title(measure: &Measure) -> String {
    if measure.label == measure.unit {
        measure.label.clone()
    } else {
        format!("{}, in {}", measure.label, measure.unit)
    }
}
