//! Laws of agents as text.

use meeple_core::{AgentInfo, AgentSpec, ParamValue, Playable};

use super::facts::inside;
use super::fault::{Held, hold};

/// Every value that an agent's parameters may have can be written, alone and behind others, and reads back.
pub(crate) fn agent_specs<G: Playable>(agent: &AgentInfo<G>) -> Held {
    let declared = agent.specs();
    let defaults: Vec<(&str, &str)> =
        declared.iter().map(|param| (param.name, param.default.as_str())).collect();
    reads_back(agent, &defaults)?;
    for (position, param) in declared.iter().enumerate() {
        for text in inside(&param.domain) {
            let mut all = defaults.clone();
            all[position].1 = &text;
            reads_back(agent, &all)?;
            reads_back(agent, &[(param.name, &text)])?;
        }
    }
    Ok(())
}

fn reads_back<G: Playable>(agent: &AgentInfo<G>, given: &[(&str, &str)]) -> Held {
    let spec = AgentSpec::with(agent.name, given.iter().copied());
    let read = agent.values(&AgentSpec::parse(&spec.to_string()));
    let value = |name: &str| {
        let values: &[(&str, ParamValue)] = read.as_deref().unwrap_or(&[]);
        values.iter().find(|(own, _)| *own == name).map(|(_, value)| value.to_string())
    };
    hold!(
        "agent-specs-round-trip",
        given.iter().all(|(name, text)| value(name).as_deref() == Some(text)),
        "the agent '{spec}' reads back as {read:?}"
    );
    Ok(())
}
