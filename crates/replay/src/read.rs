//! Replays out of bytes that come from anywhere.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use meeple_core::{AnyEntry, Replay, ReplayError, Seat, Viewer};
use meeple_games::find_game;
use thiserror::Error;

/// Why bytes are no replay.
#[derive(Debug, Error)]
pub enum ReadError {
    /// They begin as compressed ones do, and are not.
    #[error("expected a compressed replay: {0}")]
    Compressed(std::io::Error),
    /// There are too many of them, perhaps only once unpacked.
    #[error("expected a replay of at most {0} bytes, found a longer one")]
    TooLong(usize),
    /// They are no text.
    #[error("expected a replay as text: {0}")]
    NoText(std::string::FromUtf8Error),
    /// The text is no replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// It is of a game that is not here.
    #[error("{0}")]
    Game(String),
}

/// The text of a replay, compressed by gzip or not, of at most `most` bytes.
///
/// # Errors
/// If it is longer, or no text.
pub fn read_text(bytes: Vec<u8>, most: usize) -> Result<String, ReadError> {
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let limit = most as u64 + 1;
        GzDecoder::new(bytes.as_slice())
            .take(limit)
            .read_to_end(&mut unpacked)
            .map_err(ReadError::Compressed)?;
        unpacked
    } else {
        bytes
    };
    if bytes.len() > most {
        return Err(ReadError::TooLong(most));
    }
    String::from_utf8(bytes).map_err(ReadError::NoText)
}

/// A text compressed by gzip. The same text gives the same bytes.
pub fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    packed.expect("memory takes everything")
}

/// How long a text is of which these are the compressed bytes, made by [`compressed`]; of other bytes their number.
pub fn unpacked_length(bytes: &[u8]) -> usize {
    match bytes {
        // Where gzip says it. It wraps at 4 GiB.
        [0x1f, 0x8b, .., a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]) as usize,
        _ => bytes.len(),
    }
}

/// A replay of its text, and its game. Whether its steps are legal is for [`AnyEntry::replay`] to say.
///
/// # Errors
/// If the text is no replay, or of no game of the registry.
pub fn parse(text: &str) -> Result<(Replay, &'static dyn AnyEntry), ReadError> {
    let replay = Replay::parse(text)?;
    let entry = find_game(&replay.game).map_err(|error| ReadError::Game(error.to_string()))?;
    Ok((replay, entry))
}

/// A viewer as people write it: a seat's number, `public` or `all`.
///
/// # Errors
/// What was expected.
pub fn parse_viewer(text: &str, seats: usize) -> Result<Viewer, String> {
    match text {
        "public" => Ok(Viewer::Public),
        "all" => Ok(Viewer::Everything),
        _ => match text.parse::<usize>() {
            Ok(seat) if seat < seats => Ok(Viewer::Seat(Seat::new(seat))),
            _ => {
                let last = seats.saturating_sub(1);
                Err(format!("expected a seat from 0 to {last}, public or all, found '{text}'"))
            }
        },
    }
}
