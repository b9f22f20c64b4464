//! The contract of a board game, and what plays one.
//!
//! * [`Game`]: what every game fulfils. Read its page first.
//! * [`Agent`] and [`Turn`]: a decision function and what it is given.
//! * [`Playouts`]: whole episodes as fast as they go, for simulation.
//! * [`Episode`]: one checked and recorded episode, driven from outside.
//! * [`Replay`]: an episode as text, which can be verified.
//! * [`AnyGame`] and its kin: the `dyn` face, for everything that must not know which game it serves.
//! * [`params!`] and [`choice!`]: parameters declared once.
//!
//! The crate is pure: no files, clock, environment, printing, threads, global randomness or hash order.

pub mod agent;
pub mod episode;
pub mod event;
pub mod face;
mod film;
pub mod game;
pub mod outcome;
pub mod params;
mod plain;
pub mod playout;
pub mod replay;
pub mod seat;
pub mod spec;
pub mod stream;
mod take_back;
pub mod tool;

pub use agent::{Agent, AgentInfo, AskedSeat, Desk, NoParams, Turn, find_agent};
pub use episode::{Episode, Step, StepOf};
pub use event::{Audience, EventLog, EventSink, Level, NoEvents};
pub use face::{
    AgentDoc, AnyEntry, AnyEpisode, AnyGame, AnyRunner, Entry, EventRecord, FaceError, ToolDoc, ToolRequest,
};
pub use film::{Film, FilmError};
pub use game::{
    ActionKind, Figure, FigureKind, FigureSheet, GUIDE_SECTIONS, Game, GameInfo, Illegal, Information, Phase,
    Preset, SetupError, View, Viewer,
};
pub use outcome::{Outcome, Standing};
pub use params::{Domain, ParamError, ParamSpec, ParamType, ParamValue, Params, nearest};
pub use playout::{EpisodeReport, Playouts, Seating, SmallTable, Table, build_agents};
pub use replay::{REPLAY_FORMAT, Replay, ReplayError, ReplayResult};
pub use seat::{Seat, SeatSet};
/// For the code that [`choice!`] generates.
pub use serde;
pub use spec::{AgentError, AgentSpec, Argument};
pub use stream::{ChanceStreams, EpisodeSeed, MemberDraws, Odds, Purpose, Stream};
pub use take_back::Final;
pub use tool::{TextTable, Tool, ToolCall, ToolError, ToolOutput};
