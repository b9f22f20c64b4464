//! The party that is charged for usage; rate limits apply per party.
//!
//! A request's party is available to everything it does ([`current`]), so that everything it starts is
//! charged to the same party.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};

use crate::key::KeyHash;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// The server's own work, and visitors of exempt networks. Nothing is counted.
    Exempt,
    /// By account.
    Account(String),
    /// By address. Of IPv6 only the first 64 bits count, because one subscriber has all the rest.
    Address(IpAddr),
}

impl Party {
    pub fn of_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(long) => Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 64)).into(),
            short => short,
        })
    }
}

/// The identity of whoever started a job, for stopping it later.
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

/// Runs a future on a party's account.
pub async fn on_account_of<T>(party: Party, doing: impl Future<Output = T>) -> T {
    started_by(Starter { party, key: None }, doing).await
}

/// Runs a future in a starter's name.
pub async fn started_by<T>(starter: Starter, doing: impl Future<Output = T>) -> T {
    CURRENT.scope(starter, doing).await
}
