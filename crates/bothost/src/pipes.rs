//! The pipes of a bot: lines out, lines in, stderr drained. Only [`Pipes::wait`] blocks, with a timeout.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::limits::Limits;

const CHUNK: usize = 16 << 10;
/// Largest number of consecutive reads of one pipe; together they cover a pipe's capacity of 64 KiB.
const READS: usize = 4;

pub(crate) struct Pipes {
    input: Option<ChildStdin>,
    /// Bytes not written yet.
    unsent: Vec<u8>,
    output: Option<ChildStdout>,
    chunk: Box<[u8]>,
    /// Bytes received; the first `taken` bytes have been handed out.
    read: Vec<u8>,
    taken: usize,
    /// Offset in `read` at which the search for the end of a line continues.
    searched: usize,
    errors: Option<ChildStderr>,
    tail: Vec<u8>,
    /// Bytes read from stderr since the host last reset the count.
    pub(crate) stderr_bytes: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A line without its end, as a range of [`Pipes::bytes`].
    Line(std::ops::Range<usize>),
    Nothing,
    /// The bot closed its output; the rest is no complete line.
    Closed,
    /// The line is longer than allowed.
    TooLong,
}

impl Pipes {
    pub(crate) fn new(input: ChildStdin, output: ChildStdout, errors: ChildStderr) -> std::io::Result<Self> {
        for descriptor in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            let flags = OFlag::from_bits_truncate(fcntl(descriptor, FcntlArg::F_GETFL)?);
            fcntl(descriptor, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        }
        Ok(Self {
            input: Some(input),
            unsent: Vec::new(),
            output: Some(output),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            read: Vec::new(),
            taken: 0,
            searched: 0,
            errors: Some(errors),
            tail: Vec::new(),
            stderr_bytes: 0,
        })
    }

    /// The output buffer, to append a message; [`flush`](Self::flush) sends it.
    pub(crate) fn queue(&mut self) -> &mut Vec<u8> {
        &mut self.unsent
    }

    /// Sends as much as the pipe takes.
    pub(crate) fn flush(&mut self) -> std::io::Result<()> {
        let Some(input) = &mut self.input else { return Err(ErrorKind::BrokenPipe.into()) };
        let mut sent = 0;
        let result = loop {
            if sent == self.unsent.len() {
                break Ok(());
            }
            match input.write(&self.unsent[sent..]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.unsent.drain(..sent);
        result
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
        self.unsent.clear();
    }

    /// Reads available input. Returns true if there is something to judge: a complete line, one that is too
    /// long, or the end.
    pub(crate) fn fill(&mut self, limits: &Limits) -> bool {
        let ready = |own: &mut Self| {
            own.end_of_line().is_some() || own.half_line().len() > limits.line_bytes || own.output.is_none()
        };
        for _ in 0..READS {
            if ready(self) {
                return true;
            }
            if !self.read_chunk() {
                return false;
            }
        }
        ready(self)
    }

    pub(crate) fn has_line(&mut self, limits: &Limits) -> bool {
        self.end_of_line().is_some_and(|end| end - self.taken <= limits.line_bytes)
    }

    /// The offset in `read` of the end of the next line, if it has arrived.
    fn end_of_line(&mut self) -> Option<usize> {
        let found = self.read[self.searched..].iter().position(|byte| *byte == b'\n');
        let end = found.map(|offset| self.searched + offset);
        self.searched = end.unwrap_or(self.read.len());
        end
    }

    /// Reads a chunk. Returns false if nothing was available.
    fn read_chunk(&mut self) -> bool {
        // Bytes that were handed out are dropped.
        let taken = std::mem::take(&mut self.taken);
        self.read.drain(..taken);
        self.searched -= taken;
        let Some(output) = &mut self.output else { return false };
        match output.read(&mut self.chunk) {
            Ok(0) => self.output = None,
            Ok(count) => self.read.extend_from_slice(&self.chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
            Err(_) => self.output = None,
        }
        true
    }

    /// The next line, reading available input.
    pub(crate) fn next_line(&mut self, limits: &Limits) -> Found {
        loop {
            if let Some(end) = self.end_of_line() {
                let line = self.taken..end;
                self.taken = end + 1;
                self.searched = self.taken;
                return if line.len() > limits.line_bytes { Found::TooLong } else { Found::Line(line) };
            }
            if self.half_line().len() > limits.line_bytes {
                return Found::TooLong;
            }
            if self.output.is_none() {
                return Found::Closed;
            }
            if !self.read_chunk() {
                return Found::Nothing;
            }
        }
    }

    /// The bytes that ranges of [`Found::Line`] refer to.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.read
    }

    /// The part of a line received so far.
    pub(crate) fn half_line(&self) -> &[u8] {
        &self.read[self.taken..]
    }

    /// Reads stderr, keeps its tail and drops the rest. One call reads at most the capacity of a pipe, so
    /// endless output cannot block the host.
    pub(crate) fn drain_errors(&mut self, limits: &Limits) {
        let mut buffer = [0; CHUNK];
        for _ in 0..READS {
            let Some(errors) = &mut self.errors else { break };
            match errors.read(&mut buffer) {
                Ok(0) => self.errors = None,
                Ok(count) => {
                    self.stderr_bytes += count as u64;
                    self.tail.extend_from_slice(&buffer[..count]);
                    let excess = self.tail.len().saturating_sub(limits.stderr_tail_bytes);
                    self.tail.drain(..excess);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.errors = None,
            }
        }
    }

    pub(crate) fn tail(&self) -> String {
        String::from_utf8_lossy(&self.tail).trim_end().to_owned()
    }

    /// The descriptors to poll: readable, or writable if output is pending; stderr comes last.
    pub(crate) fn polled(&self) -> Vec<PollFd<'_>> {
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let input = input.map(|input| PollFd::new(input.as_fd(), PollFlags::POLLOUT));
        let output = self.output.as_ref().map(|output| PollFd::new(output.as_fd(), PollFlags::POLLIN));
        let errors = self.errors.as_ref().map(|errors| PollFd::new(errors.as_fd(), PollFlags::POLLIN));
        [input, output, errors].into_iter().flatten().collect()
    }

    /// Waits for an event of the pipes, at most this long. Returns true if stderr needs reading.
    pub(crate) fn wait(&self, at_most: Duration) -> bool {
        let mut polled = self.polled();
        pause(&mut polled, at_most);
        self.errors.is_some() && polled.last().is_some_and(|errors| errors.any() == Some(true))
    }
}

/// Returns true if one of these events has happened.
pub(crate) fn has_come(polled: &mut [PollFd<'_>]) -> bool {
    poll(polled, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

/// Waits for one of these events, at most this long; the wait is limited to 1 ms..=60 s.
pub(crate) fn pause(polled: &mut [PollFd<'_>], at_most: Duration) {
    let milliseconds = at_most.as_millis().clamp(1, 60_000) as u16;
    // An interrupted wait is only a short one: the caller looks again.
    let _ = poll(polled, PollTimeout::from(milliseconds));
}

/// Sleeps for a millisecond, for waits without an event.
pub(crate) fn breathe() {
    pause(&mut [], Duration::from_millis(1));
}
