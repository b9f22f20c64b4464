//! `meeple agents`: the agents of a game.

use meeple_core::{AgentDoc, Domain, GameInfo, ParamSpec, Strength, Strengths};
use meeple_games::parse_game;
use serde_json::json;

use crate::args::AgentsArgs;
use crate::terminal;

const SYNTAX: &str = "
Parameters follow a colon and are separated by commas: AGENT:NAME=VALUE,NAME=VALUE. Values without a name come
first, in the order above. A list goes on until the next name: AGENT:LIST=1,2,3,NAME=VALUE. `meeple sweep` takes
several values for one, separated by '|', and ranges of numbers: AGENT:NAME=1..9, AGENT:LIST=1,2|3,4.
";

/// Measured strengths of a game's agents.
fn strengths(info: &GameInfo) -> anyhow::Result<Strengths> {
    Ok(if info.strengths.is_empty() { Strengths::default() } else { Strengths::parse(info.strengths)? })
}

fn measured(strength: &Strength) -> String {
    let Strength { spec, points, interval: [low, high], win_share } = strength;
    let within = if low == high { String::new() } else { format!(" [{low}, {high}]") };
    let at = if spec == strength.agent() { String::new() } else { format!(", as {spec}") };
    format!("strength {points}{within}: wins {:.0} % of its games{at}", 100.0 * win_share)
}

pub fn run(args: &AgentsArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let entry = name.entry;
    // All presets have the same agents, but an unknown preset is refused.
    entry.variant(name.preset, &[])?;
    let strengths = strengths(entry.info())?;
    let mut agents = entry.agents();
    // The strongest agent comes first; unmeasured agents follow in the order of their declaration.
    let place = |agent: &AgentDoc| strengths.measured.iter().position(|own| own.agent() == agent.name);
    agents.sort_by_key(|agent| place(agent).unwrap_or(usize::MAX));
    if args.json {
        let row = |agent: AgentDoc| {
            let strength = strengths.of(agent.name);
            json!({ "name": agent.name, "doc": agent.doc, "params": agent.params, "strength": strength })
        };
        let measured_by = (!strengths.measured.is_empty()).then_some(&strengths.command);
        let agents: Vec<_> = agents.into_iter().map(row).collect();
        return terminal::print_json(
            &json!({ "format": 1, "game": entry.info().id, "measured_by": measured_by, "agents": agents }),
        );
    }
    let mut text = match &strengths.measured[..] {
        [] => String::new(),
        _ => {
            let anchor = strengths.anchor().map_or("", |anchor| &anchor.spec);
            format!(
                "The strongest first. A difference of 400 points means odds of ten to one; {anchor} has 0 \
                 points. Measured by\n    {}\n\n",
                strengths.command
            )
        }
    };
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
        text.push_str(&match strengths.of(agent.name) {
            Some(strength) => format!("    {}\n", measured(strength)),
            None if strengths.measured.is_empty() => String::new(),
            None => "    strength not measured\n".to_owned(),
        });
        for spec in &agent.params {
            let (name, doc, domain, default) = (spec.name, &spec.doc, &spec.domain, &spec.default);
            text.push_str(&format!("    {name}: {doc} ({domain}; default {default})\n"));
        }
    }
    text.push_str("human\n    you, in `meeple play`\n");
    text.push_str(SYNTAX);
    terminal::print(&text)
}
