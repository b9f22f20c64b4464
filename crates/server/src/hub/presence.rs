//! Who is at a table, as far as the server has heard.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// When people were heard of last.
#[derive(Default)]
pub struct Presence(Mutex<Heard>);

#[derive(Default)]
pub(super) struct Heard {
    /// When anything was heard first. Whoever has not been heard of since has been away for so long.
    began: Option<u64>,
    /// By seat.
    last: BTreeMap<usize, u64>,
    /// Sockets that are open, by seat.
    pub(super) sockets: BTreeMap<usize, usize>,
}

impl Presence {
    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whoever has these seats has asked for something.
    pub fn hear(&self, seats: &[usize], now_ms: u64) {
        let mut heard = self.heard();
        heard.began.get_or_insert(now_ms);
        heard.last.extend(seats.iter().map(|seat| (*seat, now_ms)));
    }

    /// How long a seat has been away, in milliseconds.
    pub(super) fn away(&self, seat: usize, now_ms: u64) -> u64 {
        let mut heard = self.heard();
        let began = *heard.began.get_or_insert(now_ms);
        match heard.sockets.get(&seat) {
            Some(1..) => 0,
            _ => now_ms.saturating_sub(heard.last.get(&seat).map_or(began, |last| (*last).max(began))),
        }
    }
}
