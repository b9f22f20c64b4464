//! A key of 128 bits for what serialises: equal data, equal key, on every machine and in every release that
//! serialises the same.

use std::hash::Hasher as _;
use std::io;

use serde::Serialize;
// A keyed hash whose output is fixed by its definition (Aumasson, Bernstein 2012), written down in a small crate that
// the standard library's own hasher was taken from; with 128 bits, which the standard library does not offer.
use siphasher::sip128::{Hasher128 as _, SipHasher13};

/// The key of a value: the hash of its JSON.
///
/// # Panics
/// If it does not serialise.
pub fn of(value: &impl Serialize) -> u128 {
    let mut hashed = Hashed(SipHasher13::new());
    serde_json::to_writer(&mut hashed, value).expect("observations serialise: a law checks it");
    hashed.0.finish128().as_u128()
}

/// Takes bytes and keeps their hash.
struct Hashed(SipHasher13);

impl io::Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
