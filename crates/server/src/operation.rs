//! What a server knows for its operator: who is turned away, who wrote what, how late it is.

use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::gate::Gate;
use crate::key::{self, KeyHash};

/// Writes of visitors that the operator sees.
const REMEMBERED: usize = 40;
/// How often the loop's lag is measured.
const BEAT: Duration = Duration::from_millis(250);
/// Beats that the worst lag is taken over: a minute's.
const BEATS: usize = 240;

/// Somebody wrote something.
#[derive(Clone, Debug)]
pub struct Visit {
    /// From where.
    pub address: IpAddr,
    /// What it was sent to.
    pub path: String,
    /// What was answered.
    pub status: u16,
    /// When.
    pub at: Instant,
}

/// What is known for the operator.
pub struct Operation {
    /// What opens the page; nobody has it if there is no operator.
    key: Option<KeyHash>,
    began: Instant,
    /// Days for which tables are kept that are over; for ever if there are none.
    pub keep_days: Option<u32>,
    /// Where jobs wait while the server is late.
    pub gate: Gate,
    banned: Mutex<BTreeSet<IpAddr>>,
    visits: Mutex<VecDeque<Visit>>,
    lag_us: AtomicU64,
    sockets: AtomicUsize,
}

/// A socket that counts as long as this is kept.
pub struct OpenSocket(Arc<Operation>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Operation {
    /// For whoever has this key.
    pub fn new(key: Option<&str>, keep_days: Option<u32>, banned: impl IntoIterator<Item = IpAddr>) -> Self {
        Self {
            key: key.map(key::hash),
            began: Instant::now(),
            keep_days,
            gate: Gate::default(),
            banned: Mutex::new(banned.into_iter().collect()),
            visits: Mutex::default(),
            lag_us: AtomicU64::new(0),
            sockets: AtomicUsize::new(0),
        }
    }

    /// How long the server runs.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// How late the server came to what was due, at worst in the last minute.
    pub fn lag(&self) -> Duration {
        Duration::from_micros(self.lag_us.load(Ordering::Relaxed))
    }

    /// Counts one socket more.
    pub fn open_socket(self: &Arc<Self>) -> OpenSocket {
        self.sockets.fetch_add(1, Ordering::Relaxed);
        OpenSocket(Arc::clone(self))
    }

    /// How many sockets are open.
    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    /// What visitors wrote, last first.
    pub fn visits(&self) -> Vec<Visit> {
        lock(&self.visits).iter().rev().cloned().collect()
    }

    /// The addresses that are turned away.
    pub fn banned(&self) -> Vec<IpAddr> {
        lock(&self.banned).iter().copied().collect()
    }

    /// Measures the loop's lag without end.
    pub async fn beat(&self) {
        let mut last = VecDeque::new();
        loop {
            let due = Instant::now() + BEAT;
            tokio::time::sleep(BEAT).await;
            let lag = due.elapsed();
            self.gate.measured(lag);
            last.push_back(lag.as_micros() as u64);
            if last.len() > BEATS {
                last.pop_front();
            }
            self.lag_us.store(last.iter().copied().max().unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// Whether there is somebody with a key.
    pub fn has_operator(&self) -> bool {
        self.key.is_some()
    }

    /// Whether this is the key.
    pub fn is_key(&self, given: &str) -> bool {
        self.key.is_some_and(|own| key::hash(given) == own)
    }

    /// Whether an address is turned away.
    pub fn is_banned(&self, address: IpAddr) -> bool {
        lock(&self.banned).contains(&address)
    }

    /// Turns an address away.
    pub fn ban(&self, address: IpAddr) {
        lock(&self.banned).insert(address);
    }

    /// Lets an address in again.
    pub fn pardon(&self, address: IpAddr) {
        lock(&self.banned).remove(&address);
    }

    /// Remembers what somebody wrote.
    pub fn remember(&self, visit: Visit) {
        let mut visits = lock(&self.visits);
        if visits.len() >= REMEMBERED {
            visits.pop_front();
        }
        visits.push_back(visit);
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much memory the process has, in bytes, where the system tells.
pub fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
