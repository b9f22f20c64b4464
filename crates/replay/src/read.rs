//! Replays from untrusted bytes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use meeple_core::{AnyEntry, Replay, ReplayError, Seat, Viewer};
use meeple_games::find_game;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("expected a compressed replay: {0}")]
    Compressed(std::io::Error),
    /// The text is too long, possibly only after decompression.
    #[error("expected a replay of at most {0} bytes, found a longer one")]
    TooLong(usize),
    #[error("expected a replay as text: {0}")]
    NoText(std::string::FromUtf8Error),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("{0}")]
    Game(String),
}

/// The text of a replay of at most `most` bytes. The input is gzip-compressed or plain.
///
/// # Errors
/// If the text is longer or not UTF-8, or decompression fails.
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

/// Compresses a text with gzip. Equal texts give equal bytes.
pub fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    packed.expect("memory takes everything")
}

/// Length in bytes of the text in [`compressed`] bytes; for other bytes, their number.
pub fn unpacked_length(bytes: &[u8]) -> usize {
    match bytes {
        // The length field of gzip, which is modulo 4 GiB.
        [0x1f, 0x8b, .., a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]) as usize,
        _ => bytes.len(),
    }
}

/// Parses a replay and finds its game. [`AnyEntry::replay`] checks the steps.
///
/// # Errors
/// If the text is no replay, or its game is not in the registry.
pub fn parse(text: &str) -> Result<(Replay, &'static dyn AnyEntry), ReadError> {
    let replay = Replay::parse(text)?;
    let entry = find_game(&replay.game).map_err(|error| ReadError::Game(error.to_string()))?;
    Ok((replay, entry))
}

/// Parses a viewer: a seat's number, `public` or `all`.
///
/// # Errors
/// A description of the expected viewer.
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
