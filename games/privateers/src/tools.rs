//! The game's tools: exact fight odds, random maps, and checks of map files.

use std::str::FromStr;

use meeple_core::{Params, TextTable, Tool, ToolCall, ToolError, ToolOutput};
use serde_json::json;

use crate::fight::{Fighter, win_in_rolls};
use crate::game::Privateers;
use crate::generate::{Wish, generate};
use crate::goods::Product;
use crate::map::{BUILT_IN, Cell, SeaMap};
use crate::ship::Class;

pub(crate) fn all() -> Vec<Tool<Privateers>> {
    vec![
        Tool {
            name: "exact",
            usage: "fight SHIP:CANNONS SHIP:CANNONS [--distance D]",
            doc: "Exact probability that the first ship, which attacks, beats the second. CANNONS are mounted \
                  cannons; the default distance is the attacker's range. Of the parameters only mounts, ranges \
                  and max_rolls matter, as in --set ranges=0,1,3. Example: exact privateers fight frigate:4 \
                  schooner:4 --distance 2",
            run: exact,
        },
        Tool {
            name: "map",
            usage: "generate [--seed N] [--width W] [--height H] [--ports P] [--land PERCENT] [-o FILE] | \
                    check FILE",
            doc: "Draws a map by the seed, or checks a map file (or a built-in map) and measures it. The same \
                  seed and sizes give the same file everywhere; play it with --set map=@FILE.",
            run: map,
        },
    ]
}

fn usage(text: impl Into<String>) -> ToolError {
    ToolError::Usage(text.into())
}

fn number<T: FromStr>(flag: &str, value: &str) -> Result<T, ToolError> {
    value.parse().map_err(|_| usage(format!("--{flag}: expected a number, found '{value}'")))
}

/// Arguments of a tool: plain ones, and flags with their values.
struct Arguments<'a> {
    plain: Vec<&'a str>,
    flags: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    /// Splits arguments. Every flag takes a value: `--name value` or `--name=value`.
    fn split(arguments: &'a [String], known: &[&str]) -> Result<Self, ToolError> {
        let mut split = Self { plain: Vec::new(), flags: Vec::new() };
        let mut left = arguments.iter().map(String::as_str);
        while let Some(argument) = left.next() {
            if !argument.starts_with('-') {
                split.plain.push(argument);
                continue;
            }
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument, None),
            };
            if !known.contains(&name) {
                return Err(usage(format!(
                    "unknown flag '{name}'\nhint: expected one of {}",
                    known.join(", ")
                )));
            }
            let value = value.or_else(|| left.next());
            let value = value.ok_or_else(|| usage(format!("{name}: expected a value after it")))?;
            split.flags.push((name, value));
        }
        Ok(split)
    }
}

fn exact(call: &mut ToolCall<'_, Privateers>) -> Result<ToolOutput, ToolError> {
    let arguments = Arguments::split(call.arguments, &["--distance", "-d"])?;
    let [what, initiator, defender] = arguments.plain[..] else {
        return Err(usage("expected: fight SHIP:CANNONS SHIP:CANNONS, as in fight frigate:4 schooner:4"));
    };
    if what != "fight" {
        return Err(usage(format!(
            "expected 'fight', found '{what}'\nhint: as in fight frigate:4 schooner:4 --set max_rolls=9"
        )));
    }
    let (a, b) = (fighter(call.game, initiator)?, fighter(call.game, defender)?);
    let range = call.game.build(a.class).range;
    let mut distance = range;
    for (_, value) in &arguments.flags {
        distance = number("distance", value)?;
    }
    if distance > range {
        let class = a.class;
        return Err(usage(format!(
            "--distance: expected 0 to {range}, the range of a {class}, found {distance}"
        )));
    }
    let free = call.game.free_rolls(b.class, distance);
    let rolls = usize::from(call.game.variant.max_rolls);
    let win = win_in_rolls(usize::from(a.mounted), usize::from(b.mounted), usize::from(free), rolls);
    let side = |fighter: Fighter| format!("{} with {} mounted", fighter.class, fighter.mounted);
    let row = vec![
        side(a),
        side(b),
        distance.to_string(),
        free.to_string(),
        format!("{win:.6}"),
        format!("{:.6}", 1.0 - win),
    ];
    Ok(ToolOutput {
        tables: vec![TextTable {
            title: "Who wins a fight".into(),
            columns: ["attacker", "defender", "distance", "free rolls", "wins", "loses"]
                .map(String::from)
                .into(),
            rows: vec![row],
            notes: vec!["Exact; in a free roll the defender's range does not reach the attacker.".into()],
        }],
        json: json!({
            "format": 1,
            "game": crate::info::INFO.id,
            "rows": [{
                "initiator": { "class": a.class, "mounted": a.mounted },
                "defender": { "class": b.class, "mounted": b.mounted },
                "distance": distance,
                "free_rolls": free,
                "win": win,
                "loss": 1.0 - win,
            }],
        }),
        files: Vec::new(),
    })
}

fn fighter(game: &Privateers, text: &str) -> Result<Fighter, ToolError> {
    let (class, mounted) =
        text.split_once(':').ok_or_else(|| usage(format!("expected SHIP:CANNONS, found '{text}'")))?;
    let class: Class = class.parse().map_err(|error| usage(format!("ship: {error}")))?;
    let mounts = game.build(class).mounts;
    let mounted = mounted.parse().ok().filter(|mounted| *mounted <= mounts);
    let mounted = mounted.ok_or_else(|| usage(format!("{text}: a {class} mounts 0 to {mounts} cannons")))?;
    Ok(Fighter::new(class, mounted))
}

fn map(call: &mut ToolCall<'_, Privateers>) -> Result<ToolOutput, ToolError> {
    let flags = ["--seed", "--width", "--height", "--ports", "--land", "-o", "--output"];
    let arguments = Arguments::split(call.arguments, &flags)?;
    match arguments.plain[..] {
        ["generate"] => generate_map(call, &arguments),
        ["check", file] => {
            if let Some((flag, _)) = arguments.flags.first() {
                return Err(usage(format!("map check takes no flags, found '{flag}'")));
            }
            check_map(call, file)
        }
        _ => Err(usage("expected: map generate [--seed N …] [-o FILE], or map check FILE")),
    }
}

fn generate_map(
    call: &mut ToolCall<'_, Privateers>,
    arguments: &Arguments<'_>,
) -> Result<ToolOutput, ToolError> {
    let (mut wish, mut seed, mut file) = (Wish::default(), call.seed, None);
    for (name, value) in &arguments.flags {
        match name.trim_start_matches('-') {
            "seed" => seed = number("seed", value)?,
            "o" | "output" => file = Some((*value).to_owned()),
            name => wish.set(name, value).map_err(|error| usage(format!("--{error}")))?,
        }
    }
    let map = generate(seed, &wish).map_err(ToolError::Failed)?;
    let text = map.to_string();
    let mut output = describe(&map);
    match file {
        Some(file) => output.files.push((file, text)),
        None => output.tables[0].notes.extend(text.lines().map(str::to_owned)),
    }
    if let Some(object) = output.json.as_object_mut() {
        object.insert("seed".into(), seed.into());
    }
    Ok(output)
}

fn check_map(call: &mut ToolCall<'_, Privateers>, file: &str) -> Result<ToolOutput, ToolError> {
    let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
        Some((_, text)) => (*text).to_owned(),
        None => (call.read_file)(file).map_err(ToolError::Usage)?,
    };
    let map = SeaMap::parse(&text).map_err(|error| ToolError::Failed(format!("{file}: {error}")))?;
    Ok(describe(&map))
}

fn describe(map: &SeaMap) -> ToolOutput {
    let ports = map.ports();
    let pairs = (0..ports).flat_map(|a| (0..a).map(move |b| (a, b)));
    let distances: Vec<u16> = pairs.map(|(a, b)| map.port_distance(a, map.port_cell(b))).collect();
    let (min, max) = (distances.iter().min().copied(), distances.iter().max().copied());
    let mean = distances.iter().copied().map(f64::from).sum::<f64>() / distances.len().max(1) as f64;
    let water = map.cells().count();
    let coast = |cell: Cell| {
        let (x, y) = (cell.column() as isize, cell.row() as isize);
        [(0, -1), (-1, 0), (0, 1), (1, 0)].iter().any(|(dx, dy)| map.is_land(x + dx, y + dy))
    };
    let at_coast = (0..ports).filter(|port| coast(map.port_cell(*port))).count();
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    ToolOutput {
        tables: vec![TextTable {
            title: format!("{} by {}", map.name(), map.author()),
            columns: vec!["fact".into(), "value".into()],
            rows: vec![
                row("size", format!("{} x {}", map.width(), map.height())),
                row("ports", format!("{ports}, {at_coast} on a coast")),
                row("cells not land", water.to_string()),
                row(
                    "sailing between ports",
                    format!("min {}, mean {mean:.1}, max {}", min.unwrap_or(0), max.unwrap_or(0)),
                ),
                row("products", Product::WORDS.join(", ")),
            ],
            notes: Vec::new(),
        }],
        json: json!({
            "format": 1,
            "game": crate::info::INFO.id,
            "name": map.name(),
            "author": map.author(),
            "width": map.width(),
            "height": map.height(),
            "ports": ports,
            "ports_on_coast": at_coast,
            "cells_not_land": water,
            "distance": { "min": min, "mean": mean, "max": max },
            "map": map.to_string(),
        }),
        files: Vec::new(),
    }
}
