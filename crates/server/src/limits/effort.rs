//! A check of agents that visitors run. It refuses agents that read files of this machine, or that need
//! unbounded time per decision.
//!
//! This is the only check. The hub applies it to tables and to agents that replace players. The queue of jobs
//! applies it to runs, questions and competitions, whether they come from forms, programs or files.

use meeple_core::{AgentDoc, AnyEntry, Domain};

/// Upper bound on numbers that visitors may give (iterations, playouts, memory sizes), if the agent's own
/// bound is higher.
const MAX_EFFORT: u64 = 2_000;
/// Parameters whose own upper bound is at least this count as effort.
const MIN_EFFORT_BOUND: i64 = 2_001;

/// Checks that visitors may run these agents. Words may contain lists and ranges, names and counts.
pub fn check_agents<'a>(
    entry: &dyn AnyEntry,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<(), String> {
    let agents = entry.agents();
    for word in words {
        // Agents can be nested, as in `mcts:rollout=builder:9`, so every colon is checked.
        for (at, _) in word.match_indices(':') {
            let before = word[..at].trim_end();
            let is_no_letter = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
            let name = before.rsplit(is_no_letter).next().unwrap_or_default();
            if let Some(agent) = agents.iter().find(|agent| agent.name == name) {
                check_arguments(agent, &word[at + 1..])
                    .map_err(|expected| format!("'{word}': expected {expected}"))?;
            }
        }
    }
    Ok(())
}

/// Checks an agent's arguments, and everything after them, for files and unbounded effort.
fn check_arguments(agent: &AgentDoc, arguments: &str) -> Result<(), String> {
    let name = &agent.name;
    for (place, param) in agent.params.iter().enumerate() {
        let mut values =
            arguments.split(',').enumerate().filter_map(|(index, item)| match item.split_once('=') {
                Some((key, value)) => (key.trim() == param.name).then_some(value),
                None => (index == place).then_some(item),
            });
        match param.domain {
            Domain::File => {
                return Err(format!(
                    "{name} without parameters, which may name files of this machine\n\
                     hint: what comes with the game plays as '{name}' alone"
                ));
            }
            Domain::ChoiceOrFile(words) if !values.all(|value| words.contains(&value)) => {
                return Err(format!(
                    "{} to be one of {}; files of this machine are not read here",
                    param.name,
                    words.join(", ")
                ));
            }
            Domain::Int { max: MIN_EFFORT_BOUND.., .. } => {
                for value in values {
                    // Numbers that overflow exceed the limit, too.
                    let numbers = value.split(|letter: char| !letter.is_ascii_digit());
                    let numbers = numbers.filter(|digits| !digits.is_empty());
                    if numbers.map(|digits| digits.parse().unwrap_or(u64::MAX)).any(|it| it > MAX_EFFORT) {
                        return Err(format!(
                            "{} of at most {MAX_EFFORT} here, found {value}\nhint: the command line has no such limit",
                            param.name
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
