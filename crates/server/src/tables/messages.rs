//! Messages of tables in the API.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tables::wire::SeatTime;

/// A request to open a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The game, or `game/preset`.
    pub game: String,
    /// Parameter values that differ from the preset, as texts.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Players by seat. In games with many seats an agent fills those that are not given.
    pub seats: Vec<Sitter>,
    /// True if the list of tables shows the table.
    #[serde(default)]
    pub listed: bool,
    /// Seed of the deal; random and secret by default.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Time control for people: `30s` for each decision, or `10m+5s` for the game with an increment after
    /// each decision. No limit by default.
    #[serde(default)]
    pub time: Option<String>,
}

/// The player at a seat.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sitter {
    /// Nobody yet: anybody may join.
    Open,
    /// A person. The reply to the request that opens the table has the key to the seat.
    Person {
        /// The player's name, as others see it.
        name: String,
    },
    /// An agent in its text form, as on the command line.
    Agent(String),
}

/// An opened table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OpenedTable {
    /// Id in addresses.
    pub id: String,
    /// Keys to the seats of people. Requests of a seat carry its key: `Authorization: Bearer KEY`.
    pub keys: Vec<SeatKey>,
}

/// The key to a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeatKey {
    /// The seat, from 0.
    pub seat: usize,
    /// The key.
    pub key: String,
}

/// The latest listed tables.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Tables {
    /// Newest first.
    pub tables: Vec<TableLine>,
}

/// A table in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TableLine {
    /// Id in addresses.
    pub id: String,
    /// Game and preset, as `game/preset`.
    pub game: String,
    /// True if the game is over.
    pub over: bool,
    /// Seats that anybody may take, from 0.
    pub open_seats: Vec<usize>,
}

/// The frame of a table for one viewer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TableFrame {
    /// Version of the viewer's frame. It grows with every change that this viewer may know.
    pub version: u64,
    /// The viewer's seat; null for a spectator.
    pub you: Option<usize>,
    /// The drawing, as SVG.
    pub drawing: String,
    /// The position as lines of text.
    pub text: String,
    /// The open question to the viewer.
    pub ask: Option<Question>,
    /// The players, by seat.
    pub seats: Vec<SeatLine>,
    /// The log, oldest line first.
    pub log: Vec<LogLine>,
    /// The result; null while the game goes on.
    pub ending: Option<Ending>,
    /// Time left, at tables with a time control. By seat; null for agents, and where the viewer may not
    /// know whether the seat decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Vec<Option<SeatTime>>>,
}

/// An open question to a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Question {
    /// Number of the question; the answer repeats it.
    pub number: u64,
    /// The legal actions; empty if there are too many to list.
    pub actions: Vec<String>,
    /// The parts of each action, in words.
    pub parts: Vec<Vec<Part>>,
    /// Suggested actions, if there are too many to list.
    pub suggestions: Vec<String>,
    /// The fallback: the action of a player who does not decide.
    pub fallback: String,
}

/// A part of an action.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Part {
    /// Kind of answer, as a heading.
    pub name: String,
    /// The answer in words.
    pub label: String,
}

/// A seat with its player.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeatLine {
    /// The player.
    pub holder: Sitter,
    /// Colour in the drawing, as in CSS.
    pub color: String,
    /// True if the seat owes a decision; null if the viewer may not know.
    pub owes: Option<bool>,
}

/// A line of the log.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct LogLine {
    /// The event in words.
    pub text: String,
    /// True for a minor event, shown small.
    pub detail: bool,
}

/// The result of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Ending {
    /// Reason for the end, in the game's words.
    pub end: String,
    /// Places by seat, from 1.
    pub places: Vec<u32>,
    /// Scores by seat.
    pub scores: Vec<i64>,
    /// Unit of the scores.
    pub unit: String,
}

/// An answer to a question: `action` or `index`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Number of the question.
    pub number: u64,
    /// Id of this answer, chosen by the sender. Sent again, the answer is not taken twice.
    pub id: String,
    /// The action's text, or an input that the game accepts; alternative to `index`.
    #[serde(default)]
    pub action: Option<String>,
    /// Index into the listed actions, from 0; alternative to `action`.
    #[serde(default)]
    pub index: Option<usize>,
}

/// An accepted and stored answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Taken {
    /// True if the answer had been accepted before.
    pub repeated: bool,
    /// The seat's frame after the answer.
    pub frame: TableFrame,
}

/// A request to take a seat.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The player's name, as others see it.
    pub name: String,
}

/// A request to give a seat to an agent.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Leave {
    /// The agent in its text form, as on the command line; by default the game's advisor.
    #[serde(default)]
    pub agent: Option<String>,
}

/// A request for a rematch.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// True if agents take the seats of players who have left; otherwise these seats are open.
    #[serde(default)]
    pub agents: bool,
    /// The seed of the deal, only at a table without other people; by default a secret one.
    #[serde(default)]
    pub seed: Option<u64>,
}
