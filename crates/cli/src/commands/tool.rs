//! The games' own tools: `meeple TOOL GAME …`.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use clap::CommandFactory;
use meeple_core::{ToolDoc, ToolNews, ToolOutput, ToolRequest, nearest};
use meeple_games::parse_game;

use crate::args::Cli;
use crate::args::tools;
use crate::failure::usage;
use crate::host::Host;
use crate::replay_file::write_atomically;
use crate::settings::{read_file, setting};
use crate::terminal;
use crate::watch;

/// Flags common to all tools.
const SHARED: &str = "[--set KEY=VALUE] [--profile NAME] [--seed N] [--threads N] [--json]";

/// All tools by name. The text has one sentence for each game with the tool, the first of its description.
pub fn names() -> BTreeMap<&'static str, String> {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for (tool, id) in tools() {
        let line = format!("{id}: {}", tool.doc.split_inclusive(". ").next().unwrap_or("").trim_end());
        let doc = names.entry(tool.name).or_default();
        if !doc.is_empty() {
            doc.push(' ');
        }
        doc.push_str(&line);
    }
    names
}

pub fn is_tool(verb: &str) -> bool {
    tools().iter().any(|(tool, _)| tool.name == verb)
}

fn help<'a>(tools: impl IntoIterator<Item = &'a (ToolDoc, &'static str)>) -> anyhow::Result<()> {
    let pages: Vec<String> = tools
        .into_iter()
        .map(|(tool, id)| format!("meeple {} {id} {}\n\n{}\n", tool.name, tool.usage, tool.doc))
        .collect();
    terminal::print(&format!("{}\nevery tool takes {SHARED}", pages.join("\n")))
}

pub fn run(words: &[String]) -> anyhow::Result<()> {
    let verb = words.first().map_or("", String::as_str);
    if !is_tool(verb) {
        let (all, program) = (tools(), Cli::command());
        let verbs = program.get_subcommands().map(clap::Command::get_name);
        let known = verbs.chain(all.iter().map(|(tool, _)| tool.name));
        let hint = match nearest(verb, known) {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => "see meeple --help, and meeple games --tools".to_owned(),
        };
        return Err(usage(format!("unknown command '{verb}'\nhint: {hint}")));
    }
    let request = Request::parse(&words[1..])?;
    let same_name: Vec<(ToolDoc, &str)> = tools().into_iter().filter(|(tool, _)| tool.name == verb).collect();
    let Some(game) = &request.game else {
        if request.help {
            return help(&same_name);
        }
        let with: Vec<&str> = same_name.iter().map(|(_, id)| *id).collect();
        request.refuse_unknown_flags(verb, None)?;
        return Err(usage(format!("{verb}: expected a game, found none\nhint: one of {}", with.join(", "))));
    };
    let name = parse_game(game)?;
    let own = same_name.iter().find(|(_, id)| *id == name.entry.info().id);
    if request.help {
        return match own {
            Some(own) => help([own]),
            None => Err(usage(format!("{game} has no '{verb}'"))),
        };
    }
    if let Some((tool, _)) = own {
        request.refuse_unknown_flags(verb, Some(tool))?;
    }
    let mut read = |path: &str| read_file(path).map_err(|error| format!("{error:#}"));
    let host = Host::new(request.threads)?;
    let busy = watch::busy(verb);
    let mut tell = |news: ToolNews<'_>| match news {
        ToolNews::Says(line) => busy.suspend(|| terminal::tell(format_args!("meeple: {line}"))),
        ToolNews::Done { done, total } => busy.set_message(format!("{verb}  {done} of {total}")),
    };
    let output = name.entry.run_tool(
        verb,
        name.preset,
        &request.set,
        ToolRequest {
            arguments: &request.rest,
            seed: request.seed,
            read_file: &mut read,
            tell: &mut tell,
            host: &host,
        },
    );
    busy.finish_and_clear();
    let output = output?;
    show(&output, request.json)
}

fn whole<T: FromStr>(flag: &str, text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| usage(format!("{flag}: expected a whole number, found '{text}'")))
}

struct Request {
    game: Option<String>,
    set: Vec<(String, String)>,
    seed: u64,
    threads: usize,
    json: bool,
    help: bool,
    rest: Vec<String>,
}

impl Request {
    fn parse(words: &[String]) -> anyhow::Result<Self> {
        let mut request = Self {
            game: None,
            set: Vec::new(),
            seed: 1,
            threads: 0,
            json: false,
            help: false,
            rest: Vec::new(),
        };
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
                "--profile" => request.set.push(("profile".to_owned(), value()?)),
                "--seed" => request.seed = whole(flag, &value()?)?,
                "--threads" => request.threads = whole(flag, &value()?)?,
                _ if request.game.is_none() && !word.starts_with('-') => request.game = Some(word.clone()),
                _ => request.rest.push(word.clone()),
            }
        }
        Ok(request)
    }

    /// Refuses arguments that begin with `--` and do not occur in the tool's usage.
    fn refuse_unknown_flags(&self, verb: &str, tool: Option<&ToolDoc>) -> anyhow::Result<()> {
        let usage_text = tool.map_or("", |tool| tool.usage);
        let known = |flag: &str| {
            let mut words = usage_text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            // A usage with `-o` also allows `--output`.
            words.any(|word| word == flag || (word == "-o" && flag == "--output"))
        };
        for word in self.rest.iter().filter(|word| word.starts_with("--")) {
            let flag = word.split('=').next().unwrap_or(word);
            if !known(flag) {
                let hint = match tool {
                    Some(tool) if tool.usage.contains("--") => format!("{} {SHARED}", tool.usage),
                    _ => format!("it takes {SHARED}"),
                };
                return Err(usage(format!("{verb}: unknown option '{flag}'\nhint: {hint}")));
            }
        }
        Ok(())
    }
}

fn show(output: &ToolOutput, json: bool) -> anyhow::Result<()> {
    for (path, content) in &output.files {
        // Some tools write several files into a folder of their own.
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        write_atomically(path.as_ref(), content.as_bytes())?;
        terminal::tell(format_args!("meeple: wrote {path}"));
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
