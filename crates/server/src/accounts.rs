//! Members: who has a name and a password, and the browsers that are logged in.
//!
//! Sessions are in memory as well as in the file, so that who asks is known without waiting. Of a session, as of a seat, a hash
//! is all that is kept.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::{PasswordHash, SaltString};
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use meeple_core::PublicName;
use thiserror::Error;
use tokio::sync::Semaphore;

use crate::key::{self, KeyHash};
use crate::names::{MemberName, NameError, TakenNames};
use crate::time::Time;
use crate::tries::TryLimit;

/// How long a browser stays logged in, in seconds.
pub const SESSION: i64 = 30 * 24 * 3600;
/// The most browsers that a member is logged in with; the oldest is forgotten for a new one.
const MOST_SESSIONS: usize = 20;
/// The shortest and the longest password, in letters.
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=200;
/// The longest that is kept of what a browser calls itself.
const LONGEST_BROWSER: usize = 250;
/// Passwords that are hashed at once: each takes 19 MiB and a core.
const HASHED_AT_ONCE: usize = 2;
/// Passwords that wait to be hashed.
const MOST_WAITING: usize = 32;
/// Wrong guesses of the password of a name, and of who is logged in, in [`WHILE`].
const GUESSES: u64 = 10;
/// Tries to log in from an address in [`WHILE`].
const TRIES_BY_ADDRESS: u64 = 100;
/// The time for which tries are counted.
const WHILE: Duration = Duration::from_secs(15 * 60);
/// Members that an address may become in an hour.
const REGISTRATIONS: u64 = 20;
const HOUR: Duration = Duration::from_secs(3600);

/// A member, at a browser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The account's name in the file.
    pub account: String,
    /// What the others call it.
    pub name: String,
    /// The session by which it was known.
    pub session: KeyHash,
}

/// A browser that is logged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// What is kept of its key.
    pub hash: KeyHash,
    /// Its name in forms, which opens nothing.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// The member's name.
    pub name: String,
    /// Since when, in seconds since 1970.
    pub began: i64,
    /// What the browser calls itself.
    pub browser: String,
}

/// Why somebody is not let in, or does not become a member.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Denied {
    /// The name or the password is wrong; which is not told.
    #[error(
        "expected the name and the password of a member, found something else\nhint: letters are told apart in passwords"
    )]
    Wrong,
    /// It has been tried too often.
    #[error("too many tries\nhint: wait a quarter of an hour")]
    TooMany,
    /// Too many are let in at once.
    #[error("too many people log in just now\nhint: try again in a moment")]
    Busy,
    /// The operator has locked the account.
    #[error("the operator of this server has locked this account")]
    Locked,
    /// No member may have the name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name is somebody's, or looks like it.
    #[error("the name is taken, or looks like one that is\nhint: choose another one")]
    Taken,
    /// The password is too short or too long.
    #[error("password: expected {} to {} letters, found {found}\nhint: several words are long and easy to remember", PASSWORD.start(), PASSWORD.end())]
    Password {
        /// As many as there are.
        found: usize,
    },
}

/// All of it that is in memory.
pub struct Accounts {
    sessions: Mutex<BTreeMap<KeyHash, Session>>,
    names: Mutex<TakenNames>,
    time: Time,
    by_name: TryLimit,
    by_session: TryLimit,
    by_address: TryLimit,
    newcomers: TryLimit,
    waiting: Semaphore,
    hashing: std::sync::Arc<Semaphore>,
    /// What a password is held against where there is no such member: that takes as long.
    decoy: String,
}

impl Accounts {
    /// With these browsers logged in, and these names taken.
    pub fn new(sessions: impl IntoIterator<Item = Session>, names: TakenNames, time: Time) -> Self {
        Self {
            sessions: Mutex::new(sessions.into_iter().map(|session| (session.hash, session)).collect()),
            names: Mutex::new(names),
            time,
            by_name: TryLimit::new(GUESSES, WHILE),
            by_session: TryLimit::new(GUESSES, WHILE),
            by_address: TryLimit::new(TRIES_BY_ADDRESS, WHILE),
            newcomers: TryLimit::new(REGISTRATIONS, HOUR),
            waiting: Semaphore::new(MOST_WAITING),
            hashing: std::sync::Arc::new(Semaphore::new(HASHED_AT_ONCE)),
            decoy: hashed(&key::fresh_key()),
        }
    }

    /// The member whose session this key opens.
    pub fn member(&self, key: &str, now: i64) -> Option<Member> {
        let hash = key::hash(key);
        let sessions = lock(&self.sessions);
        let session = sessions.get(&hash).filter(|session| session.began + SESSION > now)?;
        Some(Member { account: session.account.clone(), name: session.name.clone(), session: hash })
    }

    /// Whether a member is still logged in with the browser that it was known by.
    pub fn is_in(&self, member: &Member) -> bool {
        lock(&self.sessions).contains_key(&member.session)
    }

    /// The browsers that a member is logged in with, the last first.
    pub fn sessions(&self, account: &str) -> Vec<Session> {
        let mut own: Vec<Session> =
            lock(&self.sessions).values().filter(|session| session.account == account).cloned().collect();
        own.sort_by(|a, b| (b.began, &b.id).cmp(&(a.began, &a.id)));
        own
    }

    /// A browser is logged in. Those that are forgotten for it.
    pub fn begin(&self, session: Session) -> Vec<KeyHash> {
        let mut old = self.sessions(&session.account);
        lock(&self.sessions).insert(session.hash, session);
        let old =
            old.drain(old.len().min(MOST_SESSIONS - 1)..).map(|session| session.hash).collect::<Vec<_>>();
        self.end(|session| old.contains(&session.hash));
        old
    }

    /// Browsers are logged out.
    pub fn end(&self, which: impl Fn(&Session) -> bool) {
        lock(&self.sessions).retain(|_, session| !which(session));
    }

    /// Counts a try to log in from an address. It comes before everything else that a try costs.
    ///
    /// # Errors
    /// If there were too many.
    pub fn count_try(&self, address: IpAddr) -> Result<(), Denied> {
        self.counted(&self.by_address, &network(address))
    }

    /// Counts a try to become a member.
    ///
    /// # Errors
    /// If there were too many.
    pub fn count_newcomer(&self, address: IpAddr) -> Result<(), Denied> {
        self.counted(&self.newcomers, &network(address))
    }

    fn counted(&self, limit: &TryLimit, who: &[u8]) -> Result<(), Denied> {
        if limit.count(who, self.time.now_ms()) { Ok(()) } else { Err(Denied::TooMany) }
    }

    /// Takes a name for a new account.
    ///
    /// # Errors
    /// If somebody has one that looks like it.
    pub fn take_name(&self, account: &str, name: &MemberName) -> Result<(), Denied> {
        if lock(&self.names).take(account, name) { Ok(()) } else { Err(Denied::Taken) }
    }

    /// The account has no name any more.
    pub fn free_name(&self, account: &str) {
        lock(&self.names).free(account);
    }

    /// What is kept of a password.
    ///
    /// # Errors
    /// If too many wait.
    pub async fn hash(&self, password: String) -> Result<String, Denied> {
        self.apart(move || hashed(&password)).await
    }

    /// Whether it is the password of which this is kept; without any it is not, which takes as long to find out. What is
    /// wrong is counted against whoever is guessed at, and nothing else is.
    ///
    /// # Errors
    /// If too many wait, or it was guessed too often.
    pub async fn verify(
        &self,
        guessed: Guessed<'_>,
        password: String,
        kept: Option<String>,
    ) -> Result<bool, Denied> {
        let (kept, known) = kept.map_or_else(|| (self.decoy.clone(), false), |kept| (kept, true));
        let _waiting = self.waiting.try_acquire().map_err(|_| Denied::Busy)?;
        // Not before it is sure that the guess is made: nobody wears out others' counters faster than passwords are hashed.
        let (limit, who) = match guessed {
            Guessed::Name(folded) => (&self.by_name, folded.as_bytes()),
            Guessed::Session(session) => (&self.by_session, session.as_slice()),
        };
        self.counted(limit, who)?;
        let is_right = self
            .hashing(move || {
                let hash = PasswordHash::new(&kept);
                hash.is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok()) && known
            })
            .await?;
        if is_right {
            limit.give_back(who);
        }
        Ok(is_right)
    }

    /// Does what takes a core and some memory beside the loop, a few at once.
    async fn apart<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Denied> {
        let _waiting = self.waiting.try_acquire().map_err(|_| Denied::Busy)?;
        self.hashing(work).await
    }

    /// The same for who waits already.
    async fn hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Denied> {
        let place = std::sync::Arc::clone(&self.hashing).acquire_owned().await.map_err(|_| Denied::Busy)?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        done.await.map_err(|_| Denied::Busy)
    }
}

/// OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane.
fn hasher() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("the parameters are in their bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hashed(password: &str) -> String {
    let salt = SaltString::encode_b64(&key::random::<16>()).expect("16 bytes are a salt");
    hasher()
        .hash_password(password.as_bytes(), &salt)
        .expect("the parameters are in their bounds")
        .to_string()
}

/// Whose password is guessed: counters of one are not those of the other, so that strangers' guesses at a name keep nobody out
/// who is logged in.
#[derive(Clone, Copy, Debug)]
pub enum Guessed<'a> {
    /// The holder of this name, as it is compared.
    Name(&'a str),
    /// The member whose log-in has this key.
    Session(&'a KeyHash),
}

/// The network of an address that one person has: of an IPv6 address the first 64 bits.
fn network(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

/// A password that is long enough.
///
/// # Errors
/// If it is not, or too long.
pub fn checked_password(text: &str) -> Result<String, Denied> {
    let length = text.chars().count();
    if PASSWORD.contains(&length) { Ok(text.to_owned()) } else { Err(Denied::Password { found: length }) }
}

/// What is kept of how a browser calls itself.
pub fn browser_name(text: &str) -> String {
    PublicName::from(text).shortened(LONGEST_BROWSER).into()
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
