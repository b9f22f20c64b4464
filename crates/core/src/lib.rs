//! Board games as Rust types: rules, agents, playouts, episodes and replays.
//!
//! A game implements [`Game`]; everything else here plays it. All randomness comes from seeds: the same game,
//! agents and seed give the same bytes on every machine. The examples use Pig, a toy game of
//! `meeple-testkit`: roll a die as often as you like, but a one costs the points of the turn.
//!
//! # An agent
//!
//! An [`Agent`] decides from a [`Turn`], which holds the knowledge of its seat and nothing else.
//!
//! ```
//! use meeple_core::{Agent, Turn};
//! use meeple_testkit::toys::{Pig, Throw};
//!
//! /// Rolls until the turn has this many points.
//! struct HoldAt(u8);
//!
//! impl Agent<Pig> for HoldAt {
//!     fn act(&mut self, turn: Turn<'_, Pig>) -> Throw {
//!         if turn.observe().turn_points >= self.0 { Throw::Hold } else { Throw::Roll }
//!     }
//! }
//! ```
//!
//! # A hundred games
//!
//! [`Playouts`] play whole episodes at full speed.
//!
//! ```
//! # use meeple_core::Turn;
//! # use meeple_testkit::toys::Throw;
//! use std::sync::Arc;
//!
//! use meeple_core::{Agent, Defined, Playouts, Seating};
//! use meeple_testkit::toys::Pig;
//! # struct HoldAt(u8);
//! # impl Agent<Pig> for HoldAt {
//! #     fn act(&mut self, turn: Turn<'_, Pig>) -> Throw {
//! #         if turn.observe().turn_points >= self.0 { Throw::Hold } else { Throw::Roll }
//! #     }
//! # }
//!
//! let pig = Arc::new(Pig::definition().by_default(2)?);
//! let agents: Vec<Box<dyn Agent<Pig>>> = vec![Box::new(HoldAt(2)), Box::new(HoldAt(8))];
//! let mut playouts = Playouts::new(pig, agents);
//!
//! let mut wins = [0; 2];
//! for index in 0..100 {
//!     let report = playouts.play(1, Seating::Rotate, index);
//!     for (seat, player) in report.player_at.iter().enumerate() {
//!         wins[usize::from(*player)] += u32::from(report.outcome.places[seat] == 1);
//!     }
//! }
//! assert_eq!(wins.iter().sum::<u32>(), 100);
//! assert!(wins[1] > wins[0]);
//! # Ok::<(), meeple_core::SetupError>(())
//! ```
//!
//! # A replay
//!
//! An [`Episode`] checks and records every step. A [`Replay`] is its record as text, and can verify it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use meeple_core::{Defined, Episode, EpisodeSeed, Phase, PlayerLabel, Replay};
//! use meeple_testkit::toys::Pig;
//!
//! let pig = Pig::definition();
//! let seed = EpisodeSeed::new(1, 0);
//! let mut episode = Episode::new(Arc::new(pig.by_default(2)?), seed);
//! loop {
//!     match episode.phase() {
//!         Phase::Chance => episode.step_chance(),
//!         Phase::Decide(seats) => {
//!             for seat in seats {
//!                 let action = episode.sample_action(seat);
//!                 episode.act(seat, &action)?;
//!             }
//!         }
//!         Phase::Over => break,
//!     }
//! }
//!
//! let players = ["Ada", "Bob"].map(PlayerLabel::from);
//! let text = Replay::of(&episode, &players, Some(seed)).to_text();
//! let replayed = Replay::parse(&text)?.verify(&pig, |_| {})?;
//! assert_eq!(replayed.outcome(), episode.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contents
//!
//! * Games: [`Game`] holds the rules, with a whole game as an example; read its page first. [`Present`] adds
//!   drawings and words. [`Playable`] adds search heuristics and encodings. A [`Definition`] is a game before
//!   its variant and seats are chosen, with agents and tools, as a value.
//! * Players: [`Agent`] and [`Turn`]. [`Encode`] turns observations into numbers, and a [`Batch`] steps many
//!   episodes together, both for learners.
//! * Episodes: [`Playouts`] for simulation, [`Episode`] step by step, [`Driver`] for hosts, which answer the
//!   questions of an episode in time, late or not at all.
//! * Games without their types, for code that serves every game: [`AnyGame`], [`AnyEpisode`],
//!   [`EpisodeView`].
//! * Declarations: [`params!`], [`choice!`] and [`wording!`] define parameters and text forms once.
//!   [`WriteText`] is fast text output. [`PublicName`] is a user-chosen name, safe to show.
//!
//! The crate has no features. It is pure: no files, clock, environment, printing, threads, global randomness
//! or hash order.

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
mod panic;
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
pub use any::entry::{AgentDoc, AnyEntry, EntryError, GameEntry, ToolDoc, ToolRequest};
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
pub use game::{Game, MAX_IDS, SetupError};
pub use hints::{Hints, NoHints};
pub use info::{ActionKind, GUIDE_SECTIONS, GameInfo, Information, Preset};
pub use key::of as key_of;
pub use label::PlayerLabel;
pub use listed::Listed;
pub use name::{PublicName, is_hidden};
pub use outcome::{Outcome, Standing};
pub use panic::panic_message;
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
pub use table::{PlayoutTable, Seating, SmallTable};
pub use take_back::Final;
pub use text::{Letters, TextWriter, WriteText, serialize as serialize_text, show as show_text};
pub use tool::{NoHost, TextTable, Tool, ToolCall, ToolError, ToolHost, ToolNews, ToolOutput};
