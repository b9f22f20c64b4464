//! Unguessable identifiers and keys, for example of tables and to seats.

use sha2::{Digest, Sha256};

/// The SHA-256 hash of a key. Only hashes are stored, so a reader of the database file cannot act at any
/// seat.
pub type KeyHash = [u8; 32];

/// The alphabet of identifiers and keys, without letters that look alike. Each of its 32 letters encodes five
/// bits.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A random identifier, for example of a table in addresses: 60 bits.
pub fn fresh_name() -> String {
    letters(12)
}

/// A random key, for example to a seat: 160 bits.
pub fn fresh_key() -> String {
    letters(32)
}

pub fn fresh_seed() -> u64 {
    u64::from_le_bytes(random())
}

/// The hash of a key, for storage.
pub fn hash(key: &str) -> KeyHash {
    Sha256::digest(key).into()
}

/// A text's identifier in addresses: 100 bits of its hash. Equal texts have equal identifiers.
pub fn name_of(text: &str) -> String {
    letters_of(&hash(text), 20)
}

fn letters(count: usize) -> String {
    letters_of(&random(), count)
}

fn letters_of(bytes: &[u8; 32], count: usize) -> String {
    bytes[..count].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Random bytes from the operating system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}
