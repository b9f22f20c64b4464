//! Fingerprints of the files that agents name, as in `net:FILE`: other content makes another player.

use meeple_core::{AgentSpec, Domain};
use meeple_games::{find_game, read_agent_file};
use sha2::{Digest, Sha256};

use crate::error::{ArenaError, plan_error};
use crate::plan::{TournamentPlan, hex};

/// The fingerprint of the files that an agent names; `None` without any. For one file it is the SHA-256 in
/// hexadecimal. For several it is the SHA-256 of these texts, joined in the order of the agent's arguments.
///
/// # Errors
/// If the agent's text is invalid, or a file cannot be read.
pub(crate) fn fingerprint(game: &str, agent: &AgentSpec) -> Result<Option<String>, ArenaError> {
    let agents = find_game(game)?.agents();
    // Unknown agents are reported when they are built.
    let Some(known) = agents.iter().find(|known| known.name == agent.name) else { return Ok(None) };
    let arguments =
        agent.arguments(&known.params).map_err(|error| plan_error(format!("{agent}: {error}")))?;
    let mut hashes = Vec::new();
    for argument in arguments {
        let is_file = match &argument.param.domain {
            Domain::File => !argument.value.is_empty(),
            Domain::ChoiceOrFile(words) => !words.contains(&argument.value),
            _ => false,
        };
        if is_file {
            let read = read_agent_file(argument.value);
            let bytes = read.map_err(|error| plan_error(format!("{agent}: {error}")))?;
            hashes.push(hex(&Sha256::digest(bytes)));
        }
    }
    Ok(match &hashes[..] {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(hex(&Sha256::digest(several.concat().as_bytes()))),
    })
}

/// Compares the files with a stored plan's fingerprints, which plans of early releases lack.
///
/// # Errors
/// For the first file that differs or is missing.
pub(crate) fn check(plan: &TournamentPlan) -> Result<(), ArenaError> {
    for competitor in &plan.competitors {
        let (Some(agent), Some(expected)) = (competitor.agent(), &competitor.files) else { continue };
        let found = fingerprint(&plan.game, &agent)?;
        if found.as_ref() != Some(expected) {
            return Err(plan_error(format!(
                "agent '{}': expected files with fingerprint {expected}, found {}\nhint: the network was changed since the tournament began; put the old file back, or begin a new tournament in another directory",
                competitor.name,
                found.as_deref().unwrap_or("none")
            )));
        }
    }
    Ok(())
}
