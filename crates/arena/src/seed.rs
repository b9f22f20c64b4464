//! The root seed of a competition, and what is derived from it.
//!
//! Bots are strangers, and the seed of an episode stands in its replay. So nobody who has one episode's seed may
//! come to another's, nor from anything else that is published (seatings, ratings) to a deal. Everything is derived
//! by SHA-256 of a label, a purpose, the root and a key: 64 bits of a hash whose input holds up to 128 secret bits.
//! Whoever wants the root has to try roots one by one, 2¹²⁷ on average if it was drawn; a published seed only tells
//! him which one fits. (The streams *within* an episode are made for speed and hide nothing.)

use std::fmt;
use std::str::FromStr;

use meeple_core::{EpisodeSeed, Stream};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::error::ArenaError;

/// The root seed of a competition: 128 bits. Whoever knows it knows every deal.
///
/// As a text it is a decimal number if it is below 2⁶⁴, and 32 hexadecimal digits after `0x` otherwise. Both forms
/// are read for any number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RootSeed(u128);

/// What something is derived for; each purpose has values of its own.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// The seed of a deal group.
    Deal,
    /// Who sits where, if that is drawn.
    Seats,
    /// The resamples behind the intervals of ratings.
    Ratings,
    /// The root of a tournament that splits equals.
    TieBreak,
}

/// Seeds below 2⁴⁰ can be tried one by one in hours.
const GUESSABLE: u128 = 1 << 40;

impl RootSeed {
    /// A seed that nobody can guess, from the operating system's randomness.
    ///
    /// # Errors
    /// If the system has none.
    pub fn draw() -> Result<Self, ArenaError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(u128::from_le_bytes(bytes)))
    }

    /// The seed with these bits.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether somebody who tries all small numbers will find it.
    pub fn is_guessable(self) -> bool {
        self.0 < GUESSABLE
    }

    /// The seed of a deal group: all that its episodes' cards and dice depend on.
    pub fn deal(self, group: u64) -> EpisodeSeed {
        EpisodeSeed::from_bits(self.word(Purpose::Deal, group))
    }

    /// A stream of random numbers for something that is no deal.
    pub(crate) fn stream(self, purpose: Purpose, key: u64) -> Stream {
        Stream::from_seed(self.word(purpose, key))
    }

    /// 64 bits for something that is no deal.
    pub(crate) fn word(self, purpose: Purpose, key: u64) -> u64 {
        let [word, ..] = self.words(purpose, key);
        word
    }

    /// The root of tournament `number` that belongs to this one.
    pub(crate) fn child(self, number: u64) -> Self {
        let [low, high, ..] = self.words(Purpose::TieBreak, number);
        Self(u128::from(high) << 64 | u128::from(low))
    }

    fn words(self, purpose: Purpose, key: u64) -> [u64; 4] {
        // 45 bytes: with its padding one block of SHA-256.
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
            // No sign, which the library would take.
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
