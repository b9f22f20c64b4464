//! Bots as processes: programs in any language that play seats, with clocks, limits and a sandbox.
//!
//! A bot's error is a [`Fault`]: data, never an error of the host and never the end of a run. The messages
//! are the types of [`protocol`]; `docs/reference/protocol.md` explains them. The levels of isolation are in
//! `docs/reference/sandbox.md`.
//!
//! # One decision
//!
//! [`BotProcess::launch`] starts a program within [`Limits`]. The process is a [`Player`]: the host starts an
//! episode, asks questions, and gets answers within the [`Clock`]. `ask` and `poll_answer` never wait, so a
//! host can ask several bots at once.
//!
//! ```
//! use meeple_bothost::{
//!     BotProcess, BotReply, BotSpec, BotTurn, Clock, EpisodeStart, Legal, Limits, Player, Sandbox,
//! };
//! use meeple_core::Seat;
//! use nix::poll::{PollTimeout, poll};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("bot.sh");
//! # std::fs::write(&path, r#"
//! # while read -r line; do
//! #   case "$line" in
//! #     *'"t":"hello"'*) echo '{"t":"hello","v":1,"name":"first"}' ;;
//! #     *'"t":"start"'*) echo '{"t":"ready","g":1}' ;;
//! #     *'"t":"turn"'*) echo '{"t":"move","g":1,"n":0,"a":1}' ;;
//! #     *'"t":"bye"'*) exit 0 ;;
//! #   esac
//! # done
//! # "#)?;
//! # let command = format!("cmd:sh '{}'", path.display());
//! // The command line of a bot that always takes the second action; no sandbox, since we trust it.
//! let spec = BotSpec::parse(&command, &[])?;
//! let limits = Limits { memory_mib: 256, launch_ms: 60_000, ..Limits::default() };
//! let mut bot = BotProcess::launch(&spec, &Sandbox::none(), &limits)?;
//!
//! let clock = Clock { start_ms: 10_000, move_ms: Some(10_000), bank_ms: 10_000, ..Clock::default() };
//! bot.start(&EpisodeStart {
//!     game: "incan-gold",
//!     rules_version: 1,
//!     variant: &serde_json::json!({}),
//!     seat: Seat::new(0),
//!     seats: 2,
//!     names: None,
//!     seed: 1,
//!     clock: &clock,
//!     observation: None,
//! })?;
//! let legal = ["stay", "leave"].map(String::from);
//! let legal = Legal::List(&legal);
//! bot.ask(&BotTurn { number: 0, simultaneous: true, observation: "{}", events: "[]", legal })?;
//! let answer = loop {
//!     if let Some(answer) = bot.poll_answer()? {
//!         break answer;
//!     }
//!     let mut waiting = bot.waiting().expect("a process has pipes");
//!     poll(&mut waiting.polled, PollTimeout::try_from(waiting.at_most)?)?;
//! };
//! assert!(matches!(answer.reply, BotReply::Index(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An episode
//!
//! [`play_episode`] plays a whole episode, with bots and native agents at its seats. In this example, as in
//! tests, the players are no processes.
//!
//! ```
//! use meeple_bothost::{
//!     Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Fault, FaultPolicy, Player, SeatPlan, Usage,
//!     Who, play_episode,
//! };
//! use meeple_core::{AgentSpec, EpisodeSeed};
//!
//! /// Takes the action with this index, always.
//! struct Always(u64);
//!
//! impl Player for Always {
//!     fn start(&mut self, _: &EpisodeStart<'_>) -> Result<Usage, Fault> { Ok(Usage::default()) }
//!     fn renew(&mut self) {}
//!     fn ask(&mut self, _: &BotTurn<'_>) -> Result<(), Fault> { Ok(()) }
//!     fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
//!         Ok(Some(BotAnswer { reply: BotReply::Index(self.0), used: Usage::default() }))
//!     }
//!     fn refuse(&mut self, _: &Bad<'_>) {}
//!     fn end(&mut self, _: &End<'_>) {}
//! }
//!
//! let game = meeple_games::find_game("incan-gold")?.set_up(None, &[], 3)?;
//! let (mut leaves, mut errs) = (Always(1), Always(7));
//! let mut seats = [
//!     SeatPlan { name: "leaves".into(), who: Who::Player(&mut leaves) },
//!     SeatPlan { name: "errs".into(), who: Who::Player(&mut errs) },
//!     SeatPlan { name: "turn:3".into(), who: Who::Native(AgentSpec::parse("turn:3")) },
//! ];
//! let record = play_episode(&*game, EpisodeSeed::new(1, 0), &mut seats, &FaultPolicy::default())?;
//! assert_eq!(record.outcome.places.len(), 3);
//! // Index 7 is illegal: at the third fault the fallback action takes over.
//! assert_eq!(record.seats.iter().map(|seat| seat.faults).collect::<Vec<_>>(), [0, 3, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A sandbox
//!
//! A sandboxed bot is started by a launcher, which restricts itself and becomes the bot. A host makes its own
//! binary the launcher.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use meeple_bothost::{Launcher, Sandbox, launcher_main};
//!
//! fn main() -> ExitCode {
//!     let mut arguments = std::env::args_os().skip(1).peekable();
//!     if arguments.next_if(|word| word == "launch").is_some() {
//!         return launcher_main(arguments);
//!     }
//!     let program = std::env::current_exe().expect("the program has a path");
//!     let launcher = Launcher { program, arguments: vec!["launch".into()] };
//!     let sandbox = Sandbox::best(&launcher);
//!     if let Some(warning) = sandbox.level().warning() {
//!         eprintln!("{warning}");
//!     }
//!     // BotProcess::launch(&spec, &sandbox, &limits)
//!     ExitCode::SUCCESS
//! }
//! ```
//!
//! # Features
//!
//! None is on by default. `schema` derives the JSON Schema of the protocol (`docs/reference/library.md` has
//! its cost).
//!
//! # Rules of the crate
//!
//! Dependencies point one way: [`check`] → `episode` and `process` → monitoring (`watch`, `clock`,
//! `patience`) → `sandbox` → staging of files → `living` (registry of bots and folders) → [`targets`]. The
//! shared vocabulary, such as [`protocol`] and `fault`, is at the bottom.
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
pub use listing::{InvalidBot, Listing, list_bots};
pub use living::end_all_bots;
pub use player::{Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Legal, Player, Then, Waiting};
pub use process::{BotProcess, LaunchError};
pub use sandbox::confine::launcher_main;
pub use sandbox::launcher::Launcher;
pub use sandbox::{Counted, LevelProbe, Sandbox, SandboxError, SandboxLevel};
pub use spec::{BotSpec, Source, SpecError, quoted};
pub use stage::FilesError;
pub use usage::Usage;
pub use wall::WallClock;
