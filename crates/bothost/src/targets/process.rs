//! Processes and groups that may be sent signals.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpgrp, getpid, getppid, getsid};

/// A process that may be sent signals: not init, not ourselves, not our parent. Its number is not 0 (our own
/// group), and not negative (another group, or all processes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessId(Pid);

impl ProcessId {
    /// The process of this id, if it may be sent signals.
    pub fn new(number: i32) -> Option<Self> {
        let pid = Pid::from_raw(number);
        (number > 1 && pid != getpid() && pid != getppid()).then_some(Self(pid))
    }

    /// Sends the process a signal.
    ///
    /// # Errors
    /// If the process is gone, or not ours to signal.
    #[expect(clippy::disallowed_methods, reason = "the one place where processes are sent signals")]
    pub(crate) fn signal(self, signal: Signal) -> nix::Result<()> {
        // Checked again: our parent may have changed to this process.
        let Self(pid) = Self::new(self.0.as_raw()).ok_or(nix::Error::EPERM)?;
        kill(pid, signal)
    }
}

/// A process group that may be sent signals: not 0 or ours, not that of our session's leader, not 1 and not
/// negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupId(Pid);

impl GroupId {
    /// The group of this id, if it may be sent signals.
    pub fn new(number: i32) -> Option<Self> {
        let group = Pid::from_raw(number);
        (number > 1 && group != getpgrp() && getsid(None) != Ok(group)).then_some(Self(group))
    }

    /// Sends a signal to all processes of the group.
    ///
    /// # Errors
    /// If the group has no processes, or none that we may signal.
    #[expect(clippy::disallowed_methods, reason = "the one place where groups are sent signals")]
    pub(crate) fn signal(self, signal: Signal) -> nix::Result<()> {
        let Self(group) = Self::new(self.0.as_raw()).ok_or(nix::Error::EPERM)?;
        killpg(group, signal)
    }
}
