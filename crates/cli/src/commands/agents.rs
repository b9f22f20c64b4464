//! `meeple agents`: who can play.

use meeple_games::parse_game;
use serde_json::{Value, json};

use crate::args::AgentsArgs;
use crate::terminal;

pub fn run(args: &AgentsArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let entry = name.entry;
    // All presets have the same agents; one that does not exist is refused all the same.
    entry.variant(name.preset, &[])?;
    let agents = entry.agents();
    if args.json {
        let list: Vec<Value> = agents
            .iter()
            .map(|agent| {
                let params: Vec<Value> = agent
                    .params
                    .iter()
                    .map(|spec| {
                        json!({ "name": spec.name, "default": spec.default, "values": spec.domain.to_string(), "doc": spec.doc })
                    })
                    .collect();
                json!({ "name": agent.name, "doc": agent.doc, "params": params })
            })
            .collect();
        return terminal::print_json(&json!({ "format": 1, "game": entry.info().id, "agents": list }));
    }
    let mut text = String::new();
    for agent in &agents {
        let named: Vec<&str> = agent.params.iter().map(|spec| spec.name).collect();
        let head = match named.as_slice() {
            [] => agent.name.to_owned(),
            [first] => format!("{}:{}", agent.name, first.to_uppercase()),
            [first, rest @ ..] => {
                let rest: Vec<String> = rest.iter().map(|name| format!("{name}=…")).collect();
                format!("{}:{},{}", agent.name, first.to_uppercase(), rest.join(","))
            }
        };
        text.push_str(&format!("{head}\n    {}\n", agent.doc));
        for spec in &agent.params {
            let (name, doc, domain, default) = (spec.name, &spec.doc, &spec.domain, &spec.default);
            text.push_str(&format!("    {name}: {doc} ({domain}; default {default})\n"));
        }
    }
    text.push_str("human\n    you, in `meeple play`\n");
    terminal::print(&text)
}
