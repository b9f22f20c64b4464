//! Tournaments described in TOML. Unknown keys are errors that name the nearest known one.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use toml::{Table, Value};

use crate::error::ArenaError;
use crate::plan::{Ban, Keep, OrderBy, SprtMatch, kind_of};
use crate::plan::{Compare, CompetitorKind};
use crate::request::{BanRequest, Request, did_you_mean};
use crate::schedule::Kind;
use crate::seed::RootSeed;
use crate::sprt::SprtPlan;

const TOP: &[&str] = &[
    "game",
    "set",
    "bot",
    "schedule",
    "table",
    "rotations",
    "deals",
    "anchors",
    "anchor",
    "seed",
    "replays",
    "order",
    "rating",
    "clock",
    "limits",
    "faults",
    "sandbox",
    "ban",
    "sprt",
    "original",
];

type Read<T> = Result<T, String>;

/// Reads a tournament file.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_file(path: &Path) -> Result<Request, ArenaError> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ArenaError::missing(path, "expected a tournament file, found none"),
        _ => ArenaError::missing(path, format!("expected a tournament file, found an error: {error}")),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&text, folder).map_err(|reason| ArenaError::Plan(format!("{}: {reason}", path.display())))
}

/// Reads the text of a tournament file; paths of bots are relative to `folder`.
fn parse(text: &str, folder: &Path) -> Read<Request> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        format!("expected TOML, found an error: {}", error.to_string().trim_end())
    })?;
    known(&table, TOP, "")?;
    let game = table.get("game").ok_or("expected a game, found none\nhint: `meeple games` lists them")?;
    let mut request = Request::new(word(game, "game")?);
    for (key, value) in &table {
        match key.as_str() {
            "game" => {}
            "set" => {
                for (name, value) in section(value, "set")? {
                    request.set.push((name.clone(), setting(value, &format!("set.{name}"))?));
                }
            }
            "bot" => {
                for (index, entry) in list(value, "bot")?.iter().enumerate() {
                    request.competitors.push(competitor(entry, folder, &format!("bot {}", index + 1))?);
                }
            }
            "schedule" => request.schedule = Some(named(value, key, &Kind::ALL)?),
            "table" => request.table = Some(number(value, key)?),
            "rotations" => request.rotations = Some(number(value, key)?),
            "deals" => request.deals = Some(number(value, key)?),
            "seed" => request.seed = Some(seed(value, key)?),
            "anchors" => {
                let names = list(value, key)?.iter().map(|name| Ok(word(name, key)?.to_owned()));
                request.anchors = names.collect::<Read<_>>()?;
            }
            "anchor" => request.anchor = Some(word(value, key)?.to_owned()),
            "replays" => request.replays = Some(named(value, key, &[Keep::All, Keep::Faulted, Keep::None])?),
            "order" => {
                let all = [OrderBy::Rating, OrderBy::Wins, OrderBy::Score, OrderBy::Victories];
                request.order = Some(named(value, key, &all)?);
            }
            "rating" => {
                let rating = section(value, key)?;
                known(rating, &["resamples", "prior"], "rating.")?;
                for (name, value) in rating {
                    match name.as_str() {
                        "resamples" => request.resamples = number(value, "rating.resamples")?,
                        _ => request.prior = real(value, "rating.prior")?,
                    }
                }
            }
            "clock" => {
                request.faults.clock = overlaid(&request.faults.clock, section(value, key)?, "clock.")?
            }
            "limits" => request.limits = overlaid(&request.limits, section(value, key)?, "limits.")?,
            "faults" => {
                let faults = section(value, key)?;
                known(faults, &["on_fault", "strikes", "reveal_names"], "faults.")?;
                request.faults = overlaid(&request.faults, faults, "faults.")?;
                if faults.contains_key("strikes") {
                    request.strikes = Some(request.faults.strikes.unwrap_or(0));
                }
            }
            "original" => {
                request.original =
                    value.as_bool().map_or_else(|| expected("true or false", key, value), Ok)?;
            }
            "sandbox" => request.sandbox = word(value, key)?.to_owned(),
            "ban" => {
                let mut table = section(value, key)?.clone();
                whole_to_real(&mut table, &["mean_ms"]);
                let ban = overlaid(&Ban::default(), &table, "ban.")?;
                let given = |name| table.contains_key(name);
                request.ban = BanRequest {
                    mean_ms: given("mean_ms").then_some(ban.mean_ms),
                    faulted_episodes: given("faulted_episodes").then_some(ban.faulted_episodes),
                    waiting_ms: given("waiting_ms").then_some(ban.waiting_ms),
                };
            }
            _ => {
                let default = SprtPlan::default();
                let sprt = SprtMatch {
                    low: default.low,
                    high: default.high,
                    alpha: default.alpha,
                    beta: default.beta,
                    by: Compare::Place,
                };
                let mut table = section(value, key)?.clone();
                whole_to_real(&mut table, &["low", "high", "alpha", "beta"]);
                request.sprt = Some(overlaid(&sprt, &table, "sprt.")?);
            }
        }
    }
    Ok(request)
}

fn competitor(entry: &Value, folder: &Path, place: &str) -> Read<(Option<String>, String)> {
    if let Value::String(run) = entry {
        return Ok((None, placed(run, folder)));
    }
    let table = section(entry, place)?;
    known(table, &["name", "run"], &format!("{place}, "))?;
    let run = table.get("run").ok_or_else(|| {
        format!("{place}: expected what to run, found nothing\nhint: run = \"turn:7\" or run = \"./bot.py\"")
    })?;
    let name = table.get("name").map(|name| word(name, place)).transpose()?;
    Ok((name.map(str::to_owned), placed(word(run, place)?, folder)))
}

/// A bot's path seen from where we are.
fn placed(run: &str, folder: &Path) -> String {
    let is_path = kind_of(run) == CompetitorKind::Bot && !run.starts_with("cmd:");
    if !is_path || Path::new(run).is_absolute() || folder.as_os_str().is_empty() {
        return run.to_owned();
    }
    folder.join(run.strip_prefix("./").unwrap_or(run)).display().to_string()
}

fn known(table: &Table, names: &[&str], prefix: &str) -> Read<()> {
    match table.keys().find(|key| !names.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            Err(format!("unknown key '{prefix}{key}'\nhint: {}", did_you_mean(key, names.iter().copied())))
        }
    }
}

fn expected<T>(what: &str, place: &str, found: &Value) -> Read<T> {
    Err(format!("{place}: expected {what}, found {found}"))
}

fn section<'a>(value: &'a Value, place: &str) -> Read<&'a Table> {
    value.as_table().map_or_else(|| expected("a table", place, value), Ok)
}

fn list<'a>(value: &'a Value, place: &str) -> Read<&'a [Value]> {
    value.as_array().map_or_else(|| expected("a list", place, value), |list| Ok(list.as_slice()))
}

fn word<'a>(value: &'a Value, place: &str) -> Read<&'a str> {
    value.as_str().map_or_else(|| expected("a text in quotes", place, value), Ok)
}

fn number<T: TryFrom<i64>>(value: &Value, place: &str) -> Read<T> {
    match value.as_integer().and_then(|number| T::try_from(number).ok()) {
        Some(number) => Ok(number),
        None => expected("a whole number", place, value),
    }
}

/// A root seed: a whole number, or a text for one that is too large for TOML.
fn seed(value: &Value, place: &str) -> Read<RootSeed> {
    match value {
        Value::String(text) => text.parse().map_err(|reason| format!("{place}: {reason}")),
        _ => number::<u64>(value, place).map(RootSeed::from),
    }
}

fn real(value: &Value, place: &str) -> Read<f64> {
    match value {
        Value::Float(number) => Ok(*number),
        Value::Integer(number) => Ok(*number as f64),
        _ => expected("a number", place, value),
    }
}

/// A variant parameter in text form.
fn setting(value: &Value, place: &str) -> Read<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
        Value::Array(items) => {
            let items = items.iter().map(|item| setting(item, place)).collect::<Read<Vec<_>>>()?;
            Ok(items.join(","))
        }
        _ => expected("a value", place, value),
    }
}

/// A value whose serde form is one of a few words.
fn named<T: Serialize + Copy>(value: &Value, place: &str, all: &[T]) -> Read<T> {
    let text = word(value, place)?;
    let names: Vec<String> = all.iter().map(|one| name_of(one)).collect();
    match names.iter().position(|name| name == text) {
        Some(index) => Ok(all[index]),
        None => Err(format!(
            "{place}: unknown word '{text}'\nhint: {}",
            did_you_mean(text, names.iter().map(String::as_str))
        )),
    }
}

/// The word that a unit variant serialises as.
fn name_of(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Json::String(text)) => text,
        other => unreachable!("a unit variant is a text, not {other:?}"),
    }
}

fn whole_to_real(table: &mut Table, keys: &[&str]) {
    for key in keys {
        if let Some(Value::Integer(number)) = table.get(*key) {
            let number = *number as f64;
            table.insert((*key).to_owned(), Value::Float(number));
        }
    }
}

/// `base` with the keys of a table put over it.
fn overlaid<T: Serialize + DeserializeOwned>(base: &T, table: &Table, prefix: &str) -> Read<T> {
    let mut json = serde_json::to_value(base).expect("settings are plain data");
    let object = json.as_object_mut().expect("settings are objects");
    let names: Vec<String> = object.keys().cloned().collect();
    known(table, &names.iter().map(String::as_str).collect::<Vec<_>>(), prefix)?;
    for (key, value) in table {
        let value = match value {
            // TOML has no null: "none" takes a limit away.
            Value::String(text) if text == "none" => Json::Null,
            value => serde_json::to_value(value).map_err(|error| format!("{prefix}{key}: {error}"))?,
        };
        object.insert(key.clone(), value);
        let checked: Result<T, _> = serde_json::from_value(Json::Object(object.clone()));
        if let Err(error) = checked {
            return Err(format!("{prefix}{key}: {error}"));
        }
    }
    serde_json::from_value(json).map_err(|error| format!("{prefix}: {error}"))
}
