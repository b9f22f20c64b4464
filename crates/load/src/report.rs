//! What was measured, and what is told of it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::histogram::{Histogram, Percentiles};

/// Microseconds as milliseconds.
const MS: f64 = 0.001;
/// So many messages of errors are kept, the first ones.
const KEPT: usize = 5;

/// What is counted while tables are played.
#[derive(Debug, Default)]
pub struct Measured {
    /// Tables that were opened, and that came to their end.
    pub opened: u64,
    /// See there.
    pub finished: u64,
    /// Answers that were sent for the first time.
    pub acts: u64,
    /// Answers that were acknowledged,
    pub acknowledged: u64,
    /// of these by a server that had taken them before.
    pub repeated: u64,
    /// Answers that were acknowledged and are not there any more.
    pub lost: u64,
    /// Answers that are there and were not sent, or more than once.
    pub doubled: u64,
    /// Answers that the replay of a game that is over was held against.
    pub proved: u64,
    /// Connections that were made again.
    pub reconnects: u64,
    /// Viewers who saw nothing of an answer: its effect was hidden from them, or came with the next.
    pub unseen: u64,
    /// From the answer to its acknowledgement, in microseconds.
    pub act_to_ack: Histogram,
    /// From the answer to what any viewer saw next.
    pub act_to_seen: Histogram,
    /// From the answer to what the last of all viewers saw next.
    pub act_to_all: Histogram,
    /// From the answer of a lone person to its next question: agents have decided.
    pub act_to_asked: Histogram,
    /// From the start of the server to the first frame of any viewer.
    pub restart: Histogram,
    /// Bytes of the first frame of a viewer, of later ones, and of patches.
    pub first_frames: Histogram,
    /// See there.
    pub frames: Histogram,
    /// See there.
    pub patches: Histogram,
    /// Bytes of everything that was told.
    pub bytes: u64,
    errors: BTreeMap<String, u64>,
    first_errors: Vec<String>,
}

impl Measured {
    /// Something went wrong, of this kind.
    pub fn error(&mut self, kind: &str, message: &str) {
        *self.errors.entry(kind.to_owned()).or_default() += 1;
        if self.first_errors.len() < KEPT {
            self.first_errors.push(format!("{kind}: {message}"));
        }
    }

    /// What is told of it.
    pub fn report(self, setting: Setting, played: Duration, server: Option<ServerUse>) -> Report {
        let seconds = played.as_secs_f64();
        let cores = |cpu: Option<Duration>| cpu.map(|cpu| cpu.as_secs_f64() / seconds.max(1e-9));
        Report {
            format: 1,
            setting,
            seconds,
            opened: self.opened,
            finished: self.finished,
            acts: self.acts,
            acknowledged: self.acknowledged,
            repeated: self.repeated,
            lost: self.lost,
            doubled: self.doubled,
            proved: self.proved,
            reconnects: self.reconnects,
            unseen: self.unseen,
            act_to_ack_ms: self.act_to_ack.percentiles(MS),
            act_to_seen_ms: self.act_to_seen.percentiles(MS),
            act_to_all_ms: self.act_to_all.percentiles(MS),
            act_to_asked_ms: self.act_to_asked.percentiles(MS),
            restart_ms: self.restart.percentiles(MS),
            first_frame_bytes: self.first_frames.percentiles(1.0),
            frame_bytes: self.frames.percentiles(1.0),
            patch_bytes: self.patches.percentiles(1.0),
            bytes: self.bytes,
            errors: self.errors,
            first_errors: self.first_errors,
            server: server.map(|used| ServerReport {
                cores: cores(used.cpu),
                memory_bytes: used.memory,
                memory_peak_bytes: used.peak,
                idle_socket_bytes: used.idle_socket,
                kills: used.kills,
            }),
        }
    }
}

/// What was played.
#[derive(Clone, Debug, Serialize)]
pub struct Setting {
    /// The game and preset.
    pub game: String,
    /// Tables that were played side by side.
    pub tables: usize,
    /// Seats of each that sockets play.
    pub people: usize,
    /// Agents of the server at the others.
    pub agents: Vec<String>,
    /// Sockets that watch each.
    pub watchers: usize,
    /// Time between two answers at a table, in seconds.
    pub every: f64,
    /// Seed of the choices.
    pub seed: u64,
    /// Sockets that only watched a table at which nothing happened.
    pub idle: usize,
}

/// What a server of our own took.
#[derive(Clone, Debug, Default)]
pub struct ServerUse {
    /// Processor time while tables were played; `None` where the system does not tell, or it was killed meanwhile.
    pub cpu: Option<Duration>,
    /// Bytes of memory at the end,
    pub memory: Option<u64>,
    /// and at most.
    pub peak: Option<u64>,
    /// Bytes for a socket at which nothing happens.
    pub idle_socket: Option<f64>,
    /// How often it was killed.
    pub kills: u64,
}

/// What a run tells.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The form of this report.
    pub format: u32,
    /// What was played.
    #[serde(flatten)]
    pub setting: Setting,
    /// For how long.
    pub seconds: f64,
    /// Tables that were opened.
    pub opened: u64,
    /// Tables that came to their end.
    pub finished: u64,
    /// Answers that were sent.
    pub acts: u64,
    /// Answers that were acknowledged.
    pub acknowledged: u64,
    /// Of these, when they were sent again.
    pub repeated: u64,
    /// Acknowledged answers that are gone.
    pub lost: u64,
    /// Answers that are there too often.
    pub doubled: u64,
    /// Answers that stand in the replays of games that are over, each in its place.
    pub proved: u64,
    /// Connections that were made again.
    pub reconnects: u64,
    /// Viewers who were shown nothing of an answer before the next.
    pub unseen: u64,
    /// Milliseconds from an answer to its acknowledgement,
    pub act_to_ack_ms: Option<Percentiles>,
    /// to the next that a viewer was shown,
    pub act_to_seen_ms: Option<Percentiles>,
    /// to when all were shown something,
    pub act_to_all_ms: Option<Percentiles>,
    /// and, at tables with one person, to its next question.
    pub act_to_asked_ms: Option<Percentiles>,
    /// Milliseconds from the start of a killed server to the first frame.
    pub restart_ms: Option<Percentiles>,
    /// Bytes of the first message with a frame,
    pub first_frame_bytes: Option<Percentiles>,
    /// of later ones,
    pub frame_bytes: Option<Percentiles>,
    /// and of those that change it.
    pub patch_bytes: Option<Percentiles>,
    /// Bytes of all messages of the server.
    pub bytes: u64,
    /// How often what went wrong.
    pub errors: BTreeMap<String, u64>,
    /// The first of them in words.
    pub first_errors: Vec<String>,
    /// What the server took, if it was started for this.
    pub server: Option<ServerReport>,
}

/// What the server took.
#[derive(Clone, Debug, Serialize)]
pub struct ServerReport {
    /// Cores that were busy for it.
    pub cores: Option<f64>,
    /// Its memory at the end.
    pub memory_bytes: Option<u64>,
    /// Its memory at most.
    pub memory_peak_bytes: Option<u64>,
    /// Memory of a socket at which nothing happens.
    pub idle_socket_bytes: Option<f64>,
    /// How often it was killed.
    pub kills: u64,
}

impl Report {
    /// Whether everything that was sent was taken once, and nothing went wrong.
    pub fn is_well(&self) -> bool {
        self.lost == 0 && self.doubled == 0 && self.errors.is_empty() && self.acknowledged > 0
    }
}
