//! The running process: starting, stopping, killing, and how it ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::unistd::Pid;

use crate::clock::{CpuClock, children};
use crate::pipes::Pipes;
use crate::reap::{Marks, signal_group, wait_for};
use crate::sandbox::Level;

/// A process that runs.
pub(super) struct Running {
    pub(super) child: Child,
    pub(super) pipes: Pipes,
    pub(super) marks: Marks,
    /// The bot itself; in a namespace of its own it is not our child.
    pub(super) bot: Pid,
    pub(super) cpu: Option<CpuClock>,
    pub(super) frozen: bool,
    pub(super) last_line: String,
}

impl Running {
    /// How the process ended, if it has. Its clock is read before it is gone for good.
    pub(super) fn try_wait(&mut self) -> Option<ExitStatus> {
        if let Some(cpu) = &mut self.cpu {
            cpu.read();
        }
        self.child.try_wait().ok().flatten()
    }

    pub(super) fn stop(&mut self) {
        if !std::mem::replace(&mut self.frozen, true) {
            signal_group(self.bot, Signal::SIGSTOP);
        }
    }

    pub(super) fn go_on(&mut self) {
        if std::mem::take(&mut self.frozen) {
            signal_group(self.bot, Signal::SIGCONT);
        }
    }

    /// Kills the process and everything it started, and reaps it.
    pub(super) fn kill(mut self, level: Level) {
        let child = pid_of(&self.child);
        if level == Level::Strict {
            // Its first process takes the whole namespace with it; then bubblewrap ends by itself.
            for first in children(child) {
                signal_group(first, Signal::SIGKILL);
            }
            let _ = wait_for(&mut self.child, Duration::from_millis(500));
        }
        signal_group(child, Signal::SIGKILL);
        // Daemons have left the group, and those of a namespace die a moment after it.
        self.marks.kill_all();
        // A killed process ends as soon as the kernel comes to it. If it does not, it is left as it is.
        let _ = wait_for(&mut self.child, Duration::from_secs(5));
        crate::living::forget_bot(&self.child);
    }
}

pub(super) fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32)
}

/// How a process ended, for people.
pub(super) fn describe(status: ExitStatus) -> String {
    let signal = |number: i32| match Signal::try_from(number) {
        Ok(signal) => format!("it was ended by signal {signal}"),
        Err(_) => format!("it was ended by signal {number}"),
    };
    match (status.code(), status.signal()) {
        (_, Some(number)) => signal(number),
        // bubblewrap reports the bot's signals so.
        (Some(code @ 129..=192), _) => format!("{} (status {code})", signal(code - 128)),
        (Some(125 | 127), _) => "it could not be run; its stderr says why".to_owned(),
        (Some(code), _) => format!("it ended with status {code}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Whether a bot ended because it had no memory: nobody but the bot knows, so its last words decide.
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

/// Starts a process from a thread that never ends: some kinds of "die with your parent" mean the thread.
pub(super) fn spawn(command: Command, marks: Marks) -> std::io::Result<Child> {
    type Order = (Command, Marks, Sender<std::io::Result<Child>>);
    static SPAWNER: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        std::thread::spawn(move || {
            for (mut command, marks, reply) in received {
                // Who ordered has gone away only if it panicked.
                let _ = reply.send(crate::living::start(&mut command, &marks));
            }
        });
        Mutex::new(orders)
    });
    let (reply, result) = channel();
    let order =
        spawner.lock().unwrap_or_else(std::sync::PoisonError::into_inner).send((command, marks, reply));
    order.map_err(|_| std::io::Error::other("the thread that starts processes has ended"))?;
    result.recv().map_err(|_| std::io::Error::other("the thread that starts processes has ended"))?
}
