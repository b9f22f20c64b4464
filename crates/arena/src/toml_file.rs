//! Tournament descriptions in TOML. Errors show their position, and unknown names the nearest known one.

use std::path::Path;

use meeple_bothost::{Clock, Limits, NumberOrNone, OnFault};
use meeple_core::did_you_mean;
use serde::Deserialize;
use toml::{Table, Value};

use crate::error::ArenaError;
use crate::plan::{CompetitorKind, OrderBy, ReplayRetention, kind_of};
use crate::request::{BanRequest, Request};
use crate::schedule::Kind;
use crate::seed::RootSeed;
use meeple_lab::sprt::SprtMatch;

/// A tournament file. All keys except `game` are optional.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct File {
    game: String,
    set: Table,
    bot: Vec<Value>,
    schedule: Option<Kind>,
    table: Option<u16>,
    rotations: Option<u16>,
    deals: Option<u64>,
    anchors: Vec<String>,
    anchor: Option<String>,
    seed: Option<Seed>,
    replays: Option<ReplayRetention>,
    order: Option<OrderBy>,
    rating: Rating,
    clock: Clock,
    limits: Limits,
    faults: Faults,
    sandbox: Option<String>,
    ban: BanRequest,
    sprt: Option<SprtMatch>,
    original: bool,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Competitor {
    name: Option<String>,
    run: String,
}

/// A root seed: an integer, or a text for seeds beyond TOML's range.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a whole number from 0, or a text with a number from 0 to 2^128 - 1")]
enum Seed {
    Number(u64),
    Text(RootSeed),
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Rating {
    resamples: Option<usize>,
    prior: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Faults {
    on_fault: OnFault,
    strikes: Option<NumberOrNone<u32>>,
    reveal_names: bool,
}

/// Reads a tournament file.
///
/// # Errors
/// If the file cannot be read; otherwise for the first error in it, with the position.
pub fn read_file(path: &Path) -> Result<Request, ArenaError> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ArenaError::missing(path, "expected a tournament file, found none"),
        _ => ArenaError::missing(path, format!("expected a tournament file, found an error: {error}")),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&text, folder).map_err(|reason| ArenaError::Plan(format!("{}: {reason}", path.display())))
}

/// Parses a tournament file. Paths of bots in it are relative to `folder`.
fn parse(text: &str, folder: &Path) -> Result<Request, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let shown = error.to_string();
        let place = shown.trim_end().strip_suffix(error.message()).unwrap_or_default();
        format!("expected TOML that describes a tournament, found an error:\n{place}{}", describe(&error))
    })?;
    if file.game.is_empty() {
        return Err("expected a game, found none\nhint: `meeple games` lists them".into());
    }
    let mut request = Request::new(file.game);
    for (name, value) in &file.set {
        request.set.push((name.clone(), setting(value, name)?));
    }
    for (number, entry) in (1..).zip(file.bot) {
        request.competitors.push(competitor(entry, folder).map_err(|why| format!("bot {number}: {why}"))?);
    }
    request.faults.clock = file.clock;
    request.faults.on_fault = file.faults.on_fault;
    request.faults.reveal_names = file.faults.reveal_names;
    Ok(Request {
        schedule: file.schedule,
        table: file.table,
        rotations: file.rotations,
        deals: file.deals,
        anchors: file.anchors,
        anchor: file.anchor,
        seed: file.seed.map(|seed| match seed {
            Seed::Number(number) => number.into(),
            Seed::Text(seed) => seed,
        }),
        replays: file.replays,
        order: file.order,
        resamples: file.rating.resamples.unwrap_or(request.resamples),
        prior: file.rating.prior.unwrap_or(request.prior),
        strikes: file.faults.strikes.map(|strikes| strikes.number().unwrap_or(0)),
        limits: file.limits,
        sandbox: file.sandbox.unwrap_or(request.sandbox),
        ban: file.ban,
        sprt: file.sprt,
        original: file.original,
        ..request
    })
}

fn competitor(entry: Value, folder: &Path) -> Result<(Option<String>, String), String> {
    let own = match entry {
        Value::String(run) => Competitor { name: None, run },
        entry => Competitor::deserialize(entry).map_err(|error| describe(&error))?,
    };
    if own.run.is_empty() {
        return Err("expected a key `run`, found none\nhint: run = \"turn:7\" or run = \"./bot.py\"".into());
    }
    Ok((own.name, placed(&own.run, folder)))
}

/// Makes a bot's path relative to the current directory instead of to `folder`.
fn placed(run: &str, folder: &Path) -> String {
    let is_path = kind_of(run) == CompetitorKind::Bot && !run.starts_with("cmd:");
    if !is_path || Path::new(run).is_absolute() || folder.as_os_str().is_empty() {
        return run.to_owned();
    }
    folder.join(run.strip_prefix("./").unwrap_or(run)).display().to_string()
}

const PLAIN: [(&str, &str); 9] = [
    ("unknown field", "unknown key"),
    ("unknown variant", "unknown word"),
    ("expected u16", "expected a whole number"),
    ("expected u32", "expected a whole number"),
    ("expected u64", "expected a whole number"),
    ("expected usize", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a string", "expected a text in quotes"),
    ("expected struct", "expected a table:"),
];

/// An error of the parser in plain words, with the nearest known name for an unknown one.
fn describe(error: &toml::de::Error) -> String {
    let names: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
    let plain = PLAIN.iter().fold(error.message().to_owned(), |text, (own, plain)| text.replace(own, plain));
    match names.split_first() {
        Some((found, known)) if error.message().starts_with("unknown") => {
            format!("{plain}\nhint: {}", did_you_mean(found, known.iter().copied()))
        }
        _ => plain,
    }
}

fn setting(value: &Value, name: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
        Value::Array(items) => {
            let items = items.iter().map(|item| setting(item, name)).collect::<Result<Vec<_>, _>>()?;
            Ok(items.join(","))
        }
        _ => Err(format!("set.{name}: expected a value, found {value}")),
    }
}
