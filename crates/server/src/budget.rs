//! What strangers may use up: tables, sockets, messages, uploads, and processor time of jobs.
//!
//! Each party has a bucket of each that fills up again with time, so that a class that shares one address can begin at once
//! and nobody can go on without end. Members have a bucket of their own; guests share that of their address. Networks of
//! [`Limits::exempt`] are not counted. Which address a visitor has is decided in one place ([`Budgets::visitor`]): that of its
//! connection, or what a proxy says of which [`Limits::trusted`] knows.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::party::Party;
use crate::time::Time;

/// Parties that are known at once; beyond it, those whose buckets are full are forgotten.
const MAX_KNOWN: usize = 50_000;

/// A network: an address and how many of its bits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether an address is one of it.
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

/// Whom budgets do not count, and who says where visitors come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Proxies whose header `X-Forwarded-For` is believed.
    pub trusted: Vec<Network>,
    /// Networks whose visitors are not counted.
    pub exempt: Vec<Network>,
}

/// Something that is used up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Budget {
    /// Tables that are opened.
    Tables,
    /// Messages of sockets, and forms.
    Messages,
    /// Bytes of replays, compressed.
    UploadBytes,
    /// Seconds of processors that jobs take.
    JobSeconds,
}

/// How much a bucket holds, and how much comes back in a second.
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
            // Nobody fills all that there is.
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
    left: f64,
    at_ms: u64,
}

/// All buckets.
pub struct Budgets {
    limits: Limits,
    upload_bytes: f64,
    time: Time,
    buckets: Mutex<BTreeMap<(Party, Budget), Bucket>>,
    sockets: Mutex<BTreeMap<Party, usize>>,
}

/// A socket that counts on a party's account as long as this is kept.
pub struct OwnSocket {
    budgets: Arc<Budgets>,
    party: Party,
}

impl Drop for OwnSocket {
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
    /// Nothing is used yet. Uploads share so many bytes.
    pub fn new(limits: Limits, upload_bytes: u64, time: Time) -> Self {
        let (buckets, sockets) = (Mutex::default(), Mutex::default());
        Self { limits, upload_bytes: upload_bytes as f64, time, buckets, sockets }
    }

    /// Where a visitor comes from: its connection's other end, or of what a proxy that is trusted has been told the last address
    /// that is no such proxy.
    pub fn visitor<'a>(&self, peer: IpAddr, forwarded: impl DoubleEndedIterator<Item = &'a str>) -> IpAddr {
        let is_trusted = |address| self.limits.trusted.iter().any(|network| network.contains(address));
        let mut visitor = peer.to_canonical();
        for text in forwarded.flat_map(|line| line.split(',')).collect::<Vec<_>>().into_iter().rev() {
            if !is_trusted(visitor) {
                break;
            }
            // What is no address was not written by a proxy of ours.
            let Ok(before) = text.trim().parse::<IpAddr>() else { break };
            visitor = before.to_canonical();
        }
        visitor
    }

    /// On whose account a visitor's requests count: a member's account, or its address.
    pub fn party(&self, address: IpAddr, account: Option<&str>) -> Party {
        if self.limits.exempt.iter().any(|network| network.contains(address)) {
            return Party::Exempt;
        }
        account.map_or_else(|| Party::of_address(address), |account| Party::Account(account.to_owned()))
    }

    /// Takes so much of a party's bucket.
    ///
    /// # Errors
    /// If there is less, for people; nothing is taken then.
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

    /// Does something, and takes so much for each second that it takes, however much there is. While the process is stopped no time
    /// goes by.
    pub fn charging<T>(
        &self,
        party: &Party,
        budget: Budget,
        per_second: f64,
        doing: impl FnOnce() -> T,
    ) -> T {
        let began = self.time.now_ms();
        let done = doing();
        let seconds = self.time.now_ms().saturating_sub(began) as f64 / 1000.0;
        self.change(party, budget, |left| *left -= seconds * per_second);
        done
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

    /// Changes a bucket as full as it is now; nothing for parties that are not counted.
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

    /// Counts a socket more.
    ///
    /// # Errors
    /// If the party has as many as it may, for people.
    pub fn open_socket(self: &Arc<Self>, party: Party) -> Result<OwnSocket, String> {
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
        Ok(OwnSocket { budgets: Arc::clone(self), party })
    }

    /// Jobs that a party may have waiting or played at once, of each kind.
    pub fn most_jobs(party: &Party) -> usize {
        match party {
            Party::Exempt => usize::MAX,
            Party::Account(_) => 4,
            Party::Address(_) => 8,
        }
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
