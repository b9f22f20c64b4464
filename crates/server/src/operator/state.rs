//! State for the operator's pages: bans, recent writes, lag.

use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::jobs::gate::Gate;
use crate::key;
use crate::key::KeyHash;
use crate::limits::party::subscriber;

/// Number of visitors' recent writes that are kept.
const MAX_VISITS: usize = 40;
/// The interval at which the event loop's lag is measured.
const LAG_INTERVAL: Duration = Duration::from_millis(250);
/// The window of the worst lag, in beats of [`LAG_INTERVAL`]: one minute.
const LAG_WINDOW_BEATS: usize = 240;

#[derive(Clone, Debug)]
pub struct Visit {
    pub address: IpAddr,
    pub path: String,
    pub status: u16,
    pub at: Instant,
}

pub struct Operation {
    /// The hash of the operator's key; `None` without an operator.
    key: Option<KeyHash>,
    began: Instant,
    /// Days for which finished tables are kept; `None` for ever.
    pub keep_days: Option<u32>,
    /// Pauses jobs while the server is late.
    pub gate: Gate,
    /// Banned addresses. Each stands for its subscriber.
    banned: watch::Sender<BTreeSet<IpAddr>>,
    visits: Mutex<VecDeque<Visit>>,
    /// The worst lag in the last minute, in µs.
    lag_us: AtomicU64,
    sockets: AtomicUsize,
}

/// A guard that counts one open socket until it is dropped.
pub struct OpenSocket(Arc<Operation>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Operation {
    pub fn new(key: Option<&str>, keep_days: Option<u32>, banned: impl IntoIterator<Item = IpAddr>) -> Self {
        Self {
            key: key.map(key::hash),
            began: Instant::now(),
            keep_days,
            gate: Gate::default(),
            banned: watch::Sender::new(banned.into_iter().collect()),
            visits: Mutex::default(),
            lag_us: AtomicU64::new(0),
            sockets: AtomicUsize::new(0),
        }
    }

    /// The time since the server started.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// The worst lag of the event loop in the last minute.
    pub fn lag(&self) -> Duration {
        Duration::from_micros(self.lag_us.load(Ordering::Relaxed))
    }

    pub fn open_socket(self: &Arc<Self>) -> OpenSocket {
        self.sockets.fetch_add(1, Ordering::Relaxed);
        OpenSocket(Arc::clone(self))
    }

    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    /// Recent writes of visitors, newest first.
    pub fn visits(&self) -> Vec<Visit> {
        lock(&self.visits).iter().rev().cloned().collect()
    }

    pub fn banned(&self) -> Vec<IpAddr> {
        self.banned.borrow().iter().copied().collect()
    }

    /// Measures the event loop's lag, for ever.
    pub async fn beat(&self) {
        let mut last = VecDeque::new();
        loop {
            let due = Instant::now() + LAG_INTERVAL;
            tokio::time::sleep(LAG_INTERVAL).await;
            let lag = due.elapsed();
            self.gate.measured(lag);
            last.push_back(lag.as_micros() as u64);
            if last.len() > LAG_WINDOW_BEATS {
                last.pop_front();
            }
            self.lag_us.store(last.iter().copied().max().unwrap_or(0), Ordering::Relaxed);
        }
    }

    pub fn has_operator(&self) -> bool {
        self.key.is_some()
    }

    /// Returns true if this is the operator's key.
    pub fn is_key(&self, given: &str) -> bool {
        self.key.is_some_and(|own| key::hash(given) == own)
    }

    pub fn is_banned(&self, address: IpAddr) -> bool {
        covers(&self.banned.borrow(), address)
    }

    /// Waits until this address is banned.
    pub async fn until_banned(&self, address: IpAddr) {
        let mut banned = self.banned.subscribe();
        // `self` owns the sender, so waiting does not fail.
        drop(banned.wait_for(|banned| covers(banned, address)).await);
    }

    pub fn ban(&self, address: IpAddr) {
        self.banned.send_if_modified(|banned| banned.insert(address));
    }

    pub fn pardon(&self, address: IpAddr) {
        self.banned.send_if_modified(|banned| banned.remove(&address));
    }

    pub fn remember(&self, visit: Visit) {
        let mut visits = lock(&self.visits);
        if visits.len() >= MAX_VISITS {
            visits.pop_front();
        }
        visits.push_back(visit);
    }
}

fn covers(banned: &BTreeSet<IpAddr>, address: IpAddr) -> bool {
    banned.iter().any(|banned| subscriber(*banned) == subscriber(address))
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The resident memory of the process in bytes, where the system reports it.
pub fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
