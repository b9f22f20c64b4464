//! The presence of people at a table.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The last sign of life of each seat.
#[derive(Default)]
pub struct Presence(Mutex<Heard>);

#[derive(Default)]
pub(super) struct Heard {
    /// The time of the first sign of life or query at the table, in ms. Seats without a sign of life count as
    /// absent since then.
    began: Option<u64>,
    /// The last sign of life per seat, as a time in ms.
    last: BTreeMap<usize, u64>,
    /// Open sockets per seat.
    pub sockets: BTreeMap<usize, usize>,
}

impl Presence {
    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn hear(&self, seats: &[usize], now_ms: u64) {
        let mut heard = self.heard();
        heard.began.get_or_insert(now_ms);
        heard.last.extend(seats.iter().map(|seat| (*seat, now_ms)));
    }

    /// Returns true if somebody has shown a sign of life within `within_ms`.
    pub fn is_recent(&self, now_ms: u64, within_ms: u64) -> bool {
        let heard = self.heard();
        heard.last.values().any(|last| now_ms.saturating_sub(*last) < within_ms)
    }

    /// The time since a seat's last sign of life, in ms; 0 while one of its sockets is open.
    pub fn away(&self, seat: usize, now_ms: u64) -> u64 {
        let mut heard = self.heard();
        let began = *heard.began.get_or_insert(now_ms);
        match heard.sockets.get(&seat) {
            Some(1..) => 0,
            _ => now_ms.saturating_sub(heard.last.get(&seat).map_or(began, |last| (*last).max(began))),
        }
    }
}
