//! Replay storage of a tournament: one file with a gzip member per replay.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use meeple_core::Replay;

use crate::error::ArenaError;

/// Largest size of a replay in bytes, packed or unpacked; no game reaches it.
const LARGEST_REPLAY: u64 = 256 << 20;

pub(crate) enum Replays {
    /// In memory, for the life of the store.
    Memory(Vec<u8>),
    File {
        path: PathBuf,
        file: File,
        end: u64,
    },
}

impl Replays {
    pub fn end(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { end, .. } => *end,
        }
    }

    pub fn append(&mut self, packed: &[u8]) -> Result<(), ArenaError> {
        match self {
            Self::Memory(bytes) => bytes.extend_from_slice(packed),
            Self::File { path, file, end } => {
                file.write_all(packed)
                    .map_err(|error| ArenaError::file(path, format!("expected to write replays: {error}")))?;
                *end += packed.len() as u64;
            }
        }
        Ok(())
    }

    pub fn read(&mut self, index: u64, at: u64, bytes: u64) -> Result<Replay, ArenaError> {
        let mut packed = vec![0; usize::try_from(bytes.min(LARGEST_REPLAY)).unwrap_or(0)];
        let wrong = |path: &Path, reason: String| {
            ArenaError::file(path, format!("replay of episode {index}: {reason}"))
        };
        let path = match self {
            Self::Memory(all) => {
                let begin = (at as usize).min(all.len());
                let end = (begin + packed.len()).min(all.len());
                packed.truncate(end - begin);
                packed.copy_from_slice(&all[begin..end]);
                PathBuf::from("memory")
            }
            Self::File { path, file, .. } => {
                file.seek(SeekFrom::Start(at))
                    .and_then(|_| file.read_exact(&mut packed))
                    .and_then(|()| file.seek(SeekFrom::End(0)))
                    .map_err(|error| wrong(path, error.to_string()))?;
                path.clone()
            }
        };
        let mut text = String::new();
        let mut member = GzDecoder::new(packed.as_slice());
        (&mut member)
            .take(LARGEST_REPLAY)
            .read_to_string(&mut text)
            .map_err(|error| wrong(&path, error.to_string()))?;
        match member.into_inner().len() {
            0 => {}
            more => return Err(wrong(&path, format!("expected its end, found {more} more bytes"))),
        }
        let replay = Replay::parse(&text).map_err(|error| wrong(&path, error.to_string()))?;
        let mut written = Vec::with_capacity(text.len());
        write_line(&replay, &mut written);
        if written != text.as_bytes() {
            let reason = "expected the text of a replay, found other spaces or keys";
            return Err(wrong(&path, reason.to_owned()));
        }
        Ok(replay)
    }
}

/// Appends a replay as one line of JSON.
fn write_line(replay: &Replay, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, replay).expect("a replay is plain data, and memory takes it");
    out.push(b'\n');
}

/// Compresses replays into one gzip member each. The compressor is reused, because its setup costs more than
/// a short replay.
pub(crate) struct Packer {
    compress: Compress,
    text: Vec<u8>,
}

impl Packer {
    pub fn new() -> Self {
        Self { compress: Compress::new(Compression::fast(), false), text: Vec::new() }
    }

    /// Appends a replay to `out`: one line of JSON, as a gzip member.
    pub fn pack(&mut self, replay: &Replay, out: &mut Vec<u8>) {
        self.text.clear();
        write_line(replay, &mut self.text);
        // RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
        out.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        self.compress.reset();
        loop {
            out.reserve(self.text.len() / 4 + 256);
            let done = self.compress.total_in() as usize;
            let status = self.compress.compress_vec(&self.text[done..], out, FlushCompress::Finish);
            if status.expect("a fresh compressor takes any bytes") == Status::StreamEnd {
                break;
            }
        }
        let mut check = Crc::new();
        check.update(&self.text);
        out.extend(check.sum().to_le_bytes());
        out.extend(check.amount().to_le_bytes());
    }
}
