//! The terminal while we paint on all of it: entered once, always left again.

use std::io::Write;
use std::os::fd::AsFd;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout};

use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// Whether the screen is ours now.
static PAINTED: AtomicBool = AtomicBool::new(false);

/// A screen of our own, beside the one with the shell's lines. It is left when this is dropped, when the program
/// panics, and when a signal ends it.
pub struct OwnScreen(());

impl OwnScreen {
    /// Enters it.
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

/// Gives the terminal back as it was, if it is ours.
pub fn leave() {
    if PAINTED.swap(false, Ordering::SeqCst) {
        // Nobody is left to tell if this fails.
        let _ = disable_raw_mode();
        let _ = write("\x1b[?25h\x1b[?1049l");
    }
}

/// Keys come one by one while this lives, and signals of the keyboard as keys.
pub struct Keys(());

impl Keys {
    /// From now on.
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

/// How often whoever waits for a key looks whether there is still somebody to wait for.
pub const HEARTBEAT: Duration = Duration::from_millis(250);

/// What came of waiting for the keyboard.
pub enum Waited {
    /// A key was pressed.
    Key(KeyEvent),
    /// The window has another size, or something came that is no key.
    Other,
    /// Nothing yet.
    Nothing,
    /// The terminal is gone: nothing will ever come.
    Gone,
}

/// Waits for the keyboard, at most so long.
///
/// It is waited for here, not in the library that knows the keys: that one would read from a terminal that has hung
/// up again and again, for ever.
pub fn wait(at_most: Duration) -> anyhow::Result<Waited> {
    // What was read along with an earlier key comes first.
    for patience in [Duration::ZERO, at_most] {
        if hangs_up(patience) {
            return Ok(Waited::Gone);
        }
        if event::poll(Duration::ZERO)? {
            // Bytes that are no key are no reason to stop.
            return Ok(match event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Waited::Key(key),
                _ => Waited::Other,
            });
        }
    }
    Ok(Waited::Nothing)
}

/// Waits until something can be read or this time is over. Returns whether the terminal is gone.
fn hangs_up(at_most: Duration) -> bool {
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    // A signal, as that of another size, ends the wait.
    let found = nix::poll::poll(&mut terminal, PollTimeout::try_from(at_most).unwrap_or(PollTimeout::MAX));
    let gone = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
    found.is_ok() && terminal[0].revents().is_some_and(|found| found.intersects(gone))
}

/// Stops the program as Ctrl-Z does, and goes on when the shell says so.
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

/// Writes to the terminal at once.
pub fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
