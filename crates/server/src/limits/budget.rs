//! Rate limits for visitors: tables, sockets, messages, uploads, and processor time of jobs.
//!
//! Each party has a token bucket per budget. Its capacity lets a group behind one address start at once, and
//! its refill rate bounds sustained use. Members have their own buckets; guests share those of their address.
//! Networks of [`Limits::exempt`] are not counted. [`Budgets::visitor`] alone determines a visitor's address:
//! the connection's peer, or the address that a proxy of [`Limits::trusted`] reports.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::party::Party;
use crate::time::Time;

/// Upper bound on buckets in memory. Beyond it, full buckets are dropped.
const MAX_KNOWN: usize = 50_000;

/// A network in CIDR form: an address and its prefix length in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected a network, as 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32, found '{text}'");
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| wrong()))?;
        if bits > most { Err(wrong()) } else { Ok(Self { address, bits }) }
    }
}

impl Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

/// Exempt networks and trusted proxies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Proxies whose header `X-Forwarded-For` is trusted.
    pub trusted: Vec<Network>,
    /// Networks whose visitors have no limits.
    pub exempt: Vec<Network>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Budget {
    Tables,
    /// Messages on sockets, and submitted forms.
    Messages,
    /// Bytes of uploads, compressed, and of the steps of continued replays.
    UploadBytes,
    /// Processor seconds of jobs, over all threads.
    JobSeconds,
}

struct Size {
    capacity: f64,
    per_second: f64,
}

impl Budget {
    fn size(self, party: &Party, upload_bytes: f64) -> Size {
        const DAY: f64 = 86_400.0;
        let size = |capacity, per_second| Size { capacity, per_second };
        let is_member = matches!(party, Party::Account(_));
        match (self, is_member) {
            (Self::Tables, false) => size(200.0, 0.2),
            (Self::Tables, true) => size(60.0, 0.05),
            (Self::Messages, false) => size(3_000.0, 200.0),
            (Self::Messages, true) => size(500.0, 20.0),
            // A bucket holds a quarter of the storage, and refills in a day.
            (Self::UploadBytes, _) => size(upload_bytes / 4.0, upload_bytes / 4.0 / DAY),
            (Self::JobSeconds, false) => size(7_200.0, 0.5),
            (Self::JobSeconds, true) => size(1_800.0, 0.1),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Tables => "new tables",
            Self::Messages => "messages",
            Self::UploadBytes => "bytes of replays",
            Self::JobSeconds => "seconds of processor time for runs and competitions",
        }
    }
}

#[derive(Clone, Copy)]
struct Bucket {
    /// The content at the time `at_ms`, which is negative if overdrawn.
    left: f64,
    at_ms: u64,
}

pub struct Budgets {
    limits: Limits,
    upload_bytes: f64,
    time: Time,
    buckets: Mutex<BTreeMap<(Party, Budget), Bucket>>,
    sockets: Mutex<BTreeMap<Party, usize>>,
}

/// A guard that counts one open socket of a party until it is dropped.
pub struct SocketPermit {
    budgets: Arc<Budgets>,
    party: Party,
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        let mut sockets = lock(&self.budgets.sockets);
        if let Some(count) = sockets.get_mut(&self.party) {
            *count -= 1;
            if *count == 0 {
                sockets.remove(&self.party);
            }
        }
    }
}

impl Budgets {
    /// Full buckets. `upload_bytes` is the storage of all uploads, in bytes.
    pub fn new(limits: Limits, upload_bytes: u64, time: Time) -> Self {
        let (buckets, sockets) = (Mutex::default(), Mutex::default());
        Self { limits, upload_bytes: upload_bytes as f64, time, buckets, sockets }
    }

    /// The visitor's address: the last address in the chain of the connection's peer and `X-Forwarded-For`
    /// that is not a trusted proxy. `forwarded` has the header's parts, in order; visitors can send any bytes
    /// before those that proxies add.
    pub fn visitor<'a>(&self, peer: IpAddr, forwarded: impl DoubleEndedIterator<Item = &'a [u8]>) -> IpAddr {
        let mut visitor = peer.to_canonical();
        // Empty parts of a list mean nothing (RFC 9110, 5.6.1).
        for part in forwarded.rev().filter(|part| !part.is_empty()) {
            if !self.is_trusted(visitor) {
                break;
            }
            // Trusted proxies write addresses only, so anything else ends the chain.
            let Some(before) = forwarded_address(part) else { break };
            visitor = before.to_canonical();
        }
        visitor
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.limits.trusted.iter().any(|network| network.contains(address))
    }

    /// The party that a connection from this peer counts for. Trusted proxies have those of all visitors.
    pub fn connecting_party(&self, peer: IpAddr) -> Party {
        if self.is_trusted(peer) { Party::Exempt } else { self.party(peer, None) }
    }

    /// The party that a request is charged to: the member's account, or the address.
    pub fn party(&self, address: IpAddr, account: Option<&str>) -> Party {
        if self.limits.exempt.iter().any(|network| network.contains(address)) {
            return Party::Exempt;
        }
        account.map_or_else(|| Party::of_address(address), |account| Party::Account(account.to_owned()))
    }

    /// Takes an amount from a party's bucket. If the bucket holds less, takes nothing and returns a text for
    /// people.
    pub fn spend(&self, party: &Party, budget: Budget, amount: f64) -> Result<(), String> {
        self.change(party, budget, |left| {
            if *left < amount {
                return Err(());
            }
            *left -= amount;
            Ok(())
        })
        .unwrap_or(Ok(()))
        .map_err(|()| self.refusal(party, budget))
    }

    /// Runs `doing` and charges `per_second` for each second of its duration, even beyond what the bucket
    /// holds. Time while the process is stopped is free.
    pub fn charge_duration<T>(
        &self,
        party: &Party,
        budget: Budget,
        per_second: f64,
        doing: impl FnOnce() -> T,
    ) -> T {
        let began = self.time.now_ms();
        let done = doing();
        let seconds = self.time.now_ms().saturating_sub(began) as f64 / 1000.0;
        drop(self.charge(party, budget, seconds * per_second));
        done
    }

    /// Takes an amount from a party's bucket, even beyond what it holds.
    ///
    /// # Errors
    /// If the bucket is overdrawn now. The text is for people.
    pub fn charge(&self, party: &Party, budget: Budget, amount: f64) -> Result<(), String> {
        let left = self.change(party, budget, |left| {
            *left -= amount;
            *left
        });
        if left.is_some_and(|left| left < 0.0) { Err(self.refusal(party, budget)) } else { Ok(()) }
    }

    pub fn now_ms(&self) -> u64 {
        self.time.now_ms()
    }

    fn refusal(&self, party: &Party, budget: Budget) -> String {
        let Size { capacity, per_second } = budget.size(party, self.upload_bytes);
        let whom = if matches!(party, Party::Account(_)) { "an account" } else { "an address" };
        format!(
            "expected at most {capacity:.0} {} at once of {whom}, and {:.0} more in an hour, found more\n\
             hint: wait a little; the operator can exempt a network: meeple serve --exempt",
            budget.words(),
            per_second * 3600.0
        )
    }

    /// Refills a bucket up to the present and changes it. Returns `None` for exempt parties.
    fn change<T>(&self, party: &Party, budget: Budget, change: impl FnOnce(&mut f64) -> T) -> Option<T> {
        if *party == Party::Exempt {
            return None;
        }
        let now = self.time.now_ms();
        let full = |key: &(Party, Budget)| key.1.size(&key.0, self.upload_bytes);
        let filled = |key: &(Party, Budget), bucket: Bucket| {
            let Size { capacity, per_second } = full(key);
            let since = now.saturating_sub(bucket.at_ms) as f64 / 1000.0;
            (bucket.left + since * per_second).min(capacity)
        };
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= MAX_KNOWN {
            buckets.retain(|key, bucket| filled(key, *bucket) < full(key).capacity);
        }
        let key = (party.clone(), budget);
        let known = buckets.get(&key).copied();
        let mut left = known.map_or_else(|| full(&key).capacity, |bucket| filled(&key, bucket));
        let changed = change(&mut left);
        buckets.insert(key, Bucket { left, at_ms: now });
        Some(changed)
    }

    /// Counts another open socket of a party, up to its limit.
    pub fn open_socket(self: &Arc<Self>, party: Party) -> Result<SocketPermit, String> {
        let most = match party {
            Party::Exempt => usize::MAX,
            Party::Account(_) => 60,
            Party::Address(_) => 500,
        };
        let mut sockets = lock(&self.sockets);
        let count = sockets.entry(party.clone()).or_default();
        if *count >= most {
            return Err(format!(
                "expected at most {most} open pages of tables of one visitor, found more\nhint: close some; the operator can \
                 exempt a network: meeple serve --exempt"
            ));
        }
        *count += 1;
        Ok(SocketPermit { budgets: Arc::clone(self), party })
    }

    /// Upper bound on a party's waiting and running jobs, of each kind.
    pub fn most_jobs(party: &Party) -> usize {
        match party {
            Party::Exempt => usize::MAX,
            Party::Account(_) => 4,
            Party::Address(_) => 8,
        }
    }
}

/// An address as proxies write it: possibly with a port, and in IPv6 possibly in brackets.
fn forwarded_address(part: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(part).ok()?;
    if let Ok(with_port) = text.parse::<SocketAddr>() {
        return Some(with_port.ip());
    }
    text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text).parse().ok()
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
