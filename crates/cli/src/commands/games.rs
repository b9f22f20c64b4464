//! `meeple games`: what there is.

use meeple_core::AnyEntry;
use meeple_games::{GameName, games, parse_game};
use serde_json::{Value, json};

use crate::args::GamesArgs;
use crate::commands::{shorten, value_text};
use crate::terminal;

pub fn run(args: &GamesArgs) -> anyhow::Result<()> {
    if let Some(id) = &args.game {
        let name = parse_game(id)?;
        let variant = name.entry.variant(name.preset, &[])?;
        return if args.json {
            let mut described = describe(name.entry);
            if let Some(preset) = name.preset {
                described["preset"] = json!(preset);
                described["variant"] = variant;
            }
            terminal::print_json(&described)
        } else {
            print_game(name, &variant)
        };
    }
    if args.json {
        let all: Vec<Value> = games().iter().map(|entry| describe(&**entry)).collect();
        return terminal::print_json(&json!({ "format": 1, "games": all }));
    }
    if args.tools {
        return print_tools();
    }
    let columns = ["game", "seats", "presets (first is the default)", "what it is"].map(str::to_owned);
    let rows: Vec<Vec<String>> = games()
        .iter()
        .map(|entry| {
            let info = entry.info();
            let presets: Vec<&str> = info.presets.iter().map(|preset| preset.name).collect();
            vec![info.id.to_owned(), seats(&**entry), presets.join(", "), info.summary.to_owned()]
        })
        .collect();
    terminal::print(&terminal::table(&columns, &rows))
}

fn seats(entry: &dyn AnyEntry) -> String {
    let seats = &entry.info().seats;
    if seats.start() == seats.end() {
        seats.start().to_string()
    } else {
        format!("{}-{}", seats.start(), seats.end())
    }
}

/// A game with its parameters; next to their defaults the values of the preset, if one is named.
fn print_game(name: GameName<'_>, variant: &Value) -> anyhow::Result<()> {
    let entry = name.entry;
    let info = entry.info();
    let mut text = format!("{}: {}\nseats: {}\n\npresets:\n", info.name, info.summary, seats(entry));
    for preset in info.presets {
        text.push_str(&format!("  {}/{}  {}\n", info.id, preset.name, preset.doc));
    }
    if !info.profiles.is_empty() {
        text.push_str("\nprofiles (--set profile=NAME):\n");
        for profile in info.profiles {
            text.push_str(&format!("  {}  {}\n", profile.name, profile.doc));
        }
    }
    text.push_str("\nvariant parameters (--set KEY=VALUE):\n");
    let mut columns = vec!["key", "default", "values", "what it is"];
    columns.splice(1..1, name.preset);
    let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = entry
        .params()
        .into_iter()
        .map(|spec| {
            let (key, default, values) =
                (spec.name.to_owned(), shorten(&spec.default), spec.domain.to_string());
            let mut row = vec![key, default, values, spec.doc];
            row.splice(1..1, name.preset.map(|_| preset_value(&variant[spec.name], &spec.default)));
            row
        })
        .collect();
    text.push_str(&terminal::table(&columns, &rows));
    if name.preset.is_some() {
        text.push_str("* differs from the default\n");
    }
    if !info.demo.is_empty() {
        text.push_str(&format!("\ntry: meeple sim {} {}\n", info.id, info.demo.join(" ")));
    }
    terminal::print(&text)
}

/// The value a preset gives a parameter, with a mark if it is not the default.
fn preset_value(value: &Value, default: &str) -> String {
    let text = value_text(value);
    let same = match (value.as_f64(), default.parse::<f64>()) {
        (Some(value), Ok(default)) => value == default,
        _ => text == default,
    };
    if same { shorten(&text) } else { format!("{} *", shorten(&text)) }
}

fn print_tools() -> anyhow::Result<()> {
    let mut text = String::new();
    for entry in games() {
        for tool in entry.tools() {
            let id = entry.info().id;
            text.push_str(&format!("meeple {} {id} {}\n    {}\n", tool.name, tool.usage, tool.doc));
        }
    }
    terminal::print(&text)
}

fn describe(entry: &dyn AnyEntry) -> Value {
    let info = entry.info();
    let presets: Vec<Value> =
        info.presets.iter().map(|preset| json!({ "name": preset.name, "doc": preset.doc })).collect();
    let params: Vec<Value> = entry
        .params()
        .into_iter()
        .map(|spec| {
            json!({ "name": spec.name, "default": spec.default, "values": spec.domain.to_string(), "doc": spec.doc })
        })
        .collect();
    let tools: Vec<Value> = entry
        .tools()
        .into_iter()
        .map(|tool| json!({ "name": tool.name, "usage": tool.usage, "doc": tool.doc }))
        .collect();
    json!({
        "id": info.id, "name": info.name, "summary": info.summary, "rules_version": info.rules_version,
        "seats": [info.seats.start(), info.seats.end()], "actions": info.actions,
        "information": info.information, "simultaneous": info.simultaneous, "score_unit": info.score_unit,
        "length_unit": info.length_unit, "ends": info.ends, "demo": info.demo, "presets": presets,
        "params": params, "tools": tools,
    })
}
