//! The root seed of a competition, and its derived values.
//!
//! Bots are untrusted, and replays contain the seed of their episode. One episode's seed must therefore not
//! reveal another's, and other published data (seatings, ratings) must not reveal deals. Everything is
//! derived by SHA-256 of a label, a purpose, the root and a key. A derived value is 64 bits of a hash whose
//! input has up to 128 secret bits. Finding the root takes brute force, 2¹²⁷ tries on average if it was
//! drawn; a published seed only confirms a guess. Streams *within* an episode are fast and not cryptographic.

use std::fmt;
use std::str::FromStr;

use meeple_core::{EpisodeSeed, Stream};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::error::ArenaError;

/// The root seed of a competition: 128 bits. It determines every deal.
///
/// Its text form is a decimal number below 2⁶⁴, and `0x` with 32 hexadecimal digits otherwise. Both forms are
/// parsed for any number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RootSeed(u128);

/// Domain of a derivation; each purpose has values of its own.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Deal,
    /// Seatings, where drawn.
    Seats,
    /// Resamples for the intervals of ratings.
    Ratings,
    TieBreak,
}

/// Limit below which brute force finds a seed in hours.
const GUESSABLE: u128 = 1 << 40;

impl RootSeed {
    /// An unpredictable seed from the operating system's randomness.
    ///
    /// # Errors
    /// If the system has none.
    pub fn draw() -> Result<Self, ArenaError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(u128::from_le_bytes(bytes)))
    }

    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u128 {
        self.0
    }

    /// True if a search of small numbers finds the seed.
    pub fn is_guessable(self) -> bool {
        self.0 < GUESSABLE
    }

    pub fn deal(self, group: u64) -> EpisodeSeed {
        EpisodeSeed::from_bits(self.word(Purpose::Deal, group))
    }

    pub(crate) fn stream(self, purpose: Purpose, key: u64) -> Stream {
        Stream::from_seed(self.word(purpose, key))
    }

    pub(crate) fn word(self, purpose: Purpose, key: u64) -> u64 {
        let [word, ..] = self.words(purpose, key);
        word
    }

    /// The root of tie-break tournament `number`.
    pub(crate) fn child(self, number: u64) -> Self {
        let [low, high, ..] = self.words(Purpose::TieBreak, number);
        Self(u128::from(high) << 64 | u128::from(low))
    }

    fn words(self, purpose: Purpose, key: u64) -> [u64; 4] {
        // 45 bytes: one block of SHA-256 including padding.
        let mut hash = Sha256::new();
        hash.update(b"meeple competition 1");
        hash.update([purpose as u8]);
        hash.update(self.0.to_le_bytes());
        hash.update(key.to_le_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let (words, _) = digest.as_chunks::<8>();
        std::array::from_fn(|index| u64::from_le_bytes(words[index]))
    }
}

impl From<u64> for RootSeed {
    fn from(seed: u64) -> Self {
        Self(seed.into())
    }
}

impl fmt::Display for RootSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u64::try_from(self.0) {
            Ok(small) => write!(f, "{small}"),
            Err(_) => write!(f, "{:#034x}", self.0),
        }
    }
}

impl FromStr for RootSeed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = match text.strip_prefix("0x") {
            // Signs are refused, which the library would accept.
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                u128::from_str_radix(digits, 16).ok()
            }
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        read.map(Self).ok_or_else(|| {
            format!(
                "expected a whole number from 0 to 2^128 - 1, or 0x and hexadecimal digits, found '{text}'"
            )
        })
    }
}

impl Serialize for RootSeed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RootSeed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
