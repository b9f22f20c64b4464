//! What programs send and get: the types of the interface, of which its description is made.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SeatTime;

/// Why something was refused. Nothing has changed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Failure {
    /// What kind of refusal, for programs.
    pub code: Code,
    /// What was expected and what was found, for people.
    pub message: String,
    /// What may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Kinds of refusals. Those of a table are the socket's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The rules do not allow it.
    InvalidMove,
    /// It answers a question that is not open, or comes after the end.
    Stale,
    /// It is no request of this interface, or cannot be set up.
    InvalidMessage,
    /// Whoever sent it may not: the key opens no seat, or the seat is taken.
    NotYours,
    /// There is no such thing.
    NotFound,
    /// It comes too early: the game is not over, or nothing has been counted.
    NotYet,
    /// The server has as much of it as it takes.
    TooMany,
    /// It could not be stored, and has not happened.
    Unstored,
    /// A fault of the server's own.
    Internal,
}

/// The games.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Games {
    /// In the order of the first page.
    pub games: Vec<Game>,
}

/// A game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Game {
    /// Its name in addresses and settings.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The fewest seats.
    pub least_seats: usize,
    /// The most seats.
    pub most_seats: usize,
    /// Named settings; the first is the usual one.
    pub presets: Vec<Preset>,
}

/// A named setting.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Preset {
    /// As in `game/preset`.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
}

/// A game with everything that can be set.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameInDetail {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The parameters of its rules.
    pub parameters: Vec<Parameter>,
    /// Who may play beside people.
    pub agents: Vec<Agent>,
    /// What can be typed as an action.
    pub input_help: &'static str,
}

/// A parameter.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value where nothing is said.
    pub default: String,
    /// What it can be, in words.
    pub values: String,
    /// What it does.
    pub doc: String,
}

/// An agent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Agent {
    /// Its name; with parameters `name:key=value`.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A table that is to be opened.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The game, or `game/preset`.
    pub game: String,
    /// Parameters of the rules that differ from the preset, as texts.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Who sits where. Games with more seats fill the rest.
    pub seats: Vec<Sitter>,
    /// Whether the list of tables shows it.
    #[serde(default)]
    pub listed: bool,
    /// The seed of the deal; one that nobody knows if it is not given.
    #[serde(default)]
    pub seed: Option<u64>,
    /// How much time people have: `30s` for each decision, or `10m+5s` for the game and more with each decision; as much as they
    /// want if it is not given.
    #[serde(default)]
    pub time: Option<String>,
}

/// Who sits at a seat.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sitter {
    /// Nobody yet: whoever joins.
    Open,
    /// A person of this name, for whom whoever asks gets the key.
    Person {
        /// What the others call it.
        name: String,
    },
    /// An agent, as on the command line.
    Agent(String),
}

/// A table that was opened.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OpenedTable {
    /// Its name in addresses.
    pub id: String,
    /// The keys to the seats of people. Whoever has one plays there: `Authorization: Bearer KEY`.
    pub keys: Vec<SeatKey>,
}

/// The key to a seat.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeatKey {
    /// The seat, from 0.
    pub seat: usize,
    /// Its key.
    pub key: String,
}

/// The last tables that everybody may find.
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
    /// Its name in addresses.
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// Whether it is over.
    pub over: bool,
    /// The seats at which whoever comes can sit down.
    pub open_seats: Vec<usize>,
}

/// What a viewer is shown of a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TableFrame {
    /// Which of this viewer's moments it is: it grows when something changes that the viewer may know.
    pub version: u64,
    /// The viewer's seat; `null` for who watches.
    pub you: Option<usize>,
    /// The drawing, as SVG.
    pub drawing: String,
    /// The same as lines of text.
    pub text: String,
    /// What the viewer is asked.
    pub ask: Option<Question>,
    /// Who sits where.
    pub seats: Vec<SeatLine>,
    /// What has happened, oldest first.
    pub log: Vec<LogLine>,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
    /// What is left of people's time, where it is limited: by seat, as far as it is a person's and the viewer may know whether it
    /// decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Vec<Option<SeatTime>>>,
}

/// A question.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Question {
    /// Its number, which the answer names.
    pub number: u64,
    /// The legal actions; empty if there are too many to list.
    pub actions: Vec<String>,
    /// The parts of each of them, in words.
    pub parts: Vec<Vec<Part>>,
    /// Actions that are worth a thought, where not all are listed.
    pub suggestions: Vec<String>,
    /// What whoever does not want to decide does.
    pub fallback: String,
}

/// A part of an action.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Part {
    /// What kind of answer it is, as a heading.
    pub name: String,
    /// The answer in words.
    pub label: String,
}

/// A seat.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeatLine {
    /// Who plays it.
    pub holder: Sitter,
    /// Its colour in the drawing, as in CSS.
    pub color: String,
    /// Whether it is waited for; `null` if the viewer may not know.
    pub owes: Option<bool>,
}

/// A line of the log.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct LogLine {
    /// What happened.
    pub text: String,
    /// Whether it is small print.
    pub detail: bool,
}

/// How a game ended, by seat.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Ending {
    /// What ended it.
    pub end: String,
    /// Places, from 1.
    pub places: Vec<u32>,
    /// Scores.
    pub scores: Vec<i64>,
    /// What scores count.
    pub unit: String,
}

/// An answer to a question: `action` or `index`.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The question's number.
    pub number: u64,
    /// What the sender calls this answer: the same once more is taken once.
    pub id: String,
    /// The action, or what the game lets people type,
    #[serde(default)]
    pub action: Option<String>,
    /// or the number of a listed action, from 0.
    #[serde(default)]
    pub index: Option<usize>,
}

/// An answer that was taken, and is stored.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Taken {
    /// Whether that was before.
    pub repeated: bool,
    /// What the seat is shown now.
    pub frame: TableFrame,
}

/// Who sits down.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// What the others call it.
    pub name: String,
}

/// Who plays on for somebody who leaves.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Leave {
    /// An agent, as on the command line; the game's advisor if none is named.
    #[serde(default)]
    pub agent: Option<String>,
}

/// How the same people play once more.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// Whether agents play on for those who have left; otherwise their seats are open.
    #[serde(default)]
    pub agents: bool,
    /// The seed of the deal; by default a secret one.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// Something that has a name now.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Named {
    /// Its name in addresses.
    pub id: String,
}

/// A run of the laboratory.
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
    /// Episodes, of every cell in a sweep.
    pub episodes: u64,
    /// The root seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// Whether all play the same deals from every seat.
    #[serde(default)]
    pub deals: bool,
}

fn one() -> u64 {
    1
}

/// How far a run is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct JobState {
    /// Its name in addresses. The same run has the same.
    pub id: String,
    /// How far it is.
    pub stage: Stage,
    /// Whether it waits until the tables need the machine less.
    pub paused: bool,
    /// Why it could not be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The episodes that the result comes from; 0 while there is none.
    pub counted: u64,
    /// Episodes of the part that is being played.
    pub playing: u64,
    /// The command that gives the same figures.
    pub command: String,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Others are before it.
    Waiting,
    /// The run is being played.
    Playing,
    /// It is done.
    Done,
    /// It was stopped; what had been played is kept.
    Stopped,
    /// The run failed.
    Failed,
}
