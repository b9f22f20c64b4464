//! The messages between host and bot, version 1: one JSON object per line. `docs/reference/protocol.md`
//! explains them; the JSON Schema in `schema/` is made from these types.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fault::FaultCode;
use crate::limits::ClockBasis;
use crate::player::{Legal, Then, Turn};

/// The lowest and highest version of the protocol that this host speaks.
pub const VERSIONS: [u32; 2] = [1, 1];

/// What the host says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum HostMessage {
    /// The first line. The bot answers with its own `hello`.
    Hello {
        /// Lowest and highest version of the protocol that the host speaks.
        v: [u32; 2],
        /// Name and version of the host.
        host: String,
        /// Longest line in bytes that the bot may send.
        line_bytes: u64,
    },
    /// An episode begins. The bot answers with `ready`.
    Start {
        /// Number of the episode on this process; every later message of the episode repeats it.
        g: u64,
        /// The game's id.
        game: String,
        /// Version of its rules.
        rules: u32,
        /// Every variant parameter, by name.
        opts: Value,
        /// The bot's seat, from 0.
        seat: u64,
        /// Number of seats.
        seats: u64,
        /// Who sits where; null if the bots may not know.
        names: Option<Vec<String>>,
        /// 16 hexadecimal digits for the bot's own random numbers, so that it can play the same again.
        seed: String,
        /// Its thinking time.
        clock: ClockMessage,
        /// What the seat may know before anybody has decided anything, for bots that ask for it with `setup`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        obs: Option<Value>,
    },
    /// The bot's seat owes a decision. The bot answers with `move`.
    Turn {
        /// Number of the episode.
        g: u64,
        /// Number of the question, from 0; the answer repeats it.
        n: u64,
        /// Whether other seats decide at the same time.
        sim: bool,
        /// What the seat may know; its form is the game's own.
        obs: Value,
        /// What happened since the last question, as far as the seat may know; empty for bots that read no news.
        ev: Vec<Value>,
        /// What it may do: a list of texts (answer with an index), or an object with the JSON Schema of the
        /// answer.
        legal: LegalMessage,
        /// What is left in the bank, in microseconds.
        bank_us: u64,
        /// What the last decision took, in microseconds, as the host counted it.
        used_us: u64,
    },
    /// The last answer was refused, or did not come in time. No answer is expected.
    Bad {
        /// Number of the episode.
        g: u64,
        /// Number of the question.
        n: u64,
        /// Why.
        code: FaultCode,
        /// In words.
        msg: String,
        /// What happens instead.
        then: Then,
    },
    /// The episode is over. No answer is expected.
    End {
        /// Number of the episode.
        g: u64,
        /// Place by seat, from 1; seats that tie share the better place.
        places: Vec<u32>,
        /// Score by seat.
        scores: Vec<i64>,
        /// The game's word for why it ended.
        why: String,
    },
    /// The last line; then the bot's input is closed, and it should exit.
    Bye {
        /// Why, if it is not the usual end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

/// Thinking time, as the bot is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockMessage {
    /// For the answer to `start`.
    pub start_ms: u64,
    /// In the bank at the beginning.
    pub bank_ms: u64,
    /// Added after every move.
    pub inc_ms: u64,
    /// The most for one move; null if only the bank counts.
    pub move_ms: Option<u64>,
    /// What is counted.
    pub basis: ClockBasis,
}

/// What a seat may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LegalMessage {
    /// All actions; answer with an index.
    List(Vec<String>),
    /// Too many to list; answer with `m`.
    Spec {
        /// Name of the form, as in `dice/throws`.
        spec: String,
        /// JSON Schema of `m`.
        schema: Value,
    },
}

/// What the bot says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum BotMessage {
    /// The answer to the host's `hello`.
    Hello {
        /// The version it will speak, one of those offered.
        v: u32,
        /// Its name.
        #[serde(default)]
        name: String,
        /// Its own version.
        #[serde(default)]
        ver: String,
        /// The ids of the games it plays; all, if the list is empty or missing.
        #[serde(default)]
        games: Vec<String>,
        /// Whether it reads `ev` of `turn`; without it, it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        news: Option<bool>,
        /// Whether it wants `obs` in `start`, so that what it sets up is no part of its first decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setup: Option<bool>,
        /// Whether its answers depend on nothing but the messages since `start`, without `g`, `bank_us` and `used_us`: the
        /// same episode gets the same answers in any process, so that a record of it can be proved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeatable: Option<bool>,
    },
    /// The answer to `start`.
    Ready {
        /// Number of the episode.
        g: u64,
    },
    /// The answer to `turn`: exactly one of `a`, `m`, `error` and `garbled`.
    Move {
        /// Number of the episode.
        g: u64,
        /// Number of the question.
        n: u64,
        /// Index into the list of legal actions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<u64>,
        /// A structured action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        m: Option<Value>,
        /// The bot has no move, and why. Counts as an invalid move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// What the bot said cannot be read, and why: for programs that speak for a bot. Counts as an invalid message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        garbled: Option<String>,
    },
}

/// The JSON Schemas of both directions, as one document.
#[cfg(feature = "schema")]
pub fn schema() -> Value {
    let mut host = schemars::schema_for!(HostMessage).to_value();
    let mut bot = schemars::schema_for!(BotMessage).to_value();
    let mut definitions = serde_json::Map::new();
    for part in [&mut host, &mut bot] {
        if let Some(object) = part.as_object_mut() {
            object.remove("$schema");
            if let Some(Value::Object(own)) = object.remove("$defs") {
                definitions.extend(own);
            }
        }
    }
    definitions.insert("HostMessage".into(), host);
    definitions.insert("BotMessage".into(), bot);
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Meeple bot protocol, version 1",
        "description": "Every line is one HostMessage (to the bot) or one BotMessage (from the bot).",
        "anyOf": [{ "$ref": "#/$defs/HostMessage" }, { "$ref": "#/$defs/BotMessage" }],
        "$defs": definitions,
    })
}

/// The kind of a bot's line; all other fields are left for later.
#[derive(Debug, Deserialize)]
pub(crate) struct KindLine {
    pub t: Kind,
}

/// A bot's `hello`. Unknown fields are ignored, here and in the other messages.
#[derive(Debug, Deserialize)]
pub(crate) struct HelloLine {
    pub v: Option<u32>,
    pub name: Option<String>,
    pub ver: Option<String>,
    pub games: Option<Vec<String>>,
    #[serde(default)]
    pub news: Option<bool>,
    #[serde(default)]
    pub setup: Option<bool>,
    #[serde(default)]
    pub repeatable: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ReadyLine {
    pub g: Option<u64>,
}

/// A bot's `move`: parsed in one pass, because it is the most frequent line.
#[derive(Debug, Deserialize)]
pub(crate) struct MoveLine<'a> {
    pub t: Kind,
    pub g: Option<u64>,
    pub n: Option<u64>,
    pub a: Option<u64>,
    #[serde(borrow)]
    pub m: Option<&'a RawValue>,
    pub error: Option<String>,
    pub garbled: Option<String>,
}

/// The kinds of a bot's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Hello,
    Ready,
    Move,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::Ready => "ready",
            Self::Move => "move",
        }
    }
}

/// A bot's description of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BotHello {
    /// The version of the protocol that both speak.
    pub version: u32,
    /// The bot's name for itself; not unique.
    pub name: String,
    /// Its own version.
    pub bot_version: String,
    /// The ids of the games it plays; empty for all.
    pub games: Vec<String>,
    /// True if it does not read events between its questions.
    pub skips_news: bool,
    /// True if it wants the observation at the start of an episode.
    pub wants_setup: bool,
    /// True if it answers the same episode alike every time.
    pub repeatable: bool,
}

/// A `turn`, written without a serialiser, because it is sent most often.
pub(crate) struct TurnLine<'a> {
    pub game: u64,
    pub turn: &'a Turn<'a>,
    pub bank_us: u64,
    pub used_us: u64,
}

impl TurnLine<'_> {
    /// Appends the line with its end.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        use std::io::Write;
        let Self { game, bank_us, used_us, turn } = self;
        let Turn { number, simultaneous, observation, events, legal } = turn;
        let written = write!(
            out,
            r#"{{"t":"turn","g":{game},"n":{number},"sim":{simultaneous},"obs":{observation},"ev":{events},"legal":"#
        )
        .and_then(|()| match legal {
            Legal::List(texts) => Ok(meeple_core::json::write(texts, out)?),
            Legal::Spec(spec) => out.write_all(spec.as_bytes()),
        })
        .and_then(|()| writeln!(out, r#","bank_us":{bank_us},"used_us":{used_us}}}"#));
        written.expect("a vector takes every byte");
    }
}
