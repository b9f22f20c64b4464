//! The binary on a pseudo-terminal, and the screen that its output paints.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use meeple_testkit::waits::WAIT_LIMIT;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

pub struct Terminal {
    child: Child,
    /// The test's side of the terminal.
    wire: File,
    /// Path of the program's side of the terminal. That side is kept open, so that the last output can be
    /// read.
    device: PathBuf,
    _open: std::os::fd::OwnedFd,
    screen: vt100::Parser,
    /// All output.
    pub bytes: Vec<u8>,
}

impl Terminal {
    /// Starts the program with these words on a terminal of `columns` columns and `lines` lines.
    pub fn start(words: &str, columns: u16, lines: u16) -> Self {
        Self::with(words, columns, lines, &[])
    }

    /// Starts the program like [`Self::start`], with further environment variables.
    pub fn with(words: &str, columns: u16, lines: u16, variables: &[(&str, &str)]) -> Self {
        let size = Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
        let device = nix::unistd::ttyname(&slave).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
        command.args(words.split_whitespace()).stdin(end()).stdout(end()).stderr(end());
        command.env_remove("NO_COLOR").env_remove("PAGER").env("TERM", "xterm-256color");
        command.envs(variables.iter().copied());
        let child = command.spawn().unwrap();
        let screen = vt100::Parser::new(at_least_one(lines), at_least_one(columns), 0);
        Self { child, wire: master.into(), device, _open: slave, screen, bytes: Vec::new() }
    }

    /// Types these bytes into the terminal.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.wire.write_all(bytes.as_ref()).unwrap();
    }

    pub fn line(&mut self, text: &str) {
        self.send(format!("{text}\r"));
    }

    /// The current lines of the screen.
    pub fn lines(&self) -> Vec<String> {
        let (_, columns) = self.screen.screen().size();
        self.screen.screen().rows(0, columns.get()).map(|line| line.trim_end().to_owned()).collect()
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.lines().join("\n").trim_end().to_owned()
    }

    pub fn is_painted(&self) -> bool {
        self.screen.screen().alternate_screen()
    }

    pub fn screen_hides_cursor(&self) -> bool {
        self.screen.screen().hide_cursor()
    }

    /// Reads output until the condition holds.
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let until = Instant::now() + WAIT_LIMIT;
        while !is_so(self) {
            let left = until.saturating_duration_since(Instant::now());
            if self.read(left) {
                continue;
            }
            // A signal may interrupt a read. The wait fails only if the program has ended or is too slow.
            let ended = self.child.try_wait().unwrap();
            let waits = ended.is_none() && !left.is_zero();
            assert!(waits, "expected {what} (exit {ended:?}, {left:?} left), found\n{}", self.text());
        }
    }

    /// Reads until the screen shows this text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |terminal| terminal.text().contains(text));
    }

    /// Types a line and reads until its effect is painted. Every key, Enter included, paints one page, and a
    /// page ends by showing the cursor.
    pub fn enter(&mut self, text: &str) {
        let before = self.pages();
        self.line(text);
        let after = before + text.chars().count() + 1;
        self.wait_until("a page for every key", |terminal| terminal.pages() >= after);
    }

    /// Number of pages painted with a prompt.
    fn pages(&self) -> usize {
        self.bytes.windows(6).filter(|bytes| *bytes == b"\x1b[?25h").count()
    }

    pub fn resize(&mut self, columns: u16, lines: u16) {
        let words = ["rows", &lines.to_string(), "cols", &columns.to_string()].map(str::to_owned);
        let device = File::open(&self.device).unwrap();
        assert!(Command::new("stty").args(words).stdin(device).status().unwrap().success());
        self.screen.screen_mut().set_size(at_least_one(lines), at_least_one(columns));
        self.signal(Signal::SIGWINCH);
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id() as i32), signal).unwrap();
    }

    /// Waits for the end of the program. Returns its status and the last screen.
    pub fn end(mut self) -> (ExitStatus, String, Self) {
        let until = Instant::now() + WAIT_LIMIT;
        let status = loop {
            // A program with unread output may not be able to end.
            self.read(Duration::from_millis(20));
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "expected an end, found\n{}", self.text());
        };
        while self.read(Duration::from_millis(20)) {}
        (status, self.text(), self)
    }

    /// Reads output that arrives within this time. Returns true if there was any.
    fn read(&mut self, time: Duration) -> bool {
        let mut ready = [PollFd::new(self.wire.as_fd(), PollFlags::POLLIN)];
        let time = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
        if poll(&mut ready, time).unwrap_or(0) == 0 {
            return false;
        }
        let mut bytes = [0; 1 << 16];
        let Ok(count @ 1..) = self.wire.read(&mut bytes) else { return false };
        self.screen.process(&bytes[..count]);
        self.bytes.extend_from_slice(&bytes[..count]);
        true
    }
}

fn at_least_one(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has a line and a column")
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The program ends with its test, even with a failed one.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
