//! The plan of results, as JSON: equal plans with equal numbers of episodes give equal results.

use meeple_core::{AnyEntry, AnyGame};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::simulation::{Simulation, seating_word};
use crate::sweep::{Sweep, SweepOptions, axes_json};

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

pub(crate) fn of_sweep(sweep: &Sweep, options: &SweepOptions) -> Value {
    serde_json::to_value(SweepPlan { sweep, options }).expect("a plan is plain data with text keys")
}

/// Plan of a sweep, serialised cell by cell: there may be thousands.
pub(crate) struct SweepPlan<'a> {
    pub sweep: &'a Sweep,
    pub options: &'a SweepOptions,
}

impl Serialize for SweepPlan<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { sweep, options } = *self;
        let info = sweep.cells.first().map(|cell| cell.set_up.game.info());
        let mut plan = serializer.serialize_struct("SweepPlan", 8)?;
        plan.serialize_field("format", &1)?;
        plan.serialize_field("kind", "sweep")?;
        plan.serialize_field("game", &info.map(|info| info.id))?;
        plan.serialize_field("rules_version", &info.map(|info| info.rules_version))?;
        plan.serialize_field("axes", &axes_json(&sweep.axes))?;
        plan.serialize_field("seating", seating_word(options.seating))?;
        plan.serialize_field("seed", &options.seed)?;
        plan.serialize_field("cells", &PlannedCells(sweep))?;
        plan.end()
    }
}

struct PlannedCells<'a>(&'a Sweep);

impl Serialize for PlannedCells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.cells.iter().map(|cell| {
            let game = &cell.set_up.game;
            json!({ "variant": game.variant(), "line_up": cell.set_up.line_up.words() })
        }))
    }
}

/// The first difference between a plan and a stored one: the wanted and the found value, each with the
/// innermost key that differs. Parameters that are newer than the stored plan get their former values there.
/// All results and shards are compared by this function.
pub(crate) fn difference(
    game: Option<&dyn AnyGame>,
    wanted: &Value,
    found: &Value,
) -> Option<(String, String)> {
    // Plans of sweeps are large: an equal plan is compared without a copy.
    first_difference(wanted, found)?;
    let mut found = found.clone();
    for variant in variants(&mut found) {
        if let Some(complete) = game.and_then(|game| game.variant_of_stored(variant)) {
            *variant = complete;
        }
    }
    first_difference(wanted, &found)
}

/// Variants of a plan and of its cells.
fn variants(plan: &mut Value) -> impl Iterator<Item = &mut Value> {
    let plan = plan.as_object_mut().into_iter().flat_map(Map::iter_mut);
    plan.flat_map(|(key, value)| match (key.as_str(), value) {
        ("variant", variant) => vec![variant],
        ("cells", Value::Array(cells)) => {
            cells.iter_mut().filter_map(|cell| cell.get_mut("variant")).collect()
        }
        _ => Vec::new(),
    })
}

pub(crate) fn settings_of(
    plan: &Value,
    entry: &dyn AnyEntry,
    set: &[(String, String)],
) -> Vec<(String, String)> {
    let variant = plan.get("variant").or_else(|| plan.get("cells")?.get(0)?.get("variant"));
    variant.map_or_else(|| set.to_vec(), |variant| entry.settings_of_stored(set, variant))
}

fn first_difference(wanted: &Value, found: &Value) -> Option<(String, String)> {
    let keys = |plan: &Value| plan.as_object().into_iter().flat_map(|plan| plan.keys().cloned()).collect();
    let keys: [Vec<String>; 2] = [wanted, found].map(keys);
    // Texts for people are not part of a plan: releases reword them.
    keys.concat().into_iter().filter(|key| key != "doc").find_map(|key| {
        let [wanted, found] = [wanted, found].map(|plan| plan.get(&key).unwrap_or(&Value::Null));
        match (wanted, found) {
            _ if wanted == found => None,
            (Value::Object(_), Value::Object(_)) => first_difference(wanted, found),
            (Value::Array(wanted), Value::Array(found))
                if wanted.len() == found.len() && wanted.iter().chain(found).all(Value::is_object) =>
            {
                wanted.iter().zip(found).find_map(|(wanted, found)| first_difference(wanted, found))
            }
            _ => Some((format!("{key} {wanted}"), format!("{key} {found}"))),
        }
    })
}
