//! The process that we have started for a bot: its supervisor, or without one the bot itself.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::pipes::breathe;
use crate::sandbox::supervise::END;

/// A killed process ends as soon as the kernel comes to it. If it does not, it is left as it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// A child of ours that everything of a bot ends with. It is signalled only as long as nobody has waited for it:
/// so its number is its own.
#[derive(Debug)]
pub(crate) struct Supervised {
    pid: Pid,
    /// The user that is the bot's alone.
    user: Option<u32>,
    /// Whether it is a supervisor that ends the bot.
    supervises: bool,
    child: Mutex<Child>,
}

impl Supervised {
    /// Starts it.
    pub(crate) fn spawn(command: &mut Command, supervises: bool, user: Option<u32>) -> io::Result<Self> {
        let child = command.spawn()?;
        Ok(Self { pid: Pid::from_raw(child.id() as i32), user, supervises, child: Mutex::new(child) })
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    pub(crate) fn user(&self) -> Option<u32> {
        self.user
    }

    pub(crate) fn child(&self) -> MutexGuard<'_, Child> {
        // Nothing that holds the lock leaves it half changed.
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it ended, if it has. A supervisor ends as the bot did.
    pub(crate) fn try_wait(&self) -> Option<ExitStatus> {
        self.child().try_wait().ok().flatten()
    }

    /// Has the bot and everything that it has started killed, soon.
    pub(crate) fn ask_to_end(&self) {
        let mut child = self.child();
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        let signals: &[Signal] = if self.supervises {
            // A bot that shares our user without a filter could have stopped it.
            &[END, Signal::SIGCONT]
        } else {
            let _ = killpg(self.pid, Signal::SIGKILL);
            &[Signal::SIGKILL]
        };
        for signal in signals {
            let _ = kill(self.pid, *signal);
        }
    }

    /// Kills the bot and everything that it has started, and waits until nothing is left.
    pub(crate) fn end(&self) {
        self.ask_to_end();
        let deadline = Instant::now() + PATIENCE;
        while self.try_wait().is_none() {
            if Instant::now() >= deadline {
                // It may wait for a process that the kernel does not come to. The bot itself dies with it.
                let _ = self.child().kill();
                return;
            }
            breathe();
        }
    }
}
