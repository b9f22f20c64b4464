//! Which agents strangers may have play: none that read files of this machine, none whose single decision takes for ever.
//!
//! This is the one check. The hub asks it for every table and everybody who leaves one, and the queue of jobs for every run,
//! question and competition, whatever form, program or file it comes from.

use meeple_core::{AgentDoc, AnyEntry, Domain};

/// The largest number that a stranger may give where the agent itself knows no bound like it: iterations, playouts, what is
/// remembered.
const MAX_EFFORT: u64 = 2_000;
/// Parameters that go this far count as effort.
const EFFORT_FROM: i64 = 2_001;

/// Whether strangers may have these agents play. They may be lists and ranges, with names and counts around them.
///
/// # Errors
/// What was expected of the first that may not, for people.
pub fn check_agents<'a>(
    entry: &dyn AnyEntry,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<(), String> {
    let agents = entry.agents();
    for word in words {
        // Wherever an agent stands: others play by it, too, as in `mcts:rollout=builder:9`.
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

/// Whether these arguments of an agent, and whatever stands behind them, name no file and no endless effort; else what was
/// expected.
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
            Domain::Int { max: EFFORT_FROM.., .. } => {
                for value in values {
                    // A number too large for a computer is too large, too.
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
