//! The games' own tools: `meeple TOOL GAME …`.

use meeple_core::{ToolOutput, ToolRequest, nearest};
use meeple_games::{games, parse_game};

use crate::commands::setting;
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::terminal;

/// The verbs of the binary itself, for "did you mean".
const VERBS: [&str; 10] =
    ["games", "rules", "agents", "sim", "sweep", "play", "replay", "render", "bench", "doctor"];

pub fn run(words: &[String]) -> anyhow::Result<()> {
    let verb = words.first().map_or("", String::as_str);
    let tools: Vec<(&str, &str)> = games()
        .iter()
        .flat_map(|entry| entry.tools().into_iter().map(|tool| (tool.name, entry.info().id)))
        .collect();
    if !tools.iter().any(|(name, _)| *name == verb) {
        let known = VERBS.into_iter().chain(tools.iter().map(|(name, _)| *name));
        let hint = match nearest(verb, known) {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => "see meeple --help, and meeple games --tools".to_owned(),
        };
        return Err(usage(format!("unknown command '{verb}'\nhint: {hint}")));
    }
    let request = Request::parse(&words[1..])?;
    let Some(game) = &request.game else {
        let with: Vec<&str> = tools.iter().filter(|(name, _)| *name == verb).map(|(_, id)| *id).collect();
        return Err(usage(format!("{verb}: expected a game, found none\nhint: one of {}", with.join(", "))));
    };
    let name = parse_game(game)?;
    if request.help {
        return match name.entry.tools().into_iter().find(|tool| tool.name == verb) {
            Some(tool) => terminal::print(&format!("meeple {verb} {game} {}\n\n{}", tool.usage, tool.doc)),
            None => Err(usage(format!("{game} has no '{verb}'"))),
        };
    }
    let mut read_file =
        |path: &str| std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"));
    let output = name.entry.run_tool(
        verb,
        name.preset,
        &request.set,
        ToolRequest { arguments: &request.rest, seed: request.seed, read_file: &mut read_file },
    )?;
    show(&output, request.json)
}

/// The words after the verb: the flags that all tools share, and the rest.
struct Request {
    game: Option<String>,
    set: Vec<(String, String)>,
    seed: u64,
    json: bool,
    help: bool,
    rest: Vec<String>,
}

impl Request {
    fn parse(words: &[String]) -> anyhow::Result<Self> {
        let mut request =
            Self { game: None, set: Vec::new(), seed: 1, json: false, help: false, rest: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (flag, attached) = match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = || {
                attached
                    .clone()
                    .or_else(|| words.next().cloned())
                    .ok_or_else(|| usage(format!("{flag}: expected a value, found the end of the line")))
            };
            match flag {
                "--json" => request.json = true,
                "--help" | "-h" => request.help = true,
                "--set" => request.set.push(setting(&value()?)?),
                "--seed" => {
                    let text = value()?;
                    let wrong = || usage(format!("--seed: expected a whole number, found '{text}'"));
                    request.seed = text.parse().map_err(|_| wrong())?;
                }
                _ if request.game.is_none() && !word.starts_with('-') => request.game = Some(word.clone()),
                _ => request.rest.push(word.clone()),
            }
        }
        Ok(request)
    }
}

fn show(output: &ToolOutput, json: bool) -> anyhow::Result<()> {
    for (path, content) in &output.files {
        write_atomically(path.as_ref(), content.as_bytes())?;
        eprintln!("meeple: wrote {path}");
    }
    if json {
        return terminal::print_json(&output.json);
    }
    let mut text = String::new();
    for table in &output.tables {
        if !table.title.is_empty() {
            text.push_str(&table.title);
            text.push('\n');
        }
        if !table.columns.is_empty() {
            text.push_str(&terminal::table(&table.columns, &table.rows));
        }
        for note in &table.notes {
            text.push_str(note);
            text.push('\n');
        }
        text.push('\n');
    }
    if text.is_empty() { Ok(()) } else { terminal::print(text.trim_end()) }
}
