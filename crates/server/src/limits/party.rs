//! The party that is charged for usage; rate limits apply per party.
//!
//! [`current`] is the party of the request that is being handled. Everything that the request starts is
//! charged to this party.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};

use crate::key::KeyHash;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// The server's own work, and visitors from exempt networks. Their usage is not counted.
    Exempt,
    /// A member, by account.
    Account(String),
    /// A guest, by address. In IPv6 only the first 64 bits count, because one subscriber controls the others.
    Address(IpAddr),
}

impl Party {
    pub fn of_address(address: IpAddr) -> Self {
        Self::Address(subscriber(address))
    }
}

/// The address of the subscriber who controls this address: all of IPv4, the first 64 bits of IPv6. Budgets,
/// limits of attempts and bans apply to subscribers.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 64)).into(),
        short => short,
    }
}

/// The starter of a job, who may stop it later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starter {
    pub party: Party,
    /// A guest's secret: the key in the browser's cookie, or the program's bearer token.
    pub key: Option<KeyHash>,
}

impl Starter {
    /// Returns true if both are the same starter. Members are compared by account, guests by key, and guests
    /// without a key by address.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.party, self.key) {
            (Party::Exempt | Party::Address(_), Some(key)) => other.key == Some(key),
            (party, _) => *party == other.party,
        }
    }
}

tokio::task_local! {
    static CURRENT: Starter;
}

/// The party of the current request; [`Party::Exempt`] outside of requests.
pub fn current() -> Party {
    starter().party
}

pub fn starter() -> Starter {
    CURRENT.try_with(Starter::clone).unwrap_or(Starter { party: Party::Exempt, key: None })
}

/// Runs a future whose usage is charged to a party.
pub async fn on_account_of<T>(party: Party, doing: impl Future<Output = T>) -> T {
    started_by(Starter { party, key: None }, doing).await
}

/// Runs a future on behalf of a starter.
pub async fn started_by<T>(starter: Starter, doing: impl Future<Output = T>) -> T {
    CURRENT.scope(starter, doing).await
}
