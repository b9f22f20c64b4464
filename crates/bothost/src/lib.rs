//! Bots as processes: competitors that play seats from outside, in any language.
//!
//! * [`Player`]: one competitor outside our process. [`BotProcess`] is the one that is a program; tests may
//!   bring their own.
//! * [`BotSpec`], [`Sandbox`], [`Limits`]: the program, its isolation, its resource limits.
//! * [`play_episode`]: plays one episode of any game, with native agents and players on its seats.
//! * [`Fault`]: an error of a bot. A fault is data, never an error of the host and never the end of a run.
//!
//! Dependencies point one way: [`check`] → `episode` and `process` → monitoring (`watch`,
//! `clock`, `patience`) → `sandbox` → staging of files → `living` (registry of bots and
//! folders) → [`targets`]. The shared vocabulary, such as [`protocol`] and `fault`, is at the
//! bottom.
//!
//! The protocol is described in `docs/reference/protocol.md`; its messages are the types of [`protocol`].
//!
//! This crate is an edge: it starts processes and reads clocks. It knows no game, only the `dyn` face of the
//! core. Its own `clippy.toml` bans calls that can kill or remove anything foreign.

#![warn(missing_docs)]

mod adapter;
pub mod check;
mod clock;
mod episode;
mod fault;
mod limits;
mod listing;
mod living;
mod patience;
mod pipes;
mod player;
mod process;
pub mod protocol;
mod readable;
mod reap;
mod runtime;
mod sandbox;
mod shown;
mod spec;
mod stage;
mod supervised;
pub mod targets;
mod tree;
mod usage;
mod wall;
mod watch;

pub use episode::{
    EpisodeError, EpisodePanic, EpisodeRecord, FaultPolicy, FaultRecord, OnFault, SeatPlan, SeatRecord, Who,
    bot_seed, play_episode, play_episode_by,
};
pub use fault::{Fault, FaultCode};
pub use limits::{Clock, ClockBasis, Limits, NoLimit, NumberOrNone};
pub use listing::{LeftOut, Listing, list_bots};
pub use living::end_all_bots;
pub use player::{Answer, Bad, End, Legal, Player, Reply, Start, Then, Turn, Waiting};
pub use process::{BotProcess, LaunchError};
pub use sandbox::confine::launcher_main;
pub use sandbox::launcher::Launcher;
pub use sandbox::{Counted, Level, LevelProbe, Sandbox, SandboxError};
pub use spec::{BotSpec, Source, SpecError, quoted};
pub use stage::FilesError;
pub use usage::Usage;
pub use wall::WallClock;
