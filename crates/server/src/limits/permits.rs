//! Permits that all parties share: threads, memory, arriving bodies.
//!
//! Each party has an upper bound, so others always get a permit. The next grant goes to the party with the
//! fewest permits. Among equals, the party whose last grant is oldest comes first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::limits::party::Party;

/// Upper bound on waiting requests of a party.
const MAX_WAITING_EACH: usize = 64;
/// Upper bound on all waiting requests.
const MAX_WAITING: usize = 1024;

pub struct FairPermits {
    all: usize,
    /// Upper bound on a party's permits. A party without permits may exceed it with one request.
    most_each: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The number of the last request.
    next: u64,
    taken: usize,
    shares: BTreeMap<Party, Share>,
    waiting: Vec<Waiting>,
}

/// The permits of a party, known while the party holds some or waits.
#[derive(Clone, Copy, Default)]
struct Share {
    taken: usize,
    /// The number of the request that was granted last.
    granted: u64,
}

struct Waiting {
    number: u64,
    party: Party,
    permits: usize,
    grant: oneshot::Sender<Permit>,
}

/// Granted permits of a party. Dropping it frees them.
pub struct Permit {
    of: Arc<FairPermits>,
    party: Party,
    permits: usize,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.of.lock();
        state.taken -= self.permits;
        state.shares.entry(self.party.clone()).or_default().taken -= self.permits;
        self.of.grant_and_unlock(state);
    }
}

impl State {
    fn share(&self, party: &Party) -> Share {
        self.shares.get(party).copied().unwrap_or_default()
    }

    /// Forgets requests that nobody waits for, and parties that neither hold permits nor wait.
    fn tidy(&mut self) {
        self.waiting.retain(|waiting| !waiting.grant.is_closed());
        let waiting = &self.waiting;
        let waits = |party: &Party| waiting.iter().any(|waiting| waiting.party == *party);
        self.shares.retain(|party, share| share.taken > 0 || waits(party));
    }
}

impl FairPermits {
    /// A pool of `all` permits. A party gets at most `most_each` of them at once, but [`Party::Exempt`] may
    /// get all.
    pub fn new(all: usize, most_each: usize) -> Arc<Self> {
        Arc::new(Self { all, most_each: most_each.max(1), state: Mutex::default() })
    }

    /// Waits for permits; `None` if too many requests wait.
    pub async fn take(self: &Arc<Self>, party: Party, permits: usize) -> Option<Permit> {
        let granted = {
            let mut state = self.lock();
            state.tidy();
            let own = state.waiting.iter().filter(|waiting| waiting.party == party).count();
            if own >= MAX_WAITING_EACH || state.waiting.len() >= MAX_WAITING {
                return None;
            }
            self.ask(state, party, permits)
        };
        granted.await.ok()
    }

    /// Takes permits that are free now; `None` if too few are.
    pub fn try_take(self: &Arc<Self>, party: Party, permits: usize) -> Option<Permit> {
        let mut state = self.lock();
        // Earlier calls that got nothing have left their requests.
        state.tidy();
        self.ask(state, party, permits).try_recv().ok()
    }

    fn ask(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        party: Party,
        permits: usize,
    ) -> oneshot::Receiver<Permit> {
        let (grant, granted) = oneshot::channel();
        state.next += 1;
        let number = state.next;
        state.waiting.push(Waiting { number, party, permits, grant });
        self.grant_and_unlock(state);
        granted
    }

    /// The index of the next request; `None` if all parties that wait have reached their bound.
    fn next(&self, state: &State) -> Option<usize> {
        let has_room = |waiting: &Waiting| {
            let taken = state.share(&waiting.party).taken;
            waiting.party == Party::Exempt || taken == 0 || taken + waiting.permits <= self.most_each
        };
        let order = |waiting: &Waiting| {
            let Share { taken, granted } = state.share(&waiting.party);
            (taken, granted, waiting.number)
        };
        let waiting = state.waiting.iter().enumerate().filter(|(_, waiting)| has_room(waiting));
        waiting.min_by_key(|(_, waiting)| order(waiting)).map(|(index, _)| index)
    }

    /// Grants free permits. They are handed over without the lock: if a receiver is gone, dropping its permit
    /// takes the lock.
    fn grant_and_unlock(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let mut granted = Vec::new();
        state.tidy();
        while let Some(next) = self.next(&state)
            && state.taken + state.waiting[next].permits <= self.all
        {
            let Waiting { number, party, permits, grant } = state.waiting.swap_remove(next);
            state.taken += permits;
            let taken = state.share(&party).taken + permits;
            state.shares.insert(party.clone(), Share { taken, granted: number });
            granted.push((grant, Permit { of: Arc::clone(self), party, permits }));
        }
        drop(state);
        for (grant, permit) in granted {
            drop(grant.send(permit));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
