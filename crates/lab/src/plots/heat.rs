use meeple_scene::{Color as SceneColor, palette, text_width};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::frame::{
    Area, Drawn, LABEL, SMALL, anchored, bold, fitted, font, ink, rgb, span, tinted, tooltip,
};
use super::ticks::Form;
use crate::summary::Summary;
use crate::sweep::{Axis, SweepResult};

const LABEL_ROOM: f64 = 150.0;

/// Maximum cells of a map with tooltips: thousands of tooltips would be slow.
const MAX_TOOLTIPS: usize = 400;

pub(super) struct HeatMap<'a> {
    pub title: String,
    pub rows: &'a [String],
    pub columns: &'a [String],
    pub row_name: &'a str,
    pub column_name: &'a str,
    /// `[row, column]`; cells without a value are grey.
    pub values: Vec<Option<f64>>,
    /// Values at both ends of the colours; `None` for the smallest and largest value.
    pub scale: Option<(f64, f64)>,
    /// Decimals of the numbers in the cells.
    pub decimals: usize,
}

/// Colours of viridis (Smith and van der Walt 2015), at the positions [`VIRIDIS_AT`] in `0..=1`.
const VIRIDIS: [SceneColor; 9] = [
    SceneColor::hex("#440154"),
    SceneColor::hex("#482878"),
    SceneColor::hex("#3e4989"),
    SceneColor::hex("#31688e"),
    SceneColor::hex("#26828e"),
    SceneColor::hex("#1f9e89"),
    SceneColor::hex("#35b779"),
    SceneColor::hex("#b5de2b"),
    SceneColor::hex("#fde725"),
];
const VIRIDIS_AT: [f64; 9] = [0.0, 0.125, 0.25, 0.375, 0.4375, 0.5625, 0.6875, 0.875, 1.0];

fn viridis(part: f64) -> SceneColor {
    let part = part.clamp(0.0, 1.0);
    let upper = VIRIDIS_AT.iter().position(|at| part <= *at).unwrap_or(VIRIDIS.len() - 1).max(1);
    let (low, high) = (VIRIDIS_AT[upper - 1], VIRIDIS_AT[upper]);
    VIRIDIS[upper - 1].mix(VIRIDIS[upper], (part - low) / (high - low))
}

impl<'a> HeatMap<'a> {
    /// The values of all cells of a sweep, without a title.
    pub fn of_cells(
        result: &SweepResult,
        [rows, columns]: [&'a Axis; 2],
        value: &dyn Fn(&Summary) -> Option<f64>,
    ) -> Self {
        let mut values = vec![None; rows.values.len() * columns.values.len()];
        for cell in &result.cells {
            values[cell.at[0] * columns.values.len() + cell.at[1]] = value(&cell.run.summary);
        }
        Self {
            title: String::new(),
            rows: &rows.values,
            columns: &columns.values,
            row_name: &rows.name,
            column_name: &columns.name,
            values,
            scale: None,
            decimals: 0,
        }
    }

    pub fn draw(&self, area: &Area<'_>) -> Drawn {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let widest = self.rows.iter().map(|row| text_width(row, SMALL, false)).fold(0.0, f64::max);
        let left = 34 + widest.min(LABEL_ROOM) as i32 + 8;
        let (top, right, bottom) = (30, width - 74, height - 46);
        let title = fitted(&self.title, LABEL, true, f64::from(width - 20));
        area.draw(&Text::new(title, (left, 8), bold(LABEL)))?;
        let known = || self.values.iter().flatten().copied();
        let (low, high) = self.scale.unwrap_or_else(|| span(known().map(|value| [value; 2])));
        let part = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
        let x = |column: usize| left + (right - left) * column as i32 / self.columns.len() as i32;
        // The first row is at the bottom, as on any axis.
        let y = |row: usize| bottom - (bottom - top) * row as i32 / self.rows.len() as i32;
        let (cell_width, cell_height) = (x(1) - x(0), y(0) - y(1));
        let form = Form::by_range(low, high, self.decimals);
        let longest = known().map(|value| text_width(&form.text(value), 1.0, false)).fold(0.1, f64::max);
        let size = (f64::from(cell_width - 8) / longest).min(f64::from(cell_height - 3)).min(SMALL + 1.0);
        for (index, value) in self.values.iter().enumerate() {
            let (row, column) = (index / self.columns.len(), index % self.columns.len());
            let corners = [(x(column), y(row + 1)), (x(column + 1), y(row))];
            let Some(value) = *value else {
                area.draw(&Rectangle::new(corners, RGBColor(0xee, 0xee, 0xee).filled()))?;
                continue;
            };
            let color = viridis(part(value));
            area.draw(&Rectangle::new(corners, rgb(color).filled()))?;
            if size >= 6.0 {
                let middle = ((x(column) + x(column + 1)) / 2, (y(row) + y(row + 1)) / 2);
                let style = tinted(font(size), rgb(readable_on(color)));
                let text = form.text(value);
                let words = format!("{}, {}: {text}", self.label(row, column), self.title);
                area.draw(&Text::new(text, middle, anchored(style, HPos::Center, VPos::Center)))?;
                if self.values.len() <= MAX_TOOLTIPS {
                    area.draw(&tooltip(words, middle))?;
                }
            }
        }
        area.draw(&Rectangle::new([(left, top), (right, bottom)], ink().stroke_width(1)))?;
        self.tick_labels(area, &x, &y, (left, bottom))?;
        let across = ((left + right) / 2, bottom + 40);
        let style = anchored(font(LABEL), HPos::Center, VPos::Bottom);
        area.draw(&Text::new(self.column_name.to_owned(), across, style))?;
        let upright = font(LABEL).transform(FontTransform::Rotate270);
        let style = anchored(upright, HPos::Center, VPos::Top);
        area.draw(&Text::new(self.row_name.to_owned(), (10, (top + bottom) / 2), style))?;
        color_bar(area, (right + 14, top, bottom), (low, high))
    }

    fn label(&self, row: usize, column: usize) -> String {
        let words = [self.row_name, &self.rows[row], self.column_name, &self.columns[column]];
        let [row_name, row, column_name, column] = words;
        format!("{row_name} {row}, {column_name} {column}").trim_start().to_owned()
    }

    fn tick_labels(
        &self,
        area: &Area<'_>,
        x: &dyn Fn(usize) -> i32,
        y: &dyn Fn(usize) -> i32,
        (left, bottom): (i32, i32),
    ) -> Drawn {
        let widest = self.columns.iter().map(|text| text_width(text, SMALL, false)).fold(1.0, f64::max);
        // Every label, or every second, fifth, … if the labels would touch.
        let every = step((widest + 6.0) / f64::from(x(1) - x(0)));
        for (column, text) in self.columns.iter().enumerate().step_by(every) {
            let at = ((x(column) + x(column + 1)) / 2, bottom + 6);
            let style = anchored(font(SMALL), HPos::Center, VPos::Top);
            area.draw(&Text::new(text.clone(), at, style))?;
        }
        let every = step((SMALL + 3.0) / f64::from(y(0) - y(1)));
        for (row, text) in self.rows.iter().enumerate().step_by(every) {
            let at = (left - 6, (y(row) + y(row + 1)) / 2);
            let text = fitted(text, SMALL, false, LABEL_ROOM);
            area.draw(&Text::new(text, at, anchored(font(SMALL), HPos::Right, VPos::Center)))?;
        }
        Ok(())
    }
}

/// Ink or white: the one with the higher contrast to `color` by WCAG 2.
fn readable_on(color: SceneColor) -> SceneColor {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = |color: SceneColor| {
        0.2126 * channel(color.0) + 0.7152 * channel(color.1) + 0.0722 * channel(color.2) + 0.05
    };
    let (own, ink) = (luminance(color), luminance(palette::INK));
    if own / ink > 1.05 / own { palette::INK } else { palette::WHITE }
}

/// The first of 1, 2, 5, 10, … that is at least `needed`, but at most 1000.
fn step(needed: f64) -> usize {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    steps.into_iter().find(|step| *step as f64 >= needed).unwrap_or(1000)
}

fn color_bar(area: &Area<'_>, (left, top, bottom): (i32, i32, i32), (low, high): (f64, f64)) -> Drawn {
    const STRIPES: i32 = 64;
    let y = |stripe: i32| bottom - (bottom - top) * stripe / STRIPES;
    for stripe in 0..STRIPES {
        let color = rgb(viridis(f64::from(stripe) / f64::from(STRIPES - 1)));
        area.draw(&Rectangle::new([(left, y(stripe + 1)), (left + 12, y(stripe))], color.filled()))?;
    }
    area.draw(&Rectangle::new([(left, top), (left + 12, bottom)], ink().stroke_width(1)))?;
    let ends = [(bottom, low, VPos::Bottom), (top, high, VPos::Top)];
    let form = Form::by_range(low, high, if (high - low).abs() >= 20.0 { 0 } else { 2 });
    for (at, value, side) in ends {
        let text = form.text(value);
        area.draw(&Text::new(text, (left + 17, at), anchored(font(SMALL), HPos::Left, side)))?;
    }
    Ok(())
}
