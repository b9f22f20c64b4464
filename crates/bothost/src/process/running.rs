//! The running process: starting, stopping, killing, and how it ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::unistd::{Pid, getpgid};

use crate::clock::CpuClock;
use crate::limits::Limits;
use crate::pipes::{Found, Pipes};
use crate::sandbox::groups::Groups;
use crate::supervised::Supervised;
use crate::targets::{BotUser, GroupId};
use crate::tree::below;
use crate::watch::{Excess, Watch};

pub(super) struct Running {
    pub(super) supervised: Arc<Supervised>,
    /// Control groups that count the resources of all processes of the bot; removed when those have ended.
    pub(super) groups: Option<Arc<Groups>>,
    pub(super) pipes: Pipes,
    /// The process group of the bot; known once the bot has printed its first line.
    pub(super) group: Option<GroupId>,
    pub(super) cpu: Option<CpuClock>,
    pub(super) frozen: bool,
    pub(super) last_line: String,
    /// The watch over its resources; absent at the level `none`.
    pub(super) watch: Option<Watch>,
}

impl Running {
    /// The exit status of the process, if it has ended. Its clock is read before the process is reaped.
    pub(super) fn try_wait(&mut self) -> Option<ExitStatus> {
        if let Some(cpu) = &mut self.cpu {
            cpu.look();
        }
        self.supervised.try_wait()
    }

    /// The exit status, if the process has ended. Reads its pipes and drops its lines, because a full pipe
    /// would keep it from ending.
    pub(super) fn try_wait_draining(&mut self, limits: &Limits) -> Option<ExitStatus> {
        self.pipes.drain_errors(limits);
        while let Found::Line(_) = self.pipes.next_line(limits) {}
        self.try_wait()
    }

    pub(super) fn excess(&self) -> Option<Excess> {
        self.watch.as_ref()?.excess()
    }

    /// CPU time so far, just before a question.
    pub(super) fn cpu_before_a_question(&mut self) -> Option<Duration> {
        // A stopped bot has used no CPU time since the last look.
        let cpu = self.cpu.as_mut()?;
        Some(if self.frozen { cpu.last() } else { cpu.between() })
    }

    pub(super) fn stop(&mut self) {
        if !std::mem::replace(&mut self.frozen, true) {
            match &self.watch {
                Some(watch) => watch.rests(|| self.signal(Signal::SIGSTOP)),
                None => self.signal(Signal::SIGSTOP),
            }
        }
    }

    pub(super) fn go_on(&mut self) {
        if std::mem::take(&mut self.frozen) {
            match &self.watch {
                Some(watch) => watch.goes_on(|| self.signal(Signal::SIGCONT)),
                None => self.signal(Signal::SIGCONT),
            }
        }
    }

    /// Signals all processes of the bot at once. A sandbox keeps them in the group; without one, those that
    /// left are not reached.
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            let _ = group.signal(signal);
        }
    }

    /// Kills the process and its descendants, and reaps it.
    pub(super) fn kill(self) {
        self.supervised.end();
        if let Some(groups) = &self.groups {
            // Removed at once instead of with the watch, because the program may end before the watch.
            groups.remove();
        }
        crate::living::forget_bot(&self.supervised);
    }
}

/// The bot's process, `depth` generations below the started one. `None` unless it leads its process group.
pub(super) fn leader_below(started: Pid, depth: usize) -> Option<Pid> {
    // Only a group led by its own process is signalled.
    below(started, depth).filter(|bot| getpgid(Some(*bot)) == Ok(*bot))
}

/// The end of a process, for people.
pub(super) fn describe(status: ExitStatus) -> String {
    let signal = |number: i32| match Signal::try_from(number) {
        Ok(signal) => format!("it was ended by signal {signal}"),
        Err(_) => format!("it was ended by signal {number}"),
    };
    match (status.code(), status.signal()) {
        (_, Some(number)) => signal(number),
        // bubblewrap reports the bot's signals in this form.
        (Some(code @ 129..=192), _) => format!("{} (status {code})", signal(code - 128)),
        (Some(125 | 127), _) => "it could not be run; its stderr says why".to_owned(),
        (Some(code), _) => format!("it ended with status {code}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Returns true if a bot ended for lack of memory. The exit status does not show it, so `tail`, the end of
/// stderr, decides.
pub(super) fn out_of_memory(tail: &str, status: ExitStatus) -> bool {
    const WORDS: [&str; 8] = [
        "MemoryError",
        "out of memory",
        "Out of memory",
        "std::bad_alloc",
        "memory allocation of",
        "Cannot allocate memory",
        "OutOfMemoryError",
        "Allocation failed",
    ];
    !status.success() && WORDS.iter().any(|word| tail.contains(word))
}

/// Starts a process. The thread that does so never ends, because the kernel would then signal the process
/// (`PR_SET_PDEATHSIG` follows threads).
pub(super) fn spawn(
    mut command: Command,
    supervises: bool,
    user: Option<BotUser>,
) -> std::io::Result<Arc<Supervised>> {
    type Order = Box<dyn FnOnce() + Send>;
    static SPAWNER: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        std::thread::spawn(move || received.into_iter().for_each(|order| order()));
        Mutex::new(orders)
    });
    let (reply, result) = channel();
    let order = Box::new(move || {
        // The receiver is gone only after a panic.
        let _ = reply.send(crate::living::start(&mut command, supervises, user));
    });
    let ended = || std::io::Error::other("the thread that starts processes has ended");
    let sent = spawner.lock().unwrap_or_else(std::sync::PoisonError::into_inner).send(order);
    sent.map_err(|_| ended())?;
    result.recv().map_err(|_| ended())?
}
