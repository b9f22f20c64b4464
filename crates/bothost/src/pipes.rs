//! The pipes of a bot: lines out, lines in, stderr drained. Nothing here blocks but
//! [`Pipes::wait`], which has a timeout.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::limits::Limits;

/// What is read at once.
const CHUNK: usize = 16 << 10;
/// Reads in a row, of one pipe: as much as a pipe holds.
const READS: usize = 4;

/// The three pipes of a bot.
pub(crate) struct Pipes {
    input: Option<ChildStdin>,
    /// What could not be written yet.
    unsent: Vec<u8>,
    output: Option<ChildStdout>,
    /// Where reading reads to.
    chunk: Box<[u8]>,
    /// What was read; the first `taken` bytes have been handed out.
    read: Vec<u8>,
    taken: usize,
    /// Where in `read` to go on looking for the end of a line.
    searched: usize,
    errors: Option<ChildStderr>,
    tail: Vec<u8>,
    /// Bytes on stderr since the count was last reset.
    pub(crate) stderr_bytes: u64,
}

/// What reading found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A line without its end, as a range of [`Pipes::bytes`].
    Line(std::ops::Range<usize>),
    /// Nothing yet.
    Nothing,
    /// The bot closed its output; what is left is no whole line.
    Closed,
    /// The line is longer than allowed.
    TooLong,
}

impl Pipes {
    /// The pipes, which become non-blocking.
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

    /// Appends a message to what is to be sent; [`flush`](Self::flush) sends it.
    pub(crate) fn queue(&mut self) -> &mut Vec<u8> {
        &mut self.unsent
    }

    /// Sends what the pipe takes.
    ///
    /// # Errors
    /// If the bot has closed its input.
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

    /// Closes the bot's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
        self.unsent.clear();
    }

    /// Reads some of what is there. Whether something is there to be judged: a whole line, one that is too long, or the
    /// end.
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

    /// Whether a line has come that can be read.
    pub(crate) fn has_line(&mut self, limits: &Limits) -> bool {
        self.end_of_line().is_some_and(|end| end - self.taken <= limits.line_bytes)
    }

    /// Where the next line ends, if it has come.
    fn end_of_line(&mut self) -> Option<usize> {
        let found = self.read[self.searched..].iter().position(|byte| *byte == b'\n');
        let end = found.map(|offset| self.searched + offset);
        self.searched = end.unwrap_or(self.read.len());
        end
    }

    /// Reads a chunk. False if nothing was there.
    fn read_chunk(&mut self) -> bool {
        // What has been handed out is forgotten.
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

    /// The next line, reading what is there.
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

    /// What has come of a line that is not whole yet.
    pub(crate) fn half_line(&self) -> &[u8] {
        &self.read[self.taken..]
    }

    /// Reads what is on stderr, keeps its tail and drops the rest. At most as much as a pipe holds at a time, so that a
    /// bot that writes without end cannot keep us here.
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

    /// The tail of stderr as text.
    pub(crate) fn tail(&self) -> String {
        String::from_utf8_lossy(&self.tail).trim_end().to_owned()
    }

    /// What to wait for: that something can be read, or sent if something is unsent; stderr comes last.
    pub(crate) fn polled(&self) -> Vec<PollFd<'_>> {
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let input = input.map(|input| PollFd::new(input.as_fd(), PollFlags::POLLOUT));
        let output = self.output.as_ref().map(|output| PollFd::new(output.as_fd(), PollFlags::POLLIN));
        let errors = self.errors.as_ref().map(|errors| PollFd::new(errors.as_fd(), PollFlags::POLLIN));
        [input, output, errors].into_iter().flatten().collect()
    }

    /// Waits until one of these happens or the time is over. Returns whether stderr is worth a look.
    pub(crate) fn wait(&self, at_most: Duration) -> bool {
        let mut polled = self.polled();
        pause(&mut polled, at_most);
        self.errors.is_some() && polled.last().is_some_and(|errors| errors.any() == Some(true))
    }
}

/// Whether one of these has happened.
pub(crate) fn has_come(polled: &mut [PollFd<'_>]) -> bool {
    poll(polled, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

/// Waits for one of these, at least a millisecond if nothing comes, at most this long.
pub(crate) fn pause(polled: &mut [PollFd<'_>], at_most: Duration) {
    let milliseconds = at_most.as_millis().clamp(1, 60_000) as u16;
    // An interrupted wait is only a short one: the caller looks again.
    let _ = poll(polled, PollTimeout::from(milliseconds));
}

/// Lets a millisecond pass, for waits that nothing announces.
pub(crate) fn breathe() {
    pause(&mut [], Duration::from_millis(1));
}
