//! `meeple agents`: who can play.

use meeple_core::{Domain, ParamSpec};
use meeple_games::parse_game;
use serde_json::json;

use crate::args::AgentsArgs;
use crate::terminal;

/// How parameters are given.
const SYNTAX: &str = "
Parameters follow a colon and are separated by commas: AGENT:NAME=VALUE,NAME=VALUE. Values without a name come
first, in the order above. A list goes on until the next name: AGENT:LIST=1,2,3,NAME=VALUE. `meeple sweep` takes
several values for one, separated by '|', and ranges of numbers: AGENT:NAME=1..9, AGENT:LIST=1,2|3,4.
";

pub fn run(args: &AgentsArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let entry = name.entry;
    // All presets have the same agents; one that does not exist is refused all the same.
    entry.variant(name.preset, &[])?;
    let agents = entry.agents();
    if args.json {
        return terminal::print_json(&json!({ "format": 1, "game": entry.info().id, "agents": agents }));
    }
    let mut text = String::new();
    for agent in &agents {
        let value = |spec: &ParamSpec| match spec.domain {
            Domain::IntList { .. } => "…,…",
            _ => "…",
        };
        let arguments =
            agent.params.iter().enumerate().map(|(position, spec)| match (position, &spec.domain) {
                (0, Domain::IntList { .. }) => format!("{0},{0}", spec.name.to_uppercase()),
                (0, _) => spec.name.to_uppercase(),
                _ => format!("{}={}", spec.name, value(spec)),
            });
        let arguments = arguments.collect::<Vec<_>>().join(",");
        let colon = if arguments.is_empty() { "" } else { ":" };
        text.push_str(&format!("{}{colon}{arguments}\n    {}\n", agent.name, agent.doc));
        for spec in &agent.params {
            let (name, doc, domain, default) = (spec.name, &spec.doc, &spec.domain, &spec.default);
            text.push_str(&format!("    {name}: {doc} ({domain}; default {default})\n"));
        }
    }
    text.push_str("human\n    you, in `meeple play`\n");
    text.push_str(SYNTAX);
    terminal::print(&text)
}
