//! Measurements, and the report of them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::histogram::{LatencyHistogram, Percentiles};

/// Milliseconds per microsecond.
const MS: f64 = 0.001;
/// Number of error messages that the report keeps.
const KEPT: usize = 5;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    pub opened: u64,
    /// Finished tables.
    pub finished: u64,
    pub acts: u64,
    pub acknowledged: u64,
    /// Acknowledged answers that the server had accepted before.
    pub repeated: u64,
    /// Acknowledged answers that the server no longer has.
    pub lost: u64,
    /// Answers that the server has stored more often than they were sent.
    pub doubled: u64,
    /// Answers verified in the replays of finished games.
    pub proved: u64,
    /// Connections that were reopened.
    pub reconnects: u64,
    /// Number of times that a viewer got no message between two answers. The effect of the first one was
    /// hidden from the viewer, or came after the second.
    pub unseen: u64,
    pub bytes: u64,
}

/// Latencies of answers: a [`LatencyHistogram`] of microseconds while measuring, percentiles of milliseconds
/// in the report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Latencies<T> {
    /// From an answer to its acknowledgement.
    pub act_to_ack_ms: T,
    /// From an answer to the next message of a viewer, counted once for each viewer.
    pub act_to_seen_ms: T,
    /// From an answer to the moment when all viewers have received a message.
    pub act_to_all_ms: T,
    /// From an answer to the player's next question. Counted only at tables with one person, where just
    /// agents decide in between.
    pub act_to_asked_ms: T,
}

/// Sizes of messages in bytes; generic like [`Latencies`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sizes<T> {
    /// The first frame of a viewer.
    pub first_frame_bytes: T,
    /// Later frames.
    pub frame_bytes: T,
    /// Patches.
    pub patch_bytes: T,
    /// Frames sent to open pages of people.
    pub tab_frame_bytes: T,
    /// Patches with a question, sent to open pages of people.
    pub tab_question_bytes: T,
    /// All other patches sent to open pages of people.
    pub tab_patch_bytes: T,
}

impl Latencies<LatencyHistogram> {
    fn summary(&self) -> Latencies<MaybePercentiles> {
        Latencies {
            act_to_ack_ms: self.act_to_ack_ms.percentiles(MS),
            act_to_seen_ms: self.act_to_seen_ms.percentiles(MS),
            act_to_all_ms: self.act_to_all_ms.percentiles(MS),
            act_to_asked_ms: self.act_to_asked_ms.percentiles(MS),
        }
    }
}

impl Sizes<LatencyHistogram> {
    fn summary(&self) -> Sizes<MaybePercentiles> {
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

/// `None` if the histogram is empty.
type MaybePercentiles = Option<Percentiles>;

/// Presence of a laboratory run on the tested server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Company {
    /// No run is being played.
    #[default]
    Alone,
    /// A run is being played.
    Beside,
}

#[derive(Debug, Default)]
pub struct Measured {
    pub counts: Counts,
    pub sizes: Sizes<LatencyHistogram>,
    /// From a kill of the server to the next frame of any viewer, in µs.
    pub restart: LatencyHistogram,
    /// Presence of a laboratory run now. It selects the histograms that latencies are added to.
    pub company: Company,
    alone: Latencies<LatencyHistogram>,
    beside: Latencies<LatencyHistogram>,
    errors: BTreeMap<String, u64>,
    first_errors: Vec<String>,
}

impl Measured {
    /// The histograms to which current latencies belong.
    pub fn times(&mut self) -> &mut Latencies<LatencyHistogram> {
        match self.company {
            Company::Alone => &mut self.alone,
            Company::Beside => &mut self.beside,
        }
    }

    pub fn error(&mut self, kind: &str, message: &str) {
        *self.errors.entry(kind.to_owned()).or_default() += 1;
        if self.first_errors.len() < KEPT {
            self.first_errors.push(format!("{kind}: {message}"));
        }
    }

    pub fn report(
        self,
        setting: LoadSetting,
        played: Duration,
        beside: Option<BesideUse>,
        server: Option<ServerUse>,
    ) -> LoadReport {
        let beside = beside.map(|used| BesideReport {
            run: used.run,
            seconds: used.played.as_secs_f64(),
            episodes: used.episodes,
            times: self.beside.summary(),
            cores: cores(used.cpu, used.played),
        });
        // For the rest of the time, the tables were played without the run.
        let alone = played
            .saturating_sub(Duration::from_secs_f64(beside.as_ref().map_or(0.0, |report| report.seconds)));
        LoadReport {
            format: 1,
            setting,
            seconds: played.as_secs_f64(),
            counts: self.counts,
            times: self.alone.summary(),
            restart_ms: self.restart.percentiles(MS),
            sizes: self.sizes.summary(),
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

#[derive(Clone, Debug, Serialize)]
pub struct LoadSetting {
    pub game: String,
    /// Number of tables that were played in parallel.
    pub tables: usize,
    /// Number of seats at each table that sockets played.
    pub people: usize,
    pub agents: Vec<String>,
    /// Number of sockets that watched each table.
    pub watchers: usize,
    /// True if each person also had the page open.
    pub tabs: bool,
    /// Time between two answers at a table, in seconds.
    pub every: f64,
    pub seed: u64,
    /// Number of sockets that only watched a table at which nothing happened.
    pub idle: usize,
}

/// Resources used by a run of the laboratory beside the tables.
#[derive(Clone, Debug, Default)]
pub struct BesideUse {
    /// Game and agents of the run.
    pub run: String,
    /// Time during which both tables and run were played.
    pub played: Duration,
    /// Episodes of the run.
    pub episodes: u64,
    /// Processor time of the server during that time; `None` if the system does not report it.
    pub cpu: Option<Duration>,
}

/// Resources used by a server that the test has started.
#[derive(Clone, Debug, Default)]
pub struct ServerUse {
    /// Processor time while tables were played alone; `None` if the system does not report it, or with kills.
    pub cpu: Option<Duration>,
    pub memory: Option<u64>,
    /// Peak of memory, in bytes.
    pub peak: Option<u64>,
    /// Memory of a socket at which nothing happens, in bytes.
    pub idle_socket: Option<f64>,
    pub kills: u64,
}

/// The report of a load test.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport {
    /// Format version.
    pub format: u32,
    #[serde(flatten)]
    pub setting: LoadSetting,
    /// Duration of play, in seconds.
    pub seconds: f64,
    #[serde(flatten)]
    pub counts: Counts,
    /// Latencies while the tables were alone.
    #[serde(flatten)]
    pub times: Latencies<Option<Percentiles>>,
    /// Milliseconds from a kill of the server to the next frame of any viewer.
    pub restart_ms: Option<Percentiles>,
    /// Sizes of messages.
    #[serde(flatten)]
    pub sizes: Sizes<Option<Percentiles>>,
    pub errors: BTreeMap<String, u64>,
    /// Messages of the first errors.
    pub first_errors: Vec<String>,
    /// Results beside a laboratory run, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<BesideReport>,
    /// Resources of the server, if the test has started it.
    pub server: Option<ServerReport>,
}

/// Results of tables played beside a run of the laboratory.
#[derive(Clone, Debug, Serialize)]
pub struct BesideReport {
    pub run: String,
    /// Duration of play, in seconds.
    pub seconds: f64,
    /// Episodes that the run has played in this time.
    pub episodes: u64,
    #[serde(flatten)]
    pub times: Latencies<Option<Percentiles>>,
    /// Mean number of busy cores of the server in this time.
    pub cores: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ServerReport {
    /// Mean number of busy cores of the server while tables were played alone.
    pub cores: Option<f64>,
    /// Memory of the server at the end, in bytes.
    pub memory_bytes: Option<u64>,
    /// Peak of the server's memory, in bytes.
    pub memory_peak_bytes: Option<u64>,
    /// Memory of an idle socket, in bytes.
    pub idle_socket_bytes: Option<f64>,
    pub kills: u64,
}

impl LoadReport {
    /// True if every answer was accepted exactly once, without errors.
    pub fn is_well(&self) -> bool {
        let Counts { lost, doubled, acknowledged, .. } = self.counts;
        lost == 0 && doubled == 0 && self.errors.is_empty() && acknowledged > 0
    }
}
