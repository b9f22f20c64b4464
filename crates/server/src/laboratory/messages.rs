//! Messages of runs in the API.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for a run of the laboratory.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewJob {
    /// The game, or `game/preset`.
    pub game: String,
    /// Agents, or lists of them, as on the command line.
    pub line_up: Vec<String>,
    /// Parameters that differ from the preset, or lists of values: one or two lists make a sweep.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Number of episodes; in a sweep, of each cell.
    pub episodes: u64,
    /// The root seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// True for deal groups: every deal is played from every seat.
    #[serde(default)]
    pub deals: bool,
}

/// The state of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct JobState {
    /// Id in addresses. Equal runs have equal ids.
    pub id: String,
    /// The stage of the run.
    pub stage: Stage,
    /// True if the run is paused because tables need the machine.
    pub paused: bool,
    /// The reason why the run failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Episodes counted in the result; 0 while there is none.
    pub counted: u64,
    /// Episodes in the part that is being played.
    pub playing: u64,
    /// The command that computes the same result.
    pub command: String,
}

/// The stage of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The run waits for its turn.
    Waiting,
    /// The run is being played.
    Playing,
    /// The run is complete.
    Done,
    /// The run was stopped; episodes already counted are kept.
    Stopped,
    /// The run failed.
    Failed,
}

fn one() -> u64 {
    1
}
