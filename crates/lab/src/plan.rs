//! What results are of, as JSON: with the same plan, the same episodes give the same results.

use serde_json::{Value, json};

use crate::simulation::{Simulation, seating_word};
use crate::sweep::{Sweep, SweepOptions, axes_json};

/// What the results of a simulation are of.
pub(crate) fn of_simulation(simulation: &Simulation<'_>) -> Value {
    let info = simulation.game.info();
    json!({
        "format": 1,
        "kind": "simulation",
        "game": info.id,
        "rules_version": info.rules_version,
        "variant": simulation.game.variant(),
        "line_up": simulation.line_up.words(),
        "seating": seating_word(simulation.seating),
        "seed": simulation.seed,
    })
}

/// What the results of a sweep are of.
pub(crate) fn of_sweep(sweep: &Sweep, options: &SweepOptions) -> Value {
    let cells = sweep.cells.iter().map(|cell| {
        let game = &cell.set_up.game;
        json!({ "variant": game.variant(), "line_up": cell.set_up.line_up.words() })
    });
    let info = sweep.cells.first().map(|cell| cell.set_up.game.info());
    json!({
        "format": 1,
        "kind": "sweep",
        "game": info.map(|info| info.id),
        "rules_version": info.map(|info| info.rules_version),
        "axes": axes_json(&sweep.axes),
        "seating": seating_word(options.seating),
        "seed": options.seed,
        "cells": cells.collect::<Vec<_>>(),
    })
}

/// Where two plans differ first, as the name of the innermost value that differs, with that value in each.
pub(crate) fn difference(wanted: &Value, found: &Value) -> Option<(String, String)> {
    let keys = |plan: &Value| plan.as_object().into_iter().flat_map(|plan| plan.keys().cloned()).collect();
    let keys: [Vec<String>; 2] = [wanted, found].map(keys);
    let differs = keys.concat().into_iter().find(|key| wanted.get(key) != found.get(key))?;
    let [wanted, found] = [wanted, found].map(|plan| plan.get(&differs).unwrap_or(&Value::Null));
    let inner = difference(wanted, found).filter(|_| wanted.is_object() && found.is_object());
    Some(inner.unwrap_or_else(|| (format!("{differs} {wanted}"), format!("{differs} {found}"))))
}
