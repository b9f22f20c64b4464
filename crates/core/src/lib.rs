//! The contract of a board game, and the machinery that plays one.
//!
//! * [`Game`]: the rules. Read its page first. [`Present`]: drawings and words. [`Playable`]: heuristics and
//!   encodings for players.
//! * [`Definition`]: a game before its variant and seats are chosen, with agents and tools, as a value.
//! * [`Agent`] and [`Turn`]: a decision function and its input.
//! * [`Encode`]: observations as numbers. [`Batch`]: many episodes stepped together, for learners.
//! * [`Playouts`]: whole episodes at full speed, for simulation.
//! * [`Episode`]: one checked and recorded episode, driven from outside. [`Driver`]: the questions an episode
//!   asks, for hosts.
//! * [`Replay`]: an episode as verifiable text.
//! * [`AnyGame`] and related traits: games without their types, for code that serves every game.
//! * [`PublicName`]: a user-chosen name, safe to show.
//! * [`params!`], [`choice!`] and [`wording!`]: parameters and text forms declared once. [`WriteText`]: fast
//!   text output.
//!
//! The crate is pure: no files, clock, environment, printing, threads, global randomness or hash order.

#![warn(missing_docs)]

mod adapter;
mod agent;
mod analysis;
mod any;
mod batch;
mod course;
mod definition;
pub mod domains;
mod driver;
mod encoding;
mod episode;
mod event;
mod figure;
mod foreign;
mod game;
mod hints;
mod info;
pub mod json;
mod key;
mod label;
mod listed;
mod name;
mod outcome;
mod params;
mod parts;
mod permutation;
mod phase;
mod playable;
mod playout;
mod present;
pub mod python_source;
mod replay;
mod seat;
mod spec;
mod stream;
mod strength;
mod table;
mod take_back;
mod text;
mod tool;
pub mod wording;

pub use adapter::{AdapterKind, Adapters, BotAdapter, MatchSimulator};
pub use agent::{
    Agent, AgentInfo, AskedSeat, Budget, CancelToken, NoParams, Position, Turn, build_agents, defaults_with,
    find_agent,
};
pub use analysis::{ActionValue, Analysis, Foreseen, ValueUnit, standard_error};
pub use any::entry::{AgentDoc, AnyEntry, Entry, EntryError, ToolDoc, ToolRequest};
pub use any::episode::{Answer, AnyEpisode, any_episode};
pub use any::game::{AnyCourseRunner, AnyGame, AnyRunner, EncodingDoc, TypedGame};
pub use any::view::{EpisodeView, EventLine, EventRecord};
pub use batch::{AnyBatch, Batch, BatchError, Ended, Rows, Seated};
pub use course::Course;
pub use definition::{CheckColor, Defined, Definition, LearnedPlayer, ReadForeign};
pub use driver::{Driver, Due, FaultRule, PlayerFault, Question, Refusal, SeatTally, Severity};
pub use encoding::{Encode, Encoding, Field, FieldSink, Meaning, bent};
pub use episode::{Episode, Step, StepOf};
pub use event::{Audience, EventCursor, EventLog, EventSink, Level, NoEvents};
pub use figure::{Figure, FigureKind, FigureSheet};
pub use foreign::{ForeignRecord, ForeignRecordError};
pub use game::{Game, MOST_IDS, SetupError};
pub use hints::{Hints, NoHints};
pub use info::{ActionKind, GUIDE_SECTIONS, GameInfo, Information, Preset};
pub use key::of as key_of;
pub use label::PlayerLabel;
pub use listed::Listed;
pub use name::{PublicName, is_hidden};
pub use outcome::{Outcome, Standing};
pub use params::{
    Domain, ParamError, ParamSpec, ParamType, ParamValue, Params, did_you_mean, nearest, param_text,
};
/// Re-exports for the code that [`params!`] generates.
#[doc(hidden)]
pub use params::{parse_param, unknown_param};
pub use parts::{ActionPart, Addition, Composition};
pub use permutation::Permutation;
pub use phase::{Illegal, Phase, Viewer};
pub use playable::Playable;
pub use playout::{EpisodeReport, Playouts};
pub use present::{Present, View};
pub use replay::{Consequence, REPLAY_FORMAT, Replay, ReplayError, ReplayFault, ReplayResult};
pub use seat::{Seat, SeatSet};
/// Re-export for the code that [`choice!`] and [`wording!`] generate.
pub use serde;
pub use spec::{AgentError, AgentSpec, Argument};
pub use stream::{ChanceStreams, EpisodeSeed, MemberDraws, Odds, Purpose, Stream};
pub use strength::{Strength, StrengthError, Strengths};
pub use table::{Seating, SmallTable, Table};
pub use take_back::Final;
pub use text::{Letters, TextWriter, WriteText, serialize as serialize_text, show as show_text};
pub use tool::{NoHost, TextTable, Tool, ToolCall, ToolError, ToolHost, ToolNews, ToolOutput};
