//! Parts that commands share: settings, files, and the command line that repeats a run.

use std::io::Read;
use std::sync::OnceLock;

use meeple_bothost::BotSpec;
use meeple_core::Seating;
use meeple_games::adapters;
use serde_json::Value;

use crate::args::{RunArgs, Variant};
use crate::failure::{unreadable, usage};

/// Player name of the person at the terminal.
pub const HUMAN: &str = "human";

/// The settings of `--set` and `--profile`, with the content of a file in place of `@FILE`.
pub fn settings(variant: &Variant) -> anyhow::Result<Vec<(String, String)>> {
    variant.settings().map(|text| setting(&text)).collect()
}

/// The text of a file given as a value, such as a map; files of 64 MiB or more are refused.
pub fn read_file(path: &str) -> anyhow::Result<String> {
    const LARGEST: u64 = 64 << 20;
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| unreadable(path, error))?;
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| unreadable(path, error))?;
    if text.len() as u64 == LARGEST {
        return Err(usage(format!("cannot read {path}: expected less than {LARGEST} bytes")));
    }
    Ok(text)
}

/// Parses one `KEY=VALUE`, and reads the file of a value `@FILE`.
pub fn setting(text: &str) -> anyhow::Result<(String, String)> {
    let (key, value) = text.split_once('=').ok_or_else(|| {
        usage(format!("--set: expected KEY=VALUE, found '{text}'\nhint: meeple games GAME lists the keys"))
    })?;
    let value = match value.strip_prefix('@') {
        Some(path) => read_file(path).map_err(|error| error.context(format!("--set {key}")))?,
        None => value.to_owned(),
    };
    Ok((key.to_owned(), value))
}

/// A variant parameter in the form of `--set`.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "on".to_owned(),
        Value::Bool(false) => "off".to_owned(),
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The first line of a text, followed by ` …` if there are more lines.
pub fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if text.lines().count() > 1 { format!("{line} …") } else { line.to_owned() }
}

/// Refuses people and bots in a line-up of `verb`, which accepts agents only.
pub fn refuse_all_but_agents(verb: &str, game: &str, line_up: &[String]) -> anyhow::Result<()> {
    match line_up.iter().find(|word| player(word) == HUMAN) {
        Some(word) => Err(usage(format!(
            "{word}: {HUMAN} plays only in `meeple play`\nhint: name an agent; meeple agents GAME lists them"
        ))),
        None => refuse_bots(verb, game, line_up),
    }
}

/// Refuses bots in a line-up of `verb`, with a hint to commands for bots.
pub fn refuse_bots(verb: &str, game: &str, line_up: &[String]) -> anyhow::Result<()> {
    // `player` cuts a word at its first colon, but the prefix of a bot ends with that colon.
    let is_bot = |word: &&String| {
        let player = player(word);
        let looks_so = |text: &str| BotSpec::looks_like_bot(text, adapters());
        looks_so(player) || looks_so(&format!("{player}:"))
    };
    let Some(bot) = line_up.iter().find(is_bot) else { return Ok(()) };
    let others = line_up.iter().filter(|word| player(word) != HUMAN);
    let words = others.map(|word| word.rsplit_once('*').map_or(word.as_str(), |(word, _)| word).to_owned());
    let command = quoted(["match".to_owned(), game.to_owned()].into_iter().chain(words));
    let then = if verb == "play" {
        " --out DIR\nhint: to watch it afterwards: meeple replay DIR --episode 0"
    } else {
        ""
    };
    Err(usage(format!(
        "{bot}: `meeple {verb}` plays agents, not bots\nhint: meeple match plays both: {command}{then}"
    )))
}

/// The player in a word of a line-up, without the name, parameters, colour and number of copies.
fn player(word: &str) -> &str {
    let named = word.split_once('=').filter(|(name, _)| !name.contains([':', '/']));
    let spec = named.map_or(word, |(_, spec)| spec);
    spec.split([':', '*', '@']).next().unwrap_or_default().trim()
}

/// The command that plays a setting, quoted for a shell. It omits the number of episodes and the flags
/// without effect on results, so it is the same on any machine.
pub fn command_line(verb: &str, game: &str, line_up: &[String], run: &RunArgs) -> String {
    let mut words = vec![verb.to_owned(), game.to_owned()];
    words.extend_from_slice(line_up);
    if let Some(profile) = &run.variant.profile {
        words.extend(["--profile".to_owned(), profile.clone()]);
    }
    for setting in &run.variant.set {
        words.extend(["--set".to_owned(), setting.clone()]);
    }
    words.extend(["--seed".to_owned(), run.seed.to_string()]);
    if run.seating != Seating::default()
        && let Ok(Value::String(word)) = serde_json::to_value(run.seating)
    {
        words.extend(["--seating".to_owned(), word]);
    }
    quoted(words)
}

/// Words of the command line, without the program's name. They are set once, at the start.
static WORDS: OnceLock<Vec<String>> = OnceLock::new();

pub fn called_with(words: Vec<String>) {
    // In a process with several calls only the first words count; they serve records of results alone.
    let _ = WORDS.set(words);
}

/// The command as given, quoted for a shell.
pub fn given_command() -> String {
    quoted(WORDS.get().cloned().unwrap_or_default())
}

/// The command as given, without `flag` and its value, and without `switches`.
pub fn command_without(flag: &str, switches: &[&str]) -> String {
    let mut words = WORDS.get().cloned().unwrap_or_default();
    while let Some(place) = words
        .iter()
        .position(|word| word == flag || word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')))
    {
        let behind = if words[place] == flag { place + 2 } else { place + 1 };
        words.drain(place..behind.min(words.len()));
    }
    words.retain(|word| !switches.contains(&word.as_str()));
    quoted(words)
}

/// A `meeple` command with these words, quoted for a shell.
pub fn quoted(words: impl IntoIterator<Item = String>) -> String {
    meeple_bothost::quoted(std::iter::once("meeple".to_owned()).chain(words))
}
