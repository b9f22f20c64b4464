//! The supervisor, a process between the host and the bot. It ends all descendants of the bot once the bot
//! ends, the host requests it, or the host is gone.
//!
//! Orphans among its descendants become its children. Its descendants are therefore exactly the processes of
//! the bot, however often the bot forks and whatever session it joins. The supervisor signals only its own
//! unreaped children, whose process ids cannot be reused.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::process::{Child, Command, ExitCode};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use nix::sys::wait::{WaitStatus, wait};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getppid, setsid};
use rustix::process::{PidfdFlags, WaitId, WaitIdOptions, WaitIdStatus, pidfd_open, waitid};
use serde::{Deserialize, Serialize};

use crate::pipes::breathe;
use crate::targets::{ControlGroup, GroupId, ProcessId};
use crate::tree::children;

/// The signal by which the host requests the end, and by which the kernel reports the host's death.
pub(crate) const END: Signal = Signal::SIGTERM;

/// Shortest and longest interval between two looks for orphans, in milliseconds; the interval doubles while
/// none ends.
const MIN_PAUSE: u16 = 20;
const MAX_PAUSE: u16 = 1000;

/// The parameters of a supervisor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supervision {
    /// Process id of the host.
    pub host: i32,
    /// Control groups to remove at the end, in case the host is gone by then.
    pub groups: Vec<ControlGroup>,
}

/// Runs a program under supervision; returns once nothing of it is left.
pub(crate) fn supervise(
    order: &Supervision,
    program: &OsString,
    arguments: &[OsString],
) -> Result<ExitCode, String> {
    let cannot = |what: &'static str| move |error: Errno| format!("cannot {what}: {error}");
    // Signals from keys of the terminal must reach the host alone.
    setsid().map_err(cannot("make a session"))?;
    // All signals are blocked before one can arrive; only `END` is read, from a descriptor.
    SigSet::all().thread_block().map_err(cannot("block signals"))?;
    let ends = SignalFd::new(&SigSet::from_iter([END])).map_err(cannot("wait for signals"))?;
    prctl::set_child_subreaper(true).map_err(cannot("take care of orphans"))?;
    prctl::set_pdeathsig(END).map_err(cannot("tie to the host"))?;
    if getppid().as_raw() != order.host {
        return Err("the host is gone".into());
    }
    let child = Command::new(program)
        .args(arguments)
        .spawn()
        .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let bot = Pid::from_raw(child.id() as i32);
    let status = watch(&child, bot, &ends);
    end(bot);
    if !matches!(status, Ok(Some(_))) {
        order.groups.iter().for_each(ControlGroup::remove);
    }
    Ok(ExitCode::from(status?.unwrap_or(0)))
}

/// The first process of a namespace: runs a program, reaps orphans, and ends with the program.
///
/// When this process ends, the kernel ends all others of the namespace. The bot's restrictions come from a
/// filter that this process lacks, and in a user namespace both run as the same user. This process must
/// therefore be closed to tracing and memory writes.
pub(crate) fn begin(program: &OsString, arguments: &[OsString]) -> Result<ExitCode, String> {
    let cannot = |what: &'static str| move |error: Errno| format!("cannot {what}: {error}");
    prctl::set_dumpable(false).map_err(cannot("keep others out of the first process"))?;
    let child = Command::new(program).args(arguments).spawn();
    let child = child.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let bot = Pid::from_raw(child.id() as i32);
    let_go_of_pipes()?;
    loop {
        match wait() {
            Ok(WaitStatus::Exited(pid, status)) if pid == bot => return Ok(ExitCode::from(status as u8)),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == bot => {
                return Ok(ExitCode::from(128 + signal as u8));
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(cannot("wait for the bot")(error)),
        }
    }
}

/// Replaces the pipes of this process, so that the host notices when the bot closes its own ends.
fn let_go_of_pipes() -> Result<(), String> {
    let nothing = File::options().read(true).write(true).open("/dev/null");
    let nothing = nothing.map_err(|error| format!("cannot open /dev/null: {error}"))?;
    dup2_stdin(&nothing)
        .and_then(|()| dup2_stdout(&nothing))
        .and_then(|()| dup2_stderr(&nothing))
        .map_err(|error| format!("cannot let go of pipes: {error}"))
}

/// Waits until the bot has ended or must end. Returns its exit status if it has ended.
fn watch(child: &Child, bot: Pid, ends: &SignalFd) -> Result<Option<u8>, String> {
    // A pidfd instead of SIGCHLD, which would wake us whenever the bot is stopped or continued.
    let process = pidfd_open(rustix::process::Pid::from_child(child), PidfdFlags::empty())
        .map_err(|error| format!("cannot watch the bot (Linux 5.3 or newer is needed): {error}"))?;
    let_go_of_pipes()?;
    let mut pause = MIN_PAUSE;
    loop {
        let mut polled = [process.as_fd(), ends.as_fd()].map(|end| PollFd::new(end, PollFlags::POLLIN));
        let come = poll(&mut polled, PollTimeout::from(pause)).unwrap_or(0);
        if polled[1].any() == Some(true) {
            return Ok(None);
        }
        if let Some(status) = has_ended(bot) {
            return Ok(Some(status));
        }
        let ended = orphans(bot).into_iter().filter(|pid| wait_for(*pid)).count();
        pause = if come > 0 || ended > 0 { MIN_PAUSE } else { pause.saturating_mul(2).min(MAX_PAUSE) };
    }
}

/// Processes reparented to this one because their parents are gone.
fn orphans(bot: Pid) -> Vec<Pid> {
    children(Pid::this()).into_iter().filter(|pid| *pid != bot).collect()
}

/// The exit status of the bot if it has ended, numbered as in shells. The bot is not reaped, so its process
/// id is not reused while this process lives.
fn has_ended(bot: Pid) -> Option<u8> {
    let status = look_at(bot, WaitIdOptions::NOWAIT)?;
    let signal = || status.terminating_signal().map(|signal| 128 + signal);
    status.exit_status().or_else(signal).map(|status| status as u8)
}

/// Reaps a child; returns true if it has ended. Its process id may be reused afterwards.
fn wait_for(child: Pid) -> bool {
    look_at(child, WaitIdOptions::empty()).is_some()
}

fn look_at(child: Pid, options: WaitIdOptions) -> Option<WaitIdStatus> {
    let child = rustix::process::Pid::from_raw(child.as_raw())?;
    waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG | options).ok()?
}

/// Kills all descendants, until none is left. Children of a killed process become ours.
fn end(bot: Pid) {
    // One signal reaches all processes that cannot leave the group.
    let group = GroupId::new(bot.as_raw());
    let _ = group.map(|group| group.signal(Signal::SIGKILL));
    loop {
        // Checked first: the orphans of a process have been reparented by the time that it has ended.
        let over = has_ended(bot).is_some();
        let left = orphans(bot);
        if over && left.is_empty() {
            return;
        }
        for process in left.iter().chain([&bot]).filter_map(|pid| ProcessId::new(pid.as_raw())) {
            let _ = process.signal(Signal::SIGKILL);
        }
        for pid in &left {
            wait_for(*pid);
        }
        breathe();
    }
}
