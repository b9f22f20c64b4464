//! 128-bit keys of serialisable values. Equal JSON has equal keys, on every machine and in every release.

use std::hash::Hasher as _;
use std::io;

use serde::Serialize;
// SipHash (Aumasson, Bernstein 2012): a keyed hash whose output is fixed by its definition. The crate is the
// origin of the standard library's hasher, and has the 128-bit variant.
use siphasher::sip128::{Hasher128 as _, SipHasher13};

/// The key of a value: the SipHash-1-3, with the key 0, of its JSON.
///
/// # Panics
/// If the value does not serialise.
pub fn of(value: &impl Serialize) -> u128 {
    let mut hashed = Hashed(SipHasher13::new());
    serde_json::to_writer(&mut hashed, value).expect("observations serialise: a law checks it");
    hashed.0.finish128().as_u128()
}

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
