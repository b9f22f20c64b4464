//! Checksums that detect changed or damaged files.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::LabError;

/// Size and 64-bit FNV-1a checksum of a file. Every change of a single byte is detected; other damage stays
/// undetected with a probability of about 10^-19.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Checksum {
    bytes: u64,
    fnv1a: String,
}

impl Checksum {
    pub fn of(path: &Path) -> std::io::Result<Self> {
        let mut file = File::open(path)?;
        let (mut bytes, mut hash) = (0, 0xcbf2_9ce4_8422_2325u64);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match file.read(&mut buffer) {
                Ok(0) => return Ok(Self { bytes, fnv1a: format!("{hash:016x}") }),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            bytes += count as u64;
            for byte in &buffer[..count] {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }

    /// Checks that a file still has the size and bytes of this checksum.
    pub fn verify(&self, path: &Path) -> Result<(), LabError> {
        let found = Self::of(path).map_err(|error| LabError::read(path, error))?;
        if found == *self {
            return Ok(());
        }
        let reason = format!("expected {self}, found {found}: the file was changed or damaged");
        Err(LabError::read(path, reason))
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes with checksum {}", self.bytes, self.fnv1a)
    }
}
