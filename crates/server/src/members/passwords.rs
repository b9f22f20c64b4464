//! Password hashing. No other file computes Argon2.
//!
//! A computation needs a [`Place`]. Places are charged to the visitor's address and shared fairly among
//! addresses, whatever the computation is for.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::password_hash::{self, Output, ParamsString, PasswordHash, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use crate::key;
use crate::limits::attempts::AttemptLimit;
use crate::limits::party::{Party, subscriber};
use crate::limits::permits::{FairPermits, Permit};
use crate::time::Time;

/// Upper bound on computations at the same time. Each takes 19 MiB and a core.
const COMPUTED_AT_ONCE: usize = 2;
/// Upper bound on computations per address within [`WINDOW`], right passwords included. A log-in or a
/// registration takes one, a new password two.
const COMPUTATIONS_BY_ADDRESS: u64 = 100;
/// The window over which computations are counted.
const WINDOW: Duration = Duration::from_secs(15 * 60);

/// Reasons why there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlace {
    /// The address has used up its computations.
    TooMany,
    /// The queue is full, or the server shuts down.
    Busy,
}

pub struct Passwords {
    /// An address gets at most half of the places, so others always get one.
    places: Arc<FairPermits>,
    /// Memory for computations that are not in progress. All together takes at most
    /// [`COMPUTED_AT_ONCE`] × 19 MiB. It is reused, because the allocator would keep as much for every thread
    /// that has ever computed.
    memory: Arc<Mutex<Vec<Vec<Block>>>>,
    by_address: AttemptLimit,
    time: Time,
    /// A hash for log-ins under unknown names. Verifying it takes as long as for a member, so that timing
    /// reveals nothing.
    decoy: String,
}

impl Passwords {
    pub fn new(time: Time) -> Self {
        let mut memory = Vec::new();
        let decoy = hashed(&key::fresh_key(), &mut memory);
        Self {
            places: FairPermits::new(COMPUTED_AT_ONCE, COMPUTED_AT_ONCE / 2),
            memory: Arc::new(Mutex::new(vec![memory])),
            by_address: AttemptLimit::new(COMPUTATIONS_BY_ADDRESS, WINDOW),
            time,
            decoy,
        }
    }

    /// Counts a computation for a visitor's address and waits for a place.
    pub async fn place(&self, address: IpAddr) -> Result<Place, NoPlace> {
        let who = subscriber(address).to_string();
        if !self.by_address.count(who.as_bytes(), self.time.now_ms()) {
            return Err(NoPlace::TooMany);
        }
        let permit = self.places.take(Party::of_address(address), 1).await.ok_or(NoPlace::Busy)?;
        Ok(Place { permit, memory: Arc::clone(&self.memory) })
    }

    /// Returns true if the password matches the stored hash. Without a stored hash it verifies a decoy, and
    /// returns false.
    pub async fn verify(
        &self,
        place: Place,
        password: String,
        kept: Option<String>,
    ) -> Result<bool, NoPlace> {
        let is_known = kept.is_some();
        let kept = kept.unwrap_or_else(|| self.decoy.clone());
        let is_right = place.compute(move |memory| is_right(&password, &kept, memory)).await?;
        Ok(is_right.unwrap_or(false) && is_known)
    }
}

/// The right to one computation.
pub struct Place {
    permit: Permit,
    memory: Arc<Mutex<Vec<Vec<Block>>>>,
}

impl Place {
    /// The hash of a password, for storage.
    pub async fn hash(self, password: String) -> Result<String, NoPlace> {
        self.compute(move |memory| hashed(&password, memory)).await
    }

    /// Computes on a blocking thread. A dropped request does not interrupt this, so the place goes along.
    async fn compute<T: Send + 'static>(
        self,
        compute: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static,
    ) -> Result<T, NoPlace> {
        let Self { permit, memory } = self;
        let computed = tokio::task::spawn_blocking(move || {
            let mut blocks = lock(&memory).pop().unwrap_or_default();
            let computed = compute(&mut blocks);
            lock(&memory).push(blocks);
            drop(permit);
            computed
        });
        computed.await.map_err(|_| NoPlace::Busy)
    }
}

fn hashed(password: &str, memory: &mut Vec<Block>) -> String {
    let salt = SaltString::encode_b64(&key::random::<16>()).expect("16 bytes are a salt");
    // The parameters that OWASP recommends for Argon2id: 19 MiB, two passes, one lane.
    let params = Params::new(19 * 1024, 2, 1, None).expect("the parameters are in their bounds");
    let (algorithm, version) = (Algorithm::Argon2id, Version::V0x13);
    let text = ParamsString::try_from(&params).expect("the parameters are in their bounds");
    let hash = output(&Argon2::new(algorithm, version, params), password, salt.as_salt(), memory);
    PasswordHash {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params: text,
        salt: Some(salt.as_salt()),
        hash: Some(hash.expect("the parameters are in their bounds")),
    }
    .to_string()
}

/// Verifies a password by the parameters of its stored hash; `None` if that is damaged.
fn is_right(password: &str, kept: &str, memory: &mut Vec<Block>) -> Option<bool> {
    let kept = PasswordHash::new(kept).ok()?;
    let algorithm = Algorithm::try_from(kept.algorithm).ok()?;
    let version = Version::try_from(kept.version?).ok()?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&kept).ok()?);
    let found = output(&argon2, password, kept.salt?, memory).ok()?;
    // Outputs are compared in constant time.
    Some(found == kept.hash?)
}

fn output(
    argon2: &Argon2<'_>,
    password: &str,
    salt: Salt<'_>,
    memory: &mut Vec<Block>,
) -> password_hash::Result<Output> {
    let mut bytes = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut bytes)?;
    let params = argon2.params();
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::default());
    }
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    Output::init_with(length, |out| {
        Ok(argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, memory)?)
    })
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
