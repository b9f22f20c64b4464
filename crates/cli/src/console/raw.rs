//! Full-screen and raw mode of the terminal.

use std::io::Write;
use std::os::fd::AsFd;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout};

use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

static PAINTED: AtomicBool = AtomicBool::new(false);

/// The alternate screen. It is left on drop, on a panic, and before a second Ctrl-C in
/// [`Keyboard`](crate::keyboard::Keyboard) ends the program.
pub struct OwnScreen(());

impl OwnScreen {
    pub fn enter() -> anyhow::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                leave();
                before(info);
            }));
        });
        PAINTED.store(true, Ordering::SeqCst);
        write("\x1b[?1049h\x1b[2J\x1b[H")?;
        Ok(Self(()))
    }
}

impl Drop for OwnScreen {
    fn drop(&mut self) {
        leave();
    }
}

/// Restores the terminal, if it is in full-screen mode.
pub fn leave() {
    if PAINTED.swap(false, Ordering::SeqCst) {
        // A failure here cannot be reported.
        let _ = disable_raw_mode();
        let _ = write("\x1b[?25h\x1b[?1049l");
    }
}

/// Raw keyboard mode until this value is dropped. Every key is reported at once, even Ctrl-C and Ctrl-Z.
pub struct Keys(());

impl Keys {
    pub fn listen() -> anyhow::Result<Self> {
        enable_raw_mode()?;
        Ok(Self(()))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// Interval of checks for interruption while waiting for a key.
pub const HEARTBEAT: Duration = Duration::from_millis(250);

/// The result of [`wait`].
pub enum Waited {
    Key(KeyEvent),
    /// A resize, or input that is not a key.
    Other,
    /// The timeout passed.
    Nothing,
    /// The terminal is gone: no input will follow.
    Gone,
}

/// Waits for a key, for at most `at_most`.
///
/// The waiting is done here, because crossterm reads from a closed terminal in an endless loop.
pub fn wait(at_most: Duration) -> anyhow::Result<Waited> {
    // The first pass does not wait: crossterm may have buffered input, which `poll` on stdin does not see.
    for patience in [Duration::ZERO, at_most] {
        if hangs_up(patience) {
            return Ok(Waited::Gone);
        }
        if event::poll(Duration::ZERO)? {
            // Invalid key sequences are ignored.
            return Ok(match event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Waited::Key(key),
                _ => Waited::Other,
            });
        }
    }
    Ok(Waited::Nothing)
}

/// Waits for input or the timeout. Returns true if the terminal is gone.
fn hangs_up(at_most: Duration) -> bool {
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    // A signal, such as a resize, ends the wait.
    let found = nix::poll::poll(&mut terminal, PollTimeout::try_from(at_most).unwrap_or(PollTimeout::MAX));
    let gone = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
    found.is_ok() && terminal[0].revents().is_some_and(|found| found.intersects(gone))
}

/// Suspends the program as Ctrl-Z does, and restores the screen when it continues.
pub fn suspend() -> anyhow::Result<()> {
    let was_painted = PAINTED.load(Ordering::SeqCst);
    leave();
    nix::sys::signal::raise(nix::sys::signal::Signal::SIGTSTP)?;
    if was_painted {
        PAINTED.store(true, Ordering::SeqCst);
        write("\x1b[?1049h\x1b[2J\x1b[H")?;
        enable_raw_mode()?;
    }
    Ok(())
}

pub fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
