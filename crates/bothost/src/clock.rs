//! The CPU clock of a bot: the CPU time of its process and of the processes under it.

use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

/// The CPU clocks of the processes of a bot.
///
/// The processes are looked up when the clock is made: the bot and whatever it had started by then. What it
/// starts later is not counted; the ceiling on the wall catches that.
#[derive(Debug, Default)]
pub(crate) struct CpuClock {
    processes: Vec<Process>,
}

#[derive(Debug)]
struct Process {
    clock: ClockId,
    last: Duration,
}

impl CpuClock {
    /// The clock of `root` and of everything under it; `None` if the system does not offer it.
    pub(crate) fn of_tree(root: Pid) -> Option<Self> {
        let mut pids = vec![root];
        let mut next = 0;
        while next < pids.len() && pids.len() < 64 {
            pids.extend(children(pids[next]));
            next += 1;
        }
        let process = |pid| Some(Process { clock: clock_getcpuclockid(pid).ok()?, last: Duration::ZERO });
        let processes: Vec<Process> = pids.into_iter().filter_map(process).collect();
        (!processes.is_empty()).then_some(Self { processes })
    }

    /// CPU time so far. A process that has ended counts with what it had used when last looked at.
    pub(crate) fn read(&mut self) -> Duration {
        for process in &mut self.processes {
            if let Ok(now) = process.clock.now() {
                process.last = Duration::from(now).max(process.last);
            }
        }
        self.processes.iter().map(|process| process.last).sum()
    }
}

/// The children of a process, oldest first; none if it is gone or the system does not say.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|word| word.parse().ok())
                .map(Pid::from_raw)
                .collect::<Vec<_>>()
        })
        .collect()
}
