//! The messages between host and bot, version 1: one JSON object per line. `docs/reference/protocol.md`
//! explains them. The JSON Schema in `schema/` is generated from these types and their docs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fault::FaultCode;
use crate::limits::ClockBasis;
use crate::player::{BotTurn, Legal, Then};

/// The lowest and highest version of the protocol that this host speaks.
pub const VERSIONS: [u32; 2] = [1, 1];

/// A message from the host to the bot.
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
        /// Player names by seat; null if bots may not know them.
        names: Option<Vec<String>>,
        /// Seed for the bot's random numbers, 16 hexadecimal digits: a bot that uses it can repeat its
        /// play.
        seed: String,
        /// The bot's thinking time.
        clock: ClockMessage,
        /// The seat's observation before the first decision, for bots that ask for it with `setup`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        obs: Option<Value>,
    },
    /// The bot's seat owes a decision. The bot answers with `move`.
    Turn {
        /// Number of the episode.
        g: u64,
        /// Number of the question, from 0; the answer repeats it.
        n: u64,
        /// True if other seats decide at the same time.
        sim: bool,
        /// The seat's observation, in the game's own form.
        obs: Value,
        /// Events since the last question, as far as the seat may know them; empty if the bot's `hello` has
        /// `news` = false.
        ev: Vec<Value>,
        /// The legal actions: a list of texts (answer with an index), or an object with the JSON Schema of
        /// the answer.
        legal: LegalMessage,
        /// Time left in the bank, in µs.
        bank_us: u64,
        /// Time used by the last decision as counted by the host, in µs.
        used_us: u64,
    },
    /// The last answer was refused, or did not come in time. No answer is expected.
    Bad {
        /// Number of the episode.
        g: u64,
        /// Number of the question.
        n: u64,
        /// Kind of fault.
        code: FaultCode,
        /// The fault in words.
        msg: String,
        /// The consequence.
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
        /// Reason for the end, in the game's words.
        why: String,
    },
    /// The last line; then the bot's input is closed, and it should exit.
    Bye {
        /// The reason, if this is not the normal end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

/// Thinking time, as sent to the bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockMessage {
    /// Time for the answer to `start`, in ms.
    pub start_ms: u64,
    /// Time in the bank at the start of the episode, in ms.
    pub bank_ms: u64,
    /// Increment after every move, in ms.
    pub inc_ms: u64,
    /// Upper bound for one move, in ms; null for the bank alone.
    pub move_ms: Option<u64>,
    /// Kind of time that counts: CPU or wall time.
    pub basis: ClockBasis,
}

/// The legal actions of a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LegalMessage {
    /// All actions; answer with an index.
    List(Vec<String>),
    /// The form of an action, where there are too many to list; answer with `m`.
    Spec {
        /// Name of the form, as in `dice/throws`.
        spec: String,
        /// JSON Schema of `m`.
        schema: Value,
    },
}

/// A message from the bot to the host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum BotMessage {
    /// The answer to the host's `hello`.
    Hello {
        /// Version of the protocol that the bot chooses, one of those offered.
        v: u32,
        /// Name of the bot.
        #[serde(default)]
        name: String,
        /// Version of the bot.
        #[serde(default)]
        ver: String,
        /// Ids of the games that the bot plays; all if the list is empty or missing.
        #[serde(default)]
        games: Vec<String>,
        /// False if the bot does not read `ev` of `turn`; by default it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        news: Option<bool>,
        /// True if the bot wants `obs` in `start`, so that its set-up takes no time of the first decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setup: Option<bool>,
        /// True if the bot's answers depend only on the messages since `start`, without `g`, `bank_us` and
        /// `used_us`. A repeated episode then gets the same answers in any process, so its record can be
        /// verified.
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
        /// The reason why the bot has no move. Counts as an invalid move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The reason why the bot's output is unreadable, sent by an adapter that runs the bot. Counts as an
        /// invalid message.
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

/// The kind of a bot's line. A second pass parses the other fields.
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
    /// The agreed version of the protocol.
    pub version: u32,
    /// The bot's name for itself; not unique.
    pub name: String,
    /// Version of the bot.
    pub bot_version: String,
    /// The ids of the games that the bot plays; empty for all.
    pub games: Vec<String>,
    /// True if the bot does not read events; the host then sends none.
    pub skips_news: bool,
    /// True if the bot wants its observation at the start of an episode.
    pub wants_setup: bool,
    /// True if the bot always gives the same answers in the same episode.
    pub repeatable: bool,
}

/// A `turn`, written without serde, because it is the most frequent message.
pub(crate) struct TurnLine<'a> {
    pub game: u64,
    pub turn: &'a BotTurn<'a>,
    pub bank_us: u64,
    pub used_us: u64,
}

impl TurnLine<'_> {
    /// Appends the line, newline included.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        use std::io::Write;
        let Self { game, bank_us, used_us, turn } = self;
        let BotTurn { number, simultaneous, observation, events, legal } = turn;
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
