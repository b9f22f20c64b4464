//! Parsing of arguments from Python.

use meeple_core::{PlayerLabel, Seat, Viewer};
use pyo3::prelude::*;

use crate::failure::usage;

pub(crate) fn seat(index: usize, seats: usize) -> PyResult<Seat> {
    if index < seats {
        return Ok(Seat::new(index));
    }
    Err(usage(format!("expected a seat from 0 to {}, found {index}", seats.saturating_sub(1))))
}

/// Parses a viewer: a seat's number, `public` or `all`.
pub(crate) fn viewer(text: &str, seats: usize) -> PyResult<Viewer> {
    match text {
        "public" => Ok(Viewer::Public),
        "all" => Ok(Viewer::Everything),
        _ => match text.parse::<usize>() {
            Ok(index) if index < seats => Ok(Viewer::Seat(Seat::new(index))),
            _ => Err(usage(format!(
                "viewer: expected a seat from 0 to {}, public or all, found '{text}'",
                seats.saturating_sub(1)
            ))),
        },
    }
}

/// Labels of the players in drawings; empty labels if no names are given.
pub(crate) fn labels(names: Vec<String>, seats: usize) -> PyResult<Vec<PlayerLabel>> {
    let found = names.len();
    match found {
        0 => Ok(vec![PlayerLabel::default(); seats]),
        _ if found == seats => Ok(names.into_iter().map(PlayerLabel::from).collect()),
        _ => Err(usage(format!("players: expected {seats} names, one for every seat, found {found}"))),
    }
}
