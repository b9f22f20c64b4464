//! Messages that features share in the JSON API. Its OpenAPI description is generated from these types.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A refusal. Nothing has changed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Failure {
    /// Kind of refusal, for programs.
    pub code: Code,
    /// The refusal in words, for people: what was expected and what was found.
    pub message: String,
    /// A hint, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Kinds of refusals. Those of a table are the same as on its socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The rules do not allow the action.
    InvalidMove,
    /// The answered question is not open, or the game is over.
    Stale,
    /// The request is malformed, or its settings are invalid.
    InvalidMessage,
    /// The sender may not do this: the key belongs to no seat, or the seat is taken.
    NotYours,
    /// Nothing exists at this address.
    NotFound,
    /// Too early: the game is not over, or no episode has been counted yet.
    NotYet,
    /// A limit of the server is reached.
    TooMany,
    /// Storing failed; nothing has changed.
    Unstored,
    /// An internal error of the server.
    Internal,
}

/// The games.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Games {
    /// In the order of the home page.
    pub games: Vec<Game>,
}

/// A game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Game {
    /// Id in addresses and settings.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Minimum number of seats.
    pub least_seats: usize,
    /// Maximum number of seats.
    pub most_seats: usize,
    /// Presets; the first is the default.
    pub presets: Vec<Preset>,
}

/// A preset: a named set of parameter values.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Preset {
    /// Name, as in `game/preset`.
    pub name: &'static str,
    /// Description in one line.
    pub doc: &'static str,
}

/// A game with its parameters and agents.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameInDetail {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Parameters of the rules.
    pub parameters: Vec<Parameter>,
    /// Agents that can play.
    pub agents: Vec<Agent>,
    /// Help on typing an action.
    pub input_help: &'static str,
}

/// A parameter.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// Default value.
    pub default: String,
    /// Valid values, in words.
    pub values: String,
    /// Description.
    pub doc: String,
}

/// An agent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Agent {
    /// Name; with parameters `name:key=value`.
    pub name: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Parameters.
    pub parameters: Vec<Parameter>,
}

/// The id of a new table or replay.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Named {
    /// Id in addresses.
    pub id: String,
}
