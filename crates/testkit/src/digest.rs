//! A small fingerprint with a permanently fixed definition.

/// FNV-1a with 64 bits (Fowler, Noll, Vo): simple, documented, equal on every machine and with every
/// compiler. Not cryptographic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// The fingerprint of no texts.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// The fingerprint of a text.
    pub fn of(text: &str) -> Self {
        let mut digest = Self::new();
        digest.add(text);
        digest
    }

    /// Adds a text and a terminator, so that "ab", "c" differs from "a", "bc".
    pub fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The 64 bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The 64 bits folded to 32, in hexadecimal, for files that people read.
    pub fn short(self) -> String {
        format!("{:08x}", (self.0 ^ (self.0 >> 32)) as u32)
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
