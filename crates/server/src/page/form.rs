//! Fields of forms: presets, parameters, agents, numbers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use meeple_core::{AgentDoc, AgentSpec, AnyEntry, Domain, ParamSpec};
use serde_json::Value;

/// Upper bound on seats in a form. Games with more seats fill the others themselves.
pub const MAX_SEATS: usize = 8;

/// The form's value for an unused seat.
pub const SEAT_NOBODY: &str = "nobody";

/// Form fields, in the order the browser sent them.
pub type Fields = Vec<(String, String)>;

/// The first non-empty value of a field, trimmed.
pub fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    fields
        .iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

/// The agents of a game that can play some preset by their names alone. Agents that need files, or that this
/// build lacks, are left out.
pub fn offered(entry: &dyn AnyEntry) -> Vec<AgentDoc> {
    /// Cached per game, because setting agents up may take long.
    static OFFERED: Mutex<BTreeMap<&'static str, Vec<&'static str>>> = Mutex::new(BTreeMap::new());
    let info = entry.info();
    let mut known = OFFERED.lock().unwrap_or_else(PoisonError::into_inner);
    let names = known.entry(info.id).or_insert_with(|| {
        let seats = (*info.seats.end()).min(2).max(*info.seats.start());
        let games: Vec<_> = info
            .presets
            .iter()
            .filter_map(|preset| entry.set_up(Some(preset.name), &[], seats).ok())
            .collect();
        let plays =
            |name: &str| games.iter().any(|game| game.check_line_up(&[AgentSpec::parse(name)]).is_ok());
        entry.agents().into_iter().map(|agent| agent.name).filter(|name| plays(name)).collect()
    });
    entry.agents().into_iter().filter(|agent| names.contains(&agent.name)).collect()
}

/// The preset that a form selects; the first by default.
pub fn preset<'a>(entry: &dyn AnyEntry, fields: &'a Fields) -> &'a str {
    entry.info().preset_or_first(field(fields, "preset"))
}

/// The parameters of a form that differ from its preset.
pub fn settings(entry: &dyn AnyEntry, fields: &Fields) -> Result<Vec<(String, String)>, String> {
    let known = entry.variant(Some(preset(entry, fields)), &[]).map_err(|error| error.to_string())?;
    let mut settings = Vec::new();
    for param in entry.params() {
        if let Some(value) = field(fields, &format!("set.{}", param.name))
            && value != value_text(&known, &param)
        {
            settings.push((param.name.to_owned(), value.to_owned()));
        }
    }
    Ok(settings)
}

pub fn line_up(fields: &Fields) -> Vec<String> {
    let who = (0..MAX_SEATS).filter_map(|seat| {
        field(fields, &format!("agent.{seat}")).or_else(|| field(fields, &format!("seat.{seat}")))
    });
    who.filter(|who| *who != SEAT_NOBODY).map(str::to_owned).collect()
}

pub fn number(fields: &Fields, name: &str) -> Result<Option<u64>, String> {
    let parse = |text: &str| {
        text.parse().map_err(|_| format!("{name}: expected a whole number from 0, found '{text}'"))
    };
    field(fields, name).map(parse).transpose()
}

/// A parameter's value as text, from the object that [`AnyEntry::variant`] returns.
pub fn value_text(variant: &Value, param: &ParamSpec) -> String {
    match (&variant[param.name], &param.domain) {
        (Value::Bool(on), _) => if *on { "on" } else { "off" }.to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), Domain::IntList { .. }) => {
            items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
        }
        (Value::Null, _) => param.default.clone(),
        (value, _) => value.to_string(),
    }
}
