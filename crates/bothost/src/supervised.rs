//! The process started for a bot: its supervisor, or without one the bot itself.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use nix::sys::signal::Signal;
use nix::unistd::Pid;

use crate::pipes::breathe;
use crate::reap::REAP_TIMEOUT;
use crate::sandbox::supervise::END;
use crate::targets::{BotUser, GroupId, ProcessId};
use crate::tree::descendants;

/// The child process of a bot: its supervisor, or without one the bot itself. It is signalled only until it
/// is reaped, so its process id cannot be reused.
#[derive(Debug)]
pub(crate) struct Supervised {
    pid: Pid,
    /// The user reserved for this bot, if any.
    user: Option<BotUser>,
    /// True if it is a supervisor that ends the bot.
    supervises: bool,
    child: Mutex<Child>,
}

impl Supervised {
    pub(crate) fn spawn(command: &mut Command, supervises: bool, user: Option<BotUser>) -> io::Result<Self> {
        let child = command.spawn()?;
        Ok(Self { pid: Pid::from_raw(child.id() as i32), user, supervises, child: Mutex::new(child) })
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    pub(crate) fn user(&self) -> Option<BotUser> {
        self.user
    }

    /// The descendants of the child, plus the bot itself; a supervisor is excluded.
    pub(crate) fn processes(&self) -> Vec<Pid> {
        let own = (!self.supervises).then_some(self.pid);
        own.into_iter().chain(descendants(self.pid)).collect()
    }

    pub(crate) fn child(&self) -> MutexGuard<'_, Child> {
        // Every holder of the lock leaves a consistent state, so poison is ignored.
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exit status of the child, if it has ended. A supervisor ends with the bot's status.
    pub(crate) fn try_wait(&self) -> Option<ExitStatus> {
        self.child().try_wait().ok().flatten()
    }

    /// Requests the death of the bot and its descendants, without waiting.
    pub(crate) fn ask_to_end(&self) {
        let mut child = self.child();
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        let signals: &[Signal] = if self.supervises {
            // A bot that shares our user without a filter could have stopped the supervisor.
            &[END, Signal::SIGCONT]
        } else {
            let group = GroupId::new(self.pid.as_raw());
            let _ = group.map(|group| group.signal(Signal::SIGKILL));
            &[Signal::SIGKILL]
        };
        let Some(process) = ProcessId::new(self.pid.as_raw()) else { return };
        for signal in signals {
            let _ = process.signal(*signal);
        }
    }

    /// Kills the bot and its descendants, and waits until nothing is left.
    pub(crate) fn end(&self) {
        self.ask_to_end();
        let deadline = Instant::now() + REAP_TIMEOUT;
        while self.try_wait().is_none() {
            if Instant::now() >= deadline {
                // The supervisor may wait for a process that the kernel does not schedule. The bot itself
                // dies with it.
                let _ = self.child().kill();
                return;
            }
            breathe();
        }
    }
}
