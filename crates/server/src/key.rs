//! Secrets that cannot be guessed: names of tables, and keys to seats.

use sha2::{Digest, Sha256};

/// What is stored of a key: who reads the file cannot play anybody's seat.
pub type KeyHash = [u8; 32];

/// Letters that are not mistaken for each other; 32 of them, so that five bits are one.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The name of a table in addresses: 60 bits.
pub fn fresh_name() -> String {
    letters(12)
}

/// A key to a seat: 160 bits.
pub fn fresh_key() -> String {
    letters(32)
}

/// A root seed that nobody knows.
pub fn fresh_seed() -> u64 {
    u64::from_le_bytes(random())
}

/// What is kept of a key.
pub fn hash(key: &str) -> KeyHash {
    Sha256::digest(key).into()
}

/// The name of a text in addresses: 100 bits of its hash, so that the same text has the same name.
pub fn name_of(text: &str) -> String {
    letters_of(&hash(text), 20)
}

fn letters(count: usize) -> String {
    letters_of(&random(), count)
}

fn letters_of(bytes: &[u8; 32], count: usize) -> String {
    bytes[..count].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Bytes that nobody knows.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}
