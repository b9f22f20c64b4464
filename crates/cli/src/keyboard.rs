//! Line input of a person, and Ctrl-C handling outside raw mode.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use crate::console::raw;
use crate::terminal;

/// Maximal length of a line, in bytes; longer lines are split.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Lines from stdin until its end or Ctrl-C. In both cases a waiting reader gets `None`, so it can save its
/// state. A second Ctrl-C ends the program at once.
pub struct Keyboard {
    lines: Receiver<Option<String>>,
    /// Sender for the reader's thread, which starts when the first line is requested.
    sender: Option<Sender<Option<String>>>,
    interrupted: Arc<AtomicBool>,
}

impl Keyboard {
    /// Listens to Ctrl-C, SIGTERM and SIGHUP from now on.
    pub fn new() -> anyhow::Result<Self> {
        let (sender, lines) = mpsc::channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        let (heard, flag) = (sender.clone(), Arc::clone(&interrupted));
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                raw::leave();
                std::process::exit(1);
            }
            // Sending fails only when the keyboard is gone and nobody waits for lines.
            let _ = heard.send(None);
        })?;
        Ok(Self { lines, sender: Some(sender), interrupted })
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// The flag that Ctrl-C sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Pauses for `time`, or until Ctrl-C. Lines typed meanwhile are discarded.
    pub fn pause(&self, time: Duration) {
        while !self.is_interrupted() && self.lines.recv_timeout(time) != Err(RecvTimeoutError::Timeout) {}
    }

    /// The next line, without its end; `None` after the last one or after Ctrl-C. Invalid UTF-8 is replaced.
    pub fn line(&mut self) -> Option<String> {
        if let Some(sender) = self.sender.take() {
            std::thread::spawn(move || send_lines(&sender));
        }
        let line = if self.is_interrupted() { None } else { self.lines.recv().ok().flatten() };
        if line.is_none() {
            terminal::tell("");
        }
        line
    }
}

fn send_lines(sender: &Sender<Option<String>>) {
    let mut input = BufReader::new(std::io::stdin());
    loop {
        let mut bytes = Vec::new();
        let read = (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
        let line = match read {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
        };
        let is_last = line.is_none();
        if sender.send(line).is_err() || is_last {
            return;
        }
    }
}
