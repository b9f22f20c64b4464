//! On whose account something counts: budgets are shared out by it.
//!
//! A request's party is known to everything that is done for it ([`current`]), as whatever it begins counts on the same account.

use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};

use crate::key::KeyHash;

/// On whose account something counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// The server's own work, and visitors of exempt networks: nothing is counted.
    Exempt,
    /// A member, by account.
    Account(String),
    /// Guests, by address; of IPv6 the first 64 bits, which one subscriber has for itself.
    Address(IpAddr),
}

impl Party {
    /// Guests from there.
    pub fn of_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(long) => Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 64)).into(),
            short => short,
        })
    }
}

/// Who has asked for something that goes on by itself, to be known again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starter {
    /// On whose account it counts.
    pub party: Party,
    /// What a guest shows: the key of its browser, or what its program says in `Authorization`.
    pub key: Option<KeyHash>,
}

impl Starter {
    /// Whether that is the same one. Members are known by their accounts, guests by their keys; those who have shown none are all
    /// who come from the same address.
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

/// On whose account the request counts that is being answered; nobody's outside of one.
pub fn current() -> Party {
    starter().party
}

/// Who the request is from that is being answered.
pub fn starter() -> Starter {
    CURRENT.try_with(Starter::clone).unwrap_or(Starter { party: Party::Exempt, key: None })
}

/// Does something on an account.
pub async fn on_account_of<T>(party: Party, doing: impl Future<Output = T>) -> T {
    started_by(Starter { party, key: None }, doing).await
}

/// Does something for somebody.
pub async fn started_by<T>(starter: Starter, doing: impl Future<Output = T>) -> T {
    CURRENT.scope(starter, doing).await
}
