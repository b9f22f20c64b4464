//! The users that bots run as.

use std::ops::RangeInclusive;

use nix::unistd::{Uid, getresuid};
use serde::{Deserialize, Serialize};

/// A user reserved for bots: all its processes may be killed.
///
/// Its id is in [`RANGE`](Self::RANGE), so it is never root, a service or a person, and it is none of our own
/// ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct BotUser(u32);

/// An id that cannot be the user of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected a user id from {} to {} that is not ours, found {found}",
    BotUser::RANGE.start(), BotUser::RANGE.end(), found = .0
)]
pub struct NotReserved(pub u32);

impl BotUser {
    /// Ids that no system assigns. Distributions and useradd(8) stay below 2^16, and subordinate ids
    /// (subuid(5)) below 600,100,000. Ids made from those of a directory service (sssd-ldap(5)) stay below
    /// 2,000,200,000. Those of systemd ("Users, Groups, UIDs and GIDs on systemd systems") stay below 2^31.
    /// The ids -1, which means "unchanged" to setresuid(2), and -2 are above the range.
    pub const RANGE: RangeInclusive<u32> = 0x8000_0000..=0xbfff_ffff;

    /// Number of users of one host, the upper bound on its simultaneous bots with users of their own.
    pub(crate) const PER_HOST: u32 = 512;

    /// The user of this id.
    ///
    /// # Errors
    /// If the id is outside [`RANGE`](Self::RANGE), or one of our own.
    pub fn new(id: u32) -> Result<Self, NotReserved> {
        let own = getresuid().map_err(|_| NotReserved(id))?;
        let ours = [own.real, own.effective, own.saved].contains(&Uid::from_raw(id));
        if Self::RANGE.contains(&id) && !ours { Ok(Self(id)) } else { Err(NotReserved(id)) }
    }

    /// The numeric id.
    pub fn id(self) -> u32 {
        self.0
    }

    /// The users for bots of the host with this process id, one for each bot. Hosts that run at the same time
    /// have different ones.
    pub fn of_host(host: u32) -> impl Iterator<Item = Self> + Clone {
        let span = Self::RANGE.end() - Self::RANGE.start() + 1;
        let id =
            move |number| Self::RANGE.start() + host.wrapping_mul(Self::PER_HOST).wrapping_add(number) % span;
        (0..Self::PER_HOST).filter_map(move |number| Self::new(id(number)).ok())
    }
}

impl TryFrom<u32> for BotUser {
    type Error = NotReserved;

    fn try_from(id: u32) -> Result<Self, NotReserved> {
        Self::new(id)
    }
}

impl From<BotUser> for u32 {
    fn from(user: BotUser) -> Self {
        user.0
    }
}
