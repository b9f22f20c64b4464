//! Learned players, for every game whose observations are numbers ([`Encode`](meeple_core::Encode)).
//!
//! A small network foretells what a seat will bring home from a position. Playing, it looks at the position after each of its
//! actions, before chance draws and before others decide, and takes the best. Learning, it plays against itself and against
//! agents, and is moved towards what came of it: TD(λ) with afterstates (Sutton 1988; Tesauro 1995).
//!
//! The same [`Plan`] makes the same network, to the last bit, on any number of threads and any machine: episodes are drawn by
//! their numbers, lessons are learned in a drawn order, sums are made in an order that the code says, and a round is played by
//! the network of exactly one round before the one that is being learned.
//!
//! A plan may ask for a self-organising recurrent network instead (`sorn`): units that nobody teaches, and a readout that learns
//! from rewards.
//!
//! Or a policy, which says how likely each action is, taught by an agent or by what comes of its own tries.
//!
//! Games of people, as replays, may be learned from beside those that are played for it.
//!
//! Files use those before them: `goal`, `network`, `reservoir`, `mind`, `adam`, `error`, `choosing`, `plan`, `advice`, `chooser`, `sorn`, `odds`, `lessons`, `policy`, `pupil`, `people`,
//! `learned`, `agent`, `value`, `prior`, `self_play`, `training`, `examination`, `curve`, `export`, `meeting`, `gate`; `cma`, `tuning`, which tune the numbers of other
//! agents.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // an edge: networks are files, whose library has hash maps

mod adam;
mod advice;
mod agent;
mod chooser;
mod choosing;
mod cma;
mod curve;
mod error;
mod examination;
mod export;
mod gate;
mod goal;
mod learned;
mod lessons;
mod meeting;
mod mind;
mod network;
mod ntbea;
mod odds;
mod people;
mod plan;
mod policy;
mod prior;
mod pupil;
mod reservoir;
mod self_play;
mod sorn;
mod training;
mod tuning;
mod value;

pub use adam::Adam;
pub use agent::{Net, NetParams, ShippedParams, about, agents};
pub use cma::Cma;
pub use curve::Curve;
pub use error::LearnError;
pub use examination::{Examined, examine};
pub use export::to_onnx;
pub use gate::{Crosstable, Gate, Gated, LEAST_LOW, TEST, crosstable};
pub use goal::Goal;
pub use learned::{About, Learned, Pending};
pub use lessons::{Lessons, Options};
pub use meeting::{Ground, Met};
pub use mind::Mind;
pub use network::{Network, Scratch};
pub use ntbea::Ntbea;
pub use people::{People, Recorded};
pub use plan::{Learns, Plan, Positions};
pub use policy::{Asked, Desk, add_slope};
pub use prior::policy_hints;
pub use reservoir::{Reservoir, SornPlan};
pub use self_play::{School, school};
pub use training::{Round, Training};
pub use tuning::{Method, Tuned, Tuning, Worth, tune};
pub use value::{Judge, judged_hints, value_hints};
