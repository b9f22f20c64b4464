//! Trained players, for every game with an encoding ([`Encode`](meeple_core::Encode)).
//!
//! - **Value networks** predict a seat's outcome. A player evaluates the afterstate of each action (the
//!   position before chance draws and before others decide) and takes the best. The networks are trained by
//!   self-play and against agents, by TD(λ) on afterstates (Sutton 1988; Tesauro 1995).
//! - **Policies** give the probability of each action. They imitate an expert (DAgger) or learn from their
//!   own actions (PPO).
//! - **Self-organising recurrent networks** (`sorn`) have unsupervised units, and a readout that learns from
//!   rewards.
//!
//! Replays of human games can be mixed into the data of value networks.
//!
//! The same [`TrainingPlan`] makes the same network, to the last bit, on any number of threads and any
//! machine. All draws come from streams of the plan, and sums have a fixed order. A round is played by the
//! network that is exactly one round old.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // an edge: networks are files, whose library has hash maps

mod adam;
mod advice;
mod afterstate;
mod agent;
mod agent_file;
mod batch;
mod checkpoint;
mod cma;
mod curve;
mod error;
mod export;
mod gate;
mod gauntlet;
mod goal;
mod head_to_head;
mod model;
mod network;
mod ntbea;
mod plan;
mod play_settings;
mod policy;
mod policy_hints;
mod policy_recorder;
mod replays;
mod reservoir;
mod self_play;
mod softmax;
mod sorn;
mod training;
mod tuning;
mod value_hints;

pub use adam::Adam;
pub use agent::{Net, NetParams, ShippedParams, agents, required_info};
pub use agent_file::{MAX_AGENT_FILE_BYTES, read_agent_file};
pub use batch::{PolicyTarget, TrainingBatch};
pub use checkpoint::{Checkpoint, CheckpointInfo, TrainingState};
pub use cma::Cma;
pub use curve::LearningCurve;
pub use error::LearnError;
pub use export::to_onnx;
pub use gate::{ChampionGate, Crosstable, GateResult, MIN_FORMER_LOW, TEST, crosstable};
pub use gauntlet::{GauntletResult, play_gauntlet};
pub use goal::Goal;
pub use head_to_head::{MatchResult, MatchSetup};
pub use model::LearnedModel;
pub use network::{Network, Scratch};
pub use ntbea::Ntbea;
pub use plan::{ModelKind, TrainingPlan, TrainingPositions};
pub use policy::{PolicyExample, PolicyScratch, accumulate_policy_gradient};
pub use policy_hints::policy_hints;
pub use replays::{HumanGames, NamedReplay};
pub use reservoir::{Reservoir, SornPlan};
pub use self_play::{Environment, environment};
pub use training::{Training, TrainingRound};
pub use tuning::{FitnessEstimate, Tuning, TuningMethod, TuningResult, tune};
pub use value_hints::{Evaluator, evaluator_hints, value_hints};
