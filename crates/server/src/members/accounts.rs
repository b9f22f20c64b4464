//! Members: accounts with a name and a password, and the browsers that are logged in.
//!
//! Sessions are kept in memory as well as in the database file, so that requests are identified without
//! waiting for the disk. As with keys to seats, only hashes of session keys are stored.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meeple_core::PublicName;
use thiserror::Error;

use crate::key;
use crate::key::KeyHash;
use crate::limits::attempts::AttemptLimit;
use crate::limits::party::subscriber;
use crate::members::names::{ChosenName, NameError, TakenNames};
use crate::members::passwords::{NoPlace, Passwords};
use crate::time::Time;

/// Lifetime of a log-in, in seconds.
pub const SESSION_LIFETIME_S: i64 = 30 * 24 * 3600;
/// Upper bound on sessions of one member. Another log-in ends the oldest.
const MAX_SESSIONS: usize = 20;
/// Bounds of the length of passwords, in characters.
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=200;
/// Upper bound on the stored user agent, in characters.
const MAX_BROWSER: usize = 250;
/// Upper bound on wrong guesses of a password within [`ATTEMPT_WINDOW`], per name and per session.
const GUESSES: u64 = 10;
/// The window over which guesses are counted.
const ATTEMPT_WINDOW: Duration = Duration::from_secs(15 * 60);
/// Upper bound on registrations per address in an hour.
const REGISTRATIONS: u64 = 20;
const HOUR: Duration = Duration::from_secs(3600);

/// A member, as identified by a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The account's identifier in the database file.
    pub account: String,
    pub name: String,
    pub session: KeyHash,
}

/// A log-in of one browser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    pub hash: KeyHash,
    /// A public identifier for forms. It grants no access.
    pub id: String,
    pub account: String,
    pub name: String,
    /// The time of the log-in, in seconds since 1970.
    pub began: i64,
    /// The browser's user agent, shortened.
    pub browser: String,
}

/// Reasons to refuse a log-in or a registration.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LoginError {
    /// The name or the password is wrong. The text does not say which one, so that nobody learns which names
    /// exist.
    #[error(
        "expected the name and the password of a member, found something else\nhint: upper and lower case differ in passwords"
    )]
    Wrong,
    #[error("too many tries\nhint: wait a quarter of an hour")]
    TooMany,
    /// The queue for hashing passwords is full.
    #[error("too many people log in just now\nhint: try again in a moment")]
    Busy,
    #[error("the operator of this server has locked this account")]
    Locked,
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name, or one that looks like it, is taken.
    #[error("the name is taken, or looks like one that is\nhint: choose another one")]
    Taken,
    #[error("password: expected {} to {} letters, found {found}\nhint: several words are long and easy to remember", PASSWORD.start(), PASSWORD.end())]
    Password { found: usize },
}

impl From<NoPlace> for LoginError {
    fn from(reason: NoPlace) -> Self {
        match reason {
            NoPlace::TooMany => Self::TooMany,
            NoPlace::Busy => Self::Busy,
        }
    }
}

/// The state of accounts that is kept in memory.
pub struct Accounts {
    sessions: Mutex<BTreeMap<KeyHash, Session>>,
    names: Mutex<TakenNames>,
    time: Time,
    by_name: AttemptLimit,
    by_session: AttemptLimit,
    registrations_by_address: AttemptLimit,
    passwords: Passwords,
}

impl Accounts {
    pub fn new(sessions: impl IntoIterator<Item = Session>, names: TakenNames, time: Time) -> Self {
        Self {
            sessions: Mutex::new(sessions.into_iter().map(|session| (session.hash, session)).collect()),
            names: Mutex::new(names),
            passwords: Passwords::new(time.clone()),
            time,
            by_name: AttemptLimit::new(GUESSES, ATTEMPT_WINDOW),
            by_session: AttemptLimit::new(GUESSES, ATTEMPT_WINDOW),
            registrations_by_address: AttemptLimit::new(REGISTRATIONS, HOUR),
        }
    }

    /// The member whose unexpired session has this key.
    pub fn member(&self, key: &str, now: i64) -> Option<Member> {
        let hash = key::hash(key);
        let sessions = lock(&self.sessions);
        let session = sessions.get(&hash).filter(|session| session.began + SESSION_LIFETIME_S > now)?;
        Some(Member { account: session.account.clone(), name: session.name.clone(), session: hash })
    }

    pub fn is_in(&self, member: &Member) -> bool {
        lock(&self.sessions).contains_key(&member.session)
    }

    /// The sessions of a member, newest first.
    pub fn sessions(&self, account: &str) -> Vec<Session> {
        let mut own: Vec<Session> =
            lock(&self.sessions).values().filter(|session| session.account == account).cloned().collect();
        own.sort_by(|a, b| (b.began, &b.id).cmp(&(a.began, &a.id)));
        own
    }

    /// Adds a session. Returns the hashes of the sessions that it displaced.
    pub fn begin(&self, session: Session) -> Vec<KeyHash> {
        let mut old = self.sessions(&session.account);
        lock(&self.sessions).insert(session.hash, session);
        let old =
            old.drain(old.len().min(MAX_SESSIONS - 1)..).map(|session| session.hash).collect::<Vec<_>>();
        self.end(|session| old.contains(&session.hash));
        old
    }

    pub fn end(&self, which: impl Fn(&Session) -> bool) {
        lock(&self.sessions).retain(|_, session| !which(session));
    }

    /// Counts a registration of an address.
    pub fn count_registration(&self, address: IpAddr) -> Result<(), LoginError> {
        self.counted(&self.registrations_by_address, subscriber(address).to_string().as_bytes())
    }

    fn counted(&self, limit: &AttemptLimit, who: &[u8]) -> Result<(), LoginError> {
        if limit.count(who, self.time.now_ms()) { Ok(()) } else { Err(LoginError::TooMany) }
    }

    /// Reserves a name for a new account.
    ///
    /// # Errors
    /// If a name that looks like it is taken.
    pub fn take_name(&self, account: &str, name: &ChosenName) -> Result<(), LoginError> {
        if lock(&self.names).take(account, name) { Ok(()) } else { Err(LoginError::Taken) }
    }

    pub fn free_name(&self, account: &str) {
        lock(&self.names).free(account);
    }

    /// The hash of a password, for storage. It is charged to the visitor's address.
    pub async fn hash(&self, address: IpAddr, password: String) -> Result<String, LoginError> {
        Ok(self.passwords.place(address).await?.hash(password).await?)
    }

    /// Returns true if the password matches the stored hash, and false without a stored hash. Every guess is
    /// charged to the visitor's address. Wrong ones also count against the guessed name or session.
    pub async fn verify(
        &self,
        address: IpAddr,
        guessed: Guessed<'_>,
        password: String,
        kept: Option<String>,
    ) -> Result<bool, LoginError> {
        let place = self.passwords.place(address).await?;
        // A guess counts only with a place. The rate of hashing therefore bounds how fast others' counters
        // can be filled.
        let (limit, who) = match guessed {
            Guessed::Name(folded) => (&self.by_name, folded.as_bytes()),
            Guessed::Session(session) => (&self.by_session, session.as_slice()),
        };
        self.counted(limit, who)?;
        let is_right = self.passwords.verify(place, password, kept).await?;
        if is_right {
            limit.give_back(who);
        }
        Ok(is_right)
    }
}

/// The target of a guess. Names and sessions have separate counters: guesses at a name never lock out a
/// member who is logged in.
#[derive(Clone, Copy, Debug)]
pub enum Guessed<'a> {
    /// The folded name.
    Name(&'a str),
    Session(&'a KeyHash),
}

pub fn checked_password(text: &str) -> Result<String, LoginError> {
    let length = text.chars().count();
    if PASSWORD.contains(&length) { Ok(text.to_owned()) } else { Err(LoginError::Password { found: length }) }
}

/// The user agent as it is stored: cleaned and shortened.
pub fn browser_name(text: &str) -> String {
    PublicName::from(text).shortened(MAX_BROWSER).into()
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
