//! The counts file of a sweep, written and read cell by cell. The counts of all cells would take many times
//! the memory of the summaries.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Deserializer;

use crate::error::LabError;
use crate::tally::Tally;

/// Writes a JSON list with one line per cell.
pub(crate) struct CountsWriter {
    path: PathBuf,
    file: BufWriter<File>,
    cells: usize,
    /// `Ok`, or the first write error, which `finish` returns once all cells are played.
    written: std::io::Result<()>,
}

impl CountsWriter {
    pub fn create(path: &Path) -> Result<Self, LabError> {
        let file = File::create(path).map_err(|error| LabError::write(path, error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), cells: 0, written: Ok(()) })
    }

    pub fn add(&mut self, tally: &Tally) {
        if self.written.is_ok() {
            let before: &[u8] = if self.cells == 0 { b"[" } else { b",\n" };
            let written = self.file.write_all(before);
            self.written = written.and_then(|()| Ok(serde_json::to_writer(&mut self.file, tally)?));
            self.cells += 1;
        }
    }

    /// Ends the list and syncs the file.
    pub fn finish(self) -> Result<(), LabError> {
        let Self { path, mut file, cells, written } = self;
        let end = if cells == 0 { "[]\n" } else { "]\n" };
        let finished = written.and_then(|()| {
            file.write_all(end.as_bytes())?;
            file.into_inner()?.sync_all()
        });
        finished.map_err(|error| LabError::write(&path, error))
    }
}

/// Reads counts line by line. Line breaks between cells are optional, but a file on a single line takes more
/// memory.
pub(crate) struct CountsReader {
    path: PathBuf,
    file: BufReader<File>,
    line: Vec<u8>,
    /// Next unread byte of the line.
    at: usize,
}

impl CountsReader {
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let file = File::open(path).map_err(|error| LabError::read(path, error))?;
        Ok(Self { path: path.to_owned(), file: BufReader::new(file), line: Vec::new(), at: 0 })
    }

    pub fn next(&mut self) -> Result<Option<Tally>, LabError> {
        let error = |reason: &dyn std::fmt::Display| LabError::read(&self.path, reason);
        loop {
            let between = |byte: &u8| byte.is_ascii_whitespace() || b"[,]".contains(byte);
            match self.line[self.at..].iter().position(|byte| !between(byte)) {
                Some(skipped) => {
                    self.at += skipped;
                    let mut values = Deserializer::from_slice(&self.line[self.at..]).into_iter::<Tally>();
                    let tally = values.next().transpose().map_err(|wrong| error(&wrong))?;
                    self.at += values.byte_offset();
                    return Ok(tally);
                }
                None => {
                    (self.at, self.line) = (0, std::mem::take(&mut self.line));
                    self.line.clear();
                    let read = self.file.read_until(b'\n', &mut self.line);
                    if read.map_err(|wrong| error(&wrong))? == 0 {
                        return Ok(None);
                    }
                }
            }
        }
    }
}
