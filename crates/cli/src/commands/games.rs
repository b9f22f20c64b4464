//! `meeple games`: the games with their presets and parameters.

use meeple_core::{AnyEntry, Field};
use meeple_games::{GameName, games, parse_game};
use meeple_lab::{FigureDefinition, Name, meanings};
use serde_json::{Value, json};

use crate::args::GamesArgs;
use crate::failure::usage;
use crate::settings::{settings, shorten, value_text};
use crate::terminal;

pub fn run(args: &GamesArgs) -> anyhow::Result<()> {
    if let Some(id) = &args.game {
        let name = parse_game(id)?;
        let set = settings(&args.variant)?;
        // Invalid settings are refused even if they have no effect.
        let variant = name.entry.variant(name.preset, &set)?;
        if args.tools {
            return print_tools([name.entry], args.json);
        }
        if args.encoding {
            return print_encoding(name, &set, args);
        }
        let column = if set.is_empty() { name.preset } else { Some("as set") };
        return if args.json {
            let mut described = describe(name.entry);
            if let Some(preset) = name.preset {
                described["preset"] = json!(preset);
            }
            if column.is_some() {
                described["variant"] = variant;
            }
            terminal::print_json(&described)
        } else {
            print_game(name.entry, column, &variant)
        };
    }
    if args.variant.settings().next().is_some() {
        return Err(usage(
            "--set and --profile: expected a game before them, found none\nhint: meeple games lists them",
        ));
    }
    if args.tools {
        return print_tools(games(), args.json);
    }
    if args.json {
        let all: Vec<Value> = games().into_iter().map(describe).collect();
        return terminal::print_json(&json!({ "format": 1, "games": all }));
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

/// Prints a game with its parameters. With a `column`, the variant's values follow below this heading: the
/// preset's name, or "as set".
fn print_game(entry: &dyn AnyEntry, column: Option<&str>, variant: &Value) -> anyhow::Result<()> {
    let info = entry.info();
    let advice = match info.seats_advice {
        "" => String::new(),
        advice => format!(", {advice}"),
    };
    let seats = seats(entry);
    let mut text = format!("{}: {}\nseats: {seats}{advice}\n\npresets:\n", info.name, info.summary);
    for preset in info.presets {
        text.push_str(&format!("  {}/{}  {}\n", info.id, preset.name, preset.doc));
    }
    if !info.profiles.is_empty() {
        text.push_str("\nprofiles (--profile NAME):\n");
        for profile in info.profiles {
            text.push_str(&format!("  {}  {}\n", profile.name, profile.doc));
        }
    }
    text.push_str("\nvariant parameters (--set KEY=VALUE):\n");
    let mut columns = vec!["key", "default", "values", "what it is"];
    columns.splice(1..1, column);
    let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = entry
        .params()
        .into_iter()
        .map(|spec| {
            let (key, default, values) =
                (spec.name.to_owned(), shorten(&spec.default), spec.domain.to_string());
            let mut row = vec![key, default, values, spec.doc];
            row.splice(1..1, column.map(|_| preset_value(&variant[spec.name], &spec.default)));
            row
        })
        .collect();
    text.push_str(&terminal::table(&columns, &rows));
    if column.is_some() {
        text.push_str("* differs from the default\n");
    }
    let figures = meanings(info);
    if !figures.is_empty() {
        text.push_str("\nfigures (what `sim` and `sweep` count besides wins, scores and lengths):\n");
        let columns = ["figure", "of each", "unit", "what it says"].map(str::to_owned);
        let row = |(key, meaning): &(Name, FigureDefinition)| {
            [&**key, meaning.of, meaning.figure.unit, meaning.figure.doc].map(str::to_owned).into()
        };
        let rows: Vec<Vec<String>> = figures.0.iter().map(row).collect();
        text.push_str(&terminal::table(&columns, &rows));
    }
    let tools = tools_text(entry, "  ");
    if !tools.is_empty() {
        text.push_str(&format!("\ntools:\n{tools}"));
    }
    if !info.demo.is_empty() {
        text.push_str(&format!("\ntry: meeple sim {} {}\n", info.id, info.demo.join(" ")));
    }
    terminal::print(&text)
}

/// Prints the fields of a game's encoding, at a table like that of its demo unless `--seats` is given.
fn print_encoding(name: GameName<'_>, set: &[(String, String)], args: &GamesArgs) -> anyhow::Result<()> {
    let info = name.entry.info();
    if let Some(wrong) = args.seats.filter(|number| !info.seats.contains(number)) {
        let (id, expected) = (info.id, seats(name.entry));
        return Err(usage(format!(
            "--seats: expected {expected} for {id}, found {wrong}\nhint: leave out --seats for the usual \
             number"
        )));
    }
    let seats = args.seats.unwrap_or_else(|| info.demo.len().max(*info.seats.start()));
    let game = name.entry.set_up(name.preset, set, seats)?;
    let encoding = game.encoding();
    if args.json {
        let (id, preset, seats) = (info.id, info.preset_or_first(name.preset), game.seats());
        let described = json!({
            "format": 1, "game": id, "preset": preset, "variant": game.variant(), "seats": seats,
            "encoding": encoding,
        });
        return terminal::print_json(&described);
    }
    let Some(encoding) = encoding else {
        return terminal::print(&format!("{} has no encoding\n", info.id));
    };
    let columns = ["field", "numbers", "from", "to", "1 is", "what they say"].map(str::to_owned);
    let row = |field: &Field| {
        let (size, low, high) = (field.size.to_string(), field.low.to_string(), field.high.to_string());
        vec![field.name.to_owned(), size, low, high, field.unit.to_owned(), field.doc.to_owned()]
    };
    let rows: Vec<Vec<String>> = encoding.fields.iter().map(row).collect();
    let (version, size, seats) = (encoding.version, encoding.size, game.seats());
    let head = format!("{}: version {version} of the encoding, {seats} seats: {size} numbers\n\n", info.name);
    terminal::print(&(head + &terminal::table(&columns, &rows)))
}

/// A preset's value of a parameter, marked if it differs from the default.
fn preset_value(value: &Value, default: &str) -> String {
    let text = value_text(value);
    let same = match (value.as_f64(), default.parse::<f64>()) {
        (Some(value), Ok(default)) => value == default,
        _ => text == default,
    };
    if same { shorten(&text) } else { format!("{} *", shorten(&text)) }
}

/// Prints the tools of these games. In JSON each tool names its game.
fn print_tools<'a>(entries: impl IntoIterator<Item = &'a dyn AnyEntry>, as_json: bool) -> anyhow::Result<()> {
    let entries: Vec<&dyn AnyEntry> = entries.into_iter().collect();
    if as_json {
        let rows: Vec<Value> = entries
            .iter()
            .flat_map(|entry| {
                let id = entry.info().id;
                entry.tools().into_iter().map(move |tool| {
                    let mut described = json!(tool);
                    described["game"] = json!(id);
                    described
                })
            })
            .collect();
        return terminal::print_json(&json!({ "format": 1, "tools": rows }));
    }
    let mut text: String = entries.iter().map(|entry| tools_text(*entry, "")).collect();
    if let ([entry], true) = (&entries[..], text.is_empty()) {
        text = format!("{} has no tools of its own\n", entry.info().id);
    }
    terminal::print(&text)
}

/// Usage and descriptions of a game's tools, every line indented by `indent`.
fn tools_text(entry: &dyn AnyEntry, indent: &str) -> String {
    let mut text = String::new();
    for tool in entry.tools() {
        text.push_str(&format!("{indent}meeple {} {} {}\n", tool.name, entry.info().id, tool.usage));
        for line in tool.doc.lines() {
            text.push_str(&format!("{indent}    {line}\n"));
        }
    }
    text
}

fn describe(entry: &dyn AnyEntry) -> Value {
    let info = entry.info();
    let presets: Vec<Value> =
        info.presets.iter().map(|preset| json!({ "name": preset.name, "doc": preset.doc })).collect();
    let figures = json!(meanings(info));
    json!({
        "id": info.id, "name": info.name, "summary": info.summary, "rules_version": info.rules_version,
        "seats": [info.seats.start(), info.seats.end()], "seats_advice": info.seats_advice,
        "actions": info.actions, "information": info.information, "simultaneous": info.simultaneous, "score_unit": info.score_unit,
        "length_unit": info.length_unit, "ends": info.ends, "figures": figures, "demo": info.demo, "presets": presets,
        "params": entry.params(), "tools": entry.tools(),
    })
}
