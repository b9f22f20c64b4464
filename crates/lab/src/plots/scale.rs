//! A swept parameter as an axis of plots.

use meeple_scene::text_width;

use super::frame::{AxisText, LABEL, padded, span};
use crate::sweep::{Axis, Cell};

/// Positions of the values of an axis: numbers themselves, or consecutive integers for words.
pub(super) struct Scale {
    at: Vec<f64>,
    words: Option<Vec<String>>,
    whole: bool,
}

impl Scale {
    pub(super) fn new(axis: &Axis) -> Self {
        let numbers: Option<Vec<f64>> = axis.values.iter().map(|value| value.parse().ok()).collect();
        match numbers {
            Some(at) => Self { whole: at.iter().all(|value| value.fract() == 0.0), at, words: None },
            None => Self {
                at: (0..axis.values.len()).map(|index| index as f64).collect(),
                words: Some(axis.values.clone()),
                whole: true,
            },
        }
    }

    pub(super) fn range(&self) -> (f64, f64) {
        let (low, high) = span(self.at.iter().map(|at| [*at; 2]));
        padded(low, high)
    }

    pub(super) fn text<'a>(&'a self, name: &'a str) -> AxisText<'a> {
        match &self.words {
            Some(words) => AxisText::words(name, words),
            None if self.whole => AxisText::whole(name),
            None => AxisText::numbers(name),
        }
    }

    pub(super) fn of(&self, cell: &Cell) -> f64 {
        self.at[cell.at[0]]
    }
}

pub(super) fn axis_name(axis: &Axis) -> String {
    let full = format!("{}: {}", axis.name, axis.doc.trim_end_matches('.'));
    if has_room(axis) { full } else { axis.name.clone() }
}

fn has_room(axis: &Axis) -> bool {
    let full = format!("{}: {}", axis.name, axis.doc.trim_end_matches('.'));
    !axis.doc.is_empty() && text_width(&full, LABEL, false) <= 600.0
}

/// The parameter's meaning as a sentence for the note.
pub(super) fn meaning(axis: &Axis) -> String {
    let doc = axis.doc.trim_end_matches('.');
    if doc.is_empty() { String::new() } else { format!(" {}: {doc}.", axis.name) }
}

/// The meaning for the note; empty if the axis itself has room for it.
pub(super) fn meaning_elsewhere(axis: &Axis) -> String {
    if has_room(axis) { String::new() } else { meaning(axis) }
}
