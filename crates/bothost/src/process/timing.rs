//! The clock of a bot.

use std::time::{Duration, Instant};

use super::{Asked, BotProcess, LOOK};
use crate::clock::CpuClock;
use crate::fault::{Fault, FaultCode};
use crate::limits::ClockBasis;
use crate::patience::Waited;
use crate::usage::Usage;

impl BotProcess {
    /// The time up to which input has been received.
    fn known(&self) -> Instant {
        self.received.unwrap_or_else(|| self.time.now())
    }

    /// Time used by an open question so far.
    pub(super) fn usage(&mut self, asked: &Asked) -> Usage {
        self.usage_within(asked.open(self.known()), asked.cpu_before, CpuClock::read)
    }

    /// Time of the question at its end. A bot that is frozen between questions is stopped first, so that all
    /// its CPU time is counted. The wall time ends before the stop, which is the host's work.
    pub(super) fn final_usage(&mut self, asked: &Asked) -> Usage {
        let open = asked.open(self.known());
        self.freeze();
        self.usage_within(open, asked.cpu_before, CpuClock::close)
    }

    /// Time used by a question that was open this long, given the CPU time before it.
    pub(super) fn usage_within(
        &mut self,
        open: Duration,
        cpu_before: Option<Duration>,
        read: fn(&mut CpuClock, Duration) -> Duration,
    ) -> Usage {
        let now = self.running.as_mut().and_then(|running| running.cpu.as_mut()).map(|cpu| read(cpu, open));
        let cpu_us = match (cpu_before, now) {
            (Some(before), Some(now)) => Some(now.saturating_sub(before).as_micros() as u64),
            _ => None,
        };
        Usage { cpu_us, wall_us: open.as_micros() as u64 }
    }

    pub(super) fn counted(&self, used: Usage) -> Duration {
        Duration::from_micros(match self.clock.basis {
            ClockBasis::Cpu => used.cpu_us.unwrap_or(used.wall_us),
            ClockBasis::Wall => used.wall_us,
        })
    }

    /// Charges the time of a question to the bank, at least `least`, and adds the increment.
    pub(super) fn charge(&mut self, used: Usage, least: Duration) {
        let counted = self.counted(used).max(least);
        self.last_used_us = counted.as_micros() as u64;
        self.bank = self.bank.saturating_sub(counted) + Duration::from_millis(self.clock.increment_ms);
        self.used = self.used + used;
    }

    /// Returns the fault if the open question has taken too long.
    pub(super) fn check_clock(&mut self) -> Result<(), Fault> {
        let Some(asked) = self.asked.take() else { return Ok(()) };
        let used = self.usage(&asked);
        self.asked = Some(asked);
        self.check_time(used)
    }

    /// As [`check_clock`](Self::check_clock), for a question that has used this time.
    pub(super) fn check_time(&mut self, used: Usage) -> Result<(), Fault> {
        let Some(asked) = &self.asked else { return Ok(()) };
        let counted = self.counted(used);
        let ceiling = self.clock.ceiling(asked.budget);
        let (by_bank, budget) = (asked.by_bank, asked.budget);
        let wall = Duration::from_micros(used.wall_us);
        let basis = match self.clock.basis {
            ClockBasis::Cpu if used.cpu_us.is_some() => "of CPU time",
            _ => "on the wall",
        };
        if counted > budget {
            let code = if by_bank { FaultCode::CumulativeTimeout } else { FaultCode::Timeout };
            let what = if by_bank { "in the bank" } else { "allowed for a move" };
            // Rounded up: an excess below a millisecond must still read as an excess.
            let detail = format!(
                "{} ms {basis}, {} ms {what}{}",
                counted.as_micros().div_ceil(1000),
                budget.as_millis(),
                self.half_line()
            );
            return Err(self.out_of_time(code, detail));
        }
        let waited = if wall > ceiling { self.waited(budget) } else { Waited::GoOn };
        if waited != Waited::GoOn {
            let detail = format!(
                "no answer within {} ms on the wall; {} ms {basis} used{}",
                ceiling.as_millis(),
                counted.as_millis(),
                self.half_line()
            );
            let fault = self.out_of_time(FaultCode::Timeout, detail);
            return Err(Fault { starved: waited == Waited::Starved, ..fault });
        }
        self.check_episode(used)
    }

    /// Returns the fault if the episode has waited too long for the bot, the open question included.
    fn check_episode(&mut self, used: Usage) -> Result<(), Fault> {
        let all = self.start_used + self.used + used;
        let allowed = Duration::from_millis(self.clock.episode_slack_ms);
        let slept = self.clock.slept(all);
        if slept <= allowed {
            return Ok(());
        }
        let detail = format!(
            "the episode has waited {} ms on the wall for {} ms of CPU time, which explains all but {} ms, {} ms allowed{}",
            all.wall_us / 1000,
            all.cpu_us.unwrap_or_default() / 1000,
            slept.as_millis(),
            allowed.as_millis(),
            self.half_line()
        );
        Err(self.out_of_time(FaultCode::CumulativeTimeout, detail))
    }

    /// Closes the question; the bot lives on, but is stopped until the next one.
    pub(super) fn out_of_time(&mut self, code: FaultCode, detail: String) -> Fault {
        self.drain_errors();
        let fault = self.settle(code, detail);
        if let Some(running) = &mut self.running {
            running.stop();
        }
        fault
    }

    /// Longest wait before the host must look at the bot again, even without an answer.
    pub(super) fn patience(&self) -> Duration {
        let Some(asked) = &self.asked else { return LOOK };
        if self.leaving.is_some() {
            return Duration::from_millis(2);
        }
        let wall = asked.open(self.time.now());
        let left = match self.clock.basis {
            ClockBasis::Wall => asked.budget.saturating_sub(wall),
            // With several threads the budget may end sooner; the next look notices.
            ClockBasis::Cpu => asked.budget.saturating_sub(wall).max(Duration::from_millis(5)),
        };
        let ceiling = self.clock.ceiling(asked.budget).saturating_sub(wall);
        let clock = self.running.as_ref().and_then(|running| running.cpu.as_ref());
        let look = clock.map_or(LOOK, |clock| clock.patience(wall));
        left.min(ceiling).min(look) + Duration::from_millis(1)
    }

    pub(super) fn freeze(&mut self) {
        if self.limits.freeze
            && self.leaving.is_none()
            && let Some(running) = &mut self.running
        {
            running.stop();
        }
    }
}
