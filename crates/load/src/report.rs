//! What was measured, and what is told of it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::histogram::{Histogram, Percentiles};

/// Microseconds as milliseconds.
const MS: f64 = 0.001;
/// So many messages of errors are kept, the first ones.
const KEPT: usize = 5;

/// What is counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// Tables that were opened,
    pub opened: u64,
    /// and that came to their end.
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
    /// Answers that stand in the replays of games that are over, each in its place.
    pub proved: u64,
    /// Connections that were made again.
    pub reconnects: u64,
    /// Viewers who saw nothing of an answer: its effect was hidden from them, or came with the next.
    pub unseen: u64,
    /// Bytes of all messages of the server.
    pub bytes: u64,
}

/// How long answers take: as a [`Histogram`] of microseconds while they are counted, as percentiles of
/// milliseconds where they are told.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Times<T> {
    /// From an answer to its acknowledgement,
    pub act_to_ack_ms: T,
    /// to what any viewer saw next,
    pub act_to_seen_ms: T,
    /// to what the last of all viewers saw next,
    pub act_to_all_ms: T,
    /// and, at tables with one person, to its next question: agents have decided.
    pub act_to_asked_ms: T,
}

/// How large messages are, in bytes; as [`Times`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sizes<T> {
    /// The first frame of a viewer,
    pub first_frame_bytes: T,
    /// later ones,
    pub frame_bytes: T,
    /// and what changes them.
    pub patch_bytes: T,
    /// What pages of people are sent, where they are open: frames,
    pub tab_frame_bytes: T,
    /// and patches, of those with a question.
    pub tab_question_bytes: T,
    /// All other patches of theirs.
    pub tab_patch_bytes: T,
}

impl Times<Histogram> {
    fn told(&self) -> Times<Told> {
        Times {
            act_to_ack_ms: self.act_to_ack_ms.percentiles(MS),
            act_to_seen_ms: self.act_to_seen_ms.percentiles(MS),
            act_to_all_ms: self.act_to_all_ms.percentiles(MS),
            act_to_asked_ms: self.act_to_asked_ms.percentiles(MS),
        }
    }
}

impl Sizes<Histogram> {
    fn told(&self) -> Sizes<Told> {
        Sizes {
            first_frame_bytes: self.first_frame_bytes.percentiles(1.0),
            frame_bytes: self.frame_bytes.percentiles(1.0),
            patch_bytes: self.patch_bytes.percentiles(1.0),
            tab_frame_bytes: self.tab_frame_bytes.percentiles(1.0),
            tab_question_bytes: self.tab_question_bytes.percentiles(1.0),
            tab_patch_bytes: self.tab_patch_bytes.percentiles(1.0),
        }
    }
}

/// What is told of a histogram; nothing if it is empty.
type Told = Option<Percentiles>;

/// Whether a run of the laboratory is played at the same server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Company {
    /// There is none, or none was asked for.
    #[default]
    Alone,
    /// There is one.
    Beside,
}

/// What is counted while tables are played.
#[derive(Debug, Default)]
pub struct Measured {
    /// What is counted in all turns.
    pub counts: Counts,
    /// How large messages are.
    pub sizes: Sizes<Histogram>,
    /// From the start of the server to the first frame of any viewer.
    pub restart: Histogram,
    /// Whose turn it is: times are kept apart.
    pub company: Company,
    alone: Times<Histogram>,
    beside: Times<Histogram>,
    errors: BTreeMap<String, u64>,
    first_errors: Vec<String>,
}

impl Measured {
    /// Where times are counted now.
    pub fn times(&mut self) -> &mut Times<Histogram> {
        match self.company {
            Company::Alone => &mut self.alone,
            Company::Beside => &mut self.beside,
        }
    }

    /// Something went wrong, of this kind.
    pub fn error(&mut self, kind: &str, message: &str) {
        *self.errors.entry(kind.to_owned()).or_default() += 1;
        if self.first_errors.len() < KEPT {
            self.first_errors.push(format!("{kind}: {message}"));
        }
    }

    /// What is told of it.
    pub fn report(
        self,
        setting: Setting,
        played: Duration,
        beside: Option<BesideUse>,
        server: Option<ServerUse>,
    ) -> Report {
        let beside = beside.map(|used| BesideReport {
            run: used.run,
            seconds: used.played.as_secs_f64(),
            episodes: used.episodes,
            times: self.beside.told(),
            cores: cores(used.cpu, used.played),
        });
        // In what remains of the time it was played alone.
        let alone =
            played.saturating_sub(Duration::from_secs_f64(beside.as_ref().map_or(0.0, |told| told.seconds)));
        Report {
            format: 1,
            setting,
            seconds: played.as_secs_f64(),
            counts: self.counts,
            times: self.alone.told(),
            restart_ms: self.restart.percentiles(MS),
            sizes: self.sizes.told(),
            errors: self.errors,
            first_errors: self.first_errors,
            beside,
            server: server.map(|used| ServerReport {
                cores: cores(used.cpu, alone),
                memory_bytes: used.memory,
                memory_peak_bytes: used.peak,
                idle_socket_bytes: used.idle_socket,
                kills: used.kills,
            }),
        }
    }
}

fn cores(cpu: Option<Duration>, played: Duration) -> Option<f64> {
    cpu.map(|cpu| cpu.as_secs_f64() / played.as_secs_f64().max(1e-9))
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
    /// Whether each person has the page open, too.
    pub tabs: bool,
    /// Time between two answers at a table, in seconds.
    pub every: f64,
    /// Seed of the choices.
    pub seed: u64,
    /// Sockets that only watched a table at which nothing happened.
    pub idle: usize,
}

/// What a run of the laboratory took that was played beside the tables.
#[derive(Clone, Debug, Default)]
pub struct BesideUse {
    /// Its game and agents.
    pub run: String,
    /// How long both were played.
    pub played: Duration,
    /// How many episodes it came to in its turns.
    pub episodes: u64,
    /// Processor time of both.
    pub cpu: Option<Duration>,
}

/// What a server of our own took.
#[derive(Clone, Debug, Default)]
pub struct ServerUse {
    /// Processor time while tables were played alone; `None` where the system does not tell, or it was killed
    /// meanwhile.
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
    /// What was counted.
    #[serde(flatten)]
    pub counts: Counts,
    /// How long answers took while nothing else was played.
    #[serde(flatten)]
    pub times: Times<Option<Percentiles>>,
    /// Milliseconds from the start of a killed server to the first frame.
    pub restart_ms: Option<Percentiles>,
    /// How large messages were.
    #[serde(flatten)]
    pub sizes: Sizes<Option<Percentiles>>,
    /// How often what went wrong.
    pub errors: BTreeMap<String, u64>,
    /// The first of them in words.
    pub first_errors: Vec<String>,
    /// How long they took while a run of the laboratory was played at the same server, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<BesideReport>,
    /// What the server took, if it was started for this.
    pub server: Option<ServerReport>,
}

/// How tables were played beside a run of the laboratory.
#[derive(Clone, Debug, Serialize)]
pub struct BesideReport {
    /// Its game and agents.
    pub run: String,
    /// For how long.
    pub seconds: f64,
    /// How many episodes of the run were played meanwhile.
    pub episodes: u64,
    /// How long answers took.
    #[serde(flatten)]
    pub times: Times<Option<Percentiles>>,
    /// Cores that were busy for both.
    pub cores: Option<f64>,
}

/// What the server took.
#[derive(Clone, Debug, Serialize)]
pub struct ServerReport {
    /// Cores that were busy for it while tables were played alone.
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
        let Counts { lost, doubled, acknowledged, .. } = self.counts;
        lost == 0 && doubled == 0 && self.errors.is_empty() && acknowledged > 0
    }
}
