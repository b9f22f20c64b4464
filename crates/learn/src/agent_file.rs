//! Files that agents name, as in `net:FILE` and `onnx:FILE`.

use std::fs::{File, metadata};
use std::io::{self, Read};

use crate::error::LearnError;

/// Largest size of an agent's file in bytes: 1 GiB, far above any network of ours.
pub const MAX_AGENT_FILE_BYTES: u64 = 1 << 30;

/// Reads a file that an agent names. Every reader of such files calls this, because a name may come from a
/// stranger's record: a pipe would make its reader wait forever, and a device may never end.
///
/// # Errors
/// If there is no such file, it cannot be read, it is no regular file, or it has more than
/// [`MAX_AGENT_FILE_BYTES`].
pub fn read_agent_file(path: &str) -> Result<Vec<u8>, LearnError> {
    let read = || -> io::Result<Vec<u8>> {
        let found = metadata(path)?;
        if !found.is_file() {
            return Err(io::Error::other(
                "expected a file, found a folder, a pipe or a device\nhint: name a file with a network",
            ));
        }
        let bytes = found.len();
        if bytes > MAX_AGENT_FILE_BYTES {
            return Err(io::Error::other(format!(
                "expected a file of at most {MAX_AGENT_FILE_BYTES} bytes, found {bytes}\nhint: name a file with a network"
            )));
        }
        let mut content = Vec::new();
        // Files of the kernel have size 0, and may wait or never end.
        File::open(path)?.take(bytes).read_to_end(&mut content)?;
        Ok(content)
    };
    read().map_err(LearnError::file(path))
}
