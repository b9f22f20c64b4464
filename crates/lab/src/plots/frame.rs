//! Parts common to all plots: sheet with title and legend, fonts, colours, axes, error bars.

use std::error::Error;
use std::ops::Range;

use meeple_scene::{Color as SceneColor, Scene, palette, text_width};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::backend::SceneBackend;
use super::plot::Plot;
use super::ticks::{Ticks, Values};
use crate::error::LabError;
use crate::text::with_half;

pub(super) type Area<'a> = DrawingArea<SceneBackend<'a>, Shift>;
pub(super) type Drawn = Result<(), Box<dyn Error>>;
pub(super) type Axes<'a, 'b> = ChartContext<'a, SceneBackend<'b>, Cartesian2d<Numbers, Numbers>>;

pub(super) const WIDTH: u32 = 760;
const MARGIN: i32 = 18;
/// Font sizes in pixels.
pub(super) const TITLE: f64 = 18.0;
pub(super) const LABEL: f64 = 13.0;
pub(super) const SMALL: f64 = 12.0;

pub(super) fn rgb(color: SceneColor) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

pub(super) fn ink() -> RGBColor {
    rgb(palette::INK)
}

/// Grey that is still readable in print.
pub(super) fn quiet() -> RGBColor {
    RGBColor(0x55, 0x5b, 0x62)
}

fn grid() -> RGBColor {
    RGBColor(0xdd, 0xdd, 0xdd)
}

/// The colour of a line by its index. The first eight are safe for colour-blind readers. Yellow is darkened,
/// because thin yellow lines vanish on white.
pub(super) fn line_color(index: usize) -> RGBColor {
    match index {
        6 => RGBColor(0xb8, 0xa8, 0x00),
        _ => rgb(palette::seat_color(index)),
    }
}

pub(super) fn font(pixels: f64) -> TextStyle<'static> {
    ("sans-serif", pixels).into_font().color(&ink())
}

pub(super) fn bold(pixels: f64) -> TextStyle<'static> {
    ("sans-serif", pixels, FontStyle::Bold).into_font().color(&ink())
}

pub(super) fn tinted(style: TextStyle<'static>, color: RGBColor) -> TextStyle<'static> {
    TextStyle { color: color.to_backend_color(), ..style }
}

pub(super) fn anchored(style: TextStyle<'static>, h: HPos, v: VPos) -> TextStyle<'static> {
    style.pos(Pos::new(h, v))
}

pub(super) struct Key {
    pub text: String,
    pub mark: Mark,
    pub color: RGBColor,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mark {
    Line,
    Dashed,
    Band,
    Point,
    Bar,
    Ring,
}

impl Key {
    pub fn new(text: impl Into<String>, mark: Mark, color: RGBColor) -> Self {
        Self { text: text.into(), mark, color }
    }
}

pub(super) struct Sheet {
    /// File name without its ending.
    pub name: String,
    pub title: String,
    pub note: String,
    pub alt: String,
    pub legend: Vec<Key>,
    /// Height of the painted part below title and legend.
    pub height: u32,
}

impl Sheet {
    /// Draws the sheet; `paint` fills the part below title and legend.
    pub fn draw(self, paint: &dyn Fn(&Area<'_>) -> Drawn) -> Result<Plot, LabError> {
        let wrong = |reason: String| LabError::Plot { name: self.name.clone(), reason };
        let rows = legend_rows(&self.legend);
        let note_lines = wrapped(&self.note, f64::from(WIDTH) - 2.0 * f64::from(MARGIN));
        let head = 40 + 17 * note_lines.len() as u32 + 22 * rows.len() as u32 + 6;
        let mut scene = Scene::new(f64::from(WIDTH), f64::from(head + self.height));
        scene.background = Some(palette::WHITE);
        scene.title = self.title.clone();
        scene.description = self.alt.clone();
        {
            let root = SceneBackend(&mut scene).into_drawing_area();
            let draw = || -> Drawn {
                root.draw(&Text::new(fitted(&self.title, TITLE, true, 724.0), (MARGIN, 14), bold(TITLE)))?;
                let mut y = 40;
                for line in &note_lines {
                    root.draw(&Text::new(line.clone(), (MARGIN, y), tinted(font(SMALL), quiet())))?;
                    y += 17;
                }
                for row in &rows {
                    let mut x = MARGIN;
                    for key in row.iter().map(|index| &self.legend[*index]) {
                        draw_mark(&root, key, x, y + 9)?;
                        root.draw(&Text::new(
                            key.text.clone(),
                            (x + 30, y + 9),
                            anchored(font(SMALL), HPos::Left, VPos::Center),
                        ))?;
                        x += key_width(key);
                    }
                    y += 22;
                }
                let (_, body) = root.split_vertically(head);
                paint(&body)?;
                root.present()?;
                Ok(())
            };
            draw().map_err(|error| wrong(error.to_string()))?;
        }
        Ok(Plot { name: self.name, scene })
    }
}

fn key_width(key: &Key) -> i32 {
    30 + text_width(&key.text, SMALL, false).ceil() as i32 + 18
}

fn legend_rows(legend: &[Key]) -> Vec<Vec<usize>> {
    let room = WIDTH as i32 - 2 * MARGIN;
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut used = room + 1;
    for (index, key) in legend.iter().enumerate() {
        let width = key_width(key);
        if used + width > room {
            rows.push(Vec::new());
            used = 0;
        }
        used += width;
        rows.last_mut().expect("a row was pushed for the first key").push(index);
    }
    rows
}

fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), SMALL, false) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

pub(super) fn fitted(text: &str, size: f64, bold: bool, room: f64) -> String {
    if text_width(text, size, bold) <= room {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while !short.is_empty() && text_width(&short, size, bold) + size > room {
        short.pop();
    }
    format!("{}…", short.trim_end())
}

fn draw_mark(root: &Area<'_>, key: &Key, x: i32, y: i32) -> Drawn {
    let color = key.color;
    let line = |from: i32, to: i32| PathElement::new(vec![(x + from, y), (x + to, y)], color.stroke_width(2));
    match key.mark {
        Mark::Line => root.draw(&line(0, 24))?,
        Mark::Dashed => {
            for from in [0, 9, 18] {
                root.draw(&line(from, from + 6))?;
            }
        }
        Mark::Band => {
            root.draw(&Rectangle::new([(x, y - 6), (x + 24, y + 6)], color.mix(0.25).filled()))?;
        }
        Mark::Bar => root.draw(&Rectangle::new([(x, y - 6), (x + 24, y + 6)], color.filled()))?,
        Mark::Point => {
            root.draw(&PathElement::new(vec![(x + 12, y - 7), (x + 12, y + 7)], color.stroke_width(2)))?;
            root.draw(&Circle::new((x + 12, y), 3, color.filled()))?;
        }
        Mark::Ring => root.draw(&Circle::new((x + 12, y), 6, color.stroke_width(2)))?,
    }
    Ok(())
}

#[derive(Clone, Copy)]
pub(super) struct AxisText<'a> {
    pub name: &'a str,
    pub labels: Labels<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Labels<'a> {
    Numbers(Values),
    /// Words, at the integers from 0.
    Words(&'a [String]),
}

impl<'a> AxisText<'a> {
    pub fn numbers(name: &'a str) -> Self {
        Self { name, labels: Labels::Numbers(Values::Any) }
    }

    pub fn whole(name: &'a str) -> Self {
        Self { name, labels: Labels::Numbers(Values::Whole) }
    }

    pub fn words(name: &'a str, words: &'a [String]) -> Self {
        Self { name, labels: Labels::Words(words) }
    }
}

pub(super) fn label_room<'a>(words: impl Iterator<Item = &'a String>) -> u32 {
    words.map(|word| text_width(word, SMALL, false)).fold(20.0, f64::max).min(WORD_ROOM) as u32 + 14
}

const WORD_ROOM: f64 = 220.0;
/// Room for the name of a vertical axis beside the numbers of its ticks, in pixels.
const NAME_ROOM: u32 = 32;
/// Minimum room of a vertical axis of numbers, in pixels. Equal room aligns plots below each other.
const NUMBERS_ROOM: u32 = 66;

pub(super) fn axes<'a, 'b>(
    area: &'a Area<'b>,
    x: (f64, f64),
    y: (f64, f64),
    x_text: &AxisText<'_>,
    y_text: &AxisText<'_>,
) -> Result<Axes<'a, 'b>, Box<dyn Error>> {
    let (width, _) = area.dim_in_pixel();
    let y_ticks = match y_text.labels {
        Labels::Numbers(values) => TickTexts::numbers(y, 8, values),
        Labels::Words(words) => TickTexts::words(words, 1),
    };
    let left = match y_text.labels {
        Labels::Words(words) => label_room(words.iter()) + if y_text.name.is_empty() { 0 } else { 22 },
        Labels::Numbers(_) => NUMBERS_ROOM.max(label_room(y_ticks.texts.iter()) + NAME_ROOM),
    };
    let room = f64::from(width.saturating_sub(left + 36).max(1));
    let x_ticks = match x_text.labels {
        Labels::Numbers(values) => {
            let ticks = TickTexts::numbers(x, (room / 45.0) as usize, values);
            // The axis has fewer labels if they would touch.
            let widest = f64::from(label_room(ticks.texts.iter()));
            let place = room / (x.1 - x.0);
            let touch = ticks.at.windows(2).any(|pair| (pair[1] - pair[0]) * place < widest);
            if touch { TickTexts::numbers(x, (room / widest) as usize, values) } else { ticks }
        }
        Labels::Words(words) => {
            let widest = words.iter().map(|word| text_width(word, SMALL, false)).fold(1.0, f64::max);
            let touching = (widest.min(WORD_ROOM) + 6.0) * (x.1 - x.0) / room;
            TickTexts::words(words, touching.ceil().max(1.0) as usize)
        }
    };
    let upright_words = matches!(y_text.labels, Labels::Words(_));
    let mut chart = ChartBuilder::on(area)
        .margin_left(if upright_words { 12 } else { 6 })
        .margin_right(24)
        .margin_top(8)
        .margin_bottom(8)
        .x_label_area_size(if x_text.name.is_empty() { 26 } else { 48 })
        .y_label_area_size(left)
        .build_cartesian_2d(Numbers::new(x, x_ticks.at.clone()), Numbers::new(y, y_ticks.at.clone()))?;
    chart
        .configure_mesh()
        .x_label_formatter(&|value| x_ticks.text(*value))
        .y_label_formatter(&|value| y_ticks.text(*value))
        .x_desc(x_text.name)
        .y_desc(y_text.name)
        .label_style(font(SMALL))
        .axis_desc_style(font(LABEL))
        .axis_style(ink().stroke_width(1))
        .bold_line_style(grid())
        .light_line_style(TRANSPARENT)
        .max_light_lines(0)
        .draw()?;
    Ok(chart)
}

/// Axes with a row per name, the first on top: row `i` is at height `names - 1 - i`.
pub(super) fn row_axes<'a, 'b>(
    area: &'a Area<'b>,
    x: (f64, f64),
    x_text: &AxisText<'_>,
    names: impl DoubleEndedIterator<Item = String>,
) -> Result<Axes<'a, 'b>, Box<dyn Error>> {
    let words: Vec<String> = names.rev().collect();
    axes(area, x, (-0.6, words.len() as f64 - 0.4), x_text, &AxisText::words("", &words))
}

pub(super) fn span(ends: impl Iterator<Item = [f64; 2]>) -> (f64, f64) {
    ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), ends| (low.min(ends[0]), high.max(ends[1])))
}

pub(super) struct Numbers {
    line: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Numbers {
    fn new((low, high): (f64, f64), ticks: Vec<f64>) -> Self {
        Self { line: (low..high).into(), ticks }
    }
}

impl Ranged for Numbers {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.line.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.line.range()
    }
}

struct TickTexts {
    at: Vec<f64>,
    texts: Vec<String>,
}

impl TickTexts {
    fn numbers(range: (f64, f64), most: usize, values: Values) -> Self {
        let ticks = Ticks::new(range, most, values);
        Self { texts: ticks.at.iter().map(|value| ticks.text(*value)).collect(), at: ticks.at }
    }

    fn words(words: &[String], every: usize) -> Self {
        let shown = || words.iter().enumerate().step_by(every);
        Self {
            at: shown().map(|(index, _)| index as f64).collect(),
            texts: shown().map(|(_, word)| fitted(word, SMALL, false, WORD_ROOM - 6.0)).collect(),
        }
    }

    fn text(&self, value: f64) -> String {
        let place = self.at.iter().position(|at| *at == value);
        place.map(|place| self.texts[place].clone()).unwrap_or_default()
    }
}

/// An interval with caps at its ends.
pub(super) fn interval(
    chart: &mut Axes<'_, '_>,
    ends: [(f64, f64); 2],
    cap: [(i32, i32); 2],
    color: RGBColor,
) -> Drawn {
    line(chart, ends.into(), color, 2)?;
    for end in ends {
        let cap = EmptyElement::at(end) + PathElement::new(cap.to_vec(), color.stroke_width(1));
        chart.draw_series(std::iter::once(cap))?;
    }
    Ok(())
}

/// The ends of the cap of a vertical interval and of a horizontal one, in pixels from the interval's end.
const VERTICAL_CAP: [(i32, i32); 2] = [(-4, 0), (4, 0)];
pub(super) const HORIZONTAL_CAP: [(i32, i32); 2] = [(0, -4), (0, 4)];

/// A vertical interval with its value; `what` names it in the tooltip.
pub(super) fn point(
    chart: &mut Axes<'_, '_>,
    what: &str,
    (x, value): (f64, f64),
    ends: Option<[f64; 2]>,
    color: RGBColor,
) -> Drawn {
    if let Some(ends) = ends {
        interval(chart, ends.map(|end| (x, end)), VERTICAL_CAP, color)?;
    }
    chart.draw_series(std::iter::once(Circle::new((x, value), 3, color.filled())))?;
    tell(chart, (x, value), format!("{what}: {}", with_half(value, ends)))
}

/// A horizontal interval with its value; `what` names it in the tooltip.
pub(super) fn point_across(
    chart: &mut Axes<'_, '_>,
    what: &str,
    (value, y): (f64, f64),
    ends: Option<[f64; 2]>,
    color: RGBColor,
) -> Drawn {
    if let Some(ends) = ends {
        interval(chart, ends.map(|end| (end, y)), HORIZONTAL_CAP, color)?;
    }
    chart.draw_series(std::iter::once(Circle::new((value, y), 3, color.filled())))?;
    tell(chart, (value, y), format!("{what}: {}", with_half(value, ends)))
}

pub(super) fn tell(chart: &mut Axes<'_, '_>, at: (f64, f64), text: String) -> Drawn {
    chart.draw_series(std::iter::once(EmptyElement::at(at) + tooltip(text, (0, 0))))?;
    Ok(())
}

/// A tooltip in pixel coordinates: transparent text, see the backend.
pub(super) fn tooltip(text: String, at: (i32, i32)) -> Text<'static, (i32, i32), String> {
    let style = font(SMALL);
    Text::new(text, at, TextStyle { color: TRANSPARENT.to_backend_color(), ..style })
}

/// Draws many values with intervals: dots on a band.
pub(super) fn band(
    chart: &mut Axes<'_, '_>,
    points: &[(String, f64, f64, Option<[f64; 2]>)],
    color: RGBColor,
) -> Drawn {
    let end = |value: f64, interval: Option<[f64; 2]>, side: usize| interval.map_or(value, |ends| ends[side]);
    let lower = points.iter().map(|(_, x, value, interval)| (*x, end(*value, *interval, 0)));
    let upper = points.iter().rev().map(|(_, x, value, interval)| (*x, end(*value, *interval, 1)));
    let outline: Vec<(f64, f64)> = lower.chain(upper).collect();
    chart.draw_series(std::iter::once(Polygon::new(outline, color.mix(0.2))))?;
    chart.draw_series(points.iter().map(|(_, x, value, _)| Circle::new((*x, *value), 2, color.filled())))?;
    Ok(())
}

pub(super) fn line(chart: &mut Axes<'_, '_>, points: Vec<(f64, f64)>, color: RGBColor, width: u32) -> Drawn {
    chart.draw_series(std::iter::once(PathElement::new(points, color.stroke_width(width))))?;
    Ok(())
}

pub(super) fn dashed(chart: &mut Axes<'_, '_>, from: (f64, f64), to: (f64, f64), color: RGBColor) -> Drawn {
    let pixel = |at: (f64, f64)| chart.backend_coord(&at);
    let (begin, end) = (pixel(from), pixel(to));
    let length = f64::from(end.0 - begin.0).hypot(f64::from(end.1 - begin.1));
    let dashes = (length / 9.0).round().max(1.0) as u32;
    let at = |part: f64| (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
    for dash in 0..dashes {
        let begin = f64::from(dash) / f64::from(dashes);
        line(chart, vec![at(begin), at(begin + 0.6 / f64::from(dashes))], color, 1)?;
    }
    Ok(())
}

/// Widens a range by a margin on both sides; the result is never empty.
pub(super) fn padded(low: f64, high: f64) -> (f64, f64) {
    let room = if high > low { 0.04 * (high - low) } else { (0.05 * low.abs()).max(0.5) };
    (low - room, high + room)
}
