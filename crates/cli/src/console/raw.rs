//! The terminal while we paint on all of it: entered once, always left again.

use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

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
